"""What a site's robots.txt allows, and how often it wants to be asked. Fetches nothing."""

from protego import Protego

MAX_BYTES = 512 * 1024
"""The rest of a longer file is not read."""
_MOST_DELAY = 60.0


class Robots:
    """The rules for one agent."""

    def __init__(self, text: str, agent: str) -> None:
        self._agent = agent
        self._rules = Protego.parse(text)
        self.sitemaps = tuple(self._rules.sitemaps)
        """Addresses of sitemaps that the file names."""

    @property
    def delay(self) -> float:
        """Seconds to wait between two requests, at most a minute; 0 where nothing is said."""
        rate = self._rules.request_rate(self._agent)
        said = self._rules.crawl_delay(self._agent) or 0.0
        per_request = rate.seconds / rate.requests if rate and rate.requests else 0.0
        return min(max(float(said), float(per_request), 0.0), _MOST_DELAY)

    def allows(self, address: str) -> bool:
        """Tell whether an address may be fetched."""
        return bool(self._rules.can_fetch(address, self._agent))
