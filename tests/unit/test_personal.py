"""The look for personal data in logs finds it."""

from __future__ import annotations

import pytest

from tests.acceptance import personal

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    ["read Harriet's file", "harriet-lindqvist.pdf was opened", "mail to alice.7@example.com", "call +1 202 555 0143"],
)
def test_names_numbers_addresses_and_file_names_are_found(text):
    assert personal.found_in(text)


def test_states_codes_and_ids_are_not():
    line = "stage_ended stage=extract code=low_completeness resume=8c33556c-f7fd-4415-a326-986e12d9bb44 at 18:36:23.988874Z"
    assert personal.found_in(line) == set()
