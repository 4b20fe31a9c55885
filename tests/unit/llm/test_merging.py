"""The surer value stands, the other is offered to the reviewer, and nothing is ever blanked."""

from __future__ import annotations

import copy

import pytest

from ingest.llm.grounding import Findings, Grounded
from ingest.llm.merging import merge
from resumes.profile import Evidence, Profile, leaf_paths

pytestmark = pytest.mark.unit


def evidence(confidence, source="rules"):
    return {"source": source, "confidence": confidence, "page": 1, "bbox": None, "quote": "…"}


def draft_of(profile, confidences=None, *, confidence=0.9, source="rules"):
    """A draft in which every leaf has evidence, of one confidence unless named."""
    profile = {"meta": {"version": "v1.0.0", "gleaner": {"language": "en"}}, **profile}
    paths = [path for path, _ in leaf_paths(profile) if not path.startswith("meta")]
    sure = {path: evidence((confidences or {}).get(path, confidence), source) for path in paths}
    return {"profile": profile, "evidence": sure, "alternatives": {}, "language": "en", "warnings": []}


def says(value, confidence=0.85, extra=""):
    return Grounded(value, Evidence(source="model", confidence=confidence, page=1, quote=str(value)), extra)


def findings(*, dropped=0, **parts):
    found = Findings(**parts)
    found.kept = len(found.basics) + sum(
        len(entry) for name in ("work", "education", "skills", "languages") for entry in parts.get(name, ())
    )
    found.dropped = dropped
    return found


def test_agreement_makes_a_value_surer():
    draft = draft_of({"basics": {"name": "Nora Whitfield"}}, confidence=0.7)
    merged = merge(draft, findings(basics={"name": says("NORA WHITFIELD")}))
    assert merged["profile"]["basics"]["name"] == "Nora Whitfield"
    assert merged["evidence"]["basics.name"]["source"] == "rules"
    assert 0.7 < merged["evidence"]["basics.name"]["confidence"] < 1


def test_the_surer_of_two_values_stands_and_the_other_is_offered():
    draft = draft_of({"basics": {"name": "Curriculum", "label": "Engineer"}}, {"basics.name": 0.4, "basics.label": 0.95})
    merged = merge(draft, findings(basics={"name": says("Nora Whitfield"), "label": says("Baker")}))
    assert merged["profile"]["basics"] == {"name": "Nora Whitfield", "label": "Engineer"}
    assert merged["evidence"]["basics.name"]["source"] == "model"
    assert [(other["value"], other["source"]) for other in merged["alternatives"]["basics.name"]] == [("Curriculum", "rules")]
    assert [(other["value"], other["source"]) for other in merged["alternatives"]["basics.label"]] == [("Baker", "model")]


def test_what_the_rules_did_not_find_is_filled_in_with_evidence():
    merged = merge(draft_of({}), findings(basics={"name": says("Nora Whitfield"), "location.city": says("Leeds")}))
    assert merged["profile"]["basics"] == {"name": "Nora Whitfield", "location": {"city": "Leeds"}}
    assert merged["evidence"]["basics.location.city"]["source"] == "model"
    Profile.model_validate(merged["profile"])


def test_a_phone_brings_its_dialled_form():
    merged = merge(draft_of({}), findings(basics={"phone": says("020 7946 0123", extra="+442079460123")}))
    assert merged["profile"]["meta"]["gleaner"]["phoneE164"] == "+442079460123"
    assert merged["evidence"]["meta.gleaner.phoneE164"]["from"] == ["basics.phone"]


def test_a_silent_model_blanks_nothing():
    draft = draft_of(
        {"basics": {"name": "Nora Whitfield"}, "work": [{"name": "Larkfield"}], "skills": [{"name": "SQL"}]}, confidence=0.1
    )
    merged = merge(draft, findings())
    assert {key: merged["profile"][key] for key in ("basics", "work", "skills")} == {
        key: draft["profile"][key] for key in ("basics", "work", "skills")
    }


