"""What each engine costs at a number of passages, beside tantivy fed with the ready text.

Run with `python -m tests.benches.engines [PASSAGES] [ENGINE ...]`. Passages are sentences of the
test collections, or else of the sample site, drawn anew; queries are SciFact's, or else the site's,
and for `4 words` the four longest words of each: a model asks for a few words more often than for
all. Each engine serves from a process of its own, so that its memory can be seen; a query's time is
that of `search_site` with five snippets, when it is asked again. Terms are made by a process a
core, as `lab index` makes them. `ratio` and `CPU` are the time of a build, and its processor time,
over those of the ready text. Prints a table; judges nothing.
"""

import json
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from indexer.builder import build_content
from indexer.collection import read_collection
from indexer.content import Content, Origin
from indexer.index import Index
from indexer.passages import Passage
from indexer.questions import read_questions
from indexer.readers import cores
from indexer.reading import passage_line
from indexer.settings import Settings
from indexer.site import Site
from indexer.term_lines import TermLines
from tests.benches.retrieval import COLLECTIONS, FOLDER, ROOT

WORDS = 110
"""Of a passage, about; the sample site's have as many."""
QUERIES = 150
HEADS = (
    *("build s", "ratio", "CPU", "MB", "open s", "p50 ms", "p90 ms", "4 words", "RSS MB"),
    "same 10",
)
SHARE = 1_000
"""Passages that a process makes terms of before it is given more."""
SLOW = 30_000
"""Above so many passages rank-bm25 and Milvus Lite are left out unless they are named."""


