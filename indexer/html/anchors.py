"""Where on its page a heading can be jumped to: the ids that the page gives. Knows no rules."""

import re

from selectolax.lexbor import LexborNode

from indexer.html.elements import element_before

_SECTIONS = ("section", "article")
_SECTION_CLASS = re.compile(
    r"(?:sub)*sect|ref(?:entry|namediv|synopsisdiv|sect)|chapter|appendix|unnumbered|preface"
    r"|biblio|gloss"
)
"""How classes begin that Docbook and Texinfo give to sections."""
_HEADINGS = "h1,h2,h3,h4,h5,h6"
_FAR = 6


def anchor_of(heading: LexborNode) -> str | None:
    """Return the id of a heading, of an anchor in or before it, or of the section it begins."""
    for node in (heading, *heading.css("a[id],a[name],span[id]")):
        if name := _name(node):
            return name
    before = element_before(heading)
    if before is not None and before.tag in ("a", "span", "div") and not before.text().strip():
        return _name(before) or None
    here = heading.parent
    for _ in range(_FAR):
        if here is None or here.tag in ("body", "main", "html") or not _begins(here, heading):
            return None
        if _is_section(here) and (name := _name(here) or _name_within(here)):
            return name
        here = here.parent
    return None


def _begins(node: LexborNode, heading: LexborNode) -> bool:
    first = node.css_first(_HEADINGS)
    return first is not None and first.mem_id == heading.mem_id


def _is_section(node: LexborNode) -> bool:
    classes = (node.attributes.get("class") or "").split()
    return node.tag in _SECTIONS or any(map(_SECTION_CLASS.match, classes))


def _name_within(section: LexborNode) -> str:
    """Return the name of the anchor that a section begins with."""
    first = next(iter(section.iter()), None)
    return _name(first) if first is not None and first.tag == "a" else ""


def _name(node: LexborNode) -> str:
    name = node.attributes.get("id") or (node.tag == "a" and node.attributes.get("name")) or ""
    return "" if any(map(str.isspace, name)) else name
