"""What everyday pages of several generators come to: texts kept, anchors as the site has them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from articles_of import articles_of

from indexer.sections import sections

Write = Callable[[dict[str, str]], Path]

TWICE = "# FAQ\n\n## Example\n\na\n\n## Example\n\nb\n\n## 安装\n\nc\n"
RST = "FAQ\n===\n\nExample\n-------\n\na\n\nExample\n-------\n\nb\n\n安装\n----\n\nc\n"
ANCHORS = {
    "MkDocs": ({"mkdocs.yml": "", "docs/a.md": TWICE}, ["faq", "example", "example_1", "_1"]),
    "MkDocs, one given": (
        {"mkdocs.yml": "", "docs/a.md": "# Example\n\n## Other {#example_1}\n\n## Example\n"},
        ["example", "example_1", "example_2"],
    ),
    "Sphinx": ({"conf.py": "", "a.rst": RST}, ["faq", "example", "id1", "id2"]),
    "Hugo": (
        {"hugo.toml": "", "content/a.md": TWICE},
        ["faq", "example", "example-1", "安装"],
    ),
}


@pytest.mark.parametrize(("files", "anchors"), ANCHORS.values(), ids=ANCHORS)
def test_a_heading_that_occurs_again_has_the_anchor_its_generator_gives_it(
    folder: Write, files: dict[str, str], anchors: list[str]
) -> None:
    (article,) = articles_of(folder(files))[1]
    assert [each.anchor for each in sections(article.blocks)] == anchors


def test_an_anchor_that_only_counts_names_no_passage(folder: Write) -> None:
    (article,) = articles_of(folder({"mkdocs.yml": "", "docs/a.md": TWICE}))[1]
    assert [each.name for each in sections(article.blocks)][-1] == "安装"


@pytest.mark.parametrize("marks", [("_config.yml", ""), ("mkdocs.yml", "docs/")])
@pytest.mark.parametrize("index", ["index.md", "sub/index.md"])
def test_a_readme_gives_way_to_the_index_of_its_folder_alone(
    folder: Write, marks: tuple[str, str], index: str
) -> None:
    config, below = marks
    front = "---\ntitle: Front\n---\nText.\n"
    files = {config: "", f"{below}README.md": "How to build this.\n", f"{below}{index}": front}
    _, articles, left_out, faults = articles_of(folder(files))
    assert faults == []
    assert (len(articles), sum(left_out.values())) == ((1, 1) if index == "index.md" else (2, 0))


HUGO, QUARTO, JEKYLL, SPHINX = (
    ("hugo.toml", "content/a.md"),
    "_quarto.yml",
    "_config.yml",
    "conf.py",
)
TEXTS = {
    "a summary": (HUGO, '{{< details summary="Why?" >}}Because.{{< /details >}}', "Why? Because."),
    "a tab": (HUGO, '{{< tab "macOS" >}}\nmac\n{{< /tab >}}', "macOS\nmac"),
    "tabs": (HUGO, '{{< tabs items="JSON,YAML" >}}\na\n{{< /tabs >}}', "JSON,YAML\na"),
    "a label": (HUGO, '{{< expand "Click here" >}}\na\n{{< /expand >}}', "Click here\na"),
    "a notice": (HUGO, '{{% notice note "A title" %}}\na\n{{% /notice %}}', "A title\na"),
    "a notice without a title": (HUGO, "{{% notice note %}}\na\n{{% /notice %}}", "a"),
    "a card": (HUGO, '{{< card title="Card" subtitle="Sub" link="x" >}}', "Card Sub"),
    "columns": ((QUARTO, "a.qmd"), "::: {layout-ncol=2}\na\n:::", "a"),
    "rows": ((QUARTO, "a.qmd"), '::: {layout="[[1,1], [1]]"}\na\n:::', "a"),
    "a style": ((QUARTO, "a.qmd"), '::: {style="color: red"}\na\n:::', "a"),
    "two ways to go on": (
        (JEKYLL, "a.md"),
        "On {% if x %}ghes{% elsif y %}ghec{% else %}GitHub.com{% endif %}, "
        "push{% if x %}es{% endif %}.",
        "On ghes ghec GitHub.com, pushes.",
    ),
    "a class": (
        (SPHINX, "a.rst"),
        ".. class:: Queue(maxsize=0)\n\n   First in.",
        "Queue(maxsize=0)\nFirst in.",
    ),
    "a class of a style sheet": ((SPHINX, "a.rst"), ".. class:: wide-table\n\na", "a"),
    "the head of a table": (
        (SPHINX, "a.rst"),
        '.. csv-table:: Ports\n   :header: "Name", "Port"\n\n   "http", 80',
        'Ports\n"Name", "Port"\n"http", 80',
    ),
}


@pytest.mark.parametrize(("marks", "text", "shown"), TEXTS.values(), ids=TEXTS)
def test_what_a_page_says_is_kept(
    folder: Write, marks: tuple[str, str], text: str, shown: str
) -> None:
    config, page = marks
    front = "" if page.endswith("rst") else "---\ntitle: A\n---\n"
    (article,) = articles_of(folder({config: "", page: f"{front}{text}\n"}))[1]
    said = "\n".join(block.text for block in article.blocks)
    assert "\n".join(line.strip() for line in said.split("\n") if line.strip()) == shown
