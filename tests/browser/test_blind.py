"""Blind review: who it is cannot be seen before the decision, wherever one looks on the workbench."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from resumes import reruns
from resumes.models import Resume
from resumes.states import State
from review.models import Case
from tests.browser.cases import received

pytestmark = pytest.mark.django_db(transaction=True)

PERSONAL = """Wilhelmina Quillfeather
Gender: female
Date of birth: 12 May 1990
Place of birth: Harrowmouth
wilhelmina.q@example.org | +1 202 555 0143

Experience
Northwind Instruments, Engineer
March 2019 - June 2023
Reference: Mrs Quillfeather built the billing service

Education
Lakeside University
B.Sc. Computer Science
2012 - 2016

Skills
Python, PostgreSQL
"""
TELLING = ("Wilhelmina", "Quillfeather", "female", "12 May", "1990", "Harrowmouth", "wilhelmina.q")


@pytest.fixture
def blind(settings):
    settings.GLEANER_BLIND_REVIEW = True


def sent_back(desk, resume) -> Case:
    reruns.flag(resume, desk.people["recruiter"], ["basics.phone"], "Quillfeather has moved", node="test")
    return Case.objects.get(run=resume.run)


def test_nothing_on_the_page_tells_who_it_is_until_the_decision(desk, blind):
    case = sent_back(desk, received(PERSONAL, desk.people["recruiter"], "Wilhelmina Quillfeather.txt"))
    page = desk.goto(desk.window(), "/admin/review/case/?state__exact=PENDING")
    assert not [word for word in TELLING if word in page.content()]
    page = desk.next_case(page)
    shown = page.content()
    assert not [word for word in TELLING if word in shown]
    assert "Lakeside University" in shown
    assert "March 2019" in shown
    expect(page.locator("#field-name")).to_be_disabled()
    expect(page.locator("#field-name")).to_have_attribute("placeholder", "covered until the decision")
    expect(page.locator("#score")).to_have_text("6 / 6")
    page.locator("#field-phone").fill("+1 202 555 0188")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    resume = Resume.objects.get(pk=case.resume_id)
    assert resume.state == State.REVIEWED
    basics = resume.extractions.get(run=2).profile["basics"]
    assert basics["name"] == "Wilhelmina Quillfeather"
    assert (basics["email"], basics["phone"]) == ("wilhelmina.q@example.org", "+1 202 555 0188")
    desk.goto(page, f"/admin/review/case/{case.pk}/work/")
    assert "Wilhelmina" in page.content()


def test_the_picture_shows_words_and_neither_name_nor_photo(desk, blind, sample):
    resume = sample("harriet-lindqvist.pdf")
    case = sent_back(desk, resume)
    page = desk.goto(desk.window(), f"/admin/review/case/{case.pk}/work/")
    desk.at_work(page)
    name = resume.extractions.get(run=2).profile["basics"]["name"]
    assert name not in page.content()
    picture = page.locator("#original img").first
    picture.wait_for()
    where = resume.extractions.get(run=2).evidence["basics.name"]
    answer = page.request.get(desk.url + picture.get_attribute("src"))
    drawn = Image.open(io.BytesIO(answer.body())).convert("L")
    x0, y0, x1, y1 = (round(edge * size) for edge, size in zip(where["bbox"], (*drawn.size, *drawn.size), strict=True))
    shades = drawn.crop((x0 + 2, y0 + 2, x1 - 2, y1 - 2)).histogram()
    assert sum(shades[:60]) > 0.8 * sum(shades)  # the bars over the words, with the white between them
    assert not sum(shades[60:250])  # and no edge of a letter
    assert "no-cache" in answer.headers["cache-control"]


def test_the_original_itself_is_not_offered(desk, blind):
    sent_back(desk, received(PERSONAL, desk.people["recruiter"]))
    page = desk.next_case(desk.window())
    expect(page.get_by_role("link", name="file", exact=True)).to_have_count(0)
