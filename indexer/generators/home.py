"""The front page of a site: what its front matter has the theme show."""

from collections.abc import Iterator
from typing import Any

from indexer.generators.config import as_table


def of_vitepress(values: dict[str, Any]) -> list[str]:
    """Return the texts of `layout: home`, in their order, as Markdown."""
    if values.get("layout") != "home":
        return []
    hero = as_table(values.get("hero"))
    return [
        *_bold(hero.get("name")),
        *_texts(hero, "text", "tagline"),
        *_actions(hero),
        *_features(values),
    ]


def of_vuepress(values: dict[str, Any]) -> list[str]:
    """Return the texts of `home: true`, likewise."""
    if values.get("home") is not True:
        return []
    return [
        *_bold(values.get("heroText")),
        *_texts(values, "tagline", "actionText"),
        *_actions(values),
        *_features(values),
    ]


def of_starlight(values: dict[str, Any]) -> list[str]:
    """Return the texts of `hero`, likewise."""
    hero = as_table(values.get("hero"))
    return [*_bold(hero.get("title")), *_texts(hero, "tagline"), *_actions(hero)]


def _actions(values: dict[str, Any]) -> Iterator[str]:
    for action in _tables(values.get("actions")):
        yield from _texts(action, "text")


def _features(values: dict[str, Any]) -> Iterator[str]:
    for feature in _tables(values.get("features")):
        yield from _bold(feature.get("title"))
        yield from _texts(feature, "details", "linkText")


def _texts(values: dict[str, Any], *keys: str) -> list[str]:
    found = (values.get(key) for key in keys)
    return [text for value in found if isinstance(value, str) and (text := " ".join(value.split()))]


def _bold(value: Any) -> list[str]:
    return [f"**{text}**" for text in _texts({"title": value}, "title")]


def _tables(value: Any) -> list[dict[str, Any]]:
    return [as_table(each) for each in value] if isinstance(value, list) else []
