"""Numbers and outcomes in words: measured plain, estimated with ≈, unknown as –, never as 0."""

from __future__ import annotations

import json
import re

from lab.events import End, Noticed, ToolFinished
from lab.messages import NOT_SENT, Cost, ToolCall, Usage
from lab.totals import Amount

UNKNOWN = "–"
ESTIMATED = "≈"

NEXT: dict[End, str] = {
    "answered": "",
    "step limit": "Resume it for as many steps again, or ask a narrower question.",
    "tool limit": "Resume it for as many tool calls again, or ask a narrower question.",
    "token limit": "Resume it for as many tokens again, or ask with a higher limit.",
    "money limit": "Resume it for as much again, or ask with a higher limit.",
    "time limit": "Resume it for as many seconds again, or ask with a higher limit.",
    "stopped": "Resume it to go on from here.",
    "refused": "Ask in other words, or try another model.",
    "cut off": "Resume it to let the model go on.",
    "format": "Try another protocol or another model.",
    "failed": "Mend what the message names, then resume it.",
}
"""What to do after each end."""

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_HITS = re.compile(r"^(\d+) passages?, best first.*?:\n\n\[([^\]]+)\] ([^\n]*)", re.DOTALL)
_PASSAGE = re.compile(r'^<passage id="([^"]*)"[^\n]*>\n(.*)\n</passage>', re.DOTALL)


def tokens(count: float | None, estimated: bool) -> str:
    """A token count: 1,234, ≈1,234, or –."""
    return UNKNOWN if count is None else f"{ESTIMATED if estimated else ''}{count:,.0f}"


def money(usd: float | None) -> str:
    """US dollars with four digits that mean something; – where nobody knows."""
    if usd is None:
        return UNKNOWN
    return "$0" if usd == 0 else f"${usd:,.4f}" if usd >= 0.0001 else f"${usd:.1e}"


def cost(of: Cost) -> str:
    """The cost of one call; `free` only where that is declared."""
    return "free" if of.usd == 0 and of != NOT_SENT else money(of.usd)


def cached(usage: Usage) -> str:
    """What the endpoint's prompt cache did for a call; empty where it did nothing."""
    parts = ((usage.cache_read, "read from"), (usage.cache_write, "written to"))
    said = [f"{count:,} tokens {did} the prompt cache" for count, did in parts if count]
    return ", ".join(said)


def alarming(notice: Noticed) -> bool:
    """True for a notice without which a verdict on the model would be false."""
    return notice.about == "prompt cut"


def amount(of: Amount, dollars: bool = False) -> str:
    """A sum: `at least` where parts of it are unknown."""
    known = None if of.unknown and not of.value else of.known
    shown = money(known) if dollars else tokens(known, of.estimated)
    if dollars and known == 0 and of.parts:
        shown = "free"
    return f"at least {shown}" if of.unknown and known is not None else shown


def asked(call: ToolCall) -> str:
    """A call in short: the tool's name and its arguments."""
    if call.arguments is None:
        return f"{call.name} {call.raw}"
    values = list(call.arguments.values())
    if len(values) == 1 and isinstance(values[0], str):
        quote = '"' if " " in values[0] and call.name.startswith("search") else ""
        return f"{call.name} {quote}{values[0]}{quote}"
    return f"{call.name} {json.dumps(call.arguments, ensure_ascii=False)}"


def came_back(result: ToolFinished) -> str:
    """A result in short: what a reader of the trace wants to know first."""
    if result.failed:
        return f"error: {result.content}"
    if hits := _HITS.match(result.content):
        return f"{hits[1]} {'passage' if hits[1] == '1' else 'passages'}, best: {hits[3]}"
    if passage := _PASSAGE.match(result.content):
        return f"passage of {len(passage[2].split())} words"
    return result.content


def one_line(text: str) -> str:
    """The text with every run of blanks as one, fit for a single line of a terminal."""
    return " ".join(printable(text).split())


def printable(text: str) -> str:
    """The text without what could steer a terminal or turn its reading direction."""
    return _STEERING.sub("", text)
