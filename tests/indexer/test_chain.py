"""What holds for any text, whatever it was written for."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.articles import Reading, read_article
from indexer.cutting import cut
from indexer.generators.common import MDX
from indexer.generators.detect import GENERATORS
from indexer.markup.clean import clean
from indexer.settings import Sizes
from indexer.site import Site
from indexer.sources import SourcePage

SIZES = Sizes(least=6, most=20, block=40)
KINDS = [
    (generator, suffix) for generator in GENERATORS for suffix in generator.suffixes
    if suffix not in (".markdown", ".html")
]  # fmt: skip
kinds = st.sampled_from(KINDS)

MARKS = (
    *("\n", "\n\n", "    ", "  ", "\t", "# ", "## ", "- ", "1. ", "> ", "---\n", "+++\n", "\r\n"),
    *("```", "~~~", "````", "`", "``", "~~~~~~~~", "$", "$$", "|", "|---|\n", "===\n", "\\"),
    *("<!--", "-->", "<div>", "</div>", '<a href="', "<b", ">", "/>", "<script>", "</script>"),
    *("<pre>", "</pre>", "<h2>", "</h2>", "<Tab ", "</Tab>", "<>", "{", "}", "{{", "}}", "{%"),
    *("%}", "{{<", ">}}", "{{%", "%}}", "{#", "#}", "{:", "{#id}", "{.x}", "{{</*", "*/>}}"),
    *(":::", ":::note", "::: {", "!!! note", "??? tip", '=== "T"', "> [!NOTE]", "```{note}\n"),
    *("```{python}\n", ":::{tip}\n", "#| x\n", ":name: x\n", "{ref}`", "(x)=\n", "% x\n", "%%"),
    *("[[", "]]", "![[", "|", "^x", "==", "import x from 'y'\n", "export const x = ", "data:"),
    *("[a](", ")", "[^1]", "[^1]: ", ".. note::", "::\n", "\u200b", "\ufeff", "\0", "\ufdd0", "é"),
    *("{% raw %}", "{% endraw %}", "{% highlight x %}\n", "{% endhighlight %}"),
    *("{% include a.md %}", "{% comment %}", "{% endcomment %}", "word", "cache", "7"),
)  # fmt: skip
texts = st.one_of(
    st.text(), st.lists(st.one_of(st.sampled_from(MARKS), st.text(max_size=3))).map("".join)
)


def read(text, generator, suffix):
    page = SourcePage(f"page{suffix}", text)
    return read_article(page, Site("", ""), lambda _: None, Reading(generator, drafts=True))


def letters(text):
    return "".join(char for char in text.casefold() if char.isalnum())


@settings(max_examples=300)
@given(texts, kinds)
def test_any_text_is_read_and_each_passage_holds_but_what_its_lines_hold(text, kind):
    lines = re.split("\r\n|\r|\n", text)
    last = 0
    for passage in cut(read(text, *kind), SIZES):
        assert 1 <= passage.first_line <= passage.last_line <= len(lines)
        assert passage.first_line >= last
        last = passage.last_line
        rest = iter(letters("\n".join(lines[passage.first_line - 1 : passage.last_line])))
        assert all(char in rest for char in letters(passage.text))


EVERYWHERE = [
    "SEEN and SEEN",
    "## SEEN **SEEN**",
    "SEEN\n===",
    "- SEEN\n\n  SEEN\n- SEEN",
    "> SEEN",
    "| SEEN | SEEN |\n|---|---|\n| SEEN | SEEN |",
    "<!-- UNSEEN\n\nUNSEEN -->",
    "<script>\nUNSEEN\n</script>",
    '<p class="UNSEEN">SEEN</p>',
    '<div\n  class="UNSEEN">\n\nSEEN *SEEN*\n\n</div>',
    "<table><tr><td>SEEN</td><td>SEEN</td></tr></table>",
    '<img src="UNSEEN" alt="SEEN">',
    "> [!NOTE]\n> SEEN",
    "SEEN `SEEN {SEEN} <SEEN>` SEEN",
    "```\n# SEEN\n<SEEN>\n{SEEN}\n```",
    "~~~ js\n``` SEEN\n~~~",
    "1. SEEN\n\n   ````\n   ```\n   # SEEN\n   ````",
    "![](data:image/png;base64,UNSEEN)SEEN",
    "$\\frac{SEEN}{SEEN}$ SEEN",
]
TEMPLATE_IN_CODE = "```\n{{ SEEN }}\n```"
"""Of whoever reads Markdown first, or only."""
OWN = {
    "plain": [
        "{{< x UNSEEN >}}SEEN{{< /x >}}",
        "{% x UNSEEN %}SEEN{% endx %}",
        '!!! note "SEEN"\n\n    SEEN',
        "::: note\nSEEN\n:::",
        "## SEEN {#UNSEEN}",
        "SEEN\n{: #UNSEEN }",
        "{{ SEEN }}",
        "    # SEEN <b>",
        "- SEEN\n\n      SEEN",
    ],
    "Hugo": [
        '{{% x "UNSEEN" %}}\nSEEN\n{{% /x %}}',
        "{{</* SEEN */>}}",
        '{{< f\n  caption="SEEN"\n>}}',
    ],
    "Jekyll": [
        "{{ UNSEEN }}SEEN",
        "{% comment %}\nUNSEEN\n{% endcomment %}",
        "{% raw %}{{ SEEN }}{% endraw %}",
        "{% highlight c %}\n# SEEN\n{% endhighlight %}",
        "SEEN\n{: .UNSEEN }",
        '{% include x.html content="SEEN" class="UNSEEN" %}',
        "{: #UNSEEN }\n## SEEN",
    ],
    "Eleventy": [
        "{# UNSEEN #}SEEN",
        "{% x %}SEEN{% endx %}",
        "{{ UNSEEN }}SEEN",
        "```\n{{ UNSEEN }}SEEN\n```",
    ],
    "Docusaurus": [
        "import UNSEEN from 'UNSEEN'",
        "export const UNSEEN = {\n  a: 1,\n\n  b: 2\n}",
        '<Tab label="SEEN" value={{ a: "UNSEEN" }}>\n\n    SEEN\n\n</Tab>',
        "{/* UNSEEN */}SEEN",
        "{UNSEEN}SEEN {'SEEN'}",
        ":::tip[SEEN]{.UNSEEN}\n\nSEEN\n\n:::",
    ],
    "MkDocs": [
        '??? note "SEEN"\n    SEEN\n\n    ```\n    # SEEN\n    ```',
        '=== "SEEN"\n\n    SEEN',
    ],
    "Sphinx": [
        "```{note}\n:class: UNSEEN\n\nSEEN\n```",
        "{ref}`SEEN <UNSEEN>`",
        "(UNSEEN)=\n# SEEN",
        "% UNSEEN",
        "````{tip}\n```{code-block} c\n:name: UNSEEN\n# SEEN\n```\n````",
        "```{toctree}\nUNSEEN\n```",
        ":::{tip}\nSEEN\n:::",
    ],
    "Quarto": [
        '::: {.callout-note title="SEEN"}\nSEEN\n:::',
        "```{python}\n#| UNSEEN: 1\n# SEEN\n```",
        "[SEEN]{.UNSEEN}",
        "# SEEN {#UNSEEN .UNSEEN}",
    ],
    "VuePress": ["\n!!!include(UNSEEN.md)!!!\n", "<UnSeen/>SEEN"],
    "VitePress": [
        '<Badge text="SEEN" />',
        "{{ UNSEEN }}SEEN",
        "::: tip SEEN\nSEEN\n:::",
        "<my-x>SEEN</my-x>",
    ],
    "Obsidian": [
        "[[UNSEEN|SEEN]]",
        "[[SEEN]]",
        "%% UNSEEN\nUNSEEN %%",
        "SEEN ^UNSEEN",
        "> [!tip]- SEEN\n> SEEN",
    ],
    "mdBook": ["{{#title UNSEEN}}SEEN"],
    "Astro": ["SEEN {SEEN}"],
}


def numbered(snippet, n):
    """Make each word of a snippet one of its own."""
    count = iter(range(100))
    return re.sub("UNSEEN|SEEN", lambda m: f"{m[0].lower()}x{n}x{next(count)}", snippet)


@settings(max_examples=200)
@given(st.data(), kinds.filter(lambda kind: kind[1] not in (".rst", ".ipynb")))
def test_what_a_reader_sees_is_kept_in_order_and_the_rest_reaches_no_passage(data, kind):
    own = OWN["Docusaurus" if kind[1] == ".mdx" else kind[0].name]
    common = [*EVERYWHERE, *[TEMPLATE_IN_CODE] * (kind[0].name != "Eleventy")]
    chosen = data.draw(st.lists(st.sampled_from([*common, *own * 2]), max_size=8))
    text = "\n\n".join(numbered(each, n) for n, each in enumerate(chosen))
    joined = "\n".join(each.text for each in cut(read(text, *kind), SIZES))
    words = re.findall(r"\b(?:un)?seenx\d+x\d+", joined)
    assert words == re.findall(r"(?<![a-z])seenx\d+x\d+", text)


HOSTILE = [
    "<",
    "<a ",
    '<a x="',
    "<!--",
    "<a\n",
    "<A {",
    "{",
    "{{",
    "{%",
    "{{<",
    '{{< "',
    "{#a ",
    "{: ",
    "[",
    "[[",
    "`",
    "``` \n",
    "$",
    "$$",
    "%%",
    "==",
    ":::\n",
    "!!! a\n    ",
    "> ",
    "> [!A]\n",
    "- ",
    "    - ",
    "\t",
    "(a)=\n",
    "{a}`",
    "export {\n",
    "import ",
    "<pre>",
    "<h1>",
    "</td> ",
    "data:",
    "[a]: data:",
    "^a ",
    "# {#a} ",
    "| ",
    "{/*",
    "<A>{",
    '{"',
    "{'a",
    ":a-",
    "*[",
    "<script>",
    "{% raw %}",
    "{% comment %}",
    "[a]{.",
    "[^",
    "``",
]


MARKUPS = {each.name: each.markup for each in GENERATORS} | {"MDX": MDX}


@pytest.mark.parametrize("name", MARKUPS)
def test_the_time_to_take_markup_away_grows_with_the_text_alone(name):
    seconds = {}
    for mark in HOSTILE:
        text = (mark * (30_000 // len(mark)))[:30_000]
        began = time.perf_counter()
        clean(text, MARKUPS[name])
        seconds[mark] = time.perf_counter() - began
    assert max(seconds.values()) < 3, max(seconds, key=seconds.get)
