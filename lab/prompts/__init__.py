"""What a model is told, as text files beside this one."""

from importlib.resources import files


def prompt(name: str, **values: str) -> str:
    """The text of NAME.md with its {fields} filled in."""
    text = files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    return text.strip().format(**values)
