"""The pictures of the pages: every scene is there in all its forms, shown, and small."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
MOST_BYTES = 130_000


def test_every_picture_that_is_shown_is_there_and_small() -> None:
    shown = set(re.findall(r'"([\w-]+\.png)"', (DOCS / "pages.md").read_text(encoding="utf-8")))
    names = {name.partition("-")[0] for name in shown}
    forms = [f"{width}-{scheme}.png" for width in (1440, 400) for scheme in ("light", "dark")]
    assert shown == {f"{name}-{form}" for name in names for form in forms}
    sizes = {name: (DOCS / name).stat().st_size for name in shown}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
