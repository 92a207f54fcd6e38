"""Which part of a page is its article, and what within it is not text of the article.

Knows elements by their names, roles and the classes that site generators give them.
"""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from indexer.html.elements import HEADINGS, element_before
from indexer.html.pictures import mute
from indexer.html.sizes import Size, sizes

_NEVER = """
script style template noscript svg canvas iframe object embed audio video map head link meta
button input select textarea datalist dialog nav footer menu frameset noframes rp
"""
"""Elements that hold no text of an article, whatever is in them."""
_ROLES = "navigation banner contentinfo search menu menubar toolbar dialog alertdialog tablist"
_CLASSES = """
headerlink header-anchor heading-anchor anchor-link anchorjs-link hash-link sl-anchor-link
heading-link headinglink anchor__link heading__anchor copybtn copy-btn copy-button clipboard-button
toc table-of-contents tableofcontents on-this-page page-toc toctree-wrapper reflist-toc
breadcrumb breadcrumbs crumbs sphinxsidebar menu-sidebar related-pages prev-next-area
pagination pagination-nav pager post-nav page-nav prev-next rst-footer-buttons nav-chapters
skip-link skip-to-content screen-reader-text visually-hidden sr-only
edit-this-page edit-page editlink theme-edit-this-page last-updated page-metadata
share social-share share-buttons sharedaddy addtoany cookie-banner cookie-consent
newsletter subscribe comment-list giscus disqus
linenos lineno linenodiv line-numbers-rows gutter rouge-gutter hljs-ln-numbers
catlinks mw-editsection mw-jump-link noprint navbox printfooter
viewcode-link viewcode-back sphx-glr-download-link-note sphx-glr-signature navigationbar nav-panel
copyright-footer
announcement theme-doc-version-banner theme-doc-version-badge theme-doc-breadcrumbs
md-source-file md-clipboard md-content__button
"""
_HIDDEN = (
    *("[hidden]:not([role=tabpanel])", "[aria-hidden=true]", "[data-nosnippet]"),
    *("[data-pagefind-ignore]", '[style*="display:none"]', '[style*="display: none"]'),
)
_OTHERS = (
    *("div#toc", "ul#toc", "details#toc", "div.contents.topic", ".backrefs", "span.fn-backref"),
    *("#TableOfContents", "#disqus_thread", "#mw-navigation", "#mw-panel"),
    *("#siteSub", "#contentSub"),
    *("table.nav", "table.navigation", ".navheader", ".navfooter"),
    *("#titlearea", "div.navpath", "div.header>.summary", "address.footer"),
)
_WITHIN = "a[href^='#']"
"""Links to the same page; those of a single sign are for copying the address."""
_BY_NAME = ",".join(_NEVER.split())
_BY_LOOK = ",".join(
    [
        *(f"[role={each}]" for each in _ROLES.split()),
        *(f".{each}" for each in _CLASSES.split()),
        *_HIDDEN,
        *_OTHERS,
    ]
)
_UNSEEN = ",".join(_HIDDEN)
_WANTED = "main,[role=main],article,h1,.headertitle,math"
_MAINS = ("main", "[role=main]")
_ARTICLES = (
    *("article", "[role=article]", ".markdown-body", ".theme-doc-markdown", ".vp-doc"),
    *(".sl-markdown-content", ".md-content__inner", "[itemprop=articleBody]", "div.body"),
    *("#mw-content-text", ".post-content", ".entry-content", ".article-content", ".page-content"),
    "#content",
)
_LEAST_SHARE = 0.6
"""Of the text of what is around an article: of less, it is one of several."""
_BESIDE = (
    "aside,[role=complementary],header,.sidebar,.site-header,.site-footer,.navbar,.navigation,"
    "div#header,div#footer,div#nav,div#navigation,div#menu,div#sidebar,div.header,div.footer"
)
_STEPS = ",".join(
    [
        *(f"a[rel~={each}]" for each in ("prev", "previous", "next", "up")),
        *(f"a[accesskey={each} i]" for each in "punh"),
    ]
)
"""Links to the pages around this one, as they say themselves."""
_MOST_STEPS = 8
_HEADINGS = ",".join(HEADINGS)
_ARTICLE_PARTS = f"main,article,{_HEADINGS}"
_MAY_BE_LINKS = "ul,ol,div,section,table,p,aside"
_LINKED_SHARE = 0.7
_LEAST_LINKS = 4
_NOTHING = Size()


