"""The page as its script runs: what each state of it says, without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit
from as_read import as_read, unescaped
from serving import ROOT
from streamlit.testing.v1 import AppTest

from lab.app import registry, resources, state
from lab.app.ask import at_most
from lab.app.suggestions import DEFAULT_QUESTION, EXAMPLES
from lab.events import Asked, ModelAsked, RunStarted
from lab.run import Run
from lab.settings import Limits, Settings
from lab.store import Store

PAGE = str(ROOT / "streamlit_app.py")
CANARY = "sk-canary-0123456789"
SYSTEM = state.widget(state.SYSTEM)
DESCRIPTION = state.widget(f"{state.DESCRIPTIONS}:search_site")
Script = Callable[..., str]


pytestmark = pytest.mark.usefixtures("own_data")


def opened(run: str = "", model: str = "demo") -> AppTest:
    """The page, at the address of a run, with a model chosen."""
    page = AppTest.from_file(PAGE, default_timeout=60)
    page.session_state[state.MODEL] = model  # AppTest cannot type a new name into a list
    if run:
        page.query_params[state.RUN] = run
    return page.run()


def asked(question: str, model: str = "demo", page: AppTest | None = None) -> AppTest:
    """The page after a question was asked and the run that came of it ended."""
    page = page or opened(model=model)
    page.text_area(key=state.widget(state.QUESTION)).set_value(question)
    button(page, "Ask").click()
    page.run()
    if known := registry.runner(shown(page)):
        known.join(60)
        page.run()
    return page


def shown(page: AppTest) -> str:
    """The id of the run in the page's address."""
    return str(page.query_params.get(state.RUN, ""))


def button(page: AppTest, label: str) -> streamlit.testing.v1.element_tree.Button:
    [found] = [b for b in page.button if unescaped(b.label) == label]
    return found


def words(page: AppTest) -> str:
    """Everything the page says in its own HTML."""
    return "\n".join(str(element.proto.body) for element in page.get("html"))


def runs() -> list[str]:
    return [row.id for row in resources.store().rows()]


def test_a_newcomer_reads_that_no_key_is_needed_and_finds_a_question_to_ask() -> None:
    page = opened()
    assert not page.exception
    assert page.info[0].value.startswith("No key needed: the tools run for real")
    assert page.text_area(key=state.widget(state.QUESTION)).value == DEFAULT_QUESTION
    assert "passages" in words(page)
    assert [unescaped(b.label) for b in page.button] == ["Ask", *EXAMPLES]


@pytest.mark.parametrize("model", ["demo", "scripted:careful", "scripted:hasty"])
def test_ask_leads_to_an_answer_without_a_key(model: str) -> None:
    page = asked(DEFAULT_QUESTION, model)
    assert not page.exception
    assert "✓ answered" in words(page)
    assert "No model is called" in words(page)
    assert runs() == [shown(page)]
    assert "Resume" not in [b.label for b in page.button]


@pytest.mark.parametrize("question", ["", "   \n", "\x00\x07"])
def test_an_empty_question_is_told_and_starts_no_run(question: str) -> None:
    page = asked(question)
    assert as_read(page.error) == ["The question is empty. Ask something about the site, in words."]
    assert not runs()


def test_a_question_that_is_too_long_is_told_and_starts_no_run() -> None:
    [error] = asked("x" * 100_000).error
    assert "at most 20,000 are accepted" in unescaped(error.value)
    assert not runs()


@pytest.mark.parametrize(
    ("model", "error"),
    [
        ("anthropic/claude-sonnet-5", "anthropic needs a key: set ANTHROPIC_API_KEY"),
        ("nobody/some-model", "Unknown model 'nobody/some-model'. Give ENDPOINT/MODEL"),
        ("scripted:/none.json", "The script '/none.json' cannot be read"),
    ],
)
def test_a_model_that_cannot_be_asked_is_told_and_starts_no_run(model: str, error: str) -> None:
    page = asked(DEFAULT_QUESTION, model)
    assert as_read(page.error)[0].startswith(error)
    assert not runs()
    page.run()
    assert not page.error, "an error is shown once"


