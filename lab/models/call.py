"""One model call with its retries: each attempt measured, each failure put plainly.

It knows no wire and no SDK: whoever calls passes what sends one attempt.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from lab.errors import LabError
from lab.messages import Attempt, Exchange
from lab.models.capture import Capture, TooLargeError, without
from lab.models.failures import Failure, broken, failure_in_stream, failure_of, unreachable
from lab.models.model import ModelError, Watch
from lab.models.proxies import proxy_variable
from lab.models.sse import BrokenOff, ErrorEvent
from lab.waiting import POLL_SECONDS, GivenUp, result_of

T = TypeVar("T")

MOST_RETRIES = 2
"""Tries after the first one; the SDKs' own number, whose own retries are off."""

SHORTEST_WAIT, LONGEST_WAIT = 0.5, 8.0
"""Seconds to wait where the endpoint does not say: doubled each time, and shuffled a little."""

LONGEST_ASKED = 60.0
"""An endpoint that asks for a longer wait is not waited for."""


def call_model(
    send: Callable[[Capture], T], where: str, watch: Watch, key: str = ""
) -> tuple[T, Exchange]:
    """What `send` made of the response, and the evidence of the call. ModelError where none came.

    `send` makes one attempt; `where` names endpoint and model; `key` is what the call is made
    with, since some endpoints echo it.
    """
    attempts: list[Attempt] = []
    waited = 0.0
    while True:
        capture = Capture(watch, key)
        try:
            answer = result_of(partial(send, capture), watch)
        except GivenUp as error:
            capture.close()
            raise given_up(error, where, capture, attempts, waited) from error
        except Exception as error:
            failure = told(error, capture, key)
            attempts.append(Attempt(capture.status, capture.seconds(), waited, failure.said))
            seconds = next_wait(failure, len(attempts), watch)
            if seconds is None:
                line = failure.line(where)
                # An SDK's error quotes the answer, which may echo the key: it goes no further.
                raise ModelError(line, evidence(capture, attempts), failure.kind) from None
            watch.noticed("retry", f"{where}: {failure.what()}. Trying again in {seconds:.1f} s.")
            waited = rest(seconds, watch)
        else:
            attempts.append(Attempt(capture.status, capture.seconds(), waited))
            return answer, evidence(capture, attempts)


def told(error: Exception, capture: Capture, key: str) -> Failure:
    """The failure an exception stands for; raises it on where it is not the call's."""
    for cause in (error, error.__cause__):
        if isinstance(cause, LabError | GivenUp):  # raised where the request leaves
            raise cause
        if isinstance(cause, TooLargeError):
            return broken(str(cause), capture.status)
    if capture.status is None:
        failure = unreachable(error, proxy_variable(capture.address))
    elif capture.status == 200:
        failure = in_answer(error, capture)
    else:
        failure = failure_of(capture.status, capture.headers, capture.text())
    return replace(failure, said=without(key, failure.said))


def in_answer(error: Exception, capture: Capture) -> Failure:
    """What failed after the answer had begun: an error in a stream, or the stream itself."""
    if isinstance(error, ErrorEvent):
        return failure_in_stream(str(error))
    if isinstance(error, BrokenOff):
        return broken(str(error), 200)
    if isinstance(error, UnicodeDecodeError):
        return broken("the answer holds bytes that are not UTF-8", 200)
    if isinstance(error, LookupError | TypeError | AttributeError | ValueError):
        begins = " ".join(capture.text()[:80].split())
        why = f"not of the expected form; it begins {begins!r}" if begins else "empty"
        return broken(f"the answer is {why}", 200)
    return broken(f"the answer broke off: {type(error).__name__}: {error}", 200)


def next_wait(failure: Failure, tried: int, watch: Watch) -> float | None:
    """Seconds to wait before another try; None where there should be none."""
    if not failure.retry or tried > MOST_RETRIES:
        return None
    if failure.wait is not None:
        seconds = failure.wait
        if seconds > LONGEST_ASKED:
            return None
    else:
        seconds = min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** (tried - 1)) * random.uniform(0.75, 1)
    left = watch.seconds_left()
    return None if left is not None and left <= seconds else seconds


def rest(seconds: float, watch: Watch) -> float:
    """Wait, as long as nobody gives up; returns the seconds waited."""
    started = time.monotonic()
    while (left := seconds - (time.monotonic() - started)) > 0 and not watch.give_up():
        time.sleep(min(left, POLL_SECONDS))
    return time.monotonic() - started


def given_up(
    error: GivenUp, where: str, capture: Capture, attempts: list[Attempt], waited: float
) -> ModelError:
    """The error for a call that was given up, with what had come by then."""
    attempt = Attempt(capture.status, capture.seconds(), waited, str(error))
    return ModelError(f"{where}: {error}.", evidence(capture, [*attempts, attempt]))


def evidence(capture: Capture, attempts: list[Attempt]) -> Exchange:
    """What is kept of a call: the last attempt's response, and all attempts."""
    headers = capture.headers
    return Exchange(
        response=capture.text(),
        attempts=tuple(attempts),
        first_token=capture.first_token,
        request_id=headers.get("request-id") or headers.get("x-request-id") or "",
    )
