"""What is shown of an endpoint, as HTML: where it is, its key's whereabouts, prices, probes."""

from __future__ import annotations

from html import escape

from lab import wording
from lab.app.resources import KeyState
from lab.errors import LabError
from lab.html.line import line_html
from lab.messages import Usage
from lab.models.card import Card
from lab.models.endpoints import Endpoint
from lab.models.findings import findings
from lab.models.hosted import in_the_clear
from lab.prices import cost_of

WIRES = {
    "anthropic": "Anthropic Messages",
    "openai": "OpenAI Chat Completions",
    "ollama": "Ollama chat",
}
SHORT, LONG = 1_000, 1_000_000
"""Tokens of a prompt in the first band of prices, and of one in the last."""
BANDS = " to "
"""Between the prices of short prompts and of long ones."""


def head_html(endpoint: Endpoint, address: str, key: KeyState) -> str:
    """Name, wire, address, and where the key is and goes."""
    badge, kind, note = whereabouts(endpoint, address, key)
    warning = note_html(clear_warning(endpoint, address), bad=True)
    return (
        f"<div class='lab-endpoint'><h4>{escape(endpoint.name)}</h4>"
        f"<span class='lab-badge {kind}'>{escape(badge)}</span></div>"
        f"<p class='lab-where'>{WIRES[endpoint.wire]} at <span>{line_html(address)}</span></p>"
        f"{note_html(note) if note else ''}{warning if in_the_clear(address) else ''}"
    )


def whereabouts(endpoint: Endpoint, address: str, key: KeyState) -> tuple[str, str, str]:
    """The key's state in words, its class, and a sentence on it."""
    sent = f"The key is sent to {address} with each call, and nowhere else."
    match key:
        case "typed":
            return "✓ key typed in this session", "lab-good", sent
        case "environment":
            return f"✓ key from {endpoint.key}", "lab-good", sent
        case "not needed":
            return "no key needed", "", ""
        case "not shared":
            note = f"{endpoint.key} is in the environment, but not used: others can reach the page."
            return "no key", "", note
        case "elsewhere":
            note = f"{endpoint.key} of the environment is sent to {endpoint.base_url} only."
            return "no key for this address", "", note
        case "missing":
            return "no key", "", ""


def clear_warning(endpoint: Endpoint, address: str) -> str:
    """What travels unencrypted."""
    what = "the key, questions and passages" if endpoint.key else "questions and passages"
    return f"Plain http: {what} can be read on the way to {address}."


def note_html(text: str, bad: bool = False) -> str:
    """A sentence; one that tells of a fault has a sign."""
    if bad:
        return f"<p class='lab-where lab-bad' role='alert'>⚠ {line_html(text)}</p>"
    return f"<p class='lab-where'>{line_html(text)}</p>"


def models_html(endpoint: Endpoint, moved: bool) -> str:
    """The suggested models and their prices."""
    if not endpoint.models:
        said = f"Any model can be named, as {endpoint.name}/MODEL."
    elif endpoint.free:
        said = f"Suggested: {', '.join(endpoint.models)}."
    else:
        return prices_html(endpoint)
    if endpoint.free:
        said += " Calls are free by declaration of its entry"
        said += ", whatever this other address charges." if moved else "."
    return note_html(said)


def prices_html(endpoint: Endpoint) -> str:
    """The suggested models, each with its prices."""
    rows = "".join(
        f"<tr><th scope='row'>{line_html(model)}</th>{price_cells(endpoint.name, model)}</tr>"
        for model in endpoint.models
    )
    note = note_html("The second price is that of long prompts.") if BANDS in rows else ""
    return (
        "<table class='lab-prices'><thead><tr><th scope='col'>US$ a million tokens</th>"
        "<th scope='col'>in</th><th scope='col'>out</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>{note}"
    )


def price_cells(endpoint: str, model: str) -> str:
    """Both prices of a model, or that none is known."""
    try:
        prices = [rate(endpoint, model, out) for out in (False, True)]
    except LabError:
        prices = [None, None]
    if None in prices:
        return "<td colspan='2'>no price known</td>"
    return "".join(f"<td>{price}</td>" for price in prices)


def rate(endpoint: str, model: str, out: bool) -> str | None:
    """US dollars a million tokens; two prices where long prompts have one of their own."""
    found = []
    for prompt in (SHORT, LONG):
        base = cost_of(endpoint, model, Usage(prompt, 0)).usd
        more = cost_of(endpoint, model, Usage(prompt, prompt)).usd
        if base is None or more is None:
            return None
        found.append(f"{((more - base) if out else base) / prompt * 1e6:.4g}")
    return BANDS.join(dict.fromkeys(found))


def card_html(card: Card, open: bool) -> str:
    """A kept card: one line, and all of it below."""
    rows = "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td>{line_html(value)}</td></tr>"
        for name, value in findings(card)
    )
    model = wording.one_line(card.model.partition("/")[2])
    return (
        f"<details class='lab-probe'{' open' if open else ''}><summary>{escape(model)}, "
        f"{line_html(card.line())}</summary><table>{rows}</table></details>"
    )


def names_html(endpoint: str, names: tuple[str, ...]) -> str:
    """The models that an endpoint says it has."""
    if not names:
        return note_html("It answers, and says it has no models.")
    items = "".join(f"<li>{escape(wording.one_line(name)[:200])}</li>" for name in names)
    count = "1 model" if len(names) == 1 else f"{len(names):,} models"
    said = note_html(f"✓ It has {count}. On the page Ask, name one as {endpoint}/MODEL.")
    return f"{said}<ul class='lab-names' tabindex='0'>{items}</ul>"
