"""The sample site is sound: its front matter, its links, and the evidence of its questions."""

import re
from pathlib import Path

import pytest

from indexer.anchors import anchor
from indexer.articles import Article, read_article
from indexer.folder import SiteFolder
from indexer.questions import read_questions
from indexer.sections import sections
from indexer.site import articles_folder, read_site

CORPUS = Path(__file__).parents[1] / "corpus"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def fail(fault):
    pytest.fail(str(fault))


@pytest.fixture(scope="module")
def articles() -> dict[str, Article]:
    site = read_site(CORPUS)
    folder = SiteFolder(articles_folder(CORPUS))
    pages = [folder.page(path, file, fail) for path, file in folder.pages(fail)]
    return {page.path: read_article(page, site, fail) for page in pages if page}


def anchors(article):
    return {section.anchor for section in sections(article.blocks)}


def test_the_site_has_forty_articles_with_a_name_and_an_address(articles):
    site = read_site(CORPUS)
    assert (site.name, site.base) == ("Contour Notes", "https://contour-notes.example/")
    assert len(articles) == 40


def test_the_front_matter_of_every_article_is_complete(articles):
    for path, article in articles.items():
        assert article.title, path
        assert article.description, path
        assert article.tags, path
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", article.date), path


def test_every_internal_link_leads_to_an_article_and_a_heading(articles):
    broken = []
    for path, article in articles.items():
        for block in article.blocks:
            for target in LINK.findall(block.text) if block.kind != "code" else ():
                if "://" in target:
                    continue
                page, _, fragment = target.partition("#")
                other = articles.get(page or path)
                if other is None or (fragment and fragment not in anchors(other)):
                    broken.append(f"{path}:{block.first_line}: {target}")
    assert not broken


def test_the_evidence_of_every_question_is_a_section(articles):
    by_slug = {article.slug: article for article in articles.values()}
    for question in read_questions(CORPUS / "questions.jsonl"):
        for each in question.evidence:
            assert anchor(each.heading) in anchors(by_slug[each.article]), question.id


def test_ids_of_questions_are_unique():
    ids = [question.id for question in read_questions(CORPUS / "questions.jsonl")]
    assert len(set(ids)) == len(ids)