@pytest.mark.parametrize("id", ["nonsense", "last", "<script>alert(1)</script>"])
def test_an_unknown_run_in_the_address_is_told(id: str) -> None:
    asked(DEFAULT_QUESTION)
    page = opened(id)
    assert as_read(page.warning)[0].startswith(f"There is no run {id} here.")
    assert "answered" not in words(page)


def test_the_address_of_a_run_shows_it_in_another_session_without_starting_one() -> None:
    first = asked("What is 2^10 * 1.5?", "demo")
    again = opened(shown(first))
    assert "✓ answered" in words(again)
    assert "1536" in words(again)
    assert again.text_area(key=state.widget(state.QUESTION)).value == "What is 2^10 * 1.5?"
    assert len(runs()) == 1


def test_an_example_fills_the_question_box_and_asks_nothing() -> None:
    page = opened()
    button(page, EXAMPLES[0]).click().run()
    assert page.text_area(key=state.widget(state.QUESTION)).value == EXAMPLES[0]
    assert not runs()


def test_the_step_limit_chosen_ends_the_run_and_says_what_to_do() -> None:
    page = opened(model="scripted:careful")
    page.number_input(key=state.widget(state.STEPS)).set_value(1)
    asked(DEFAULT_QUESTION, page=page)
    assert "⚠ step limit" in words(page)
    assert "Resume it for as many steps again" in words(page)
    assert button(page, "Resume")


def test_a_failed_run_is_no_answer_and_can_be_resumed(script: Script) -> None:
    call = {"name": "calculate", "arguments": {"expression": "1/0"}}
    page = asked("x", script({"calls": [call]}))
    assert "⚠ failed" in words(page)
    assert "the script has only 1" in words(page)
    button(page, "Resume").click().run()
    assert not page.exception
    assert len(runs()) == 1


def test_a_run_of_a_model_that_is_gone_cannot_be_resumed_and_says_why(
    script: Script, tmp_path: Path
) -> None:
    page = asked("x", script({"calls": [{"name": "calculate", "arguments": {}}]}))
    (tmp_path / "script.json").unlink()
    button(page, "Resume").click().run()
    assert as_read(page.error)[0].startswith("This run cannot be resumed: The script")


def test_a_run_without_an_end_says_so(settings: Settings) -> None:
    store: Store = resources.store()
    run: Run = store.start(RunStarted(settings))
    run.record(Asked("What is it?"))
    page = opened(run.id)
    assert not page.exception
    assert "⚠ not ended" in words(page)
    assert button(page, "Resume")


def test_a_hostile_question_and_answer_are_shown_as_text(script: Script) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    page = asked(hostile, script({"text": hostile, "thinking": hostile}))
    assert "✓ answered" in words(page)
    assert "<script>" not in words(page)
    assert "<img" not in words(page)


def test_a_key_of_the_environment_is_in_nothing_the_page_shows_or_keeps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", CANARY)
    page = asked(DEFAULT_QUESTION, "scripted:careful")
    assert CANARY not in str(page.session_state) + words(page)
    assert not [f for f in tmp_path.rglob("*") if f.is_file() and CANARY.encode() in f.read_bytes()]


def test_a_model_with_a_key_at_hand_can_be_chosen_only_where_keys_may_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", CANARY)
    monkeypatch.setattr(resources.st, "get_option", lambda name: "127.0.0.1")
    assert any(name.startswith("groq/") for name in resources.model_names())
    monkeypatch.setattr(resources.st, "get_option", lambda name: "0.0.0.0")
    assert not any(name.startswith("groq/") for name in resources.model_names())
    monkeypatch.setenv("LAB_SHARED_KEYS", "1")
    assert any(name.startswith("groq/") for name in resources.model_names())


def test_a_store_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "runs.db").write_bytes(b"no database " * 100)
    page = opened()
    assert "is no database of the lab" in as_read(page.error)[0]
    (tmp_path / "home" / "runs.db").unlink()


