"""The client: chat completions from any OpenAI-compatible server, within limits of time and size.

It does not retry: waiting is decided by `ingest.retry` and done in the database. An answer is asked for as a stream, since
only so can a server that thinks be told from one that hangs; a server that answers in one piece is understood as well.

Calls run on an event loop of their own thread, which is started with the first call of a process: one limit can then hold
for a whole exchange, however it trickles, several questions go side by side, and connections outlive a resume.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import os
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, TypeVar

import httpx
import structlog

from ingest.dossier import ModelEndpoint
from ingest.llm.address import OutsideError, Target, inside
from ingest.llm.messages import Message
from ingest.llm.redaction import without_personal_data
from resumes.taxonomy import ResumeError

log = structlog.get_logger(__name__)

CONNECT_S = 10.0
IDLE_S = 30.0
"""Longest silence."""
USUAL_S = 20.0
"""What an exchange takes; one that takes several times as long speaks against the server (`ingest.breaker`)."""
TOTAL_S = 120.0
"""Longest exchange, however steadily it trickles."""
KEPT_S = 30.0
"""How long an unused connection stays open."""
MAX_ANSWER_BYTES = 4 << 20
"""Of the body; a stream wraps every token in 200 to 300 bytes."""
MAX_ANSWER_TOKENS = 6000
_MOST_TOKENS_COUNTED = 1_000_000
"""In one exchange; a server that counts more does not count."""
_MAX_RETRY_AFTER_S = 900.0
"""A service may not put a resume off for longer at once."""
_MAX_COMPLAINT_BYTES = 4096
_BYTES_A_TOKEN = 4

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked in one request: the turns so far and the JSON schema of the answer."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    max_tokens: int = MAX_ANSWER_TOKENS
    """Of the answer; a model that talks on is cut off there."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model wrote, and the tokens it cost; estimated from its length where the server does not count."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cut: bool = False
    """It was at its limit and broke off there."""


def complete(endpoint: ModelEndpoint, question: Question, *, deadline_s: float) -> Completion:
    """Ask for a JSON object of the schema, as strictly as the server can be asked.

    Raises ResumeError with the endpoint's channel: `timeout`, `dependency_unavailable`, `rate_limited`,
    `credentials_rejected`, or `model_refused` where the server rejects the request itself. The text is not checked.
    """
    return complete_all(endpoint, (question,), deadline_s=deadline_s)[0]


def complete_all(
    endpoint: ModelEndpoint,
    questions: Sequence[Question],
    *,
    deadline_s: float,
    parallel: int = 1,
    spent: Callable[[Completion], None] = lambda _: None,
) -> list[Completion]:
    """The completions of several questions in their order, at most `parallel` at a time, all within the deadline.

    `spent` is told of each as it comes, also where another one then fails. Raises as `complete` does, for the first that fails.
    """
    return _run(_complete_all(endpoint, questions, min(deadline_s, TOTAL_S), parallel, spent))


# -- the thread that talks ------------------------------------------------------------------------------------------


def _run(work: Coroutine[Any, Any, _T]) -> _T:
    with _starting:  # two threads that come first at once must get the same loop
        loop = _loop(os.getpid())
    future = asyncio.run_coroutine_threadsafe(work, loop)
    try:
        return future.result()
    finally:
        future.cancel()  # a worker that is told to stop leaves no call behind


_starting = threading.Lock()


