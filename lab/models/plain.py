"""A reply as any wire can write it: words and calls, without what only its own model can read.

For a reply that is told to another model than gave it, and for one that no model gave.
"""

from __future__ import annotations

import json
from dataclasses import replace

from lab.errors import LabError
from lab.messages import Reply


def plain(reply: Reply, protocol: str) -> Reply:
    """The reply for a conversation in that protocol.

    LabError where the text protocol has no words for it.
    """
    if protocol == "native" or not reply.calls:
        return replace(reply, raw=None)
    if len(reply.calls) > 1:
        raise LabError(
            f"A reply with {len(reply.calls)} calls at once cannot be told in the text protocol, "
            "which has one call a reply. Fork at the start, or choose native tool calls."
        )
    [call] = reply.calls
    given = call.raw if call.arguments is None else call.arguments
    step = {"thought": reply.text, "action": call.name, "input": given}
    return replace(reply, raw=None, text=json.dumps(step, ensure_ascii=False))
