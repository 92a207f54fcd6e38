"""The Search page: what search_site returns and why, the site's passages, and how well it finds.

Reads the index as the tool does; knows no model and no run.
"""

from __future__ import annotations

from html import escape
from operator import attrgetter
from pathlib import Path

import streamlit as st

from indexer.errors import IndexerError
from indexer.evaluate import Evaluation, evaluate
from indexer.index import Index
from indexer.questions import Question, read_questions
from lab import places
from lab.app import resources, state, suggestions, told
from lab.app.head import show_head
from lab.app.search.articles import show_articles
from lab.app.search.hits import hits_html
from lab.app.search.retrieval import measures_html, questions_html
from lab.app.told import literal
from lab.errors import LabError
from lab.html.line import line_html
from lab.tools.errors import ToolError
from lab.tools.search_site import search_site

CSS = Path(__file__).parent / "page.css"
LIMIT = 5
"""Passages the tool returns where a model names no limit."""


def view() -> None:
    """Draw the page."""
    st.html(CSS)
    try:
        index = resources.index()
    except (LabError, IndexerError) as error:
        told.error(error)
        return
    show_head("Search", index)
    query = show_query()
    if query.strip():
        show_result(index, query)
    else:
        show_nothing_yet(index)
    show_articles(index)
    if places.is_sample():
        show_retrieval(index)


def show_query() -> str:
    """The query box; gives what to search for."""
    query = state.query()
    with st.form("search", border=True):
        words, button = st.columns([5, 1], vertical_alignment="bottom")
        words.text_input(
            "Query",
            key=state.widget(state.QUERY),
            placeholder="A few words, as the site's pages would put them",
            label_visibility="collapsed",
        )
        button.form_submit_button("Search", on_click=submit, type="primary", width="stretch")
    return query


def submit() -> None:
    """Search for what stands in the box."""
    state.show_query(str(st.session_state[state.widget(state.QUERY)]))


def show_nothing_yet(index: Index) -> None:
    """What the page is for, and queries to begin with."""
    st.html(
        "<p>See what <code>search_site</code> returns to a model for a query, and what each word "
        "of it adds to the score. Try one of these:</p>"
    )
    with st.container(horizontal=True, gap="small", key="queries"):
        for place, query in enumerate(suggestions.queries(index)):
            st.button(literal(query), key=f"query-{place}", on_click=state.show_query, args=[query])


def show_result(index: Index, query: str) -> None:
    """The hits as people read them, then the text as a model does."""
    words = " ".join(query.encode(errors="replace").decode().split())
    try:
        returned = search_site(index)(words, LIMIT)
        hits = index.search(words, LIMIT)
        found = hits_html(index, words, hits) if hits else ""
    except (ToolError, IndexerError) as error:
        st.html(f"<p class='lab-bad'>⚠ {line_html(str(error))}</p>")
        return
    st.html(found or f"<p class='lab-nothing'>{line_html(returned)}</p>")
    st.html(
        "<details class='lab-returned'><summary>What search_site returns to a model "
        f"<span>{len(returned):,} characters</span></summary>"
        f"<pre tabindex='0' dir='auto'>{escape(returned)}</pre></details>"
    )


def show_retrieval(index: Index) -> None:
    """How well the search finds what the sample site's own questions need."""
    file = places.sample_site() / "questions.jsonl"
    if not file.is_file():
        return
    st.subheader("How well the search finds", anchor=False)
    try:
        questions = read_questions(file)
        found = measured(index, questions)
    except IndexerError as error:
        st.html(f"<p class='lab-bad'>⚠ {line_html(str(error))}</p>")
        return
    left_out = f"; {found.left_out} that the site does not answer are left out"
    st.html(
        f"<p class='lab-note'>Each of {found.n} questions is searched for as it is written"
        f"{left_out if found.left_out else ''}. It is found where a passage of a section that "
        "answers it comes up.</p>"
    )
    st.html(measures_html(found))
    st.html(questions_html(found, questions))


@st.cache_resource(
    show_spinner=False,
    max_entries=2,
    hash_funcs={Index: attrgetter("fingerprint"), Question: repr},
)
def measured(index: Index, questions: list[Question]) -> Evaluation:
    """The evaluation, made once for an index and its questions."""
    return evaluate(index, questions)
