"""What an endpoint says it has: asked with its key, on any wire, and told in one line if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from answers import CANARY, endpoint_of, names_of

from lab.models.endpoints import Endpoint
from lab.models.listing import MOST, listed
from lab.models.model import ModelError, Watch

if TYPE_CHECKING:
    from tests.conftest import Loopback


@pytest.fixture
def endpoint(wire: str, loopback: Loopback) -> Endpoint:
    return endpoint_of(wire, loopback.url)


def test_models_are_listed_as_they_are_named_and_asked_for_with_the_key(
    endpoint: Endpoint, loopback: Loopback, watch: Watch
) -> None:
    loopback.json(names_of(endpoint.wire, "b", f"a{CANARY}", 5, None))
    assert listed(endpoint, CANARY, watch) == ("b", "a[key]")
    [received] = loopback.received
    assert (received.method, received.path.partition("?")[0]) == (
        "GET",
        "/api/tags" if endpoint.wire == "ollama" else "/v1/models",
    )
    sent = received.headers.get("x-api-key") or received.headers["authorization"]
    assert sent.split()[-1] == CANARY


def test_a_list_without_end_is_cut(endpoint: Endpoint, loopback: Loopback, watch: Watch) -> None:
    page = names_of(endpoint.wire, *(f"m{n}" for n in range(2 * MOST)))
    loopback.json({**page, "has_more": True, "last_id": "x"})
    assert len(listed(endpoint, CANARY, watch)) == MOST


@pytest.mark.usefixtures("waits")
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((401, f'{{"error": {{"message": "bad {CANARY}"}}}}'), "Check the key"),
        ((404, "<html>No such page</html>"), "No such page"),
        ((200, f"<html>{CANARY}</html>"), "not of the expected form"),
        ((200, "[]"), "models"),
    ],
)
def test_no_list_is_one_line_without_the_key(
    answer: tuple[int, str], said: str, endpoint: Endpoint, loopback: Loopback, watch: Watch
) -> None:
    loopback.raw(answer[1], answer[0], content_type="application/json")
    with pytest.raises(ModelError, match=said) as caught:
        listed(endpoint, CANARY, watch)
    assert CANARY not in str(caught.value)
    assert "\n" not in str(caught.value)
