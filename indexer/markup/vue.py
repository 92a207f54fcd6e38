"""Vue in Markdown: tags of components go, and the text they enclose stays; `v-pre` keeps braces."""

import re

from indexer.markup.liquid import literal_markup
from indexer.markup.mdx import said
from indexer.markup.spans import gaps_filled

_ATTRIBUTES = r"(?:\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)?"
_NAME = r"[A-Z][\w.-]*|[a-z][a-z0-9]*(?:-[\w.]+)+|component|transition|teleport|suspense"
_COMPONENT = re.compile(rf"(?<!\\)</?(?:{_NAME}){_ATTRIBUTES}/?>")
_PRE_TAG = re.compile(r"<([A-Za-z][\w-]*)(?=[^<>]*\sv-pre[\s/>])[^<>]*>")
_PRE_BOX = re.compile(r"^[ \t]*(:{3,})[ \t]*v-pre[ \t]*$", re.M)
_MOST_PRE = 20_000
"""Characters that are looked through for the end of what is shown as it is."""


def without_components(text: str) -> str:
    """Take away the tags of components, whose names have a capital or a hyphen, or are Vue's own.

    To be done before those of elements: a `<Button>` is no `<button>`.
    """
    if "<" not in text:
        return text
    return gaps_filled(_COMPONENT.sub(lambda match: said(match[0]), text))


def v_pre_kept(text: str) -> str:
    """Keep the braces of what is shown as it is: in `<span v-pre>` and `::: v-pre`."""
    if "v-pre" not in text:
        return text
    text = _literal_within(_PRE_TAG, r"</{}\s*>", text)
    return _literal_within(_PRE_BOX, r"^[ \t]*{}[ \t]*$", text)


def _literal_within(opening: re.Pattern[str], closing: str, text: str) -> str:
    """Keep the braces up to the mark that closes what the group of `opening` names."""
    parts, at, without = [], 0, dict[str, int]()
    while start := opening.search(text, at):
        ends = re.compile(closing.format(start[1]), re.M | re.I)
        first, last = max(start.end(), without.get(start[1], 0)), start.end() + _MOST_PRE
        end = ends.search(text, first, last)
        if end is None:
            without[start[1]] = last  # so far none is looked for again
        inner = text[start.end() : end.start()] if end else ""
        parts += [text[at : start.end()], literal_markup(inner)]
        at = start.end() + len(inner)
    return "".join([*parts, text[at:]])
