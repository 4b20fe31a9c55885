"""axe-core over every page of the review: no serious fault, in light and in dark, in the languages the pages speak."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.cases import poor, received
from tests.integration.people import POOR
from tests.texts import ADA

pytestmark = pytest.mark.django_db(transaction=True)

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")

BY_AXE = ("Applying inline style violates",)
"""What axe does to measure a page; the page itself has no inline style."""


def faults(page) -> list[str]:
    """Serious and critical faults axe finds, each with the first element it names."""
    page.evaluate(AXE)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations'], preload: false})")
    return [
        f"{fault['id']}: {fault['nodes'][0]['html'][:200]}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_of_the_review_has_a_serious_fault(desk, scheme):
    desk.expected = BY_AXE
    owner = desk.people["recruiter"]
    case = poor(owner)
    received(POOR, owner, "list.txt")
    whole = received(ADA, owner)
    page = desk.window("admin", color_scheme=scheme)
    pages = (
        "/admin/review/case/?state__exact=PENDING",
        "/admin/review/case/statistics/",
        f"/admin/resumes/resume/{whole.pk}/change/",
        f"/admin/review/case/{case.pk}/work/",
    )
    found = {}
    for path in pages:
        desk.goto(page, path)
        if path.endswith("work/"):
            desk.at_work(page)
        found[path] = faults(page)
    for key, box in {"Alt+d": "#discard-box", "Alt+a": "#ask-box"}.items():
        page.keyboard.press(key)
        page.locator(f"{box}[open]").wait_for()
        found[box] = faults(page)
        page.keyboard.press("Escape")
    for view in ("text", "history"):
        page.get_by_role("button", name=view, exact=True).click()
        found[view] = faults(page)
    assert {path: said for path, said in found.items() if said} == {}


def test_what_the_test_finds_faults_with_is_found(desk):
    desk.expected = BY_AXE
    page = desk.goto(desk.window(), "/admin/review/case/?state__exact=PENDING")
    page.evaluate("document.querySelector('#content').append(document.createElement('input'))")
    assert any(fault.startswith("label:") for fault in faults(page))