def test_a_value_of_a_person_is_never_touched():
    draft = draft_of({"basics": {"name": "N. Whitfield"}}, confidence=0.2, source="person")
    merged = merge(draft, findings(basics={"name": says("Nora Whitfield")}))
    assert (merged["profile"], merged["evidence"], merged["alternatives"]) == (draft["profile"], draft["evidence"], {})


def test_the_draft_given_is_left_alone():
    draft = draft_of({"basics": {"name": "Curriculum"}}, confidence=0.3)
    before = copy.deepcopy(draft)
    merge(draft, findings(basics={"name": says("Nora Whitfield")}))
    assert draft == before


def test_entries_are_joined_by_what_they_say_whatever_their_order():
    draft = draft_of(
        {"work": [{"name": "Larkfield Analytics", "startDate": "2019-03"}, {"name": "Pinegrove", "position": "Clerk"}]}
    )
    jobs = [
        {
            "name": says("Pinegrove"),
            "position": says("Clerk"),
            "startDate": says("2015"),
            "endDate": says("2019-02"),
            "current": says(value=False),
        },
        {"name": says("Larkfield Analytics Ltd"), "startDate": says("2019-03"), "current": says(value=True)},
        {"name": says("Mossbank"), "position": says("Trainee"), "startDate": says("2013")},
    ]
    merged = merge(draft, findings(work=jobs))
    assert merged["profile"]["work"] == [
        {"name": "Larkfield Analytics", "startDate": "2019-03"},
        {"name": "Pinegrove", "position": "Clerk", "startDate": "2015", "endDate": "2019-02"},
        {"name": "Mossbank", "position": "Trainee", "startDate": "2013"},
    ]
    assert merged["profile"]["meta"]["gleaner"]["work"] == [{"current": True}, {"current": False}, {"current": None}]
    Profile.model_validate(merged["profile"])


def test_an_entry_of_a_lone_word_is_not_added():
    merged = merge(
        draft_of({}), findings(work=[{"name": says("Python")}], education=[{"startDate": says("2012"), "endDate": says("2015")}])
    )
    assert "work" not in merged["profile"]
    assert "education" not in merged["profile"]


def test_a_job_that_goes_on_gets_no_end():
    draft = draft_of({"work": [{"name": "Larkfield", "startDate": "2019"}]})
    draft["profile"]["meta"]["gleaner"]["work"] = [{"current": True}]
    draft["evidence"]["meta.gleaner.work[0].current"] = evidence(0.95)
    merged = merge(draft, findings(work=[{"name": says("Larkfield"), "startDate": says("2019"), "endDate": says("2020")}]))
    assert "endDate" not in merged["profile"]["work"][0]
    assert merged["alternatives"]["work[0].endDate"][0]["value"] == "2020"


def test_descriptions_come_from_the_model_only_where_the_rules_have_none():
    draft = draft_of(
        {"work": [{"name": "Larkfield", "highlights": ["Built the loading"]}, {"name": "Pinegrove", "position": "Clerk"}]}
    )
    jobs = [
        {"name": says("Larkfield"), "highlights[0]": says("Built"), "highlights[1]": says("Loading")},
        {"name": says("Pinegrove"), "highlights[0]": says("Filed"), "highlights[1]": says("Copied")},
    ]
    merged = merge(draft, findings(work=jobs))
    assert [job["highlights"] for job in merged["profile"]["work"]] == [["Built the loading"], ["Filed", "Copied"]]
    assert not any("highlights" in path for path in merged["alternatives"])


def test_skills_are_joined_and_none_comes_twice():
    draft = draft_of({"skills": [{"name": "PostgreSQL"}]}, confidence=0.7)
    merged = merge(draft, findings(skills=[{"name": says("postgresql")}, {"name": says("Airflow")}, {"name": says("airflow")}]))
    assert merged["profile"]["skills"] == [{"name": "PostgreSQL"}, {"name": "Airflow"}]
    assert merged["evidence"]["skills[0].name"]["confidence"] > 0.7


