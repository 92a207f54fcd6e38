"""Every fault of the table, on its wires, streamed and not: its outcome, and what always holds."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from faults.fault import Fault
from faults.said import ANSWER, Wire
from faults.signs import calls, results
from faults.table import FAULTS, page

from lab.codec import event_to_json
from lab.events import ModelAsked
from lab.run import Run

if TYPE_CHECKING:
    from faults.conftest import Play, Played

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"

CASES = [
    pytest.param(
        fault, wire, streamed, id=f"{fault.slug}-{wire}-{'streamed' if streamed else 'whole'}"
    )
    for fault in FAULTS
    for wire in fault.wires
    for streamed in fault.streamed
]


@pytest.mark.parametrize(("fault", "wire", "streamed"), CASES)
def test_each_fault_ends_as_the_table_says_and_leaves_a_run_that_goes_on(
    fault: Fault, wire: Wire, streamed: bool, play: Play
) -> None:
    for played in play(fault, wire, streamed):
        ends_as_the_table_says(fault, played.run)
        run = played.ask_again("And once more?")
        goes_on(run)
        every_call_has_one_result(run)
        requests_are_recorded_as_received(played, run)
        no_key_is_kept(played, run)


def ends_as_the_table_says(fault: Fault, run: Run) -> None:
    end = run.end()
    assert end is not None
    assert end.reason == fault.end, end.detail
    missing = [sign.words for sign in fault.seen if not sign.holds(run.events)]
    assert not missing, f"{missing} not seen in:\n{told(run)}"


def goes_on(run: Run) -> None:
    """The server, strict on pairs, ids and empty content, took all that was said so far."""
    end = run.end()
    assert end is not None
    assert (end.reason, end.answer) == ("answered", ANSWER.text), end.detail


def every_call_has_one_result(run: Run) -> None:
    made = Counter(call.id for call in calls(run.events))
    assert made == Counter(result.call_id for result in results(run.events))
    assert set(made.values()) <= {1}


def requests_are_recorded_as_received(played: Played, run: Run) -> None:
    """Byte for byte; a retry sends the same again, and is an attempt of one request."""
    recorded = [event.request for event in run.events if isinstance(event, ModelAsked)]
    received = [body for body, _ in groupby(played.session.bodies)]
    assert [request.body.encode() for request in recorded] == received
    assert {request.method for request in recorded} == {"POST"}
    assert all(request.url.startswith(played.session.address) for request in recorded)


def no_key_is_kept(played: Played, run: Run) -> None:
    """Its own key went with every request, and stands nowhere else."""
    assert played.session.keys == {played.key}
    kept = [file.read_bytes() for file in played.store.parent.iterdir()]
    kept += [told(run).encode(), *played.session.bodies]
    assert not any(b"sk-canary" in content for content in kept)


def told(run: Run) -> str:
    """All events, for a person who looks for what went wrong."""
    return "\n".join(json.dumps(event_to_json(event)) for event in run.events)


def test_the_page_on_faults_is_what_the_table_gives() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_the_names_of_faults_are_addresses_of_their_own() -> None:
    assert len({fault.slug for fault in FAULTS}) == len(FAULTS)
