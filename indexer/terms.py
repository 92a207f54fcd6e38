"""Text -> terms: the one tokenizer, for passages and queries alike.

Works word by word, which makes it total and lets it remember words. Knows no passages.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from threading import Lock

import Stemmer

from indexer.stopwords import STOP_WORDS

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_CJK_RUNS = re.compile(f"[{CJK}]+|[^{CJK}]+")
_IS_CJK = re.compile(f"[{CJK}]")
_COMPOUND = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)"  # 4,096
    r"|[A-Za-z](?:\+\+|#)(?!\w)"  # C++, F#
    r"|[^\W_]+(?:[-_.'/]+[^\W_]+)*"
)
_JOINTS = re.compile(r"[-_./]+")
_NUMBER = re.compile(r"v?\d+(?:\.\d+)*")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STEMMED = {"en": "english"}
_REMEMBERED = 64
"""Words of more characters are not kept in memory."""
_MOST_WORDS = 2**17
"""So many words are kept: those met first, the common ones among them."""


def terms(text: str, language: str = "en") -> list[str]:
    """Return the terms of a text in its order, repetitions kept.

    Compatibility forms and case are folded (NFKC, casefold). A compound such as `kv-cache`,
    `Msg_IDT_ZOOM`, `camelCase` or `v5.3.2` gives itself and its parts; `4,096` is `4096`. English
    words are stemmed (Snowball) and the most common ones left out; Chinese, Japanese and Korean
    runs give pairs of characters. Any string is accepted.
    """
    return list(chain.from_iterable(map(words_terms(language).__getitem__, text.split())))


def word_terms(word: str, language: str = "en") -> tuple[str, ...]:
    """Return the terms of one word: a run of characters without blanks."""
    return words_terms(language)[word]


@cache
def words_terms(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return what gives the terms of any word: the same as `word_terms`, for many words."""
    return _Known(language)


class _Known(dict[str, tuple[str, ...]]):
    """Words met before with their terms: most words of a text are."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __missing__(self, word: str) -> tuple[str, ...]:
        found = _word_terms(word, self._language)
        if len(word) <= _REMEMBERED and len(self) < _MOST_WORDS:
            self[word] = found
        return found


def _word_terms(word: str, language: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", word).replace("\u2019", "'")
    return tuple(
        term
        for match in _COMPOUND.finditer(folded)
        for term in _compound_terms(match[0], language)
        if not (language == "en" and match[0].lower() in STOP_WORDS)
    )


def _compound_terms(compound: str, language: str) -> Iterator[str]:
    if not compound.isascii() and _IS_CJK.search(compound):
        for run in _CJK_RUNS.findall(compound):
            yield from _pairs(run) if _IS_CJK.match(run) else _word_terms(run, language)
        return
    if compound[0].isdigit() and "," in compound:
        yield compound.replace(",", "")
        return
    if _NUMBER.fullmatch(compound):
        yield from _number_terms(compound)
        return
    parts = _JOINTS.split(compound)
    if len(parts) > 1:
        yield "-".join(_stem(part.casefold(), language) for part in parts)
    for part in parts:
        yield _stem(part.casefold(), language)
        yield from _camel_parts(part, language)


def _pairs(run: str) -> Iterator[str]:
    yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))


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


def _camel_parts(part: str, language: str) -> Iterator[str]:
    """Yield the words and numbers a name is made of; single letters and digits mean too little."""
    if part.isalpha() and (part.islower() or part.istitle()):
        return
    if part.isascii() and "'" not in part:
        found = _CAMEL.findall(part)
        if len(found) > 1:
            yield from (_stem(each.casefold(), language) for each in found if len(each) > 1)


@cache
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name, 0)


_stemming = Lock()
"""A Snowball stemmer keeps state while it stems."""


def _stem(word: str, language: str) -> str:
    name = _STEMMED.get(language)
    if name is None or not word.isascii() or word.isdigit():
        return word
    with _stemming:
        stem: str = _stemmer(name).stemWord(word)
    return stem
