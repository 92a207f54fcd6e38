"""Token counts that nobody measured: reckoned from characters, and marked as estimated."""

from __future__ import annotations

import json

from lab.messages import Reply

CHARACTERS_PER_TOKEN = 4
"""The usual rule of thumb for English text."""


def estimated_tokens(characters: int) -> int:
    """About how many tokens a text of that many characters would be."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def tokens_said(reply: Reply) -> int:
    """About how many tokens a reply is, with its calls."""
    calls = (call.name + (call.raw or json.dumps(call.arguments)) for call in reply.calls)
    return estimated_tokens(len(reply.text + "".join(calls)))
