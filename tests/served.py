"""A site on loopback, for tests that read one over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Reply:
    """What the site answers to one address."""

    body: bytes | Iterable[bytes] = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def html(body: str, head: str = "", **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    page = f"<html><head>{head}</head><body><main>{body}</main></body></html>"
    return Reply(page.encode(), headers={"content-type": "text/html; charset=utf-8", **named})


def linked(title: str, *links: str) -> Reply:
    """A page with a title, a sentence, and links around it."""
    menu = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return html(f"<nav>{menu}</nav><h1>{title}</h1><p>All of {title}.</p>")


def xml(body: str | bytes) -> Reply:
    body = body.encode() if isinstance(body, str) else body
    return Reply(body, headers={"content-type": "application/xml"})


def moved(to: str, status: int = 301) -> Reply:
    return Reply(status=status, headers={"location": to})


Route = Reply | Callable[[dict[str, str]], Reply]


class Site:
    """Serves replies by path, and keeps what was asked for."""

    def __init__(self) -> None:
        self.routes: dict[str, Route] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.fallback: Callable[[str], Reply] = lambda path: Reply(b"not here", 404)
        self.closing = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                site.asked.append((self.path, headers))
                route = site.routes.get(self.path)
                if route is None:
                    route = site.fallback(self.path)
                reply = route if isinstance(route, Reply) else route(headers)
                with suppress(ConnectionError):
                    self._send(reply)

            def _send(self, reply: Reply) -> None:
                self.close_connection = True
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if isinstance(reply.body, bytes):
                    if reply.status != 304:
                        self.send_header("content-length", str(len(reply.body)))
                    self.end_headers()
                    self.wfile.write(reply.body)
                    return
                self.end_headers()
                for piece in reply.body:
                    self.wfile.write(piece)
                    self.wfile.flush()

            def log_message(self, format: str, *values: object) -> None:
                """Stay silent."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @property
    def paths(self) -> list[str]:
        """Paths asked for, but for robots.txt."""
        return [path for path, _ in self.asked if path != "/robots.txt"]

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
