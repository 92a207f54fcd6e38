"""A model that plays replies written beforehand, from a file or a list. The tools run for real.

Which reply is next follows from the conversation alone, so a resumed run goes on where it was.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from lab.checking import CLOSED, MisfitError, checked
from lab.errors import LabError
from lab.messages import Attempt, Conversation, Exchange, Reply
from lab.models.model import ModelError, Watch
from lab.models.standin import NO_MONEY, announce, played
from lab.models.turns import call_ids, fault_of, read_call, with_unique_ids
from lab.waiting import POLL_SECONDS

SHIPPED = ("careful", "hasty")
"""Scripts that come with the lab, for the question of Llama 3.1 8B's cache size."""


class ScriptError(LabError):
    """A script cannot be played. One line for the person: which file, which reply, what."""


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A tool call as a script writes it."""

    __pydantic_config__ = CLOSED

    name: str
    arguments: Any = None
    """An object as a rule; a text is read as a wire would read it, broken JSON included."""
    id: str = ""


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """A reply as a script writes it."""

    __pydantic_config__ = CLOSED

    text: str = ""
    calls: tuple[WrittenCall, ...] = ()
    thinking: str = ""
    seconds: float = 0.0
    """How long to wait before it is given."""


@dataclass(frozen=True, slots=True)
class Script:
    """A file of replies."""

    __pydantic_config__ = CLOSED

    replies: tuple[WrittenReply, ...]
    about: str = ""
    """Who wrote it, and what for."""


class Scripted:
    """Plays the n-th reply when the conversation holds n - 1 of them."""

    def __init__(
        self, replies: Iterable[Reply], name: str = "scripted", pauses: Sequence[float] = ()
    ) -> None:
        self._replies, self._name, self._pauses = list(replies), name, pauses

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        """The next reply of the script; ModelError where there is none left."""
        started = time.perf_counter()
        request = announce(conversation, self._name, watch)
        turn = sum(isinstance(message, Reply) for message in conversation.messages)
        if turn >= len(self._replies):
            only = f"the script has only {len(self._replies)} replies."
            raise ModelError(f"{self._name}: {only}", Exchange(cost=NO_MONEY))
        if turn < len(self._pauses):
            self._pause(self._pauses[turn], watch)
        reply = self._replies[turn]
        calls = with_unique_ids(reply.calls, call_ids(conversation.messages))
        stop = "tools" if calls and reply.stop == "answer" else reply.stop
        return played(replace(reply, calls=calls, stop=stop), request, started)

    def _pause(self, seconds: float, watch: Watch) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if why := watch.give_up():
                attempt = Attempt(None, seconds - left, error=why)
                exchange = Exchange(attempts=(attempt,), cost=NO_MONEY)
                raise ModelError(f"{self._name}: {why}.", exchange)
            time.sleep(min(left, POLL_SECONDS))


def read_script(name: str) -> Scripted:
    """A shipped script by name, or one from a file. Raises ScriptError."""
    if not name:
        raise ScriptError(f"scripted: needs a file, or one of: {', '.join(SHIPPED)}.")
    try:
        script = checked(Script, json.loads(text_of(name)))
    except MisfitError as error:
        raise ScriptError(f"The script {name!r} does not fit: {error}.") from None
    except (ValueError, RecursionError) as error:
        raise ScriptError(f"The script {name!r} is not JSON: {error}.") from error
    if not script.replies:
        raise ScriptError(f"The script {name!r} has no replies.")
    replies = [as_reply(written) for written in script.replies]
    pauses = [written.seconds for written in script.replies]
    return Scripted(replies, f"scripted:{Path(name).stem}", pauses)


def text_of(name: str) -> str:
    """The text of a shipped script, or of a file."""
    try:
        if name in SHIPPED:
            return files("lab.models").joinpath(f"scripts/{name}.json").read_text("utf-8")
        return Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ScriptError(
            f"The script {name!r} cannot be read: {why}. "
            f"Give a file, or one of: {', '.join(SHIPPED)}."
        ) from error


def as_reply(written: WrittenReply) -> Reply:
    """The reply that was written."""
    calls = tuple(read_call(call.id, call.name, call.arguments) for call in written.calls)
    reply = Reply(written.text, calls, thinking=written.thinking)
    return replace(reply, fault=fault_of(reply))
