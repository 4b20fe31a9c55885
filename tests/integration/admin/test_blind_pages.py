"""Blind review covers the pages of resumes too: whoever may decide learns no name there before the decision."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from ingest import batches
from resumes import reruns
from review import decisions
from review.models import Case, Note
from tests.integration.people import sent, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db

NAME = "Quillfeather"
LIST = "/admin/resumes/resume/"


@pytest.fixture(autouse=True)
def blind(settings):
    settings.GLEANER_BLIND_REVIEW = True


@pytest.fixture
def case(people) -> Case:
    resume = worked_off(sent(people["recruiter"], ADA, f"{NAME}.txt"))
    reruns.flag(resume, people["recruiter"], ["basics.phone"], "", node="test")
    return Case.objects.get(resume=resume)


def pages(case: Case) -> dict[str, str]:
    page = reverse("admin:resumes_resume_change", args=[case.resume_id])
    return {"list": LIST, "page": page}


@pytest.mark.parametrize("role", ["reviewer", "admin"])
def test_no_page_of_a_resume_tells_the_name_until_the_decision(case, signed_in, people, role):
    client = signed_in(role)
    shown = {name: client.get(path).content.decode() for name, path in pages(case).items()}
    assert {name: str(case.resume_id)[:8] in page for name, page in shown.items()} == {"list": True, "page": True}
    assert not [name for name, page in shown.items() if NAME in page or "Northwind" in page]
    assert str(case.resume_id)[:8] not in client.get(LIST, {"q": NAME}).content.decode()
    assert client.get(reverse("admin:resumes_resume_original", args=[case.resume_id])).status_code == 403
    decisions.complete(case, {}, people["reviewer"], version=case.version)
    shown = {name: client.get(path).content.decode() for name, path in pages(case).items()}
    assert [name for name, page in shown.items() if NAME in page] == ["list", "page"]
    answer = client.get(reverse("admin:resumes_resume_original", args=[case.resume_id]))
    assert NAME.encode() in b"".join(answer.streaming_content)


def test_what_people_wrote_and_decided_before_is_covered_on_the_workbench_too(case, signed_in, people):
    """A resume that came back: its notes, the reasons of its moves, its closed case and its corrections name the person."""
    form = {"basics": {"name": f"Edith {NAME}", "summary": f"{NAME} writes"}}
    decisions.complete(case, form, people["reviewer"], version=case.version)
    again = decisions.take_up_again(Case.objects.get(), people["admin"], f"{NAME} has called")
    Note.objects.create(case=again, author=people["admin"], text=f"ask Edith, {NAME} knows")
    client = signed_in("reviewer")
    paths = [reverse("admin:review_work", args=[one.pk]) for one in (case, again)]
    paths += ["/admin/review/case/?state__exact=DONE", "/admin/review/correction/", "/admin/review/case/statistics/"]
    assert [path for path in paths if NAME in client.get(path).content.decode()] == []
    decisions.complete(again, {}, people["reviewer"], version=again.version)
    assert [path for path in paths if NAME not in client.get(path).content.decode()] == paths[4:]


def test_whoever_sent_it_sees_it_and_so_does_everybody_without_blind_review(case, signed_in, settings):
    assert NAME in signed_in("recruiter").get(LIST).content.decode()
    assert NAME not in signed_in("reviewer").get(LIST).content.decode()
    settings.GLEANER_BLIND_REVIEW = False
    assert NAME in signed_in("reviewer").get(LIST).content.decode()


def test_a_resume_on_its_way_and_a_spot_check_are_covered_and_what_was_parsed_is_not(people, signed_in, settings):
    waiting = sent(people["recruiter"], ADA, "Waiting Person.txt")
    parsed = worked_off(sent(people["recruiter"], ADA.replace("ada.", "eda."), "Parsed Person.txt"))
    settings.GLEANER_SPOT_CHECK_PERCENT = 100
    checked = worked_off(sent(people["recruiter"], ADA.replace("ada.", "ida."), "Checked Person.txt"))
    page = signed_in("reviewer").get(LIST).content.decode()
    assert {name: f"{name} Person" in page for name in ("Waiting", "Parsed", "Checked")} == {
        "Waiting": False,
        "Parsed": True,
        "Checked": False,
    }
    assert all(str(resume.pk) in page for resume in (waiting, parsed, checked))


def test_content_is_not_handed_out_over_rest_either(case, people):
    client = APIClient()
    client.force_authenticate(people["reviewer"])
    paths = [f"/api/v1/resumes/{case.resume_id}/{part}/" for part in ("file", "text", "json-resume")]
    assert [client.get(path).status_code for path in paths] == [403, 403, 403]
    client.force_authenticate(people["recruiter"])
    assert NAME in client.get(paths[1]).content.decode()


def test_the_list_asks_no_more_of_the_database_for_more_resumes(case, people, signed_in):
    client = signed_in("reviewer")
    asked = []
    for number in range(2):
        client.get(LIST)  # what a process keeps in hand is in hand
        with CaptureQueriesContext(connection) as queries:
            client.get(LIST)
        asked.append(len(queries))
        for other in range(5):
            sent(people["recruiter"], ADA.replace("ada.", f"ada{number}{other}."))
    assert asked[0] == asked[1]


def test_a_batch_names_its_failures_by_number(people, signed_in, settings):
    batch = batches.open_batch(people["recruiter"], "Fair")
    batches.add_refused(batch, f"{NAME}.pdf", "encrypted", node="test")
    page = f"/admin/ingest/batch/{batch.pk}/change/"
    assert NAME not in signed_in("reviewer").get(page).content.decode()
    settings.GLEANER_BLIND_REVIEW = False
    assert NAME in signed_in("reviewer").get(page).content.decode()
