"""What a monitor is told while a server hangs: in time, and the truth."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest

from tests.acceptance.house import House, until

pytestmark = pytest.mark.timeout(180)
_SCRAPE_S = 10.0
"""Prometheus gives up a scrape after this long (deploy/monitoring/prometheus.yml)."""


@contextlib.contextmanager
def locked(house: House) -> Iterator[None]:
    """Somebody else holds the database: a backup, or a shell with an open transaction."""
    if house.database_url:
        with psycopg.connect(house.database_url) as connection:
            connection.execute("LOCK TABLE ingest_heartbeat IN SHARE MODE NOWAIT")
            yield
    else:
        with contextlib.closing(sqlite3.connect(house.home / "house.sqlite3", isolation_level=None, timeout=10)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.rollback()


def ready(house: House) -> tuple[int, Any, float]:
    began = time.monotonic()
    answer = httpx.get(f"{house.url}/readyz", timeout=60)
    return answer.status_code, answer.json(), time.monotonic() - began


def test_a_locked_database_is_told_in_time_and_so_is_its_return(house: House):
    house.start_broker()
    house.start_web()
    assert ready(house)[0] == 200
    with locked(house):
        status, told, took_s = until("its being noticed", lambda: (found := ready(house))[0] == 503 and found, 30, every_s=1)
        assert (status, told["checks"]["database"]) == (503, "failed")
        assert took_s < 5
        assert httpx.get(f"{house.url}/healthz", timeout=5).status_code == 200
        page = httpx.get(f"{house.url}/metrics", timeout=_SCRAPE_S).text
        assert 'gleaner_writable{part="database"} 0.0' in page
    until("its return", lambda: ready(house)[0] == 200, 30, every_s=1)


def test_a_broker_that_hangs_holds_up_neither_the_scrape_nor_an_upload(house: House, tmp_path):
    house.extra_env = {"OCR_CHANNELS": "rapidocr,tesseract,easyocr", "LLM_BASE_URL": "http://127.0.0.1:9/v1"}
    house.start_broker()
    house.start_web()
    pid = broker_pid(house)
    os.kill(pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        page = httpx.get(f"{house.url}/metrics", timeout=_SCRAPE_S).text
        scrape_s = time.monotonic() - began
        status, told, took_s = ready(house)
        began = time.monotonic()
        file = tmp_path / "cv.txt"
        file.write_text("Ada Example\nada@example.com\n")
        house.upload(file)
        upload_s = time.monotonic() - began
    finally:
        os.kill(pid, signal.SIGCONT)
    print(f"scrape {scrape_s:.1f} s, readiness {took_s:.1f} s, upload {upload_s:.1f} s")
    assert "gleaner_broker_up 0.0" in page
    assert (status, told["status"], told["checks"]["broker"]) == (200, "degraded", "failed")
    assert scrape_s < _SCRAPE_S / 2
    assert took_s < 5
    assert upload_s < 15


def broker_pid(house: House) -> int:
    broker = house._broker
    return (broker if isinstance(broker, subprocess.Popen) else broker._process).pid
