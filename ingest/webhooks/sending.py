"""Sending what is due: each endpoint in a thread of its own, so that one that hangs holds up no other.

The rows are the queue. A pass puts off the due time of what it takes first, so a pass that dies leaves nothing behind that
is not due again a little later: receivers may get a message twice, under the same id, and never not at all. What an
endpoint does not take is tried again for about a day.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import random
import socket
import ssl
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any

import httpx
import structlog
from django.db.models import Exists, OuterRef
from django.utils import timezone

from ingest.models import Delivery, Webhook
from ingest.webhooks import signing
from resumes import targets

log = structlog.get_logger(__name__)

DELAYS_S = (5, 60, 300, 1_800, 7_200, 14_400, 28_800, 36_000)
"""Before each try after the first; 24.6 hours together."""
_SPREAD = 0.2
_TIMEOUT = httpx.Timeout(15.0, connect=5.0)
_WHOLE_S = 20.0
"""For one try in all: the timeouts above begin anew with every byte that comes."""
_CLAIM = dt.timedelta(minutes=3)
"""Longer than one endpoint's share of a pass can take."""
_MOST_EACH = 20
"""Messages of one endpoint in one pass."""
_MOST_ENDPOINTS = 50
_THREADS = 8
_SHARE_S = 30.0
"""How long one endpoint may take of a pass."""
_PASSES_S = 40.0
_LONGEST_RETRY_AFTER_S = 86_400.0
_GONE = 410
_WAIT_STATUSES = frozenset({429, 503})
# Errors that say something about the endpoint, not about the message.
_UNREACHABLE = frozenset({"timeout", "connection", "tls", "unknown_host", "unreachable"})


@dataclass(frozen=True, slots=True)
class Message:
    """A delivery as it goes over the wire."""

    delivery: Delivery
    url: str
    body: bytes
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one try."""

    status: int | None = None
    error: str = ""
    """A stable code where there was no answer, or none that may be taken for one."""
    retry_after_s: float | None = None
    ms: int = 0

    @property
    def taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def send_due() -> int:
    """Send what is due until nothing is, or this job has taken long enough; how many messages were tried."""
    end, tried = time.monotonic() + _PASSES_S, 0
    while taken := _claim():
        tried += _send(taken)
        if time.monotonic() > end:
            break
    return tried


def replay(delivery: Delivery) -> Delivery:
    """Send a message again whatever became of it, under its own id."""
    Delivery.objects.filter(pk=delivery.pk).update(state=Delivery.State.PENDING, tries=0, due_at=timezone.now(), settled_at=None)
    delivery.refresh_from_db()
    return delivery


def _claim() -> list[Delivery]:
    """The due messages of this pass, oldest first, no more of one endpoint than its share."""
    now = timezone.now()
    due = Delivery.objects.filter(state=Delivery.State.PENDING, due_at__lte=now)
    waiting = Webhook.objects.filter(Exists(due.filter(webhook=OuterRef("pk"))))
    claimed: list[Delivery] = []
    for webhook in waiting.order_by("?")[:_MOST_ENDPOINTS]:
        for delivery in list(due.filter(webhook=webhook).order_by("due_at", "created_at")[:_MOST_EACH]):
            if due.filter(pk=delivery.pk).update(due_at=now + _CLAIM):
                delivery.webhook = webhook
                claimed.append(delivery)
    return claimed


def _send(deliveries: Sequence[Delivery]) -> int:
    """Send the claimed messages and write down what came of each."""
    lanes: dict[tuple[object, str], list[Message]] = defaultdict(list)
    for delivery in deliveries:
        if not delivery.webhook.enabled:
            _settle(delivery, Answer(error="disabled"), final=True)
            continue
        message = _message(delivery)
        lanes[delivery.webhook_id, message.url].append(message)
    if not lanes:
        return len(deliveries)
    with ThreadPoolExecutor(min(_THREADS, len(lanes)), thread_name_prefix="webhook") as pool:
        for answers in pool.map(_send_lane, lanes.values()):
            for message, answer in answers:
                if answer is None:
                    Delivery.objects.filter(pk=message.delivery.pk).update(due_at=timezone.now())
                else:
                    _settle(message.delivery, answer)
    return len(deliveries)


def _message(delivery: Delivery) -> Message:
    said = {"type": delivery.event, "timestamp": delivery.created_at.isoformat(), "data": delivery.data}
    webhook = delivery.webhook
    return Message(
        delivery,
        delivery.url or webhook.url,
        json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode(),
        tuple(signing.valid_secrets(webhook)),
    )


def _send_lane(messages: Sequence[Message]) -> list[tuple[Message, Answer | None]]:
    """Send one endpoint's messages in order. Runs in a thread and touches no database.

    An endpoint that cannot be reached is not asked again in this pass: the messages behind share the fate of the first.
    None for those that time did not suffice for.
    """
    end = time.monotonic() + _SHARE_S
    answers: list[tuple[Message, Answer | None]] = []
    down = False
    with httpx.Client(timeout=_TIMEOUT, follow_redirects=False, trust_env=False, verify=_tls()) as client:
        line = Line(client)
        for message in messages:
            if down:
                answers.append((message, Answer(error="unreachable")))
            elif time.monotonic() > end:
                answers.append((message, None))
            else:
                answer = post(line, message)
                down = answer.error in _UNREACHABLE
                answers.append((message, answer))
    return answers


@cache
def _tls() -> ssl.SSLContext:
    """The usual authorities, or those of SSL_CERT_FILE; made once, for it takes half a second.

    Proxies of the environment stay out: they would resolve the names anew.
    """
    return httpx.create_ssl_context(trust_env=True)


class Line:
    """A client and the connection it has open, which is cut where a try takes too long."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.late = False
        self._socket: socket.socket | None = None

    @contextlib.contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Cut the connection after so long; `late` then tells that from a receiver that hung up."""
        self.late = False
        clock = threading.Timer(seconds, self._cut)
        clock.start()
        try:
            yield
        finally:
            clock.cancel()
            clock.join()

    def note(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep the socket of a new connection (`trace` of httpx)."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")

    def _cut(self) -> None:
        self.late = True
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it may have ended at this very moment
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # TLS's own would take leave of the other side first


def post(line: Line, message: Message) -> Answer:
    """Try once. The answer's body is not read."""
    began = time.monotonic()
    try:
        found = targets.resolve(message.url)
    except targets.Forbidden as exc:
        return Answer(error=exc.code)
    except targets.Unknown:
        return Answer(error="unknown_host")
    answer = Answer(error="connection")
    with line.at_most(_WHOLE_S):
        for target in found:
            answer = _post_to(line, target, message)
            if answer.error != "connection":
                break  # only an address that cannot be connected to leads to the next one
    if line.late and answer.status is None:
        answer = Answer(error="timeout")
    return Answer(answer.status, answer.error, answer.retry_after_s, round((time.monotonic() - began) * 1000))


