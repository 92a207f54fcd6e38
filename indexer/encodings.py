"""The encoding of a text that is not UTF-8: as it declares, as it looks, or Windows-1252."""

import codecs
import re

_DECLARED = re.compile(
    rb"(?:charset\s*=\s*[\"']?|(?:^|\n)[#;/\s-]*(?:-\*-.{0,40}?coding|(?:file)?encoding|coding)\s*[:=]\s*[\"']?)"
    rb"([A-Za-z][\w.:-]{2,20})"
)
_HEAD = 4096
_SAMPLE = 64 * 1024
_WESTERN = "cp1252"
_CANDIDATES = ["cp1251", "koi8_r", "cp1250", "cp932", "euc_jp", "gb18030", "big5", "cp949"]
_LEAST_SHARE = 0.15
"""Of the bytes beyond ASCII among all that are not blank: European texts stay below it."""
_NAMES = {"cp1252": "Windows-1252", "cp1251": "Windows-1251", "cp1250": "Windows-1250"}


def encoding_of(raw: bytes) -> str:
    """Return the name of the encoding a text that is not UTF-8 is most likely in."""
    return _declared(raw) or _detected(raw) or _WESTERN


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


def _detected(raw: bytes) -> str:
    sample = raw[:_SAMPLE]
    letters = re.sub(rb"\s+", b"", sample)
    beyond = len(re.findall(rb"[\x80-\xff]", letters))
    if beyond < _LEAST_SHARE * len(letters):
        return ""
    from charset_normalizer import from_bytes  # noqa: PLC0415  hardly a page needs it

    best = from_bytes(sample, cp_isolation=_CANDIDATES).best()
    return best.encoding if best else ""
