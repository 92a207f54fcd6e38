"""How deep the tags of a page nest, by the rules of HTML: never less than a parser will find.

A parser takes quadratic time in this depth, so it must be known before one is asked. Knows names
of elements, and no text.
"""

_VOID = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
        *("track", "wbr", "param"),
    )
)
_OPEN_ONCE = frozenset(
    (
        *("html", "head", "body", "p", "td", "th", "tr", "thead", "tbody", "tfoot", "option"),
        *("optgroup", "colgroup"),
    )
)
"""Elements that are closed by the next of their kind, or are in a table, which is counted."""
_ITEMS = {"li": ("li",), "dt": ("dt", "dd"), "dd": ("dt", "dd")}
"""Elements that close an earlier one, and which."""
_LISTS = ("ul", "ol")
_LOOSE = frozenset(
    (
        *("a", "abbr", "bdi", "bdo", "cite", "del", "dfn", "ins", "kbd", "label", "mark", "q"),
        *("samp", "span", "sub", "sup", "var"),
    )
)
"""Elements within a line, which an end tag looks through."""
_CLOSING = frozenset(
    (
        *("a", "address", "article", "aside", "blockquote", "button", "caption", "center", "dd"),
        *("details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure"),
        *("footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "li", "main"),
        *("marquee", "menu", "nav", "object", "ol", "pre", "search", "section", "select"),
        *("summary", "table", "template", "ul"),
    )
)
"""Elements whose end tag closes whatever is open in them."""
_ALONE = ("a", "form")
"""Elements whose end tag leaves open what is in them."""
_BORDERS = frozenset(
    ("table", "caption", "marquee", "object", "template", "applet", "svg", "math", "foreignobject")
)
"""Elements that the end tag of one around them does not reach through."""
_DRAWINGS = frozenset(("svg", "math"))
_HTML_AGAIN = frozenset(
    ("foreignobject", "desc", "title", "annotation-xml", "mi", "mo", "mn", "ms", "mtext")
)
"""Elements of a drawing or a formula that hold HTML."""
_END_DRAWINGS = frozenset(
    (
        *("blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "embed", "h1", "h2", "h3"),
        *("h4", "h5", "h6", "head", "hr", "img", "li", "listing", "menu", "meta", "ol", "p", "pre"),
        *("ruby", "span", "sub", "sup", "table", "ul", "var"),
    )
)
"""Elements that end the drawing or formula they stand in."""
_NEAR = 32
"""An end tag looks no further: what it would close is taken to be open."""


class Nesting:
    """The elements that are open."""

    def __init__(self) -> None:
        self._open: list[str] = []

    @property
    def depth(self) -> int:
        """How many are open, but for a few of each that the rules imply."""
        return len(self._open)

    @property
    def is_drawing(self) -> bool:
        """Whether a drawing or a formula is open, in which other rules hold."""
        return self._drawing() > 0

    def start(self, name: str, closed: bool) -> None:
        """Count a start tag; `closed` is one that ends in `/>`."""
        if closed and name in _DRAWINGS:
            return
        if drawing := self._drawing():
            if name not in _END_DRAWINGS:
                if not closed:
                    self._open.append(name)
                return
            del self._open[-drawing:]
        if name in _ITEMS:
            self._end_item(_ITEMS[name])
        if name not in _VOID and name not in _OPEN_ONCE:
            self._open.append(name)

    def end(self, name: str) -> None:
        """Count an end tag."""
        for back, each in enumerate(reversed(self._open[-_NEAR:]), 1):
            if each == name:
                del self._open[-back if name in _ALONE else slice(-back, None)]
                return
            if each in _BORDERS or (name == "li" and each in _LISTS):
                return
            if name not in _CLOSING and each not in _LOOSE:
                return

    def _end_item(self, names: tuple[str, ...]) -> None:
        for back, each in enumerate(reversed(self._open[-_NEAR:]), 1):
            if each in names:
                del self._open[-back:]
                return
            if each not in _LOOSE and each != "div":
                return

    def _drawing(self) -> int:
        """Return how many elements are open from the outermost drawing on; 0 in HTML."""
        found = 0
        for back, each in enumerate(reversed(self._open), 1):
            if each in _HTML_AGAIN:
                break
            if each in _DRAWINGS:
                found = back
        return found
