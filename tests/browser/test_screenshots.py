"""Every page of the review opens and looks like something; `make screenshots` keeps the pictures in docs/images."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from django.utils import timezone
from PIL import Image
from playwright.sync_api import expect

from resumes import reruns
from review.models import Case, Correction
from tests.browser.cases import flagged, poor, received
from tests.integration.people import POOR
from tests.texts import ADA

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]

FOLDER = os.environ.get("SCREENSHOTS", "")
_COLORS = 240
"""Enough for a page of forms, and a quarter of the size."""


def keep(page, name: str) -> None:
    """Take a picture; keep it where one is asked for."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    assert len(picture.getcolors(1 << 24)) > 10, f"{name} is empty"
    if FOLDER:
        picture.quantize(_COLORS).save(Path(FOLDER) / f"{name}.png", optimize=True)


def test_every_page_can_be_taken_a_picture_of(desk, sample):
    owner, reviewer = desk.people["recruiter"], desk.people["reviewer"]
    leo = sample("leo-fontaine.pdf")
    whole = received(ADA, owner, "ada-quillfeather.txt")
    flagged(owner, text=ADA.replace("ada.", "other."))
    received(POOR, owner, "shopping-list.txt")
    for number in range(1, 5):
        poor(owner, number)
    done = Case.objects.filter(resume__filename="Felix Amberley.txt").first() or Case.objects.order_by("priority").first()
    Case.objects.filter(pk=done.pk).update(state=Case.State.DONE, closed_at=timezone.now(), closed_by=reviewer, seconds=48.0)
    for field, number in {"basics.phone": 3, "work[0].endDate": 2, "skills[0].name": 1}.items():
        Correction.objects.bulk_create(
            [Correction(case=done, field=field, before="a", after="b", source="rules", reviewer=reviewer)] * number
        )
    case = Case.objects.get(resume=leo)
    word = sample("su-wanqing.docx")
    reruns.flag(word, owner, ["basics.phone"], "", node="test")
    page = desk.window()
    desk.goto(page, "/admin/review/case/?state__exact=PENDING")
    expect(page.locator("#result_list tbody tr")).not_to_have_count(0)
    keep(page, "review-list")
    desk.goto(page, "/admin/review/case/statistics/")
    keep(page, "review-statistics")
    desk.goto(page, f"/admin/resumes/resume/{whole.pk}/change/")
    page.get_by_text("Information is wrong…").click()
    keep(page, "resume")
    for language, name in {"en": "workbench", "zh-hans": "workbench-zh", "ru": "workbench-ru"}.items():
        page.context.add_cookies([{"name": "django_language", "value": language, "url": desk.url}])
        desk.goto(page, f"/admin/review/case/{case.pk}/work/")
        desk.at_work(page)
        page.locator("#original img").first.wait_for()
        page.wait_for_function("document.querySelector('#original img').complete")
        page.locator("#field-email").focus()
        keep(page, name)
    page.context.add_cookies([{"name": "django_language", "value": "en", "url": desk.url}])
    desk.goto(page, f"/admin/review/case/{Case.objects.get(resume=word, run=2).pk}/work/")
    desk.at_work(page)
    expect(page.locator("#original .sheet.flow table")).not_to_have_count(0)
    keep(page, "workbench-word")
