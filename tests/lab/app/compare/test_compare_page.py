"""The Compare page as its script runs: what each state of it says, without a browser."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from answers import answer
from as_read import as_read, unescaped
from conftest import Loopback, Received
from streamlit.testing.v1 import AppTest

from lab.app import registry, resources, state
from lab.app.ask import actions
from lab.app.compare.column_card import key
from lab.app.compare.picks import HOSTED, Pick, picks, usual
from lab.app.suggestions import DEFAULT_QUESTION, KNOWN
from lab.compare.known import known_for

PARTED = "At step 1 A searched; B went straight to calculate 32 * 8 * 128 * 2 * 32768."
HOSTILE = "</td><script>alert(1)</script><img src=x onerror='x'>"
Script = Callable[..., str]


pytestmark = pytest.mark.usefixtures("own_data")


@pytest.fixture
def there(loopback: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    """A server that answers whoever asks; its models are those of the endpoint `there`."""
    table = f'[there]\nwire = "anthropic"\nbase_url = "{loopback.url}"\nmodels = ["m"]\n'
    file = tmp_path / "endpoints.toml"
    file.write_text(table, encoding="utf-8")
    monkeypatch.setenv("LAB_ENDPOINTS", str(file))
    for _ in range(8):
        loopback.given(answered)
    return loopback


def answered(request: Received) -> tuple[int, dict[str, str], bytes]:
    """An answer in the form that was asked for."""
    native = bool(request.json.get("tools"))
    text = "It takes 4 GiB." if native else '{"thought": "", "action": "final", "input": "4 GiB"}'
    body = json.dumps(answer("anthropic", text)).encode()
    return 200, {"content-type": "application/json"}, body


def shown() -> None:
    """The page's script."""
    from lab.app.compare import page as compare

    compare.view()


def opened(models: list[str] | None = None, runs: str = "") -> AppTest:
    """The page, with models chosen, at the address of runs."""
    page = AppTest.from_function(shown, default_timeout=60)
    if models is not None:
        page.session_state[state.PICKS] = picks(models)
    if runs:
        page.query_params[state.RUNS] = runs
    return page.run()


def pressed(page: AppTest, label: str) -> AppTest:
    [button] = [button for button in page.button if unescaped(button.label) == label]
    return button.click().run()


def finished(page: AppTest) -> AppTest:
    """The page when all its runs have ended."""
    for id in ids(page):
        if runner := registry.runner(id):
            runner.join(60)
    assert not page.run().exception
    return page


def compared(page: AppTest) -> AppTest:
    """The page after Compare, when all is done."""
    return finished(pressed(page, "Compare"))


def address(page: AppTest) -> str:
    """What the page's address says of runs."""
    found = page.query_params.get(state.RUNS, "")
    return found[0] if isinstance(found, list) else str(found)


def ids(page: AppTest) -> list[str]:
    """The runs in the page's address."""
    return [id for column in state.columns_of(address(page)) for id in column]


def words(page: AppTest) -> str:
    return "\n".join(str(element.proto.body) for element in page.get("html"))


def chosen(page: AppTest) -> tuple[Pick, ...]:
    found: tuple[Pick, ...] = page.session_state[state.PICKS]
    return found


def stored() -> list[str]:
    """The ids of all saved runs."""
    return [row.id for row in resources.store().rows()]


@pytest.mark.parametrize(
    ("models", "said"),
    [
        (["scripted:careful", "scripted:hasty"], r"2 new runs, at most 16 model calls\."),
        (
            ["anthropic/claude-haiku-4-5", "scripted:hasty"],
            r"2 new runs, at most 16 model calls, at most ≈\$[\d.]+, ≈[\d,]+ tokens in\.",
        ),
        (
            ["anthropic/claude-haiku-4-5", "groq/nobody-knows"],
            r"2 new runs, at most 16 model calls, cost –, no price is known, ≈[\d,]+ tokens in\.",
        ),
        (["anthropic/claude-haiku-4-5", "nobody/m"], r"2 new runs, at most 16 model calls\."),
    ],
)
def test_what_a_comparison_comes_to_is_said_before_it_is_asked_for(
    models: list[str], said: str
) -> None:
    page = opened(models)
    assert not page.exception
    [told] = [unescaped(each.value) for each in page.caption if "model calls" in each.value]
    assert re.fullmatch(said, told)


def test_a_newcomer_without_a_key_compares_the_two_scripts_with_one_click() -> None:
    page = opened()
    assert not page.exception
    assert page.info[0].value.startswith("No key needed: press Compare.")
    assert page.text_area(key=state.widget(state.COMPARED_QUESTION)).value == DEFAULT_QUESTION
    page = compared(page)
    html = words(page)
    assert PARTED in html
    assert html.count("✓ answered") == 2
    assert (html.count("✓ right"), html.count("✗ wrong")) == (1, 1)
    assert html.count("They part here") == 1
    assert "Known answer: " in html
    assert "<p class='lab-differ'>" not in html, "they were set alike"
    assert set(stored()) == set(ids(page))


