"""Ids of headings that are made of their source: of what is not filled in yet, and of no tags."""

import re
from collections.abc import Callable

from indexer.markup.marks import made_of

_HEADING = re.compile(r"^( {0,3}#{1,6})(?=[ \t])([^\n]*)$", re.M)
_ADDING = re.compile(r"[<{&]|!\[")
"""Without one of these, the text a reader sees is what the id is made of."""
_MOST = 1000
"""So many characters of a heading are looked at."""
_TARGET = r"\((?:[^()\n]|\([^()\n]*\))*\)"
_NOT_IN_IDS = re.compile(
    rf"!\[[^\]\n]*\]{_TARGET}|(?<=\]){_TARGET}|(?<!\\)\*+"
    r"|(?<!\\)</?[A-Za-z][\w.-]*(?=[\s/>])(?:[^<>\"'\n]|\"[^\"\n]*\"|'[^'\n]*')*>"
)


def ids_of_source(text: str, slug: Callable[[str], str]) -> str:
    """Say of which text the ids are made, where that is not the one a reader sees.

    What stands for code in it is known only later: then it is made into a slug once more.
    """

    def named(match: re.Match[str]) -> str:
        signs, source = match.groups()
        if not _ADDING.search(source):
            return match[0]
        return signs + made_of(slug(_NOT_IN_IDS.sub("", source[:_MOST]))) + source

    return _HEADING.sub(named, text)
