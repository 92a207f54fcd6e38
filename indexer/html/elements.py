"""What elements of an article are: blocks, headings, code, tables of data, powers and notes."""

import re

from selectolax.lexbor import LexborNode

BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "dir"),
        *(
            "details",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "form",
            "h1",
            "h2",
            "h3",
        ),
        *("h4", "h5", "h6", "header", "hgroup", "hr", "html", "label", "legend", "li", "main"),
        *("ol", "p"),
        *("pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead"),
        *("tr", "ul"),
    )
)
"""Elements that begin and end a line of their own."""
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
CODE = ("samp", "kbd")
"""`code` among them; see `indexer.html.marked`."""
_LAYOUT = "table,h1,h2,h3,h4,h5,h6,pre"
_LANGUAGE = re.compile(r"(?:language|lang|highlight|brush:?)-?\s?([\w+#-]+)")


def holds_data(table: LexborNode) -> bool:
    """Tell a table of data from one that only places things on the page."""
    if any(each.mem_id != table.mem_id for each in table.css(_LAYOUT)):
        return False
    if table.attributes.get("role") in ("presentation", "none"):
        return False
    rows = table.css("tr")
    return len(rows) != 1 or rows[0].css_first("th") is not None or not rows[0].css("ul,ol,dl")


def is_classifier(span: LexborNode) -> bool:
    """Tell the kind of a term, between which and the term Docutils' style writes a colon."""
    return "classifier" in (span.attributes.get("class") or "").split()


def raised(node: LexborNode) -> tuple[str, str]:
    """Return what stands around raised text: a power, or the number of a note."""
    around = node.parent
    is_link = around is not None and (around.attributes.get("href") or "").startswith("#")
    if not is_link and node.css_first("a[href^='#']") is None:
        return "^", ""
    return ("", "") if node.text().strip().startswith(("[", "(")) else ("[", "]")


def language(pre: LexborNode) -> str:
    """Return the language of code, as a class of it or of what is around it says."""
    inner, parent = pre.css_first("samp"), pre.parent
    outer = parent.parent if parent is not None else None
    for node in (pre, inner, parent, outer):
        if node is None:
            continue
        said = node.attributes.get("data-lang") or node.attributes.get("data-language") or ""
        match = _LANGUAGE.search(node.attributes.get("class") or "")
        if said or match:
            name = said or (match[1] if match else "")
            return "" if name in ("default", "none", "text", "plaintext") else name
    return ""


def element_before(node: LexborNode) -> LexborNode | None:
    """Return the element before this one, whatever text stands between; None where it is first."""
    before = node.prev
    while before is not None and not before.is_element_node:
        before = before.prev
    return before
