"""The embedded server's folder: private, the same port and password again, and what a killed run left is ended."""

from __future__ import annotations

import os
import select
import socket
import stat
import subprocess
import sys

import pytest
import redis

from ingest.supervisor import broker


@pytest.fixture
def started(tmp_path):
    """Start the prepared server outside any supervision, as a killed run would leave it."""
    servers = []

    def start(folder) -> tuple[subprocess.Popen, str]:
        program, url = broker.prepare(folder)
        server = subprocess.Popen(program.argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        servers.append(server)
        with redis.Redis.from_url(url, retry=redis.retry.Retry(redis.backoff.ConstantBackoff(0.05), 100)) as client:
            assert client.ping()
        return server, url

    yield start
    for server in servers:
        server.kill()
        server.wait()
        server.stdout.close()


def test_the_address_and_the_configuration_are_for_their_owner_only(tmp_path):
    broker.prepare(tmp_path / "valkey")
    assert stat.S_IMODE((tmp_path / "valkey").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "valkey").iterdir()} == {0o600}


def test_the_next_start_has_the_same_address(tmp_path):
    _, first = broker.prepare(tmp_path)
    _, second = broker.prepare(tmp_path)
    assert first == second == (tmp_path / broker.URL_FILE).read_text()


def test_a_port_taken_by_somebody_else_is_replaced_and_the_password_stays(tmp_path):
    _, first = broker.prepare(tmp_path)
    with socket.socket() as other:
        other.bind(("127.0.0.1", int(first.rpartition(":")[2].partition("/")[0])))
        other.listen()
        _, second = broker.prepare(tmp_path)
    assert second != first
    assert second.split("@")[0] == first.split("@")[0]


def test_it_listens_on_this_machine_only_and_asks_for_the_password(started, tmp_path):
    _, url = started(tmp_path / "valkey")
    with redis.Redis.from_url(url) as client:
        assert client.config_get("bind")["bind"] == "127.0.0.1"
        assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
    with redis.Redis(port=int(url.rpartition(":")[2].partition("/")[0])) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()


def test_one_left_behind_is_ended_and_its_data_are_kept(started, tmp_path):
    folder = tmp_path / "a folder with blanks"
    server, url = started(folder)
    with redis.Redis.from_url(url) as client:
        client.rpush("waiting", "message")
    _, again = started(folder)
    assert server.wait(5) == 0
    assert again == url
    with redis.Redis.from_url(again) as client:
        assert client.lrange("waiting", 0, -1) == [b"message"]


def test_a_process_that_only_has_the_number_of_one_left_behind_is_let_alone(tmp_path):
    broker.prepare(tmp_path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger:
        (tmp_path / "pid").write_text(str(stranger.pid))
        handle = os.pidfd_open(stranger.pid)
        assert not broker.end_left_over(tmp_path)
        assert not select.select([handle], [], [], 0.2)[0], "it has ended"
        os.close(handle)
        stranger.communicate(b"\n")
