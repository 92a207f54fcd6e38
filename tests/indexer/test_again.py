"""A build after another: what has not changed is not read again, and the result is the same."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer import memory, readers
from indexer.again import update
from indexer.content import BuildReport
from indexer.faults import Fault
from indexer.index import Index
from indexer.settings import Settings

Folder = Callable[..., Path]
ROOT = Path(__file__).parents[2]
BUILD = """
import sys
from pathlib import Path
from indexer.again import update
from indexer.settings import Settings
update(Path(sys.argv[1]), Path(sys.argv[2]), Settings(engine=sys.argv[3]))
"""


def built(root: Path, out: Path, engine: str = "") -> BuildReport:
    return update(root, out, Settings(engine=engine))


def written(out: Path) -> dict[str, bytes]:
    """All that an index is, byte for byte; what is remembered of pages is beside it."""
    files = [each for each in out.rglob("*") if each.is_file() and each.name != memory.FILE]
    return {str(each.relative_to(out)): each.read_bytes() for each in files}


def anew(root: Path) -> dict[str, bytes]:
    """The same of an index that is built where there was none."""
    out = root.parent / "anew" / str(time.monotonic_ns())
    built(root, out)
    return written(out)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that are read, as they are."""
    paths: list[str] = []
    original = readers.read_page

    def noting(path: str, *rest: object) -> object:
        paths.append(path)
        return original(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(readers, "read_page", noting)
    return paths


def test_an_unchanged_site_is_not_read_and_tells_what_it_told(
    folder: Folder, tmp_path: Path, read: list[str]
) -> None:
    root = folder({"a.md": "one", "b.md": "", "c.md": b"caf\xe9"})
    first = built(root, tmp_path / "out")
    assert (first.read, first.known, len(first.faults)) == (3, 0, 1)
    before = written(tmp_path / "out")
    read.clear()
    second = built(root, tmp_path / "out")
    assert (second, second.read, second.known) == (first, 0, 3)
    assert read == []
    assert written(tmp_path / "out") == before


MARKDOWN = {"a.md": "# A\n\none", "b.md": "# B\n\ntwo", "c.md": "# C\n\nthree"}
JEKYLL = {
    "_config.yml": "title: Sea",
    "a.md": "# A\n\n{% include part.md %}\n\n{% include none.md %}",
    "b.md": "# B\n\ntwo",
    "_includes/part.md": "The part.",
}
HTML = {
    f"{name}.html": f"<html><head><title>{name}</title></head><body><main><h1>{name}</h1>"
    f"<p>The {name} of the sea.</p></main></body></html>"
    for name in ("tides", "waves", "winds")
}
CHANGES = [
    ("a page is edited", MARKDOWN, {"b.md": "# B\n\nother"}, ["b.md"]),
    ("a page comes", MARKDOWN, {"bb.md": "# BB\n\nnew"}, ["bb.md"]),
    ("a page goes", MARKDOWN, {"b.md": None}, []),
    ("a page is renamed", MARKDOWN, {"b.md": None, "d.md": "# B\n\ntwo"}, ["d.md"]),
    ("two pages get one name", MARKDOWN, {"b.markdown": "x"}, ["b.markdown"]),
    ("a part is edited", JEKYLL, {"_includes/part.md": "Another."}, ["a.md"]),
    ("a part goes", JEKYLL, {"_includes/part.md": None}, ["a.md"]),
    ("a part comes", JEKYLL, {"_includes/none.md": "Here."}, ["a.md"]),
    ("the site is described", MARKDOWN, {"site.toml": 'name = "Sea"'}, ["a.md", "b.md", "c.md"]),
    ("a page of HTML is edited", HTML, {"waves.html": HTML["winds.html"]}, ["waves.html"]),
    ("a copy goes", HTML | {"x.html": HTML["tides.html"]}, {"tides.html": None}, []),
]


@pytest.mark.parametrize("case", CHANGES, ids=[case[0] for case in CHANGES])
def test_what_has_changed_is_read_alone_and_the_index_is_that_of_a_full_build(
    folder: Folder,
    tmp_path: Path,
    read: list[str],
    case: tuple[str, dict[str, str], dict[str, str | None], list[str]],
) -> None:
    _, before, change, again = case
    root = folder(before)
    built(root, tmp_path / "out")
    for name, content in change.items():
        (root / name).unlink() if content is None else folder({name: content})
    read.clear()
    built(root, tmp_path / "out")
    assert read == again
    assert written(tmp_path / "out") == anew(root)


PAGES = st.dictionaries(
    st.sampled_from(["a.md", "b.md", "b.markdown", "d/c.md", "e.html", "f.html", "part.txt"]),
    st.sampled_from(
        ["", "# Tides\n\nmoon", "---\ntitle: [\n---\nx", "---\ndraft: true\n---\n", "\0", "same"]
    )
    | st.text(max_size=40),
    min_size=1,
)


@given(st.lists(PAGES, min_size=2, max_size=4))
@settings(max_examples=25)
def test_after_any_changes_the_index_is_that_of_a_full_build(
    tmp_path: Path, sites: list[dict[str, str]]
) -> None:
    root = tmp_path / str(time.monotonic_ns()) / "site"
    (root / "d").mkdir(parents=True)
    for site in sites:
        for file in [each for each in root.rglob("*") if each.is_file()]:
            file.unlink()
        for name, content in {"always.md": "# Always\n\nhere", **site}.items():
            (root / name).write_text(content, "utf-8", newline="")
        built(root, root.parent / "out")
        assert written(root.parent / "out") == anew(root)


def test_what_only_the_day_changes_is_read_again_on_another_day(
    folder: Folder, tmp_path: Path, read: list[str]
) -> None:
    pages = {"content/a.md": "# A\n\none", "content/b.md": "---\ndate: 2999-01-01\n---\nto come"}
    root, out = folder({"hugo.toml": "", **pages}), tmp_path / "out"
    assert built(root, out).left_out == {"dated in the future": 1}
    read.clear()
    assert built(root, out).read == 0
    search = json.loads((out / "search.json").read_text("utf-8"))
    search["origin"]["day"] = "2020-01-01"
    (out / "search.json").write_text(json.dumps(search), "utf-8")
    assert built(root, out).left_out == {"dated in the future": 1}
    assert read == ["content/b.md"]


def test_a_page_that_could_not_be_read_is_tried_again(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, out = folder(MARKDOWN), tmp_path / "out"
    refused = Fault("b.md", 0, "cannot be read; left out")
    with monkeypatch.context() as patch:
        patch.setattr("indexer.folder.read_text", lambda path, _file, warn, _language: (
            warn(refused) if path == "b.md" else "# Text"
        ))  # fmt: skip
        assert refused in built(root, out).faults
    folder({"c.md": "# C\n\nchanged"})
    report = built(root, out)
    assert (report.read, report.faults) == (2, ())


def test_the_fingerprint_is_the_same_in_every_process(tmp_path: Path) -> None:
    prints = {
        subprocess.run(
            [sys.executable, "-c", BUILD, str(ROOT / "corpus"), str(tmp_path / seed), ""],
            check=True, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
        ).returncode
        or Index.load(tmp_path / seed).fingerprint
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(prints) == 1


@pytest.mark.parametrize("other", [Settings(engine="tantivy"), Settings(k1=1.0)])
def test_other_settings_make_another_index_of_the_same_pages(
    folder: Folder, tmp_path: Path, other: Settings
) -> None:
    pytest.importorskip("tantivy")
    root, out = folder(MARKDOWN), tmp_path / "out"
    built(root, out)
    before = Index.load(out)
    assert update(root, out, other).read == 0
    after = Index.load(out)
    assert after.engine == (other.engine or before.engine)
    assert (after.fingerprint == before.fingerprint) == bool(other.engine)


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be one" * 99])
def test_a_damaged_memory_costs_time_only(folder: Folder, tmp_path: Path, content: bytes) -> None:
    root, out = folder(MARKDOWN), tmp_path / "out"
    built(root, out)
    (out / memory.FILE).write_bytes(content)
    folder({"a.md": "changed"})
    assert built(root, out).read == 3
    folder({"a.md": "changed again"})
    assert built(root, out).read == 1
    assert written(out) == anew(root)


def many(folder: Folder, word: str) -> Path:
    text = f"The {word} of the sea. " * 20
    return folder({f"{n}.md": f"# Page {n}\n\n{text}{n}\n" for n in range(200)})


def started(root: Path, out: Path, engine: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", BUILD, str(root), str(out), engine]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)


@pytest.mark.parametrize("engine", ["rank-bm25", "tantivy"])
def test_a_build_that_is_killed_leaves_the_old_index_whole(
    folder: Folder, tmp_path: Path, engine: str
) -> None:
    pytest.importorskip("tantivy")
    root, out, draw = many(folder, "tides"), tmp_path / "out", random.Random(engine)
    built(root, out, engine)
    began = time.monotonic()
    started(many(folder, "waves"), tmp_path / "other", engine).communicate()
    took = time.monotonic() - began
    killed = 0
    for _ in range(8):
        build = started(root, out, engine)
        time.sleep(draw.uniform(0.3, 1) * took)
        build.send_signal(signal.SIGKILL)
        build.communicate()
        killed += build.returncode == -signal.SIGKILL
        index = Index.load(out)
        assert len(index.search("tides" if index.search("tides") else "waves")) == 5
    assert killed
    report = built(root, out, engine)
    assert report.read + report.known == 200
    assert Index.load(out).passages[7].text == Index.load(tmp_path / "other").passages[7].text
    assert not (out / ".new").exists()


def test_builds_at_once_do_not_harm_each_other_nor_whoever_reads(
    folder: Folder, tmp_path: Path
) -> None:
    root, out = many(folder, "tides"), tmp_path / "out"
    built(root, out)
    many(folder, "waves")
    builds = [started(root, out, engine) for engine in ("tantivy", "rank-bm25", "")]
    while any(build.poll() is None for build in builds):
        assert len(Index.load(out).passages) == 200
    assert [build.communicate()[1] for build in builds] == [b""] * 3
    assert len(Index.load(out).search("waves")) == 5
    built(root, out)
    assert len(list(out.glob("index-*"))) == 1
