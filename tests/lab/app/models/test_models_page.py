"""The Models page as its script runs: what each state of it says, without a browser."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import streamlit
from answers import as_stream
from as_read import as_read
from streamlit.testing.v1 import AppTest

from lab.app import resources, state
from lab.app.models import trying
from lab.models.card import Card, keep, kept
from lab.models.endpoints import endpoints

if TYPE_CHECKING:
    from tests.conftest import Loopback, Received

CANARY = "sk-canary-4f1c8e7720b95d"
HOSTILE = "<script>alert(1)</script><img src=https://evil.example/a.png>"
Answer = tuple[int, dict[str, str], Any]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data of the test's own, and no key at hand."""
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "home"))
    for endpoint in endpoints().values():
        monkeypatch.delenv(endpoint.key or "LAB_SHARED_KEYS", raising=False)


@pytest.fixture
def address(loopback: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the endpoints of the user's own table are: one with a key, one that is free."""
    path = tmp_path / "endpoints.toml"
    path.write_text(
        f'[groq]\nwire = "openai"\nbase_url = "{loopback.url}/v1"\nkey = "GROQ_API_KEY"\n'
        f'models = ["llama-3.3-70b-versatile"]\n[ollama]\nwire = "openai"\n'
        f'base_url = "{loopback.url}/v1"\nfree = true\nmodels = ["m"]\n'
    )
    monkeypatch.setenv("LAB_ENDPOINTS", str(path))
    return f"{loopback.url}/v1"


def shown() -> None:
    """The page's script."""
    from lab.app.models import page as models

    models.view()


def opened() -> AppTest:
    return AppTest.from_function(shown, default_timeout=60).run()


def words(page: AppTest) -> str:
    """All HTML of the page."""
    return "\n".join(str(element.proto.body) for element in page.get("html"))


def field(page: AppTest, what: str, name: str) -> Any:
    return page.text_input(key=state.widget(f"{what} {name}"))


def save(page: AppTest, what: str, name: str, text: str) -> AppTest:
    """Type into a field of an endpoint's card, and save it."""
    field(page, what, name).set_value(text)
    [button] = [b for b in page.button if b.label == f"Save {what}" and b.form_id.endswith(name)]
    return button.click().run()


def tried(page: AppTest, name: str, kind: trying.Kind) -> AppTest:
    """The page when what was tried at an endpoint is over."""
    known = page.session_state[state.TRIALS].of[name, kind]
    known.join(60)
    assert not known.working
    return page.run()


def probed(request: Received) -> Answer:
    """The answer of a server that can do little."""
    message = {"role": "assistant", "content": HOSTILE}
    whole = {
        **{"id": "x", "object": "chat.completion", "created": 1, "model": "m"},
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": min(len(request.body) // 4, 1500), "completion_tokens": 3},
    }
    return 200, {"content-type": "text/event-stream"}, as_stream(whole)


def test_there_is_a_card_for_every_endpoint_with_address_wire_and_prices() -> None:
    page = opened()
    assert not page.exception
    html = words(page)
    for endpoint in endpoints().values():
        assert f"<h4>{endpoint.name}</h4>" in html
        assert endpoint.base_url in html
        assert all(model in html for model in endpoint.models)
    assert html.count("no key needed") == sum(not each.key for each in endpoints().values())
    assert "<th scope='row'>gpt-5</th><td>1.25</td><td>10</td>" in html
    assert "<td>1.25 to 2.5</td>" in html
    assert "free by declaration" in html
    assert "$0" not in html
    assert CANARY not in html
    editable = {box.label for box in page.text_input if box.label.startswith("Base address")}
    assert editable == {
        f"Base address of {name}"
        for name in ("ollama", "ollama-native", "vllm", "lmstudio", "llamacpp")
    }
    assert "Keys of the environment are used too" in page.markdown[1].value


def test_a_model_without_a_price_costs_no_known_sum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'["a<b>"]\nwire = "openai"\nbase_url = "http://h/v1"\nmodels = ["{HOSTILE}"]')
    monkeypatch.setenv("LAB_ENDPOINTS", str(path))
    html = words(opened())
    assert "no price known" in html
    assert "Plain http: questions and passages can be read" in html
    assert "a&lt;b&gt;" in html
    assert "<script" not in html