def _post_to(line: Line, target: targets.Target, message: Message) -> Answer:
    sent = {
        "Host": target.host,
        "Content-Type": "application/json",
        "User-Agent": "Gleaner-Webhooks/1",
        **signing.headers(str(message.delivery.pk), int(time.time()), message.body, message.secrets),
    }
    extensions = {"sni_hostname": target.name, "trace": line.note}
    try:
        with line.client.stream("POST", target.url, content=message.body, headers=sent, extensions=extensions) as response:
            return Answer(response.status_code, retry_after_s=_retry_after(response))
    except httpx.ConnectError as exc:
        return Answer(error="tls" if isinstance(exc.__cause__, ssl.SSLError) or "SSL" in str(exc) else "connection")
    except httpx.ConnectTimeout:
        return Answer(error="connection")
    except httpx.TimeoutException:
        return Answer(error="timeout")
    except (httpx.TransportError, httpx.InvalidURL):
        return Answer(error="protocol")


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds the receiver asks to wait, a date or a number; None where it asks for nothing that can be understood."""
    raw = response.headers.get("retry-after", "").strip()
    if response.status_code not in _WAIT_STATUSES or not raw:
        return None
    if raw.isdecimal():
        seconds = float(raw)
    else:
        try:
            seconds = (parsedate_to_datetime(raw) - timezone.now()).total_seconds()
        except (ValueError, TypeError):
            return None
    return min(max(seconds, 0.0), _LONGEST_RETRY_AFTER_S)


def _settle(delivery: Delivery, answer: Answer, *, final: bool = False) -> None:
    """Write down a try, and when the next is due, if any is."""
    now = timezone.now()
    tries = delivery.tries + 1
    entry = {"at": now.isoformat(), "status": answer.status, "error": answer.error, "ms": answer.ms}
    columns: dict[str, object] = {"tries": tries, "log": [*delivery.log, entry]}
    wait_s = None if final else next_wait_s(answer, tries, random.SystemRandom())
    if answer.taken:
        columns |= {"state": Delivery.State.DELIVERED, "settled_at": now}
    elif wait_s is None:
        columns |= {"state": Delivery.State.FAILED, "settled_at": now}
        log.error("webhook_given_up", webhook=str(delivery.webhook_id), delivery=str(delivery.pk), event_type=delivery.event)
    else:
        columns |= {"due_at": now + dt.timedelta(seconds=wait_s)}
    # A replay asked for meanwhile is not overruled: it has put the tries back.
    Delivery.objects.filter(pk=delivery.pk, tries=delivery.tries, state=Delivery.State.PENDING).update(**columns)
    if answer.status == _GONE:
        Webhook.objects.filter(pk=delivery.webhook_id).exclude(url="").update(enabled=False, disabled_why="gone")


def next_wait_s(answer: Answer, tries: int, chance: random.Random) -> float | None:
    """How long to wait after the `tries`-th try; None where there is no sense in another."""
    if answer.status == _GONE or answer.error == "not_an_address" or tries > len(DELAYS_S):
        return None
    wait_s = DELAYS_S[tries - 1] * chance.uniform(1 - _SPREAD, 1 + _SPREAD)
    return max(wait_s, answer.retry_after_s or 0.0)
