"""How much context a local server says a model has; read, not tried. One free request a place.

llama.cpp, vLLM, Ollama and LM Studio each say it at an address of their own beside the API.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lab.models.call import call_model
from lab.models.capture import Capture
from lab.models.endpoints import Endpoint
from lab.models.model import ModelError, Watch
from lab.models.sdk import fetched
from lab.models.wires import lines_to

Found = Callable[[Any, str], Any]


def entries(body: Any, key: str, model: str) -> Iterator[dict[str, Any]]:
    """The entries of a list that are of that model."""
    for entry in body[key]:
        if model in (entry.get("id"), entry.get("name"), entry.get("model"), entry.get("key")):
            yield entry


PLACES: tuple[tuple[str, Found], ...] = (
    ("/props", lambda body, _: body["default_generation_settings"]["n_ctx"]),
    ("/v1/models", lambda body, model: next(entries(body, "data", model))["max_model_len"]),
    ("/api/ps", lambda body, model: next(entries(body, "models", model))["context_length"]),
    (
        "/api/v0/models",
        lambda body, model: next(entries(body, "data", model))["loaded_context_length"],
    ),
)
"""Path from the server's root, and where in its answer the number stands."""


def declared_context(endpoint: Endpoint, model: str, key: str, watch: Watch) -> tuple[int, str]:
    """Tokens, and the path that said so; 0 where no place says it."""
    root = endpoint.base_url.rstrip("/").removesuffix("/v1")
    lines = lines_to(endpoint, key)
    for path, read in PLACES:

        def ask(capture: Capture, path: str = path) -> Any:
            with lines.lent(capture) as client:
                return fetched(client, root + path, capture)

        try:
            body, _ = call_model(ask, f"{root}{path}", watch, key)
            tokens = read(body, model)
        except (ModelError, LookupError, TypeError, AttributeError, StopIteration):
            continue
        if isinstance(tokens, int) and tokens > 0:
            return tokens, path
    return 0, ""
