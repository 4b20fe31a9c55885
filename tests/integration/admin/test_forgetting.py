from __future__ import annotations

import pytest
from django.core import serializers

from ingest import batches, reconcile
from ingest.models import BatchEntry, Outcome, ReconciliationReport
from resumes import erasure
from resumes.models import Candidate, OutboxMessage, Resume, Transition
from review import decisions
from review.models import Case, Correction
from tests.integration.people import POOR, text_file, worked_off

pytestmark = pytest.mark.django_db


def test_nothing_of_a_person_is_left_anywhere_after_erasure(people):
    batch = batches.open_batch(people["recruiter"], "Autumn")
    entry = batches.add_file(batch, text_file(POOR), "Ada Quillfeather.txt")
    batches.seal(batch)
    resume = worked_off(entry.resume)
    case = Case.objects.get(resume=resume)
    form = {"basics": {"name": "Ada Quillfeather", "email": "quillfeather@example.org"}, "skills": ["Quillfeather"]}
    decisions.save_draft(case, form, people["reviewer"], version=0)
    decisions.complete(case, form, people["reviewer"], version=1, confirmed=True)
    Case.objects.update(note="Quillfeather wrote again", draft=form)
    Outcome.objects.all().delete()
    assert reconcile.reconcile(batch.pk).ok is False
    resume.refresh_from_db()
    erasure.erase(resume, actor="user:1", reason="asked for")
    models = (Resume, BatchEntry, Case, Correction, Candidate, ReconciliationReport, Transition, OutboxMessage, Outcome)
    for model in models:
        assert "uillfeather" not in serializers.serialize("json", model.objects.all()), model
    assert Correction.objects.count() > 0
    assert ReconciliationReport.objects.get().data["anomalies"]["missing"][0]["id"] == str(entry.pk)
