"""The workbench in a real browser, as reviewers use it."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from resumes.models import Resume
from resumes.states import State
from review import bulk
from review.models import BulkJob, Case, Correction, Note
from tests.browser.cases import flagged, poor, received
from tests.integration.people import POOR
from tests.texts import ADA

pytestmark = pytest.mark.django_db(transaction=True)

CONFLICT = ("Failed to load resource: the server responded with a status of 409",)
REFUSED = ("Failed to load resource: the server responded with a status of 422",)


def holding(part: str) -> re.Pattern[str]:
    return re.compile(f".*{part}.*", re.DOTALL)


def field(page, name: str):
    return page.locator("#basics .field", has=page.locator(f"#field-{name}"))


def test_two_reviewers_who_press_next_at_once_get_different_cases(desk):
    made = {str(poor(desk.people["recruiter"], number).pk) for number in range(2)}
    windows = [desk.goto(desk.window(who), "/admin/review/case/") for who in ("reviewer", "second")]
    for page in windows:
        page.get_by_role("button", name="Start with the next case").click(no_wait_after=True)
    got = {desk.at_work(page).url.split("/")[-3] for page in windows}
    assert got == made
    assert set(Case.objects.values_list("claimed_by__username", flat=True)) == {"reviewer", "second"}


def test_a_field_shows_where_it_stands_and_words_go_into_the_field(desk, sample):
    desk.expected = REFUSED
    sample("leo-fontaine.pdf")
    page = desk.next_case(desk.window())
    page.locator("#original image, #original img").first.wait_for()
    page.locator("#field-email").focus()
    marked = page.locator("#original rect.marked")
    expect(marked).to_have_count(1)
    word = page.locator("#original rect.word", has=page.locator("title", has_text="leo.fontaine@example.org"))
    inner, outer = word.bounding_box(), marked.bounding_box()
    assert outer["x"] <= inner["x"] + 1
    assert outer["y"] <= inner["y"] + 1
    assert outer["x"] + outer["width"] >= inner["x"] + inner["width"] - 1
    page.locator("#field-url").focus()
    page.locator("#original rect.word", has=page.locator("title", has_text="Brighton")).first.click()
    expect(page.locator("#field-url")).to_have_value("Brighton")
    expect(field(page, "url").locator(".badge.source")).to_have_text("person")
    page.get_by_role("button", name="text", exact=True).click()
    page.locator("#field-email").focus()
    expect(page.locator("#text .word.marked").first).to_contain_text("leo.fontaine")
    page.locator("#field-label").fill("")
    page.locator("#text .word", has_text="Available").click()
    expect(page.locator("#field-label")).to_have_value("Available")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Complete it", exact=True).click()
    page.wait_for_url("**/case/?state__exact=PENDING")
    taken = Correction.objects.get(field="basics.url")
    assert taken.after == "Brighton"
    assert taken.evidence["after"]["page"] == 1
    assert len(taken.evidence["after"]["bbox"]) == 4


WEB_PAGE = """<html><head><title>CV</title><script>document.title = "run"</script></head><body onload="document.title = 'run'">
<h1>Ada Quillfeather</h1><p>Software Engineer</p>
<table><tr><td>Skills<ul><li>Python</li><li>SQL</li></ul></td><td><h2>Experience</h2>
<table><tr><td>2019-03 to 2023-06</td><td>Northwind Instruments, Engineer</td></tr>
<tr><td colspan="2"><a href="javascript:document.title='run'">Built</a> the billing service</td></tr></table>
<p>References on request</p></td></tr><tr><td>E-mail</td><td>ada@example.org</td></tr></table>
<img src="missing.png" onerror="document.title = 'run'"><iframe src="https://example.org/"></iframe></body></html>
"""


def test_a_web_page_is_shown_as_it_looks_and_runs_nothing(desk):
    case = flagged(desk.people["recruiter"], text=WEB_PAGE)
    page = desk.goto(desk.window(), f"/admin/review/case/{case.pk}/work/")
    desk.at_work(page)
    sheet = page.locator("#original .sheet.flow")
    outer = sheet.locator(":scope > table > tbody > tr")
    expect(outer).to_have_count(2)
    inner = outer.first.locator(":scope > td").nth(1).locator("table td")
    expect(inner).to_have_text(["2019-03 to 2023-06", "Northwind Instruments, Engineer", "Built the billing service"])
    expect(inner.nth(2)).to_have_attribute("colspan", "2")
    sizes = [sheet.get_by_text(text).evaluate("node => getComputedStyle(node).fontSize") for text in ("Quillfeather", "billing")]
    assert float(sizes[0].removesuffix("px")) > 1.3 * float(sizes[1].removesuffix("px"))
    page.locator("#field-email").focus()
    expect(sheet.locator(".word.marked")).to_have_text("ada@example.org")
    page.locator("#field-phone").focus()
    sheet.get_by_text("Instruments,").click()
    expect(page.locator("#field-phone")).to_have_value("Instruments,")
    assert page.title() != "run"
    assert not sheet.locator("script, img, iframe, a").count()


def test_words_on_both_sides_of_a_tab_are_taken_with_a_space(desk):
    case = Case.objects.get(resume=received("Ada Quillfeather\nMobile\t202 555 0143\n", desk.people["recruiter"]))
    page = desk.goto(desk.window(), f"/admin/review/case/{case.pk}/work/")
    desk.at_work(page)
    page.locator("#field-label").focus()
    page.locator("#original .word", has_text="Mobile").hover()
    page.mouse.down()
    page.locator("#original .word", has_text="0143").hover()
    page.mouse.up()
    expect(page.locator("#field-label")).to_have_value("Mobile 202 555 0143")


def test_a_case_is_completed_and_the_next_one_opened_by_keyboard_alone(desk):
    owner = desk.people["recruiter"]
    first = poor(owner, 0)
    poor(owner, 1)
    page = desk.goto(desk.window(), f"/admin/review/case/{first.pk}/work/")
    expect(page.locator("#field-phone")).to_be_focused()
    expect(page.locator("#score")).to_have_text("3 / 6")
    page.keyboard.type("+1 202 555 0143")
    expect(page.locator("#score")).to_have_text("4 / 6")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    desk.at_work(page)
    assert str(first.pk) not in page.url
    resume = Resume.objects.get(pk=first.resume_id)
    assert (resume.state, resume.concluded_by) == (State.REVIEWED, desk.people["reviewer"])
    correction = Correction.objects.get()
    assert (correction.field, correction.after) == ("basics.phone", "+1 202 555 0143")
    assert correction.seconds > 0
    first.refresh_from_db()
    assert first.seconds >= correction.seconds


def test_a_case_is_run_again_by_the_engine_one_chooses(desk, sample, settings):
    settings.OCR_CHANNELS = ["rapidocr", "tesseract"]
    resume = sample("leo-fontaine.pdf")
    page = desk.next_case(desk.window())
    page.keyboard.press("Alt+r")
    page.get_by_label("from their pictures, by tesseract").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Read it again", exact=True).click()
    resume.refresh_from_db()
    assert (resume.state, resume.as_pictures, resume.channels) == (State.PENDING, True, ["rapidocr"])


def test_a_bullet_of_the_text_itself_is_not_drawn_twice(desk):
    flagged(desk.people["recruiter"])
    page = desk.next_case(desk.window())
    own = page.locator("#original .line", has_text="Built the billing service")
    assert own.evaluate("node => getComputedStyle(node, '::before').content") == "none"


def test_a_prefilled_case_that_is_right_takes_one_chord(desk):
    case = flagged(desk.people["recruiter"])
    page = desk.next_case(desk.window())
    expect(field(page, "phone").locator(".badge")).to_have_text("said to be wrong")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert Resume.objects.get(pk=case.resume_id).state == State.REVIEWED
    assert not Correction.objects.exists()


def test_a_claim_that_ran_out_goes_to_the_next_one_and_nothing_typed_is_lost(desk):
    desk.expected = CONFLICT
    case = poor(desk.people["recruiter"])
    slow = desk.next_case(desk.window("reviewer"))
    slow.locator("#field-phone").fill("+1 202 555 0143")
    Case.objects.update(claimed_until=timezone.now() - dt.timedelta(seconds=1))
    desk.next_case(desk.window("second"))
    slow.keyboard.press("Control+Enter")
    expect(slow.locator("#lost")).to_contain_text("Somebody else works on this case now.")
    expect(slow.locator("#field-phone")).to_have_value("+1 202 555 0143")
    expect(slow.locator("#save")).to_be_disabled()
    case.refresh_from_db()
    assert case.claimed_by == desk.people["second"]
    assert Resume.objects.get().state == State.REVIEW_NEEDED


def test_what_was_saved_from_another_page_is_not_overwritten(desk):
    desk.expected = CONFLICT
    case = poor(desk.people["recruiter"])
    older, newer = desk.next_case(desk.window()), desk.window()
    desk.at_work(desk.goto(newer, f"/admin/review/case/{case.pk}/work/"))
    newer.locator("#field-city").fill("Leeds")
    newer.keyboard.press("Control+s")
    expect(newer.locator("#saved")).to_contain_text("draft saved")
    older.locator("#field-city").fill("York")
    older.keyboard.press("Control+s")
    expect(older.locator("#lost")).to_contain_text("changed from another page")
    case.refresh_from_db()
    assert case.draft["basics"]["city"] == "Leeds"
    older.get_by_role("link", name="Load it again").click()
    expect(older.locator("#field-city")).to_have_value("Leeds")


def test_what_is_typed_is_kept_as_a_draft_by_itself(desk):
    case = poor(desk.people["recruiter"])
    page = desk.next_case(desk.window())
    page.locator("#field-city").fill("Leeds")
    expect(page.locator("#saved")).to_contain_text("draft saved")
    page.reload()
    expect(page.locator("#field-city")).to_have_value("Leeds")
    case.refresh_from_db()
    assert case.version == 1


def test_a_discarded_case_is_back_after_undo(desk):
    case = poor(desk.people["recruiter"])
    page = desk.next_case(desk.window())
    page.keyboard.press("Alt+d")
    page.get_by_label("a duplicate").check()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert Resume.objects.get().state == State.SKIPPED
    expect(page.locator(".undo")).to_contain_text("was discarded")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url("**/case/?state__exact=PENDING")
    resume = Resume.objects.get()
    assert (resume.state, resume.run) == (State.REVIEW_NEEDED, 2)
    assert Case.objects.get(run=2).resume_id == case.resume_id


def test_one_click_in_the_list_discards_and_one_more_takes_it_back(desk):
    received(POOR, desk.people["recruiter"])
    page = desk.goto(desk.window(), "/admin/review/case/?state__exact=PENDING")
    with page.expect_navigation():  # keys count once the page is loaded
        page.locator("button.quick").click()
    expect(page.locator(".undo")).to_be_visible()
    assert (Resume.objects.get().state, Resume.objects.get().failure_code) == (State.REJECTED, "not_a_resume")
    page.keyboard.press("Alt+z")
    expect(page.locator("button.quick")).to_be_visible()
    assert Resume.objects.get().state == State.REVIEW_NEEDED


def test_everything_a_filter_shows_is_discarded_in_the_background(desk):
    owner = desk.people["recruiter"]
    kept = poor(owner)
    lists = [received(POOR + extra, owner, f"{extra}.txt") for extra in ("milk", "eggs", "tea")]
    page = desk.goto(desk.window(), "/admin/review/case/?state__exact=PENDING&code=not_a_resume")
    page.locator("#action-toggle").check()
    page.locator("select[name=action]").select_option("discard_selected")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator(".ask")).to_contain_text("3 cases")
    page.get_by_label("another reason").check()
    page.get_by_role("button", name="Discard").click()
    expect(page.locator(".messagelist")).to_contain_text("3 cases are worked off")
    job = BulkJob.objects.get()
    assert (job.total, job.cases.count()) == (3, 3)
    bulk.work_off(job.pk)
    job.refresh_from_db()
    assert (job.done, job.left_alone) == (3, 0)
    assert set(Resume.objects.filter(pk__in=[resume.pk for resume in lists]).values_list("state", flat=True)) == {State.REJECTED}
    kept.refresh_from_db()
    assert kept.state == Case.State.PENDING


@pytest.mark.parametrize(
    ("way", "state"), [("A person puts it right", State.REVIEW_NEEDED), ("Read the file again", State.PENDING)]
)
def test_a_result_is_sent_back_by_the_button_on_a_completed_resume(desk, way, state):
    resume = received(ADA, desk.people["recruiter"])
    assert resume.state == State.COMPLETED
    page = desk.goto(desk.window("recruiter"), f"/admin/resumes/resume/{resume.pk}/change/")
    page.get_by_text("Information is wrong…").click()
    page.get_by_label("Phone").check()
    page.get_by_label(way).check()
    page.get_by_label("Note").fill("moved last year")
    page.get_by_role("button", name="Send it back").click()
    page.locator(".messagelist").wait_for()
    resume.refresh_from_db()
    assert (resume.state, resume.run) == (state, 2)
    if state == State.REVIEW_NEEDED:
        page = desk.next_case(desk.window())
        expect(field(page, "phone").locator(".badge")).to_have_text("said to be wrong")
        expect(page.locator(".reason q")).to_have_text("moved last year")


def test_entries_are_added_split_and_put_in_order(desk):
    case = poor(desk.people["recruiter"])
    page = desk.next_case(desk.window())
    work = page.locator(".entries").filter(has=page.locator(".cell.position"))
    work.locator(".entry").first.get_by_role("button", name="split in two").click()
    expect(work.locator(".entry")).to_have_count(2)
    second = work.locator(".entry").nth(1)
    expect(second.locator(".cell.name input")).to_have_value("Northwind Instruments")
    second.locator(".cell.position input").fill("Apprentice")
    second.locator(".cell.position input").press("Alt+ArrowUp")
    expect(work.locator(".entry").first.locator(".cell.position input")).to_have_value("Apprentice")
    page.locator(".heading", has_text="Education").get_by_role("button", name="+ add").click()
    page.keyboard.type("Lakeside University")
    page.get_by_label("Skills: add").fill("Python")
    page.get_by_label("Skills: add").press("Enter")
    expect(page.locator("#score")).to_have_text("5 / 6")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    found = Resume.objects.get(pk=case.resume_id).extractions.get().profile
    assert [entry["position"] for entry in found["work"]] == ["Apprentice", "Engineer"]
    assert found["work"][1]["startDate"] == "2019-03"
    assert found["education"][0]["institution"] == "Lakeside University"


def test_the_sender_is_asked_in_the_language_of_the_resume(desk):
    case = poor(desk.people["recruiter"])
    Resume.objects.update(language="zh")
    page = desk.next_case(desk.window())
    page.keyboard.press("Alt+a")
    text = page.locator("#ask-text")
    expect(text).to_have_value(holding("您好"))
    expect(text).to_have_value(holding("电话"))
    page.locator("#ask-subject").fill("Résumé")
    link = page.locator("#ask-mail").get_attribute("href")
    assert link.startswith("mailto:ada0@example.org?subject=R%C3%A9sum%C3%A9&body=")
    page.keyboard.press("Escape")
    case.refresh_from_db()
    assert case.state == Case.State.IN_PROGRESS


def test_a_case_is_taken_over_by_whoever_may_and_released_and_skipped(desk):
    desk.expected = CONFLICT
    owner = desk.people["recruiter"]
    case, other = poor(owner, 0), poor(owner, 1)
    first = desk.goto(desk.window("reviewer"), f"/admin/review/case/{case.pk}/work/")
    desk.at_work(first)
    watcher = desk.goto(desk.window("second"), f"/admin/review/case/{case.pk}/work/")
    expect(watcher.locator(".notice", has_text="works on")).to_contain_text("reviewer works on this case until")
    expect(watcher.get_by_role("button", name="Take over")).to_have_count(0)
    lead = desk.goto(desk.window("admin"), f"/admin/review/case/{case.pk}/work/")
    lead.get_by_role("button", name="Take over").click()
    expect(lead.locator("#save")).to_be_visible()
    first.keyboard.press("Control+s")
    expect(first.locator("#lost")).to_be_visible()
    with lead.expect_navigation():
        lead.keyboard.press("Alt+n")
    assert str(other.pk) in desk.at_work(lead).url
    with lead.expect_navigation():
        lead.keyboard.press("Escape")
    assert set(Case.objects.values_list("state", "claimed_by")) == {(Case.State.PENDING, None)}


def test_a_note_waits_for_whoever_opens_the_case_next(desk):
    case = poor(desk.people["recruiter"])
    page = desk.next_case(desk.window())
    page.get_by_role("button", name="history").click()
    page.locator("#note-text").fill("I have asked by phone.")
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_contain_text("Note saved")
    assert Note.objects.get(case=case).author == desk.people["reviewer"]
    page.reload()
    expect(page.locator(".notice.note")).to_contain_text("I have asked by phone.")


def test_a_spot_check_that_finds_nothing_leaves_the_resume_as_it_is(desk, settings):
    settings.GLEANER_SPOT_CHECK_PERCENT = 100
    resume = received(ADA, desk.people["recruiter"])
    page = desk.next_case(desk.window())
    expect(page.locator(".why")).to_contain_text("A sample of what was parsed automatically.")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    resume.refresh_from_db()
    assert (resume.state, resume.run) == (State.COMPLETED, 1)
    assert Case.objects.get().state == Case.State.DONE
