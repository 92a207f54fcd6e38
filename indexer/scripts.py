"""Scripts: which languages are written in them, and what a run of them without blanks gives.

Knows neither stems nor stop words.
"""

import re
import unicodedata
from collections.abc import Iterator

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HANGUL = "\uac00-\ud7af"
_KANA = "\u3040-\u30ff"
CJK = f"{_HAN}{_KANA}{_HANGUL}"
"""Chinese, Japanese and Korean characters, for a class of a regular expression."""
SOUTH_EAST = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese and Khmer, likewise."""
UNBROKEN = f"{CJK}{SOUTH_EAST}"
# Patterns of so many characters take long to compile, so `re` does it when one is first used.
_RUNS = f"[{UNBROKEN}]+|[^{UNBROKEN}]+"
_IS_UNBROKEN = f"[{UNBROKEN}]"
_MEANS_ALONE = f"[{_HAN}{_HANGUL}]"
_LONE_HAN = f"(?<![{_HAN}])[{_HAN}](?![{_HAN}])"

LATIN = "Latin"
_WRITTEN = {
    "Cyrillic": ("\u0400-\u052f", ("ru", "uk", "bg", "sr", "be", "mk", "kk", "ky", "mn", "tg")),
    "Greek": ("\u0370-\u03ff\u1f00-\u1fff", ("el",)),
    "Arabic": ("\u0620-\u06ff", ("ar", "fa", "ur", "ps", "ug")),
    "Hebrew": ("\u05d0-\u05f2", ("he", "yi")),
    "Devanagari": ("\u0900-\u097f", ("hi", "ne", "mr")),
    "Armenian": ("\u0530-\u058f", ("hy",)),
    "Georgian": ("\u10a0-\u10ff", ("ka",)),
    "Bengali": ("\u0980-\u09ff", ("bn", "as")),
    "Gurmukhi": ("\u0a00-\u0a7f", ("pa",)),
    "Gujarati": ("\u0a80-\u0aff", ("gu",)),
    "Tamil": ("\u0b80-\u0bff", ("ta",)),
    "Telugu": ("\u0c00-\u0c7f", ("te",)),
    "Kannada": ("\u0c80-\u0cff", ("kn",)),
    "Malayalam": ("\u0d00-\u0d7f", ("ml",)),
    "Sinhala": ("\u0d80-\u0dff", ("si",)),
    "Ethiopic": ("\u1200-\u137f", ("am", "ti")),
    "Thai": ("\u0e00-\u0e7f", ("th",)),
    "Lao": ("\u0e80-\u0eff", ("lo",)),
    "Burmese": ("\u1000-\u109f", ("my",)),
    "Khmer": ("\u1780-\u17ff", ("km",)),
    "Hangul": (_HANGUL, ("ko",)),
    "Kana": (_KANA, ("ja",)),
    "Han": (_HAN, ("zh",)),
}
"""Characters of each script, and the languages written in it, the commonest first."""
WRITTEN_IN = {script: languages for script, (_, languages) in _WRITTEN.items()}
"""The languages of each script but the Latin one."""
FOREIGN = frozenset(code for languages in WRITTEN_IN.values() for code in languages) - {"sr"}
"""The languages in whose texts a Latin word is none of their own. Serbian is written both ways."""
_OF_SCRIPT = "|".join(f"(?P<{name}>[{s}]+)" for name, (s, _) in _WRITTEN.items())
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")
_NOT_LATIN = re.compile(r"[^\x00-\u024f]+")
_DENSE = 2.5
"""So many Latin letters say what one character says of Chinese, Japanese or Korean."""
_JAPANESE = 0.1
"""Of kana among kana and Chinese characters."""


def script_of(text: str) -> tuple[str, float]:
    """Return the script that most of a text is in, and how many letters of it there are."""
    others = "".join(_NOT_LATIN.findall(text))
    if not others:
        return LATIN, len(text)
    counts = {LATIN: float(sum(map(len, _LATIN.findall(text))))}
    for match in re.finditer(_OF_SCRIPT, others):
        name = str(match.lastgroup)
        weight = _DENSE if name in ("Kana", "Han", "Hangul") else 1.0
        counts[name] = counts.get(name, 0.0) + weight * len(match[0])
    kana, han = counts.pop("Kana", 0.0), counts.pop("Han", 0.0)
    counts["Kana" if kana > _JAPANESE * (kana + han) else "Han"] = kana + han
    return max(counts.items(), key=lambda pair: pair[1])


def is_unbroken(text: str) -> bool:
    """Return whether some of a text is in a script that has no blanks between words."""
    return bool(re.search(_IS_UNBROKEN, text))


def runs(text: str) -> list[str]:
    """Return a text in runs that are, or are not, in a script without blanks between words."""
    return re.findall(_RUNS, text)


def pairs(run: str, page: bool) -> Iterator[str]:
    """Yield what a run without blanks is found by: each two characters that follow each other.

    A Chinese character between kana is a word's stem and found by itself: 書く finds 書いた. Of a
    page, so is every Chinese or Korean character, since one may be all that is asked for.
    """
    parts = _whole_characters(run)
    yield from ("".join(parts[at : at + 2]) for at in range(max(1, len(parts) - 1)))
    if len(parts) > 1:
        if page:
            yield from (part for part in parts if re.match(_MEANS_ALONE, part))
        else:
            yield from re.findall(_LONE_HAN, run)


def _whole_characters(run: str) -> list[str]:
    """Return the characters of a run, each with the marks that are written over and under it."""
    parts: list[str] = []
    for character in run:
        if parts and unicodedata.category(character)[0] == "M":
            parts[-1] += character
        else:
            parts.append(character)
    return parts
