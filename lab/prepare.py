"""From what a person asks for to what a run needs: an index, a checked question, settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from lab import places
from lab.bounds import checked_limits
from lab.errors import LabError
from lab.events import Asked, End, ModelFailed, Noticed, Reopened, RunStarted
from lab.messages import Exchange, ToolSchema
from lab.models.catalog import ELSEWHERE, address_of, has_price, protocol_for, settled
from lab.prompts import prompt
from lab.run import Run
from lab.settings import Limits, Settings
from lab.store import Store

if TYPE_CHECKING:
    from indexer.index import Index

QUESTION_CHARACTERS = 20_000
LIBRARIES = ("site-agent-lab", "anthropic", "openai", "rank-bm25")
PROMPT_CHARACTERS = 100_000
"""So long a system prompt or a tool's description may be; it is sent with every step."""
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


def open_index(folder: str = "", semantic: bool | None = None) -> Index:
    """The index in that folder, or the sample site's, built at first use and after a change.

    `semantic`: whether it is to find by meaning too; None for as it was built. Raises InputError,
    and IndexerError where the extra is not installed.
    """
    # Imported here: `lab ask --help`, and a mistake in what was asked, need not wait for it.
    from indexer.index import Index  # noqa: PLC0415

    if folder:
        index = Index.load(Path(folder))
        if semantic and not index.semantic:
            raise InputError(
                f"The index in {folder} does not find by meaning. Build it so: "
                f"`lab index SOURCE --out {folder} --semantic`."
            )
        return index if semantic is None else index.finding(semantic)
    site = places.sample_site()
    if not site.is_dir():
        raise InputError(
            f"The sample site is not at {site}: it comes with a checkout, not with the installed "
            "package. Name an index with --index; `lab index FOLDER --out DIR` builds one."
        )
    from indexer.again import cached  # noqa: PLC0415  reads pages, which a saved index need not
    from indexer.settings import Settings as IndexSettings  # noqa: PLC0415

    kept = places.cache() / ("sample-index-semantic" if semantic else "sample-index")
    return cached(site, kept, IndexSettings(semantic=bool(semantic)))


def open_store() -> Store:
    """The store of this person's runs."""
    return Store(places.home() / "runs.db")


def checked_question(text: str) -> str:
    """The question without control characters; InputError where it is empty or too long."""
    question = cleaned(text)
    if not question:
        raise InputError("The question is empty. Ask something about the site, in words.")
    if len(question) > QUESTION_CHARACTERS:
        raise InputError(
            f"The question has {len(question):,} characters; at most {QUESTION_CHARACTERS:,} "
            "are accepted, since it is sent again with every step. Ask the part that matters."
        )
    return question


def cleaned(text: str) -> str:
    """The text without control characters and blanks around it, fit to be stored and sent."""
    kept = _CONTROL.sub("", text.replace("\r\n", "\n")).strip()
    return kept.encode(errors="replace").decode()


def checked_prompt(text: str) -> str:
    """A system prompt or a tool's description, cleaned; InputError where it is too long."""
    kept = cleaned(text)
    if len(kept) > PROMPT_CHARACTERS:
        raise InputError(
            f"A prompt of {len(kept):,} characters is too long; at most {PROMPT_CHARACTERS:,} "
            "are accepted, since it is sent again with every step."
        )
    return kept


def own_system(index: Index) -> str:
    """The lab's own system prompt for that site."""
    return prompt("system", site=index.site.name)


def settings_for(choice: Choice, index: Index, tools: tuple[ToolSchema, ...]) -> Settings:
    """All that the run depends on. InputError where a limit is none or could not be kept."""
    limits = checked_limits(choice.limits)
    if limits.cost is not None and not has_price(choice.model):
        raise InputError(
            f"No price is known for {choice.model}, so a limit on money cannot be kept. Leave it "
            "out, limit tokens instead, or give a price in prices.toml (see the README)."
        )
    return Settings(
        model=settled(choice.model),
        system=checked_prompt(choice.system) or own_system(index),
        tools=described(tools, choice.descriptions),
        limits=limits,
        protocol=protocol_for(choice.model, choice.protocol, choice.base_url),
        cache=choice.cache,
        base_url=address_of(choice.model, choice.base_url),
        index=str(Path(choice.index).resolve()) if choice.index else "",
        semantic=index.semantic,
        fingerprint=index.fingerprint,
        versions=_versions(),
    )


def _versions() -> dict[str, str]:
    # Imported here, as the index is, for the same reason.
    from importlib.metadata import version  # noqa: PLC0415

    return {name: version(name) for name in LIBRARIES}


def described(
    tools: tuple[ToolSchema, ...], descriptions: Mapping[str, str]
) -> tuple[ToolSchema, ...]:
    """The tools as a person describes them. InputError for a tool that there is not."""
    names = [tool.name for tool in tools]
    if strange := sorted(set(descriptions) - set(names)):
        raise InputError(f"There is no tool {strange[0]!r}. The tools are: {', '.join(names)}.")
    return tuple(
        replace(
            tool, description=checked_prompt(descriptions.get(tool.name, "")) or tool.description
        )
        for tool in tools
    )


def start(store: Store, settings: Settings, question: str) -> Run:
    """A stored run with its question asked."""
    return store.start(RunStarted(settings), others=[Asked(question)])


def can_go_on(run: Run) -> bool:
    """True where a question was asked and has no end, or one that can be gone on from."""
    end = run.end()
    return bool(run.turn()) and (end is None or end.reason not in OVER)


def reopen(run: Run, index: Index) -> str:
    """Make a saved run ready to go on. Says why not where there is nothing to go on with."""
    end = run.end()
    if not can_go_on(run):
        return f"it is over: {end.reason}." if end else "no question was asked in it."
    if run.unanswered() and run.settings.model not in ELSEWHERE:  # these may reply at any time
        lost = "No answer was recorded: the process ended while the model was asked."
        run.record(ModelFailed(run.step(), lost, Exchange()))
    if end or run.stopping() or run.failed():
        run.record(Reopened())
    notice_changes(run, index)
    return ""


def follow_up(run: Run, question: str, index: Index) -> None:
    """Ask a further question in the same run, whose limits count afresh.

    What was said before is sent again as it was, so model, prompts and tools stay those of the
    run. InputError where its last question has no end: that one must go on first.
    """
    asked = checked_question(question)
    if not run.turn():
        raise InputError(f"No question was asked in run {run.id}, so none can follow.")
    if not run.turn_is_over():
        raise InputError(
            f"The last question of run {run.id} has no end yet. Let it end, or resume it: "
            f"`lab runs resume {run.id}`."
        )
    run.record(Asked(asked))
    notice_changes(run, index)


def notice_changes(run: Run, index: Index) -> None:
    """Say so in the run where the site is no longer as it was when the run began."""
    if index.fingerprint != run.settings.fingerprint:
        run.record(Noticed("index changed", "The site's index changed since this run began."))
