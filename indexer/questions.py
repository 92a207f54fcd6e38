"""Questions with the sections that answer them, read from JSON lines.

Knows only what measuring a search needs; answers and their kinds are left to others.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer.errors import QuestionsError


@dataclass(frozen=True, slots=True)
class Evidence:
    """A section that holds a fact the answer needs."""

    article: str
    """Slug of the article."""
    heading: str
    """The section's heading, with its markup or without."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and where the site answers it."""

    id: str
    """Unique in its file."""
    question: str
    """As a person asks it."""
    evidence: tuple[Evidence, ...]
    """All the sections that are needed; empty where the site does not say."""


def read_questions(file: Path) -> list[Question]:
    """Return the questions of a file, one JSON object a line; blank lines are skipped.

    Raises QuestionsError naming file, line and field.
    """
    try:
        lines = file.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsError(
            f"{file} cannot be read: {error}. Give a file of JSON lines."
        ) from error
    questions = [_question(line, f"{file}:{n}") for n, line in enumerate(lines, 1) if line.strip()]
    if not questions:
        raise QuestionsError(f"{file} holds no question. Write one JSON object a line.")
    return questions


def _question(line: str, place: str) -> Question:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise QuestionsError(f"{place}: not JSON ({error}). Write one object a line.") from error
    evidence = _field(values, "evidence", list, place)
    return Question(
        id=_field(values, "id", str, place),
        question=_field(values, "question", str, place),
        evidence=tuple(
            Evidence(
                article=_field(each, "article", str, f"{place}: evidence {n}"),
                heading=_field(each, "heading", str, f"{place}: evidence {n}"),
            )
            for n, each in enumerate(evidence, 1)
        ),
    )


def _field(values: Any, key: str, kind: type[str] | type[list[Any]], place: str) -> Any:
    if not isinstance(values, dict):
        raise QuestionsError(f"{place}: not an object. Write `{{...}}` with the field `{key}`.")
    if not isinstance(values.get(key), kind):
        wanted = "a text" if kind is str else "a list"
        raise QuestionsError(f"{place}: the field `{key}` is missing or not {wanted}.")
    return values[key]
