"""Indexes by engine, for tests and benches; where the collections and the sample site are."""

import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from indexer.content import Content
from indexer.index import Index

ROOT = Path(__file__).parents[1]
RETRIEVAL = Path(os.environ.get("LAB_RETRIEVAL_DIR", ROOT.parent / "shared" / "retrieval"))


def installed(engine: str) -> None:
    """Skip the test where the engine's extra is not there."""
    library, extra = {"tantivy": ("tantivy", "large"), "milvus": ("milvus_lite", "milvus")}[engine]
    if not find_spec(library):
        pytest.skip(f"{library} is not installed (the extra `{extra}`)")


def with_engine(content: Content, engine: str) -> Index:
    """The index of that content with that engine, not saved."""
    return Index(replace(content, settings=replace(content.settings, engine=engine)))
