"""Another system that listens: an HTTP server on this machine that keeps what it was sent and answers as told."""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    url: str
    got: list[Received] = field(default_factory=list)
    status: int = 204
    answer_headers: dict[str, str] = field(default_factory=dict)
    drips_after: int | None = None
    """After so many messages it answers one byte at a time, without end."""


@contextlib.contextmanager
def listening() -> Iterator[Receiver]:
    stopped = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.got.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            if receiver.drips_after is not None and len(receiver.got) > receiver.drips_after:
                self.close_connection = True
                with contextlib.suppress(OSError):
                    self.wfile.write(b"HTTP/1.1 204 No Content\r\nX-Slow: ")
                    while not stopped.wait(0.02):
                        self.wfile.write(b"x")
                return
            self.send_response(receiver.status)
            for name, value in receiver.answer_headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield receiver
    finally:
        stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()
