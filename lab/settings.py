"""All that a run depends on, fixed when it starts and stored with it. Never a key."""

from __future__ import annotations

from dataclasses import dataclass, field

from lab.messages import ToolSchema


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a question must stop, whatever the model does. None means no such limit."""

    steps: int = 8
    """Model calls; the one limit that is always set."""
    tool_calls: int | None = 24
    """Tools run."""
    tokens_in: int | None = None
    """Input tokens of all steps together."""
    cost: float | None = None
    """US dollars of all steps together."""
    seconds: float | None = 300.0
    """Model, waiting and tool time together."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run was started with."""

    model: str
    """ENDPOINT/MODEL, `demo` or `scripted:NAME`, as the person named it."""
    system: str
    """The system prompt."""
    tools: tuple[ToolSchema, ...]
    """The tools, frozen: a later call gets these whatever has changed since."""
    limits: Limits = Limits()
    protocol: str = "native"
    """`native` tool calls, or `react`: calls as JSON text."""
    cache: bool = False
    """Whether the endpoint's prompt cache was asked for."""
    base_url: str = ""
    """Where the endpoint was reached; empty where no wire was used."""
    index: str = ""
    """The folder of the index searched; empty for the sample site's."""
    semantic: bool = False
    """Whether passages were found by meaning too."""
    fingerprint: str = ""
    """The index's fingerprint, to notice that the site changed under a saved run."""
    versions: dict[str, str] = field(default_factory=dict)
    """Library versions."""
