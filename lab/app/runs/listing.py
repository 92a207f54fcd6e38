"""Which of the saved runs are listed: by words of the question, model, end, and day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import streamlit as st

from lab.app import state
from lab.rows import RunRow

ANY_MODEL, ANY_END, NOT_ENDED = "Any model", "Any end", "not ended"
ANY_TIME, BETWEEN = "Any time", "From … to …"
DAYS = {"Today": 1, "Last 7 days": 7, "Last 30 days": 30}
"""How many days each of these takes in, today included."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run must be to be listed."""

    words: str = ""
    """All of them must stand in its question."""
    model: str = ANY_MODEL
    end: str = ANY_END
    first_day: date | None = None
    """The first and the last day on which it may have started; UTC."""
    last_day: date | None = None

    def passes(self, row: RunRow) -> bool:
        """True where the run is all of that."""
        day, question = row.started[:10], row.question.casefold()
        return (
            all(word in question for word in self.words.casefold().split())
            and self.model in (ANY_MODEL, row.model)
            and self.end in (ANY_END, row.reason or NOT_ENDED)
            and (self.first_day is None or self.first_day.isoformat() <= day)
            and (self.last_day is None or day <= self.last_day.isoformat())
        )


def show_filters(rows: Sequence[RunRow]) -> Wanted:
    """The boxes that say which runs are listed."""
    models = [ANY_MODEL, *sorted({row.model for row in rows})]
    ends = [ANY_END, *sorted({row.reason or NOT_ENDED for row in rows})]
    times = [ANY_TIME, *DAYS, BETWEEN]
    with st.container(key="run-filters"):
        text, model, end, time = st.columns([3, 2, 2, 2])
    words = text.text_input(
        "Question contains", str(state.get(state.RUNS_TEXT)), **kept(state.RUNS_TEXT)
    )
    with model:
        wanted_model = chosen("Model", models, state.RUNS_MODEL)
    with end:
        wanted_end = chosen("End", ends, state.RUNS_END)
    with time:
        since = chosen("Started (UTC)", times, state.RUNS_SINCE)
    return Wanted(words, wanted_model, wanted_end, *days(since))


def chosen(label: str, options: list[str], key: str) -> str:
    """One of the options; the first where the one kept is none of them any more."""
    value = str(state.get(key))
    place = options.index(value) if value in options else 0
    return str(st.selectbox(label, options, index=place, **kept(key)))


def days(since: str) -> tuple[date | None, date | None]:
    """The first and the last day that are meant; None where there is none."""
    if since in DAYS:
        return datetime.now(UTC).date() - timedelta(days=DAYS[since] - 1), None
    if since != BETWEEN:
        return None, None
    first, last, _ = st.columns([2, 2, 5])
    return day(first, "From (UTC)", state.RUNS_FROM), day(last, "To (UTC)", state.RUNS_TO)


def day(place: Any, label: str, key: str) -> date | None:
    """A day, or none."""
    value = st.session_state.get(key)
    named: date | None = place.date_input(label, value, format="YYYY-MM-DD", **kept(key))
    return named


def kept(key: str) -> dict[str, Any]:
    """What lets a widget's value outlast a change of page."""
    return {"key": state.widget(key), "on_change": wanted_otherwise, "args": [key]}


def wanted_otherwise(key: str) -> None:
    """Keep what was chosen, and show the first page of what it lists."""
    state.keep(key)
    st.session_state[state.RUNS_PAGE] = 1
