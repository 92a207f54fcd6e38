"""Which engine an index gets, by name or by its number of passages, and how it is made.

An engine's library is imported only where the engine is used.
"""

from importlib.util import find_spec
from pathlib import Path

from indexer.engines.engine import Engine, Material, Ranks
from indexer.engines.rank_bm25 import RankBm25
from indexer.errors import EngineError

RANK_BM25, TANTIVY, MILVUS = "rank-bm25", "tantivy", "milvus"
ENGINES = (RANK_BM25, TANTIVY, MILVUS)
LARGE = 20_000
"""Up to so many passages rank-bm25 answers in about the time a person does not notice."""
_LIBRARIES = {TANTIVY: ("tantivy", "large"), MILVUS: ("pymilvus", "milvus")}
"""What to import, and the extra that brings it."""


def chosen(asked: str, passages: int) -> str:
    """Return the engine for so many passages: the one asked for, or else the one that suits.

    `milvus:ADDRESS` is a Milvus server or cluster; `milvus` alone runs in this process. Raises
    EngineError where there is no such engine, or it is not installed.
    """
    engine = asked or (TANTIVY if passages > LARGE else RANK_BM25)
    name, _, address = engine.partition(":")
    if name not in ENGINES or (address and name != MILVUS):
        raise EngineError(
            f"There is no engine {asked!r}. The engines are {', '.join(ENGINES)}, "
            "and milvus:ADDRESS for a Milvus server."
        )
    library, extra = _LIBRARIES.get(name, ("rank_bm25", ""))
    if not find_spec(library):
        why = f"the engine {name}" if asked else f"{passages:,} passages, more than {LARGE:,},"
        instead = "" if asked else "; or ask for the engine rank-bm25, which will be slow"
        verb = "needs" if asked else "need"
        raise EngineError(
            f"{why[0].upper()}{why[1:]} {verb} the library {library}. "
            f'Install it: pip install "site-agent-lab[{extra}]"{instead}.'
        )
    return engine


def in_memory(engine: str) -> bool:
    """Return whether the engine is made anew from the terms at each start, and has no files."""
    return engine == RANK_BM25


def write(engine: str, folder: Path, material: Material) -> None:
    """Write the engine's files into an empty folder."""
    if engine == TANTIVY:
        from indexer.engines import tantivy  # noqa: PLC0415

        tantivy.write(folder, material)
    else:
        from indexer.engines import milvus  # noqa: PLC0415

        milvus.write(folder, material, _address(engine))


def opened(engine: str, folder: Path, ranks: Ranks) -> Engine:
    """Return the engine whose files are in that folder."""
    chosen(engine, len(ranks))
    if engine == TANTIVY:
        from indexer.engines.tantivy import Tantivy  # noqa: PLC0415

        return Tantivy(folder, ranks)
    from indexer.engines.milvus import Milvus  # noqa: PLC0415

    return Milvus(folder, ranks, _address(engine))


def made(material: Material, ranks: Ranks) -> Engine:
    """Return the engine that needs no files."""
    return RankBm25(material, ranks)


def _address(engine: str) -> str:
    return engine.partition(":")[2]
