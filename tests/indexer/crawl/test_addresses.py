"""Addresses in one form each, and what belongs to a crawl."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.crawl.addresses import Scope, folder_of, may_be_page, normal, scope_of, shape
from indexer.crawl.frontier import MOST_ALIKE, Found, Frontier

BASE = "https://sea.example/docs/a.html?x=1"
FORMS = [
    ("b.html#part", "https://sea.example/docs/b.html"),
    ("../", "https://sea.example/"),
    ("/a/./b/../c", "https://sea.example/a/c"),
    ("../../../x", "https://sea.example/x"),
    ("?y=2", "https://sea.example/docs/a.html?y=2"),
    ("", "https://sea.example/docs/a.html?x=1"),
    ("//Other.Example:443/", "https://other.example/"),
    ("HTTP://SEA.example:80", "http://sea.example/"),
    ("http://sea.example:8080/ä b", "http://sea.example:8080/%C3%A4%20b"),
    ("https://sea.example/%c3%a4?q=a b&utm_source=x", "https://sea.example/%c3%a4?q=a+b"),
    ("/p;jsessionid=AB12?PHPSESSID=1", "https://sea.example/p"),
    ("http://münchen.example/", "http://xn--mnchen-3ya.example/"),
    ("\n /x\ty ", "https://sea.example/xy"),
    ("https://sea.example./", "https://sea.example/"),
    ("http://[::1]:80/", "http://[::1]/"),
    *((each, "") for each in ("mailto:a@b.example", "javascript:void(0)", "http://", "http://[x/")),
    *((each, "") for each in ("http://user:key@sea.example/", "ftp://sea.example/", "data:,x")),
    *((each, "") for each in ("http://sea.example:99999/", "http://a b/", "/" + "x" * 3000)),
]


@pytest.mark.parametrize(("written", "form"), FORMS)
def test_an_address_has_one_form(written: str, form: str) -> None:
    assert normal(written, BASE) == form


@given(st.text(max_size=60) | st.text(st.sampled_from("ht:/[]@?#%.;x0 \u0130é"), max_size=40))
def test_no_text_raises_and_a_form_stays_as_it_is(text: str) -> None:
    form = normal(text, BASE)
    assert normal(form) == form
    assert form.isascii()
    shape(form)
    may_be_page(form)


SCOPE = Scope("https", "sea.example", "/docs/")
HELD = [
    ("https://sea.example/docs/", True),
    ("http://sea.example/docs/x", True),
    ("https://sea.example/blog/", False),
    ("https://www.sea.example/docs/", False),
    ("https://sea.example:8443/docs/", False),
    ("https://sea.example.evil.example/docs/", False),
    ("", False),
]


@pytest.mark.parametrize(("address", "held"), HELD)
def test_only_one_host_and_folder_belong_to_a_crawl(address: str, held: bool) -> None:
    assert SCOPE.holds(address) is held


def test_an_address_says_its_host_and_folder() -> None:
    assert scope_of(BASE) == Scope("https", "sea.example")
    assert folder_of(BASE) == "/docs/"


PAGES = [
    ("https://x.example/a.pdf", False),
    ("https://x.example/a.PNG", False),
    ("https://x.example/v1.2", True),
    ("https://x.example/a.php?f=x.pdf", True),
    ("https://x.example/a/b/a/b/a/b/a/b/", False),
]


@pytest.mark.parametrize(("address", "may_be"), PAGES)
def test_what_is_no_page_is_told_by_its_look(address: str, may_be: bool) -> None:
    assert may_be_page(address) is may_be


def test_near_pages_come_before_far_ones_and_before_more_of_the_same() -> None:
    frontier = Frontier()
    for day in range(2 * MOST_ALIKE):
        frontier.add(Found(f"https://x.example/day/{day}", 1))
    frontier.add(Found("https://x.example/far", 3))
    frontier.add(Found("https://x.example/near", 1))
    order = []
    while (found := frontier.next()) is not None:
        order.append(found.address.rpartition("/")[2])
    assert len(order) == MOST_ALIKE + 2
    assert order.index("near") < order.index("far") < 15
    assert frontier.refused == {"/day/0": MOST_ALIKE}


def test_what_the_site_lists_is_never_one_too_many() -> None:
    frontier = Frontier()
    for day in range(2 * MOST_ALIKE):
        frontier.add(Found(f"https://x.example/day/{day}", listed=True))
    assert len(frontier) == 2 * MOST_ALIKE
