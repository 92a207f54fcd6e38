"""Engines to test, and indexes of one content by each."""

from collections.abc import Callable

import pytest
from engines import RETRIEVAL, ROOT, installed, with_engine

from indexer.builder import build_content
from indexer.collection import Judged, read_collection
from indexer.content import Content
from indexer.index import Index
from indexer.settings import Settings


@pytest.fixture(params=["tantivy", "milvus"])
def engine(request: pytest.FixtureRequest) -> str:
    """An engine with files of its own."""
    installed(request.param)
    return str(request.param)


@pytest.fixture(scope="session")
def site() -> Content:
    """The sample site's passages."""
    return build_content(ROOT / "corpus", Settings())[0]


@pytest.fixture(scope="session")
def scifact() -> tuple[Content, list[Judged]]:
    """SciFact, where it is."""
    folder = RETRIEVAL / "scifact"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there; LAB_RETRIEVAL_DIR names another")
    return read_collection(folder, Settings())


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Content, str], Index]:
    """An index saved with an engine and loaded again; each once."""
    made: dict[tuple[str, str], Index] = {}

    def saved(content: Content, engine: str) -> Index:
        key = (content.origin.fingerprint, engine)
        if key not in made:
            folder = tmp_path_factory.mktemp("index")
            with_engine(content, engine).save(folder)
            made[key] = Index.load(folder)
        return made[key]

    return saved
