"""Whether an index can be made as it is asked for, known before any page is read."""

from indexer.engines import choosing
from indexer.settings import Settings


def check_usable(settings: Settings) -> None:
    """Raise EngineError for settings that no index can be made with."""
    if settings.semantic:
        from indexer.semantic import check_installed  # noqa: PLC0415  an extra

        check_installed()
    if settings.engine:
        choosing.chosen(settings.engine, 0)
