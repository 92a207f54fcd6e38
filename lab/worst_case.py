"""What a question may cost at most, reckoned before it is asked. Nothing is sent.

Every step is taken, and every reply is as long as it may be. All tool calls that are allowed are
made at the first step, each brings the largest result there is, and all is sent again from then on.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from indexer.index import Index
from indexer.snippets import WIDTH
from lab import wording
from lab.messages import Conversation, Cost, Usage
from lab.models import openai
from lab.models.estimates import estimated_tokens
from lab.models.react import as_text
from lab.models.standin import NOBODY
from lab.settings import Limits
from lab.tools.read_passage import read_passage
from lab.tools.search_site import MOST

HIT_CHARACTERS = WIDTH + 10
"""Of a hit, beside its id, title and headings."""

READ = 50
"""So many of the longest passages are read: how their results are written differs by little."""

Price = Callable[[Usage], Cost]
"""What a call would cost by what it uses; each call by itself, since prices go by its length."""


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The most a question may use."""

    tokens_in: int | None
    """Input tokens of all steps; None where no limit bounds them."""
    usd: float | None
    """US dollars; None where no price is known, or no limit bounds them."""
    priced: bool
    """Whether a price is known."""
    by_limit: bool = False
    """True where it is the limit on money that bounds the cost."""
    forbidden: str = ""
    """The limit that forbids even the first request; empty where none does."""


def worst_case(first: int, cap: int, result: int, limits: Limits, price: Price) -> WorstCase:
    """The worst case of a question.

    `first` are the tokens of its first request, `cap` those a reply may have, `result` those of
    the largest tool result.
    """
    at_first = price(Usage(first, cap, estimated=True)).usd
    if limits.tokens_in is not None and limits.tokens_in < first:
        return WorstCase(0, 0.0, at_first is not None, forbidden="tokens")
    if limits.cost is not None and at_first is not None and limits.cost < at_first:
        return WorstCase(0, 0.0, priced=True, forbidden="money")
    sizes = requests(first, cap, result, limits)
    tokens = min(sum(sizes), limits.tokens_in or sum(sizes)) if sizes else None
    if at_first is None:
        return WorstCase(tokens, None, priced=False)
    usd = spent(sizes, limits.tokens_in, cap, price) if sizes else None if at_first else 0.0
    if limits.cost is not None and (usd is None or limits.cost < usd):
        return WorstCase(tokens, limits.cost, priced=True, by_limit=True)
    return WorstCase(tokens, usd, priced=True)


def together(cases: Sequence[WorstCase]) -> WorstCase:
    """The worst case of several questions: what one of them does not bound, all do not."""
    return WorstCase(
        None
        if any(case.tokens_in is None for case in cases)
        else sum(c.tokens_in or 0 for c in cases),
        None if any(case.usd is None for case in cases) else sum(c.usd or 0.0 for c in cases),
        all(case.priced for case in cases),
        forbidden=next(filter(None, (case.forbidden for case in cases)), ""),
    )


def spent(sizes: Sequence[int], most: int | None, cap: int, price: Price) -> float:
    """US dollars for requests of at most these sizes, and `most` tokens, with the longest replies.

    A long request may cost more for each of its tokens, so that a few of them can be dearer than
    all that fit in: every number is looked at, with all tokens at the rate of the longest request
    that there may be among so many.
    """
    if most is None:
        return sum(charged(size, cap, price) for size in sizes)
    dearest = 0.0
    for number in range(1, len(sizes) + 1):
        longest = min(sizes[number - 1], most - sizes[0] * (number - 1))
        tokens = min(sum(sizes[:number]), most)
        sent = charged(longest, 0, price)
        replies = number * (charged(longest, cap, price) - sent)
        dearest = max(dearest, tokens / longest * sent + replies)
    return dearest


def charged(tokens_in: int, tokens_out: int, price: Price) -> float:
    """What a call costs; 0 where it costs nothing."""
    return price(Usage(tokens_in, tokens_out, estimated=True)).usd or 0.0


def requests(first: int, cap: int, result: int, limits: Limits) -> list[int] | None:
    """Tokens that the request of each step may have; None where no limit bounds them.

    As many steps as a limit on tokens allows, since none has fewer than the first.
    """
    most = limits.tokens_in
    if limits.tool_calls is not None:
        results = limits.tool_calls * result
    elif most is not None or limits.steps == 1:
        results = most or 0
    else:
        return None
    number = limits.steps if most is None else min(limits.steps, most // first)
    return [first, *(first + n * cap + results for n in range(1, number))]


def first_request(conversation: Conversation, protocol: str) -> int:
    """About how many tokens the next request has; how it is written differs little by wire."""
    sent = as_text(conversation) if protocol == "react" else conversation
    body = openai.request_body(sent, "model", NOBODY)
    return estimated_tokens(len(json.dumps(body, ensure_ascii=False)))


def largest_result(index: Index) -> int:
    """About how many tokens the largest result of a tool has."""
    read = read_passage(index)
    passages = [
        len(json.dumps(read(p.id), ensure_ascii=False)) for p in index.longest("text", READ)
    ]
    heads = [len("".join([p.id, p.title, *p.headings])) for p in index.longest("head", MOST)]
    hits = sum(heads) + len(heads) * HIT_CHARACTERS
    return estimated_tokens(max([hits, *passages]))


def words(case: WorstCase) -> str:
    """The worst case in a few words."""
    if case.forbidden:
        return f"nothing can be sent: the limit on {case.forbidden} is below the first request"
    tokens = ""
    if case.tokens_in is not None:
        tokens = f", {wording.ESTIMATED}{rounded(case.tokens_in)} tokens in"
    if not case.priced:
        return f"cost {wording.UNKNOWN}, no price is known{tokens}"
    if case.usd is None:
        return "cost without a bound: limit tool calls, tokens or money"
    if case.usd == 0:
        return f"free{tokens}"
    if case.by_limit:
        return f"at most ${case.usd:,g}, the limit{tokens}"
    return f"at most {wording.ESTIMATED}${rounded(case.usd)}{tokens}"


def rounded(value: float) -> str:
    """A number rounded up to two digits that mean something."""
    if value <= 0:
        return "0"
    places = 1 - math.floor(math.log10(value))
    up = math.ceil(round(value * 10.0**places, 6)) / 10.0**places
    return f"{up:,.{max(0, places)}f}"
