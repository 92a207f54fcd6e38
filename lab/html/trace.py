"""The trace as HTML: a row a step, what was asked for, what came back, and what it took.

Everything shown came from a model or a site and is escaped. Opens in place for the full text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from lab import wording
from lab.events import Noticed
from lab.html.attempts import attempts_html
from lab.html.bars import legend_html, split_html, sums, tokens_in
from lab.html.figures import HEAD, figures_html, so_far
from lab.html.line import line_html
from lab.html.outcome import ICONS
from lab.origins import with_before
from lab.steps import CallView, Step, Turn

STREAMED_CHARACTERS = 600
"""So much of the end of a reply under way is shown."""


@dataclass(frozen=True, slots=True)
class Row:
    """A step as it is drawn. Its parts change apart from each other while a run goes on."""

    number: int
    figures: str
    """The cells beside the texts; nothing in them opens."""
    blocks: tuple[str, ...]
    """The texts, one below the other. One that can be opened does not change any more."""


def trace_html(turn: Turn, running: bool, streamed: str = "") -> str:
    """The steps of one question; `streamed` is what has come of the reply under way."""
    drawn = "".join(
        f"<div class='lab-row'>{row.figures}"
        f"<div class='lab-texts'>{''.join(row.blocks)}</div></div>"
        for row in rows(turn, running, streamed)
    )
    return (
        f"{notices_html(turn.notices)}<div class='lab-trace'>{HEAD}{drawn}{foot_html(turn)}</div>"
    )


def rows(turn: Turn, running: bool, streamed: str = "") -> list[Row]:
    """A row for each step."""
    top = max((tokens_in(step) or 0 for step in turn.steps), default=0)
    made = []
    for (step, before), used in zip(with_before(turn.steps), so_far(turn.steps), strict=True):
        now = running and step is turn.steps[-1]
        figures = figures_html(step, before, top, used, now)
        texts = [*blocks_of(step, now, streamed), more_html(step, by_origin_html(step, before))]
        texts.append(notices_html(beside(step)))
        blocks = tuple(f"<div class='lab-what'>{text}</div>" for text in texts if text)
        made.append(Row(step.number, figures, blocks))
    return made


def foot_html(turn: Turn) -> str:
    """How it ended, where that is not with an answer, and what the colours mean."""
    end, of = turn.end, sums(turn.steps)
    said = ""
    if end and end.reason != "answered":
        icon = ICONS.get(end.reason, "⚠")
        said = (
            f"<p class='lab-bad lab-end'>{icon} It ended here without an answer: {end.reason}.</p>"
        )
    return f"{said}{legend_html(of) if of else ''}"


def what_html(step: Step, running: bool, streamed: str, before: Step | None) -> str:
    """Calls with their results, an answer, or what went wrong; in one piece."""
    parts = [*blocks_of(step, running, streamed), more_html(step, by_origin_html(step, before))]
    if step.reply and (cached := wording.cached(step.reply.usage)):
        parts.append(f"<p class='lab-note'>{cached}</p>")
    return "".join(parts) + notices_html(beside(step))


def beside(step: Step) -> list[Noticed]:
    """What was said beside a reply, without what is told of the reply already."""
    told = step.reply.fault if step.reply else ""
    return [notice for notice in step.notices if notice.text != told]


def blocks_of(step: Step, running: bool, streamed: str) -> list[str]:
    """What a step asked for and what came back, or why there is nothing."""
    reply = step.reply
    if step.failure:
        return [f"<p class='lab-bad'>⚠ no reply: {line_html(step.failure)}</p>"]
    if reply is None:
        return [arriving_html(streamed) if running else bad("no reply was recorded")]
    blocks = [call_html(view, running) for view in step.calls]
    if reply.fault:
        blocks.append(bad(f"not usable: {reply.fault}"))
    elif reply.stop == "cut":
        blocks.append(bad("cut off by the output limit"))
    elif not step.calls and reply.stop == "answer":
        blocks.append("<p>answer</p>")
    elif not step.calls:
        blocks.append(bad(f"{reply.stop}{f': {reply.detail}' if reply.detail else ''}"))
    return blocks


def bad(text: str) -> str:
    """What nobody should take for an answer."""
    return f"<p class='lab-bad'>⚠ {line_html(text)}</p>"


def arriving_html(streamed: str) -> str:
    """The end of what has come of a reply: thinking and text alike."""
    if not streamed.strip():
        return "<p class='lab-wait'>waiting for the model …</p>"
    end = wording.printable(streamed).strip()[-STREAMED_CHARACTERS:]
    return f"<p class='lab-wait'>the reply arrives …</p><p class='lab-streamed'>{escape(end)}</p>"


def call_html(view: CallView, running: bool) -> str:
    """A call and its result in two lines, which open to the full texts."""
    asked = wording.one_line(wording.asked(view.call))
    if view.result is None:
        state = "→ running …" if view.started else "→ waits its turn"
        kind = "lab-wait" if running else "lab-bad"
        state = state if running else "⚠ no result was recorded"
        return f"<p>{escape(asked)}</p><p class='{kind}'>{state}</p>"
    back = wording.one_line(wording.came_back(view.result))
    marked, kind = ("⚠ ", " lab-bad") if view.result.failed else ("→ ", "")
    return (
        f"<details><summary><span>{escape(asked[:400])}</span>"
        f"<span class='lab-back{kind}'>{marked}{escape(back[:400])}</span></summary>"
        f"<h5>call {line_html(view.call.id)}</h5><pre dir='auto'>{escape(full_call(view))}</pre>"
        f"<h5>result, {len(view.result.content):,} characters, {view.result.seconds:.3f} s</h5>"
        f"<pre dir='auto'>{escape(view.result.content)}</pre></details>"
    )


def full_call(view: CallView) -> str:
    """Name and arguments in full."""
    if view.call.arguments is None:
        return f"{view.call.name} {view.call.raw}"
    return "\n".join([view.call.name, *(f"{k}: {v}" for k, v in view.call.arguments.items())])


def more_html(step: Step, by_origin: str) -> str:
    """What else a reply holds, how it was got, and what its request was made of."""
    reply, parts = step.reply, []
    if reply and reply.thinking:
        parts.append(opening("thinking", reply.thinking))
    if reply and reply.text.strip() and (step.calls or reply.fault or reply.stop != "answer"):
        parts.append(opening("what it said", reply.text))
    if step.exchange:
        parts.append(attempts_html(step.exchange))
    parts.append(by_origin)
    return f"<div class='lab-more'>{''.join(parts)}</div>" if any(parts) else ""


def by_origin_html(step: Step, before: Step | None) -> str:
    """What a request was made of, in numbers; opens in place."""
    if not step.request.body or not (step.reply or step.failure):
        return ""
    title = "<summary>tokens in by origin</summary>"
    return f"<details>{title}{split_html(step, before)}</details>"


def opening(title: str, text: str) -> str:
    """A text that opens in place."""
    shown = f"<pre dir='auto'>{escape(text)}</pre>"
    return f"<details><summary>{escape(title)}</summary>{shown}</details>"


def notices_html(notices: Iterable[Noticed]) -> str:
    """What was said beside replies and results."""
    return "".join(
        f"<p class='{'lab-bad' if wording.alarming(notice) else 'lab-note'}'>"
        f"{line_html(f'{notice.about}: {notice.text}')}</p>"
        for notice in notices
    )
