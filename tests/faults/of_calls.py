"""Faults in tool calls: their ids, their arguments, their number, and what they are said with."""

from __future__ import annotations

from dataclasses import replace

from faults.fault import ALL, STREAMED, Fault
from faults.said import ANSWER, OTHER_SUM, SEARCH, SUM, Call, Said
from faults.signs import asked, error, growing, ids, notice, quiet, ran, steps

THREE = (SEARCH, SUM, OTHER_SUM)
WRITTEN = ({"query": "cache"}, {"expression": "6 * 7"}, {"expression": "2 ** 10"})


def search(arguments: str) -> Said:
    """A turn that calls search_site with these arguments, whatever they are."""
    return Said(calls=(replace(SEARCH, arguments=arguments),))


FAULTS = (
    Fault(
        "Good run",
        (Said(calls=(SEARCH,)), Said("Let me see.", calls=(SUM,)), ANSWER),
        (ran(2), steps(3), quiet(), growing()),
        wires=ALL,
    ),
    Fault(
        "Three parallel calls",
        (Said(calls=THREE),),
        (ran(3), asked(*WRITTEN), quiet()),
        wires=ALL,
    ),
    Fault(
        "Three parallel calls, all of index 0",
        (Said(calls=THREE, same_index=True),),
        (ran(3), asked(*WRITTEN), quiet()),
        wires=("openai",),
        streamed=STREAMED,
    ),
    Fault(
        "Calls without an id",
        (
            Said(calls=tuple(replace(call, id="") for call in THREE[:2])),
            Said(calls=(replace(SUM, id=""),)),
        ),
        (ran(3), ids("call_1", "call_2", "call_3")),
        wires=ALL,
    ),
    Fault(
        "The same id in two turns",
        (Said(calls=(SEARCH,)), Said(calls=(replace(SUM, id=SEARCH.id),))),
        (ran(2), ids("call_a", "call_a_2")),
        wires=ALL,
    ),
    Fault(
        "The same id for two calls of a turn",
        (Said(calls=(SEARCH, replace(SUM, id=SEARCH.id))),),
        (ran(2), ids("call_a", "call_a_2")),
    ),
    Fault(
        "Arguments in pieces of one character",
        (Said(calls=THREE, piece=1),),
        (ran(3), asked(*WRITTEN), quiet()),
        streamed=STREAMED,
    ),
    Fault(
        "Arguments that are no JSON", (search('{"query": "cache",'),), (error("not valid JSON"),)
    ),
    Fault(
        "Arguments that are a list", (search('["cache"]'),), (error("a list, not a JSON object"),)
    ),
    Fault(
        "A number that JSON does not have, among the arguments",
        (search('{"query": "cache", "limit": NaN}'),),
        (error("limit is 'NaN'"), steps(2)),
        wires=ALL,
    ),
    Fault(
        "A number beyond all that a computer holds, among the arguments",
        (search('{"query": "cache", "limit": 1e999}'),),
        (error("limit is 'Infinity'"), steps(2)),
    ),
    Fault("Arguments that are an empty text", (search(""),), (error("query is missing"),)),
    Fault(
        "A tool that does not exist",
        (Said(calls=(Call("open_door", "{}"),)),),
        (error("There is no tool named 'open_door'"),),
        wires=ALL,
    ),
    Fault(
        "A call cut off by the output limit",
        (replace(search('{"query": "ca'), stop="cut"),),
        (error("cut off by the output limit"), ran(0)),
    ),
    Fault(
        "A whole call in a turn that was cut off",
        (Said(calls=(SEARCH,), stop="cut"),),
        (error("cut off by the output limit"), ran(0)),
        wires=ALL,
    ),
    Fault(
        "A call cut off, in a turn that claims to be whole",
        (replace(search('{"query": "ca'), stop="calls", tokens_out=4096),),
        (error("cut off by the output limit"), ran(0)),
    ),
    Fault("Calls in a turn that says it is done", (Said(calls=(SEARCH,), stop="done"),), (ran(1),)),
    Fault(
        "A turn that says it calls, and does not",
        (Said(stop="calls"),),
        (notice("correction"), steps(2)),
    ),
    Fault("A turn with nothing in it", (Said(),), (notice("correction"), steps(2))),
    Fault("Nothing, three times in a row", (Said(),) * 3, (steps(3),), end="format"),
)
