"""Text -> terms: the one tokenizer, for passages and queries alike.

Works word by word, which makes it total and lets it remember words. Knows no passages.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import TypeVar

from indexer.compounds import inner_words
from indexer.languages import code
from indexer.scripts import UNBROKEN, is_unbroken, pairs, runs
from indexer.stemming import folded, stem
from indexer.stopwords import stop_words

T = TypeVar("T")

_END = rf"(?![^\W{UNBROKEN}])"
_COMPOUND = re.compile(
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?"  # 4,096
    rf"|[A-Za-z](?:\+\+|#)){_END}"  # C++, F#
    r"|[^\W_]+(?:[-_.'/]+[^\W_]+)*"
)
_JOINTS = re.compile(r"[-_./]+")
_NUMBER = re.compile(r"v?\d+(?:\.\d+)*")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_APART = re.compile(r"[a-z]{2,3}:")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u200d\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef"  # soft hyphens and joiners
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # points of Hebrew
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc]+"  # marks of Arabic, and its long stroke
)
"""What a word may be written with or without. Its joint (U+200C) a stemmer of Persian needs."""
REMEMBERED = 64
"""Words of more characters are not kept in memory."""
MOST_WORDS = 2**17
"""So many words are kept: those met first, the common ones among them."""


def terms(text: str, language: str = "en") -> list[str]:
    """Return the terms of a query in its order, repetitions kept.

    Compatibility forms and case are folded (NFKC, casefold). A compound such as `kv-cache`,
    `Msg_IDT_ZOOM`, `camelCase` or `v5.3.2` gives itself and its parts; `4,096` is `4096`. Words
    are stemmed (Snowball) and the most common ones left out; runs of scripts without blanks between
    words give pairs of characters. Any string is accepted.

    A language with a colon, such as `de:`, is kept apart from the site's own: its words get that
    prefix, so that no stem meets one of another language by accident. Numbers, names with digits
    and pairs of characters are the same in all languages.
    """
    return list(chain.from_iterable(map(_asked(language).__getitem__, text.split())))


def page_line(text: str, language: str = "en") -> str:
    """Return what a page is found by, with a blank between: its terms, and words within its words.

    These are the parts of German and other compounds, and single Chinese or Korean characters.
    """
    return " ".join(filter(None, map(_lines(language).__getitem__, text.split())))


def word_terms(word: str, language: str = "en") -> list[str]:
    """Return the terms of one word of a page: a run of characters without blanks."""
    return _of_pages(language).terms(word)


@cache
def _of_pages(language: str) -> "_Words":
    return _Words(language, True)


@cache
def _asked(language: str) -> Mapping[str, tuple[str, ...]]:
    of = _Words(language, False)
    return _Remembered(lambda word: tuple(of.terms(word)))


@cache
def _lines(language: str) -> Mapping[str, str]:
    """To index a page, lines of terms are quicker than lists."""
    of = _of_pages(language)
    return _Remembered(lambda word: " ".join(of.terms(word)))


class _Remembered(dict[str, T]):
    """Words met before with what was made of them: most words of a text are."""

    def __init__(self, make: Callable[[str], T]) -> None:
        self._make = make

    def __missing__(self, word: str) -> T:
        made = self._make(word)
        if len(word) <= REMEMBERED and len(self) < MOST_WORDS:
            self[word] = made
        return made


class _Words:
    """The terms of words in one language."""

    def __init__(self, language: str, page: bool) -> None:
        self._prefix = language if _APART.fullmatch(language) else ""
        bare = language.removesuffix(":")
        self._language = code(bare) or bare
        self._page = page
        self._stop_words = stop_words(self._language)

    def terms(self, word: str) -> list[str]:
        """Return the terms of a word."""
        if not word.isascii():
            word = unicodedata.normalize("NFKC", word).replace("\u2019", "'")
            word = _UNSEEN.sub("", word)
        found: list[str] = []
        for match in _COMPOUND.finditer(shape(word)):
            compound = word[match.start() : match.end()]
            if self._bare(compound) not in self._stop_words:
                found += self._of_compound(compound)
        return found

    def _bare(self, compound: str) -> str:
        """Return a word as the stop words are written: `qu'il` is `il`, in French and its like."""
        lower = folded(compound, self._language)
        return lower.rpartition("'")[2] if self._language in ("ca", "fr", "it") else lower

    def _of_compound(self, compound: str) -> list[str]:
        if not compound.isascii() and is_unbroken(compound):
            return list(chain.from_iterable(map(self._of_run, runs(compound))))
        if compound[0].isdigit() and "," in compound:
            return [compound.replace(",", "")]
        if _NUMBER.fullmatch(compound):
            return list(_number_terms(compound))
        parts = _JOINTS.split(compound)
        found = []
        if len(parts) > 1:
            stems = (stem(self._folded(part), self._language) for part in parts)
            found.append(self._apart("-".join(stems)))
        for part in parts:
            whole = self._stem(self._folded(part))
            found.append(whole)
            found += self._within(part, whole)
        return found

    def _of_run(self, run: str) -> Iterable[str]:
        return pairs(run, self._page) if is_unbroken(run) else self.terms(run)

    def _folded(self, part: str) -> str:
        return folded(part, self._language)

    def _stem(self, word: str) -> str:
        return self._apart(stem(word, self._language))

    def _apart(self, term: str) -> str:
        """Return a term as one of this language, unless it is the same in all."""
        same = not self._prefix or any(map(str.isdigit, term))
        return term if same else self._prefix + term

    def _within(self, part: str, whole: str) -> list[str]:
        """Return the terms of the words and numbers a name or compound is made of."""
        if part.isalpha() and (part.islower() or part.istitle()):
            if not self._page:
                return []
            inner = map(self._stem, inner_words(self._folded(part), self._language))
            return [each for each in dict.fromkeys(inner) if each != whole]
        if part.isascii() and "'" not in part:
            found = _CAMEL.findall(part)
            if len(found) > 1:  # of which single letters and digits mean too little
                return [self._stem(self._folded(each)) for each in found if len(each) > 1]
        return []


def shape(word: str) -> str:
    """Return a word with a letter for each mark that a letter before it bears.

    To `re`, marks such as the vowel signs of Hindi are borders of words.
    """
    if word.isascii():
        return word
    found = ""
    for character in word:
        is_mark = character == "\u200c" or unicodedata.category(character)[0] == "M"
        found += character if not is_mark else "x" if found[-1:].isalpha() else " "
    return found


def _number_terms(number: str) -> Iterator[str]:
    """Yield a number as it is; a version also without its `v`, and in parts if it has three."""
    yield number
    bare = number.removeprefix("v")
    if bare != number:
        yield bare
    parts = bare.split(".")
    if len(parts) > 2:
        yield ".".join(parts[:2])
        yield from parts
