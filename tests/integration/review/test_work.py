"""Decisions beyond the plain ones: spot checks, quick ends, taking over, notes; and what the pages cost."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from resumes import reruns
from resumes.models import Resume
from resumes.states import State
from review import asking, cases, decisions, page_texts, statistics, words
from review.models import SPOT_CHECK, Case, Correction, Note
from tests.integration.people import POOR, sent, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(people) -> Case:
    return Case.objects.get(resume=worked_off(sent(people["recruiter"], POOR)))


@pytest.fixture
def check(people, settings) -> Case:
    settings.GLEANER_SPOT_CHECK_PERCENT = 100
    return Case.objects.get(resume=worked_off(sent(people["recruiter"], ADA)))


def test_no_completed_resume_is_looked_over_unless_asked_for(people):
    assert worked_off(sent(people["recruiter"], ADA)).state == State.COMPLETED
    assert not Case.objects.exists()


def test_a_spot_check_that_finds_something_is_corrected_in_a_run_of_its_own(check, people):
    assert check.code == SPOT_CHECK
    decisions.complete(check, {"basics": {"label": "Principal Engineer"}}, people["reviewer"], version=check.version)
    resume = Resume.objects.get()
    assert (resume.state, resume.run) == (State.REVIEWED, 2)
    assert set(Case.objects.values_list("state", flat=True)) == {Case.State.DONE}
    assert Correction.objects.get().case == check
    found = statistics.figures()
    assert (found.checked, found.faulty) == (1, 1)
    assert [(bar.name, bar.figure) for bar in found.fields.bars] == [("Headline", "1")]


def test_a_spot_check_can_end_in_a_discard(check, people):
    discarded = decisions.discard(check, decisions.Reason.NOT_A_RESUME, "", people["reviewer"], version=check.version)
    assert Resume.objects.get().state == State.REJECTED
    assert not Case.objects.filter(state__in=cases.OPEN).exists()
    decisions.take_up_again(discarded, people["reviewer"], "")
    assert Resume.objects.get().state == State.REVIEW_NEEDED


def test_a_resume_that_is_sent_back_meanwhile_takes_its_spot_check_along(check, people):
    reruns.flag(Resume.objects.get(), people["recruiter"], ["basics.phone"], "", node="test")
    check.refresh_from_db()
    assert check.state == Case.State.DONE
    assert Case.objects.get(run=2).code == "flagged"


@pytest.mark.parametrize(("reason", "state"), [("unreadable", State.REJECTED), ("left_out", State.SKIPPED)])
def test_an_unusable_file_is_confirmed_and_a_skip_approved(case, people, reason, state):
    decisions.discard(case, decisions.Reason(reason), "withdrawn", people["reviewer"], version=case.version)
    resume = Resume.objects.get()
    assert (resume.state, resume.concluded_by, resume.conclusion) == (state, people["reviewer"], f"{reason}: withdrawn")


def test_taking_over_needs_the_permission_and_makes_the_others_page_old(case, people):
    held = cases.claim(case, people["reviewer"])
    version = held.version
    with pytest.raises(PermissionDenied):
        cases.take_over(Case.objects.get(), people["recruiter"])
    cases.take_over(Case.objects.get(), people["admin"])
    with pytest.raises(decisions.Stale):
        decisions.save_draft(held, {}, people["reviewer"], version=version)


def test_a_reason_for_taking_up_again_is_left_as_a_note_and_notes_go_along(case, people):
    Note.objects.create(case=case, author=people["admin"], text="ask by phone")
    decisions.discard(case, decisions.Reason.OTHER, "", people["reviewer"], version=case.version)
    opened = decisions.take_up_again(Case.objects.get(), people["admin"], "they have written")
    assert [note.text for note in opened.notes.all()] == ["ask by phone", "they have written"]


@pytest.mark.parametrize(("language", "greeting"), [("en", "Good day,"), ("zh", "您好！"), ("ru", "Здравствуйте!")])
def test_the_letter_to_the_sender_is_in_the_language_of_the_resume(case, language, greeting):
    case.resume.language = language
    for code, missing in (("no_text_layer", []), ("low_completeness", ["phone"])):
        case.code, case.missing = code, missing
        letter = asking.letter(case, to="ada@example.org")
        assert letter.body.startswith(greeting)
        assert ("300 dpi" in letter.body) == (code == "no_text_layer")
        assert letter.link.startswith("mailto:ada@example.org?subject=")
        assert "\n" not in letter.link


def test_a_file_nobody_can_read_is_discarded_as_that_by_one_click(case, signed_in):
    Case.objects.update(code="no_text_layer")
    case.refresh_from_db()
    assert words.likely_reason(case) is decisions.Reason.UNREADABLE
    client = signed_in("reviewer")
    here = "http://testserver/admin/review/case/?state__exact=PENDING&code=no_text_layer"
    answer = client.post(f"/admin/review/case/{case.pk}/discard/unreadable/", headers={"referer": here})
    assert answer["Location"] == "/admin/review/case/?state__exact=PENDING&code=no_text_layer"
    assert client.get(answer["Location"]).context["undo"] == case
    assert client.get(answer["Location"]).context.get("undo") is None
    assert client.post(f"/admin/review/case/{case.pk}/discard/nonsense/").status_code == 404


def test_what_a_page_says_about_time_is_kept_only_where_it_is_believable(case, signed_in):
    body = {
        "version": case.version,
        "form": {"basics": {"name": "Ada Quillfeather", "phone": "+1 202 555 0143"}},
        "confirmed": True,
        "seconds": 1e9,
        "spent": {"basics.name": 3.5, "basics.phone": "long", "x": -1},
    }
    answer = signed_in("reviewer").post(f"/admin/review/case/{case.pk}/save/", json.dumps(body), content_type="application/json")
    assert answer.status_code == 200
    case.refresh_from_db()
    assert case.seconds == 0
    assert dict(Correction.objects.values_list("field", "seconds")) == {"basics.name": 3.5, "basics.phone": None}


@pytest.mark.parametrize(
    "page",
    [
        "/admin/review/case/?state__exact=PENDING",
        "/admin/review/case/?state__exact=DONE",
        "/admin/review/case/statistics/",
        "work",
    ],
)
def test_pages_cost_as_many_queries_for_many_cases_as_for_few(case, people, signed_in, page):
    client = signed_in("reviewer")
    path = f"/admin/review/case/{case.pk}/work/" if page == "work" else page

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert client.get(path).status_code == 200
        return len(asked)

    queries()
    few = queries()
    for number in range(6):
        again = Case.objects.get(resume=worked_off(sent(people["recruiter"], f"{POOR}{number}")))
        if number % 2:
            decisions.complete(again, {"basics": {"name": f"Ada {number}"}}, people["reviewer"], version=0, confirmed=True)
    assert queries() <= few


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("basics.phone", "Phone"),
        ("basics.location.city", "City"),
        ("work[3].name", "Work: Employer"),
        ("work[0].highlights[2]", "Work: Duties and results, one a line"),
        ("meta.gleaner.work[0].current", "Work: until today"),
        ("basics.profiles[1].url", "Profiles on the web: Web address"),
        ("skills[7].name", "Skills"),
        ("volunteer[0].role", "volunteer: role"),
    ],
)
def test_fields_are_called_as_on_the_page(path, name):
    assert page_texts.field_name(path) == name


def test_the_share_that_came_for_a_reason_counts_each_resume_once_and_no_spot_check(case, people, settings):
    decisions.discard(case, decisions.Reason.OTHER, "", people["reviewer"], version=case.version)
    opened = decisions.take_up_again(Case.objects.get(), people["admin"], "")
    decisions.complete(opened, {"basics": {"name": "Ada"}}, people["admin"], version=opened.version, confirmed=True)
    settings.GLEANER_SPOT_CHECK_PERCENT = 100
    worked_off(sent(people["recruiter"], ADA))
    assert Case.objects.count() == 3
    codes = statistics.figures().by_kind[-1]
    assert [(bar.share, bar.detail) for bar in codes.bars] == [(0.5, "1 / 2")] * len(codes.bars)
    assert dict(statistics.resumes_by_code())[case.code] == 1
    assert SPOT_CHECK not in dict(statistics.resumes_by_code())
