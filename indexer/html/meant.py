"""Elements that are written as others.

Javadoc writes the cells of a table as `div`, Doxygen the lines of code.
"""

from selectolax.lexbor import LexborNode

from indexer.html.elements import element_before

_LAST = "col-last"
_NOTES = "a.brackets,span.brackets"
"""Numbers of notes around which Docutils' style writes brackets, unless the page does."""
_NOTE_TEXTS = ".footnote>.label~p:first-of-type,.citation>.label~p:first-of-type"
"""What Docutils' style places beside the number of a note."""
_NOTE_HEADINGS = "h4>a[href^='#DOCF'],h5>a[href^='#DOCF']"
"""Texinfo's numbers below the page."""
_BOXES = ("note", "tip", "warning", "caution", "important")
_NO_HEADINGS = ",".join(
    [
        *(f"div.{each}>h3.title" for each in _BOXES),
        *(f".titlepage h3.{each}" for each in ("author", "corpauthor", "subtitle")),
    ]
)
"""Docbook's, that begin no section: what stands behind a note is not part of it."""
_BOX_TABLES = ",".join(f"div.{each}>table:only-child" for each in _BOXES)
"""Docbook's, that place a picture beside a note."""
_GRIDS = "div.summary-table"
_DOXYGEN = {
    ".headertitle>.title": "h1",
    "div.fragment": "pre",
    ".memproto table,.memproto tbody,.memproto tr": "span",
    ".memproto td,.memberdecls td.memItemLeft,.memberdecls td.memItemRight": "beside",
}
"""Titles and code are `div`; what is declared is spread over the cells of tables."""
_ANY = ",".join((_NOTES, _NOTE_TEXTS, _NOTE_HEADINGS, _NO_HEADINGS, _BOX_TABLES, _GRIDS, *_DOXYGEN))


def read_as(root: LexborNode) -> dict[int, str]:
    """Return the tag that an element within is read as, by its id in memory."""
    if root.css_first(_ANY) is None:
        return {}
    notes = (each for each in root.css(_NOTES) if each.css_first(".fn-bracket") is None)
    tags = {note.mem_id: "note" for note in notes}
    for link in root.css(_NOTE_HEADINGS):
        if link.parent is not None:
            tags[link.parent.mem_id] = "p"
    tags |= {each.mem_id: "beside" for each in root.css(_NOTE_TEXTS)}
    tags |= {each.mem_id: "p" for each in root.css(_NO_HEADINGS)}
    tags |= {each.mem_id: "div" for each in root.css(_BOX_TABLES)}
    for selector, tag in _DOXYGEN.items():
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
