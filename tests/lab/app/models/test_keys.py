"""A typed key is sent where it was typed for, one of the environment where its entry says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lab.app import resources, state
from lab.app.models import keys
from lab.errors import LabError
from lab.messages import Conversation, Question
from lab.models.endpoints import Endpoint
from lab.models.probe import ProbeWatch

if TYPE_CHECKING:
    from tests.conftest import Loopback

TYPED, OF_ENVIRONMENT = "sk-typed-canary-1f6a", "sk-environment-canary-77c0"
OWN, OTHER = "http://127.0.0.1:9/v1", "http://127.0.0.1:10/v1"
CANARY = Endpoint("canary", "openai", OWN, key="CANARY_KEY", models=("m",))


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """A session that has just begun, in an environment without keys."""
    own: dict[str, Any] = {}
    monkeypatch.setattr(resources.st, "session_state", own)
    monkeypatch.setenv("LAB_HOME", str(tmp_path))
    monkeypatch.delenv("CANARY_KEY", raising=False)
    monkeypatch.delenv("LAB_SHARED_KEYS", raising=False)
    bound(monkeypatch, "127.0.0.1")
    return own


def bound(monkeypatch: pytest.MonkeyPatch, address: str | None) -> None:
    """Let the page be bound to an address."""
    monkeypatch.setattr(resources.st, "get_option", lambda name: address)


@pytest.mark.parametrize("typed", [TYPED, f" {TYPED}", f"{TYPED}\n", f"\t{TYPED}\r\n"])
def test_blanks_and_line_ends_around_a_key_are_no_part_of_it(typed: str) -> None:
    keys.save_key(CANARY, typed)
    assert keys.key_at("canary", OWN) == TYPED


@pytest.mark.parametrize(
    "typed", ["", " \n", "sk secret", "sk-secret\nmore", "sk-secrét", "sk\x00"]
)
def test_what_can_be_no_key_is_refused_and_not_repeated(typed: str) -> None:
    with pytest.raises(LabError) as caught:
        keys.save_key(CANARY, typed)
    assert "secr" not in str(caught.value)
    assert keys.key_at("canary", OWN) == ""


def test_a_key_is_given_out_for_the_address_it_was_typed_for_and_no_other() -> None:
    keys.save_key(CANARY, TYPED)
    for address in (OTHER, f"{OWN}/", OWN.upper(), ""):
        assert keys.key_at("canary", address) == ""
    assert keys.key_at("other", OWN) == ""
    assert keys.key_at("canary", OWN) == TYPED


def test_a_key_outlasts_no_change_of_the_address_and_no_change_of_the_entry() -> None:
    keys.save_key(CANARY, TYPED)
    keys.save_address(CANARY, f" {OWN} ")
    assert resources.key_state(CANARY) == "typed"
    assert resources.key_state(replace(CANARY, base_url=OTHER)) == "missing"
    keys.save_address(CANARY, OTHER)
    assert resources.key_state(CANARY) == "missing"
    keys.save_address(CANARY, "")
    assert keys.reached_at(CANARY) == OWN
    assert resources.key_state(CANARY) == "missing"


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1:11434", "ftp://h", "http://", "http://host:99999/v1"),
        *("http://me:secret@h/v1", "http://secret@h", "http://h/v1?key=secret", "http://h/#secret"),
        *("http://h/a b", "http://h\n.example/v1", "http://h\\@secret.example"),
    ],
)
def test_what_can_be_no_address_is_refused_and_changes_nothing(address: str) -> None:
    keys.save_key(CANARY, TYPED)
    with pytest.raises(LabError) as caught:
        keys.save_address(CANARY, address)
    assert "secret" not in str(caught.value)
    assert keys.reached_at(CANARY) == OWN
    assert keys.key_at("canary", OWN) == TYPED


def test_a_session_does_not_print_its_keys(session: dict[str, Any]) -> None:
    keys.save_key(CANARY, TYPED)
    assert "canary" in repr(session)
    assert TYPED not in repr(session)


MISSING = "canary needs a key"
CASES = [
    # bound to, shared, in the environment, typed, address, what is sent or said
    ("127.0.0.1", "", True, False, OWN, OF_ENVIRONMENT),
    ("localhost", "", True, True, OWN, TYPED),
    ("127.0.0.1", "", False, True, OWN, TYPED),
    ("127.0.0.1", "", False, False, OWN, "set CANARY_KEY in the environment, or type it on the "),
    ("127.0.0.1", "", True, False, OTHER, "go to the address of its entry only"),
    ("127.0.0.1", "", True, True, OTHER, f"needs a key for {OTHER}"),
    ("0.0.0.0", "", True, False, OWN, "in the environment, but not used"),
    (None, "", True, False, OWN, "in the environment, but not used"),
    ("192.168.1.4", "0", True, False, OWN, "in the environment, but not used"),
    ("0.0.0.0", "", True, True, OWN, TYPED),
    ("0.0.0.0", "1", True, False, OWN, OF_ENVIRONMENT),
    ("0.0.0.0", "1", True, False, OTHER, "go to the address of its entry only"),
]


@pytest.mark.parametrize("case", CASES)
def test_which_key_goes_where(
    case: tuple[str | None, str, bool, bool, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, shared, set_, typed, at, expected = case
    bound(monkeypatch, address)
    monkeypatch.setenv("LAB_SHARED_KEYS", shared)
    if set_:
        monkeypatch.setenv("CANARY_KEY", f"{OF_ENVIRONMENT}\n")
    if typed:
        keys.save_key(CANARY, TYPED)
    if expected in (TYPED, OF_ENVIRONMENT):
        assert resources.key_for(CANARY, at) == expected
        return
    with pytest.raises(LabError, match=MISSING) as caught:
        resources.key_for(CANARY, at)
    assert expected in str(caught.value)


def test_an_endpoint_that_needs_no_key_gets_none() -> None:
    assert resources.key_for(replace(CANARY, key=""), OTHER) == ""
    assert resources.key_state(replace(CANARY, key="")) == "not needed"


@pytest.fixture
def served(loopback: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    """An endpoint of the user's own table, with a key in the environment."""
    path = tmp_path / "endpoints.toml"
    path.write_text(
        f'[canary]\nwire = "openai"\nbase_url = "{loopback.url}/own"\nkey = "CANARY_KEY"\n'
        'models = ["m"]\n[free]\nwire = "openai"\nbase_url = "http://127.0.0.1:9"\nfree = true\n'
    )
    monkeypatch.setenv("LAB_ENDPOINTS", str(path))
    monkeypatch.setenv("CANARY_KEY", OF_ENVIRONMENT)
    return replace(CANARY, base_url=f"{loopback.url}/own")


