"""Faults of the service: requests it refuses, waits it asks for, streams that break, counts."""

from __future__ import annotations

from datetime import timedelta

from faults import rules
from faults.fault import ALL, STREAMED, Fault
from faults.of_replies import ANTHROPIC, OLLAMA, OPENAI
from faults.said import ANSWER, OTHER_SUM, SEARCH, SUM, Failed, Said
from faults.signs import (
    answer,
    ended,
    growing,
    notice,
    plain_end,
    quiet,
    ran,
    statuses,
    steps,
    usage,
    waited,
)

from lab.settings import Limits

BUSY = '{"type": "error", "error": {"type": "rate_limit_error", "message": "Too many requests."}}'
LADEN = '{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}'
HTML = "<html><head><title>502</title></head><body><h1>Bad &amp; broken</h1></body></html>"

CALLING = Said(calls=(SEARCH,))
HALF = Said("The answer is forty-two, as the site says in so many words.", sent="cut")


def busy(**headers: str | timedelta) -> Failed:
    """Too many requests, with what the server says of the wait."""
    return Failed(429, BUSY, {name.replace("_", "-"): value for name, value in headers.items()})


EMPTY = {"content": ""}

REFUSED = (
    Fault(
        "Any changed byte of what was sent before is refused",
        (CALLING, Said("Let me see.", calls=(SUM, OTHER_SUM)), ANSWER),
        (ran(3), quiet(), growing()),
        wires=ALL,
        demands=(rules.prefix_unchanged,),
    ),
    Fault(
        "content: null refused",
        (CALLING, Said(calls=(SUM,))),
        (ran(2), notice("repair")),
        wires=OPENAI,
        demands=(rules.no_null_content,),
    ),
    Fault(
        'content: "" refused',
        (CALLING, Said(calls=(SUM,))),
        (ran(2), quiet()),
        demands=(rules.no_empty_content,),
    ),
    Fault(
        'content: "" refused, that the model itself sent',
        (Said(calls=(SEARCH,), fields=EMPTY), Said(fields=EMPTY), Said(calls=(SUM,))),
        (ran(2), notice("repair"), notice("correction")),
        wires=OPENAI,
        demands=(rules.no_empty_content,),
    ),
    Fault(
        "An empty text before a call",
        (Said(calls=(SEARCH,), blocks=({"type": "text", "text": ""},)),),
        (ran(1), quiet()),
        wires=ANTHROPIC,
        demands=(rules.no_empty_content,),
    ),
    Fault(
        "The role developer refused",
        (CALLING,),
        (ran(1), quiet()),
        wires=OPENAI,
        demands=(rules.no_developer,),
    ),
    Fault(
        "max_completion_tokens refused",
        (CALLING,),
        (ran(1), notice("repair"), statuses(400, 200)),
        wires=OPENAI,
        demands=(rules.without("max_completion_tokens"),),
        endpoint={"cap_field": "max_completion_tokens"},
    ),
    Fault(
        "max_tokens refused",
        (CALLING,),
        (ran(1), notice("repair")),
        wires=OPENAI,
        demands=(rules.without("max_tokens", "max_completion_tokens"),),
    ),
    Fault(
        "temperature refused",
        (CALLING,),
        (ran(1), quiet()),
        demands=tuple(map(rules.without, ("temperature", "top_p", "top_k", "tool_choice"))),
    ),
    Fault(
        "stream_options refused",
        (CALLING,),
        (ran(1), notice("repair")),
        wires=OPENAI,
        streamed=STREAMED,
        demands=(rules.without("stream_options"),),
    ),
)

FAILING = (
    Fault(
        "429 with a wait in seconds",
        (busy(retry_after="7"),),
        (statuses(429, 200), waited(7, 7), notice("retry")),
    ),
    Fault(
        "429 with a date",
        (busy(retry_after=timedelta(seconds=50)),),
        (statuses(429, 200), waited(45, 50)),
    ),
    Fault(
        "429 with a wait in milliseconds",
        (busy(retry_after_ms="1500", retry_after="9"),),
        (statuses(429, 200), waited(1.5, 1.5)),
    ),
    Fault(
        "429 with a wait of an hour",
        (busy(retry_after=timedelta(hours=1)),),
        (statuses(429), ended("Too many requests (status 429)")),
        end="failed",
    ),
    Fault("529, then well", (Failed(529, LADEN),), (statuses(529, 200), waited(0.3, 0.5))),
    Fault(
        "500 with a page of HTML, each time",
        (Failed(500, HTML, {"content-type": "text/html"}),) * 3,
        (statuses(500, 500, 500), ended("(status 500)"), plain_end()),
        end="failed",
    ),
    Fault(
        "401 that quotes the key",
        (Failed(401, '{"error": {"message": "Incorrect API key provided: KEY."}}'),),
        (statuses(401), ended("Incorrect API key provided"), plain_end()),
        end="failed",
    ),
    Fault(
        "A prompt longer than the context that was asked for",
        (CALLING, Failed(400, '{"error": "the input length exceeds the context length"}')),
        (ended("the input length exceeds the context length (status 400)"), ran(1), plain_end()),
        end="failed",
        wires=OLLAMA,
        endpoint={"context": 8192},
        demands=(rules.asks_for_the_whole_prompt,),
    ),
    Fault("An answer that breaks off", (HALF,), (statuses(200), ended("broke off")), end="failed"),
    Fault(
        "A stream that ends in the middle as if it were whole",
        (Said(HALF.text, sent="ended"),),
        (ended("ended before the answer did"),),
        end="failed",
        wires=ALL,
        streamed=STREAMED,
    ),
    Fault(
        "An answer slower than the time budget",
        (Said(HALF.text, sent="held"),),
        (ended("No answer within 1 second."), ran(0)),
        end="time limit",
        limits=Limits(seconds=1),
    ),
    Fault(
        "Stop while an answer is awaited or streamed",
        (Said(HALF.text, sent="held"),),
        (ended("Stopped by the person"), ran(0)),
        wires=ALL,
        end="stopped",
        stop="asked",
    ),
)

COUNTED = (
    Fault(
        "Usage missing",
        (Said(ANSWER.text, tokens_in=None),),
        (usage("tokens unknown, not zero", None),),
        wires=ALL,
    ),
    Fault(
        "Usage with what the cache held",
        (Said(ANSWER.text, tokens_in=5000, cached=2000),),
        (usage("all input tokens, the cached ones once", 5000, 2000),),
    ),
    Fault(
        "A last chunk without choices",
        (Said(ANSWER.text, tokens_in=1200, usage_apart=True),),
        (usage("its token counts", 1200), answer(ANSWER.text), quiet()),
        wires=OPENAI,
        streamed=STREAMED,
    ),
    Fault(
        "A prompt that the server cuts in silence",
        (
            Said(calls=(SEARCH,), tokens_in=1300),
            Said(calls=(SUM,), tokens_in=1400),
            Said(ANSWER.text, tokens_in=1100),
        ),
        (notice("prompt cut"), steps(3)),
        wires=ALL,
    ),
)

FAULTS = (*REFUSED, *FAILING, *COUNTED)
