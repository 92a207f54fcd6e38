"""The replay of a run as its script runs: the run as it stood, what it needed, a fork of it."""

from __future__ import annotations

from html import unescape

import pytest
from as_read import as_read, unescaped
from streamlit.testing.v1 import AppTest

from indexer.index import Index
from lab.app import registry, resources, state
from lab.events import Asked, ModelAsked, ModelReplied, RunStarted, ToolFinished, TurnEnded
from lab.loop import advance
from lab.messages import Exchange, Reply, Request
from lab.models.catalog import PERSON, open_model
from lab.prepare import Choice, settings_for, start
from lab.run import Run
from lab.settings import Settings
from lab.tools.site import site_tools

HOSTILE = "</pre><script>alert(1)</script><img src=x onerror=y>"
QUESTION = "How much KV cache does Llama 3.1 8B need per token?"


def page_script() -> None:
    """What Streamlit runs: the page with those it leads to."""
    import streamlit as st

    from lab.app.ask import page as ask
    from lab.app.be import page as be
    from lab.app.compare import page as compare
    from lab.app.runs import page as runs

    pages = [
        st.Page(runs.view, title="Runs", url_path="runs", default=True),
        st.Page(ask.view, title="Ask", url_path="ask"),
        st.Page(compare.view, title="Compare", url_path="compare"),
        st.Page(be.view, title="Be the model", url_path="be"),
    ]
    st.navigation(pages, position="hidden").run()


pytestmark = pytest.mark.usefixtures("own_data", "at_this_machine")


@pytest.fixture
def at_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page, bound to loopback."""
    monkeypatch.setattr(resources, "local", lambda: True)


@pytest.fixture
def parent() -> Run:
    """A finished run of the stand-in."""
    index = resources.index()
    tools = site_tools(index)
    settings = settings_for(Choice("demo"), index, tools.schemas())
    run = start(resources.store(), settings, QUESTION)
    for _ in advance(run, open_model("demo", {}), tools, settings.limits):
        pass
    return run


def opened(run: str, at: str = "") -> AppTest:
    """The page at the address of an event of a run."""
    page = AppTest.from_function(page_script, default_timeout=60)
    page.query_params[state.RUN] = run
    if at:
        page.query_params[state.AT] = at
    page.run()
    assert not page.exception
    return page


def words(page: AppTest) -> str:
    """Everything the page says in its own HTML."""
    return "\n".join(str(element.proto.body) for element in page.get("html"))


def at(page: AppTest) -> str:
    """The event in the page's address."""
    found = page.query_params.get(state.AT, "")
    return found[0] if isinstance(found, list) else found


def press(page: AppTest, key: str) -> AppTest:
    page = page.button(key=key).click().run()
    assert not page.exception
    return page


def fork_of(parent: Run) -> Run:
    """The one fork of that run, run to its end."""
    [row] = [row for row in resources.store().rows() if row.parent == parent.id]
    runner = registry.runner(row.id)
    assert runner
    runner.join(30)
    return runner.run


def place(run: Run, kind: type, number: int = 0) -> int:
    return [entry.seq for entry in run.recorded if isinstance(entry.event, kind)][number]


def test_buttons_and_slider_lead_through_the_events_and_the_address_says_where(parent: Run) -> None:
    last = len(parent) - 1
    page = opened(parent.id, "0")
    assert "Nothing was asked yet." in [caption.value for caption in page.caption]
    assert "the start with demo" in words(page)
    page = press(press(page, "replay-Next"), "replay-Next")
    assert (at(page), page.slider[0].value) == ("2", 2)
    page = page.slider[0].set_value(5).run()
    assert (at(page), "5 passages" in words(page)) == ("5", True)
    page = press(page, "replay-Back")
    assert (at(page), "5 passages" in words(page), "running …" in words(page)) == ("4", False, True)
    page = press(page, "replay-Last")
    assert (at(page), "✓ answered" in words(page)) == (str(last), True)
    assert (page.button(key="replay-Next").disabled, page.button(key="replay-Back").disabled) == (
        True,
        False,
    )
    assert at(press(page, "replay-First")) == "0"


@pytest.mark.parametrize("where", ["", "999", "x", "-1", "٣", "1" * 5000])
def test_an_address_without_an_event_shows_the_last_one(parent: Run, where: str) -> None:
    page = opened(parent.id, where)
    expected = 3 if where == "٣" else len(parent) - 1
    assert page.slider[0].value == expected


def test_each_event_is_shown_whole_with_the_need_it_leads_to(parent: Run) -> None:
    page = opened(parent.id, "3")
    said = unescape(words(page))
    assert '"kind": "ModelReplied"' in page.code[0].value
    assert f'to run search_site "{QUESTION}"' in said
    assert "✓ event 4: start of search_site, as needed" in said


def test_a_recording_that_was_changed_is_told(parent: Run) -> None:
    resources.store()._db.execute(
        "delete from events where run = ? and kind = 'ToolStarted'", [parent.id]
    )
    assert "✗ Event 4 is missing" in words(opened(parent.id, "3"))


def test_a_run_that_is_not_here_is_told_and_the_list_is_one_click_away(parent: Run) -> None:
    page = opened("nothing")
    assert as_read(page.warning)[0].startswith("There is no run nothing here.")
    page = page.button[0].click().run()
    assert "1 of 1 runs" in page.caption[0].value


