"""What building and asking the index costs, as ratios of two times taken in this run.

Run with `python -m tests.benches.index`. It judges nothing; repetitions alternate, medians count.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt
from rank_bm25 import BM25Okapi

from indexer.again import cached
from indexer.builder import build_content
from indexer.index import Index
from indexer.origin import listed, stands
from indexer.questions import read_questions
from indexer.settings import Settings
from indexer.terms import terms

CORPUS = Path(__file__).parents[2] / "corpus"
BUILDS = 15
ROUNDS = 7


def seconds(work: Callable[[], object]) -> float:
    """Return how long `work` takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def medians(repeat: int, **works: Callable[[], object]) -> dict[str, float]:
    """Return the median seconds of each work, all of them run in turn `repeat` times."""
    for work in works.values():
        work()
    times = [{name: seconds(work) for name, work in works.items()} for _ in range(repeat)]
    return {name: statistics.median(each[name] for each in times) for name in works}


def build_times(cache: Path) -> dict[str, float]:
    """Return the times of a build and of what it is held against."""
    pages = [file.read_text("utf-8") for file in sorted((CORPUS / "articles").glob("*.md"))]

    def parse() -> None:
        parser = MarkdownIt("commonmark").enable("table")
        for page in pages:
            parser.parse(page)

    cached(CORPUS, cache)
    origin = build_content(CORPUS, Settings())[0].origin
    return medians(
        BUILDS,
        parse=parse,
        build=lambda: Index.build(CORPUS),
        check=lambda: stands(origin, listed(CORPUS, Settings())),
        reopen=lambda: cached(CORPUS, cache),
    )


def query_times() -> dict[str, float]:
    """Return the median times of one question of the sample site, over all of them."""
    content, _ = build_content(CORPUS, Settings())
    index, peer = Index(content), BM25Okapi([list(each) for each in content.terms])
    file = CORPUS / "questions.jsonl"
    queries = [question.question for question in read_questions(file)]

    def time_one(query: str) -> dict[str, float]:
        wanted = terms(query)
        return medians(
            ROUNDS,
            scores=lambda: peer.get_scores(wanted),
            search=lambda: index.search(query),
            snippets=lambda: [hit.snippet for hit in index.search(query)],
        )

    times = [time_one(query) for query in queries]
    return {name: statistics.median(each[name] for each in times) for name in times[0]}


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        built = build_times(Path(folder))
    asked = query_times()
    rows = [
        ("build / markdown-it-py's parse of the same pages", built["build"], built["parse"], "2"),
        ("fingerprint check / build", built["check"], built["build"], "0.1"),
        ("open a cached index, check included / build", built["reopen"], built["build"], ""),
        ("search / rank-bm25's get_scores", asked["search"], asked["scores"], "3"),
        ("search with 5 snippets / get_scores", asked["snippets"], asked["scores"], ""),
    ]
    print(f"{'':52}{'ms':>9}{'of ms':>9}{'ratio':>8}{'at most':>9}")
    for name, time_, base, bound in rows:
        print(f"{name:52}{time_ * 1e3:9.3f}{base * 1e3:9.3f}{time_ / base:8.2f}{bound:>9}")


if __name__ == "__main__":
    main()
