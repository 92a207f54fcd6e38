"""The language of a page: what is said of it, unless its text clearly speaks another.

What is said may be wrong: a theme that writes `lang="en"` into every page, a folder that was copied
and never translated. Then the script tells, or words such as `und` and `que` do; code and short
texts never do. Knows no files.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from indexer.scripts import FOREIGN, WRITTEN_IN, script_of
from indexer.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from indexer.blocks import Block

_KEYS = ("lang", "language", "locale", "languageCode")
"""Of front matter."""
_TAG = re.compile(r"([A-Za-z]{2})(?:[-_][A-Za-z0-9]{1,8})*(?:\.[A-Za-z0-9-]+)?")
_SAME = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "ji": "yi", "mo": "ro"}
"""Codes of which another is meant, or is as good."""
_PROSE = frozenset({"paragraph", "list", "quote", "heading", "footnote"})
"""Kinds of blocks that are in a language."""
_NO_PROSE = re.compile(r"`[^`]*`|\]\([^)\s]*\)|<[^>]*>|https?://\S+")
_ENOUGH = 3000
"""So many characters of a page's prose are looked at."""
_LEAST = 20
"""So much of another script there must be."""
_FOUND, _DIFFERENT, _SHARE = 12, 6, 0.08
"""So many words of a language must be found, so many of them different, of all words."""
_MARGIN = 2
"""So many times as many as speak for the language that was expected."""
_AROUND = ".,;:!?¿¡()[]{}«»„“”‘’\"'*_#>-–—…।"


def language_of(blocks: "Iterable[Block]", said: str, site: str) -> str:
    """Return the language of a page as an ISO 639-1 code; empty where it is the site's own.

    `said` is what the page says, or else its folder; it may be empty, or no language at all.
    """
    own = code(site) or site
    found = spoken(_prose(blocks), code(said) or own)
    return "" if found == own else found


def said_in(values: Mapping[str, Any]) -> str:
    """Return the language that front matter names; empty where it names none."""
    texts = (values.get(key) for key in _KEYS)
    return next(filter(None, (code(each) for each in texts if isinstance(each, str))), "")


def code(name: str) -> str:
    """Return the ISO 639-1 code that a tag such as `pt-BR` or `zh_Hans` begins with, or nothing."""
    match = _TAG.fullmatch(name.strip())
    found = match[1].lower() if match else ""
    return _SAME.get(found, found)


def spoken(text: str, expected: str) -> str:
    """Return the language of a text: the expected one, unless there is much that tells another."""
    script, extent = script_of(text)
    others = WRITTEN_IN.get(script, ())
    possible = others or _LATIN
    words = Counter(map(_bare, text.lower().split()))
    counts, speakers = Counter[str](), _speakers()
    for word in words.keys() & speakers.keys():
        for language in speakers[word]:
            counts[language] += words[word]
    best = max(possible, key=counts.__getitem__)
    if others and expected not in possible:
        return best if extent >= _LEAST else expected
    # Of a language whose words are not known nothing can be told.
    known = expected in STOP_WORDS or expected in FOREIGN
    is_other = known and best != expected and _is_clear(best, expected, words)
    return best if is_other else expected


_LATIN = tuple(language for language in STOP_WORDS if language not in FOREIGN)


@cache
def _speakers() -> Mapping[str, tuple[str, ...]]:
    """Return the languages that each word is one of."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in STOP_WORDS.items():
        for word in words:
            found[word] = (*found.get(word, ()), language)
    return found


def _bare(word: str) -> str:
    return word.strip(_AROUND)


def _is_clear(language: str, expected: str, words: Counter[str]) -> bool:
    """Tell whether words speak for one language and not for another, but for those of both."""
    one, other = STOP_WORDS.get(language, frozenset()), STOP_WORDS.get(expected, frozenset())
    found = words.keys() & (one - other)
    speaking = sum(words[word] for word in found)
    against = sum(words[word] for word in words.keys() & (other - one))
    least = max(_FOUND, _SHARE * words.total(), _MARGIN * against)
    return len(found) >= _DIFFERENT and speaking >= least


def _prose(blocks: "Iterable[Block]") -> str:
    """Return the beginning of what is written for people."""
    parts, room = [], _ENOUGH
    for block in blocks:
        if block.kind in _PROSE:
            parts.append(block.text[:room])
            room -= len(parts[-1])
            if room <= 0:
                break
    return _NO_PROSE.sub(" ", "\n".join(parts))
