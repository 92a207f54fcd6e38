"""The page Be the model as its script runs: what each state of it says, without a browser."""

from __future__ import annotations

import json

import pytest
from as_read import as_read
from streamlit.testing.v1 import AppTest

from lab.app import registry, resources, state
from lab.app.be.replying import ANSWER, key
from lab.elsewhere import awaited
from lab.events import ModelAsked, ModelReplied, ToolFinished
from lab.run import Run
from lab.store import Store

FIRST = 2
"""Place of the first request in a run: after its start and its question."""
HOSTILE = "<script>alert(1)</script><img src=x onerror='x'>"


pytestmark = pytest.mark.usefixtures("own_data")


def shown() -> None:
    """The page's script."""
    from lab.app.be import page as be

    be.view()


def opened(run: str = "") -> AppTest:
    page = AppTest.from_function(shown, default_timeout=60)
    if run:
        page.query_params[state.RUN] = run
    return page.run()


def pressed(page: AppTest, label: str) -> AppTest:
    [button] = [button for button in page.button if button.label == label]
    page = button.click().run()
    assert not page.exception
    return page


def begun(question: str = "") -> tuple[AppTest, Run]:
    """The page with a run that waits at its first step."""
    page = opened()
    if question:
        page.text_area(key=state.widget(state.PLAYED_QUESTION)).set_value(question)
    page = pressed(page, "Begin")
    run = run_of(page)
    return page.run(), run


def run_of(page: AppTest) -> Run:
    """The run in the page's address."""
    found = page.query_params[state.RUN]
    runner = registry.runner(found[0] if isinstance(found, list) else found)
    assert runner
    runner.join(30)
    return runner.run


def words(page: AppTest) -> str:
    return "\n".join(str(element.proto.body) for element in page.get("html"))


def answered(page: AppTest, text: str) -> AppTest:
    """The page after an answer to the first request."""
    at = key(run_of(page), FIRST)
    page.radio(key=f"{at}:kind").set_value(ANSWER)
    page.run()
    page.text_area(key=f"{at}:answer").set_value(text)
    return pressed(page, "Reply")


def test_a_newcomer_is_told_what_this_is_and_begins_with_one_click() -> None:
    page = opened()
    assert page.info[0].value.startswith("No key needed: you are the model.")
    page = pressed(page, "Begin")
    run = run_of(page)
    assert page.info[0].value.startswith("You are the model now.")
    assert awaited(run)
    assert run.settings.limits.seconds is None
    assert page.subheader[0].value == "What you are sent, step 1"
    [request] = [e.request for e in run.events if isinstance(e, ModelAsked)]
    assert page.code[0].value == request.body
    assert f"≈{-(-len(request.body) // 4):,} tokens in this request" in words(page)


def test_tools_called_with_fields_and_as_json_run_for_real_and_faults_come_back() -> None:
    page, run = begun()
    page.text_input(key=f"{key(run, FIRST)}:0:search_site:query").set_value("KV cache")
    page = pressed(page, "Add another call")
    page.selectbox(key=f"{key(run, FIRST)}:1:tool").set_value("calculate")
    page.run()
    page.toggle(key=f"{key(run, FIRST)}:1:raw").set_value(True)
    page.run()
    page.text_area(key=f"{key(run, FIRST)}:1:calculate:json").set_value('{"expression": 2 *')
    page = pressed(page, "Reply")
    found, broken = [e for e in run_of(page).events if isinstance(e, ToolFinished)]
    assert found.content.startswith("5 passages, best first")
    assert broken.failed
    assert "The arguments are not valid JSON" in broken.content
    asked = awaited(run)
    assert asked
    sent = json.loads(asked.request.body)["messages"]
    assert [message["role"] for message in sent[-3:]] == ["assistant", "tool", "tool"]
    assert words(page).count("new</b>") == 3


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_answer_is_refused_in_words_and_counts_for_nothing(text: str) -> None:
    page, run = begun()
    page = answered(page, text)
    assert as_read(page.error)[0] == "The answer is empty. Write it in words, or call a tool."
    assert not [e for e in run.events if isinstance(e, ModelReplied)]
    assert awaited(run)


def test_an_answer_ends_the_run_is_judged_and_can_be_compared() -> None:
    page, run = begun()
    page = answered(page, "It takes 4 GiB.")
    html = words(page)
    assert "✓ answered" in html
    assert "✓ Right." in html
    assert [button.label for button in page.button][-1:] != ["Reply"]
    assert page.selectbox(key=state.widget(state.AGAINST)).value == "demo"
    [replied] = [e for e in run.events if isinstance(e, ModelReplied)]
    assert replied.exchange.cost.basis == "free: no endpoint was called"


def test_what_a_person_writes_is_escaped() -> None:
    page, _ = begun(HOSTILE)
    html = words(page) + words(answered(page, HOSTILE))
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<img" not in html


def test_stop_ends_it_and_resume_goes_on_where_it_was() -> None:
    page, _ = begun()
    page = pressed(page, "■ Stop")
    assert "■ stopped" in words(page)
    page = pressed(page, "Resume")
    asked = awaited(run_of(page))
    assert asked
    assert asked.step == 2
    assert len(resources.store().rows()) == 1


def test_a_run_whose_process_ended_waits_on_where_it_was() -> None:
    _, run = begun()
    registry._runners.clear()
    again = opened(run.id)
    assert not again.exception
    loaded = run_of(again)
    assert loaded is not run
    assert loaded.events == run.events
    assert "✓ answered" in words(answered(again, "4 GiB."))


def test_steps_are_limited_as_for_a_model() -> None:
    page = opened()
    page.number_input(key=state.widget(state.PLAYED_STEPS)).set_value(1)
    page = pressed(page, "Begin")
    run_of(page)
    page.run().text_input(key=f"{key(run_of(page), FIRST)}:0:search_site:query").set_value(
        "KV cache"
    )
    page = pressed(page, "Reply")
    assert "step limit" in words(page)


def test_an_empty_question_begins_nothing() -> None:
    page = opened()
    page.text_area(key=state.widget(state.PLAYED_QUESTION)).set_value(" ")
    page = pressed(page, "Begin")
    assert as_read(page.error)[0].startswith("The question is empty.")
    assert not resources.store().rows()


@pytest.mark.parametrize("id", ["nonsense", "last", "%", "![x](https://evil.example/x.png)"])
def test_an_unknown_run_in_the_address_is_told(id: str) -> None:
    page = opened(id)
    assert not page.exception
    assert as_read(page.warning)[0].startswith("There is no such run here.")


def test_a_run_of_a_model_cannot_be_played(run_of_demo: str) -> None:
    page = opened(run_of_demo)
    assert as_read(page.warning)[0].startswith("This run is one of a model, not of a person.")
    assert "Reply" not in [button.label for button in page.button]


@pytest.fixture
def run_of_demo() -> str:
    """A saved run that the stand-in plays."""
    from lab.prepare import Choice, settings_for, start
    from lab.tools.site import site_tools

    index, store = resources.index(), resources.store()
    assert isinstance(store, Store)
    return start(store, settings_for(Choice("demo"), index, site_tools(index).schemas()), "x").id
