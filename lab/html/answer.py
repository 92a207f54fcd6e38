"""A model's answer as HTML that is safe to show: no markup, image or script of its own.

Model output is untrusted. Markdown is read, HTML in it is shown as text, images become their
text and address, links open apart, and passage ids become links to the page they are from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from indexer.passages import Passage
from lab.citations import CITATION, cited, ids_in
from lab.wording import printable

Get = Callable[[str], Passage | None]
SAFE = ("http://", "https://")


def answer_html(answer: str, get: Get) -> str:
    """The answer as HTML, its passage ids as numbers that link to the sources listed below it.

    `get` finds a passage by its id.
    """
    sources = {passage.id: passage for passage in cited(answer, get)}
    reader = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")
    html: str = reader.render(printable(answer), {"get": get, "sources": sources, "linked": False})
    return f'<div class="lab-answer">{html}</div>{sources_html(sources.values())}'


def sources_html(sources: Collection[Passage]) -> str:
    """The passages an answer names: where each stands, its address, its id."""
    if not sources:
        return ""
    items = "".join(
        f"<li>{linked(passage, ' / '.join([passage.title, *passage.headings]))}"
        f"<br><span>{escape(printable(passage.url))}</span></li>"
        for passage in sources
    )
    return f'<ol class="lab-sources">{items}</ol>'


def linked(passage: Passage, shown: str) -> str:
    """Text that links to a passage, where the site says under which address it is."""
    if not passage.url.startswith(SAFE):
        return f"<span>{escape(printable(shown))}</span>"
    return f"{anchor(passage.url, passage.id)}{escape(printable(shown))}</a>"


class Renderer(RendererHTML):
    """markdown-it's renderer, with every address of untrusted origin made harmless."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Text, with passage ids linked; a link holds no further links."""
        text = tokens[idx].content
        return escape(text) if env["linked"] else with_citations(text, env["get"], env["sources"])

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """An image as its text and address; nothing is loaded."""
        token = tokens[idx]
        return escape(f"[image: {token.content} {token.attrGet('src')}]")

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A link that shows where it leads and tells that place nothing."""
        env["linked"] = True
        address = address_of(tokens[idx])
        return anchor(address) if address.startswith(SAFE) else "<span>"

    def link_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """The end of a link: its address, where the text was another."""
        env["linked"] = False
        start = next(i for i in reversed(range(idx)) if tokens[i].type == "link_open")
        address = address_of(tokens[start])
        end = "</a>" if address.startswith(SAFE) else "</span>"
        text = "".join(token.content for token in tokens[start:idx])
        return end if text == address else f"{end} <span>({escape(address)})</span>"


def address_of(link: Token) -> str:
    """Where an opened link leads."""
    return str(link.attrGet("href") or "")


def anchor(address: str, title: str = "") -> str:
    """An opening tag for a link to another site."""
    return (
        f'<a href="{escape(address)}" title="{escape(title or address)}" target="_blank" '
        'rel="noopener noreferrer nofollow">'
    )


def with_citations(text: str, get: Get, sources: dict[str, Passage]) -> str:
    """Escaped text, in which the ids of known passages are numbers that link to them.

    A passage is numbered by its place in `sources`, and added where it is not there yet.
    """
    parts, done = [], 0
    for match in CITATION.finditer(text):
        ids = ids_in(match[1], get)
        found = [passage for id in ids if (passage := get(id))]
        if not found or len(found) < len(ids):
            continue  # brackets that hold something else as well stay as they were written
        for passage in found:
            sources.setdefault(passage.id, passage)
        places = list(sources)
        links = ", ".join(linked(passage, str(places.index(passage.id) + 1)) for passage in found)
        parts += [escape(text[done : match.start()]), f"<sup>[{links}]</sup>"]
        done = match.end()
    return "".join(parts) + escape(text[done:])
