"""Every key of this browser session's state, and of the page's address, in one place.

Values live in keys that no widget owns, so they outlast a change of page.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

from lab.app.compare.picks import Pick

RUN = "run"
"""In the address: the id of the run that is shown."""
RUNS = "runs"
"""In the address: the ids of the runs that stand side by side, with commas between them; where
there are repeats, commas between those of a column, and semicolons between columns."""
TURN = "turn"
"""In the address: which question of the run is looked into, 1 for the first."""
STEP = "step"
"""In the address: at which of its steps."""
INDENTED = "indented"
"""Whether raw bodies are to be indented."""
QUESTION = "question"
"""What stands in the question box."""
MODEL = "model"
PICKS = "picks"
"""What is to stand in the columns of the Compare page."""
REPEATS = "repeats"
"""How often each of them is asked."""
COMPARED_STEPS = "compared steps"
COMPARED_SECONDS = "compared seconds"
SHOWN_COLUMN = "shown column"
"""Name of the column that a narrow screen shows."""
SHOWN_REPEAT = "shown repeat"
"""Which of the repeats is shown step by step; 1 for the first."""
PROTOCOL = "protocol"
CACHE = "cache"
SEMANTIC = "semantic"
STEPS = "steps"
TOOL_CALLS = "tool calls"
TOKENS_IN = "tokens in"
COST = "cost"
SECONDS = "seconds"
FOLLOW_UP = "follow-up"
"""What stands in the box for a further question in the run that is shown."""
SYSTEM = "system"
"""The system prompt that somebody wrote; empty for the lab's own."""
DESCRIPTIONS = "descriptions"
"""The descriptions of tools that somebody wrote, by the tool's name."""
PAGES = "pages"
"""The pages there are, by their title."""
BEGUN = "begun"
"""The run that this session began last."""
COMPARED_QUESTION = "compared question"
"""What stands in the question box of the Compare page; a widget's key is for one page alone."""
COMPARED = "compared"
"""The runs that this session began last side by side."""
PLAYED_QUESTION = "played question"
"""What stands in the question box of the page Be the model."""
PLAYED_STEPS = "played steps"
PLAYED = "played"
"""The run in which this session's visitor began last to be the model."""
AGAINST = "against"
"""The run played last beside the run of a model on the same question."""
CALLS = "calls"
"""How many calls the reply being written holds, and to which step of which run it is."""
OWNED = "owned"
"""The runs in which this session's own browser may reply."""
QUERY = "q"
"""In the address and kept: the query of the Search page."""
ARTICLE = "article"
"""Slug of the article whose passages the Search page lists."""
RUNS_TEXT = "runs-text"
"""What the questions listed on the Runs page must hold."""
RUNS_MODEL = "runs-model"
RUNS_END = "runs-end"
RUNS_SINCE = "runs-since"
"""In which time the runs listed there were started."""
RUNS_FROM = "runs-from"
RUNS_TO = "runs-to"
"""The days between which they were started, where somebody named them; UTC."""
RUNS_PAGE = "runs-page"
"""Which page of the list is shown; 1 for the newest runs."""
RUNS_CHOSEN = "runs-chosen"
"""Ids of the runs that were selected there, in the order of selection."""
AT = "at"
"""In the address: the event at which a run is shown as it stood then."""
FORKED = "forked"
"""The run that this session forked last, with its fork."""
FAULT = "fault"
"""What was wrong with the last thing asked for; shown once."""
KEYS = "keys"
"""Keys that were typed, by endpoint; only lab/app/keys.py looks at them."""
ADDRESSES = "addresses"
"""Other addresses of local servers, by endpoint."""
TRIALS = "trials"
"""What is tried, or was, at endpoints."""
ENDPOINT_FAULT = "endpoint-fault"
"""What was wrong with the last thing asked for at an endpoint, with its name; shown once."""


@dataclass(slots=True)
class Begun:
    """The run that a session began last.

    Changed in place, in turn: two clicks in quick succession run two scripts of one session at
    once, and each access to the session's state lets the newer break the older one off.
    """

    run: str = ""
    """Its id, or several with commas between them; empty for none."""
    shown: bool = True
    """False until the page shows it."""
    turn: threading.Lock = field(default_factory=threading.Lock)


def begun(key: str = BEGUN) -> Begun:
    """The session's own record, which lasts."""
    record: Begun = st.session_state.setdefault(key, Begun())
    return record


def get(key: str, default: str | int = "") -> str | int:
    """The kept value of a key."""
    value: str | int = st.session_state.get(key, default)
    return value


def number(key: str, default: float | None = None) -> float | None:
    """The kept number of a key; None where its field was emptied."""
    value: float | None = st.session_state.get(key, default)
    return value


def keep(*keys: str) -> None:
    """Copy what the widgets of these keys hold into the keys that last."""
    for key in keys:
        if widget(key) in st.session_state:
            st.session_state[key] = st.session_state[widget(key)]


def picks(usual: tuple[Pick, ...] = ()) -> tuple[Pick, ...]:
    """What is to stand in the columns of the Compare page."""
    chosen: tuple[Pick, ...] = st.session_state.get(PICKS, usual)
    return chosen


