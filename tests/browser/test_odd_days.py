"""What happens at a desk on odd days: sessions that end, networks that drop, keys that come too early, cases passed on."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from playwright.sync_api import Route, expect

from resumes.models import Extraction, Resume
from resumes.states import State
from review.models import Case
from tests.browser.cases import flagged, poor, received
from tests.texts import ADA

pytestmark = pytest.mark.django_db(transaction=True)

SIGNED_OUT = ("Failed to load resource: the server responded with a status of 401",)
DROPPED = ("Failed to load resource: net::ERR_FAILED",)
REFUSED = ("Failed to load resource: the server responded with a status of 422",)


def work(page):
    return page.locator(".entries").filter(has=page.locator(".cell.position")).locator(".entry")


def test_a_session_that_ends_and_a_network_that_drops_lose_nothing_that_was_typed(desk):
    desk.expected = SIGNED_OUT + DROPPED
    case = poor(desk.people["recruiter"])
    page = desk.next_case(desk.window())
    Session.objects.all().delete()
    page.locator("#field-city").fill("Leeds")
    page.keyboard.press("Control+s")
    expect(page.locator("#away")).to_contain_text("You are signed out.")
    expect(page.get_by_role("link", name="Sign in in another window")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#field-city")).to_have_value("Leeds")
    again = Client()
    again.force_login(desk.people["reviewer"])
    page.context.add_cookies([{"name": "sessionid", "value": again.cookies["sessionid"].value, "url": desk.url}])
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.locator("#saved")).to_contain_text("draft saved")
    expect(page.locator("#away")).to_be_hidden()
    case.refresh_from_db()
    assert case.draft["basics"]["city"] == "Leeds"
    page.route("**/draft/", lambda route: route.abort())
    page.locator("#field-city").fill("York")
    page.keyboard.press("Escape")  # would release the case: not with something on the page that nobody has
    expect(page.locator("#away")).to_contain_text("The server does not answer.")
    page.unroute("**/draft/")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#saved")).to_contain_text("draft saved")
    page.locator("#field-city").fill("Hull")
    with page.expect_navigation():
        page.keyboard.press("Escape")
    case.refresh_from_db()
    assert (case.state, case.draft["basics"]["city"]) == (Case.State.PENDING, "Hull")


def test_keys_of_an_input_method_are_left_to_it_and_keys_that_come_while_a_draft_is_on_its_way_wait_for_it(desk):
    case = poor(desk.people["recruiter"])
    page = desk.next_case(desk.window())
    skill = page.get_by_label("Skills: add")
    skill.fill("xue")
    for where, key in (("#field-phone", "Escape"), ("[aria-label='Skills: add']", "Enter"), ("#field-phone", "Enter")):
        page.locator(where).evaluate(
            "(node, key) => node.dispatchEvent(new KeyboardEvent('keydown', "
            "{key, ctrlKey: node.id === 'field-phone' && key === 'Enter', isComposing: true, bubbles: true, cancelable: true}))",
            key,
        )
    expect(skill).to_have_value("xue")
    expect(page.locator("#save")).to_be_enabled()
    assert Case.objects.get().state == Case.State.IN_PROGRESS
    skill.fill("")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/draft/", hold, times=1)
    page.locator("#field-city").fill("Leeds")
    with page.expect_request("**/draft/"):
        page.keyboard.press("Control+s")
    page.locator("#field-phone").fill("+1 202 555 0143")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Control+Enter")
    assert Resume.objects.get(pk=case.resume_id).state == State.REVIEW_NEEDED
    with page.expect_navigation():
        held[0].continue_()
    resume = Resume.objects.get(pk=case.resume_id)
    assert resume.state == State.REVIEWED
    basics = resume.extractions.get().profile["basics"]
    assert (basics["location"]["city"], basics["phone"]) == ("Leeds", "+1 202 555 0143")


def test_cases_one_leaves_to_the_others_do_not_come_back_at_once(desk):
    made = {str(poor(desk.people["recruiter"], number).pk) for number in range(3)}
    page = desk.next_case(desk.window())
    seen = []
    for _ in range(4):
        seen.append(desk.at_work(page).url.split("/")[-3])
        with page.expect_navigation():
            page.keyboard.press("Alt+n")
    assert set(seen[:3]) == made
    assert seen[3] == seen[0]
    with page.expect_navigation():
        page.keyboard.press("Escape")
    Case.objects.exclude(pk=seen[0]).update(state=Case.State.DONE)
    desk.next_case(page)
    with page.expect_navigation():
        page.keyboard.press("Alt+n")
    expect(page.locator(".messagelist")).to_contain_text("No other case is waiting.")


def test_dates_are_typed_and_picked_in_any_form_and_what_is_none_is_shown(desk):
    desk.expected = REFUSED
    case = flagged(desk.people["recruiter"], ("work[0].startDate",), ADA.replace("June 2023", "present"))
    page = desk.next_case(desk.window())
    first = work(page).first
    start, end = first.locator(".startDate input"), first.locator(".endDate input")
    box = first.locator(".current input")
    expect(start).to_be_focused()
    expect(first.locator(".startDate .badge")).to_have_text("said to be wrong")
    expect(box).to_be_checked()
    box.uncheck()
    end.fill("июнь 2023 г.")
    start.fill("next spring")
    expect(end).to_have_value("2023-06")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toast")).to_contain_text("Work 1: From")
    expect(start).to_have_attribute("aria-invalid", "true")
    expect(start).to_be_focused()
    start.fill("03.2019")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    found = Resume.objects.get(pk=case.resume_id).extractions.get(run=2).profile
    assert (found["work"][0]["startDate"], found["work"][0]["endDate"]) == ("2019-03", "2023-06")
    assert found["meta"]["gleaner"]["work"][0]["current"] is False


def test_an_entry_that_was_taken_out_is_put_back_and_what_is_new_is_kept(desk):
    case = flagged(desk.people["recruiter"], ("work",))
    page = desk.next_case(desk.window())
    before = work(page).count()
    for _ in range(before):
        work(page).first.get_by_role("button", name="remove").click()
    expect(page.locator("#score")).to_have_text("5 / 6")
    page.get_by_role("button", name="put it back").first.click()
    expect(work(page)).to_have_count(1)
    skills = page.get_by_label("Skills: add")
    skills.fill("Lathe, Welding (MIG, TIG)；焊接、")
    skills.press("Enter")
    page.get_by_role("button", name="+ Certificates").click()
    page.keyboard.type("First aid 🩹")
    page.get_by_role("button", name="+ Projects").click()  # and left empty
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    resume = Resume.objects.get(pk=case.resume_id)
    old, new = (resume.extractions.get(run=run).profile for run in (1, 2))
    if before > 1:
        assert new["work"] == old["work"][:1]
    assert new["certificates"] == [{"name": "First aid 🩹"}]
    assert "projects" not in new
    assert [skill["name"] for skill in new["skills"]][-3:] == ["Lathe", "Welding (MIG, TIG)", "焊接"]


def test_a_case_without_a_file_says_so(desk):
    case = Case.objects.get(resume=received("Ada Quillfeather\n", desk.people["recruiter"]))
    Resume.objects.filter(pk=case.resume_id).update(document=None)
    Extraction.objects.all().delete()
    page = desk.next_case(desk.window())
    expect(page.locator("#original")).to_contain_text("There is no file for this resume any more.")
