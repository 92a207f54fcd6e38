"""Tool calls as JSON text, for a model without tool calling. Wraps any other model.

Tools are described in the prompt, a reply is one JSON object, results go back as observations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from lab.messages import (
    Conversation,
    Exchange,
    Json,
    Message,
    Notice,
    Reply,
    ToolResult,
    ToolSchema,
)
from lab.models.model import Loading, Model, Watch
from lab.models.schemas import strict
from lab.models.turns import call_ids, fault_of, read_call, sendable, with_unique_ids
from lab.prompts import prompt

FINAL = ("final", "final_answer", "answer")
"""What `action` may be called where it is the answer."""

INPUT = ("input", "args", "action_input")
"""What the input of an action may be called."""

MOST_OBJECTS = 50
"""So many opening braces of a reply are looked at."""

_FENCE = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)


class React:
    """A model whose tool calls are read from its text."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def load(self) -> None:
        """Load what the wrapped model needs; see `Loading`."""
        if isinstance(self._model, Loading):
            self._model.load()

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        """Ask the wrapped model without tools, and read its text; see `Model`."""
        said, exchange = self._model.reply(as_text(conversation), watch)
        return read(said, conversation), exchange


def as_text(conversation: Conversation) -> Conversation:
    """The same conversation for a model that knows only text."""
    described = "\n\n".join(
        f"{tool.name}: {tool.description}\nIts input, as JSON Schema: {json.dumps(tool.parameters)}"
        for tool in conversation.tools
    )
    system = f"{conversation.system}\n\n{prompt('react', tools=described)}"
    messages = tuple(text_messages(conversation.messages))
    return Conversation(system, (), messages, step_schema(conversation.tools))


def step_schema(tools: Iterable[ToolSchema]) -> Json:
    """JSON Schema of one step, for endpoints that can keep output to it."""
    tools = list(tools)
    inputs = [strict(tool.parameters) for tool in tools]
    return {
        "type": "object",
        "properties": {
            "thought": {"type": "string"},
            "action": {"type": "string", "enum": [*(tool.name for tool in tools), FINAL[0]]},
            "input": {"anyOf": [*inputs, {"type": "string"}]},
        },
        "required": ["thought", "action", "input"],
        "additionalProperties": False,
    }


def text_messages(messages: Iterable[Message]) -> Iterator[Message]:
    """Replies as they came, results as observations."""
    names: dict[str, str] = {}
    for message in messages:
        match message:
            case Reply():
                names.update({call.id: call.name for call in message.calls})
                yield replace(message, calls=())
            case ToolResult(call_id, content, failed):
                what = "Error" if failed else "Observation"
                yield Notice(f"{what} from {names.get(call_id, 'the tool')}:\n{content}")
            case _:
                yield message


def read(said: Reply, conversation: Conversation) -> Reply:
    """The reply as a call, an answer, or a fault to be told. A cut one is left alone."""
    raw = said.raw or {"role": "assistant", "content": said.text}
    said = replace(said, raw=raw, calls=())
    if said.stop in ("cut", "refused"):
        return replace(said, fault="")
    found = [item for item in objects(said.text) if is_step(item)]
    if len({json.dumps(item, sort_keys=True) for item in found}) != 1:
        return replace(said, fault=fault(said.text, found))
    step = found[0]
    answer = answer_in(step)
    if answer is not None:
        reply = replace(said, text=answer, stop="answer", fault="")
        return replace(reply, fault=fault_of(reply))
    name = step.get("action", step.get("tool"))
    call = read_call("", str(name), first_of(step, INPUT))
    calls = with_unique_ids([call], call_ids(conversation.messages))
    text = thought if isinstance(thought := step.get("thought", ""), str) else ""
    return replace(said, text=text, calls=calls, stop="tools", fault="")


def objects(text: str) -> Iterator[Json]:
    """JSON objects in a text: in its one fenced block if it has one, else anywhere.

    A fence in a text that begins with an object is one of its own.
    """
    fenced = [] if text.lstrip().startswith("{") else _FENCE.findall(text)
    text = fenced[0] if len(fenced) == 1 else text
    decoder, place = json.JSONDecoder(strict=False), 0
    for _ in range(MOST_OBJECTS):
        place = text.find("{", place)
        if place < 0:
            return
        try:
            found, place = decoder.raw_decode(text, place)
            yield sendable(found)
        except (ValueError, RecursionError):
            place += 1


def is_step(item: Json) -> bool:
    """True for either of the two shapes that are read."""
    action = item.get("action", item.get("tool"))
    is_call = isinstance(action, str) and action.lower() not in FINAL
    return is_call or answer_in(item) is not None


def answer_in(step: Json) -> str | None:
    """The answer that a step holds; None where it is a call."""
    action = str(step.get("action", step.get("tool")))
    names = (*INPUT, "answer") if action.lower() in FINAL else ()
    if isinstance(step.get("final"), bool):  # a flag, not an answer
        step = {key: value for key, value in step.items() if key != "final"}
    answer = first_of(step, ("final", *names))
    return None if answer is None else words(answer)


def first_of(step: Json, names: Iterable[str]) -> Any:
    """The first of these fields that is there and not null; None where none is."""
    return next((step[name] for name in names if step.get(name) is not None), None)


def words(value: Any) -> str:
    """An answer as text, whatever JSON it came as."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def fault(text: str, found: list[Json]) -> str:
    """What is wrong with a reply that is not one step, for the model."""
    form = (
        'Reply with one JSON object: {"thought": …, "action": tool name, "input": {…}}, '
        'or {"action": "final", "input": "the answer"}.'
    )
    if len(found) > 1:
        return f"Your reply holds {len(found)} different objects; one call at a time. {form}"
    if not text.strip():
        return f"Your reply is empty. {form}"
    return f"Your reply holds no JSON object that is a call or an answer. {form}"