@cache
def _loop(pid: int) -> asyncio.AbstractEventLoop:
    """The event loop of this process; a forked one starts its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name=f"model-{pid}", daemon=True).start()
    return loop


@cache
def _client(pid: int, *, through_proxy: bool) -> httpx.AsyncClient:  # noqa: ARG001 - one a process
    """The connections of a process. What stays in the house does not go through a proxy of the environment."""
    limits = httpx.Limits(keepalive_expiry=KEPT_S)
    return httpx.AsyncClient(limits=limits, trust_env=through_proxy, follow_redirects=False)


# -- one exchange ---------------------------------------------------------------------------------------------------


async def _complete_all(
    endpoint: ModelEndpoint,
    questions: Sequence[Question],
    deadline_s: float,
    parallel: int,
    spent: Callable[[Completion], None],
) -> list[Completion]:
    gate = asyncio.Semaphore(parallel)

    async def one(question: Question) -> Completion:
        async with gate:
            completion = await _complete(endpoint, question)
            spent(completion)
            return completion

    try:
        async with asyncio.timeout(deadline_s), asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(question)) for question in questions]
    except TimeoutError as exc:
        raise ResumeError("timeout", "the whole exchange", channel=endpoint.channel) from exc
    except ExceptionGroup as failed:
        raise _first(failed) from failed
    return [task.result() for task in tasks]


def _first(group: ExceptionGroup[Exception]) -> Exception:
    """The failure that ended the others; a bug of ours where there is one."""
    return next((error for error in group.exceptions if not isinstance(error, ResumeError)), group.exceptions[0])


async def _complete(endpoint: ModelEndpoint, question: Question) -> Completion:
    try:
        for target in await _targets(endpoint):
            try:
                return await _complete_at(target, endpoint, question)
            except httpx.ConnectError as exc:
                unreachable = exc
        raise unreachable
    except httpx.TimeoutException as exc:
        raise ResumeError("timeout", type(exc).__name__, channel=endpoint.channel) from exc
    except (httpx.TransportError, httpx.DecodingError, httpx.InvalidURL) as exc:
        raise ResumeError("dependency_unavailable", type(exc).__name__, channel=endpoint.channel) from exc


async def _targets(endpoint: ModelEndpoint) -> list[Target]:
    """Where the endpoint is; one that is in the house by its name is looked up, and must be there."""
    if not endpoint.local:
        return [Target(endpoint.base_url)]
    try:
        async with asyncio.timeout(CONNECT_S):
            return await inside(endpoint.base_url)
    except OutsideError as exc:
        raise ResumeError("credentials_rejected", "the name leads out of the house", channel=endpoint.channel) from exc
    except TimeoutError as exc:
        raise ResumeError("timeout", "the name is not looked up", channel=endpoint.channel) from exc
    except (OSError, ValueError) as exc:
        raise ResumeError("dependency_unavailable", "the name is not known", channel=endpoint.channel) from exc


async def _complete_at(target: Target, endpoint: ModelEndpoint, question: Question) -> Completion:
    client = _client(os.getpid(), through_proxy=not endpoint.local)
    ways = _ways(question)
    for number in sorted(range(len(ways)), key=lambda number: (number < _understood.get(endpoint, 0), number)):
        answer = await _ask(client, target, endpoint, question, ways[number])
        if answer is not None:
            _understood[endpoint] = number
            return answer
    raise ResumeError("model_refused", "the request was rejected", channel=endpoint.channel)


_understood: dict[ModelEndpoint, int] = {}
"""The way of asking that an endpoint took last, so that not every resume starts with requests it rejects."""


def _ways(question: Question) -> tuple[dict[str, Any], ...]:
    """How to ask, strictest first. Servers reject what they do not know; the last way holds nothing that can be unknown."""
    strict, unbounded = (
        {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
        for schema in (question.schema, _unbounded(question.schema))
    )
    counted = {"stream": True, "stream_options": {"include_usage": True}}
    plain = {"temperature": 0, "max_tokens": question.max_tokens, "stream": True}
    return (
        {**plain, **counted, "response_format": strict},
        {**plain, **counted, "response_format": unbounded},
        {**counted, "max_completion_tokens": question.max_tokens, "response_format": unbounded},
        {**plain, "response_format": {"type": "json_object"}},
        plain,
        {"stream": True},
    )


def _unbounded(node: Any) -> Any:
    """A schema without lengths: some servers that take schemas take none that has them."""
    if isinstance(node, list):
        return [_unbounded(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    return {key: _unbounded(value) for key, value in node.items() if key not in ("maxLength", "maxItems")}


async def _ask(
    client: httpx.AsyncClient, target: Target, endpoint: ModelEndpoint, question: Question, way: Mapping[str, Any]
) -> Completion | None:
    """One request; None where the server cannot be asked in this way."""
    messages = [{"role": message.role, "content": message.content} for message in question.messages]
    headers = {"Accept-Encoding": "identity"}  # what is not packed cannot be larger than it looks
    if endpoint.api_key:
        headers["Authorization"] = f"Bearer {endpoint.api_key}"
    if target.host:
        headers["Host"] = target.host
    asked = json.dumps({"model": endpoint.model, "messages": messages, **way}, ensure_ascii=False)
    async with client.stream(
        "POST",
        f"{target.base_url.rstrip('/')}/chat/completions",
        content=asked.encode("utf-8", "replace"),  # text of a broken file may hold halves of characters
        headers={**headers, "Content-Type": "application/json"},
        timeout=httpx.Timeout(IDLE_S, connect=CONNECT_S),
        extensions={"sni_hostname": target.name} if target.name else None,
    ) as response:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise ResumeError("model_refused", "the answer is packed", channel=endpoint.channel)
        if response.status_code in (400, 422):
            return None
        await _raise_for_status(response, endpoint, question)
        received = bytearray()
        async for part in response.aiter_bytes():
            received += part
            if len(received) > MAX_ANSWER_BYTES:
                raise ResumeError("model_refused", "the answer is too long", channel=endpoint.channel)
    streamed = response.headers.get("content-type", "").startswith("text/event-stream")
    told = _from_events(received, endpoint) if streamed else _from_body(received, endpoint)
    if told.reason == "content_filter":
        raise ResumeError("model_refused", "a filter of the server", channel=endpoint.channel)
    return _counted(told, question)


async def _raise_for_status(response: httpx.Response, endpoint: ModelEndpoint, question: Question) -> None:
    status = response.status_code
    if status == httpx.codes.OK:
        return
    code = _code_of(status)
    retry_after_s = _retry_after_s(response) if code in ("rate_limited", "dependency_unavailable") else None
    if code == "model_refused":
        sent = "\n".join(message.content for message in question.messages if message.role != "system")
        complaint = without_personal_data(await _beginning(response), sent)
        log.warning("model_request_refused", channel=endpoint.channel, status=status, complaint=complaint)
    raise ResumeError(code, f"HTTP {status}", channel=endpoint.channel, retry_after_s=retry_after_s)


def _code_of(status: int) -> str:
    if status in (401, 403):
        return "credentials_rejected"
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return "rate_limited"
    if status in (408, 504):
        return "timeout"
    return "dependency_unavailable" if status >= httpx.codes.INTERNAL_SERVER_ERROR else "model_refused"


async def _beginning(response: httpx.Response) -> str:
    received = bytearray()
    async for part in response.aiter_bytes():
        received += part
        if len(received) >= _MAX_COMPLAINT_BYTES:
            break
    return received[:_MAX_COMPLAINT_BYTES].decode("utf-8", "replace")


def _retry_after_s(response: httpx.Response) -> float | None:
    """`Retry-After` in seconds, given as seconds or as a date (RFC 9110, 10.2.3)."""
    value = response.headers.get("retry-after", "")
    if value.isdecimal():
        return min(float(value), _MAX_RETRY_AFTER_S)
    try:
        when = parsedate_to_datetime(value)
        left_s = (when.replace(tzinfo=when.tzinfo or dt.UTC) - dt.datetime.now(dt.UTC)).total_seconds()
    except (ValueError, OverflowError):  # no date, or one beyond the calendar
        return None
    return min(max(left_s, 0.0), _MAX_RETRY_AFTER_S)


# -- what came back -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Told:
    """What a server says: the text, why it ends there (`finish_reason`), and the tokens as it counts them."""

    text: str
    reason: str
    usage: Any


def _from_body(body: bytes | bytearray, endpoint: ModelEndpoint) -> _Told:
    try:
        data = json.loads(body)
        choice = data["choices"][0]
        return _Told(_text(choice["message"]), str(choice.get("finish_reason")), data.get("usage"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as exc:
        raise ResumeError("model_refused", "no completion in the answer", channel=endpoint.channel) from exc


def _from_events(body: bytes | bytearray, endpoint: ModelEndpoint) -> _Told:
    """A stream of server-sent events: `data: {…}` lines, the last one `[DONE]`. Raises ResumeError where it broke off before."""
    parts: list[str] = []
    reason, usage, ended = "", None, False
    try:
        for line in body.decode("utf-8").split("\n"):  # not splitlines(): JSON may hold its other line ends
            data = line.removeprefix("data:").strip()
            if not line.startswith("data:") or data == "[DONE]":
                ended = ended or data == "[DONE]"
                continue
            event = json.loads(data)
            if "error" in event:
                raise ResumeError("dependency_unavailable", "an error within the stream", channel=endpoint.channel)
            for choice in (event.get("choices") or [])[:1]:
                parts.append(_text(choice.get("delta") or {}))
                reason = str(choice.get("finish_reason") or reason)
            usage = event.get("usage") or usage
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as exc:
        raise ResumeError("model_refused", "no completion in the answer", channel=endpoint.channel) from exc
    if not ended and not reason:
        raise ResumeError("dependency_unavailable", "the stream broke off", channel=endpoint.channel)
    return _Told("".join(parts), reason, usage)


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else ""


def _counted(told: _Told, question: Question) -> Completion:
    def count(key: str, text: str) -> int:
        value = told.usage.get(key) if isinstance(told.usage, dict) else None
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST_TOKENS_COUNTED:
            return value
        return -(-len(text.encode("utf-8", "replace")) // _BYTES_A_TOKEN)

    asked = "".join(message.content for message in question.messages)
    tokens = count("prompt_tokens", asked), count("completion_tokens", told.text)
    return Completion(told.text, *tokens, cut=told.reason == "length")
