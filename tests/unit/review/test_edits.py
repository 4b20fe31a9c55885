from __future__ import annotations

import datetime as dt

import pytest
from pydantic import ValidationError

from resumes.profile import value_at
from review.edits import apply, as_date, says_present

DAY = dt.date(2024, 1, 15)
PROFILE = {
    "basics": {"name": "Ada Quillfeather", "email": "ada@example.org", "location": {"city": "Leeds", "countryCode": "GB"}},
    "work": [
        {"name": "Northwind", "position": "Engineer", "startDate": "2020-01", "endDate": "2020-12", "highlights": ["Built it"]},
        {"name": "Brightwater", "position": "Developer", "startDate": "2018-01", "endDate": "2019-12"},
    ],
    "skills": [{"name": "Python", "level": "good"}, {"name": "Docker"}],
    "projects": [{"name": "Lighthouse"}],
    "meta": {
        "version": "v1.0.0",
        "gleaner": {"yearsOfExperience": 3.0, "work": [{"current": False}, {"current": False}], "language": "en"},
    },
}
EVIDENCE = {
    "basics.name": {"source": "rules", "confidence": 0.9, "page": 1, "bbox": None},
    "basics.email": {"source": "rules", "confidence": 0.95, "page": 1, "bbox": None},
    "basics.location.city": {"source": "rules", "confidence": 0.7, "page": 1, "bbox": None},
    "work[0].name": {"source": "rules", "confidence": 0.8, "page": 1, "bbox": [0.1, 0.2, 0.3, 0.4]},
    "work[0].highlights[0]": {"source": "rules", "confidence": 0.8, "page": 1, "bbox": None},
    "work[1].name": {"source": "model", "confidence": 0.6, "page": 2, "bbox": None},
    "skills[0].name": {"source": "rules", "confidence": 0.9, "page": 1, "bbox": None},
    "skills[1].name": {"source": "rules", "confidence": 0.9, "page": 1, "bbox": None},
    "meta.gleaner.yearsOfExperience": {"source": "derived", "confidence": 0.9, "from": ["work[0].startDate"]},
}
JOBS = [
    {"origin": index, **{key: job.get(key, "") for key in ("name", "position", "startDate", "endDate")}}
    for index, job in enumerate(PROFILE["work"])
]


def edit(**form):
    return apply(form, PROFILE, EVIDENCE, as_of=DAY)


def test_a_form_that_changes_nothing_changes_nothing():
    basics = {"name": "Ada Quillfeather", "email": "ada@example.org", "phone": "", "city": "Leeds"}
    edited = edit(basics=basics, work=JOBS, skills=["Python", "Docker"])
    assert edited.changes == []
    assert edited.evidence == EVIDENCE
    assert edited.profile.to_json() == PROFILE


def test_a_changed_value_is_the_persons_and_what_it_was_is_on_record():
    edited = edit(
        basics={"name": "Ada M. Quillfeather"},
        sources={"basics.name": {"page": 1, "bbox": [0.1, 0.1, 0.2, 0.2], "quote": "Ada M."}},
    )
    (change,) = edited.changes
    assert (change.path, change.before, change.after) == ("basics.name", "Ada Quillfeather", "Ada M. Quillfeather")
    assert (change.source, change.confidence) == ("rules", 0.9)
    assert edited.evidence["basics.name"] == {
        "source": "person",
        "confidence": 1.0,
        "page": 1,
        "bbox": [0.1, 0.1, 0.2, 0.2],
        "quote": "Ada M.",
    }


def test_a_value_that_is_taken_away_takes_its_evidence_along():
    edited = edit(basics={"email": ""})
    assert [(change.path, change.before, change.after) for change in edited.changes] == [
        ("basics.email", "ada@example.org", None)
    ]
    assert "basics.email" not in edited.evidence


def test_a_city_changes_without_its_country():
    edited = edit(basics={"city": "York"})
    assert edited.profile.basics.location.city == "York"
    assert edited.profile.basics.location.countryCode == "GB"


def test_entries_that_change_places_keep_their_evidence_and_what_the_form_does_not_show():
    edited = edit(work=[JOBS[1], JOBS[0]])
    assert edited.changes == []
    document = edited.profile.to_json()
    assert [job["name"] for job in document["work"]] == ["Brightwater", "Northwind"]
    assert document["work"][1]["highlights"] == ["Built it"]
    assert edited.evidence["work[1].name"] == EVIDENCE["work[0].name"]
    assert edited.evidence["work[0].name"] == EVIDENCE["work[1].name"]
    assert edited.evidence["work[1].highlights[0]"] == EVIDENCE["work[0].highlights[0]"]


