"""A scripted model server: real sockets, answers as the test says. And the resume the tests of this folder are about."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ingest.dossier import ModelEndpoint
from ingest.page import Page, Reading, line_of

RESUME = """\
Nora Whitfield
Data Engineer
Leeds, UK
Email: nora.whitfield@example.com
Phone: 020 7946 0123
Date of birth: 4 May 1991
Experience
Senior Data Engineer, Larkfield Analytics
Mar 2019 – Present
Built the nightly loading of invoices
Data Engineer, Pinegrove Systems
2015 – Feb 2019
Education
University of Northmoor, BSc Physics, 2012 – 2015
Skills
Python, PostgreSQL, Airflow
Languages
English, German"""


def reading_of(text: str) -> Reading:
    return Reading((Page(1, tuple(line_of(line) for line in text.splitlines())),))


def v(line: int, text: str, last: int | None = None) -> str:
    """A value as the prompt asks for it."""
    return f"{line}-{last}: {text}" if last else f"{line}: {text}"


def good_answer() -> dict[str, Any]:
    """What a careful model says of `RESUME`."""
    return {
        "basics": {
            "name": v(1, "Nora Whitfield"),
            "label": v(2, "Data Engineer"),
            "email": v(4, "nora.whitfield@example.com"),
            "phone": v(5, "020 7946 0123"),
            "city": v(3, "Leeds"),
        },
        "work": [
            {
                "employer": v(8, "Larkfield Analytics"),
                "position": v(8, "Senior Data Engineer"),
                "start": v(9, "Mar 2019"),
                "end": v(9, "Present"),
                "highlights": ["10"],
            },
            {
                "employer": v(11, "Pinegrove Systems"),
                "position": v(11, "Data Engineer"),
                "start": v(12, "2015"),
                "end": v(12, "Feb 2019"),
                "highlights": [],
            },
        ],
        "education": [
            {
                "institution": v(14, "University of Northmoor"),
                "degree": v(14, "BSc"),
                "area": v(14, "Physics"),
                "start": v(14, "2012"),
                "end": v(14, "2015"),
            }
        ],
        "skills": [v(16, "Python"), v(16, "PostgreSQL"), v(16, "Airflow")],
        "languages": [{"language": v(18, "English"), "fluency": None}, {"language": v(18, "German"), "fluency": None}],
    }


@dataclass(frozen=True)
class Reply:
    """What the server does with one request. `pause_s` is waited between the parts."""

    parts: tuple[bytes, ...] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pause_s: float = 0.0


def says(content: Any, *, usage: tuple[int, int] = (300, 100)) -> Reply:
    """A completion in one piece."""
    text = content if isinstance(content, str) else json.dumps(content)
    body = {
        "choices": [{"message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]},
    }
    return Reply((json.dumps(body).encode(),), headers={"content-type": "application/json"})


def streams(content: Any, *, pause_s: float = 0.0, step: int = 40) -> Reply:
    """A completion as server-sent events."""
    text = content if isinstance(content, str) else json.dumps(content)
    pieces = [text[at : at + step] for at in range(0, len(text), step)]
    events: list[dict[str, Any]] = [{"choices": [{"delta": {"content": piece}}]} for piece in pieces]
    events.append({"choices": [], "usage": {"prompt_tokens": 300, "completion_tokens": 100}})
    parts = [f"data: {json.dumps(event)}\n\n".encode() for event in events]
    return Reply((*parts, b"data: [DONE]\n\n"), headers={"content-type": "text/event-stream"}, pause_s=pause_s)


def fails(status: int, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply((b'{"error": {"message": "no"}}',), status=status, headers=named)


@dataclass
class ModelServer:
    """Requests received so far, and where the server listens."""

    endpoint: ModelEndpoint
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    connections: set[tuple[str, int]] = field(default_factory=set)
    """Addresses from which requests came."""


@contextlib.contextmanager
def model_server(*replies: Reply | Callable[[dict[str, Any]], Reply]) -> Iterator[ModelServer]:
    """A server that gives the replies in turn, the last one for ever."""
    stopping = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            served.connections.add(self.client_address)
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            served.requests.append(body)
            served.headers.append({"path": self.path, **{name.lower(): value for name, value in self.headers.items()}})
            reply = replies[min(len(served.requests), len(replies)) - 1]
            reply = reply(body) if callable(reply) else reply
            with contextlib.suppress(OSError):
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if "content-length" not in reply.headers:
                    if reply.pause_s or len(reply.parts) != 1:
                        self.send_header("connection", "close")
                    else:
                        self.send_header("content-length", str(len(reply.parts[0])))
                self.end_headers()
                for part in reply.parts:
                    if reply.pause_s and stopping.wait(reply.pause_s):
                        return
                    self.wfile.write(part)
                    self.wfile.flush()
                self.close_connection = self.close_connection or "content-length" in reply.headers

        def log_message(self, *args: Any) -> None:
            """Keep the tests' output clean."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = ModelServer(ModelEndpoint(f"http://127.0.0.1:{httpd.server_port}/v1", "test-key", "test-model", local=True))
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        stopping.set()
        httpd.shutdown()
        thread.join()
        httpd.server_close()


@contextlib.contextmanager
def seconds() -> Iterator[Callable[[], float]]:
    """How long the block has been running."""
    started = time.monotonic()
    yield lambda: time.monotonic() - started
