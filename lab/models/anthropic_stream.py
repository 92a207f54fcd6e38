"""A streamed Messages answer, put together to the body an unstreamed one would have had. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lab.messages import Json
from lab.models.turns import fields_of

DELTAS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "compaction_delta": "content",
}
"""Pieces of a block by the kind of delta that brings them, and the field they add to."""


class Assembly:
    """Collects the events of one answer."""

    def __init__(self) -> None:
        self._body: Json = {}
        self._blocks: dict[int, Json] = {}
        self._inputs: dict[int, str] = {}

    def add(self, event: Json) -> Iterator[str]:
        """Take an event in; yields the text and the thinking in it, for display."""
        match event:
            case {"type": "message_start", "message": dict(message)}:
                self._body = dict(message)
            case {"type": "content_block_start", "index": index, "content_block": dict(block)}:
                self._blocks[index] = dict(block)
                yield block.get("text") or block.get("thinking") or ""
            case {"type": "content_block_delta", "index": index, "delta": dict(delta)}:
                yield from self._merge(index, delta)
            case {"type": "message_delta"}:
                changed = event.get("delta") or {}
                self._body.update({k: v for k, v in changed.items() if v is not None})
                before = fields_of(self._body.get("usage"))
                later = fields_of(event.get("usage")).items()
                self._body["usage"] = before | {k: v for k, v in later if v is not None}

    def _merge(self, index: int, delta: Json) -> Iterator[str]:
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        kind = delta.get("type")
        if kind == "input_json_delta":
            self._inputs[index] = self._inputs.get(index, "") + (delta.get("partial_json") or "")
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta.get("citation")]
        elif kind in DELTAS:
            field = DELTAS[kind]
            piece = delta.get(field) or ""
            block[field] = (block.get(field) or "") + piece
            if kind in ("text_delta", "thinking_delta"):
                yield piece

    def body(self) -> Json:
        """The whole body; without `content` where not even its start came."""
        for index, text in self._inputs.items():
            self._blocks[index]["input"] = read_input(text, self._blocks[index].get("input"))
        content = [self._blocks[index] for index in sorted(self._blocks)]
        return {**self._body, "content": content} if self._body else {}


def read_input(text: str, before: object) -> object:
    """A call's input: an object, or the text itself where it is not JSON (as when cut off)."""
    if not text.strip():
        return before if before is not None else {}
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
