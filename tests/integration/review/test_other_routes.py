"""A result that is wrong is read again by another route: from the pictures of its pages, by the engine one names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from ingest.ocr import engine
from resumes import intake, reruns
from resumes.models import Extraction, Resume
from resumes.states import State
from review import decisions
from review.models import Case
from tests.integration.people import sent, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


def sample(name: str, owner) -> Resume:
    with (SAMPLES / name).open("rb") as file:
        return worked_off(intake.receive(file, name, intake.Sender(owner=owner, node="test")))


@pytest.fixture
def patient(settings, monkeypatch):
    settings.GLEANER_WORK_BUDGET_S = 600  # what is read is looked at here, not how fast
    able = engine("rapidocr").ability()
    if not able.available:
        pytest.skip("RapidOCR is not installed")
    monkeypatch.setattr(engine("rapidocr"), "ability", lambda: replace(able, deadline_s=300.0))


def test_pages_are_read_from_their_pictures_and_what_people_have_set_stays(people, patient):
    resume = sample("harriet-lindqvist.pdf", people["recruiter"])
    assert (resume.state, resume.level) == (State.COMPLETED, "text")
    reruns.flag(resume, people["recruiter"], ["basics.phone"], "", node="test")
    case = Case.objects.get(resume=resume)
    decisions.complete(case, {"basics": {"phone": "+44 20 7946 0018"}}, people["reviewer"], version=case.version)
    resume.refresh_from_db()
    reruns.flag(resume, people["recruiter"], ["work"], "", node="test", channel="rapidocr")
    resume = worked_off(resume)
    assert (resume.state, resume.level, resume.run) == (State.COMPLETED, "ocr", 3)
    assert resume.stage_attempts.filter(run=3, stage="ocr").values_list("channel", flat=True)[0] == "rapidocr"
    found = Extraction.objects.get(resume=resume, run=3)
    assert {word[4] for page in found.reading["pages"] for line in page["l"] for word in line["w"]} == {"ocr"}
    assert found.profile["basics"]["phone"] == "+44 20 7946 0018"
    assert found.evidence["basics.phone"]["source"] == "person"
    assert found.profile["basics"]["name"] == "Harriet Lindqvist"


def test_the_run_after_goes_the_usual_way_again(people):
    resume = sample("harriet-lindqvist.pdf", people["recruiter"])
    reruns.flag(resume, people["recruiter"], [], "", node="test", channel="rapidocr")
    assert (resume.state, resume.as_pictures, resume.channels) == (State.PENDING, True, ["tesseract"])
    Resume.objects.filter(pk=resume.pk).update(state=State.COMPLETED, warnings=["hidden_text"])
    resume.refresh_from_db()
    reruns.flag(resume, people["recruiter"], [], "", node="test", again=True)
    assert (resume.as_pictures, resume.channels, resume.warnings) == (False, [], [])


def test_the_page_of_a_result_offers_the_engines_where_its_pages_can_be_drawn(people, signed_in, settings):
    settings.OCR_CHANNELS = ["rapidocr", "tesseract"]
    drawn, flowing = sample("harriet-lindqvist.pdf", people["recruiter"]), worked_off(sent(people["recruiter"], ADA))
    client = signed_in("recruiter")
    pages = {
        one.pk: client.get(reverse("admin:resumes_resume_change", args=[one.pk])).content.decode() for one in (drawn, flowing)
    }
    assert 'value="again:tesseract"' in pages[drawn.pk]
    assert "again:" not in pages[flowing.pk]
    client.post(reverse("admin:resumes_resume_wrong", args=[drawn.pk]), {"way": "again:abacus"})
    drawn.refresh_from_db()
    assert drawn.state == State.COMPLETED
    client.post(reverse("admin:resumes_resume_wrong", args=[drawn.pk]), {"way": "again:tesseract"})
    drawn.refresh_from_db()
    assert (drawn.state, drawn.as_pictures, drawn.channels) == (State.PENDING, True, ["rapidocr"])


def test_a_reviewer_runs_a_case_again_by_another_engine(people, signed_in, settings):
    settings.OCR_CHANNELS = ["rapidocr", "tesseract"]
    resume = sample("harriet-lindqvist.pdf", people["recruiter"])
    reruns.flag(resume, people["recruiter"], ["work"], "", node="test")
    case = Case.objects.get(resume=resume)
    client = signed_in("reviewer")
    where = reverse("admin:review_rerun", args=[case.pk])
    refused = client.post(where, {"version": case.version, "channel": "abacus"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_channel")
    assert (
        client.post(where, {"version": case.version, "channel": "tesseract"}, content_type="application/json").status_code == 200
    )
    resume.refresh_from_db()
    assert (resume.state, resume.as_pictures, resume.channels) == (State.PENDING, True, ["rapidocr"])


def test_a_flag_over_rest_names_the_engine(people, settings):
    settings.OCR_CHANNELS = ["rapidocr", "tesseract"]
    resume = sample("harriet-lindqvist.pdf", people["recruiter"])
    where = f"/api/v1/resumes/{resume.pk}/flag-inaccurate/"
    client = APIClient()
    client.force_authenticate(people["recruiter"])
    assert client.post(where, {"fields": ["work"], "channel": "abacus"}, format="json").json()["code"] == "unknown_channel"
    assert client.post(where, {"fields": ["work"], "channel": "tesseract"}, format="json").status_code == 202
    resume.refresh_from_db()
    assert (resume.state, resume.as_pictures) == (State.PENDING, True)
