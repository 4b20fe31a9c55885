"""What a person has set stays set, whatever a later run reads."""

from __future__ import annotations

import pytest

from resumes import reruns
from resumes.models import Extraction, Resume
from resumes.states import State
from review import decisions
from review.models import Case
from tests.integration.people import sent, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


@pytest.fixture
def mended(people) -> Resume:
    """A resume in which a person has put the phone right and taken away an employer."""
    resume = worked_off(sent(people["recruiter"], ADA))
    reruns.flag(resume, people["recruiter"], ["basics.phone"], "", node="test")
    case = Case.objects.get(resume=resume)
    form = {
        "basics": {"phone": "+44 20 7946 0018"},
        "work": [{"origin": 0, "name": "Northwind Instruments", "position": "Principal Engineer"}],
    }
    decisions.complete(case, form, people["reviewer"], version=case.version)
    return Resume.objects.get(pk=resume.pk)


def test_a_later_run_keeps_what_a_person_has_set_and_its_provenance(mended, people):
    before = Extraction.objects.get(resume=mended, run=mended.run)
    assert before.locked == ["basics.phone", "work"]
    reruns.retry(mended, people["recruiter"], "better rules", node="test")
    resume = worked_off(mended)
    after = Extraction.objects.get(resume=resume, run=resume.run)
    assert (resume.state, resume.run) == (State.COMPLETED, 3)
    assert after.locked == before.locked
    assert after.profile["basics"]["phone"] == "+44 20 7946 0018"
    assert after.profile["meta"]["gleaner"]["phoneE164"] == "+442079460018"
    assert [entry["position"] for entry in after.profile["work"]] == ["Principal Engineer"]
    assert after.evidence["basics.phone"]["source"] == "person"
    assert after.evidence["work[0].position"]["source"] == "person"
    assert not [path for path in after.evidence if path.startswith("work[1]")]
    assert after.evidence["basics.email"]["source"] == "rules"
    assert after.profile["basics"]["email"] == before.profile["basics"]["email"]


def test_what_a_person_has_emptied_stays_empty(people):
    resume = worked_off(sent(people["recruiter"], ADA))
    reruns.flag(resume, people["recruiter"], ["basics.label"], "", node="test")
    case = Case.objects.get(resume=resume)
    decisions.complete(case, {"basics": {"label": ""}}, people["reviewer"], version=case.version)
    resume = Resume.objects.get(pk=resume.pk)
    reruns.retry(resume, people["recruiter"], "better rules", node="test")
    resume = worked_off(resume)
    found = Extraction.objects.get(resume=resume, run=resume.run)
    assert not found.profile["basics"].get("label")
    assert "basics.label" not in found.evidence
