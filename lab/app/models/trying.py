"""What takes a while at an endpoint, in a thread of its own: listing its models, probing one.

The thread calls nothing of Streamlit; the key it works with is in its own hands alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import streamlit as st

from lab.app import state
from lab.errors import LabError
from lab.messages import Cost, Request, Usage
from lab.models.card import Card, keep
from lab.models.endpoints import Endpoint
from lab.models.listing import listed
from lab.models.model import ModelError
from lab.models.probe import Probe, ProbeWatch
from lab.waiting import GivenUp

Kind = Literal["list", "probe"]
Work: TypeAlias = Callable[["Trial"], tuple[str, ...] | Card]


class Trial:
    """One thing that is tried. Readers look at what it says of itself."""

    def __init__(self, what: str, work: Work) -> None:
        self.what = what
        """What is being done, in words."""
        self.doing = ""
        """The question that is open now."""
        self.calls = 0
        """Requests sent so far."""
        self.found: tuple[str, ...] | Card | None = None
        """Names of models, or what a probe found out."""
        self.error = ""
        """Why nothing was found; one line."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(work,), daemon=True, name=what)
        self._thread.start()

    def _work(self, work: Work) -> None:
        try:
            found = work(self)
        except (LabError, ModelError) as error:
            self.error = str(error)
        except OSError as error:
            self.error = f"What was found cannot be kept: {error}."
        except GivenUp:
            pass
        except Exception as error:  # its words are not shown: they may quote what was sent
            self.error = f"The lab had to give this up: {type(error).__name__}."
        else:
            self.found = None if self.stopped else found

    def tell(self, doing: str) -> None:
        """Say what is asked next."""
        self.doing = doing

    def stop(self) -> None:
        """Ask it to stop; nothing is sent from now on."""
        self._stop.set()

    def why_stop(self) -> str:
        return "you stopped it" if self.stopped else ""

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()

    @property
    def working(self) -> bool:
        return self._thread.is_alive()

    def join(self, timeout: float | None = None) -> None:
        self._thread.join(timeout)


class TrialWatch(ProbeWatch):
    """Counts what is sent, and lets nothing leave once the trial is stopped."""

    def __init__(self, trial: Trial) -> None:
        super().__init__(give_up=trial.why_stop)
        self._trial = trial

    def about_to_send(self, likely: Usage, cost: Cost) -> None:
        self._go_on()

    def sent(self, request: Request) -> None:
        self._go_on()
        self._trial.calls += 1

    def _go_on(self) -> None:
        if why := self.give_up():
            raise GivenUp(why)


def listing(endpoint: Endpoint, key: str) -> Work:
    """Asks an endpoint for the names of its models."""
    return lambda trial: listed(endpoint, key, TrialWatch(trial))


def probing(model: str, endpoint: Endpoint, key: str, largest: int) -> Work:
    """Probes a model of the endpoint; the card is kept where it was reached."""

    def work(trial: Trial) -> Card:
        probe = Probe(f"{endpoint.name}/{model}", endpoint, key, TrialWatch(trial))
        card = probe.card(largest, trial.tell)
        if not card.reachable:
            raise ModelError(card.said)
        if not trial.stopped:
            keep(card)
        return card

    return work


@dataclass(slots=True)
class Trials:
    """What a session tries or has tried. Changed in turn, as two clicks run two scripts at once."""

    of: dict[tuple[str, Kind], Trial] = field(default_factory=dict)
    """By the endpoint's name."""
    turn: threading.Lock = field(default_factory=threading.Lock)


def begin(name: str, kind: Kind, what: str, work: Work) -> None:
    """Try something at an endpoint, unless that is under way already."""
    trials = _trials()
    with trials.turn:
        known = trials.of.get((name, kind))
        if not (known and known.working):
            trials.of[name, kind] = Trial(what, work)


def trial(name: str, kind: Kind) -> Trial | None:
    """What was tried last at an endpoint."""
    return _trials().of.get((name, kind))


def names(name: str) -> tuple[str, ...]:
    """The models that the endpoint of that name said it has; empty where it was not asked."""
    asked = trial(name, "list")
    return asked.found if asked and isinstance(asked.found, tuple) else ()


def forget(name: str) -> None:
    """Stop and forget what was tried at an endpoint: its address or its key is another now."""
    trials = _trials()
    with trials.turn:
        for known in [each for each in trials.of if each[0] == name]:
            trials.of.pop(known).stop()


def _trials() -> Trials:
    held: Trials = st.session_state.setdefault(state.TRIALS, Trials())
    return held
