"""Headings' anchors where a generator does not make them as GitHub does.

Each rule takes a heading's plain text. Knows no generator and no other heading of the page.
"""

import re
import unicodedata
from urllib.parse import quote

_EMOJI = re.compile(r"(?<!\w):(?:[a-z][\w+-]*|[+-]1|100|1234):(?!\w)")
_NOT_IN_LINKS = re.compile(r"%%|\[\[|\]\]|[:#|^\\]")
_SIGN = re.compile(r"[!-/:-@\[-`{-~]")
_BEFORE_LETTER = re.compile(r"\A[^a-zA-Z]+")


def of_kramdown(heading: str) -> str:
    """Return Jekyll's: nothing before the first letter, ASCII letters, digits and hyphens alone."""
    bare = _BEFORE_LETTER.sub("", heading)
    return re.sub(r"[^a-z0-9 -]", "", bare.lower()).replace(" ", "-") or "section"


def of_python_markdown(heading: str) -> str:
    """Return MkDocs's: letters without their accents, one hyphen for a run of blanks."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def of_docutils(heading: str) -> str:
    """Return that of reStructuredText: a hyphen for each run of what is no letter and no digit."""
    plain = unicodedata.normalize("NFKD", heading.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-").lstrip("0123456789-")


def of_pandoc(heading: str) -> str:
    """Return Quarto's: nothing before the first letter; dots and underscores stay."""
    kept = re.sub(r"\s+", "-", re.sub(r"[^\w\s.-]", "", heading.lower()).strip())
    return re.sub(r"\A[\W\d_]+", "", kept) or "section"


def of_markdown_it(heading: str) -> str:
    """Return that of its plugin for anchors: lower case, hyphens for blanks, the rest escaped."""
    return quote(re.sub(r"\s+", "-", heading.strip().lower()), safe="!~*'()", errors="replace")


def of_uslug(heading: str) -> str:
    """Return that of uslug: letters, digits, `-`, `_` and `~`; one hyphen for a run of blanks."""
    kept = "".join(map(_by_uslug, unicodedata.normalize("NFKC", heading)))
    return re.sub(r"[\s-]+", "-", kept.strip()).lower()


def _by_uslug(char: str) -> str:
    kind = unicodedata.category(char)[0]
    if char in "-_~" or (kind in "LNM" and char <= "\uffff"):
        return char
    return " " if kind == "Z" else ""


def of_vitepress(heading: str) -> str:
    """Return VitePress's: no accents, no `:rocket:`, a hyphen for what is no letter."""
    plain = unicodedata.normalize("NFKD", _EMOJI.sub("", heading))
    plain = re.sub("[\u0300-\u036f]", "", plain)
    slug = re.sub(r"[\s~`!@#$%^&*()\-_+=[\]{}|\\;:\"'“”‘’<>,.?/]+", "-", plain).strip("-")
    return re.sub(r"\A(\d)", r"_\1", slug).lower()


def of_obsidian(heading: str) -> str:
    """Return that of Publish: `+` for a run of blanks and of what no link to a heading may hold."""
    words = _NOT_IN_LINKS.sub(" ", heading).split()
    quoted = (_SIGN.sub(lambda sign: quote(sign[0], safe="-_.!~*'()"), word) for word in words)
    return "+".join(quoted)
