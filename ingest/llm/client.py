"""The client: one chat completion from any OpenAI-compatible server, within limits of time and size.

It does not retry: waiting is decided by `ingest.retry` and done in the database. The answer is asked for as a stream, since
only so can a server that thinks be told from one that hangs; a server that answers in one piece is understood as well.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import ipaddress
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from ingest.dossier import ModelEndpoint
from ingest.llm.messages import Message
from resumes.taxonomy import ResumeError

CHANNEL = "model"
CONNECT_S = 10.0
IDLE_S = 30.0
"""Longest silence."""
TOTAL_S = 120.0
"""Longest exchange, however steadily it trickles."""
MAX_ANSWER_BYTES = 4 << 20
"""Of the body; a stream wraps every token in 200 to 300 bytes."""
MAX_ANSWER_TOKENS = 6000
_LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
_MAX_RETRY_AFTER_S = 900.0
"""A service may not put a resume off for longer at once."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model wrote, and the tokens it cost; 0 where the server does not count."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


def complete(endpoint: ModelEndpoint, messages: Sequence[Message], schema: Mapping[str, Any], *, deadline_s: float) -> Completion:
    """Ask for a JSON object of the schema, as strictly as the server can be asked.

    Raises ResumeError with channel `model`: `timeout`, `dependency_unavailable`, `rate_limited`, `credentials_rejected`, or
    `model_refused` where the server rejects the request itself. The text is not checked.
    """
    return asyncio.run(_complete(endpoint, messages, schema, min(deadline_s, TOTAL_S)))


def is_local(base_url: str) -> bool:
    """Whether an address is of this machine or its own network, as far as the address itself says."""
    try:
        host = httpx.URL(base_url).host
    except httpx.InvalidURL:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_LOCAL_ENDINGS))
    return address.is_private or address.is_loopback


async def _complete(
    endpoint: ModelEndpoint, messages: Sequence[Message], schema: Mapping[str, Any], deadline_s: float
) -> Completion:
    headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
    request = {
        "model": endpoint.model,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
    }
    limits = httpx.Timeout(IDLE_S, connect=CONNECT_S)
    try:
        async with asyncio.timeout(deadline_s), httpx.AsyncClient(headers=headers, timeout=limits) as client:
            for options in _ways(schema):
                answer = await _ask(client, url, {**request, **options})
                if answer is not None:
                    return answer
    except (TimeoutError, httpx.TimeoutException) as exc:
        raise ResumeError("timeout", type(exc).__name__, channel=CHANNEL) from exc
    except (httpx.TransportError, httpx.DecodingError, httpx.InvalidURL) as exc:
        raise ResumeError("dependency_unavailable", type(exc).__name__, channel=CHANNEL) from exc
    raise ResumeError("model_refused", "the request was rejected", channel=CHANNEL)


def _ways(schema: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """How to ask, strictest first. Servers reject what they do not know; the last way holds nothing that can be unknown."""
    common = {"temperature": 0, "max_tokens": MAX_ANSWER_TOKENS, "stream": True}
    strict = {"type": "json_schema", "json_schema": {"name": "resume", "strict": True, "schema": schema}}
    return (
        {**common, "stream_options": {"include_usage": True}, "response_format": strict},
        {**common, "response_format": {"type": "json_object"}},
        common,
        {"stream": True},
    )


async def _ask(client: httpx.AsyncClient, url: str, body: Mapping[str, Any]) -> Completion | None:
    """One request; None where the server cannot be asked in this way."""
    async with client.stream("POST", url, json=body) as response:
        if response.status_code in (400, 422):
            return None
        _raise_for_status(response)
        received = bytearray()
        async for part in response.aiter_bytes():
            received += part
            if len(received) > MAX_ANSWER_BYTES:
                raise ResumeError("model_refused", "the answer is too long", channel=CHANNEL)
    streamed = response.headers.get("content-type", "").startswith("text/event-stream")
    return _from_events(received) if streamed else _from_body(received)


def _raise_for_status(response: httpx.Response) -> None:
    status = response.status_code
    if status == httpx.codes.OK:
        return
    detail = f"HTTP {status}"
    if status in (401, 403):
        raise ResumeError("credentials_rejected", detail, channel=CHANNEL)
    if status == httpx.codes.TOO_MANY_REQUESTS:
        raise ResumeError("rate_limited", detail, channel=CHANNEL, retry_after_s=_retry_after_s(response))
    if status in (408, 504):
        raise ResumeError("timeout", detail, channel=CHANNEL)
    if status >= httpx.codes.INTERNAL_SERVER_ERROR:
        raise ResumeError("dependency_unavailable", detail, channel=CHANNEL, retry_after_s=_retry_after_s(response))
    raise ResumeError("model_refused", detail, channel=CHANNEL)


def _retry_after_s(response: httpx.Response) -> float | None:
    """`Retry-After` in seconds, given as seconds or as a date (RFC 9110, 10.2.3)."""
    value = response.headers.get("retry-after", "")
    if value.isdecimal():
        return min(float(value), _MAX_RETRY_AFTER_S)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    now = dt.datetime.now(when.tzinfo or dt.UTC)
    return min(max((when.replace(tzinfo=now.tzinfo) - now).total_seconds(), 0.0), _MAX_RETRY_AFTER_S)


def _from_body(body: bytes | bytearray) -> Completion:
    try:
        data = json.loads(body)
        text = data["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError) as exc:
        raise ResumeError("model_refused", "no completion in the answer", channel=CHANNEL) from exc
    return _counted(text or "", data.get("usage"))


def _from_events(body: bytes | bytearray) -> Completion:
    """A stream of server-sent events: `data: {…}` lines, the last one `[DONE]`."""
    parts: list[str] = []
    usage: Any = None
    try:
        for line in body.decode("utf-8").split("\n"):  # not splitlines(): JSON may hold its other line ends
            data = line.removeprefix("data:").strip()
            if not line.startswith("data:") or data == "[DONE]":
                continue
            event = json.loads(data)
            if "error" in event:
                raise ResumeError("dependency_unavailable", "an error within the stream", channel=CHANNEL)
            parts += [choice["delta"].get("content") or "" for choice in event.get("choices", [])[:1]]
            usage = event.get("usage") or usage
        text = "".join(parts)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as exc:
        raise ResumeError("model_refused", "no completion in the answer", channel=CHANNEL) from exc
    return _counted(text, usage)


def _counted(text: Any, usage: Any) -> Completion:
    def count(key: str) -> int:
        value = usage.get(key) if isinstance(usage, dict) else None
        return value if isinstance(value, int) and value > 0 else 0

    return Completion(text if isinstance(text, str) else "", count("prompt_tokens"), count("completion_tokens"))