def ask(base_url: str = "", name: str = "canary/m") -> None:
    """Ask the model of that name as a run would."""
    asked = Conversation("Answer.", (), (Question("Why?"),))
    resources.opened(name, "native", base_url).reply(asked, ProbeWatch())


def test_a_run_goes_to_the_sessions_address_with_the_key_typed_for_it(
    served: Endpoint, loopback: Loopback
) -> None:
    loopback.chat("Yes.").chat("Yes.")
    ask()
    keys.save_address(served, f"{loopback.url}/other")
    assert resources.address_for("canary/m") == f"{loopback.url}/other"
    with pytest.raises(LabError, match=MISSING):
        ask()
    keys.save_key(served, TYPED)
    ask()
    assert [(r.path, r.headers["authorization"]) for r in loopback.received] == [
        ("/own/chat/completions", f"Bearer {OF_ENVIRONMENT}"),
        ("/other/chat/completions", f"Bearer {TYPED}"),
    ]


def test_a_resumed_run_takes_its_own_address_and_no_key_that_is_not_for_it(
    served: Endpoint, loopback: Loopback
) -> None:
    keys.save_key(served, TYPED)
    with pytest.raises(LabError, match=r"needs a key for .*/elsewhere"):
        ask(f"{loopback.url}/elsewhere")
    keys.save_address(served, f"{loopback.url}/other")
    loopback.chat("Yes.")
    ask(f"{loopback.url}/own")
    [received] = loopback.received
    assert received.path == "/own/chat/completions"
    assert received.headers["authorization"] == f"Bearer {OF_ENVIRONMENT}"


def test_a_page_open_to_others_asks_no_other_address_than_the_entrys_own(
    served: Endpoint, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound(monkeypatch, "0.0.0.0")
    with pytest.raises(LabError, match="bound to loopback"):
        ask(loopback.url, "free/m")
    assert not loopback.received


@pytest.mark.parametrize("name", ["demo", "scripted:careful", "scripted:/a/b.json", "", "x", "x/y"])
def test_what_has_no_address_in_this_session_keeps_its_own(name: str) -> None:
    keys.save_address(replace(CANARY, name="demo"), OTHER)
    assert resources.address_for(name) == ""


def test_models_are_offered_where_there_is_a_key_for_where_they_are_reached(
    served: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "canary/m" in resources.model_names()
    keys.save_address(served, OTHER)
    assert "canary/m" not in resources.model_names()
    keys.save_key(served, TYPED)
    assert "canary/m" in resources.model_names()
    keys.forget_key("canary")
    assert "canary/m" not in resources.model_names()


def test_a_table_that_cannot_be_read_leaves_the_stand_ins_and_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session: dict[str, Any]
) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("[canary\n")
    monkeypatch.setenv("LAB_ENDPOINTS", str(path))
    assert resources.model_names()[:2] == ["demo", "scripted:careful"]
    assert str(session[state.FAULT]).startswith(f"{path} is not valid TOML")
