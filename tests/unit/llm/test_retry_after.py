"""`Retry-After` as services send it."""

from __future__ import annotations

import httpx
import pytest

from ingest.llm import client


@pytest.mark.parametrize(
    "value",
    ["soon", "Mon, 99 Foo 2026 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 -2359", "Mon, 01 Jan 0001 00:00:00 +2359", "-5"],
)
def test_no_date_however_odd_breaks_the_answer(value):
    found = client._retry_after_s(httpx.Response(429, headers={"retry-after": value}))
    assert found is None or 0.0 <= found <= client._MAX_RETRY_AFTER_S


def test_a_date_without_a_zone_is_greenwichs():
    response = httpx.Response(429, headers={"retry-after": "Fri, 31 Dec 2100 23:59:59 -0000"})
    assert client._retry_after_s(response) == client._MAX_RETRY_AFTER_S
