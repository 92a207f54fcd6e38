import pytest
from articles_of import articles_of

from indexer.builder import build_content
from indexer.errors import SiteError, SourceError
from indexer.folder import SiteFolder
from indexer.settings import Settings

TEXT = "Some text.\n"


def articles(root):
    site, read, _, faults = articles_of(root)
    return site, {each.source: each for each in read}, [str(fault) for fault in faults]


@pytest.mark.parametrize(
    ("files", "name", "page"),
    [
        (["hugo.toml", "content/a.md"], "Hugo", "content/a.md"),
        (["config.yaml", "content/a.md"], "Hugo", "content/a.md"),
        (["config.toml", "a.md"], "plain", "a.md"),
        (["_config.yml", "a.md"], "Jekyll", "a.md"),
        (["_config.yml", "_toc.yml", "a.md"], "Sphinx", "a.md"),
        ([".eleventy.js", "a.md"], "Eleventy", "a.md"),
        (["astro.config.mjs", "src/content/docs/a.mdx"], "Astro", "src/content/docs/a.mdx"),
        (["website/docusaurus.config.ts", "website/docs/a.md"], "Docusaurus", "website/docs/a.md"),
        (["mkdocs.yml", "docs/a.md", "x.md"], "MkDocs", "docs/a.md"),
        (["docs/source/conf.py", "docs/source/a.rst", "x.md"], "Sphinx", "docs/source/a.rst"),
        (["_quarto.yml", "a.qmd"], "Quarto", "a.qmd"),
        (["docs/.vitepress/config.mts", "docs/a.md", "x.md"], "VitePress", "docs/a.md"),
        ([".obsidian/app.json", "a.md"], "Obsidian", "a.md"),
        (["a.md"], "plain", "a.md"),
        (["website/astro.config.mjs", "website/src/pages/a.astro", "notes/a.md"],
         "plain", "notes/a.md"),
    ],
)  # fmt: skip
def test_a_generator_is_known_by_its_files_and_only_its_pages_are_read(folder, files, name, page):
    site, read, _ = articles(folder(dict.fromkeys(files, TEXT)))
    assert (site.generator.name, list(read)) == (name, [page])


@pytest.mark.parametrize(
    ("inner", "files"),
    [
        ("content", ["hugo.toml", "content/a.md"]),
        ("docs/guide", ["mkdocs.yml", "docs/guide/a.md"]),
        ("docs", [".eleventy.js", "docs/a.md"]),
        ("docs/guide", ["_config.yml", "docs/guide/a.md"]),
    ],
)
def test_a_folder_of_pages_is_read_like_the_site_it_lies_in(folder, inner, files):
    root = folder(dict.fromkeys([*files, f"{inner}/b/x.md", "y.md"], TEXT))
    whole, part = articles(root)[1], articles(root / inner)[1]
    assert part == {path: each for path, each in whole.items() if path.startswith(f"{inner}/")}
    assert files[1] in part


@pytest.mark.parametrize(
    ("inner", "files"),
    [
        ("_site", {".eleventy.js": ""}),
        ("_build/html", {"conf.py": ""}),
        ("out", {".eleventy.js": "module.exports = {dir: {output: 'out'}}"}),
        ("vendor", {"_config.yml": "exclude: [vendor]"}),
    ],
)
def test_a_folder_that_is_no_part_of_the_site_it_lies_in_is_read_for_itself(folder, inner, files):
    root = folder({**files, f"{inner}/a.md": TEXT})
    site, read, _ = articles(root / inner)
    assert (site.generator.name, list(read)) == ("plain", ["a.md"])


@pytest.mark.parametrize(
    ("named", "read"),
    [(".docs", [".docs/a.md"]), ("../docs", ["docs/a.md"]), ("../../docs", ["site/b.md"])],
)
def test_a_folder_of_pages_is_the_one_named_and_at_most_beside_the_site(folder, named, read):
    config = f"export default {{presets: [['classic', {{docs: {{path: '{named}'}}}}]]}}"
    files = dict.fromkeys(("site/.docs/a.md", "docs/a.md", "site/b.md"), TEXT)
    root = folder({"site/docusaurus.config.js": config, **files})
    assert list(articles(root / "site")[1]) == read


