"""The heads of columns side by side as HTML: what each was set, how it ended, its answer.

Everything shown came from a model or a site and is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lab import wording
from lab.app.compare.columns import Column, columns_html
from lab.compare.differing import caching_text, differences, protocol_text
from lab.compare.summary import Summary
from lab.html.answer import answer_html
from lab.html.line import line_html
from lab.html.outcome import ICONS
from lab.html.trace import notices_html
from lab.models.catalog import is_standin, standin_note

VERDICTS = {"right": ("✓ right", "good"), "wrong": ("✗ wrong", "bad")}


def heads_html(columns: Sequence[Column]) -> str:
    """What the columns were set otherwise, and the head of each."""
    settings = [column.settings for column in columns]
    found = differences(settings, "".join(column.name for column in columns))
    line = f"<p class='lab-differ'>{line_html('; '.join(found))}</p>" if found else ""
    prompts = len({one.system for one in settings}) > 1
    return line + columns_html(columns, [head_html(column, prompts) for column in columns])


def head_html(column: Column, with_prompt: bool) -> str:
    """Model, settings, outcome and answer of one column."""
    of, settings = column.summary, column.settings
    badge, kind = outcome(column)
    said, tone = VERDICTS.get(of.verdict, ("", ""))
    judged = f" <span class='lab-badge lab-{tone}'>{said}</span>" if said else ""
    after = f"{of.detail} {wording.NEXT[of.end]}".strip() if of.end else ""
    cut = f"<p class='lab-bad'>Left out of verdicts: {line_html(of.cut)}</p>" if of.cut else ""
    answer = answer_html(of.answer, column.get) if of.answer else ""
    note = standin_note(of.model) if is_standin(of.model) else ""
    switches = escape(f"{protocol_text(settings.protocol)}, {caching_text(settings.cache)}")
    switches += ", found by meaning too" if settings.semantic else ""
    if len(column.runs) == 1:
        switches += f", {link_html(of, f'run {of.run}')}"
    opened = (
        f"<details><summary>system prompt</summary><pre>{escape(settings.system)}</pre></details>"
    )
    return (
        f"<section class='lab-column'><h3><b>{column.name}</b> {line_html(of.model)}</h3>"
        f"<p class='lab-switches'>{switches}</p>"
        f"{opened if with_prompt else ''}{runs_html(column)}"
        f"<p class='lab-outcome'><span class='lab-badge{kind}'>{escape(badge)}</span>{judged} "
        f"<span>{line_html(after)}</span></p>{cut}{notices_html(column.turn.notices)}{answer}"
        f"<p class='lab-note'>{line_html(note)}</p></section>"
    )


def runs_html(column: Column) -> str:
    """The repeats as links to the page that shows one run alone, with how each came out."""
    if len(column.runs) == 1:
        return ""
    links = "".join(
        f"<span{' class=lab-shown' if place == column.place else ''}>"
        f"{link_html(run, f'run {place + 1}')} {sign(run)}</span>"
        for place, run in enumerate(column.runs)
    )
    return f"<p class='lab-repeats'>{links}</p>"


def link_html(run: Summary, text: str) -> str:
    """A link to a run; in a tab of its own, so that the comparison stays."""
    to = f"href='./?run={escape(run.run)}' target='_blank' title='Open the run in a new tab'"
    return f"<a {to}>{escape(text)}</a>"


def sign(run: Summary) -> str:
    """How a run came out, in a sign and at most two words."""
    if run.end is None:
        return "…"
    if run.verdict in VERDICTS:
        return VERDICTS[run.verdict][0]
    return f"{ICONS.get(run.end, '⚠')} {run.end}"


def outcome(column: Column) -> tuple[str, str]:
    """The state in words, and its class."""
    end = column.turn.end
    if end:
        kind = " lab-good" if end.reason == "answered" else " lab-bad"
        return f"{ICONS.get(end.reason, '⚠')} {end.reason}", kind
    if column.working and column.turn.stopping:
        return "■ stopping", ""
    if column.working:
        return ("… waits for its turn" if column.waiting else "… under way"), ""
    return "⚠ not ended", " lab-bad"