def main(size: int, engines: list[str]) -> None:
    """Measure and print."""
    passages, queries = list(drawn(size)), asked()
    print(
        f"{size:,} passages, {sum(each.words for each in passages):,} words, {len(queries)} queries"
    )
    heads = "".join(f"{head:>8}" for head in HEADS)
    print(f"{'':12}{heads}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "queries.json").write_text(json.dumps(queries))
        ready, ready_cpu = build_seconds(lambda: ready_text(folder / "ready", passages))
        alone = searched_alone(folder / "ready", queries)
        few = searched_alone(folder / "ready", list(map(shortened, queries)))
        print(
            f"{'ready text':12}{ready:8.1f}{1:8.2f}{1:8.2f}{megabytes(folder / 'ready'):8.0f}{'':8}"
            f"{statistics.median(alone):8.2f}{ninth(alone):8.2f}{statistics.median(few):8.2f}",
            flush=True,
        )
        first: list[list[str]] = []
        for engine in engines:
            built, cpu = build_seconds(lambda: build(folder / engine, passages, engine))  # noqa: B023
            served = serve_apart(folder / engine, folder / "queries.json")
            first = first or served["ids"]
            print(
                f"{engine:12}{built:8.1f}{built / ready:8.2f}{cpu / ready_cpu:8.2f}"
                f"{megabytes(folder / engine):8.0f}"
                f"{served['open']:8.3f}{served['p50']:8.2f}{served['p90']:8.2f}"
                f"{served['few']:8.2f}{served['rss']:8.0f}{overlap(first, served['ids']):8.3f}",
                flush=True,
            )


def build(folder: Path, passages: list[Passage], engine: str) -> None:
    """From passages to an index on disk: terms, passages.jsonl and the engine's files."""
    settings = Settings(engine=engine)
    # Forked, so that they have the passages: where `lab index` makes terms, it has read the page.
    with ProcessPoolExecutor(cores(), get_context("fork"), _have, (passages,)) as readers:
        lines = list(readers.map(_line, range(len(passages)), chunksize=SHARE))
    terms = TermLines(lines)
    Index(Content(Site("bench", ""), Origin("bench"), settings, passages, terms)).save(folder)


def _have(passages: list[Passage]) -> None:
    global _passages  # noqa: PLW0603
    _passages = passages


def _line(at: int) -> str:
    return passage_line(_passages[at], "en", Settings())


def ready_text(folder: Path, passages: list[Passage]) -> None:
    """What tantivy alone would do: cut and stem the text, and index it."""
    import tantivy

    folder.mkdir()
    fields = tantivy.SchemaBuilder()
    fields.add_text_field("text", tokenizer_name="en_stem", index_option="freq")
    fields.add_unsigned_field("place", fast=True)
    writer = tantivy.Index(fields.build(), str(folder)).writer(256_000_000)
    for place, passage in enumerate(passages):
        document = tantivy.Document()
        document.add_text("text", f"{passage.title} {passage.text}")
        document.add_unsigned("place", place)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def searched_alone(folder: Path, queries: list[str]) -> list[float]:
    """Milliseconds that tantivy alone takes for the first five, without reading their texts."""
    import tantivy

    index = tantivy.Index.open(str(folder))
    searcher = index.searcher()

    def search(query: str) -> object:
        words = " ".join(re.findall(r"[^\W_]+", query.lower()))
        return searcher.search(index.parse_query(words, ["text"]), 5, count=False)

    return asked_again(search, queries)


def asked_again(search: Callable[[str], object], queries: list[str]) -> list[float]:
    """Milliseconds that each query takes when all were asked once before."""
    return [milliseconds(lambda: search(each)) for each in queries * 2][len(queries) :]  # noqa: B023


def serve_apart(folder: Path, queries: Path) -> dict[str, float | list[list[str]]]:
    """Open and search the index in another process."""
    command = [sys.executable, "-m", "tests.benches.engines", "serve", str(folder), str(queries)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    measured: dict[str, float | list[list[str]]] = json.loads(done.stdout)
    return measured


def serve(folder: Path, queries: Path) -> None:
    """Print what serving costs, as JSON: the tool is called as a model would call it."""
    from lab.tools.search_site import search_site

    wanted = json.loads(queries.read_text())
    began = time.perf_counter()
    index = Index.load(folder)
    opened = time.perf_counter() - began
    tool = search_site(index)
    times, few = asked_again(tool, wanted), asked_again(tool, list(map(shortened, wanted)))
    ids = [[hit.passage.id for hit in index.search(query, 10)] for query in wanted]
    found = {"open": opened, "p50": statistics.median(times), "p90": ninth(times), "ids": ids}
    print(json.dumps({**found, "few": statistics.median(few), "rss": resident()}))


def shortened(query: str) -> str:
    """The four longest words of a query, in their order."""
    words = query.split()
    longest = sorted(words, key=len)[-4:]
    return " ".join(word for word in words if word in longest)


def resident() -> float:
    """Megabytes this process has had in memory at most; what it was forked from not counted."""
    status = Path("/proc/self/status").read_text()
    [kilobytes] = re.findall(r"VmHWM:\s+(\d+)", status)
    return int(kilobytes) / 1024


def overlap(one: list[list[str]], other: list[list[str]]) -> float:
    """Mean share of the first ten that two engines have in common."""
    both = zip(one, other, strict=True)
    return statistics.mean(len(set(a) & set(b)) / max(1, len(a)) for a, b in both)


def drawn(size: int) -> Iterator[Passage]:
    """So many passages of whole sentences, always the same ones."""
    draw, sentences = random.Random(size), pool()
    for at in range(size):
        text, words = [f"Item {draw.randrange(size)}."], 2
        while words < WORDS:
            text.append(draw.choice(sentences))
            words += len(text[-1].split())
        slug, title = f"page-{at // 8:06}", " ".join(draw.choice(sentences).split()[:6])
        yield Passage(
            f"{slug}#part-{at % 8}", slug, title, f"/{slug}/", (), " ".join(text), slug, 1, 1, words
        )


def pool() -> list[str]:
    """Sentences to draw from."""
    texts = [passage.text for content in contents() for passage in content.passages]
    cut = (
        sentence for text in texts for sentence in re.split(r"(?<=[.]) ", " ".join(text.split()))
    )
    return [sentence for sentence in cut if 4 <= len(sentence.split()) <= 60]


def contents() -> Iterator[Content]:
    """The test collections, or else the sample site."""
    there = [FOLDER / name for name in COLLECTIONS if (FOLDER / name).is_dir()]
    for folder in there:
        yield read_collection(folder, Settings())[0]
    if not there:
        yield build_content(ROOT / "corpus", Settings())[0]


def asked() -> list[str]:
    """Queries as people word them."""
    if (FOLDER / "scifact").is_dir():
        queries = [each.query for each in read_collection(FOLDER / "scifact", Settings())[1]]
    else:
        queries = [each.question for each in read_questions(ROOT / "corpus" / "questions.jsonl")]
    return queries[:QUERIES]


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def build_seconds(work: Callable[[], object]) -> tuple[float, float]:
    """How long it takes, and how long all its threads and processes were busy meanwhile."""
    began = _busy()
    return seconds(work), _busy() - began


def _busy() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(each.ru_utime + each.ru_stime for each in used)


def milliseconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    return seconds(work) * 1e3


def ninth(times: list[float]) -> float:
    """What nine in ten stay below."""
    return statistics.quantiles(times, n=10)[8]


def megabytes(folder: Path) -> float:
    """What a folder takes on disk."""
    found = [file.stat() for file in folder.rglob("*") if file.is_file()]
    return sum({each.st_ino: each.st_size for each in found}.values()) / 1e6


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        number = int(sys.argv[1]) if sys.argv[1:] else 26_000
        default = ["rank-bm25", "tantivy", "milvus"] if number <= SLOW else ["tantivy"]
        main(number, sys.argv[2:] or default)
