"""A generator's configuration -> a dictionary. A program is parsed, never run."""

import json
import tomllib
from pathlib import Path
from typing import Any

from indexer.generators import config_javascript, config_python

_PROGRAMS = (".js", ".ts", ".mjs", ".mts", ".cjs")
_MOST = 512 * 1024


def read_config(file: Path, home: Path | None = None) -> dict[str, Any]:
    """Return what the file says; empty where it cannot be read, as addresses are all it gives.

    A program may import others that lie in the site's folder, `home`, or else in that of the file.
    """
    found = read_value(file, home)
    return as_table(found)


def read_value(file: Path, home: Path | None = None) -> Any:
    """Return what the file says, of whatever kind; nothing where it cannot be read."""
    try:
        if file.suffix in _PROGRAMS:
            imports = _imports_of(file, (home or file.parent).resolve())
            return config_javascript.values_in(read_start(file), imports)
        return _parse(file.suffix, read_start(file))
    except (ValueError, OverflowError, RecursionError, MemoryError):
        return None


def _imports_of(file: Path, home: Path) -> config_javascript.Import:
    """Return what opens the programs that one imports by a path, none outside of `home`."""

    def opened(name: str) -> config_javascript.Opened | None:
        if not name.startswith(("./", "../")):
            return None
        named = file.parent / name
        others = (
            path.with_name(path.name + suffix)
            for path in (named, named.with_suffix(""), named / "index")
            for suffix in _PROGRAMS
            if path.name
        )
        for path in (named, *others):
            whole = path.resolve()
            if path.suffix in _PROGRAMS and whole.is_relative_to(home) and whole.is_file():
                imports = _imports_of(whole, home)
                return config_javascript.Opened(str(whole), read_start(whole), imports)
        return None

    return opened


def read_line(file: Path) -> str:
    """Return a file that is one line without blanks; empty for any other, or none."""
    words = read_start(file).split()
    return words[0] if len(words) == 1 else ""


def read_start(file: Path) -> str:
    """Return the text of a file, bounded; empty where it cannot be read."""
    try:
        return file.read_bytes()[:_MOST].decode("utf-8-sig", "replace")
    except OSError:
        return ""


def _parse(suffix: str, text: str) -> object:
    if suffix == ".toml":
        return tomllib.loads(text)
    if suffix == ".json":
        return json.loads(text)
    if suffix in (".yml", ".yaml"):
        return _yaml(text)
    if suffix == ".py":
        return config_python.values_in(text)
    return None


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


def text_in(config: dict[str, Any], *keys: str) -> str:
    """Return the first text under one of the keys; a dot leads into a table. Empty without one."""
    for value in (value_in(config, key) for key in keys):
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def value_in(config: Any, key: str) -> Any:
    """Return what stands under a key; a dot leads into a table. None where nothing does."""
    for part in key.split("."):
        config = _get(config, part)
    return config


def tables_in(config: dict[str, Any], key: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the names under a key, of a list or a table, each with the table that it has."""
    value = config.get(key)
    listed = value if isinstance(value, list) else [value]
    tables = (each if isinstance(each, dict) else {str(each): None} for each in listed)
    pairs = (pair for table in tables for pair in table.items())
    return [(str(name), as_table(said)) for name, said in pairs]


def as_table(value: Any) -> dict[str, Any]:
    """Return a table; an empty one in place of any other value."""
    return value if isinstance(value, dict) else {}


def _get(values: Any, key: str) -> Any:
    """Return the value of a key, however it is capitalized; of a list, the first that has it."""
    if isinstance(values, list):
        found = (_get(each, key) for each in values)
        return next((each for each in found if each is not None), None)
    if not isinstance(values, dict):
        return None
    if key in values:
        return values[key]
    return next((values[each] for each in values if str(each).lower() == key.lower()), None)
