"""Known answers to questions, and whether an answer agrees with one. Knows no runs and no models.

An answer agrees where it holds the known number within its tolerance, and mentions what it must.
It is a rough check by machine: a right number beside a wrong claim passes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab import places
from lab.citations import CITATION

_NUMBER = re.compile(
    r"(?<![\w.])([-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)"
    r"(?:\s*[x×*·]\s*10\s*(?:\^|\*\*)?\s*\{?([-−+]?\d{1,3}|⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})\}?"
    r"|/(\d{1,12})|\s+(thousand|million|billion))?"
)
_PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-", ",")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}


@dataclass(frozen=True, slots=True)
class Known:
    """The known answer to a question."""

    text: str
    """The answer in words."""
    number: float | None
    """The number an answer must hold; None where it is not one."""
    tolerance: float
    """How far off the number may be, as a share of it."""
    must_mention: tuple[str, ...]
    """What an answer must mention, in any case."""

    def agrees(self, answer: str) -> bool:
        """True where the answer holds the number and all that it must mention."""
        said = answer.casefold()
        return all(word.casefold() in said for word in self.must_mention) and (
            self.number is None or any(self._is_near(number) for number in numbers(answer))
        )

    def _is_near(self, number: float) -> bool:
        assert self.number is not None
        return abs(number - self.number) <= self.tolerance * abs(self.number)


def numbers(text: str) -> list[float]:
    """The numbers in a text: 4, 4,096, 9.5e-7, 9.5 × 10^-7, 5/3, 3 million; none of passage ids."""
    found = []
    for match in _NUMBER.finditer(CITATION.sub(" ", text)):
        written, power, divisor, scale = match.groups()
        number = float(written.translate(_PLAIN))
        if power:
            number *= float(f"1e{power.translate(_PLAIN)}")
        if divisor and int(divisor):
            found.append(number / int(divisor))
        found.append(number * _SCALES.get(scale, 1.0))
    return found


def known_answers(file: Path) -> dict[str, Known]:
    """Known answers by their question in plain form; empty where there is no such file."""
    if not file.is_file():
        return {}
    found: dict[str, Known] = {}
    for line in file.read_text("utf-8").split("\n"):
        if line.strip() and (known := known_of(values := json.loads(line))):
            asked = [values["question"], *values.get("also_asked", ())]
            found |= {plain(question): known for question in asked}
    return found


def known_of(values: Mapping[str, Any]) -> Known | None:
    """The known answer in a line of questions.jsonl; None where nothing can be checked by it."""
    number, words = values.get("number"), tuple(values.get("must_mention") or ())
    if number is None and not words:
        return None
    return Known(values.get("answer", ""), number, values.get("tolerance") or 0.0, words)


def plain(question: str) -> str:
    """The question as it is looked up: in lower case, with single blanks."""
    return " ".join(question.casefold().split())


def known_for(question: str) -> Known | None:
    """The known answer to a question on the sample site."""
    return known_answers(places.sample_site() / "questions.jsonl").get(plain(question))