def test_a_changed_result_is_run_on_from_and_what_was_changed_is_shown(parent: Run) -> None:
    seq = place(parent, ToolFinished)
    page = opened(parent.id, str(seq))
    [box] = page.text_area
    assert (unescaped(box.label), box.value) == (
        "Another result of search_site",
        parent.events[seq].content,
    )  # type: ignore[union-attr]
    box.set_value("1 passage, best first:\n\n[gone#a] Gone")
    page = press(page, "run-on")
    fork = fork_of(parent)
    assert fork.events[seq].content == "1 passage, best first:\n\n[gone#a] Gone"  # type: ignore[union-attr]
    assert fork.events[:seq][1:] == parent.events[:seq][1:]
    assert fork.end()
    assert page.query_params[state.RUNS] in (f"{parent.id},{fork.id}", [f"{parent.id},{fork.id}"])
    said = words(opened(fork.id))
    assert f"Forked from run {parent.id} at step 1, event {seq}" in said
    assert "<ins>" in said
    assert "gone#a" in said
    resources.store().delete(parent.id)
    page = opened(fork.id)
    assert "no longer in the store" in " ".join(caption.value for caption in page.caption)


@pytest.mark.parametrize(
    ("kind", "number", "label", "text", "said"),
    [
        (Asked, 0, "Another question", "What is 2 + 3?", "another question"),
        (ModelReplied, 0, r"Other arguments of search_site", '{"query": "x"}', "other arguments"),
        (ModelReplied, -1, "Another answer", "No.", "another answer"),
    ],
)
def test_whatever_can_be_changed_has_a_field_filled_with_what_was(
    *, parent: Run, kind: type, number: int, label: str, text: str, said: str
) -> None:
    page = opened(parent.id, str(place(parent, kind, number)))
    [box] = page.text_area
    assert box.label.startswith(label)
    assert box.value
    box.set_value(text)
    press(page, "run-on")
    assert said in words(opened(fork_of(parent).id))


def test_the_start_offers_model_prompt_and_descriptions(parent: Run) -> None:
    page = opened(parent.id, "0")
    what = page.selectbox(key=f"fork-{parent.id}-0-what")
    assert what.options == [
        *("Model", "System prompt", "Description of search_site", "Description of read_passage"),
        "Description of calculate",
    ]
    page = what.set_value("Description of calculate").run()
    page.text_area[0].set_value("Adds numbers.")
    press(page, "run-on")
    fork = fork_of(parent)
    assert fork.settings.tools[2].description == "Adds numbers."
    assert "another description of calculate" in words(opened(fork.id))


def test_another_model_takes_over_at_a_request(parent: Run) -> None:
    seq = place(parent, ModelAsked, 1)
    page = opened(parent.id, str(seq))
    page.selectbox(key=f"fork-{parent.id}-{seq}-model").set_value("scripted:hasty")
    press(page, "run-on")
    fork = fork_of(parent)
    assert fork.settings.model == "scripted:hasty"
    assert sum(isinstance(event, ModelReplied) for event in fork.events) == 2


def test_a_person_can_take_over(parent: Run) -> None:
    seq = place(parent, ModelAsked, 1)
    page = opened(parent.id, str(seq))
    page.selectbox(key=f"fork-{parent.id}-{seq}-model").set_value(PERSON)
    page = press(page, "run-on")
    [row] = [row for row in resources.store().rows() if row.parent == parent.id]
    assert (row.model, row.reason) == (PERSON, None)
    assert page.query_params[state.RUN] in (row.id, [row.id])


def test_what_cannot_be_changed_so_is_told_and_makes_no_run(parent: Run) -> None:
    seq = place(parent, ModelReplied)
    page = opened(parent.id, str(seq))
    page.text_area[0].set_value("{")
    page = press(page, "run-on")
    assert as_read(page.error)[0].startswith("This run cannot be forked so: The arguments are not")
    assert len(resources.store().rows()) == 1
    end = opened(parent.id, str(place(parent, TurnEnded)))
    assert "Nothing can be changed here." in " ".join(caption.value for caption in end.caption)
    assert not [button for button in end.button if button.key == "run-on"]


def test_a_fork_asked_for_twice_before_it_is_shown_is_made_once(parent: Run) -> None:
    page = opened(parent.id, "1")
    page.session_state[state.FORKED] = state.Begun(f"{parent.id},{parent.id}", shown=False)
    press(page, "run-on")
    assert len(resources.store().rows()) == 1


def test_whatever_a_run_holds_is_text(sample: Index) -> None:
    run = resources.store().start(RunStarted(Settings(HOSTILE, HOSTILE, ())))
    for event in (
        *(Asked(HOSTILE), ModelAsked(1, Request("POST", HOSTILE, "{}", {}))),
        *(ModelReplied(1, Reply(HOSTILE), Exchange(HOSTILE)), TurnEnded("answered", HOSTILE)),
    ):
        run.record(event)
    for seq in range(len(run)):
        page = opened(run.id, str(seq))
        html = words(page)
        assert "<script" not in html
        assert "<img" not in html
        assert not [m for m in (*page.markdown, *page.caption) if "<script" in m.value]