class Content:
    """The article's part of a page."""

    def __init__(self, tree: LexborHTMLParser, body: LexborNode, alone: bool = False) -> None:
        """Look for the article in a page; `alone` where the page is nothing else."""
        self.instead: dict[int, str] = dict.fromkeys((n.mem_id for n in tree.css(_BY_NAME)), "")
        """By id in memory: elements that are left out, or the text they are replaced by."""
        for node in tree.css(_UNSEEN if alone else _BY_LOOK):
            if node.tag not in ("html", "body") and node.css_first(_WANTED) is None:
                self.instead[node.mem_id] = ""
        for node in tree.css(_WITHIN):
            is_note = node.parent is not None and node.parent.tag == "sup"
            if not is_note and not any(map(str.isalnum, node.text())):
                self.instead[node.mem_id] = ""
        self._read_formulas(tree)
        self._sizes = sizes(body, self.instead)
        self.root = body if alone else self._root(body)
        """The element that holds the article."""
        if not alone:
            self._drop_beside(self.root.mem_id == body.mem_id)
            self._drop_steps()
        self.instead |= mute(self.root, self._sizes)

    def _root(self, body: LexborNode) -> LexborNode:
        mains = [found for each in _MAINS for found in body.css(each)]
        root = max(mains, key=self._chars, default=body)
        root = root if self._chars(root) else body
        for selector in _ARTICLES:
            best = max(root.css(selector), key=self._chars, default=root)
            if self._chars(best) >= _LEAST_SHARE * self._chars(root):
                root = best
        return root

    def _drop_beside(self, everything: bool) -> None:
        """Leave out lists of links; where no article is marked, also what mostly lies around it."""
        if everything:
            for node in self.root.css(_BESIDE):
                if node.css_first(_WANTED) is None:
                    self.instead[node.mem_id] = ""
        for node in self._may_be_beside(everything):
            if self._is_menu(node) and not _says_something(node):
                self.instead[node.mem_id] = ""
        for node in () if everything else self.root.css("ul,ol"):
            if self._is_menu(node) and _stays_on_page(node) and not _says_something(node):
                self.instead[node.mem_id] = ""

    def _is_menu(self, node: LexborNode) -> bool:
        links = self._sizes.get(node.mem_id, _NOTHING).links
        return links >= _LEAST_LINKS and self._is_linked(node)

    def _may_be_beside(self, everything: bool) -> list[LexborNode]:
        """Return what is left out if it holds links above all.

        In an article that is marked these are what is beside it, or before its first heading.
        """
        if everything:
            return self.root.css(_MAY_BE_LINKS)
        found = self.root.css("aside,[role=complementary],header ul,header ol,header div")
        before: list[LexborNode] = []
        for node in self.root.css(f"{_HEADINGS},{_MAY_BE_LINKS}"):
            if node.tag in HEADINGS:
                around = _around(node)
                return found + [each for each in before if each.mem_id not in around]
            before.append(node)
        return found

    def _drop_steps(self) -> None:
        """Leave out what holds little else than links to the pages around."""
        for link in self.root.css(_STEPS):
            around = link.parent
            while around is not None and self._is_steps(around):
                self.instead[around.mem_id] = ""
                around = around.parent

    def _is_steps(self, node: LexborNode) -> bool:
        few = self._sizes.get(node.mem_id, _NOTHING).links <= _MOST_STEPS
        return (
            few
            and self._is_linked(node)
            and node.mem_id != self.root.mem_id
            and node.css_first(_ARTICLE_PARTS) is None
        )

    def _is_linked(self, node: LexborNode) -> bool:
        size = self._sizes.get(node.mem_id, _NOTHING)
        return size.linked >= _LINKED_SHARE * size.chars

    def _chars(self, node: LexborNode) -> int:
        """Return how much of an element is seen; 0 for what is left out."""
        return self._sizes.get(node.mem_id, _NOTHING).chars

    def _read_formulas(self, tree: LexborHTMLParser) -> None:
        """Replace formulas by their source, where the page holds it."""
        for node in tree.css("math"):
            source = node.css_first("annotation[encoding='application/x-tex']")
            tex = " ".join(source.text().split()) if source is not None else ""
            if tex:
                mark = "$$" if node.attributes.get("display") == "block" else "$"
                self.instead[node.mem_id] = f"{mark}{tex}{mark}"


def _says_something(node: LexborNode) -> bool:
    """Tell from a menu a sentence that ends in links, a list and a table that are introduced."""
    if node.tag in ("ul", "ol"):
        before = element_before(node)
        return before is not None and before.tag == "p" and before.text().rstrip().endswith(":")
    if node.tag != "p":
        return node.css_first("thead") is not None
    first = next((text for link in node.css("a[href]") if (text := link.text())), "")
    return bool(first) and any(map(str.isalpha, node.text().partition(first)[0]))


def _around(node: LexborNode) -> set[int]:
    """Return what an element is in, as ids in memory."""
    found: set[int] = set()
    here = node.parent
    while here is not None:
        found.add(here.mem_id)
        here = here.parent
    return found


def _stays_on_page(contents: LexborNode) -> bool:
    return contents.css_first("a[href]:not([href^='#'])") is None
