"""Milvus at an address: a server in a process of its own, which may stop and start again."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from engines import ROOT, installed, with_engine
from serving import free_port

from indexer.errors import EngineError
from indexer.index import Index
from indexer.questions import read_questions
from indexer.term_lines import TermLines

QUERY = "kv cache size"


@pytest.fixture
def port() -> int:
    installed("milvus")
    return free_port()


@contextmanager
def serving(port: int, data: Path) -> Iterator[None]:
    """A server, until the end of the block."""
    command = [sys.executable, "-um", "milvus_lite", "server", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--data-dir", str(data)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with process:
        try:
            assert "listening" in (process.stdout.readline() if process.stdout else "")
            yield
        finally:
            process.kill()


def ids(index: Index, query: str) -> list[str]:
    return [hit.passage.id for hit in index.search(query, 10)]


def once_reached(ask):
    """What is answered when the server can be reached: a connection that failed rests a while."""
    until = time.monotonic() + 30
    while True:
        try:
            return ask()
        except EngineError as error:
            if "Fail connecting" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.1)


def test_an_address_gives_the_order_of_rank_bm25_to_every_process_that_opens_the_index(
    site, port, tmp_path
):
    one = with_engine(site, "rank-bm25")
    folder, data = tmp_path / "index", tmp_path / "data"
    with serving(port, data):
        with_engine(site, f"milvus:http://127.0.0.1:{port}").save(folder)
        other = Index.load(folder)
        for question in read_questions(ROOT / "corpus" / "questions.jsonl")[::6]:
            assert ids(other, question.question) == ids(one, question.question)
        first = ids(one, QUERY)[0]
        assert other.explain(QUERY, first) == [
            (term, pytest.approx(share, rel=1e-5)) for term, share in one.explain(QUERY, first)
        ]
        code = (
            "import sys; from pathlib import Path; from indexer.index import Index\n"
            "print(Index.load(Path(sys.argv[1])).search(sys.argv[2], 1)[0].passage.id)"
        )
        command = [sys.executable, "-c", code, str(folder), QUERY]
        apart = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
        assert apart.stdout.strip() == first


def test_a_new_build_leaves_what_others_have_open_and_a_server_may_start_again(
    site, port, tmp_path
):
    folder, data = tmp_path / "index", tmp_path / "data"
    engine = f"milvus:http://127.0.0.1:{port}"
    fewer = replace(site, passages=site.passages[:9], terms=TermLines(site.terms.lines[:9]))
    with serving(port, data):
        with_engine(site, engine).save(folder)
        open_before = Index.load(folder)
        found = ids(open_before, QUERY)
        with_engine(fewer, engine).save(folder)
        assert ids(open_before, QUERY) == found
        anew = ids(Index.load(folder), QUERY)
        assert set(anew) <= {each.id for each in fewer.passages}
    with serving(port, data):
        assert ids(Index.load(folder), QUERY) == anew


def test_a_server_that_goes_away_or_has_lost_its_data_is_told_in_one_line_and_found_again(
    site, port, tmp_path, capfd
):
    folder, data = tmp_path / "index", tmp_path / "data"
    with serving(port, data):
        with_engine(site, f"milvus:http://127.0.0.1:{port}").save(folder)
        index = Index.load(folder)
        found = ids(index, QUERY)
    gone = rf"^Milvus at http://127.0.0.1:{port} cannot be used: .*See that it runs"
    with pytest.raises(EngineError, match=gone):
        index.search(QUERY)
    with pytest.raises(EngineError, match=gone):
        index.explain(QUERY, found[0])
    with pytest.raises(EngineError, match=gone):
        Index.load(folder)
    with serving(port, data):
        assert once_reached(lambda: ids(index, QUERY)) == found
        assert ids(Index.load(folder), QUERY) == found
    with serving(port, tmp_path / "empty"), pytest.raises(EngineError, match=r"passages_\w+"):
        once_reached(lambda: Index.load(folder))
    assert "Traceback" not in capfd.readouterr().err
