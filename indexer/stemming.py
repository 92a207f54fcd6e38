"""A word -> its stem, by the Snowball algorithm of its language. Knows no texts."""

from functools import cache
from threading import Lock

import Stemmer

from indexer.scripts import FOREIGN

_ALGORITHMS = {
    "ar": "arabic", "bs": "serbian", "ca": "catalan", "cs": "czech", "da": "danish",
    "de": "german", "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish",
    "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hr": "serbian", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali",
    "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""By the ISO 639-1 code of the language."""
_DOTLESS = str.maketrans("Iİ", "ıi")
_ONE_LETTER = str.maketrans("أإآٱىیکة", "ااااييكه", "\u200c")
"""Letters of Arabic that are typed one for the other, and the joint that Persian may leave out."""


def folded(word: str, language: str) -> str:
    """Return a word without the difference of upper and lower case."""
    if language in ("tr", "az"):
        word = word.translate(_DOTLESS)
    return word.casefold()


def stem(word: str, language: str) -> str:
    """Return the stem of a folded word; the word itself where the language has no stemmer.

    Latin words in a language of another script are taken for English.
    """
    if word.isdigit():
        return word
    if word.isascii():
        name = _ALGORITHMS.get("en" if language in FOREIGN else language)
    elif language == "en":
        return word.translate(_ONE_LETTER)
    else:
        name = _ALGORITHMS.get(language)
    if name:
        with _stemming:
            word = _stemmer(name).stemWord(word)
    return word if word.isascii() else word.translate(_ONE_LETTER)


@cache
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name, 0)


_stemming = Lock()
"""A Snowball stemmer keeps state while it stems."""
