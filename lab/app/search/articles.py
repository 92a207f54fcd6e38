"""The articles of a site, one of them opened to its passages."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from indexer.index import Index
from indexer.places import Listed
from lab.app import resources, state
from lab.app.search.hits import article_html
from lab.limits import several
from lab.wording import one_line

MOST = 500
"""Articles that a list is chosen from; of more, those are listed that hold some words."""


def show_articles(index: Index) -> None:
    """An article to choose, and its passages."""
    st.subheader("Browse the articles", anchor=False)
    all_of_them = resources.articles(index)
    listed = known = {article.slug: article for article in all_of_them}
    if len(known) > MOST:
        words = st.text_input(
            "Find an article",
            key="articles-holding",
            placeholder=f"Words of its title or name; the site has {len(known):,} articles",
        )
        listed = {article.slug: article for article in holding(all_of_them, words)}
        kept = str(state.get(state.ARTICLE))
        if kept in known:
            listed.setdefault(kept, known[kept])
    if listed:
        show_article(index, listed)
    else:
        st.caption("No article's title or name holds these words.")


def holding(articles: Sequence[Listed], words: str) -> list[Listed]:
    """The first of those whose title or name holds every word."""
    wanted = words.casefold().split()
    found = (
        article
        for article in articles
        if all(word in f"{article.title} {article.slug}".casefold() for word in wanted)
    )
    return [article for article, _ in zip(found, range(MOST), strict=False)]


def show_article(index: Index, listed: dict[str, Listed]) -> None:
    """A list to choose from, and the passages of the one that is chosen."""
    kept, key = str(state.get(state.ARTICLE)), state.widget(state.ARTICLE)
    # Said anew each time: what was chosen may not be among those listed now.
    st.session_state[key] = slug = kept if kept in listed else next(iter(listed))
    st.selectbox(
        "Article",
        list(listed),
        key=key,
        on_change=state.keep,
        args=[state.ARTICLE],
        format_func=lambda slug: named(listed[slug]),
    )
    chosen = listed[slug]
    st.html(article_html(index.passages[chosen.first : chosen.first + chosen.passages]))


def named(article: Listed) -> str:
    """Its title, and how many passages it has."""
    return f"{one_line(article.title)} ({several(article.passages, 'passage')})"
