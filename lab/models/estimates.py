"""Token counts that nobody measured: reckoned from characters, and marked as estimated."""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4
"""The usual rule of thumb for English text."""


def estimated_tokens(characters: int) -> int:
    """About how many tokens a text of that many characters would be."""
    return -(-characters // CHARACTERS_PER_TOKEN)