def test_an_entry_that_is_taken_out_is_a_change_of_each_of_its_fields():
    edited = edit(work=[JOBS[1]])
    assert {change.path for change in edited.changes} == {
        "work[0].name",
        "work[0].position",
        "work[0].startDate",
        "work[0].endDate",
        "work[0].highlights[0]",
    }
    assert edited.evidence["work[0].name"] == EVIDENCE["work[1].name"]


def test_years_are_computed_anew_when_a_job_changes():
    edited = edit(work=[{**JOBS[0], "endDate": "", "current": True}, JOBS[1]])
    assert edited.profile.meta.gleaner.work[0].current is True
    assert edited.profile.work[0].endDate is None
    assert edited.profile.meta.gleaner.yearsOfExperience == pytest.approx(73 / 12, abs=0.01)
    assert edited.evidence["meta.gleaner.yearsOfExperience"]["source"] == "derived"


def test_a_new_entry_is_the_persons_and_an_empty_one_is_none():
    edited = edit(
        work=[
            *JOBS,
            {"origin": None, "name": "Lakeside", "position": "", "startDate": "2017", "endDate": ""},
            {"origin": None, "name": " "},
        ]
    )
    assert len(edited.profile.work) == 3
    assert len(edited.profile.meta.gleaner.work) == 3
    assert edited.evidence["work[2].name"]["source"] == "person"
    assert ("work[2].name", None, "Lakeside") in [(change.path, change.before, change.after) for change in edited.changes]


def test_an_entry_of_no_such_origin_is_new():
    edited = edit(work=[{**JOBS[0], "origin": 7}])
    assert edited.evidence["work[0].name"]["source"] == "person"


def test_skills_keep_what_is_known_of_them():
    edited = edit(skills=["Docker", "Python", "Go", "Go", " "])
    document = edited.profile.to_json()
    assert document["skills"] == [{"name": "Docker"}, {"name": "Python", "level": "good"}, {"name": "Go"}]
    assert [change.path for change in edited.changes] == ["skills[2].name"]
    assert edited.evidence["skills[1].name"] == EVIDENCE["skills[0].name"]


def test_a_phone_is_normalised_by_the_language_of_the_page():
    chinese = {**PROFILE, "meta": {"gleaner": {**PROFILE["meta"]["gleaner"], "language": "zh"}}}
    edited = apply({"basics": {"phone": "138 0013 8000"}}, chinese, EVIDENCE, as_of=DAY)
    assert edited.profile.meta.gleaner.phoneE164 == "+8613800138000"
    assert edited.evidence["meta.gleaner.phoneE164"]["from"] == ["basics.phone"]


@pytest.mark.parametrize("text", ["some day", "03/04/2020", "2020-13", "12345", "🙂", "2020 at Northwind"])
def test_a_date_without_a_form_is_refused(text):
    assert as_date(text) is None
    with pytest.raises(ValidationError):
        edit(work=[{**JOBS[0], "startDate": text}])


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2019", "2019", "2019"),
        ("2019-03-05", "2019-03-05", "2019-03-05"),
        ("March 2019", "2019-03", "2019-03"),
        ("03/2019", "2019-03", "2019-03"),
        ("15.03.2019", "2019-03-15", "2019-03-15"),
        ("5.3.2019", "2019-03-05", "2019-03-05"),
        ("２０１９年３月", "2019-03", "2019-03"),
        ("二〇一九年三月", "2019-03", "2019-03"),
        ("март 2019 г.", "2019-03", "2019-03"),
        ("2019.03 - 2021.05", "2019-03", "2021-05"),
        ("March 2019 – present", "2019-03", None),
    ],
)
def test_dates_are_taken_as_people_write_them(text, start, end):
    assert (as_date(text), as_date(text, end=True)) == (start, end)
    if start and end:
        edited = edit(work=[{**JOBS[0], "startDate": text, "endDate": text}])
        assert (edited.profile.work[0].startDate, edited.profile.work[0].endDate) == (start, end)


@pytest.mark.parametrize("text", ["present", "Now", "至今", "по настоящее время", "2020 - 至今"])
def test_what_goes_on_is_told_from_a_date(text):
    assert says_present(text)
    assert as_date(text, end=True) is None