def test_with_a_key_at_hand_the_usual_pair_is_hosted() -> None:
    assert usual(["demo", *HOSTED]) == picks(HOSTED)


def test_a_reload_finds_the_runs_and_what_they_were_asked_and_starts_nothing_again() -> None:
    page = opened()
    page.number_input(key=state.widget(state.REPEATS)).set_value(2).run()
    page = compared(page)
    again = opened(runs=address(page))
    assert PARTED.removeprefix("A") in words(again)
    assert chosen(again) == chosen(page)
    assert again.number_input(key=state.widget(state.REPEATS)).value == 2
    assert len(stored()) == 4


def test_runs_under_way_can_be_stopped_and_are_not_started_twice(script: Script) -> None:
    slow = script({"seconds": 60, "text": "Late."})
    page = pressed(opened(["scripted:hasty", slow]), "Compare")
    begun = ids(page)
    assert "… under way" in words(page)
    assert "They took the same steps" not in words(page)
    again = {button.label for button in opened(runs=",".join(begun)).button}
    assert "■ Stop" in again
    assert "Compare" not in again
    page = finished(pressed(page, "■ Stop"))
    assert ids(page) == begun
    assert "■ stopped" in words(page)
    assert len(stored()) == 2


def test_stop_ends_also_those_that_wait_for_their_turn(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(id: str) -> None:
        stop(id)
        time.sleep(0.1)  # long enough for a run to end and for another to have its turn

    stop = actions.stop
    monkeypatch.setattr(actions, "stop", slowly)
    slow = script({"seconds": 60, "text": "Late."})
    page = opened([slow, slow])
    page.number_input(key=state.widget(state.REPEATS)).set_value(6).run()
    page = pressed(page, "Compare")
    assert "8 of 12 runs under way, 4 waiting for their turn" in words(page)
    page = finished(pressed(page, "■ Stop"))
    assert [row.reason for row in resources.store().rows()] == ["stopped"] * 12
    assert sum(row.model_calls for row in resources.store().rows()) == 8


@pytest.mark.parametrize(
    ("models", "question", "error"),
    [
        (["demo"], "Why?", "Choose two to four columns to compare."),
        (["demo", "scripted:hasty"], "", "The question is empty."),
        (["demo", "nobody/some-model"], "Why?", "Unknown model 'nobody/some-model'."),
        (["demo", "anthropic/claude-sonnet-5"], "Why?", "anthropic needs a key"),
    ],
)
def test_what_cannot_be_compared_is_told_and_starts_no_run(
    models: list[str], question: str, error: str
) -> None:
    page = opened(models)
    page.text_area(key=state.widget(state.COMPARED_QUESTION)).set_value(question)
    page = pressed(page, "Compare")
    assert as_read(page.error)[0].startswith(error)
    assert not stored()


@pytest.mark.parametrize("runs", ["nonsense", "last,%", "<script>,", ";;a;,;b"])
def test_unknown_runs_in_the_address_are_told(runs: str) -> None:
    page = opened(runs=runs)
    assert not page.exception
    assert as_read(page.warning)[0].startswith("Some of these runs are not here.")


@pytest.mark.parametrize(
    ("ready", "field", "said"),
    [
        ("Native and text protocol", "protocol", "A native tool calls, B text protocol"),
        ("Caching off and on", "cache", "A prompt caching off, B prompt caching on"),
        ("Two system prompts", "system", "B has another system prompt"),
    ],
)
def test_one_model_stands_twice_with_one_thing_changed_which_is_named(
    there: Loopback, ready: str, field: str, said: str
) -> None:
    page = compared(pressed(opened(["there/m", "demo"]), ready))
    assert f"<p class='lab-differ'>{said}</p>" in words(page)
    first, second = (resources.store().load(id).settings for id in ids(page))
    changed = {name for name, value in asdict(first).items() if asdict(second)[name] != value}
    assert changed == {field}
    assert words(page).count("✓ right") == 2
    bodies = [request.body for request in there.received]
    assert len(bodies) == 2
    assert bodies[0] != bodies[1]


def test_a_card_sets_its_column_alone_and_follows_it_when_another_is_removed(
    there: Loopback,
) -> None:
    page = pressed(opened(["demo", "there/m"]), "Add column")
    page.selectbox(key=key(2, "protocol")).set_value("react").run()
    page.toggle(key=key(2, "cache")).set_value(True).run()
    page.text_area(key=key(2, "system")).set_value("Guess.").run()
    page.text_area(key=key(2, "tool:calculate")).set_value(" Adds up. ").run()
    own = {"calculate": "Adds up."}
    third = Pick("there/m", "react", cache=True, system="Guess.", descriptions=own)
    assert chosen(page) == (Pick("demo"), Pick("there/m"), third)
    page = pressed(page, "Remove B")
    assert chosen(page) == (Pick("demo"), third)
    assert page.text_area(key=key(1, "system")).value == "Guess."
    assert page.text_area(key=key(1, "tool:calculate")).value == "Adds up."
    assert not [button for button in page.button if button.label.startswith("Remove")]
    page = compared(page)
    demo, run = (resources.store().load(id).settings for id in ids(page))
    assert (run.protocol, run.cache, run.system) == ("react", True, "Guess.")
    described = zip(demo.tools, run.tools, strict=True)
    assert [two.description for one, two in described if one != two] == ["Adds up."]
    assert "B has another description of calculate" in words(page)
    page.text_area(key=key(1, "tool:calculate")).set_value("").run()
    assert chosen(page)[1].descriptions == {}


def test_a_saved_run_stands_in_a_column_as_it_is() -> None:
    saved = ids(compared(opened()))[1]
    page = opened(["scripted:careful", "demo"])
    options = page.selectbox(key=key(1, "run")).options
    assert any(saved[:8] in option for option in options)
    page.selectbox(key=key(1, "run")).set_value(saved).run()
    page = compared(page)
    assert ids(page)[1] == saved
    assert PARTED in words(page)
    assert len(stored()) == 3, "only one was asked anew"


def test_a_saved_run_that_is_gone_is_told_and_starts_no_run() -> None:
    page = opened()
    page.session_state[state.PICKS] = (Pick("demo"), Pick("demo", run="0123456789abcdef"))
    page = pressed(page.run(), "Compare")
    assert as_read(page.error)[0].startswith("There is no run 0123456789abcdef here.")
    assert not stored()


def test_a_saved_run_in_every_column_asks_nobody() -> None:
    saved = ids(compared(opened()))
    page = opened()
    page.session_state[state.PICKS] = tuple(Pick("demo", run=id) for id in saved)
    page.run()
    assert "No new run: saved ones are compared." in as_read(page.caption)
    assert ids(compared(page)) == saved
    assert len(stored()) == 2


def test_repeats_are_summed_up_and_every_one_of_them_can_be_reached() -> None:
    page = opened()
    page.number_input(key=state.widget(state.REPEATS)).set_value(6).run()
    page = compared(page)
    columns = state.columns_of(address(page))
    assert [len(column) for column in columns] == [6, 6]
    assert set(stored()) == set(ids(page))
    html = words(page)
    assert all(f"href='./?run={id}'" in html for id in ids(page))
    assert "6 of 6 <small>(61 to 100 %)</small>" in html
    assert "<li>A is right more often than B.</li>" in html
    assert "Tokens of different models do not compare" in html
    assert f"Runs shown: a{PARTED[1:]}" in html
    [repeat] = [
        each for each in page.get("button_group") if each.key == state.widget("shown repeat")
    ]
    repeat.set_value(3).run()
    assert words(page).count("class=lab-shown><a href=") == 2
    assert f"class=lab-shown><a href='./?run={columns[0][2]}'" in words(page)


def test_a_narrow_screen_shows_the_column_that_was_chosen() -> None:
    page = compared(opened())
    assert "<div class='lab-cell lab-other'><section class='lab-column'><h3><b>B</b>" in words(page)
    [switch] = [
        each for each in page.get("button_group") if each.key == state.widget("shown column")
    ]
    switch.set_value("B").run()
    assert "<div class='lab-cell lab-other'><section class='lab-column'><h3><b>A</b>" in words(page)


def test_the_example_questions_have_known_answers() -> None:
    page = opened()
    assert all(known_for(question) for question in KNOWN)
    page = pressed(page, KNOWN[1])
    assert page.text_area(key=state.widget(state.COMPARED_QUESTION)).value == KNOWN[1]


def test_runs_of_other_questions_are_told_apart() -> None:
    one = opened()
    one.text_area(key=state.widget(state.COMPARED_QUESTION)).set_value("What is 2 + 3?").run()
    first, second = ids(compared(one))[0], ids(compared(opened()))[0]
    page = opened(runs=f"{first},{second}")
    assert as_read(page.warning)[0] == "These runs were asked different questions."
    assert "Known answer" not in words(page)


def test_what_models_wrote_is_escaped_everywhere(script: Script) -> None:
    calls = [{"name": HOSTILE, "arguments": {HOSTILE: HOSTILE}}]
    hostile = script({"calls": calls, "thinking": HOSTILE}, {"text": HOSTILE})
    page = opened()
    page.session_state[state.PICKS] = (Pick(hostile, system=HOSTILE), Pick("demo"))
    page.run()
    page.text_area(key=state.widget(state.COMPARED_QUESTION)).set_value(HOSTILE)
    html = words(compared(page))
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<img" not in html
