"""A generator's configuration -> a dictionary. Never runs it: of programs, plain texts are read."""

import json
import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

_PROGRAMS = (".js", ".ts", ".mjs", ".mts", ".cjs", ".py")
_PAIR = re.compile(
    r"^\s*(?:export\s+)?[\"']?(\w+)[\"']?\s*[:=]\s*(?:([\"'`])(.*?)\2|(true|false)\b)", re.M
)
_LIST = re.compile(r"^\s*[\"']?(\w+)[\"']?\s*[:=]\s*\[([^\[\]]*)\]", re.M)
_TABLE = re.compile(r"^(\w+)\s*(?::[^=\n]+)?=\s*\{([^{}]*)\}", re.M)
"""Of Python: its keys are what matters."""
_KEY = re.compile(r"([\"'])([^\"'\n]*)\1\s*:")
_QUOTED = re.compile(r"([\"'`])([^\"'`\n]*)\1")
_MOST = 512 * 1024


def read_config(file: Path) -> dict[str, Any]:
    """Return what the file says; empty where it cannot be read, as addresses are all it gives."""
    try:
        text = file.read_bytes()[:_MOST].decode("utf-8-sig", "replace")
    except OSError:
        return {}
    try:
        found = _parse(file.suffix, text)
    except (ValueError, OverflowError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _parse(suffix: str, text: str) -> object:
    if suffix == ".toml":
        return tomllib.loads(text)
    if suffix == ".json":
        return json.loads(text)
    if suffix in (".yml", ".yaml"):
        return _yaml(text)
    if suffix in _PROGRAMS:
        pairs: dict[str, Any] = {
            key: [quoted for _, quoted in _QUOTED.findall(items)]
            for key, items in _LIST.findall(text)
        }
        if suffix == ".py":
            for key, items in _TABLE.findall(text):
                pairs.setdefault(key, [name for _, name in _KEY.findall(items)])
        for key, _, value, flag in _PAIR.findall(text):
            pairs.setdefault(key, flag == "true" if flag else value)
        return pairs
    return {}


def _yaml(text: str) -> object:
    """Read YAML; values of kinds that only the generator knows are nothing."""
    import yaml  # noqa: PLC0415  who only searches a saved index does not wait for it

    class Loader(yaml.SafeLoader):
        pass

    def unknown(loader: Any, tag: str, node: Any) -> object:
        # MkDocs: the last value is the one to take where the environment has none.
        if tag == "ENV" and isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node)[-1]
        return None

    Loader.add_multi_constructor("!", unknown)
    Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda *_: None)
    try:
        return yaml.load(text, Loader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def patterns_in(config: dict[str, Any], key: str) -> tuple[str, ...]:
    """Return the patterns of paths a configuration lists, as a list or one a line."""
    value = config.get(key)
    listed = value.splitlines() if isinstance(value, str) else value
    texts = (
        [each.strip() for each in listed if isinstance(each, str)]
        if isinstance(listed, list)
        else []
    )
    wanted = (each for each in texts if each and not each.startswith(("#", "!")))
    return tuple(each.removeprefix("**/").strip("/") for each in wanted)


def matches(path: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether a path, a folder it lies in, or a name in it is one of the patterns."""
    if not patterns:
        return False
    inner = PurePosixPath(path)
    places = {path, *(parent.as_posix() for parent in inner.parents), *inner.parts}
    return any(fnmatchcase(place, pattern) for pattern in patterns for place in places)