@pytest.mark.parametrize(
    ("before", "given", "end", "after"),
    [
        (True, {"endDate": "2023-06", "current": False}, "2023-06", False),
        (True, {"endDate": "2023-06"}, "2023-06", False),
        (True, {"endDate": "", "current": False}, None, False),
        (True, {"endDate": "", "current": None}, None, True),
        (None, {"endDate": "", "current": None}, None, None),
        (False, {"endDate": "", "current": True}, None, True),
        (None, {"endDate": "2023-06", "current": True}, None, True),
    ],
)
def test_a_job_ends_or_goes_on_as_the_person_says(before, given, end, after):
    job = {"name": "Northwind", "startDate": "2020-01"}
    profile = {"work": [job], "meta": {"gleaner": {"work": [{"current": before}]}}}
    edited = apply({"work": [{"origin": 0, **job, **given}]}, profile, {}, as_of=DAY)
    assert (edited.profile.work[0].endDate, edited.profile.meta.gleaner.work[0].current) == (end, after)


def test_lines_of_an_entry_keep_their_evidence_whatever_is_put_between_them():
    duties = ["Built it", "Ran it", "Sold it"]
    profile = {"work": [{"name": "Northwind", "highlights": duties}]}
    evidence = {f"work[0].highlights[{at}]": {"source": "rules", "confidence": 0.5 + at / 10} for at in range(3)}
    form = {"work": [{"origin": 0, "name": "Northwind", "highlights": " Sold it\n\nPlanned it\nBuilt it\n"}]}
    edited = apply(form, profile, evidence, as_of=DAY)
    assert edited.profile.work[0].highlights == ["Sold it", "Planned it", "Built it"]
    assert {(change.path, change.before, change.after) for change in edited.changes} == {
        ("work[0].highlights[1]", None, "Planned it"),
        ("work[0].highlights[1]", "Ran it", None),
    }
    assert [edited.evidence[f"work[0].highlights[{at}]"]["confidence"] for at in range(3)] == [0.7, 1.0, 0.5]


def test_every_list_of_entries_can_be_filled_in_and_locked():
    form = {
        "projects": [{"origin": 0, "name": "Lighthouse", "startDate": "May 2020"}],
        "certificates": [{"name": "First aid", "issuer": "Red Cross", "date": "2021"}],
        "awards": [{"title": "Engineer of the year"}],
        "publications": [{"name": "On lamps", "releaseDate": "03.2019"}],
        "basics.profiles": [{"network": "GitHub", "url": "https://github.example/ada"}],
    }
    edited = edit(**form)
    document = edited.profile.to_json()
    assert document["projects"] == [{"name": "Lighthouse", "startDate": "2020-05"}]
    assert document["publications"] == [{"name": "On lamps", "releaseDate": "2019-03"}]
    assert document["basics"]["profiles"] == [{"network": "GitHub", "url": "https://github.example/ada"}]
    assert {change.lock for change in edited.changes} == set(form)
    assert edited.evidence["basics.profiles[0].url"]["source"] == "person"
    assert edit(**{section: [] for section in form}).profile.projects == []


def test_what_is_covered_before_a_reviewer_stays_though_the_form_does_not_hold_it():
    profile = {
        "skills": [{"name": "Python"}, {"name": "Quillfeather method"}, {"name": "Go"}],
        "education": [{"institution": "Quillfeather School"}, {"institution": "Lakeside", "area": "Physics"}],
    }
    form = {"skills": ["Go", {"origin": 1}, {"origin": 9}, {}], "education": [{"origin": 0}, {"origin": 1, "institution": ""}]}
    document = apply(form, profile, {}, as_of=DAY).profile.to_json()
    assert [skill["name"] for skill in document["skills"]] == ["Go", "Quillfeather method"]
    assert document["education"] == [{"institution": "Quillfeather School"}, {"area": "Physics"}]


def test_what_the_form_does_not_name_stays():
    edited = edit(basics={})
    assert value_at(edited.profile.to_json(), "projects[0].name") == "Lighthouse"
    assert edited.evidence == EVIDENCE


def test_an_empty_document_can_be_filled_in():
    edited = apply({"basics": {"name": "Ada", "city": "Leeds"}, "skills": ["Python"]}, {}, {}, as_of=DAY)
    assert edited.profile.to_json()["basics"]["name"] == "Ada"
    assert edited.evidence["skills[0].name"]["source"] == "person"
