"""The encoding of a text that is not UTF-8 all through: as it declares, as it looks, or the usual
one of its language.
"""

import codecs
import re

_DECLARED = re.compile(
    rb"(?:charset\s*=\s*[\"']?|(?:^|\n)[#;/\s-]*(?:-\*-.{0,40}?coding|(?:file)?encoding|coding)\s*[:=]\s*[\"']?)"
    rb"([A-Za-z][\w.:-]{2,20})"
)
_HEAD = 4096
_SAMPLE = 64 * 1024
_UTF_8 = "utf-8-sig"
_WESTERN, _CENTRAL = "cp1252", "cp1250"
_CANDIDATES = ["cp1251", "koi8_r", _CENTRAL, "cp932", "euc_jp", "gb18030", "big5", "cp949"]
_USUAL = {
    **dict.fromkeys(("cs", "pl", "hu", "sk", "sl", "hr", "bs", "ro"), (_CENTRAL,)),
    **dict.fromkeys(("ru", "uk", "be", "bg", "sr", "mk"), ("cp1251", "koi8_r")),
    "ja": ("cp932", "euc_jp"),
    "zh": ("gb18030", "big5"),
    "ko": ("cp949",),
}
"""What a language was written in, where that was not Windows-1252."""
_LEAST_SHARE = 0.15
"""Of the bytes beyond ASCII among all that are not blank: European texts stay below it."""
_NEARLY = 0.05
"""How much worse than the best guess one may be that is usual for the language."""
_BEYOND = re.compile(rb"[\x80-\xff]")
_MULTIBYTE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_NOT_WESTERN = re.compile(
    rb"[\x8a\x8d-\x8f\x9a\x9d\x9e]"
    rb"|(?<=[A-Za-z\xc0-\xff])[\xa3\xa5\xaa\xaf\xb3\xb9\xba\xbc\xbe\xbf](?=[A-Za-z\xc0-\xff])"
)
"""Letters in Windows-1250; in Windows-1252 they are signs within a word, or hardly ever needed."""
_LEAST_OF_THEM = 0.1
_NAMES = {
    "cp1252": "Windows-1252",
    "cp1251": "Windows-1251",
    "cp1250": "Windows-1250",
    _UTF_8: "UTF-8 with U+FFFD for the bytes that are not",
}


def encoding_of(raw: bytes, language: str = "") -> str:
    """Return the name of the encoding a text that is not UTF-8 all through is most likely in.

    `language` is that of the site; it decides where the bytes leave a choice.
    """
    sample, usual = raw[:_SAMPLE], _USUAL.get(language[:2].lower(), ())
    if declared := _declared(raw):
        return declared
    if _is_mostly_utf_8(sample):
        return _UTF_8
    found = _detected(sample, usual)
    return found if found not in ("", _CENTRAL) else _latin(sample, usual)


def called(encoding: str) -> str:
    """Return the name of an encoding as people know it."""
    return _NAMES.get(encoding, encoding.replace("_", "-"))


def _declared(raw: bytes) -> str:
    match = _DECLARED.search(raw[:_HEAD])
    if match is None:
        return ""
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
        "".encode(name)
        raw.decode(name, "strict")
    except (LookupError, ValueError, TypeError):
        return ""
    return name


def _is_mostly_utf_8(sample: bytes) -> bool:
    """Tell whether most that is beyond ASCII makes characters, as hardly any does by chance."""
    beyond = len(_BEYOND.findall(sample))
    return sum(map(len, _MULTIBYTE.findall(sample))) * 3 > beyond * 2


def _detected(sample: bytes, usual: tuple[str, ...]) -> str:
    """Return what a text with much beyond ASCII looks like; empty for one with little."""
    letters = re.sub(rb"\s+", b"", sample)
    if len(_BEYOND.findall(letters)) < _LEAST_SHARE * len(letters):
        return ""
    from charset_normalizer import from_bytes  # noqa: PLC0415  hardly a page needs it

    matches = list(from_bytes(sample, cp_isolation=_CANDIDATES))
    near = [each.encoding for each in matches if each.chaos <= matches[0].chaos + _NEARLY]
    return next((each for each in near if each in usual), near[0] if near else "")


def _latin(sample: bytes, usual: tuple[str, ...]) -> str:
    """Return which of two encodings a text in Latin letters is in: most bytes are letters in both.

    That of Central Europe is told by the language, or by letters that would be none.
    """
    signs = len(_NOT_WESTERN.findall(sample))
    is_central = _CENTRAL in usual or signs > _LEAST_OF_THEM * len(_BEYOND.findall(sample))
    return _CENTRAL if is_central else _WESTERN
