"""The page is about the site whose index LAB_INDEX names, and not about the sample site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from as_read import as_read, unescaped
from serving import ROOT
from streamlit.testing.v1 import AppTest

from indexer.index import Index
from lab.app import registry, resources, state
from lab.app.suggestions import EXAMPLES
from lab.places import INDEX

pytestmark = pytest.mark.usefixtures("own_data")
TIDES = "What is there about Tides?"


@pytest.fixture(autouse=True)
def own_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An index of a site of two articles."""
    source, folder = tmp_path / "harbour", tmp_path / "index"
    source.mkdir()
    (source / "tides.md").write_text("# Tides\n\nThe tide turns every six hours.\n", "utf-8")
    (source / "boats.md").write_text("# Boats\n\nA boat leaves with the tide.\n", "utf-8")
    Index.build(source)[0].save(folder)
    monkeypatch.setenv(INDEX, str(folder))
    yield folder
    resources._kept.clear()


def opened(page: str = "ask") -> AppTest:
    found = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60).run()
    if page != "ask":
        found.switch_page(f"lab/app/{page}/page.py")
    assert not found.exception
    return found


def drawn(name: str) -> AppTest:
    """A page of its own, as its script runs."""

    def script(name: str) -> None:
        from importlib import import_module

        import_module(f"lab.app.{name}.page").view()

    page = AppTest.from_function(script, default_timeout=60, args=[name]).run()
    assert not page.exception
    return page


def words(page: AppTest) -> str:
    return "\n".join(str(element.proto.body) for element in page.get("html"))


def test_a_question_is_asked_of_that_site_and_its_examples_are_of_its_titles(
    own_site: Path,
) -> None:
    page = opened()
    assert "harbour, 2 passages" in words(page)
    box = page.text_area(key=state.widget(state.QUESTION))
    assert (box.value, box.placeholder) == ("", "Ask a question about harbour")
    labels = [unescaped(button.label) for button in page.button]
    assert labels[0] == "Ask"
    assert TIDES in labels
    assert not set(EXAMPLES) & set(labels)
    options = page.selectbox(key=state.widget(state.MODEL)).options
    assert "demo" in options
    assert not [name for name in options if name.startswith("scripted:")]
    next(button for button in page.button if unescaped(button.label) == TIDES).click().run()
    next(button for button in page.button if button.label == "Ask").click().run()
    [id] = [row.id for row in resources.store().rows()]
    if runner := registry.runner(id):
        runner.join(60)
    run = resources.store().load(id)
    assert run.settings.index == str(own_site)
    assert "The tide turns every six hours." in str(run.end())
    assert not any("careful" in button.label for button in page.run().button)


def test_search_speaks_of_that_site_alone() -> None:
    page = drawn("search")
    assert {"Tides", "Boats"} <= {unescaped(button.label) for button in page.button}
    assert page.selectbox[0].options == ["Boats (1 passage)", "Tides (1 passage)"]
    assert "How well the search finds" not in as_read(page.subheader)


def test_compare_begins_with_what_knows_that_site() -> None:
    page = drawn("compare")
    labels = [unescaped(button.label) for button in page.button]
    assert "Two models" in labels
    assert "Careful and hasty" not in labels
    assert [pick.model for pick in page.session_state[state.PICKS]] == ["demo", "demo"]
    page.text_area(key=state.widget(state.COMPARED_QUESTION)).set_value("When does the tide turn?")
    next(button for button in page.button if button.label == "Compare").click().run()
    runs = [resources.store().load(row.id) for row in resources.store().rows()]
    assert len(runs) == 2
    assert len({run.settings.index for run in runs}) == 1
    assert runs[0].settings.index


def test_a_person_plays_the_model_on_that_site(own_site: Path) -> None:
    page = drawn("be")
    page.text_area(key=state.widget(state.PLAYED_QUESTION)).set_value("When does the tide turn?")
    next(button for button in page.button if button.label == "Begin").click().run()
    [row] = resources.store().rows()
    assert resources.store().load(row.id).settings.index == str(own_site)
