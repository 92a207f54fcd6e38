"""What a failed model call means: in words, whether to try again, and after how long. Pure."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal[
    "unreachable",
    "untrusted",
    "broken",
    "elsewhere",
    "auth",
    "not_found",
    "too_large",
    "rate_limited",
    "bad_request",
    "no_tools",
    "server",
]

SAID_CHARACTERS = 300

MOST_OF_PAGE = 8_000
"""Characters of an error page that are looked at."""

_MARKUP = re.compile(r"(?is)<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>")

ADVICE: dict[Kind, str] = {
    "unreachable": "Is it running, and is the base address right?",
    "untrusted": "SSL_CERT_FILE names the file of the certificates to trust.",
    "broken": "Is the base address that of a model API? If so, resume the run to ask again.",
    "elsewhere": "Give the address it leads to as the base address, if you trust it with the key.",
    "auth": "Check the key, and what it may be used for.",
    "not_found": "Check the model's name and the base address.",
    "too_large": "Ask for less: fewer steps, or a model that takes more.",
    "rate_limited": "The rate or the credit is used up: wait, or raise it.",
    "bad_request": "The endpoint refuses this request as it is.",
    "no_tools": (
        "Ask anew with --protocol react, which needs no tool calling; `tools = false` in the "
        "endpoint's entry makes that the rule."
    ),
    "server": "The fault is the endpoint's; try again later.",
}
"""What a person can do."""

STATUS_OF = {
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "server_error": 500,
    "overloaded_error": 529,
}
"""Types of error and the status they have where the answer has not begun yet."""

TOOL_USE_FAILED = "tool_use_failed"
"""So Groq names that it refused what its own model wrote: it may write it better the next time."""

_NO_TOOLS = re.compile(
    r"(?i)support (?:tools?|functions?|(?:tool|function)[- ](?:use|calls?|calling))\b"
    r"|(?:tool|function)[- ](?:use|calls?|calling) (?:is|are) (?:not supported|unsupported)"
    r"|tools? (?:param|choice) requires --"
)
"""So servers say that a model does not call tools, with a status of any kind."""

_UNTRUSTED = re.compile(r"(?i)certificates? ")
"""So TLS says that it does not trust an address: a company's proxy, say, that opens what passes."""

TOO_LARGE = ("context length", "too long", "context window", "maximum context", "too many tokens")


@dataclass(frozen=True, slots=True)
class Failure:
    """A model call that failed."""

    kind: Kind
    said: str
    """The endpoint's own words, or the network's, on one line."""
    status: int | None
    """HTTP status; None where there was no answer."""
    retry: bool
    """True where the same request may well succeed later."""
    wait: float | None = None
    """Seconds the endpoint asks to wait; None where it does not say."""

    def line(self, where: str) -> str:
        """One line for the person: what happened, where, what to do."""
        return f"{where}: {self.what()}. {ADVICE[self.kind]}"

    def what(self) -> str:
        """What happened, with the status if there was one."""
        return f"{self.said} (status {self.status})" if self.status else self.said


def failure_of(status: int, headers: Mapping[str, str], body: str) -> Failure:
    """The failure that an HTTP answer is. An error inside a stream has status 200."""
    if 300 <= status < 400:
        said = f"it redirects to {headers.get('location') or 'nowhere'}"
        return Failure("elsewhere", one_line(said), status, retry=False)
    said = said_in(body) or "no explanation"
    kind = kind_of(status, said)
    asked = headers.get("x-should-retry")
    retry = asked == "true" if asked else may_retry(status, body) and kind != "no_tools"
    return Failure(kind, said, status, retry, wait_of(headers, datetime.now(UTC)))


def failure_in_stream(data: str) -> Failure:
    """The failure that an error inside an answer of status 200 is.

    Where it names the status that it would have had, or a type of error that has one, it is
    judged by that.
    """
    failure = failure_of(status_in(data), {}, data)
    return replace(failure, status=200)


def status_in(data: str) -> int:
    """The status that an error event stands for; 400 where it does not say."""
    try:
        found = json.loads(data)
        error = found.get("error") or found
        code, kind = error.get("code"), error.get("type")
    except (ValueError, AttributeError, RecursionError):
        return 400
    for named in (code, found.get("status_code")):
        if str(named).isdecimal() and 400 <= int(named) < 600:
            return int(named)
    return STATUS_OF.get(kind, 400) if isinstance(kind, str) else 400


def unreachable(error: Exception, proxy: str = "") -> Failure:
    """The failure of a call that brought no answer: no connection, no trust, no name, a timeout.

    `proxy` is the environment variable that names the proxy it was to go through.
    """
    parts = [str(error), str(error.__cause__ or "")]
    said = ": ".join(dict.fromkeys(part.strip().rstrip(".") for part in parts if part.strip()))
    through = f", through the proxy that {proxy} names" if proxy else ""
    line = one_line(said or type(error).__name__) + through
    if _UNTRUSTED.search(line):
        return Failure("untrusted", line, None, retry=False)
    return Failure("unreachable", line, None, retry=True)


def broken(said: str, status: int | None) -> Failure:
    """The failure of an answer that came, but cannot be used to its end. Asking again costs."""
    return Failure("broken", one_line(said), status, retry=False)


def kind_of(status: int, said: str) -> Kind:
    """The kind of failure, by status, and by the words where a status has several meanings."""
    if status == 413 or any(words in said.lower() for words in TOO_LARGE):
        return "too_large"
    if _NO_TOOLS.search(said):
        return "no_tools"
    match status:
        case 401 | 403:
            return "auth"
        case 404:
            return "not_found"
        case 429:
            return "rate_limited"
    return "server" if status >= 500 else "bad_request"


def may_retry(status: int, body: str) -> bool:
    """The rule of both vendors' SDKs: 408, 409, 429 and 5xx; and TOOL_USE_FAILED."""
    return status in (408, 409, 429) or status >= 500 or TOOL_USE_FAILED in body


def wait_of(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait by `retry-after-ms` or `retry-after` (seconds or a date), if given."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if 0 < seconds < math.inf:
            return seconds
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds())


def said_in(body: str) -> str:
    """The message in an error body, of which every provider has its own shape."""
    try:
        found: Any = json.loads(body)
    except (ValueError, RecursionError):
        return one_line(text_of_page(body) if body.lstrip().startswith("<") else body)
    while True:
        match found:
            case [first, *_]:
                found = first
            case {"error": inner} if inner:
                found = inner
            case {"message": str(text)} | {"detail": str(text)} if text:
                return one_line(text)
            case str(text):
                return one_line(text)
            case _:
                return one_line(json.dumps(found))


def text_of_page(body: str) -> str:
    """What a person would read of a page of HTML, as proxies answer with."""
    return html.unescape(_MARKUP.sub(" ", body[:MOST_OF_PAGE]))


def one_line(text: str) -> str:
    """The text on one line, cut to what a person reads."""
    return " ".join(text.split())[:SAID_CHARACTERS].rstrip(".")