@pytest.mark.parametrize(
    ("mark", "config"),
    [
        ("_config.yml", "exclude: [vendor, notes/*.md]"),
        ("mkdocs.yml", "docs_dir: pages\nexclude_docs: |\n  # a comment\n  vendor/\n  b.md\n"),
        ("conf.py", "exclude_patterns = ['vendor/**',\n  'notes/b.md']"),
        (".vitepress/config.ts", "export default {srcExclude: ['**/vendor/*', '**/b.md']}"),
        ("mkdocs.yml", "docs_dir: pages\nexclude_docs: '*.md\n\n  !a.md'"),
        ("mkdocs.yml", "docs_dir: pages\ndraft_docs: vendor\nexclude_docs: /notes/b.md"),
    ],
)
def test_what_the_configuration_excludes_is_left_out(folder, mark, config):
    start = "pages/" if "docs_dir" in config else ""
    names = [f"{start}{name}" for name in ("a.md", "vendor/x.md", "notes/b.md")]
    site, read, _ = articles(folder({mark: config, **dict.fromkeys(names, TEXT)}))
    assert (list(read), site.left_out["excluded"]) == ([names[0]], 2)


def test_each_collection_of_docusaurus_excludes_by_patterns_of_its_own(folder):
    config = """export default {presets: [["classic", {
      docs: {exclude: ["**/{b,c}.md", "vendor"]}, blog: {exclude: ["/old/**"]} }]]}"""
    kept = ("docs/a.md", "docs/old/a.md", "blog/b.md")
    names = (*kept, "docs/b.md", "docs/notes/c.md", "docs/vendor/x.md", "blog/old/a.md")
    files = {name: f"Text of {name}." for name in names}
    content, report = build_content(folder({"docusaurus.config.js": config, **files}), Settings())
    assert {passage.source for passage in content.passages} == set(kept)
    assert report.left_out == {"excluded": 4}


def test_the_description_may_name_generator_folder_and_drafts(folder):
    said = 'generator = "hugo"\narticles = "pages"\ninclude_drafts = true\n'
    files = {"site.toml": said, "pages/a.md": "---\ndraft: true\n---\n{{< x >}}b", "c.md": TEXT}
    site, read, _ = articles(folder(files))
    assert (site.generator.name, list(read)) == ("Hugo", ["pages/a.md"])
    assert [block.text for block in read["pages/a.md"].blocks] == ["b"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('generator = "frontpage"', "no generator 'frontpage'. Name one of: .*hugo"),
        ("generator = 3", "`generator` must be a text"),
        ("languages = 3", "`languages` must be a list of texts"),
        ('include_drafts = "yes"', "`include_drafts` must be true or false"),
        ('generator = "hugo"\narticles = "../x"', "leads out"),
    ],
)
def test_a_description_that_cannot_be_followed_says_what_to_mend(folder, said, why):
    with pytest.raises(SiteError, match=why):
        articles(folder({"site.toml": said, "a.md": TEXT}))


def test_the_configuration_gives_base_name_and_language_where_the_description_does_not(folder):
    config = 'baseURL = "https://a.example"\ntitle = "A"\ndefaultContentLanguage = "de-AT"\n'
    root = folder({"hugo.toml": config, "content/a.md": TEXT})
    site = SiteFolder(root).site
    assert (site.name, site.base, site.language) == ("A", "https://a.example/", "de")
    folder({"site.toml": 'name = "B"\nbase = "https://b.example"\nlanguage = "en"\n'})
    site = SiteFolder(root).site
    assert (site.name, site.base, site.language) == ("B", "https://b.example/", "en")


@pytest.mark.parametrize("config", ["a: [", "\0", "!!python/object/apply:os.system [x]", "- a"])
def test_a_configuration_that_cannot_be_read_costs_only_what_it_says(folder, config):
    _, read, _ = articles(folder({"mkdocs.yml": config, "docs/a.md": TEXT}))
    assert read["docs/a.md"].url == "a/"


def test_an_include_leads_neither_out_nor_in_circles_nor_to_what_is_hidden(folder, tmp_path):
    asks = '--8<-- "{}"\n\n'.format
    names = [
        "../secret.md",
        "/../secret.md",
        "link.md",
        ".env",
        "docs/a.md",
        "gone.md",
        "docs/b.md",
    ]
    root = folder(
        {
            "mkdocs.yml": "",
            ".env": "secret",
            "docs/a.md": "".join(map(asks, names)),
            "docs/b.md": "Included.\n",
        }
    )
    (tmp_path / "secret.md").write_text("secret")
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    _, read, faults = articles(root)
    assert [block.text for block in read["docs/a.md"].blocks] == ["Included."]
    assert read["docs/a.md"].line(read["docs/a.md"].blocks[0].first_line) == 13
    assert [fault.split(":")[1] for fault in faults] == ["1", "3", "5", "7", "9", "11"]