def test_a_page_bound_elsewhere_plays_no_script_from_a_file(
    monkeypatch: pytest.MonkeyPatch, script: Script
) -> None:
    monkeypatch.setattr(resources, "local", lambda: False)
    page = asked("Why?", model=script())
    assert as_read(page.error) == [
        "Scripts are played from files only where the page is bound to loopback."
    ]


def test_emptied_limits_are_no_limits_and_the_run_keeps_to_what_was_chosen() -> None:
    page = opened()
    for key in (state.TOOL_CALLS, state.SECONDS):
        page.number_input(key=state.widget(key)).set_value(None).run()
    page.number_input(key=state.widget(state.STEPS)).set_value(7).run()
    page.number_input(key=state.widget(state.TOKENS_IN)).set_value(90_000).run()
    page.number_input(key=state.widget(state.COST)).set_value(0.5).run()
    page.checkbox(key=state.widget(state.CACHE)).set_value(True).run()
    settings = resources.store().load(shown(asked("What is 2^10 * 1.5?", page=page))).settings
    assert settings.limits == Limits(7, None, 90_000, 0.5, None)
    assert settings.cache


def test_the_controls_say_what_a_run_was_asked_with_where_nothing_was_chosen_yet() -> None:
    first = opened()
    first.number_input(key=state.widget(state.STEPS)).set_value(5).run()
    first.number_input(key=state.widget(state.SECONDS)).set_value(None).run()
    first.text_area(key=SYSTEM).set_value("Be brief.").run()
    first.text_area(key=DESCRIPTION).set_value("Finds.").run()
    again = opened(shown(asked("What is 2^10 * 1.5?", page=first)))
    assert not again.exception
    assert again.number_input(key=state.widget(state.STEPS)).value == 5
    assert again.number_input(key=state.widget(state.SECONDS)).value is None
    assert again.text_area(key=SYSTEM).value == "Be brief."
    assert again.text_area(key=DESCRIPTION).value == "Finds."


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("demo", "free: no model is called"),
        ("scripted:careful", "free: no model is called"),
        ("ollama/llama3.1:8b", r"free, ≈[\d,]+ tokens in"),
        ("anthropic/claude-haiku-4-5", r"at most ≈\$[\d.]+, ≈[\d,]+ tokens in"),
        ("groq/nobody-knows", r"cost –, no price is known, ≈[\d,]+ tokens in"),
        ("nobody/some-model", ""),
    ],
)
def test_the_most_a_question_may_cost_is_said_before_it_is_asked(model: str, said: str) -> None:
    page = opened(model=model)
    assert not page.exception
    assert re.fullmatch(said, most(page))


def most(page: AppTest) -> str:
    """What the next question may cost at most, as the page says."""
    [said] = [each for each in page.caption if unescaped(each.help or "") == at_most.ASSUMED]
    return unescaped(said.value)


def test_the_most_a_question_may_cost_follows_the_limits() -> None:
    page = opened(model="anthropic/claude-haiku-4-5")
    usual = most(page)
    page.number_input(key=state.widget(state.STEPS)).set_value(1).run()
    assert most(page) != usual
    page.number_input(key=state.widget(state.COST)).set_value(0.05).run()
    page.number_input(key=state.widget(state.STEPS)).set_value(8).run()
    assert most(page).startswith("at most $0.05, the limit")


def test_a_prompt_that_is_changed_is_marked_sent_and_can_be_reset() -> None:
    page = opened()
    assert "differs" not in words(page)
    page.text_area(key=SYSTEM).set_value("Be brief.").run()
    page.text_area(key=DESCRIPTION).set_value("Finds.").run()
    marks = ["system prompt differs from the lab&#x27;s own", "description of search_site differs"]
    assert all(words(page).count(mark) == 1 for mark in marks)
    asked("What is 2^10 * 1.5?", page=page)
    assert all(words(page).count(mark) == 2 for mark in marks), "above, and on the run"
    run = resources.store().load(shown(page))
    body = next(e.request.body for e in run.events if isinstance(e, ModelAsked))
    assert '"content":"Be brief."' in body
    assert '"description":"Finds."' in body
    for reset in [b for b in page.button if b.label == "Reset to default"]:
        page.button(key=reset.key).click().run()
    assert all(words(page).count(mark) == 1 for mark in marks), "the run stays as it was"
    assert page.text_area(key=SYSTEM).value.startswith("You answer questions about the site")
    assert "Reset to default" not in [b.label for b in page.button]


