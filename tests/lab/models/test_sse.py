"""Server-sent events: the same events however the bytes are cut; what is no answer says so."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.models.sse import BrokenOff, ErrorEvent, NoEvents, events, lines

LAST = 'data: {"last": true}\n\n'


def ends(event: Any) -> bool:
    return "last" in event


def read(stream: bytes | str, size: int = 1) -> list[Any]:
    """The events of a stream that comes in pieces of a size."""
    sent = stream.encode() if isinstance(stream, str) else stream
    return list(events((sent[at : at + size] for at in range(0, len(sent), size)), ends))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    ("stream", "seen"),
    [
        (LAST, [{"last": True}]),
        (LAST.replace("\n", "\r\n"), [{"last": True}]),
        (LAST.replace("\n", "\r"), [{"last": True}]),
        (LAST.rstrip(), [{"last": True}]),
        (LAST.replace(": ", ":"), [{"last": True}]),
        (": comment\n\n" + LAST, [{"last": True}]),
        ("event: ping\nid: 5\nretry: 9\n\n" + LAST, [{"last": True}]),
        ('data: {"a":\ndata: 1}\n\n' + LAST, [{"a": 1}, {"last": True}]),
        (
            'data: {"a": "é\u2028\x85"}   \n\n' + LAST,
            [{"a": "é\u2028\x85"}, {"last": True}],
        ),
        ('data: {"a": 1}\n\ndata: [DONE]\n\ndata: never read\n\n', [{"a": 1}]),
        ('data: {"a": 1}\n\nevent: data\ndata:  [DONE] \n\n', [{"a": 1}]),
        (LAST + 'data: {"usage": 1}\n\n', [{"last": True}, {"usage": 1}]),
    ],
)
def test_events_are_the_same_however_the_bytes_are_cut(
    stream: str, seen: list[Any], size: int
) -> None:
    assert read(stream, size) == seen


@pytest.mark.parametrize(
    ("stream", "error"),
    [
        ("", NoEvents),
        ("<html></html>", NoEvents),
        ('{"choices": []}', NoEvents),
        (": only a comment\n\n", NoEvents),
        ('data: {"a": 1}\n\n', BrokenOff),
        ("event: error\ndata: it broke\n\n", ErrorEvent),
        ('data: {"error": {"message": "it broke"}}\n\n', ErrorEvent),
        ('data: {"last": 1, "error": "it broke"}\n\n', ErrorEvent),
        ("data: {broken\n\n", ValueError),
        ("data: [1]\n\n", ValueError),
        (b'data: {"a": "\xff"}\n\n', UnicodeDecodeError),
    ],
)
def test_what_is_no_whole_answer_is_told_apart(stream: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        read(stream)


def test_an_error_that_is_null_is_none() -> None:
    assert read('data: {"error": null, "last": 1}\n\n') == [{"error": None, "last": 1}]


LINES = st.lists(st.binary(max_size=6).filter(lambda line: not {10, 13} & set(line)), max_size=8)


@given(LINES, st.data())
def test_lines_are_the_same_in_any_split(content: list[bytes], data: st.DataObject) -> None:
    end = data.draw(st.sampled_from([b"\n", b"\r\n", b"\r"]))
    stream = b"".join(line + end for line in content)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    read_lines = list(lines(pieces))
    assert [line for line in read_lines if line] == [line for line in content if line]


def test_a_line_of_many_pieces_is_read_in_a_time_that_grows_with_its_length() -> None:
    piece = b"x" * 4_000

    def seconds(pieces: int) -> float:
        started = time.thread_time()
        assert [len(line) for line in lines([piece] * pieces)] == [len(piece) * pieces]
        return time.thread_time() - started

    assert min(seconds(4_000) for _ in range(3)) < 40 * min(seconds(400) for _ in range(3)) + 0.1
