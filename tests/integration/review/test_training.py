"""Corrections as labelled data."""

from __future__ import annotations

import io
import json
import stat

import pytest
from django.core.management import CommandError, call_command

from resumes import erasure, reruns
from resumes.models import Resume
from review import decisions, training
from review.decisions import Spent
from review.models import Case
from tests.integration.people import sent, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(people) -> Resume:
    resume = worked_off(sent(people["recruiter"], ADA))
    reruns.flag(resume, people["recruiter"], ["basics.label"], "", node="test")
    case = Case.objects.get(resume=resume)
    form = {
        "basics": {"label": "Junior Developer", "url": "https://quillfeather.example"},
        "sources": {"basics.label": {"page": 1, "bbox": None, "quote": "Junior Developer"}},
    }
    spent = Spent(30.0, {"basics.label": 4.5})
    decisions.complete(case, form, people["reviewer"], version=case.version, spent=spent)
    return resume


def test_each_case_comes_with_its_lines_and_where_the_right_values_stand(corrected, people):
    (example,) = training.examples()
    by_field = {correction["field"]: correction for correction in example["corrections"]}
    label, url = by_field["basics.label"], by_field["basics.url"]
    assert (label["before"], label["after"], label["source"]) == ("Software Engineer", "Junior Developer", "rules")
    assert (label["seconds"], label["reviewer"]) == (4.5, people["reviewer"].pk)
    (span,) = label["spans"]
    assert example["lines"][span["line"]]["text"][span["start"] : span["end"]] == "Junior Developer"
    assert url["spans"] == []
    assert (example["language"], example["layout"], example["code"]) == ("en", "plain", "flagged")


def test_the_command_writes_one_document_a_line_for_its_owner_alone(corrected, tmp_path):
    printed = io.StringIO()
    call_command("export_corrections", "--field", "basics.label", stdout=printed)
    (line,) = printed.getvalue().splitlines()
    assert [correction["field"] for correction in json.loads(line)["corrections"]] == ["basics.label"]
    file = tmp_path / "corrections.jsonl"
    call_command("export_corrections", "--output", str(file), stdout=printed)
    assert len(file.read_text().splitlines()) == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(CommandError):
        call_command("export_corrections", "--output", str(file), stdout=printed)
    later = io.StringIO()
    call_command("export_corrections", "--since", "2999-01-01", stdout=later)
    assert later.getvalue() == ""


def test_what_was_erased_is_not_exported(corrected):
    erasure.erase(Resume.objects.get(pk=corrected.pk), actor="user:1", reason="asked for")
    assert list(training.examples()) == []
