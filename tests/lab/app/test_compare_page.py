"""The Compare page as its script runs: what each state of it says, without a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lab.app import registry, resources, state
from lab.app.controls import DEFAULT_QUESTION
from lab.models.endpoints import endpoints

PARTED = "At step 1 A searched; B went straight to calculate 32 * 8 * 128 * 2 * 32768."
HOSTILE = "</td><script>alert(1)</script><img src=x onerror='x'>"
Script = Callable[..., str]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A store of the test's own, no key at hand, and no thread left at work."""
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "home"))
    for endpoint in endpoints().values():
        monkeypatch.delenv(endpoint.key or "LAB_SHARED_KEYS", raising=False)
    runners: dict[str, registry.Runner] = {}
    monkeypatch.setattr(registry, "_runners", runners)
    resources.store.clear()
    yield
    for runner in runners.values():
        runner.stop()
        runner.join(30)
    resources.store().close()
    resources.store.clear()


def shown() -> None:
    """The page's script."""
    from lab.app import compare

    compare.view()


def opened(models: list[str] | None = None, runs: str = "") -> AppTest:
    """The page, with models chosen, at the address of runs."""
    page = AppTest.from_function(shown, default_timeout=60)
    if models is not None:
        page.session_state[state.MODELS] = models
    if runs:
        page.query_params[state.RUNS] = runs
    return page.run()


def pressed(page: AppTest, label: str) -> AppTest:
    [button] = [button for button in page.button if button.label == label]
    return button.click().run()


def finished(page: AppTest) -> AppTest:
    """The page when all its runs have ended."""
    for id in ids(page):
        runner = registry.runner(id)
        assert runner
        runner.join(60)
    return page.run()


def ids(page: AppTest) -> list[str]:
    """The runs in the page's address."""
    found = page.query_params.get(state.RUNS, "")
    text = found[0] if isinstance(found, list) else found
    return [id for id in text.split(",") if id]


def words(page: AppTest) -> str:
    return "\n".join(str(element.proto.body) for element in page.get("html"))


def test_a_newcomer_without_a_key_compares_the_two_scripts_with_one_click() -> None:
    page = opened()
    assert not page.exception
    assert page.info[0].value.startswith("No key needed: press Compare.")
    assert page.text_area(key=state.widget(state.COMPARED_QUESTION)).value == DEFAULT_QUESTION
    page = finished(pressed(page, "Compare"))
    assert not page.exception
    html = words(page)
    assert PARTED in html
    assert html.count("✓ answered") == 2
    assert (html.count("✓ right"), html.count("✗ wrong")) == (1, 1)
    assert html.count("They part here") == 1
    assert "Known answer: " in html
    assert {row.id for row in resources.store().rows()} == set(ids(page))


def test_a_reload_finds_the_runs_and_starts_nothing_again() -> None:
    page = finished(pressed(opened(), "Compare"))
    again = opened(runs=",".join(ids(page)))
    assert PARTED in words(again)
    assert len(resources.store().rows()) == 2


def test_runs_under_way_can_be_stopped_and_are_not_started_twice(script: Script) -> None:
    slow = script({"seconds": 60, "text": "Late."})
    page = pressed(opened(["scripted:hasty", slow]), "Compare")
    begun = ids(page)
    assert "… under way" in words(page)
    assert "They took the same steps" not in words(page)
    assert [b.label for b in opened(runs=",".join(begun)).button] == ["■ Stop"]
    page = finished(pressed(page, "■ Stop"))
    assert ids(page) == begun
    assert "■ stopped" in words(page)
    assert len(resources.store().rows()) == 2


@pytest.mark.parametrize(
    ("models", "question", "error"),
    [
        (["demo"], "Why?", "Choose two to four models to compare."),
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
    assert page.error[0].value.startswith(error)
    assert not resources.store().rows()


@pytest.mark.parametrize("runs", ["nonsense", "last,%", "<script>,"])
def test_unknown_runs_in_the_address_are_told(runs: str) -> None:
    page = opened(runs=runs)
    assert not page.exception
    assert page.warning[0].value.startswith("Some of these runs are not here.")


def test_what_models_wrote_is_escaped_everywhere(script: Script) -> None:
    calls = [{"name": HOSTILE, "arguments": {HOSTILE: HOSTILE}}]
    hostile = script({"calls": calls, "thinking": HOSTILE}, {"text": HOSTILE})
    page = opened([hostile, "demo"])
    page.text_area(key=state.widget(state.COMPARED_QUESTION)).set_value(HOSTILE)
    html = words(finished(pressed(page, "Compare")))
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<img" not in html
