"""What tests of several packages need: the sample site's index, a real HTTP server on loopback."""

from __future__ import annotations

import json
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from answers import answer, as_stream
from hypothesis import HealthCheck, settings

from indexer.index import Index

os.environ.pop("LAB_INDEX", None)  # tests are of the sample site, and of sites of their own

# No test is judged by absolute time: what else a machine does is not known. Examples share what a
# fixture gives where a test asks for it.
UNHURRIED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("lab", deadline=None, suppress_health_check=UNHURRIED)
settings.load_profile("lab")

CORPUS = Path(__file__).parents[1] / "corpus"


@pytest.fixture(scope="session")
def sample() -> Index:
    """The index of the sample site."""
    return Index.build(CORPUS)[0]


@dataclass(frozen=True, slots=True)
class Received:
    """One request, as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Answer: TypeAlias = tuple[int, dict[str, str], bytes | Iterable[bytes]]
"""Status, headers, body: whole, or in pieces that are sent as they come. A ConnectionError among
the pieces breaks the connection off."""


class Loopback:
    """An HTTP server that gives the answers queued, in order, and keeps what it received."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        """`context` is what it proves with who it is, should it speak TLS."""
        self.received: list[Received] = []
        self.connections = 0
        self.hangs_up = False
        """True for a server that closes each connection after an answer, without having said so."""
        self.hung_up = threading.Semaphore(0)
        """Released for each connection that was closed."""
        self._answers: list[Answer | Callable[[Received], Answer]] = []
        self.closing = threading.Event()
        """Set when the server is closed; what an answer that never ends waits for."""
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # an answer in one piece, not held back between its head and its body

            def handle(self) -> None:
                loopback.connections += 1
                with suppress(ConnectionError):  # a client that has read enough hangs up
                    super().handle()

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Received(self.command, self.path, headers, self.rfile.read(length))
                status, headers, body = loopback._answer(request)
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self._send(body)
                except ConnectionError:  # whoever asked has stopped waiting, or the test says so
                    self.close_connection = True
                if loopback.hangs_up:
                    self.close_connection = True

            do_GET = do_POST  # noqa: N815

            def finish(self) -> None:
                with suppress(OSError):  # a client that has gone takes nothing more
                    super().finish()
                    self.connection.shutdown(socket.SHUT_RDWR)
                loopback.hung_up.release()

            def _send(self, body: bytes | Iterable[bytes]) -> None:
                if isinstance(body, bytes):
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                    self.wfile.flush()
                    return
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for piece in body:
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                    self.wfile.flush()
                self.wfile.write(b"0\r\n\r\n")
                self.wfile.flush()

            def log_message(self, format: str, *values: object) -> None:
                """Stay silent."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._scheme = "https" if context else "http"
        if context:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    def _answer(self, request: Received) -> Answer:
        self.received.append(request)
        if not self._answers:
            return 400, {}, b'{"error": {"message": "the test has queued no further answer"}}'
        answer = self._answers.pop(0)
        return answer(request) if callable(answer) else answer

    def raw(self, body: bytes | str, status: int = 200, **headers: str) -> Loopback:
        """Queue a body as it is."""
        body = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._answers.append((status, named, body))
        return self

    def json(self, body: Any, status: int = 200) -> Loopback:
        """Queue a JSON body."""
        return self.raw(json.dumps(body), status, content_type="application/json")

    def stream(self, pieces: Iterable[bytes]) -> Loopback:
        """Queue a streamed answer; each piece is sent when it comes."""
        self._answers.append((200, {"content-type": "text/event-stream"}, pieces))
        return self

    def reply(self, body: Any) -> Loopback:
        """Queue the answer of a model: streamed where the request asks for it, else whole.

        One of Chat Completions that does not say what it read has read a token in four bytes.
        """

        def made(request: Received) -> Answer:
            if "choices" in body:
                body["usage"].setdefault("prompt_tokens", len(request.body) // 4)
            if request.json.get("stream"):
                return 200, {"content-type": "text/event-stream"}, as_stream(body)
            return 200, {"content-type": "application/json"}, json.dumps(body).encode()

        return self.given(made)

    def say(self, wire: str, *replies: Any) -> Loopback:
        """Queue a run's replies on a wire: texts, or lists of calls by name and arguments."""
        for n, reply in enumerate(replies):
            calls = () if isinstance(reply, str) else reply
            self.reply(answer(wire, "I look." if calls else reply, calls, n))
        return self

    def given(self, answer: Callable[[Received], Answer]) -> Loopback:
        """Queue an answer that is made when the request has come."""
        self._answers.append(answer)
        return self

    def late(self, seconds: float) -> Loopback:
        """Let the answer queued last wait, at most until the server is closed."""
        held = self._answers.pop()

        def made(request: Received) -> Answer:
            self.closing.wait(seconds)
            return held(request) if callable(held) else held

        return self.given(made)

    def chat(self, text: str | None = None, finish: str = "stop", **message: Any) -> Loopback:
        """Queue an answer in the form of Chat Completions."""
        said = {"role": "assistant", "content": text, **message}
        return self.reply(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 0,
                "model": "llama3.1:8b",
                "choices": [{"index": 0, "message": said, "finish_reason": finish}],
                "usage": {"completion_tokens": 10},
            }
        )

    def calling(self, name: str, id: str = "c1", **arguments: Any) -> Loopback:
        """Queue a tool call in the form of Chat Completions."""
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"id": id, "type": "function", "function": function}
        return self.chat(finish="tool_calls", tool_calls=[call])

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    """A server of this test's own."""
    server = Loopback()
    yield server
    server.close()
