"""From what a person asks for to what a run needs: an index, a checked question, settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

from indexer.index import Index, cached
from lab import places
from lab.errors import LabError
from lab.events import Asked, End, ModelFailed, Noticed, Reopened, RunStarted
from lab.messages import Exchange, ToolSchema
from lab.models.catalog import address_of, has_price, protocol_for, settled
from lab.prompts import prompt
from lab.run import Run
from lab.settings import Limits, Settings
from lab.store import Store

QUESTION_CHARACTERS = 20_000
LIBRARIES = ("site-agent-lab", "anthropic", "openai", "rank-bm25")
OVER: tuple[End, ...] = ("answered", "refused")
"""Ends after which there is nothing to go on with. All others can be resumed."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose to run with."""

    model: str = "demo"
    """ENDPOINT/MODEL, `demo` or `scripted:NAME`."""
    protocol: str = "auto"
    """`auto`, `native` or `react`."""
    cache: bool = False
    """Whether to ask for the endpoint's prompt cache."""
    base_url: str = ""
    """Another address for the endpoint; empty for its own."""
    limits: Limits = field(default_factory=Limits)
    index: str = ""
    """Folder of the index; empty for the sample site's."""
    system: str = ""
    """Another system prompt; empty for the lab's own."""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    """Other descriptions of tools, by the tool's name."""


class InputError(LabError):
    """What a person gave cannot be used. One line: what, and what is accepted."""


def open_index(folder: str = "") -> Index:
    """The index in that folder, or the sample site's, built at first use and after a change."""
    if folder:
        return Index.load(Path(folder))
    site = places.sample_site()
    if not site.is_dir():
        raise InputError(
            f"The sample site is not at {site}: it comes with a checkout, not with the installed "
            "package. Name an index with --index; `lab index FOLDER --out DIR` builds one."
        )
    return cached(site, places.cache() / "sample-index")


def open_store() -> Store:
    """The store of this person's runs."""
    return Store(places.home() / "runs.db")


def checked_question(text: str) -> str:
    """The question without control characters; InputError where it is empty or too long."""
    question = _CONTROL.sub("", text.replace("\r\n", "\n")).strip()
    if not question:
        raise InputError("The question is empty. Ask something about the site, in words.")
    if len(question) > QUESTION_CHARACTERS:
        raise InputError(
            f"The question has {len(question):,} characters; at most {QUESTION_CHARACTERS:,} "
            "are accepted, since it is sent again with every step. Ask the part that matters."
        )
    return question.encode(errors="replace").decode()


def settings_for(choice: Choice, index: Index, tools: tuple[ToolSchema, ...]) -> Settings:
    """All that the run depends on. InputError where a limit on money could not be kept."""
    if choice.limits.cost is not None and not has_price(choice.model):
        raise InputError(
            f"No price is known for {choice.model}, so a limit on money cannot be kept. Leave it "
            "out, limit tokens instead, or give a price in prices.toml (see the README)."
        )
    return Settings(
        model=settled(choice.model),
        system=choice.system.strip() or prompt("system", site=index.site.name),
        tools=described(tools, choice.descriptions),
        limits=choice.limits,
        protocol=protocol_for(choice.model, choice.protocol, choice.base_url),
        cache=choice.cache,
        base_url=address_of(choice.model, choice.base_url),
        index=str(Path(choice.index).resolve()) if choice.index else "",
        fingerprint=index.fingerprint,
        versions={name: version(name) for name in LIBRARIES},
    )


def described(
    tools: tuple[ToolSchema, ...], descriptions: Mapping[str, str]
) -> tuple[ToolSchema, ...]:
    """The tools as a person describes them. InputError for a tool that there is not."""
    names = [tool.name for tool in tools]
    if strange := sorted(set(descriptions) - set(names)):
        raise InputError(f"There is no tool {strange[0]!r}. The tools are: {', '.join(names)}.")
    return tuple(
        replace(tool, description=descriptions.get(tool.name, "").strip() or tool.description)
        for tool in tools
    )


def start(store: Store, settings: Settings, question: str) -> Run:
    """A stored run with its question asked."""
    run = store.start(RunStarted(settings))
    run.record(Asked(question))
    return run


def can_go_on(run: Run) -> bool:
    """True where a question was asked and has no end, or one that can be gone on from."""
    end = run.end()
    return bool(run.turn()) and (end is None or end.reason not in OVER)


def reopen(run: Run, index: Index) -> str:
    """Make a saved run ready to go on. Says why not where there is nothing to go on with."""
    end = run.end()
    if not can_go_on(run):
        return f"it is over: {end.reason}." if end else "no question was asked in it."
    if run.unanswered():
        lost = "No answer was recorded: the process ended while the model was asked."
        run.record(ModelFailed(run.step(), lost, Exchange()))
    if end or run.stopping() or run.failed():
        run.record(Reopened())
    if index.fingerprint != run.settings.fingerprint:
        run.record(Noticed("index changed", "The site's index changed since this run began."))
    return ""
