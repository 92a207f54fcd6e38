"""Faults in what a turn says and why it ended: refusals, pauses, reasoning, calls as text."""

from __future__ import annotations

from dataclasses import replace

from faults import rules
from faults.fault import Fault
from faults.said import ANSWER, SEARCH, SUM, Call, Json, Said, Wire
from faults.signs import answer, ended, notice, quiet, ran, steps, thought

OPENAI: tuple[Wire, ...] = ("openai",)
ANTHROPIC: tuple[Wire, ...] = ("anthropic",)
OLLAMA: tuple[Wire, ...] = ("ollama",)
CALL = '{"name": "search_site", "arguments": {"query": "cache"}}'
SIGNED: Json = {"type": "thinking", "thinking": "", "signature": "c2lnbmVk"}
HIDDEN: Json = {"type": "redacted_thinking", "data": "aGlkZGVu"}
THOUGHT: Json = {"type": "thinking", "thinking": "First I search.", "signature": "c2VlbjE="}


def signed(call: Call, signature: str) -> Call:
    """A call as Gemini signs it."""
    extra = {"extra_content": {"google": {"thought_signature": signature}}}
    return replace(call, id="", extra=extra)


FAULTS = (
    Fault("An answer cut off", (Said("The answer", stop="cut"),), (steps(1),), end="cut off"),
    Fault(
        "A refusal without content",
        (Said(stop="refused", fields={"refusal": "I cannot."}, why="I cannot."),),
        (ended("I cannot."), ran(0), steps(1)),
        end="refused",
    ),
    Fault(
        "A refusal by a filter, without a word",
        (Said(stop="refused"),),
        (ended("refused"), ran(0), steps(1)),
        end="refused",
    ),
    Fault(
        "A refusal in a field, in a turn that says it is done",
        (Said(fields={"refusal": "I cannot."}),),
        (ended("I cannot."), steps(1)),
        end="refused",
        wires=OPENAI,
    ),
    Fault(
        "pause_turn",
        (Said("I look further.", stop="pause_turn"),),
        (steps(2), quiet()),
        wires=ANTHROPIC,
        demands=(rules.prefix_unchanged,),
    ),
    Fault(
        "An unknown stop reason",
        (Said("The answer", stop="out_of_ink"),),
        (ended("out_of_ink"), steps(1)),
        end="format",
    ),
    Fault(
        "Thinking with an empty text and a signature",
        (Said(calls=(SEARCH,), blocks=(SIGNED,)), Said(calls=(SUM,), blocks=(SIGNED,))),
        (ran(2), quiet()),
        wires=ANTHROPIC,
        demands=(rules.thinking_returned, rules.prefix_unchanged),
    ),
    Fault(
        "Thinking that is shown",
        (Said(calls=(SEARCH,), blocks=(THOUGHT,)),),
        (ran(1), thought("First I search."), quiet()),
        wires=ANTHROPIC,
        demands=(rules.thinking_returned,),
    ),
    Fault(
        "redacted_thinking",
        (Said(calls=(SEARCH,), blocks=(THOUGHT, HIDDEN)),),
        (ran(1), quiet()),
        wires=ANTHROPIC,
        demands=(rules.thinking_returned, rules.prefix_unchanged),
    ),
    *(
        Fault(
            f"{field} wanted back",
            (
                Said(calls=(SEARCH,), fields={field: "First I search."}),
                Said(calls=(SUM,), fields={field: "Then I calculate."}),
            ),
            (ran(2), thought("First I search."), quiet()),
            wires=OPENAI,
            demands=(rules.fields_returned, rules.prefix_unchanged),
        )
        for field in ("reasoning_content", "reasoning")
    ),
    Fault(
        "thought_signature wanted back",
        (
            Said(calls=(signed(SEARCH, "one"), replace(SUM, id="")), stop="done", same_index=True),
            Said(calls=(signed(SUM, "two"),), stop="done"),
        ),
        (ran(3), quiet()),
        wires=OPENAI,
        demands=(rules.extra_returned,),
    ),
    Fault("A call printed as text", (Said(CALL),), (ran(0), steps(1), answer(CALL))),
    Fault(
        "A call discussed inside <think>",
        (Said(f"<think>I might call {CALL}.</think>\n\n{ANSWER.text}"),),
        (ran(0), steps(1), answer(ANSWER.text), thought("I might call")),
        wires=OPENAI,
    ),
    Fault(
        "Only the closing </think>",
        (Said(f"I know that.</think>{ANSWER.text}"),),
        (ran(0), answer(ANSWER.text), thought("I know that.")),
        wires=OPENAI,
    ),
    Fault(
        "Only <think>, and no answer",
        (Said(f"<think>I might call {CALL}.</think>"),),
        (ran(0), notice("correction"), steps(2)),
        wires=OPENAI,
    ),
)
