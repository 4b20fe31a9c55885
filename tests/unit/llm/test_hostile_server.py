"""A server that breaks the protocol, breaks off, packs its answers or is not where its name says is a failure with a code."""

from __future__ import annotations

import contextlib
import datetime as dt
import gzip
import json
import socket
import ssl
import struct
import threading

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from ingest.dossier import ModelEndpoint
from ingest.llm.address import is_local
from ingest.llm.client import Question, complete
from ingest.llm.messages import Message
from resumes.taxonomy import ResumeError
from tests.unit.llm.scripted import Reply, model_server, says, streams

pytestmark = pytest.mark.unit
ASKED = Question((Message("user", "1: Nora Whitfield"),), {"type": "object"})
BOMB = gzip.compress(b" " * 8_000_000)
EVENTS = {"content-type": "text/event-stream"}


def failure(endpoint):
    with pytest.raises(ResumeError) as caught:
        complete(endpoint, ASKED, deadline_s=10)
    assert caught.value.channel == "model"
    return caught.value.code


def body(choice, **more):
    return json.dumps({"choices": [choice], **more}).encode()


@contextlib.contextmanager
def raw_server(*actions):
    """A server whose connections are treated by the actions in turn, once the request is there; yields an endpoint."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        for act in actions:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):
                connection.recv(65536)
                act(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield ModelEndpoint(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", "", "m", local=True)
    finally:
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(10)


def sends(data):
    return lambda connection: connection.sendall(data)


def resets(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def half_closes(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{")
    connection.shutdown(socket.SHUT_WR)
    connection.recv(1)


HEAD = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "act",
    [
        sends(b""),
        resets,
        half_closes,
        sends(b"SSH-2.0-OpenSSH_9.2\r\n"),
        sends(b"HTTP/1.1 200 OK\r\n" + b"x: " + b"y" * 200_000 + b"\r\n\r\n"),
        sends(HEAD + b"zz\r\n{}\r\n"),
        sends(HEAD + b"5\r\n{\r\n"),
        sends(HEAD + b"ffffffffffffffff\r\n{"),
    ],
    ids=["nothing", "reset", "half closed", "another protocol", "endless header", "no chunk", "half a chunk", "endless chunk"],
)
def test_a_connection_that_breaks_is_a_passing_fault(act):
    with raw_server(act) as endpoint:
        assert failure(endpoint) == "dependency_unavailable"


@pytest.mark.parametrize(
    "events",
    [
        [b""],
        [b'data: {"choices": [{"delta": {"content": "{"}}]}\n\n'],
        [b'data: {"choices": [{"delta": {"content": "{}"}, "finish_reason": null}]}\n\n', b": still there\n\n"],
        [b'data: {"choices": [], "usage": {"prompt_tokens": 3}}\n\n'],
    ],
)
def test_a_stream_that_breaks_off_is_a_passing_fault_however_much_has_come(events):
    with model_server(Reply(tuple(events), headers=EVENTS)) as server:
        assert failure(server.endpoint) == "dependency_unavailable"


@pytest.mark.parametrize("ending", [b"data: [DONE]\n\n", b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\r\n\r\n'])
def test_a_stream_ends_with_its_last_event_or_with_a_reason(ending):
    first = b'data: {"choices": [{"delta": {"role": "assistant", "content": "{}"}}]}\r\n\r\n'
    with model_server(Reply((first, ending), headers=EVENTS)) as server:
        assert complete(server.endpoint, ASKED, deadline_s=10).text == "{}"


@pytest.mark.parametrize(
    "reply",
    [
        Reply((body({"message": {"content": "{}"}, "finish_reason": "content_filter"}),)),
        Reply((b'data: {"choices": [{"delta": {"content": "{"}, "finish_reason": "content_filter"}]}\n\n',), headers=EVENTS),
        Reply((b'{"choices": []}',)),
        Reply((b'{"choices": [null]}',)),
        Reply((b'{"choices": [{"message": null}]}',)),
        Reply((b'{"choices": {"0": 1}}',)),
        Reply((b'{"error": {"message": "no"}}',)),
    ],
)
def test_a_filter_and_an_answer_without_a_choice_are_a_refusal_and_not_asked_about_again(reply):
    with model_server(reply) as server:
        assert failure(server.endpoint) == "model_refused"
    assert len(server.requests) == 1


@pytest.mark.parametrize(("reason", "cut"), [("length", True), ("stop", False), (None, False)])
def test_an_answer_at_its_limit_says_so(reason, cut):
    with model_server(Reply((body({"message": {"content": '{"a'}, "finish_reason": reason}),))) as server:
        assert complete(server.endpoint, ASKED, deadline_s=10).cut is cut


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
def test_a_packed_answer_is_not_unpacked(encoding):
    with model_server(Reply((BOMB,), headers={"content-encoding": encoding})) as server:
        assert failure(server.endpoint) == "model_refused"
    assert server.headers[0]["accept-encoding"] == "identity"


@pytest.mark.parametrize("counted", [10**15, -4, True, "300", 1.5, None, [1]])
def test_tokens_that_cannot_be_are_estimated(counted):
    usage = {"prompt_tokens": counted, "completion_tokens": counted}
    with model_server(Reply((body({"message": {"content": "{}"}}, usage=usage),))) as server:
        completion = complete(server.endpoint, ASKED, deadline_s=10)
    assert (completion.prompt_tokens, completion.completion_tokens) == (5, 1)


def test_halves_of_characters_are_sent_as_question_marks():
    with model_server(says("{}")) as server:
        complete(server.endpoint, Question((Message("user", "1: Nora \ud83d Whitfield"),), {}), deadline_s=10)
    assert server.requests[0]["messages"][0]["content"] == "1: Nora ? Whitfield"


def test_an_https_address_of_a_plain_server_is_a_passing_fault():
    with model_server(says("{}")) as server:
        assert failure(ModelEndpoint(server.endpoint.base_url.replace("http:", "https:"), "", "m", local=True)) == (
            "dependency_unavailable"
        )
    assert server.requests == []


def test_a_certificate_nobody_vouches_for_is_not_taken(tmp_path):
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    made = made.not_valid_before(now - dt.timedelta(days=1)).not_valid_after(now + dt.timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    pem = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    plain = serialization.NoEncryption()
    pem += key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (tmp_path / "server.pem").write_bytes(pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "server.pem")
    arrived = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            with contextlib.suppress(OSError):
                connection, _ = listening.accept()
                with context.wrap_socket(connection, server_side=True) as secured:
                    arrived.append(secured.recv(100))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        endpoint = ModelEndpoint(f"https://localhost:{listening.getsockname()[1]}/v1", "secret", "m", local=True)
        assert failure(endpoint) == "dependency_unavailable"
        thread.join(10)
    assert [data for data in arrived if data] == []


# -- names ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def names(monkeypatch):
    """What names lead to."""
    known, lookup = {}, socket.getaddrinfo

    def look_up(host, port, *args, **kwargs):
        found = [lookup(address, port, *args, **kwargs)[0] for address in known.get(host, ())]
        return found or lookup(host, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


def named(server, host):
    return ModelEndpoint(server.endpoint.base_url.replace("127.0.0.1", host), "", "m", local=True)


def test_a_name_of_the_house_is_asked_where_it_leads_under_its_name(names):
    names["model.lan"] = ["::1", "127.0.0.1"]
    with model_server(says("{}")) as server:
        endpoint = named(server, "model.lan")
        assert complete(endpoint, ASKED, deadline_s=10).text == "{}"
    assert server.headers[0]["host"] == endpoint.base_url.split("/")[2]


@pytest.mark.parametrize("leads", [["203.0.114.7"], ["2001:4860:4860::8888"], ["127.0.0.1", "8.8.8.8"], ["::ffff:8.8.8.8"]])
def test_a_name_of_the_house_that_leads_out_of_it_is_not_asked(names, leads):
    """A resume goes to nobody elsewhere, and operators hear of it."""
    names["vllm"] = leads
    with model_server(says("{}")) as server:
        assert failure(named(server, "vllm")) == "credentials_rejected"
    assert server.requests == []


def test_a_name_nobody_knows_is_a_passing_fault():
    assert failure(ModelEndpoint("http://no-such-name.localhost.invalid:1/v1", "", "m", local=True)) == "dependency_unavailable"


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://[::ffff:8.8.8.8]/v1", False),
        ("http://[::ffff:10.0.0.1]/v1", True),
        ("http://[2002:808:808::]/v1", False),
        ("http://134744072/v1", False),
        ("http://0x08080808/v1", False),
        ("http://8.8.2056/v1", False),
        ("http://2130706433/v1", True),
        ("http://127.1/v1", True),
        ("http://[fe80::1%25eth0]/v1", True),
    ],
)
def test_addresses_in_other_spellings_are_told_as_well(url, local):
    assert is_local(url) is local


def test_a_stream_says_its_reason():
    with model_server(streams("{}")) as server:
        assert not complete(server.endpoint, ASKED, deadline_s=10).cut
