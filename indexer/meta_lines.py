"""Front matter without fences: lines `key: value` at the very top of a page, as MultiMarkdown has.

Does not know what the keys mean.
"""

import re
from itertools import takewhile

from indexer.frontmatter import FrontMatter, read_front_matter

_KEY = re.compile(r" {0,3}([\w-]+):\s*(.*)", re.A)
_MORE = re.compile(r"(?: {4}|\t)\s*(.*)")


def read_meta(lines: list[str]) -> FrontMatter:
    """Read front matter between fences, or else such lines, up to the first that is none."""
    front = read_front_matter(lines)
    if front.end or front.fault:
        return front
    values, key, end = dict[str, str](), "", 0
    for line in takewhile(str.strip, lines):
        if named := _KEY.fullmatch(line):
            key, text = named[1].lower(), named[2]
        elif key and (more := _MORE.fullmatch(line)):
            text = more[1]
        else:
            break
        values[key] = f"{values.get(key, '')} {text}".strip()
        end += 1
    return FrontMatter(dict(values), end)