@pytest.mark.parametrize("text", ["", "  \n", None])
def test_a_prompt_that_is_emptied_or_written_as_it_was_is_the_labs_own(text: str | None) -> None:
    page = opened()
    own = page.text_area(key=SYSTEM).value
    page.text_area(key=SYSTEM).set_value("Be brief.").run()
    page.text_area(key=SYSTEM).set_value(own if text is None else text).run()
    assert page.text_area(key=SYSTEM).value == own
    assert "differs" not in words(page)


def test_a_follow_up_goes_on_in_the_same_run_with_its_settings() -> None:
    page = asked("What is 2^10 * 1.5?")
    id = shown(page)
    page.text_area(key=SYSTEM).set_value("Be brief.").run()
    followed(page, "What is 3 * 5?")
    assert (runs(), shown(page)) == ([id], id)
    assert "15" in words(page)
    assert "1536" in words(page), "the first answer stays in sight"
    run = resources.store().load(id)
    assert [e.question for e in run.events if isinstance(e, Asked)] == [
        "What is 2^10 * 1.5?",
        "What is 3 * 5?",
    ]
    bodies = [e.request.body for e in run.events if isinstance(e, ModelAsked)]
    assert not any("Be brief." in body for body in bodies)
    assert "1536" in bodies[-1]
    button(page, "Ask").click().run()
    assert len(runs()) == 2, "Ask begins a run of its own"


def test_a_follow_up_can_be_asked_in_a_run_of_another_session(script: Script) -> None:
    model = script({"text": "It is this."}, {"text": "It is that."})
    id = shown(asked("What is it?", model))
    registry._runners.clear()
    page = opened(id)
    followed(page, "And that?")
    assert "It is that." in words(page)
    assert runs() == [id]


def test_a_follow_up_that_is_empty_or_without_its_model_is_told(
    script: Script, tmp_path: Path
) -> None:
    page = asked("What is it?", script({"text": "It is this."}))
    page.chat_input[0].set_value("\x00").run()
    assert as_read(page.error)[0].startswith("The question is empty")
    (tmp_path / "script.json").unlink()
    page.chat_input[0].set_value("And that?").run()
    assert "cannot be read" in as_read(page.error)[0]
    assert len(resources.store().load(shown(page)).events) == 5


def followed(page: AppTest, question: str) -> None:
    """Ask on in the shown run, and wait until that ends."""
    page.chat_input[0].set_value(question).run()
    known = registry.runner(shown(page))
    assert known
    known.join(60)
    page.run()


def test_a_script_says_that_it_has_no_reply_to_a_further_question() -> None:
    page = asked(DEFAULT_QUESTION, "scripted:careful")
    assert not page.chat_input
    assert "This script ends here" in words(page)


OFFERS = [
    "Compare the careful and the hasty script",
    "Be the model yourself",
    "Add a key for a hosted model",
    "Run a small model on this machine",
]


def test_after_a_run_without_a_model_a_newcomer_is_shown_where_to_go() -> None:
    page = asked(DEFAULT_QUESTION)
    assert [b.label for b in page.button if b.label in OFFERS] == OFFERS
    for label in OFFERS:
        assert not button(asked(DEFAULT_QUESTION), label).click().run().exception


def test_the_scripts_stand_ready_on_the_page_that_compares_them() -> None:
    page = asked("What is 2^10 * 1.5?")
    button(page, OFFERS[0]).click().run()
    assert "<h1>Compare</h1>" in words(page)
    assert [pick.model for pick in page.session_state[state.PICKS]] == [
        "scripted:careful",
        "scripted:hasty",
    ]
    assert page.text_area[0].value == DEFAULT_QUESTION
