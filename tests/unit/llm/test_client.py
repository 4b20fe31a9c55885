"""The client comes back in time with a completion or with a failure that has a code."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import format_datetime

import pytest
import structlog

from ingest.dossier import ModelEndpoint
from ingest.llm import client
from ingest.llm.address import is_local
from ingest.llm.client import MAX_ANSWER_BYTES, Question, complete, complete_all
from ingest.llm.messages import Message
from ingest.llm.redaction import without_personal_data
from resumes.taxonomy import ResumeError
from tests.unit.llm.scripted import Reply, fails, model_server, says, seconds, streams

pytestmark = pytest.mark.unit
MESSAGES = (Message("system", "Find the parts."), Message("user", "1: Nora Whitfield"))
SCHEMA = {"type": "object"}
ASKED = Question(MESSAGES, SCHEMA)


def failure(endpoint, *, deadline_s=10.0):
    with pytest.raises(ResumeError) as caught:
        complete(endpoint, ASKED, deadline_s=deadline_s)
    assert caught.value.channel == "model"
    return caught.value


@pytest.mark.parametrize("reply", [says('{"a": "Ж"}'), streams('{"a": "Ж"}', step=3)])
def test_an_answer_in_one_piece_and_a_stream_are_the_same(reply):
    with model_server(reply) as server:
        completion = complete(server.endpoint, ASKED, deadline_s=10)
    assert json.loads(completion.text) == {"a": "Ж"}
    assert (completion.prompt_tokens, completion.completion_tokens) == (300, 100)


def test_the_strictest_way_is_asked_first_with_key_and_temperature_0():
    with model_server(says("{}")) as server:
        complete(server.endpoint, ASKED, deadline_s=10)
    (request,) = server.requests
    assert server.headers[0]["path"] == "/v1/chat/completions"
    assert server.headers[0]["authorization"] == "Bearer test-key"
    assert request["temperature"] == 0
    assert request["model"] == "test-model"
    assert request["response_format"]["json_schema"]["schema"] == SCHEMA
    assert request["messages"][1] == {"role": "user", "content": "1: Nora Whitfield"}


def test_a_server_that_knows_no_schema_is_asked_in_plainer_ways():
    bounded = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}
    with model_server(*[fails(400), fails(422)] * 2, fails(400), says("{}")) as server:
        assert complete(server.endpoint, Question(MESSAGES, bounded, 90), deadline_s=10).text == "{}"
    formats = [request.get("response_format", {}).get("type") for request in server.requests]
    assert formats == ["json_schema", "json_schema", "json_schema", "json_object", None, None]
    lengths = ["maxLength" in json.dumps(request) for request in server.requests]
    assert lengths == [True, False, False, False, False, False]
    assert (server.requests[0]["max_tokens"], server.requests[2]["max_completion_tokens"]) == (90, 90)
    assert "temperature" not in server.requests[-1]


def test_a_server_that_rejects_every_way_is_not_asked_for_ever():
    with model_server(fails(400)) as server:
        assert failure(server.endpoint).code == "model_refused"
    assert len(server.requests) == 6


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "credentials_rejected"),
        (403, "credentials_rejected"),
        (404, "model_refused"),
        (307, "model_refused"),
        (408, "timeout"),
        (429, "rate_limited"),
        (500, "dependency_unavailable"),
        (503, "dependency_unavailable"),
        (504, "timeout"),
    ],
)
def test_each_status_has_its_code_and_is_asked_once(status, code):
    with model_server(fails(status)) as server:
        assert failure(server.endpoint).code == code
    assert len(server.requests) == 1


def test_what_a_busy_server_asks_for_is_passed_on():
    soon = format_datetime(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=90), usegmt=True)
    with model_server(fails(429, retry_after="17"), fails(503, retry_after=soon), fails(429, retry_after="soon")) as server:
        assert failure(server.endpoint).retry_after_s == 17
        assert failure(server.endpoint).retry_after_s == pytest.approx(90, abs=3)
        assert failure(server.endpoint).retry_after_s is None


def test_no_server_is_a_passing_fault():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    assert failure(ModelEndpoint(f"http://127.0.0.1:{port}/v1", "", "m")).code == "dependency_unavailable"


def test_an_answer_that_breaks_off_is_a_passing_fault():
    with model_server(Reply((b'{"choices": [',), headers={"content-length": "500"})) as server:
        assert failure(server.endpoint).code == "dependency_unavailable"


def test_a_server_that_says_nothing_is_left_at_the_deadline():
    with model_server(Reply((b"late",), pause_s=30)) as server, seconds() as elapsed:
        assert failure(server.endpoint, deadline_s=0.4).code == "timeout"
        assert elapsed() < 3


def test_a_server_that_trickles_is_left_at_the_deadline():
    with model_server(streams("x" * 4000, pause_s=0.05, step=1)) as server, seconds() as elapsed:
        assert failure(server.endpoint, deadline_s=0.6).code == "timeout"
        assert elapsed() < 3


def test_a_silence_in_the_middle_is_a_timeout(monkeypatch):
    monkeypatch.setattr(client, "IDLE_S", 0.2)
    with model_server(streams("{}", pause_s=5)) as server, seconds() as elapsed:
        assert failure(server.endpoint).code == "timeout"
        assert elapsed() < 3


def test_an_endless_answer_is_cut_off():
    flood = Reply((b"x" * 65536,) * (MAX_ANSWER_BYTES // 65536 + 2))
    with model_server(flood) as server:
        assert failure(server.endpoint).code == "model_refused"


@pytest.mark.parametrize(
    "reply",
    [
        Reply((b"<html>Welcome</html>",)),
        Reply((b'{"choices": []}',)),
        Reply((b'["choices"]',)),
        Reply((b"[" * 100_000,)),
        Reply((b"data: {half\n\n",), headers={"content-type": "text/event-stream"}),
        Reply((b"data: 7\n\n",), headers={"content-type": "text/event-stream"}),
    ],
)
def test_what_is_no_completion_is_refused(reply):
    with model_server(reply) as server:
        assert failure(server.endpoint).code == "model_refused"


def test_an_error_within_a_stream_is_a_passing_fault():
    reply = Reply((b'data: {"error": {"message": "overloaded"}}\n\n',), headers={"content-type": "text/event-stream"})
    with model_server(reply) as server:
        assert failure(server.endpoint).code == "dependency_unavailable"


def test_a_completion_without_text_is_empty_and_its_tokens_are_estimated():
    with model_server(Reply((b'{"choices": [{"message": {"content": null}}], "usage": null}',))) as server:
        assert complete(server.endpoint, ASKED, deadline_s=10) == client.Completion("", prompt_tokens=8)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost/v1", True),
        ("http://vllm:8000/v1", True),
        ("http://10.1.2.3/v1", True),
        ("https://model.lan/v1", True),
        ("https://api.example.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("https://localhost.example.com/v1", False),
        ("not an address", False),
        ("https://", False),
    ],
)
def test_which_addresses_are_of_the_own_network(url, local):
    assert is_local(url) is local


def test_the_way_a_server_understood_is_asked_first_next_time():
    with model_server(fails(400), fails(400), fails(400), says("{}")) as server:
        complete(server.endpoint, ASKED, deadline_s=10)
        complete(server.endpoint, ASKED, deadline_s=10)
    formats = [request.get("response_format", {}).get("type") for request in server.requests]
    assert formats == [*["json_schema"] * 3, "json_object", "json_object"]


def test_questions_go_side_by_side_over_connections_that_are_kept():
    together = threading.Barrier(2, timeout=10)

    def when_both_are_here(body):
        together.wait()
        return says(body["messages"][-1]["content"])

    questions = [Question((Message("user", text),), SCHEMA) for text in ("one", "two")]
    spent = []
    with model_server(when_both_are_here) as server:
        for _ in range(2):
            answers = complete_all(server.endpoint, questions, deadline_s=10, parallel=2, spent=spent.append)
            assert [answer.text for answer in answers] == ["one", "two"]
    assert len(spent) == 4
    assert len(server.connections) == 2


def test_no_more_questions_are_asked_at_a_time_than_allowed():
    at_once, most = [], []

    def slowly(body):
        at_once.append(body)
        most.append(len(at_once))
        time.sleep(0.05)
        at_once.pop()
        return says("{}")

    with model_server(slowly) as server:
        complete_all(server.endpoint, [ASKED] * 4, deadline_s=10, parallel=2)
    assert max(most) <= 2


def test_what_other_questions_cost_is_told_where_one_fails():
    def by_content(body):
        return fails(500) if body["messages"][-1]["content"] == "bad" else says("{}")

    questions = [Question((Message("user", text),), SCHEMA) for text in ("good", "bad")]
    spent = []
    with model_server(by_content) as server, pytest.raises(ResumeError, match="dependency_unavailable"):
        complete_all(server.endpoint, questions, deadline_s=10, spent=spent.append)
    assert [one.prompt_tokens for one in spent] == [300]


def test_what_is_sent_within_the_house_goes_through_no_proxy(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with model_server(says("{}")) as server:
        assert complete(server.endpoint, ASKED, deadline_s=10).text == "{}"


def test_a_redirect_is_not_followed():
    with model_server(says("{}")) as elsewhere, model_server(fails(307, location=elsewhere.endpoint.base_url)) as server:
        assert failure(server.endpoint).code == "model_refused"
    assert elsewhere.requests == []


def test_a_complaint_is_logged_without_what_was_sent():
    complaint = b'{"error": "unknown field in: 1: Nora Whitfield, nora@example.com, +44 20 7946 0123"}'
    with structlog.testing.capture_logs() as logs, model_server(Reply((complaint,), status=409)) as server:
        assert failure(server.endpoint).code == "model_refused"
    (line,) = [line for line in logs if line["event"] == "model_request_refused"]
    assert line["status"] == 409
    assert "unknown field" in line["complaint"]
    assert not any(word in line["complaint"] for word in ("Nora", "Whitfield", "nora", "7946", "example"))


@pytest.mark.parametrize(
    ("complaint", "sent", "expected"),
    [
        ("model 'x-large' not found", "1: Nora Whitfield", "model 'x-large' not found"),
        ("无法处理 李晓明 的请求", "1: 李晓明", "无法处理 … 的请求"),
        ("context of 20480 exceeded by NORA", "nora whitfield", "context of … exceeded by …"),
        ("a" * 900, "", "a" * 200),
    ],
)
def test_a_complaint_keeps_only_words_that_were_not_sent(complaint, sent, expected):
    assert without_personal_data(complaint, sent) == expected


def test_threads_that_ask_first_at_the_same_time_share_one_loop(monkeypatch):
    monkeypatch.setattr(client.os, "getpid", lambda: -1)  # a process that has not asked yet
    together = threading.Barrier(8, timeout=30)

    async def loop():
        return id(asyncio.get_running_loop())

    def ask(_):
        together.wait()
        return client._run(loop())

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(8)))) == 1
