"""What several tests of the tools need: a call as a model makes it, a site of a few pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.index import Index
from lab.events import ToolFinished
from lab.models.turns import read_call
from lab.tools.site import site_tools

Use = Callable[..., ToolFinished]


@pytest.fixture
def use(sample: Index) -> Use:
    """Call a tool over the sample site by name with arguments by name."""
    box = site_tools(sample)
    return lambda name, **arguments: box.run(read_call("c1", name, arguments))


@pytest.fixture
def use_on(tmp_path: Path) -> Callable[[dict[str, str]], Use]:
    """The same over a site made of the pages given by file name."""

    def build(pages: dict[str, str]) -> Use:
        for name, text in pages.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        box = site_tools(Index.build(tmp_path)[0])
        return lambda name, **arguments: box.run(read_call("c1", name, arguments))

    return build