def compare_with(question: str, picks: tuple[Pick, ...], repeats: int) -> None:
    """Let the controls say what the shown runs were asked, where nothing was chosen yet."""
    if PICKS not in st.session_state:
        st.session_state[PICKS] = picks
        st.session_state.setdefault(REPEATS, repeats)
        st.session_state.setdefault(COMPARED_QUESTION, question)


def compare_afresh(question: str, picks: tuple[Pick, ...]) -> None:
    """Let the Compare page begin with this question and these columns, whatever stood there."""
    st.session_state.update({COMPARED_QUESTION: question, PICKS: picks})
    st.session_state.pop(COMPARED, None)


def know_pages(pages: Iterable[st.Page]) -> None:
    """Let views find the pages there are."""
    st.session_state[PAGES] = {page.title: page for page in pages}


def page(title: str) -> st.Page | None:
    """The page of that title; None where there is none."""
    known: dict[str, st.Page] = st.session_state.get(PAGES, {})
    return known.get(title)


def fill(key: str, text: str) -> None:
    """Put a text into the box that edits a value, as if it had been typed."""
    st.session_state[widget(key)] = text
    keep(key)


def clicked(key: str, of: str) -> str:
    """The key of what was last clicked for a value of the address, such as a step of a run."""
    return f"{key} clicked: {of}"


def widget(key: str) -> str:
    """The key of the widget that edits a value."""
    return f"widget:{key}"


def shown_run() -> str:
    """The id of the run that is shown; empty for none. One just begun is shown from now on."""
    if not begun().shown:
        show_run(begun().run)
        begun().shown = True
    return str(st.query_params.get(RUN, ""))


def show_run(id: str) -> None:
    """Show another run from now on; its id stands in the address."""
    for key in (TURN, STEP):
        st.query_params.pop(key, None)
    st.query_params[RUN] = id


def query() -> str:
    """The query of the Search page, from the address; one who comes back finds the last again."""
    arrived = widget(QUERY) not in st.session_state
    if arrived and QUERY not in st.query_params and get(QUERY):
        st.query_params[QUERY] = str(get(QUERY))
    text = str(st.query_params.get(QUERY, ""))
    if st.session_state.get(widget(QUERY)) != text:
        st.session_state[widget(QUERY)] = text
    st.session_state[QUERY] = text
    return text


def show_query(text: str) -> None:
    """Search for this from now on; it stands in the address."""
    st.session_state[QUERY] = text
    if text:
        st.query_params[QUERY] = text
    else:
        st.query_params.pop(QUERY, None)


def chosen_runs() -> list[str]:
    """The ids of the runs that were selected on the Runs page."""
    ids: list[str] = st.session_state.get(RUNS_CHOSEN, [])
    return list(ids)


def choose_run(id: str, chosen: bool) -> None:
    """Select a run, or no longer."""
    others = [other for other in chosen_runs() if other != id]
    st.session_state[RUNS_CHOSEN] = [*others, id] if chosen else others


def place(last: int) -> int:
    """The event at which a run is shown, from the address; the last one where it names none."""
    text = str(st.query_params.get(AT, ""))
    at = min(int(text), last) if text.isdecimal() and len(text) < 10 else last
    if st.session_state.get(widget(AT)) != at:
        st.session_state[widget(AT)] = at
    return at


def show_place(id: str, at: int | None = None) -> None:
    """Show a run event by event from now on, at this event or its last one."""
    st.query_params[RUN] = id
    if at is None:
        st.query_params.pop(AT, None)
    else:
        st.query_params[AT] = str(at)


def show_no_run() -> None:
    """Show no single run any more."""
    st.query_params.pop(RUN, None)
    st.query_params.pop(AT, None)


def played_run() -> str:
    """The id of the run in which the visitor is the model. One who comes back finds the last."""
    record = begun(PLAYED)
    with record.turn:
        if record.run and not (record.shown and RUN in st.query_params):
            show_run(record.run)
            record.shown = True
        record.run = str(st.query_params.get(RUN, ""))
    return record.run


def own(*ids: str) -> None:
    """Let this session's browser be the model of these runs, where they have none of their own."""
    st.session_state[OWNED] = owned() | set(ids)


def owned() -> frozenset[str]:
    """The runs in which this session's browser may reply."""
    ids: frozenset[str] = st.session_state.get(OWNED, frozenset())
    return ids


def compared_runs() -> list[tuple[str, ...]]:
    """The ids of the runs side by side, a tuple a column. One who comes back finds them again."""
    record = begun(COMPARED)
    with record.turn:
        if record.run and not (record.shown and RUNS in st.query_params):
            st.query_params[RUNS] = record.run
            record.shown = True
        record.run = str(st.query_params.get(RUNS, ""))
    return columns_of(record.run)


def columns_of(text: str) -> list[tuple[str, ...]]:
    """The ids in an address, a tuple a column."""
    parts = text.split(";" if ";" in text else ",")
    columns = [tuple(dict.fromkeys(id for id in part.split(",") if id)) for part in parts]
    return [column for column in columns if column]


def address_of(columns: list[tuple[str, ...]]) -> str:
    """The ids as they stand in an address."""
    if all(len(column) == 1 for column in columns):
        return ",".join(column[0] for column in columns)
    return ";".join(",".join(column) for column in columns)
