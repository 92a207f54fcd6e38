"""Errors for people: each says what happened, to what, and what to do.

Knows nothing of how they are shown.
"""


class IndexerError(Exception):
    """Anything that keeps the indexer from doing what was asked."""


class SiteError(IndexerError):
    """The site's description (`site.toml`) cannot be used."""


class SourceError(IndexerError):
    """The folder of articles is missing or holds nothing that can be indexed."""


class StoredIndexError(IndexerError):
    """A saved index is missing, damaged, or of another version."""


class EngineError(IndexerError):
    """The engine that was asked for cannot be used, or is not installed."""


class QuestionsError(IndexerError):
    """A file of questions cannot be read."""


class CrawlError(IndexerError):
    """A site cannot be read from its address, or must not."""
