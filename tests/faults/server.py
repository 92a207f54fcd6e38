"""A model API on loopback that plays faults: its answers come from the table, in their order.

Each session has an address of its own, `/FAULT/NUMBER`, and is played from the start. The server
knows nothing of the lab: it sees requests.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

from faults import chat, messages, ollama
from faults.fault import Fault
from faults.rules import WELL_FORMED
from faults.said import ANSWER, Act, Failed, Json, Said, Wire

HELD_SECONDS = 60.0

WRITERS = {"openai": chat, "anthropic": messages, "ollama": ollama}


@dataclass(slots=True)
class Session:
    """One fault as it is played to one client."""

    fault: Fault
    address: str
    """The base address of the API."""
    bodies: list[bytes] = field(default_factory=list)
    """Every request, as it came."""
    keys: set[str] = field(default_factory=set)
    """What the requests were made with."""
    accepted: list[Json] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    over: bool = False
    """True from when every request is answered well."""

    def next_act(self, wire: Wire, body: bytes) -> Act:
        """What a request is answered with: a refusal, or the next act of the fault."""
        self.bodies.append(body)
        asked: Json = json.loads(body)
        said = [act for act in self.acts if isinstance(act, Said) and act.sent == "whole"]
        for rule in (WELL_FORMED[wire], *self.fault.demands):
            if wrong := rule(asked, self.accepted, said):
                return refusal(wrong)
        self.accepted.append(asked)
        left = () if self.over else self.fault.acts[len(self.acts) :]
        self.acts.append(left[0] if left else ANSWER)
        return self.acts[-1]


def refusal(wrong: str) -> Failed:
    """A 400, in a form that every wire understands."""
    error = {"type": "invalid_request_error", "message": wrong}
    return Failed(400, json.dumps({"type": "error", "error": error}))


class FaultServer:
    """Plays any number of sessions at once, until it is left."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler(self))
        self._http.daemon_threads, self._http.block_on_close = True, False
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))

    def __enter__(self) -> FaultServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def session(self, fault: Fault) -> Session:
        """A new client of a fault."""
        path = f"/{fault.slug}/{len(self._sessions) + 1}"
        address = f"http://127.0.0.1:{self._http.server_address[1]}{path}"
        self._sessions[path] = Session(fault, address)
        return self._sessions[path]

    def find(self, path: str) -> tuple[Session, Wire]:
        """The session and the wire that a request's path means."""
        wires: tuple[Wire, ...] = ("openai", "anthropic", "ollama")
        [wire] = [each for each in wires if path.endswith(WRITERS[each].PATH)]
        return self._sessions[path.removesuffix(WRITERS[wire].PATH)], wire


def handler(server: FaultServer) -> type[BaseHTTPRequestHandler]:
    """What answers the requests of a server."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # an answer in one piece, not held back between its head and its body

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            session, wire = server.find(self.path)
            key = self.headers.get("x-api-key") or self.headers["authorization"].split()[-1]
            session.keys.add(key)
            act = session.next_act(wire, body)
            try:
                if isinstance(act, Failed):
                    self._send(act.status, act.body.replace("KEY", key), dated(act.headers))
                elif json.loads(body).get("stream"):
                    self._stream(act, WRITERS[wire].stream(act, counted(body)))
                else:
                    self._whole(act, json.dumps(WRITERS[wire].body(act, counted(body))))
            except ConnectionError:  # whoever asked has stopped waiting
                self.close_connection = True

        def _send(self, status: int, text: str, headers: dict[str, str]) -> None:
            self._head(status, {"content-type": "application/json", **headers}, len(text.encode()))
            self.wfile.write(text.encode())

        def _whole(self, said: Said, text: str) -> None:
            self._head(200, {"content-type": "application/json"}, len(text))
            self.wfile.write(text[: part(said, len(text))].encode())
            self._leave(said)

        def _stream(self, said: Said, lines: list[str]) -> None:
            self._head(200, {"content-type": "text/event-stream"}, None)
            for line in lines[: part(said, len(lines))]:
                self.wfile.write(f"{len(line.encode()):x}\r\n{line}\r\n".encode())
            if said.sent in ("whole", "ended"):
                self.wfile.write(b"0\r\n\r\n")
            self._leave(said)

        def _head(self, status: int, headers: dict[str, str], length: int | None) -> None:
            self.send_response(status)
            size = (
                ("transfer-encoding", "chunked") if length is None else ("content-length", length)
            )
            for name, value in {**headers, size[0]: str(size[1])}.items():
                self.send_header(name, value)
            self.end_headers()

        def _leave(self, said: Said) -> None:
            self.wfile.flush()
            if said.sent == "held":
                server.closing.wait(HELD_SECONDS)
            self.close_connection = said.sent != "whole"

        def log_message(self, format: str, *values: object) -> None:
            """Stay silent."""

    return Handler


def dated(headers: Mapping[str, str | timedelta]) -> dict[str, str]:
    """Headers where each time from now is a date."""
    now = datetime.now(UTC)
    return {
        name: value if isinstance(value, str) else format_datetime(now + value, usegmt=True)
        for name, value in headers.items()
    }


def counted(body: bytes) -> int:
    """Tokens of a request, by a tokenizer that makes one of four bytes."""
    return max(1, len(body) // 4)


def part(said: Said, length: int) -> int:
    """So much of an answer is sent."""
    return length if said.sent == "whole" else length // 2
