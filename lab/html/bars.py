"""Tokens in by origin as HTML: bars, what their colours mean, and the same as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from lab import wording
from lab.origins import ORIGINS, Origin, Share, split, with_before
from lab.steps import Step

NAMES: dict[Origin, str] = {
    "system": "system",
    "tools": "tools",
    "question": "question",
    "earlier": "earlier turns",
    "new": "new results",
}


def bar_html(step: Step, before: Step | None, top: int) -> str:
    """Tokens in on the scale of the largest step, in segments by origin; the cached part lined."""
    count = tokens_in(step)
    if not count or not top:
        return "<span class='lab-bar'></span>"
    shares = split(step, before)
    drawn = segments_html(shares, "width", top) or f"<i style='width:{count / top:.2%}'></i>"
    cached = step.reply.usage.cache_read if step.reply else None
    lined = f"<b style='width:{min(cached, count) / top:.2%}'></b>" if cached else ""
    return f"<span class='lab-bar' role='img' {told(shares, cached)}>{drawn}{lined}</span>"


def segments_html(shares: Iterable[Share], side: str, top: int) -> str:
    """The segments of one bar, `side` long."""
    return "".join(
        f"<i class='lab-origin-{share.origin}' style='{side}:{share.tokens / top:.2%}'></i>"
        for share in shares
        if share.tokens
    )


def told(shares: Iterable[Share], cached: int | None = None) -> str:
    """What a bar shows, in words, as attributes for those who do not see it and those who ask."""
    parts = [f"{NAMES[share.origin]} ≈{share.tokens:,}" for share in shares if share.tokens]
    parts += [f"{cached:,} read from the prompt cache"] if cached else []
    words = f"tokens in: {', '.join(parts) or 'not split'}"
    return f"aria-label='{words}' title='{words}'"


def tokens_in(step: Step) -> int | None:
    """Input tokens of a step, where they are known."""
    return step.reply.usage.tokens_in if step.reply else None


def counted(step: Step) -> str:
    """Input tokens of a step as a reader sees them."""
    return wording.tokens(tokens_in(step), bool(step.reply and step.reply.usage.estimated))


def sums(steps: Iterable[Step]) -> Counter[Origin]:
    """Tokens in by origin over all steps whose count is known; `steps` follow each other."""
    found: Counter[Origin] = Counter()
    for step, before in with_before(steps):
        if tokens_in(step):
            found.update({share.origin: share.tokens for share in split(step, before)})
    return found


def legend_html(of: Mapping[Origin, int] | None = None) -> str:
    """What the colours mean, with the sums of tokens where they are given."""
    parts = "".join(
        f"<span><i class='lab-origin-{origin}'></i>{NAMES[origin]}"
        f"{f' <b>≈{of.get(origin, 0):,}</b>' if of else ''}</span>"
        for origin in ORIGINS
    )
    return f"<p class='lab-legend'>{parts}<span>(split estimated)</span></p>"


def split_html(step: Step, before: Step | None) -> str:
    """One request by origin in numbers."""
    shares = split(step, before)
    whole = sum(share.tokens for share in shares)
    rows = "".join(
        row_html(
            f"<i class='lab-origin-{share.origin}'></i>{NAMES[share.origin]}",
            f"{share.characters:,}",
            f"≈{share.tokens:,}",
            f"{share.tokens / whole:.0%}" if whole else wording.UNKNOWN,
        )
        for share in shares
    )
    characters = sum(share.characters for share in shares)
    return (
        "<table class='lab-split'><thead><tr><th scope='col'>origin</th>"
        "<th scope='col'>characters</th><th scope='col'>tokens in</th><th scope='col'>share</th>"
        f"</tr></thead><tbody>{rows}"
        f"{row_html('all', f'{characters:,}', shown_tokens(step, whole), '')}</tbody></table>"
        f"<p class='lab-note'>{basis(step)}</p>"
    )


def row_html(name: str, *cells: str) -> str:
    """A row of numbers."""
    values = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr><th scope='row'>{name}</th>{values}</tr>"


def shown_tokens(step: Step, whole: int) -> str:
    """The count of a whole request, marked where it was not measured."""
    count = tokens_in(step)
    estimated = count is None or bool(step.reply and step.reply.usage.estimated)
    return wording.tokens(whole, estimated)


def basis(step: Step) -> str:
    """What the split rests on."""
    if tokens_in(step) is None:
        return "Split estimated: nobody said how many tokens this was; four characters are one."
    counted = "estimated for" if step.reply and step.reply.usage.estimated else "measured for"
    return f"Split estimated: by characters, scaled to the count that was {counted} the whole."
