"""What the models that are none have in common: no wire, no money, estimated tokens."""

from __future__ import annotations

import json
import time
from dataclasses import replace

from lab.messages import Attempt, Conversation, Cost, Exchange, Json, Reply, Request, Usage
from lab.models import openai
from lab.models.endpoints import Endpoint
from lab.models.estimates import estimated_tokens, tokens_said
from lab.models.model import Watch

NO_MONEY = Cost(0.0, "free: no model was called")

NOBODY = Endpoint("nobody", "openai", "no endpoint: nothing was sent", stream=False)


def unsent(conversation: Conversation, name: str) -> Request:
    """What a real model would have been sent, in the format most of them read."""
    body = openai.request_body(conversation, name, NOBODY)
    return Request("POST", openai.PATH, written(body), {}, sent=False)


def written(body: Json) -> str:
    """A body as JSON text."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def announce(conversation: Conversation, name: str, watch: Watch) -> str:
    """Report what a real model would have been sent; gives its body."""
    request = unsent(conversation, name)
    watch.sent(request)
    return request.body


def played(reply: Reply, request: str, started: float) -> tuple[Reply, Exchange]:
    """The reply with estimated counts, and what it took."""
    usage = Usage(estimated_tokens(len(request)), tokens_said(reply), estimated=True)
    attempt = Attempt(None, time.perf_counter() - started)
    return replace(reply, usage=usage), Exchange(attempts=(attempt,), cost=NO_MONEY)
