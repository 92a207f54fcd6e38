"""What several tests of the indexer need: a site on disk, and the index of the sample site."""

from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.index import Index

CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.fixture(scope="session")
def sample() -> Index:
    """The index of the sample site."""
    return Index.build(CORPUS)[0]


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Write files given by name, as text or bytes, into a new folder and return it."""

    def write(files: dict[str, str | bytes]) -> Path:
        root = tmp_path / "pages"
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return write