def test_prices_that_cannot_be_read_are_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prices.toml").write_text("[groq\n")
    monkeypatch.setenv("LAB_PRICES", str(tmp_path / "prices.toml"))
    page = opened()
    assert not page.exception
    assert "<td>10</td>" not in words(page)


def test_a_table_that_cannot_be_read_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.toml").write_text("[groq]\nwire = 5\n")
    monkeypatch.setenv("LAB_ENDPOINTS", str(tmp_path / "own.toml"))
    page = opened()
    assert not page.exception
    [line] = [p for p in words(page).split("\n") if "role='alert'" in p]
    assert "own.toml: [groq] wire" in line


@pytest.mark.parametrize("page", ["ask", "be"])
def test_a_table_that_cannot_be_read_breaks_no_other_page(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.toml").write_text("[groq\n")
    monkeypatch.setenv("LAB_ENDPOINTS", str(tmp_path / "own.toml"))
    resources.store.clear()
    script = f"from lab.app.{page} import page\npage.view()"
    shown = AppTest.from_string(script, default_timeout=60).run()
    resources.store().close()
    resources.store.clear()
    assert not shown.exception
    if page == "ask":
        assert "own.toml is not valid TOML" in as_read(shown.error)[0]


@pytest.mark.parametrize(
    ("url", "warned"),
    [
        *(("http://192.168.1.4:8501/models", True), ("http://lab.example/models", True)),
        *(("https://lab.example/models", False), ("http://127.0.0.1:8501/models", False)),
    ],
)
def test_a_key_that_would_travel_to_the_page_in_the_clear_is_warned_of(
    url: str, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(streamlit.context), "url", url)
    assert ("This page comes over plain http" in words(opened())) == warned


def test_a_key_is_held_without_being_shown_and_forgotten_at_a_click(
    address: str, tmp_path: Path
) -> None:
    page = save(opened(), "key", "groq", f" {CANARY}\n")
    assert "✓ key typed in this session" in words(page)
    assert f"The key is sent to {address} with each call, and nowhere else." in words(page)
    assert field(page, "key", "groq").value == ""
    everything = f"{page.session_state}{page.main}{page.query_params}{words(page)}"
    assert CANARY not in everything
    assert not [f for f in tmp_path.rglob("*") if f.is_file() and CANARY.encode() in f.read_bytes()]
    [forget] = [button for button in page.button if button.label == "Forget key"]
    page = forget.click().run()
    assert "key typed" not in words(page)
    assert page.session_state[state.KEYS] == {}


def test_what_is_no_key_and_what_is_no_address_is_said_on_the_card(address: str) -> None:
    page = save(opened(), "key", "groq", "sk-one two")
    assert "⚠ That is no key" in words(page)
    assert "sk-one" not in str(page.session_state) + words(page)
    page = save(page, "address", "ollama", "http://me:secret@h/v1")
    assert "⚠ The base address must not hold a user or a password" in words(page)
    assert "That is no key" not in words(page)
    page = save(page, "address", "ollama", "http://10.0.0.7:11434/v1")
    assert "Plain http: questions and passages can be read on the way to" in words(page)
    assert "whatever this other address charges" in words(page)
    [reset] = [button for button in page.button if button.label == "Reset"]
    page = reset.click().run()
    assert field(page, "address", "ollama").value == address


def test_an_address_of_another_gets_neither_key(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", CANARY)
    page = opened()
    assert "✓ key from GROQ_API_KEY" in words(page)
    page = save(page, "key", "groq", "sk-typed-here-0")
    page = save(page, "address", "groq", "https://127.0.0.1:1/v1")
    assert "no key for this address" in words(page)
    assert f"GROQ_API_KEY of the environment is sent to {address} only." in words(page)
    assert CANARY not in words(page)
    page.button(key="list-groq").click().run()
    assert "⚠ groq needs a key for https://127.0.0.1:1/v1" in words(page)


@pytest.mark.parametrize("shared", ["", "1"])
def test_a_page_open_to_others_says_what_is_done_with_keys_of_the_environment(
    shared: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "local", lambda: False)
    monkeypatch.setenv("GROQ_API_KEY", CANARY)
    monkeypatch.setenv("LAB_SHARED_KEYS", shared)
    page = opened()
    assert ("✓ key from GROQ_API_KEY" in words(page)) == bool(shared)
    assert ("but not used: others can reach the page" in words(page)) == (not shared)
    said = "for everybody" if shared else "are not used, as others can reach the page"
    assert said in as_read(page.markdown)[1]
    assert not [box for box in page.text_input if box.label.startswith("Base address")]
    page.button(key="list-groq").click().run()
    assert ("groq needs a key" in words(page)) == (not shared)


def test_the_models_of_a_local_server_are_listed_and_offered(
    address: str, loopback: Loopback
) -> None:
    loopback.json({"object": "list", "data": [{"id": "listed:1b"}, {"id": HOSTILE}]})
    page = opened()
    page.button(key="list-ollama").click().run()
    page = tried(page, "ollama", "list")
    assert "✓ It has 2 models" in words(page)
    assert "<li>listed:1b</li>" in words(page)
    assert "<script" not in words(page)
    assert page.selectbox(key="probed-ollama").options[:2] == ["m", "listed:1b"]
    assert loopback.received[0].path == "/v1/models"


def test_a_list_that_does_not_come_is_one_line_without_the_key(
    address: str, loopback: Loopback
) -> None:
    loopback.json({"error": {"message": f"unknown key {CANARY} {HOSTILE}"}}, 401)
    page = save(opened(), "key", "groq", CANARY)
    page.button(key="list-groq").click().run()
    page = tried(page, "groq", "list")
    assert "⚠ The list of groq&#x27;s models at" in words(page)
    assert "Check the key" in words(page)
    assert CANARY not in words(page)
    assert "<script" not in words(page)
    assert loopback.received[0].headers["authorization"] == f"Bearer {CANARY}"


def test_a_server_that_is_not_there_is_told_and_leaves_an_earlier_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    card = Card("ollama/llama3.1:8b", closed, "2026-11-29T00:00:00+00:00", True, said=HOSTILE)
    keep(card)
    page = save(opened(), "address", "ollama", closed)
    page.button(key="probe-ollama").click().run()
    page = tried(page, "ollama", "probe")
    assert "Is it running, and is the base address right?" in words(page)
    assert kept("ollama/llama3.1:8b", closed) == card
    assert "llama3.1:8b, probed 2026-11-29" in words(page)
    assert "<script" not in words(page)


def test_a_free_model_is_probed_at_a_click_and_its_card_is_kept_and_shown(
    address: str, loopback: Loopback
) -> None:
    for _ in range(40):
        loopback.given(probed)
    page = opened()
    page.button(key="probe-ollama").click().run()
    page = tried(page, "ollama", "probe")
    card = kept("ollama/m", address)
    assert card
    assert card.native_calls is False
    html = words(page)
    assert "<details class='lab-probe' open><summary>m, probed 20" in html
    assert "calls no tools" in html
    assert "tokens taken uncut, about" in html
    assert "cost free" in html
    assert "<script" not in html


def test_a_probe_that_is_stopped_sends_nothing_more_and_keeps_nothing(
    address: str, loopback: Loopback
) -> None:
    loopback.given(probed).given(probed).late(60)
    page = opened()
    page.button(key="probe-ollama").click().run()
    known = page.session_state[state.TRIALS].of["ollama", "probe"]
    while len(loopback.received) < 2:
        known.join(0.01)
    page.run()
    assert "Does it call tools?" in words(page)
    page.button(key="stop-probe-ollama").click().run()
    page = tried(page, "ollama", "probe")
    assert "Stopped after 2 calls; nothing was kept." in words(page)
    assert len(loopback.received) == 2
    assert kept("ollama/m", address) is None


def test_money_is_spent_only_after_it_was_named_and_agreed_to(
    address: str, loopback: Loopback
) -> None:
    page = save(opened(), "key", "groq", CANARY)
    assert any("at most ≈$0." in said for said in as_read(page.caption))
    page.button(key="probe-groq").click().run()
    assert not loopback.received
    assert page.text[0].value == f"groq/llama-3.3-70b-versatile at {address}"
    loopback.json({"error": {"message": "no"}}, 400)
    page.button(key="confirm-probe").click().run()
    page = tried(page, "groq", "probe")
    assert len(loopback.received) >= 1
    assert "⚠ groq/llama-3.3-70b-versatile at" in words(page)


def test_another_key_or_address_forgets_what_was_tried(address: str, loopback: Loopback) -> None:
    loopback.json({"object": "list", "data": [{"id": "listed:1b"}]})
    page = opened()
    page.button(key="list-ollama").click().run()
    page = tried(page, "ollama", "list")
    page = save(page, "address", "ollama", "http://127.0.0.1:1/v1")
    assert "listed:1b" not in words(page)
    assert "ollama/listed:1b" not in json.dumps(page.selectbox(key="probed-ollama").options)
