"""`lab index`: the contract of its files, its warnings and its last line."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KEYS = ["id", "article", "title", "url", "headings", "text", "source", "first_line", "last_line"]
KEYS += ["words"]
LAST = re.compile(
    r"([\d,]+) pages, ([\d,]+) passages, ([\d,]+) words, ([\d,]+) warnings, \d+\.\d seconds"
)
GOOD = "---\ntitle: Tides\n---\n\n# Tides\n\nThe moon pulls the sea twice a day.\n"


@pytest.fixture
def pages(tmp_path: Path) -> Callable[[dict[str, str | bytes]], str]:
    """Write pages into a folder and return its path."""

    def write(files: dict[str, str | bytes]) -> str:
        folder = tmp_path / "pages"
        folder.mkdir()
        for name, content in files.items():
            file = folder / name
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(folder)

    return write


def passages(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "passages.jsonl").read_text("utf-8").splitlines()]


def test_passages_have_exactly_the_keys_of_the_contract_and_the_last_line_counts(
    lab: Callable[..., Any], pages: Callable[..., str], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    said = lab(
        "index", pages({"tides.md": GOOD, "winds.md": "# Winds\n\nAir.\n"}), "--out", str(out)
    )
    assert (said.code, said.err) == (0, "")
    written = passages(out)
    assert [list(passage) for passage in written] == [KEYS] * 2
    assert written[0]["article"] == "tides"
    assert written[0]["title"] == "Tides"
    assert "moon pulls the sea" in written[0]["text"]
    (line,) = said.lines
    counts = LAST.fullmatch(line)
    assert counts is not None
    assert counts.groups() == ("2", "2", str(sum(p["words"] for p in written)), "0")


def test_what_was_indexed_is_found_with_index(
    lab: Callable[..., Any], pages: Callable[..., str], tmp_path: Path
) -> None:
    out = str(tmp_path / "out")
    lab("index", pages({"tides.md": GOOD}), "--out", out)
    (hit,) = json.loads(lab("search", "moon", "--index", out, "--json").out)
    assert hit["id"] == passages(Path(out))[0]["id"]
    said = lab("ask", "What pulls the sea?", "--index", out)
    assert said.code == 0
    assert "The moon pulls the sea twice a day." in said.out


def test_lines_and_words_are_those_of_the_source(
    lab: Callable[..., Any], pages: Callable[..., str], tmp_path: Path
) -> None:
    lab("index", pages({"tides.md": GOOD}), "--out", str(tmp_path / "out"))
    (passage,) = passages(tmp_path / "out")
    assert passage["source"] == "tides.md"
    lines = GOOD.splitlines()[passage["first_line"] - 1 : passage["last_line"]]
    assert "The moon pulls the sea twice a day." in lines


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("---\ntitle: [\n---\n\n# Bad\n\nzebra\n", r"bad\.md:\d+: "),
        ("---\ntitle: Bad\n\nzebra\n", r"bad\.md:\d+: "),
        (b"# Bad\n\nzebra \xff\xfe\n", r"bad\.md:\d+: "),
    ],
    ids=["broken front matter", "open front matter", "not UTF-8"],
)
def test_a_fault_is_one_warning_with_file_and_line_and_the_rest_is_indexed(
    lab: Callable[..., Any],
    pages: Callable[..., str],
    tmp_path: Path,
    content: str | bytes,
    place: str,
) -> None:
    said = lab(
        "index", pages({"tides.md": GOOD, "bad.md": content}), "--out", str(tmp_path / "out")
    )
    assert said.code == 0
    (warning,) = said.err.splitlines()
    assert re.match(rf"warning: {place}", warning)
    assert ", 1 warnings, " in said.lines[-1]
    texts = [passage["text"] for passage in passages(tmp_path / "out")]
    assert any("moon" in text for text in texts)
    assert any("zebra" in text for text in texts)


def test_pages_without_text_are_counted_and_no_warnings(
    lab: Callable[..., Any], pages: Callable[..., str], tmp_path: Path
) -> None:
    files = {"tides.md": GOOD, "empty.md": "", "picture.md": "<img src='a.png'>"}
    said = lab("index", pages(files), "--out", str(tmp_path / "out"))
    assert (said.code, said.err) == (0, "")
    assert said.lines[0] == "left out: 2 without text"


def test_of_many_warnings_the_first_are_told_and_where_the_others_are(
    lab: Callable[..., Any], pages: Callable[..., str], tmp_path: Path
) -> None:
    files = {f"{n:03}.md": f"---\ntitle: a: b\n---\nText {n}.\n" for n in range(53)}
    said = lab("index", pages(files), "--out", str(tmp_path / "out"))
    *told, last = said.err.splitlines()
    assert (said.code, len(told)) == (0, 50)
    assert last == f"warning: 3 more are listed in {tmp_path / 'out' / 'search.json'}"
    assert "052.md" in (tmp_path / "out" / "search.json").read_text()
    assert ", 53 warnings, " in said.lines[-1]


def test_a_loop_of_links_between_folders_ends(
    lab: Callable[..., Any], pages: Callable[..., str], tmp_path: Path
) -> None:
    folder = pages({"tides.md": GOOD})
    (Path(folder) / "again").symlink_to(folder)
    said = lab("index", folder, "--out", str(tmp_path / "out"))
    assert said.code == 0
    assert said.lines[-1].startswith("1 pages, 1 passages, ")


@pytest.mark.parametrize(
    ("source", "mentions"),
    [
        ("nowhere", "nowhere"),
        ("empty", "empty"),
        ("file.md", "file.md"),
        ("http://127.0.0.1:1/", "127.0.0.1:1 refused the connection"),
        ("http://127.0.0.1:99999/", "is no address"),
    ],
)
def test_a_source_without_pages_is_one_line_and_nothing_is_written(
    lab: Callable[..., Any], tmp_path: Path, source: str, mentions: str
) -> None:
    Path("empty").mkdir()
    Path("file.md").write_text(GOOD, encoding="utf-8")
    said = lab("index", source, "--out", str(tmp_path / "out"))
    assert (said.code, said.out) == (2, "")
    assert mentions in said.err
    assert said.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_to_is_one_line(
    lab: Callable[..., Any], pages: Callable[..., str]
) -> None:
    Path("taken").write_text("")
    said = lab("index", pages({"tides.md": GOOD}), "--out", "taken")
    assert (said.code, said.out) == (2, "")
    assert "taken" in said.err
    assert said.err.count("\n") == 1


def test_what_a_site_leaves_out_is_counted_in_one_line_before_the_last(
    lab: Callable[..., Any], tmp_path: Path
) -> None:
    site = tmp_path / "site"
    for name, text in {
        "docusaurus.config.js": "",
        "versions.json": '["2.0"]',
        "docs/a.md": GOOD,
        "versioned_docs/version-2.0/a.md": GOOD,
        "versioned_docs/version-2.0/b.md": "---\ndraft: true\n---\nNot yet.\n",
        "versioned_docs/version-2.0/_part.md": "A part.\n",
        "versioned_docs/version-2.0/old.adoc": "= Old\n",
    }.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    said = lab("index", str(site), "--out", str(tmp_path / "out"))
    assert (said.code, said.err) == (0, "")
    assert said.lines[:2] == [
        "read as a site of Docusaurus",
        "left out: 1 drafts, 1 parts of other pages, 1 of other versions (2.0 kept), 1 .adoc files",
    ]
    assert said.lines[-1].startswith("1 pages, 1 passages, ")


def test_the_next_run_says_how_much_it_read_and_ends_in_the_same_line(
    lab: Callable[..., Any], pages: Callable[..., str], tmp_path: Path
) -> None:
    folder, out = (
        pages({"tides.md": GOOD, "bad.md": "---\ntitle: [\n---\nx\n"}),
        str(tmp_path / "o"),
    )
    first = lab("index", folder, "--out", out)
    again = lab("index", folder, "--out", out)
    assert again.err == first.err
    assert again.lines[:-1] == ["0 pages read anew, 2 known from the last time"]
    assert again.lines[-1].rpartition(",")[0] == first.lines[-1].rpartition(",")[0]
    (Path(folder) / "tides.md").write_text("Ebb.\n", encoding="utf-8")
    said = lab("index", folder, "--out", out)
    assert said.lines[:-1] == ["1 pages read anew, 1 known from the last time"]
    assert "Ebb." in [each["text"] for each in passages(Path(out))]


def test_ctrl_c_keeps_what_was_read_and_the_index_as_it_was(
    lab: Callable[..., Any], spawn: Callable[..., Any], tmp_path: Path
) -> None:
    site, out = tmp_path / "site", tmp_path / "out"
    site.mkdir()
    for n in range(3000):
        (site / f"{n}.md").write_text(f"# Page {n}\n\n" + f"Word {n} of the sea. " * 60)
    process = spawn("index", str(site), "--out", str(out))
    while not (out / "pages.db").exists():
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (130, "")
    stopped = re.fullmatch(
        r"lab: Stopped\. ([\d,]+) of 3,000 pages are read and kept, .*\n", stderr
    )
    assert stopped
    assert not (out / "search.json").exists()
    told = lab("index", str(site), "--out", str(out)).lines[0]
    known = re.search(r", ([\d,]+) known from the last time", told)
    assert known
    read, kept = (int(number.replace(",", "")) for number in (stopped[1], known[1]))
    assert kept - read in (0, 1), "the page that was just read may not be counted yet"
