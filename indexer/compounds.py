"""Words within a German compound, such as `Speicher` in `Arbeitsspeicher`, without a dictionary.

A part is a guess by how German words begin and end. A wrong one does little harm: it is hardly
ever asked for. Knows no stems.
"""

import re
from collections.abc import Iterator

_SHORTEST = 4
"""Characters a part has at least."""
_VOWEL = "[aeiouyäöü]"
_ONSET = (
    "(?:[bcdfghjklmnprstvwz]|[bfgkp][lr]|[dtvw]r|[gk]n|ch|pf|ph|qu|th|tr|zw|sch[lmnrw]?|s[kpt]|sp[lr]"
    "|str)"
)
"""Consonants that a word may begin with."""
_VOWEL_FIRST = (
    "(?:a[bcdgklnrst]|auf|aus|aut|ein|emp|end|ent|er[fgklsz]|ex|id|im|in|ob|op|or|um|un|ur"
    "|üb|öff|änd)"
)
"""How words begin that begin with a vowel; most syllables that do begin no word."""
_NO_WORD = "(?:t?ion|t?ier|[bdglnrstz]ung|keit|heit|lich|bar[es]?|sam)"
"""What only ends a word."""
_HEAD_ENDS = re.compile(
    r"(?!.*(?<!ser)ver$)"  # Versicherung is no Sicherung
    f".*(?:{_VOWEL}(?:[bdfgklmnprstxz]|[fklmnprst]{{2}}|c[hk]|[cs]ch|[lnr][bdgkmz]|ng|cht|[lnr]?kt|tz|mpf)s?"
    "|[^aeiou]e|[ae]i|ie)"
)
_TAIL_BEGINS = re.compile(f"(?!{_NO_WORD})(?:{_ONSET}{_VOWEL}|{_VOWEL_FIRST})")


def inner_words(word: str, language: str) -> Iterator[str]:
    """Yield what a long word may begin and end with; nothing in other languages than German."""
    if language != "de":
        return
    for at in range(_SHORTEST, len(word) - _SHORTEST + 1):
        if _TAIL_BEGINS.match(word, at) and _HEAD_ENDS.fullmatch(word, 0, at):
            yield word[:at]
            yield word[at:]
