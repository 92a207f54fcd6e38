"""Elements that are written as others.

Javadoc writes the cells of a table as `div`, Doxygen the lines of code.
"""

from selectolax.lexbor import LexborNode

from indexer.html.elements import element_before

_LAST = "col-last"
_BOXES = ("note", "tip", "warning", "caution", "important")
_GRIDS = "div.summary-table"
_READ_AS = {
    # Numbers of notes around which Docutils' style writes brackets, and what it places beside them.
    "note": ("a.brackets:not(:has(.fn-bracket))", "span.brackets:not(:has(.fn-bracket))"),
    "beside": (
        *(".footnote>.label~p:first-of-type", ".citation>.label~p:first-of-type"),
        *(".memproto td", ".memberdecls td.memItemLeft", ".memberdecls td.memItemRight"),
    ),
    # Headings that begin no section: of Texinfo's notes, of Docbook's notes and authors.
    "p": (
        *("h4:has(>a[href^='#DOCF'])", "h5:has(>a[href^='#DOCF'])"),
        *(f"div.{each}>h3.title" for each in _BOXES),
        *(f".titlepage h3.{each}" for each in ("author", "corpauthor", "subtitle")),
    ),
    # Docbook's tables that place a picture beside a note.
    "div": tuple(f"div.{each}>table:only-child" for each in _BOXES),
    # Doxygen's titles, code and declarations; these are spread over the cells of tables.
    "h1": (".headertitle>.title",),
    "pre": ("div.fragment",),
    "span": (".memproto table", ".memproto tbody", ".memproto tr"),
}
_SELECTORS = {tag: ",".join(each) for tag, each in _READ_AS.items()}
_ANY = ",".join((*_SELECTORS.values(), _GRIDS))


def read_as(root: LexborNode) -> dict[int, str]:
    """Return the tag that an element within is read as, by its id in memory."""
    tags: dict[int, str] = {}
    if root.css_first(_ANY) is None:
        return tags
    for tag, selector in _SELECTORS.items():
        tags |= {each.mem_id: tag for each in root.css(selector)}
    for grid in root.css(_GRIDS):
        cells = [each for each in grid.iter() if any(c.startswith("col-") for c in _classes(each))]
        if cells:
            tags[grid.mem_id] = "table"
        for cell in cells:
            tags[cell.mem_id] = "th" if "table-header" in _classes(cell) else "td"
    return tags


def is_between_lines(text: LexborNode) -> bool:
    """Tell the blanks between the lines of code where each is an element."""
    around = text.parent
    return (
        around is not None
        and around.tag == "div"
        and "fragment" in _classes(around)
        and not (text.text_content or "").strip()
    )


def begins_row(cell: LexborNode) -> bool:
    """Tell whether a cell, however it is written, is the first of a row that is no element."""
    if cell.tag != "div":
        return False
    before = element_before(cell)
    return before is None or _LAST in _classes(before)


def _classes(node: LexborNode) -> list[str]:
    return (node.attributes.get("class") or "").split()
