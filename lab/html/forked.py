"""What a fork changed, as HTML: the words that went out and those that came in.

Everything shown came from a person, a model or a site, and is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from lab.forks.forked import Difference, Piece, pieces
from lab.html.line import line_html


def differences_html(found: Iterable[Difference]) -> str:
    """Each text that the fork has otherwise."""
    return "".join(
        f"<section class='lab-diff'><h4>{line_html(one.what)}</h4>"
        f"<pre tabindex='0'>{''.join(map(piece_html, pieces(one.before, one.after)))}</pre>"
        "</section>"
        for one in found
    )


def piece_html(piece: Piece) -> str:
    """A stretch of text with what became of it."""
    match piece:
        case "out", text:
            return f"<del>{escape(text)}</del>"
        case "in", text:
            return f"<ins>{escape(text)}</ins>"
        case "gap", count:
            return f" <i>… {count} words as before …</i> "
    return escape(piece[1])
