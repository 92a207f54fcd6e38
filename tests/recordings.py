"""Recorded HTTP exchanges of real endpoints; no part of the repository."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

BESIDE = Path(__file__).parents[2] / "shared" / "wire"
FOLDER = Path(os.environ.get("LAB_WIRE_DIR") or BESIDE)
"""The folder that LAB_WIRE_DIR names."""

RECORDINGS: dict[str, dict[str, Any]] = {
    file.stem: json.loads(file.read_text("utf-8")) for file in sorted(FOLDER.glob("*.json"))
}


def received(recording: dict[str, Any]) -> str:
    """The recorded response, as text."""
    response = recording["response"]
    return str(response["sse"]) if "sse" in response else json.dumps(response["body"])
