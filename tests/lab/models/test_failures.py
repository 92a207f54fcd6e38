"""What a failed call means, read off status, headers and body."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.models.failures import (
    ADVICE,
    SAID_CHARACTERS,
    broken,
    failure_in_stream,
    failure_of,
    kind_of,
    said_in,
    unreachable,
    wait_of,
)

NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "No."}}, "No"),
        ({"type": "error", "error": {"type": "x", "message": "No."}, "request_id": "r"}, "No"),
        ({"error": "No."}, "No"),
        ({"detail": "No."}, "No"),
        ({"message": "No.", "code": "1500"}, "No"),
        ({"object": "error", "message": "No.", "param": None}, "No"),
        ([{"error": {"code": 400, "message": "No.", "status": "X"}}], "No"),
        ({"error": {"message": "No.", "metadata": {"raw": "more"}}}, "No"),
        ({"error": None, "message": "No."}, "No"),
        ({"error": {}, "detail": "No."}, "No"),
        ("No.", "No"),
        ({"error": {"code": 5}}, '{"code": 5}'),
        ({"detail": [{"msg": "No."}]}, '{"detail": [{"msg": "No."}]}'),
        ({}, "{}"),
        ([], "[]"),
        (5, "5"),
    ],
)
def test_the_message_is_found_in_every_shape_of_error_body(body: Any, said: str) -> None:
    assert said_in(json.dumps(body)) == said


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", ""),
        ("Bad\n\tgateway.", "Bad gateway"),
        ("<html>\n<h1>502</h1>\n</html>", "502"),
        ("<!doctype html><style>p {}</style><p>Bad &amp; <b>broken.</b><!-- x -->", "Bad & broken"),
        (" <html></html>", ""),
        ("[" * 100_000, "[" * SAID_CHARACTERS),
    ],
    ids=["empty", "text", "html", "page", "blank page", "deep"],
)
def test_a_body_that_is_no_json_is_its_own_message_on_one_line(body: str, said: str) -> None:
    assert said_in(body) == said


BODIES = st.recursive(
    st.none() | st.text() | st.integers(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["error", "message", "detail", "x"]), inner)
    ),
)


@given(st.text() | BODIES.map(json.dumps))
def test_any_body_gives_one_short_line(body: str) -> None:
    said = said_in(body)
    assert "\n" not in said
    assert len(said) <= SAID_CHARACTERS


@pytest.mark.parametrize(
    ("status", "said", "kind", "retry"),
    [
        (400, "x", "bad_request", False),
        (401, "x", "auth", False),
        (403, "x", "auth", False),
        (404, "x", "not_found", False),
        (405, "x", "bad_request", False),
        (408, "x", "bad_request", True),
        (409, "x", "bad_request", True),
        (413, "x", "too_large", False),
        (422, "x", "bad_request", False),
        (429, "x", "rate_limited", True),
        (500, "x", "server", True),
        (503, "x", "server", True),
        (529, "x", "server", True),
        (400, "prompt is too long: 9 tokens", "too_large", False),
        (400, "maximum context length is 9", "too_large", False),
        (400, "exceeds the Context Window", "too_large", False),
        (302, "x", "elsewhere", False),
        (400, "registry/gemma:2b does not support tools", "no_tools", False),
        (404, "No endpoints found that support tool use", "no_tools", False),
        (500, "tools param requires --jinja flag", "no_tools", False),
        (400, "Function calling is not supported by this model", "no_tools", False),
        (400, "tools.0.strict is not supported", "bad_request", False),
    ],
)
def test_status_and_words_say_the_kind_and_whether_to_try_again(
    status: int, said: str, kind: str, retry: bool
) -> None:
    failure = failure_of(status, {}, said)
    assert (failure.kind, failure.retry, failure.status) == (kind, retry, status)
    assert failure.wait is None


@pytest.mark.parametrize(
    ("status", "header", "retry"),
    [(429, "false", False), (400, "true", True), (500, "", True), (401, "", False)],
)
def test_the_endpoint_may_say_itself_whether_to_try_again(
    status: int, header: str, retry: bool
) -> None:
    assert failure_of(status, {"x-should-retry": header}, "x").retry is retry


def test_a_call_the_server_itself_refused_of_its_own_model_may_be_tried_again() -> None:
    body = json.dumps({"error": {"code": "tool_use_failed", "message": "no match"}})
    assert failure_of(400, {}, body).retry


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "16"}, 16),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "16"}, 1.5),
        ({"retry-after-ms": "0", "retry-after": "1"}, 1),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1),
        ({"retry-after": "Fri, 20 Nov 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Fri, 20 Nov 2026 13:00:30 +0100"}, 30),
        ({"retry-after": "Fri, 20 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "0"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
    ],
)
def test_the_wait_asked_for_is_read_in_all_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert wait_of(headers, NOW) == seconds


@given(st.text(max_size=30))
def test_no_header_breaks_the_reading_of_a_wait(value: str) -> None:
    wait = wait_of({"retry-after": value}, NOW)
    assert wait is None or wait >= 0


@pytest.mark.parametrize(
    ("data", "kind", "retry"),
    [
        ({"error": {"message": "x"}}, "bad_request", False),
        ({"error": {"type": "overloaded_error", "message": "x"}}, "server", True),
        ({"error": {"type": "rate_limit_error", "message": "x"}}, "rate_limited", True),
        ({"error": {"type": "invalid_request_error", "message": "x"}}, "bad_request", False),
        ({"error": {"code": 502, "message": "x"}}, "server", True),
        ({"error": {"code": "429", "message": "x"}}, "rate_limited", True),
        ({"error": {"code": 1500, "message": "x"}}, "bad_request", False),
        ({"error": {"message": "x"}, "status_code": 503}, "server", True),
        ({"error": "x"}, "bad_request", False),
        ({"message": "x", "code": 401}, "auth", False),
    ],
)
def test_an_error_inside_a_stream_is_judged_by_the_status_it_stands_for(
    data: Any, kind: str, retry: bool
) -> None:
    failure = failure_in_stream(json.dumps(data))
    assert (failure.kind, failure.retry, failure.status) == (kind, retry, 200)
    assert failure.said == "x"


@pytest.mark.parametrize("data", ["it broke", "[1]", "5", ""])
def test_an_error_inside_a_stream_may_be_any_text(data: str) -> None:
    assert failure_in_stream(data).kind == "bad_request"


def test_a_line_names_where_what_and_what_to_do() -> None:
    failure = failure_of(401, {}, '{"error": "bad\\nkey."}')
    line = "mine/m at http://h: bad key (status 401). Check the key, and what it may be used for."
    assert failure.line("mine/m at http://h") == line


def test_every_kind_has_its_advice() -> None:
    kinds = {kind_of(status, "") for status in range(400, 600)}
    assert {*kinds, "unreachable", "broken"} <= set(ADVICE)


def test_a_call_without_an_answer_says_each_reason_once_and_may_be_tried_again() -> None:
    error = OSError("Connection error.")
    error.__cause__ = OSError("[Errno 111] Connection refused")
    failure = unreachable(error)
    assert failure.said == "Connection error: [Errno 111] Connection refused"
    assert (failure.kind, failure.retry, failure.status) == ("unreachable", True, None)
    assert unreachable(TimeoutError()).said == "TimeoutError"
    assert not broken("x", 200).retry
