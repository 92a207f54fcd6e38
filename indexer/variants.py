"""Versions and languages of one article, told by their folders and names.

A folder is a language or a version only where its pages lie in another place too, under the same
names. Knows no files and no text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

_CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy
da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu
hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb
lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om
or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw
ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_LANGUAGES = frozenset(_CODES.split())
_REGION = re.compile(r"([a-z]{2})(?:[-_](?:[A-Za-z]{2}|[A-Z][a-z]{3}|\d{3}))?")
_NUMBERED = re.compile(
    r"(?:version-|v|release-)\d+(?:\.\d+|\.x)*(?:-[a-z0-9.]+)?|\d+(?:\.\d+|\.x)+"
)
_CURRENT = ("latest", "stable", "current")
_COMING = ("next", "dev", "main", "master", "unreleased", "nightly", "canary", "edge")
_DEEPEST = 4
_LEAST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Variant:
    """Which language and version of an article a page is; empty for the only or main one."""

    language: str = ""
    version: str = ""


def _nothing(_path: str) -> Variant | None:
    """Say nothing of any path."""
    return None


@dataclass(frozen=True, slots=True)
class Told:
    """What a generator says of the paths of its pages."""

    variant: Callable[[str], Variant | None] = _nothing
    """What a path is; None where that is left to the folders."""
    folders: Mapping[str, str] | None = None
    """The folders that are languages, by path; None where that is left to their names."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pages of one language and one version, and how many there are of others."""

    paths: tuple[str, ...]
    """The pages to read."""
    kept: Variant
    """What they are; empty where there is but one."""
    languages: int = 0
    """Pages in other languages."""
    versions: int = 0
    """Pages of other versions."""
    spoken: Mapping[str, str] = field(default_factory=dict)
    """The language of each page whose place says one."""


ALL = "all"
"""For languages or versions: none is left out."""


def choose(
    paths: list[str],
    language: str,
    told: Told,
    languages: tuple[str, ...] = (),
    versions: tuple[str, ...] = (),
) -> Chosen:
    """Return the pages in the site's language and of its current version, or in those named."""
    found = variants_of(paths, language, told)
    main = preferred_language((each.language for each, _ in found.values()), language)
    spoken = _kept(
        {path: (each.language, key) for path, (each, key) in found.items()}, languages, main
    )
    placed = {path: (found[path][0].version, found[path][1]) for path in spoken}
    outside = {key for version, key in placed.values() if not version}
    numbered = {version for version, _ in placed.values() if version}
    beside = any(version and key in outside for version, key in placed.values())
    current = "" if beside else max(numbered, key=_rank, default="")
    kept = _kept(placed, versions, current)
    return Chosen(
        tuple(kept), Variant(main, current), len(paths) - len(spoken), len(spoken) - len(kept),
        {path: said for path in kept if (said := found[path][0].language)},
    )  # fmt: skip


def _kept(placed: dict[str, tuple[str, str]], wanted: tuple[str, ...], main: str) -> list[str]:
    """Return the paths of what is wanted, by default the main one.

    A page that lies in no folder of the kind stays, unless the main one has it too.
    """
    if ALL in wanted:
        return list(placed)
    names = wanted or (main,)
    there = {key for value, key in placed.values() if value in names and value}
    return [
        path for path, (value, key) in placed.items()
        if value in names or (not value and key not in there)
    ]  # fmt: skip


def variants_of(paths: list[str], language: str, told: Told) -> dict[str, tuple[Variant, str]]:
    """Return what each page is, and the path that is the same for all its variants.

    `language` is that of the site.
    """
    languages = {} if told.folders is not None else _axis(paths, _is_language, language)
    versions = _axis(paths, _is_version, "")
    names = set(paths)
    found = {}
    for path in paths:
        if said := told.variant(path):
            found[path] = said, path
            continue
        if told.folders is not None:
            spoken, without = _in_folder(path, told.folders)
        else:
            by_folder, without = _value(path, languages, path)
            by_name, without = _language_of_name(path, names, without)
            spoken = by_folder or by_name
        version, without = _value(path, versions, without)
        found[path] = Variant(spoken, version), without
    return found


def preferred_language(found: Iterable[str], language: str) -> str:
    """Return the language to keep: the site's, else that without a name, else the commonest."""
    counts = Counter(found)
    same = [each for each in counts if each and _base(each) == _base(language)]
    if language in counts or same:
        return language if language in counts else min(same)
    return "" if "" in counts else max(sorted(counts), key=lambda each: counts[each], default="")


def _rank(version: str) -> tuple[int, list[int], str]:
    numbers = [int(each) for each in re.findall(r"\d{1,9}", version)]
    if version in _CURRENT:
        return 3, [len(_CURRENT) - _CURRENT.index(version)], version
    return (1 if version in _COMING else 2), numbers, version


def _is_language(name: str) -> bool:
    match = _REGION.fullmatch(name)
    return bool(match) and match[1] in _LANGUAGES  # type: ignore[index]


def _is_version(name: str) -> bool:
    return name in _CURRENT or name in _COMING or bool(_NUMBERED.fullmatch(name))


def _base(language: str) -> str:
    return re.split("[-_]", language.lower())[0]


def _axis(paths: list[str], fits: Callable[[str], bool], sure: str) -> dict[str, str]:
    """Return the folders, by path, that are a language or a version, and which."""
    found: dict[str, str] = {}
    inside: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in paths:
        parts = path.split("/")
        for depth, name in enumerate(parts[:-1][:_DEEPEST]):
            if fits(name):
                inside["/".join(parts[:depth])][name].add("/".join(parts[depth + 1 :]))
                break
    for parent, children in inside.items():
        start = f"{parent}/" if parent else ""
        outside = {path[len(start) :] for path in paths if path.startswith(start)} - {
            f"{child}/{rest}" for child, rests in children.items() for rest in rests
        }
        counts = Counter(rest for rests in children.values() for rest in rests)
        counts.update(outside)
        for child, rests in children.items():
            shared = sum(counts[rest] > 1 for rest in rests)
            least = 1 if sure and sure in children else 2
            if shared >= least and shared >= _LEAST_SHARE * len(rests):
                found[start + child] = child
    return found


def _value(path: str, axis: dict[str, str], rest: str) -> tuple[str, str]:
    """Return what the folders of a path say, and `rest` without that folder."""
    at = path.find("/")
    while axis and at > 0:
        if name := axis.get(path[:at], ""):
            return name, rest.replace(f"{name}/", "", 1)
        at = path.find("/", at + 1)
    return "", rest


def _in_folder(path: str, folders: Mapping[str, str]) -> tuple[str, str]:
    """Return what the innermost of the folders that a path lies in says, and the path in it."""
    parts = path.split("/")
    for depth in range(len(parts) - 1, -1, -1):
        if (folder := "/".join(parts[:depth])) in folders:
            return folders[folder], "/".join(parts[depth:])
    return "", path


def _language_of_name(path: str, names: set[str], rest: str) -> tuple[str, str]:
    """Return `fr` for `page.fr.md` where there is a `page.md`, or one in another language."""
    start, _, suffix = path.rpartition(".")
    bare, _, language = start.rpartition(".")
    if not bare or not _is_language(language):
        return "", rest
    others = (f"{bare}.{each}.{suffix}" for each in _LANGUAGES if each != language)
    if f"{bare}.{suffix}" in names or any(other in names for other in others):
        return language, rest.replace(f".{language}.", ".", 1)
    return "", rest