def test_a_model_that_contradicts_what_is_sure_changes_nothing():
    profile = {
        "basics": {"name": "Nora Whitfield", "email": "nora@example.com", "phone": "020 7946 0123"},
        "work": [{"name": "Larkfield", "position": "Engineer", "startDate": "2019"}],
    }
    draft = draft_of(profile, {"work[0].position": 0.5}, confidence=0.9)
    wrong = findings(
        basics={
            "name": says("Python"),
            "email": says("hr@example.org"),
            "phone": says("020 7946 0999"),
            "location.city": says("Airflow"),
        },
        work=[
            {"name": says("Larkfield"), "position": says("Leeds"), "startDate": says("2012")},
            {"name": says("Physics"), "position": says("BSc")},
        ],
        skills=[{"name": says("English")}],
    )
    merged = merge(draft, wrong)
    assert {key: value for key, value in merged["profile"].items() if key != "meta"} == profile


def test_an_answer_half_invented_adds_nothing():
    half = findings(basics={"location.city": says("Leeds")}, skills=[{"name": says("SQL")}], dropped=2)
    merged = merge(draft_of({}), half)
    assert "skills" not in merged["profile"]
    assert merged["alternatives"]["basics.location.city"][0]["value"] == "Leeds"


def at(line, value):
    return Grounded(value, Evidence(source="model", confidence=0.85, page=1, quote=value), line=line)


def test_a_new_skill_stands_where_the_list_of_skills_is():
    draft = draft_of({"skills": [{"name": "PostgreSQL"}]})
    said = [{"name": at(30, "PostgreSQL")}, {"name": at(31, "Airflow")}, {"name": at(5, "Leeds")}]
    merged = merge(draft, findings(skills=said))
    assert merged["profile"]["skills"] == [{"name": "PostgreSQL"}, {"name": "Airflow"}]


def test_a_job_the_model_got_half_wrong_is_not_added_as_another_one():
    draft = draft_of({"work": [{"name": "Larkfield", "position": "Engineer", "startDate": "2019-03"}]})
    jobs = [{"name": says("Physics"), "position": says("Engineer"), "startDate": says("2019-04")}]
    merged = merge(draft, findings(work=jobs))
    assert merged["profile"]["work"] == [{"name": "Larkfield", "position": "Engineer", "startDate": "2019-03"}]
    assert merged["alternatives"]["work[0].name"][0]["value"] == "Physics"


def spoken(line, value, quote=None):
    return Grounded(value, Evidence(source="model", confidence=0.85, page=1, quote=quote or value), line=line)


@pytest.mark.parametrize(
    ("new", "taken"),
    [
        (spoken(30, "Airflow"), True),  # in the line of one the rules saw
        (spoken(31, "Airflow"), True),  # the list goes on
        (spoken(31, "办公软件"), True),
        (spoken(31, "Led the move of eleven teams to it"), False),
        (spoken(31, "负责公司六个部门的成本核算与月度报表"), False),
        (spoken(33, "Languages"), False),
        (spoken(31, "City: Leeds"), False),
        (spoken(31, "2019 – 2021"), False),
        (spoken(30, "German"), False),  # a language
        (spoken(30, "Larkfield"), False),  # an employer
        (spoken(45, "Airflow"), False),
    ],
)
def test_a_skill_only_the_model_saw_is_taken_where_it_can_be_nothing_else(new, taken):
    draft = draft_of(
        {
            "work": [{"name": "Larkfield Analytics", "position": "Clerk"}],
            "skills": [{"name": "PostgreSQL"}, {"name": "Spark"}],
            "languages": [{"language": "German"}],
        }
    )
    draft["evidence"] |= {
        path: {**one, "quote": "Larkfield Analytics"} for path, one in draft["evidence"].items() if path == "work[0].name"
    }
    draft["evidence"]["languages[0].language"]["quote"] = "German"
    said = [{"name": at(30, "PostgreSQL")}, {"name": at(32, "Spark")}, {"name": new}]
    skills = merge(draft, findings(skills=said))["profile"]["skills"]
    assert ({"name": new.value} in skills) == taken
