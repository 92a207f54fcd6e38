"""What a request is made of: its pieces, where each came from, and what it has cost. Pure.

A wire counts the tokens of a whole request, never those of a piece. How they are split is
therefore always an estimate, from characters, scaled so that it sums to the count of the whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from lab.models.estimates import estimated_tokens
from lab.parts import Part, parts
from lab.steps import Step
from lab.totals import Amount

Origin: TypeAlias = Literal["system", "tools", "question", "earlier", "new"]
"""Where a piece came from: `earlier` was sent before, `new` came since the step before."""

ORIGINS: tuple[Origin, ...] = get_args(Origin)

KEPT = 128
"""So many bodies are not read again."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of one request, as it stands among those before and after."""

    part: Part
    origin: Origin
    fresh: bool
    """True where the request before did not hold it."""
    tokens: int
    """Its share of the request's tokens; estimated."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one origin has of a request."""

    origin: Origin
    characters: int
    tokens: int
    """Estimated; the shares of a request sum to its count of tokens, where that is known."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a part has taken because it was sent again and again."""

    times: int
    """In how many requests it was."""
    tokens: Amount
    usd: Amount
    """Its share of what the input of those requests cost."""


def pieces(step: Step, before: Step | None = None) -> tuple[Piece, ...]:
    """The parts of a step's request in the order sent; `before` is the request before it."""
    found = parts_of(step)
    known = set(parts_of(before)) if before else set()
    asked = place_of_question(found, step.question)
    counts = apportioned(tokens_of(step, found), [part.characters for part in found])
    made = []
    for place, (part, tokens) in enumerate(zip(found, counts, strict=True)):
        is_question = place == asked
        fresh = part not in known if before else is_question
        origin = origin_of(part, is_question, fresh and step.number > 1)
        made.append(Piece(part, origin, fresh, tokens))
    return tuple(made)


def with_before(steps: Iterable[Step]) -> list[tuple[Step, Step | None]]:
    """Each step with the one before it."""
    follow = list(steps)
    return list(zip(follow, [None, *follow], strict=False))


def parts_of(step: Step) -> tuple[Part, ...]:
    """The parts of a step's request; none where no request was made over a wire."""
    return read(step.request.body) if step.request.body else ()


@lru_cache(maxsize=KEPT)
def read(body: str) -> tuple[Part, ...]:
    """The parts of a body, which is drawn again and again while its run goes on."""
    return parts(json.loads(body))


def place_of_question(found: Sequence[Part], question: str) -> int | None:
    """Where the question stands: it may have been asked before, so it is the last of its kind."""
    same = [n for n, p in enumerate(found) if p.role == "user" and p.text == question]
    return same[-1] if same else None


def origin_of(part: Part, is_question: bool, new: bool) -> Origin:
    """Where a part came from. At the first step of a question only the question is not earlier."""
    match part.role:
        case "system" | "tools" as origin:
            return origin
        case _ if is_question:
            return "question"
    return "new" if new else "earlier"


def tokens_of(step: Step, found: Iterable[Part]) -> int:
    """Tokens of the whole request: as counted, or else as many as its characters make likely."""
    counted = step.reply.usage.tokens_in if step.reply else None
    return estimated_tokens(sum(p.characters for p in found)) if counted is None else counted


def apportioned(total: int, weights: Sequence[int]) -> list[int]:
    """Whole numbers in proportion to the weights that sum to the total exactly.

    What rounding down leaves over goes, one each, to those that lost most by it.
    """
    if not weights:
        return []
    whole = sum(weights)
    if not whole:
        return apportioned(total, [1] * len(weights))
    counts = [total * weight // whole for weight in weights]
    lost = sorted(range(len(weights)), key=lambda n: -(total * weights[n] % whole))
    for place in lost[: total - sum(counts)]:
        counts[place] += 1
    return counts


def split(step: Step, before: Step | None = None) -> tuple[Share, ...]:
    """A request by origin, all five in their order; empty where its pieces are not known."""
    found = pieces(step, before)
    shares = []
    for origin in ORIGINS if found else ():
        own = [piece for piece in found if piece.origin == origin]
        characters = sum(piece.part.characters for piece in own)
        shares.append(Share(origin, characters, sum(piece.tokens for piece in own)))
    return tuple(shares)


def spent(
    steps: Iterable[Step], paid: Callable[[Step], float | None]
) -> Iterator[dict[Part, Spent]]:
    """What each part has taken up to the first of these steps, up to the second, and so on.

    `paid` gives what the input of a step cost, in US dollars; None where nobody knows.
    """
    sums: dict[Part, Spent] = {}
    for step in steps:
        found = pieces(step)
        whole = sum(piece.tokens for piece in found)
        usd = paid(step)
        for piece in found:
            so_far = sums.get(piece.part, Spent(0, Amount(), Amount()))
            share = None if usd is None or not whole else usd * piece.tokens / whole
            sums[piece.part] = Spent(
                so_far.times + 1,
                so_far.tokens.plus(piece.tokens if step.reply else None, estimated=True),
                so_far.usd.plus(share, estimated=True),
            )
        yield dict(sums)
