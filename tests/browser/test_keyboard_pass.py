"""A pass over many cases by keyboard alone, timed: `KEYBOARD_CASES=30 pytest -s` prints keys and server time of each.

The suite does a few; `make keyboard` does thirty.
"""

from __future__ import annotations

import os

import pytest

from resumes.models import Resume
from resumes.states import State
from review.models import Case
from tests.browser.cases import flagged, poor
from tests.texts import ADA

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]

CASES = int(os.environ.get("KEYBOARD_CASES", "4"))
PHONE = "+1 202 555 0143"


class Keyboard:
    """Presses keys and counts them; a chord counts as the keys it has."""

    def __init__(self, page) -> None:
        self._page, self.keys, self.typed = page, 0, 0

    def press(self, chord: str) -> None:
        self.keys += chord.count("+") + 1
        self._page.keyboard.press(chord)

    def type(self, text: str) -> None:
        self.typed += len(text)
        self._page.keyboard.type(text)


class Server:
    """Adds up how long the server took to answer what a page asked for."""

    def __init__(self, page) -> None:
        self.ms = 0.0
        page.on("requestfinished", self._note)

    def _note(self, request) -> None:
        if "/static/" not in request.url:
            timing = request.timing
            self.ms += max(0.0, timing["responseStart"] - timing["requestStart"])


def test_many_cases_are_worked_off_by_keyboard_alone(desk):
    owner = desk.people["recruiter"]
    for number in range(CASES):
        if number % 2:
            flagged(owner, text=ADA.replace("ada.quillfeather", f"ada{number}"))
        else:
            poor(owner, number)
    page = desk.next_case(desk.window())
    keyboard, server = Keyboard(page), Server(page)
    rows = []
    for _ in range(CASES):
        right = page.locator(".field.missing").count() == 0
        before = keyboard.keys, keyboard.typed, server.ms
        if not right:
            keyboard.type(PHONE)
        with page.expect_navigation():
            keyboard.press("Control+Enter")
        page.wait_for_load_state("load")
        rows.append((right, keyboard.keys - before[0], keyboard.typed - before[1], server.ms - before[2]))
    print(f"\n{'case':>4} {'prefilled':>9} {'keys':>5} {'typed':>6} {'server ms':>10}")
    for number, (right, keys, typed, ms) in enumerate(rows, 1):
        print(f"{number:4} {'right' if right else 'lacking':>9} {keys:5} {typed:6} {ms:10.0f}")
    print(
        f"mean {sum(row[1] for row in rows) / CASES:.1f} keys, {sum(row[3] for row in rows) / CASES:.0f} ms of the server a case"
    )
    assert all(keys <= 3 for right, keys, _typed, _ms in rows if right)
    assert set(Resume.objects.values_list("state", flat=True)) == {State.REVIEWED}
    assert not Case.objects.filter(state=Case.State.PENDING).exists()
