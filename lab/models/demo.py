"""A stand-in for a model, for when there is no key: a fixed plan over the real tools.

It searches, reads the best passages, calculates where the question itself holds arithmetic, and
quotes the sentences that fit best. It understands nothing, and says so when nothing fits.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from indexer.terms import terms
from lab.messages import Conversation, Exchange, Message, Question, Reply, ToolCall, ToolResult
from lab.models.model import Watch
from lab.models.standin import announce, played
from lab.models.turns import call_ids, with_unique_ids

MOST_QUOTED = 3
"""Sentences in an answer."""

NEARLY = 0.8
"""Beside the best sentence only those are quoted that fit nearly as well."""

FEWEST = 3
"""A calculation with fewer words beside it asks for nothing but its result."""

MOST_READ = 2
"""Passages it reads, best first; the second only where the first does not fit well."""

ENOUGH, WELL = 0.35, 0.7
"""A sentence fits, or fits well, where it holds at least this share of the question's terms."""

_ARITHMETIC = re.compile(
    r"(?<![\w.])[(\d][\d\s.,()+\-−*/×÷^]*[+\-−*/×÷^][\d\s.,()+\-−*/×÷^]*[\d)](?!\w)"
)
_HIT = re.compile(r"(?<=\n\n)\[([^\]\n]+)\] ")
_PASSAGE = re.compile(r'<passage id="([^"]*)"[^\n]*>\n(.*?)\n</passage>', re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z0-9*])|\n{2,}")
_FENCE = re.compile(r"(```|~~~|\$\$).*?\1", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|\[\^[^\]]*\]:?")
_RULE = re.compile(r"^\|?[\s:|-]+\|?$")


class Demo:
    """Plays a model by a fixed plan. What it does next follows from the conversation alone."""

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        """The next step of the plan; see `Model`."""
        started = time.perf_counter()
        request = announce(conversation, "demo", watch)
        planned = plan(conversation)
        calls = with_unique_ids(planned.calls, call_ids(conversation.messages))
        reply = replace(planned, calls=calls, stop="tools" if calls else "answer")
        return played(reply, request, started)


@dataclass(frozen=True, slots=True)
class Done:
    """A call of this question, and what came of it."""

    name: str
    content: str
    failed: bool


def plan(conversation: Conversation) -> Reply:
    """Search, read, calculate, answer: the first of them that is not done yet."""
    question, done = so_far(conversation.messages)
    offered = {tool.name for tool in conversation.tools}
    tried = {call.name for call in done}
    if "search_site" in offered - tried:
        return calling("search_site", query=question)
    found = [id for call in done if call.name == "search_site" for id in _HIT.findall(call.content)]
    read = sum(call.name == "read_passage" for call in done)
    if (
        "read_passage" in offered
        and read < len(found[:MOST_READ])
        and not fits_well(question, done)
    ):
        return calling("read_passage", id=found[read])
    sum_asked = arithmetic(question)
    if sum_asked and "calculate" in offered - tried:
        return calling("calculate", expression=sum_asked)
    return Reply(answer(question, done))


def fits_well(question: str, done: Iterable[Done]) -> bool:
    """True where a sentence that was read holds nearly all that was asked for."""
    return any(fit >= WELL for fit, _, _ in quotes(question, done))


def calling(name: str, **arguments: str) -> Reply:
    """A turn that calls one tool."""
    return Reply("", (ToolCall("", name, dict(arguments)),))


def so_far(messages: Iterable[Message]) -> tuple[str, list[Done]]:
    """The newest question, and the calls made for it with their results."""
    question = ""
    names: dict[str, str] = {}
    done: list[Done] = []
    for message in messages:
        match message:
            case Question(text):
                question, names, done = text, {}, []
            case Reply():
                names |= {call.id: call.name for call in message.calls}
            case ToolResult(call_id, content, failed):
                done.append(Done(names.get(call_id, ""), content, failed))
    return question, done


def arithmetic(question: str) -> str:
    """The longest stretch of the question that is a calculation; empty where there is none."""
    found = [match[0].strip() for match in _ARITHMETIC.finditer(question)]
    return max(
        (text for text in found if not re.fullmatch(r"[\d\s.,-]+", text)), key=len, default=""
    )


def answer(question: str, done: Iterable[Done]) -> str:
    """What was calculated, and the sentences that hold most of the question's terms."""
    parts = [f"Calculated: {c.content}" for c in done if c.name == "calculate" and not c.failed]
    found = quotes(question, done)
    best = sorted(found, key=lambda quote: -quote[0])[:MOST_QUOTED]
    least = max(ENOUGH, NEARLY * best[0][0]) if best else ENOUGH
    fitting = [quote for quote in found if quote in best and quote[0] >= least]
    parts += [f"“{sentence}” [{id}]" for _, sentence, id in fitting]
    if not parts:
        return (
            "Nothing on the site fits this question well enough to quote. "
            "(This is the stand-in speaking: it only matches words. A model may find more.)"
        )
    return (
        "The sentences that fit best:\n\n" + "\n\n".join(parts) if fitting else "\n\n".join(parts)
    )


def quotes(question: str, done: Iterable[Done]) -> list[tuple[float, str, str]]:
    """The sentences of all passages read, as they follow each other: fit, sentence, passage id."""
    asked = arithmetic(question)
    wanted = set(terms(question.replace(asked, " ") if asked else question))
    if asked and len(wanted) < FEWEST:
        return []
    return [
        (fit(wanted, sentence), sentence, id)
        for call in done
        for id, text in _PASSAGE.findall(call.content)
        for sentence in sentences(text)
    ]


def fit(wanted: set[str], sentence: str) -> float:
    """The share of the wanted terms that a sentence holds, 0 to 1."""
    return len(wanted & set(terms(sentence))) / len(wanted) if wanted else 0.0


def sentences(text: str) -> Iterator[str]:
    """Sentences and table rows of a passage, without markup that a quote does not need."""
    for block in re.split(r"\n{2,}", _FENCE.sub("", text)):
        lines = block.strip().splitlines()
        if lines and lines[0].lstrip().startswith("|"):
            yield from rows(lines)
        elif not block.lstrip().startswith("#"):
            plain = _LINK.sub(r"\1", _IMAGE.sub("", " ".join(lines))).replace("**", "")
            yield from (part.strip() for part in _SENTENCE.split(plain) if part.strip())


def rows(lines: list[str]) -> Iterator[str]:
    """Table rows, each cell with the heading of its column."""
    cells = [[c.strip() for c in line.strip().strip("|").split("|")] for line in lines]
    head, *body = [row for line, row in zip(lines, cells, strict=True) if not _RULE.match(line)]
    for row in body:
        named = (f"{name} {cell}" if name else cell for name, cell in zip(head, row, strict=False))
        yield ", ".join(named)
