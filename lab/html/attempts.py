"""The tries of one model call as HTML, where there was more than one or it failed."""

from __future__ import annotations

from lab import wording
from lab.html.line import line_html
from lab.messages import Attempt, Exchange


def attempts_html(exchange: Exchange) -> str:
    """Status, seconds, wait and error of every try; opens in place. Empty where all went well."""
    tries = exchange.attempts
    failed = sum(bool(attempt.error) for attempt in tries)
    if len(tries) < 2 and not failed:
        return ""
    count = "1 attempt" if len(tries) == 1 else f"{len(tries)} attempts"
    rows = "".join(map(row_html, range(1, len(tries) + 1), tries))
    return (
        f"<details><summary><span class='lab-bad'>⚠ {count}, {failed} failed</span></summary>"
        "<table class='lab-split lab-tries'><thead><tr><th scope='col'>attempt</th>"
        "<th scope='col'>status</th><th scope='col'>waited before, s</th>"
        "<th scope='col'>seconds</th><th scope='col'>what went wrong</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></details>"
    )


def row_html(number: int, attempt: Attempt) -> str:
    """One try."""
    status = wording.UNKNOWN if attempt.status is None else str(attempt.status)
    error = line_html(attempt.error) if attempt.error else "nothing"
    cells = (status, f"{attempt.waited:.1f}", f"{attempt.seconds:.2f}", error)
    values = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr><th scope='row'>{number}</th>{values}</tr>"
