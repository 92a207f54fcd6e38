import pytest

from indexer.errors import SiteError
from indexer.site import Site, articles_folder, read_site


def test_a_site_describes_itself_beside_its_articles(folder):
    root = folder({"site.toml": 'name = "N"\nbase = "https://n.example"\nlanguage = "de"\n'})
    assert read_site(root) == Site("N", "https://n.example/", "de")
    assert articles_folder(root) == root


def test_the_articles_folder_finds_the_description_above_it(folder):
    root = folder({"site.toml": 'name = "N"\nbase = ""\n', "articles/a.md": "a"})
    assert articles_folder(root) == root / "articles"
    assert read_site(root / "articles").name == "N"


def test_a_description_above_a_folder_that_is_not_its_articles_is_not_used(folder):
    root = folder({"site.toml": 'name = "N"\n', "other/a.md": "a"})
    assert read_site(root / "other") == Site("other", "")


def test_without_a_description_the_folder_names_the_site(folder):
    assert read_site(folder({})) == Site("pages", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "site.toml cannot be read as TOML"),
        ("name = 3", "site.toml: `name` must be a text"),
        ('articles = "../x"', "site.toml: `articles` leads out"),
    ],
)
def test_a_broken_description_names_file_and_field(folder, text, said):
    root = folder({"site.toml": text})
    with pytest.raises(SiteError, match=said):
        (read_site(root), articles_folder(root))
