"""What a probe found is put in words: unknown is not no, and an unknown cost is not free."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lab.models.card import Card, keep
from lab.models.findings import findings, kept_cards

CARD = Card("ollama/m", "http://127.0.0.1:1/v1", "2026-11-29T00:00:00+00:00", True, said="ready")


@pytest.mark.parametrize(
    ("found", "name", "value"),
    [
        ({"native_calls": True}, "calls tools", "yes"),
        ({"native_calls": False}, "calls tools", "no"),
        ({}, "calls tools", "–"),
        ({"json": ""}, "keeps to JSON", "no"),
        ({"json": "schema"}, "keeps to JSON", "by schema"),
        ({}, "keeps to JSON", "–"),
        ({"context": 4096}, "context", "4,096 tokens taken uncut, the largest tried"),
        ({"context": 4096, "context_refused": 5000}, "context", "uncut, about 5,000 not"),
        ({"calls": 3}, "calls made", "3, cost –"),
        ({"calls": 3, "usd": 0.0}, "calls made", "3, cost free"),
        ({"calls": 3, "usd": 0.25}, "calls made", "3, cost $0.2500"),
        ({"notes": ("retry: twice",)}, "note", "retry: twice"),
        ({}, "recalls a word", "–"),
        ({"context": 4096}, "recalls a word", "no"),
    ],
)
def test_a_finding_is_put_in_words(found: dict[str, object], name: str, value: str) -> None:
    rows = dict(findings(replace(CARD, **found)))  # type: ignore[arg-type]
    assert value in rows[name]


def test_kept_cards_come_newest_first_without_those_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_HOME", str(tmp_path))
    assert kept_cards() == []
    newer = replace(CARD, model="ollama/n", at="2026-11-30T00:00:00+00:00")
    keep(CARD)
    keep(newer)
    keep(replace(CARD, model="ollama/gone")).write_text("{}")
    assert kept_cards() == [newer, CARD]
