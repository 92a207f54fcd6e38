"""How a page gets the text of a file that a tag of Liquid or Nunjucks asks for.

Knows no generator and does not know where the file lies.
"""

import re

from indexer.markup import liquid
from indexer.markup.includes import Tag

_MARKDOWN = (".md", ".markdown", ".txt")
_TAG = re.compile(r"<[^<>]*>")
_MARGIN = re.compile(r"^[ \t]+", re.M)


def read_in(parameters: str, path: str, lines: list[str]) -> list[str]:
    """Return the lines of a file, known by its path, as its parameters fill them.

    What it is told to say, and does not say itself, is a paragraph before it.
    """
    text = "\n".join(lines).rstrip()
    if not is_markdown(path):
        # Within a page in Markdown four blanks would make code of it.
        text = _MARGIN.sub("", liquid.without_loops(text))
    given = {name: _bare(said) for name, said in liquid.texts_given(parameters).items()}
    shown = _TAG.sub("", text)
    untold = [
        said
        for name, said in given.items()
        if name in liquid.SPOKEN
        and said
        and liquid.filled(shown, {"include": {name: said}}) == shown
    ]
    text = liquid.filled(text, {"include": given})
    return "\n\n".join(filter(None, (" ".join(untold), text))).split("\n")


def is_markdown(path: str) -> bool:
    """Tell whether a file is written as pages are, and not in HTML."""
    return path.lower().endswith(_MARKDOWN)


def _bare(text: str) -> str:
    return liquid.without_variables(liquid.without_tags(text))


TAG = Tag(liquid.raw_hidden, read_in)
"""One whose file the site has itself."""
TAG_OF_THEME = Tag(liquid.raw_hidden, read_in, is_missed=is_markdown)
"""One whose file a theme may have, which is written in HTML."""
