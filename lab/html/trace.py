"""The trace as HTML: a row a step, with a bar of tokens in that grows from row to row.

Everything shown came from a model or a site and is escaped. Opens in place for the full text.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from lab import wording
from lab.events import Noticed
from lab.messages import Usage
from lab.steps import CallView, Step, Turn

STREAMED_CHARACTERS = 300
"""So much of the end of a reply under way is shown."""

HEAD = ("step", "asked for → came back", "seconds", "tokens in", "out", "cost")


def trace_html(turn: Turn, running: bool, streamed: str = "") -> str:
    """The steps of one question; `streamed` is what has come of the reply under way."""
    counts = [step.reply.usage.tokens_in or 0 for step in turn.steps if step.reply]
    top, rows, before = max(counts, default=0), [], 0
    for step in turn.steps:
        rows.append(step_html(step, before, top, running and step is turn.steps[-1], streamed))
        before = (step.reply.usage.tokens_in or before) if step.reply else before
    head = "".join(f"<th>{name}</th>" for name in HEAD)
    legend = (
        '<p class="lab-legend"><i class="lab-old"></i><span>sent in the step before already</span>'
        '<i class="lab-new"></i><span>new in this step</span></p>'
    )
    notices = notices_html(turn.notices)
    body = "".join(rows)
    table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f"{notices}<table class='lab-trace'>{table}</table>{legend if top else ''}"


def step_html(step: Step, before: int, top: int, running: bool, streamed: str = "") -> str:
    """One row: what was asked for, what came back, and what it took."""
    usage = step.reply.usage if step.reply else Usage()
    spent = step.exchange.seconds + step.exchange.waited if step.exchange else None
    shown = wording.UNKNOWN if spent is None else f"{spent + step.tool_seconds:.2f}"
    price = wording.cost(step.exchange.cost) if step.exchange else wording.UNKNOWN
    tokens_in = wording.tokens(usage.tokens_in, usage.estimated)
    cells = (
        ("step", str(step.number)),
        ("what", what_html(step, running, streamed)),
        ("seconds", shown),
        ("in", f"{bar_html(usage.tokens_in, before, top)}<span>{tokens_in}</span>"),
        ("out", wording.tokens(usage.tokens_out, usage.estimated)),
        ("cost", price),
    )
    row = "".join(f"<td class='lab-{name}'>{cell}</td>" for name, cell in cells)
    return f"<tr class='{'lab-running' if running else ''}'>{row}</tr>"


def bar_html(count: int | None, before: int, top: int) -> str:
    """Tokens in on the scale of the largest step: what was sent before, and what is new."""
    if not count or not top:
        return "<span class='lab-bar'></span>"
    old = min(before, count) / top * 100
    new = (count - min(before, count)) / top * 100
    return (
        f"<span class='lab-bar'><i class='lab-old' style='width:{old:.1f}%'></i>"
        f"<i class='lab-new' style='width:{new:.1f}%'></i></span>"
    )


def what_html(step: Step, running: bool, streamed: str) -> str:
    """Calls with their results, an answer, or what went wrong."""
    parts = [call_html(view, running) for view in step.calls]
    reply = step.reply
    if step.failure:
        parts.append(f"<p class='lab-bad'>⚠ no reply: {escape(step.failure)}</p>")
    elif reply and reply.fault:
        parts.append(f"<p class='lab-bad'>⚠ not usable: {escape(reply.fault)}</p>")
    elif reply and not step.calls:
        answered = reply.stop == "answer"
        said = "answer" if answered else f"⚠ {reply.stop}"
        parts.append(f"<p class='{'' if answered else 'lab-bad'}'>{said}</p>")
    elif reply is None and running:
        said = wording.one_line(streamed)[-STREAMED_CHARACTERS:] or "waiting for the model …"
        parts.append(f"<p class='lab-wait'>{escape(said)}</p>")
    elif reply is None:
        parts.append("<p class='lab-bad'>⚠ no reply was recorded</p>")
    if reply and reply.thinking:
        parts.append(opening("thinking", reply.thinking))
    if reply and (cached := wording.cached(reply.usage)):
        parts.append(f"<p class='lab-note'>{cached}</p>")
    return "".join(parts) + notices_html(step.notices)


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
        f"<h5>call {escape(view.call.id)}</h5><pre>{escape(full_call(view))}</pre>"
        f"<h5>result, {len(view.result.content):,} characters, {view.result.seconds:.3f} s</h5>"
        f"<pre>{escape(view.result.content)}</pre></details>"
    )


def full_call(view: CallView) -> str:
    """Name and arguments in full."""
    if view.call.arguments is None:
        return f"{view.call.name} {view.call.raw}"
    return "\n".join([view.call.name, *(f"{k}: {v}" for k, v in view.call.arguments.items())])


def opening(title: str, text: str) -> str:
    """A text that opens in place."""
    return f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"


def notices_html(notices: Iterable[Noticed]) -> str:
    """What was said beside replies and results."""
    return "".join(
        f"<p class='{'lab-bad' if wording.alarming(notice) else 'lab-note'}'>"
        f"{escape(notice.about)}: {escape(notice.text)}</p>"
        for notice in notices
    )
