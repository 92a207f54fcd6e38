import pytest

from indexer.articles import read_article
from indexer.site import Site
from indexer.sources import SourcePage

SITE = Site("N", "https://n.example/")


def read(text, path="notes/kv cache.md"):
    faults = []
    return read_article(SourcePage(path, text), SITE, faults.append), faults


def test_front_matter_and_path_give_the_article_its_data():
    front = "---\ntitle: T\ndescription: D\ndate: 2024-05-07\ntags: [a, b, 3]\n---\ntext\n"
    article, faults = read(front)
    assert (article.title, article.description, article.date) == ("T", "D", "2024-05-07")
    assert article.tags == ("a", "b", "3")
    assert (article.slug, article.url) == ("notes/kv cache", "https://n.example/notes/kv%20cache/")
    assert [(b.first_line, b.text) for b in article.blocks] == [(7, "text")]
    assert not faults


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("x\n\n## The *first*\n", "The first"),
        ("x\n", "kv cache"),
        ("---\ntitle: 2024\n---", "2024"),
    ],
)
def test_without_a_title_the_first_heading_stands_in_then_the_file_s_name(text, title):
    assert read(text)[0].title == title


def test_broken_front_matter_is_one_fault_and_the_page_keeps_its_body():
    article, faults = read("---\na: b\ntitle: KV cache: sizing\n---\n\nbody\n")
    assert article.title == "KV cache: sizing"
    assert [b.text for b in article.blocks] == ["body"]
    assert [(f.file, f.line) for f in faults] == [("notes/kv cache.md", 3)]


def test_front_matter_never_closed_is_one_fault_and_no_line_is_lost():
    article, faults = read("---\ntitle: T\n\nbody")
    assert "\n".join(b.text for b in article.blocks).split() == ["---", "title:", "T", "body"]
    assert [f.line for f in faults] == [1]


@pytest.mark.parametrize("value", ["[1, 2]", "{a: b}"])
def test_a_value_of_the_wrong_type_is_a_fault_and_ignored(value):
    article, faults = read(f"---\ntitle: {value}\n---\n# H\n")
    assert article.title == "H"
    assert "`title`" in faults[0].message


def test_a_page_without_text_is_absent_and_no_fault():
    article, faults = read(" \n\n")
    assert (article.absent, article.blocks, faults) == ("without text", (), [])