def test_a_site_in_a_folder_of_its_repository_includes_from_there(folder):
    text = "{% include b.md %}\n"
    files = {"docs/_config.yml": "", "docs/a.md": text, "docs/_includes/b.md": "Shown."}
    _, read, faults = articles(folder({**files, "_includes/b.md": "Not the site's."}))
    assert [block.text for block in read["docs/a.md"].blocks] == ["Shown."]
    assert not faults


def test_a_file_of_data_is_included_whole_where_its_name_is_asked_for_in_code(folder):
    page = '```json\n--8<-- "data.json"\n```\n'
    root = folder({"mkdocs.yml": "", "data.json": '{"a": 1}\n', "docs/a.md": page})
    (block,) = articles(root)[1]["docs/a.md"].blocks
    assert block.text.split() == ["```json", '{"a":', "1}", "```"]


def test_includes_that_double_at_every_step_end_with_a_fault(folder):
    files = {f"docs/{n}.md": f'--8<-- "docs/{n + 1}.md"\n' * 9 + "x" * 999 for n in range(9)}
    _, read, faults = articles(folder({"mkdocs.yml": "", **files, "docs/9.md": "y" * 9999}))
    assert sum(len(block.text) for block in read["docs/0.md"].blocks) < 5 * 2**20
    assert any("more than 2 MB" in fault for fault in faults)


def test_thousands_of_pages_that_share_a_title_are_told_apart_by_path(folder):
    files = {
        f"{n % 50}/page-{n}/index.md": f"---\ntitle: Overview\n---\nText {n}." for n in range(300)
    }
    content, report = build_content(folder(files), Settings())
    assert len({passage.id for passage in content.passages}) == 300
    assert len({passage.url for passage in content.passages}) == 300
    assert not report.faults


def test_the_report_counts_what_was_left_out_and_why(folder):
    files = {"hugo.toml": "", "content/a.md": TEXT, "content/old.adoc": TEXT}
    files["content/b.md"] = "---\ndraft: true\n---\n"
    _, report = build_content(folder(files), Settings())
    assert report.pages == 1
    assert report.generator == "Hugo"
    assert {why: n for why, n in report.left_out.items() if n} == {
        "drafts": 1,
        ".adoc files": 1,
    }


@pytest.mark.parametrize(
    ("mark", "config", "anchor"),
    [
        ("x", "", "1-whats-new--é"),
        ("_config.yml", "", "1-whats-new--é"),
        ("_config.yml", "kramdown: {input: kramdown}", "whats-new--"),
        ("mkdocs.yml", "", "1-whats-new-e"),
        ("conf.py", "", "what-s-new-e"),
        ("_quarto.yml", "", "whats-new-é"),
        (".vitepress/config.ts", "", "_1-what-s-new-–-e"),
    ],
)
def test_headings_have_the_anchors_the_generator_makes(folder, mark, config, anchor):
    text = "# 1. What's new – é?\n\n# Own {#mine}\n"
    _, read, _ = articles(folder({mark: config, "a.md": text}))
    assert [block.anchor for block in read["a.md"].blocks] == [anchor, "mine"]


def test_a_site_of_nothing_but_drafts_says_so(folder):
    with pytest.raises(SourceError, match=r"Left out: 1 drafts\."):
        build_content(folder({"a.md": "---\ndraft: true\n---\n"}), Settings())


AT = "---\npermalink: /x/\n---\n"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {".eleventy.js": "", "a.md": f"{AT}A.", "b.md": f"{AT}B."},
            "b.md: has the address of a.md: x/",
        ),
        (
            {"_index.md": "A.", "index.md": "B."},
            "index.md: has the address of _index.md: the front page",
        ),
        (
            {"a.markdown": "A.", "a.md": "B."},
            "a.md: another page, a.markdown, is called a; known as a.md",
        ),
        ({"README.md": "A.", "index.md": "B."}, None),
    ],
)
def test_a_page_in_the_place_of_another_is_reported_once_with_both(folder, files, said):
    _, report = build_content(folder(files), Settings())
    assert [str(fault) for fault in report.faults] == ([said] if said else [])
