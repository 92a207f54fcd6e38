"""Runs tool calls: each to exactly one result, whatever the model asked for.

It knows nothing of the model that asks. What goes wrong comes back as text to act on.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from pydantic import ValidationError

from lab.events import ToolFinished
from lab.messages import ToolCall, ToolSchema
from lab.tools.errors import ToolError
from lab.tools.tool import Tool
from lab.waiting import Endless, GivenUp, Patience, result_of

RESULT_CHARACTERS = 20_000
"""A longer result is cut, and says so: it would be sent again with every further step."""

QUOTED_CHARACTERS = 200
"""So much of a model's own faulty arguments is quoted back."""


class Toolbox:
    """Tools by name, in the order they are shown to a model."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.schema.name: tool for tool in tools}

    def schemas(self) -> tuple[ToolSchema, ...]:
        return tuple(tool.schema for tool in self._tools.values())

    def has_effects(self, call: ToolCall) -> bool:
        """True where the call names a tool that a person must agree to."""
        named = self._tools.get(call.name)
        return named is not None and named.has_effects

    def run(self, call: ToolCall, patience: Patience | None = None) -> ToolFinished:
        """The call's one result. Never raises; a tool that is given up runs on unheard."""
        started = time.perf_counter()
        content, failed = self._result(call, patience or Endless())
        seconds = time.perf_counter() - started
        return ToolFinished(call.id, fit_to_send(content or "(no output)"), failed, seconds)

    def _result(self, call: ToolCall, patience: Patience) -> tuple[str, bool]:
        try:
            named = self._named(call)
            arguments, repairs = checked(named, call)
            return repairs + awaited(named, arguments, patience), False
        except ToolError as error:
            return str(error), True

    def _named(self, call: ToolCall) -> Tool:
        if call.name not in self._tools:
            names = ", ".join(self._tools)
            raise ToolError(f"There is no tool named {quoted(call.name)}. The tools are: {names}.")
        return self._tools[call.name]


def checked(tool: Tool, call: ToolCall) -> tuple[dict[str, object], str]:
    """Arguments that fit the tool's schema, and a line on what had to be read differently.

    Null for a parameter that is optional means "not given", as strict dialects of the schema say.
    Raises ToolError, naming each parameter that does not fit.
    """
    name, given = tool.schema.name, call.arguments
    if given is None:
        fault = call.fault or "The arguments are not a JSON object."
        raise ToolError(f"{name} was not run. {fault}{_received(call.raw)} {_takes(tool)}")
    fields = tool.arguments.model_fields
    given = {
        key: value
        for key, value in given.items()
        if value is not None or key not in fields or fields[key].is_required()
    }
    try:
        return _values(tool.arguments.model_validate(given, strict=True)), ""
    except ValidationError:
        pass
    try:
        read = _values(tool.arguments.model_validate(given))
    except ValidationError as error:
        faults = "; ".join(_fault(dict(e)) for e in error.errors(include_url=False))
        raise ToolError(f"{name} was not run: {faults}. {_takes(tool)}") from None
    changed = [k for k, v in given.items() if type(read[k]) is not type(v)]
    repairs = ", ".join(f"{k}: {quoted(given[k])} was read as {read[k]!r}" for k in changed)
    return read, f"({repairs})\n"


def awaited(tool: Tool, arguments: dict[str, object], patience: Patience) -> str:
    """What the tool returns; ToolError for whatever goes wrong in it."""
    name = tool.schema.name
    try:
        return str(result_of(lambda: tool.function(**arguments), patience) or "")
    except ToolError:
        raise
    except GivenUp as error:
        may = " It may have had its effect." if tool.has_effects else ""
        raise ToolError(f"{name} did not finish: {error}.{may}") from error
    except BaseException as error:
        raise ToolError(f"{name} failed: {type(error).__name__}: {error}"[:500]) from error


def fit_to_send(content: str) -> str:
    """The content, cut to RESULT_CHARACTERS with a line that says so.

    Half a character, as names of files may hold, is a question mark: nothing could encode it.
    """
    content = content.encode(errors="replace").decode()
    if len(content) <= RESULT_CHARACTERS:
        return content
    return f"{content[:RESULT_CHARACTERS]}\n[cut: the result has {len(content):,} characters]"


def quoted(value: object) -> str:
    """A value as it may be quoted back to a model: printable and short."""
    text = repr(value)
    return text if len(text) <= QUOTED_CHARACTERS else text[:QUOTED_CHARACTERS] + "…"


def _values(arguments: object) -> dict[str, object]:
    return {name: getattr(arguments, name) for name in type(arguments).model_fields}  # type: ignore[attr-defined]


def _received(raw: str) -> str:
    return f" Received: {quoted(raw)}." if raw else ""


def _takes(tool: Tool) -> str:
    properties, required = tool.schema.parameters["properties"], tool.schema.parameters["required"]
    if not properties:
        return "It takes no arguments."
    parts = [
        f"{name} ({_kind(described)}{'' if name in required else ', optional'})"
        for name, described in properties.items()
    ]
    return f"It takes: {', '.join(parts)}."


def _kind(described: dict[str, object]) -> str:
    return str(described.get("type", "see its schema"))


def _fault(error: dict[str, object]) -> str:
    location = error["loc"]
    where = ".".join(str(part) for part in location) if isinstance(location, tuple) else ""
    match error["type"]:
        case "missing":
            return f"{where} is missing"
        case "extra_forbidden":
            return f"there is no parameter {where}"
    return f"{where} is {quoted(error['input'])}: {str(error['msg']).lower()}"
