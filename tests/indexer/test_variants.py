import pytest

from indexer.variants import ALL, Told, choose

PAGES = ("index.md", "guide/start.md", "guide/end.md")
LANGUAGES = ["en", "fr", "de", "es", "it", "pt", "ru", "ja", "ko", "zh", "pl", "tr", "nl", "sv"]


def chosen(paths, language="en", languages=(), versions=()):
    found = choose(sorted(paths), language, Told(), languages, versions)
    return set(found.paths), found


def under(*folders):
    return {f"{folder}/{page}".lstrip("/") for folder in folders for page in PAGES}


@pytest.mark.parametrize(
    ("folders", "language", "kept"),
    [
        (LANGUAGES, "en", ["en"]),
        (LANGUAGES, "ja", ["ja"]),
        (["", "fr", "zh"], "en", [""]),
        (["", "fr", "zh"], "fr", ["fr"]),
        (["docs/en", "docs/pt-BR"], "en", ["docs/en"]),
        (["pt-BR", "en-US"], "en", ["en-US"]),
        (["it", "co"], "en", ["co"]),
    ],
)
def test_of_an_article_in_many_languages_the_site_s_is_kept(folders, language, kept):
    paths, found = chosen(under(*folders), language)
    assert paths == under(*kept)
    assert found.languages == len(PAGES) * (len(folders) - 1)


@pytest.mark.parametrize(
    ("folders", "kept"),
    [
        (["1.0", "1.9", "1.10"], "1.10"),
        (["v1", "v2"], "v2"),
        (["docs/2.x", "docs/latest", "docs/next"], "docs/latest"),
        (["docs/2.x", "docs/next"], "docs/2.x"),
        (["", "v1", "v2"], ""),
    ],
)
def test_of_an_article_in_many_versions_the_current_one_is_kept(folders, kept):
    paths, found = chosen(under(*folders))
    assert paths == under(kept)
    assert found.versions == len(PAGES) * (len(folders) - 1)


@pytest.mark.parametrize(
    "paths",
    [
        under("it") | {"os/linux.md", "os/windows.md", "cs/sorting.md", "a.md"},
        {"2023/a.md", "2024/b.md", "1/index.md", "2/index.md"},
        {"v1/only.md", "v2/other.md"},
        {"notes.it.md", "a.b.md"},
    ],
)
def test_a_folder_that_only_looks_like_a_language_or_a_version_is_neither(paths):
    assert chosen(paths)[0] == paths


def test_a_language_in_the_file_s_name_needs_the_page_in_another():
    paths = {"a.md", "a.fr.md", "b.en.md", "b.fr.md", "c.fr.md"}
    assert chosen(paths)[0] == {"a.md", "b.en.md", "c.fr.md"}


def test_pages_in_no_folder_of_a_language_stay_unless_the_kept_one_has_them():
    paths = under("en", "fr") | {"about.md", "index.md"}
    assert chosen(paths)[0] == under("en") | {"about.md"}


def test_what_is_named_is_kept_and_told_apart_by_its_path():
    paths = under("en", "fr", "de") | {"about.md"}
    assert chosen(paths, languages=("en", "fr"))[0] == under("en", "fr") | {"about.md"}
    assert chosen(paths, languages=(ALL,))[0] == paths
    assert chosen(under("v1", "v2", "v3"), versions=("v1",))[0] == under("v1")


LISTED = {"": "en", "zh": "zh", "es": "es"}


@pytest.mark.parametrize(
    ("language", "kept"), [("en", ["", "go"]), ("zh", ["zh"]), ("es", ["es"]), ("fr", ["", "go"])]
)
def test_only_the_folders_that_are_listed_are_languages(language, kept):
    paths = under("", "go", "zh", "es")
    found = choose(sorted(paths), language, Told(folders=LISTED))
    assert set(found.paths) == under(*kept)


def test_where_no_folder_is_listed_there_is_but_one_language():
    paths = under("", "go", "no") | {"index.fr.md"}
    assert set(choose(sorted(paths), "en", Told(folders={})).paths) == paths
