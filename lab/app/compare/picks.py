"""What is to stand in the columns of the Compare page, and ready choices of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lab import places
from lab.changed import other_descriptions, other_system
from lab.compare.differing import PROTOCOLS
from lab.models.catalog import LOCAL, is_standin, needs_no_endpoint
from lab.models.endpoints import endpoints
from lab.prompts import prompt
from lab.settings import Settings

if TYPE_CHECKING:
    from indexer.index import Index

HOSTED = ("anthropic/claude-sonnet-5", "anthropic/claude-haiku-4-5")
SCRIPTS = ("scripted:careful", "scripted:hasty")
"""They know the sample site alone."""
ON_THIS_MACHINE = "ollama/llama3.1:8b"


@dataclass(frozen=True, slots=True)
class Pick:
    """What is to stand in one column."""

    model: str
    protocol: str = "auto"
    """As for `Choice`; what a stand-in takes is not a matter of choice."""
    cache: bool = False
    system: str = ""
    """Another system prompt; empty for the lab's own."""
    semantic: bool = False
    """Whether passages are found by meaning too."""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    """Other descriptions of tools, by the tool's name."""
    run: str = ""
    """Id of a saved run that stands here as it is; empty where the model is asked."""

    def label(self) -> str:
        """What was set otherwise than usual, in a few words."""
        if self.run:
            return f"Saved run {self.run[:8]}"
        said = [PROTOCOLS[self.protocol]] if self.protocol in PROTOCOLS else []
        said += ["cached"] if self.cache else []
        said += ["found by meaning too"] if self.semantic else []
        said += ["own prompt"] if self.system.strip() else []
        said += [f"own description of {name}" for name in self.descriptions]
        return ", ".join(said).capitalize() or "Usual settings"


def pick_of(settings: Settings, index: Index) -> Pick:
    """The pick that a run with these settings came of, on the site of that index."""
    return Pick(
        settings.model,
        "auto" if is_standin(settings.model) else settings.protocol,
        settings.cache,
        other_system(settings, index),
        settings.semantic,
        other_descriptions(settings, index),
    )


def usual(names: Sequence[str]) -> tuple[Pick, ...]:
    """What is compared where nothing was chosen, out of the models at hand."""
    if set(HOSTED) <= set(names):
        return picks(HOSTED)
    return picks(SCRIPTS if places.is_sample() else ("demo", "demo"))


def ready_made(
    chosen: Sequence[Pick], names: Sequence[str], site: str
) -> dict[str, tuple[Pick, ...]]:
    """Sets of columns by what they compare; a model that was chosen stays where one is enough."""
    model = next(filter(takes_settings, [*(pick.model for pick in chosen), *names]), HOSTED[-1])
    any_ = next((pick.model for pick in chosen if pick.model), SCRIPTS[0])
    here = next((name for name in names if on_this_machine(name)), ON_THIS_MACHINE)
    made = {
        "Two models": picks(HOSTED),
        "Hosted and local": picks((HOSTED[-1], here)),
        "Native and text protocol": (Pick(model, "native"), Pick(model, "react")),
        "Caching off and on": (Pick(model), Pick(model, cache=True)),
        "Two system prompts": (Pick(model), Pick(model, system=prompt("brief", site=site))),
        "By terms, and by meaning too": (Pick(any_), Pick(any_, semantic=True)),
    }
    return {**made, "Careful and hasty": picks(SCRIPTS)} if places.is_sample() else made


def picks(models: Sequence[str]) -> tuple[Pick, ...]:
    """Models as they come."""
    return tuple(Pick(name) for name in models)


def takes_settings(model: str) -> bool:
    """True for a model whose protocol and prompt cache are a matter of choice."""
    return bool(model) and not is_standin(model) and not needs_no_endpoint(model)


def on_this_machine(model: str) -> bool:
    """True for one that runs on the machine of the person, by its name."""
    endpoint = endpoints().get(model.partition("/")[0])
    return model.startswith(LOCAL) or bool(endpoint and endpoint.free)
