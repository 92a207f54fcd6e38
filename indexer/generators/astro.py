"""Astro and Starlight: content collections, pages, MDX."""

from indexer.generators import common
from indexer.generators.addresses import folder_address, given_address, urlized
from indexer.generators.generator import Generator, Page
from indexer.generators.published import draft_or_folder, underscored
from indexer.markup.clean import Markup

_MARKUP = Markup(
    before=common.UNSEEN, within=(*common.COLONS, *common.ALERTS, *common.HTML, *common.ATTRIBUTES)
)


def address(page: Page) -> str:
    """Return the address by `slug`, or by path; the collection `docs` is the site itself."""
    path = page.inner
    parts = path.parts
    inner = parts[1:] if page.area == "src/content" and parts[0] == "docs" else parts
    folder = "" if inner != parts or page.area != "src/content" else parts[0]
    slug = given_address(page, "slug", "permalink")
    if slug is not None:
        return slug if slug.startswith("http") else f"{folder}/{slug.strip('/')}/".lstrip("/")
    made = urlized("/".join(inner))
    return folder_address(path.__class__(made), "index")


ASTRO = Generator(
    name="Astro",
    marks=tuple(f"astro.config.{suffix}" for suffix in ("mjs", "ts", "js", "mts", "cjs")),
    areas=("src/content", "src/pages"),
    suffixes=(".md", ".markdown", ".mdx"),
    address=address,
    markup=_MARKUP,
    is_part=underscored,
    reason=draft_or_folder,
    base_keys=("site", "base"),
    name_keys=("integrations.title",),
    language_keys=("i18n.defaultLocale", "integrations.defaultLocale"),
)
