"""How a question ended, as HTML: in words, with what to do next and the sums."""

from __future__ import annotations

from html import escape

from lab import wording
from lab.events import End
from lab.html.line import line_html
from lab.models.catalog import card_of, is_standin, standin_note
from lab.run import Run
from lab.steps import Turn
from lab.totals import total

ICONS: dict[End, str] = {"answered": "✓", "stopped": "■"}


def outcome_html(run: Run, turn: Turn, running: bool) -> str:
    """The state in words, what to do next, and the sums."""
    used = total(run.turn())
    kind = " lab-good" if turn.end and turn.end.reason == "answered" else " lab-bad"
    if running:
        badge, kind = ("■ stopping" if turn.stopping else "… under way"), ""
    elif turn.end is None:
        badge = "⚠ not ended"
    else:
        badge = f"{ICONS.get(turn.end.reason, '⚠')} {turn.end.reason}"
    sums = (
        run.settings.model,
        f"{used.steps} {'step' if used.steps == 1 else 'steps'}",
        f"{used.seconds:.1f} s",
        f"{wording.amount(used.tokens_in)} tokens in",
        f"{wording.amount(used.tokens_out)} tokens out",
        wording.amount(used.cost, dollars=True),
    )
    after = "" if turn.end is None else f"{turn.end.detail} {wording.NEXT[turn.end.reason]}"
    spans = "".join(f"<span>{line_html(part)}</span>" for part in sums)
    note = ""
    if is_standin(run.settings.model):
        note = standin_note(run.settings.model)
    elif card := card_of(run.settings.model, run.settings.base_url):
        note = card.line()
    return (
        f"<div class='lab-outcome'><span class='lab-badge{kind}'>{escape(badge)}</span>"
        f"<span>{line_html(after)}</span><span class='lab-sums'>{spans}</span></div>"
        f"<p class='lab-note'>{line_html(note)}</p>"
    )
