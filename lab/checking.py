"""Data that a person wrote, checked against a dataclass: every fault with its place and value."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError

T = TypeVar("T")

CLOSED = ConfigDict(extra="forbid")
"""The `__pydantic_config__` of a dataclass that data is checked against: no other fields."""


class MisfitError(Exception):
    """The data does not fit. The message lists what is wrong where, for the person."""


def checked(kind: type[T], data: Any) -> T:
    """The data as `kind`, nothing coerced and nothing extra; MisfitError otherwise.

    `kind` is a dataclass with `__pydantic_config__ = CLOSED`.
    """
    # As JSON, since strict validation then takes an object for a dataclass, a list for a tuple.
    try:
        written = json.dumps(data, default=str)
        fitting: T = _adapter(cast(Any, kind)).validate_json(written, strict=True)
    except ValidationError as error:
        faults = "; ".join(_fault(kind, dict(e)) for e in error.errors(include_url=False))
        raise MisfitError(faults) from None
    return fitting


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _fault(kind: type, error: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in error["loc"])
    match error["type"]:
        case "missing":
            return f"{where} is missing"
        case "unexpected_keyword_argument":
            known = f", only {_names(kind)}" if "." not in where else ""
            return f"there is no field {where!r}{known}"
    return f"{where or 'the whole'} = {str(error['input'])[:80]!r}: {str(error['msg']).lower()}"


def _names(kind: type) -> str:
    return ", ".join(f.name for f in fields(kind)) if is_dataclass(kind) else ""
