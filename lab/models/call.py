"""One HTTP call through a vendor's SDK, watched: what left is captured, what failed is put plainly.

It knows neither wire: an adapter passes its SDK's client and the call to make.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from lab.errors import LabError
from lab.messages import Attempt, Exchange, Request
from lab.models.model import ModelError, Watch
from lab.models.turns import whole_characters
from lab.waiting import GivenUp, result_of

SHOWN_HEADERS = ("content-type", "user-agent", "anthropic-version", "anthropic-beta")
"""The only request headers that are kept; keys travel in others."""

ERROR_CHARACTERS = 300

SHORTEST_KEY = 8
"""What is shorter is no secret, but a placeholder as local servers want it."""


class Capture:
    """Sees each request as it leaves the SDK's HTTP client, and when."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self.sent_at: float | None = None
        """`time.perf_counter()` at which the newest request left; None before the first."""

    def hooks(self) -> dict[str, list[Callable[[Any], None]]]:
        """Event hooks for the HTTP client."""
        return {"request": [self._leaving]}

    def _leaving(self, request: Any) -> None:
        headers = {k: request.headers[k] for k in SHOWN_HEADERS if k in request.headers}
        self._watch.sent(
            Request(request.method, str(request.url), request.read().decode(), headers)
        )
        self.sent_at = time.perf_counter()

    def seconds(self) -> float:
        """Seconds since the request left; what the SDK needed before is not the model's time."""
        return 0.0 if self.sent_at is None else time.perf_counter() - self.sent_at


def exchanged(
    create: Callable[[Capture], Any], where: str, watch: Watch, key: str = ""
) -> tuple[str, Exchange]:
    """The response body as text, and the evidence of the call. ModelError where none came.

    `create` makes the call and returns the SDK's raw response; `where` names endpoint and model.
    `key` is what the call was made with, since some endpoints echo it.
    """
    capture = Capture(watch)
    try:
        raw = result_of(lambda: create(capture), watch)
    except GivenUp as error:
        attempt = Attempt(None, capture.seconds(), error=str(error))
        raise ModelError(f"{where}: {error}.", Exchange(attempts=(attempt,))) from error
    except Exception as error:
        if isinstance(error.__cause__, LabError | GivenUp):  # raised where the request leaves
            raise error.__cause__ from None
        response = getattr(error, "response", None)
        body = "" if response is None else without(key, response.text)
        status = None if response is None else response.status_code
        said = without(key, plainly(error, body))
        attempt = Attempt(status, capture.seconds(), error=said)
        raise ModelError(
            f"{where}: {said}. {advice(status)}", Exchange(response=body, attempts=(attempt,))
        ) from error
    response = raw.http_response
    attempt = Attempt(response.status_code, capture.seconds())
    request_id = response.headers.get("request-id") or response.headers.get("x-request-id") or ""
    body = without(key, response.text)
    return body, Exchange(body, (attempt,), request_id=request_id)


def without(key: str, text: str) -> str:
    """The text with the key put out of sight."""
    return text.replace(key, "[key]") if len(key) >= SHORTEST_KEY else text


def parsed(body: str, where: str, exchange: Exchange) -> dict[str, Any]:
    """The body as a JSON object; ModelError where it is something else."""
    try:
        read = whole_characters(json.loads(body))
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise ModelError(
            f"{where}: the answer is no JSON object but begins {body[:80]!r}. "
            "Is the base address that of a model API?",
            exchange,
        )
    return read


def unreadable(error: Exception, where: str, exchange: Exchange) -> ModelError:
    """The error for a JSON answer that is not of the wire's form."""
    said = f"{type(error).__name__}: {error}"
    return ModelError(f"{where}: the answer is not of the expected form ({said}).", exchange)


def plainly(error: Exception, body: str) -> str:
    """What went wrong in a few words: the endpoint's own, or the network's."""
    parts = [said_in(body)] if body else [str(error), str(error.__cause__ or "")]
    said = ": ".join(part.strip().rstrip(".") for part in parts if part.strip())
    return " ".join(said.split())[:ERROR_CHARACTERS]


def said_in(body: str) -> str:
    """The message in an error body, of which every provider has its own shape."""
    try:
        read = json.loads(body)
    except ValueError:
        return body.strip()[:ERROR_CHARACTERS]
    while True:
        match read:
            case [first, *_]:
                read = first
            case {"error": inner} if inner:
                read = inner
            case {"message": str(text)} | {"detail": str(text)}:
                return text
            case _:
                return read if isinstance(read, str) else json.dumps(read)


def advice(status: int | None) -> str:
    """What a person can do about a status."""
    match status:
        case None:
            return "Is it running, and is the base address right?"
        case 401 | 403:
            return f"Status {status}: check the key, and what it may be used for."
        case 404:
            return "Status 404: check the model's name and the base address."
        case 429:
            return "Status 429: the rate or the credit is used up; wait, or raise it."
    return f"Status {status}."
