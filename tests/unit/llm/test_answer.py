"""An answer is read out of whatever a model writes around it, or refused with words the model understands."""

from __future__ import annotations

import json

import pytest

from ingest.llm.answer import Answer, UnusableAnswerError, combined, read_answer, strict_schema
from tests.unit.llm.scripted import good_answer, v

pytestmark = pytest.mark.unit
GOOD = json.dumps(good_answer())


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Here it is:\n```json\n{GOOD}\n```\nAnything else?",
        f'<think>Perhaps {{"basics": {{"name": null}}}}? No.</think>{GOOD}',
        f'The form is {{"name": …}}, so: {GOOD}',
        f'{{"comment": "first"}} {GOOD}',
    ],
)
def test_the_object_is_found_in_what_surrounds_it(text):
    assert read_answer(text).work[0].employer.text == "Larkfield Analytics"


@pytest.mark.parametrize("text", ["", "I cannot help with that.", GOOD[:200], "{" * 100_000, '{"basics": 3}', "[]"])
def test_what_is_no_answer_is_refused(text):
    with pytest.raises(UnusableAnswerError):
        read_answer(text)


def test_the_complaint_names_the_place_and_quotes_nothing():
    with pytest.raises(UnusableAnswerError) as caught:
        read_answer('{"basics": {"name": "1: Nora"}, "languages": [{"fluency": "1: Whitfield"}]}')
    assert "languages.0.language" in str(caught.value)
    assert "Whitfield" not in str(caught.value)


def test_there_is_no_place_for_protected_attributes():
    answer = read_answer('{"basics": {"gender": {"first": 1, "last": 1, "text": "f"}, "age": 34}}')
    assert set(answer.basics.model_dump()) == {"name", "label", "email", "phone", "city"}


def test_the_schema_requires_every_property_and_allows_no_other():
    schema = strict_schema()
    for part in (schema, *schema["$defs"].values()):
        assert part["required"] == list(part["properties"])
        assert part["additionalProperties"] is False


def test_entries_of_overlapping_pieces_are_one_and_complete_each_other():
    def job(**values):
        return {"employer": None, "position": None, "start": None, "end": None, "highlights": [], **values}

    first = Answer.model_validate(
        {
            "basics": {"name": v(1, "Nora")},
            "work": [job(employer=v(8, "Larkfield"), position=v(8, "Clerk")), job(employer=v(5, "Pinegrove"))],
            "skills": [v(3, "SQL")],
        }
    )
    second = Answer.model_validate(
        {
            "basics": {"name": v(9, "Northmoor"), "city": v(9, "Leeds")},
            "work": [job(employer=v(8, "Larkfield"), start=v(9, "2019"), highlights=["10"])],
            "skills": [v(3, "SQL"), v(12, "SQL"), v(12, "Airflow")],
        }
    )
    both = combined([first, second])
    assert (both.basics.name.text, both.basics.city.text) == ("Nora", "Leeds")
    assert [(job.employer.text, bool(job.position), bool(job.start), len(job.highlights)) for job in both.work] == [
        ("Larkfield", True, True, 1),
        ("Pinegrove", False, False, 0),
    ]
    assert [(skill.first, skill.text) for skill in both.skills] == [(3, "SQL"), (12, "SQL"), (12, "Airflow")]


def test_only_the_sections_asked_for_are_read_and_the_first_must_be_there():
    text = '{"work": [{"employer": "1: Larkfield"}], "languages": [{}]}'
    assert read_answer(text, ("work",)).work[0].employer.text == "Larkfield"
    with pytest.raises(UnusableAnswerError, match="basics"):
        read_answer(text)
    assert set(strict_schema(("work",))["properties"]) == {"work"}
