import os

import pytest

from indexer.builder import build_content
from indexer.errors import SourceError
from indexer.settings import Settings
from indexer.sources import (
    MAX_PAGE_BYTES,
    SourcePage,
    check_folder,
    list_files,
    no_pages,
    read_text,
)

MARKDOWN = (".md", ".markdown")
RUSSIAN = "Кэш ключей и значений занимает память. " * 3
JAPANESE = "これはキャッシュについてのページです。" * 3
CHINESE = "这是一个关于缓存的页面。" * 3


def read(root):
    faults = []
    found = sorted(list_files(root, "", MARKDOWN, faults.append))
    if not found:
        raise no_pages(root, MARKDOWN)
    texts = {path: read_text(path, file, faults.append) for path, file in found}
    return [SourcePage(*each) for each in texts.items() if each[1] is not None], faults


def test_pages_come_sorted_by_path_and_only_markdown_that_is_not_hidden(folder):
    root = folder({"b.md": "b", "a/z.markdown": "z", "A.MD": "A", "n.txt": "n", ".git/x.md": "x"})
    pages, faults = read(root)
    assert [page.path for page in pages] == ["A.MD", "a/z.markdown", "b.md"]
    assert not faults


def test_a_folder_without_pages_says_what_was_looked_for(folder):
    with pytest.raises(SourceError, match=r"\*\.md and \*\.markdown"):
        read(folder({"a.txt": "x"}))


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(SourceError, match="nowhere"):
        read(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("nowhere", "There is no folder .*nowhere"),
        ("a.md", "a.md is a file"),
        ("around", r"around cannot be read \("),
    ],
)
def test_what_is_no_folder_to_read_is_said(folder, named, said):
    root = folder({"a.md": "x"})
    (root / "around").symlink_to("around")
    check_folder(root)
    with pytest.raises(SourceError, match=said):
        check_folder(root / named)


@pytest.mark.parametrize("rights", [0o000, 0o444])
def test_a_folder_without_rights_is_named(folder, rights):
    root = folder({"closed/a.md": "x"}) / "closed"
    root.chmod(rights)
    try:
        if os.access(root, os.R_OK | os.X_OK):
            pytest.skip("who runs the tests may read all")
        with pytest.raises(SourceError, match=r"closed cannot be read \(Permission denied\)"):
            build_content(root, Settings())
    finally:
        root.chmod(0o755)


@pytest.mark.parametrize(
    ("content", "text", "line", "fault"),
    [
        (b"\xef\xbb\xbfa\r\nb\rc\n", "a\nb\nc\n", None, None),
        (b"one\ncaf\xe9", "one\ncafé", 2, "not UTF-8"),
        (b"one\ntwo\x00", "one\ntwo\ufffd", 2, "NUL"),
        ("a\nä".encode("utf-16"), "a\nä", 1, "UTF-16"),
        (RUSSIAN.encode("cp1251"), RUSSIAN, 1, "not UTF-8; read as Windows-1251"),
        (JAPANESE.encode("shift_jis"), JAPANESE, 1, "not UTF-8; read as cp932"),
        (CHINESE.encode("gb18030"), CHINESE, 1, "not UTF-8; read as gb18030"),
        (b"encoding: koi8-r\n\xd4", "encoding: koi8-r\nт", 2, "read as koi8-r"),
        (b"<meta charset=iso-8859-2>\xb1", "<meta charset=iso-8859-2>ą", 1, "read as iso8859-2"),
        (b"charset=nonsense \xe9", "charset=nonsense é", 1, "read as Windows-1252"),
        ("a\nb\ufffd".encode(), "a\nb\ufffd", 2, "U+FFFD"),
    ],
)
def test_bytes_become_text_with_true_lines_and_one_fault(folder, content, text, line, fault):
    (page,), faults = read(folder({"a.md": content}))
    assert page.text == text
    assert [f.line for f in faults] == ([line] if line else [])
    assert all(fault in str(f) and "a.md" in str(f) for f in faults)


def test_a_page_of_20_megabytes_is_bounded_at_a_whole_character_and_said_so(folder):
    content = ("é" * 50 + "\n") * (20 * 2**20 // 101)
    (page,), faults = read(folder({"a.md": "x" + content}))
    assert MAX_PAGE_BYTES - 2 <= len(page.text.encode()) <= MAX_PAGE_BYTES
    assert "\ufffd" not in page.text
    assert [str(f) for f in faults] == ["a.md: is larger than 2 MB; the first 2 MB are indexed"]


def test_links_are_not_followed_and_each_says_why(folder, tmp_path):
    root = folder({"a.md": "a", "sub/b.md": "b"})
    (tmp_path / "out.md").write_text("secret")
    (root / "out.md").symlink_to(tmp_path / "out.md")
    (root / "up").symlink_to(tmp_path)
    (root / "sub/loop").symlink_to(root)
    (root / "self.md").symlink_to(root / "self.md")
    (root / "same.md").symlink_to(root / "a.md")
    (root / ".hidden.md").symlink_to(root / "a.md")
    pages, faults = read(root)
    assert [page.path for page in pages] == ["a.md", "sub/b.md"]
    assert {f.file: f.message.split(";")[0] for f in faults} == {
        "out.md": "is a link that leads out of the folder",
        "up": "is a link that leads out of the folder",
        "sub/loop": "is a link to another place in this folder, which is read there",
        "same.md": "is a link to another place in this folder, which is read there",
        "self.md": "is a link that leads nowhere or in a circle",
    }


def test_a_pipe_with_a_page_s_name_is_left_out_and_never_waited_for(folder):
    root = folder({"a.md": "a"})
    os.mkfifo(root / "pipe.md")
    pages, faults = read(root)
    assert [page.path for page in pages] == ["a.md"]
    assert [f.file for f in faults] == ["pipe.md"]


def test_a_page_that_cannot_be_read_is_left_out_with_a_fault(folder, monkeypatch):
    root = folder({"a.md": "a", "b.md": "b"})
    opened = type(root).open

    def deny(self, *args, **kwargs):
        if self.name == "a.md":
            raise PermissionError(13, "Permission denied")
        return opened(self, *args, **kwargs)

    monkeypatch.setattr(type(root), "open", deny)
    pages, faults = read(root)
    assert [page.path for page in pages] == ["b.md"]
    assert [str(f) for f in faults] == ["a.md: cannot be read (Permission denied); left out"]


def test_a_file_name_that_is_not_utf_8_gives_a_path_that_is(folder):
    root = folder({"a.md": "a"})
    (root / os.fsdecode(b"caf\xe9.md")).write_text("x")
    pages, _ = read(root)
    assert [page.path.encode().decode() for page in pages] == ["a.md", "caf\ufffd.md"]
