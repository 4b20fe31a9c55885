"""An answer is read out of whatever a model writes around it, or refused with words the model understands."""

from __future__ import annotations

import json

import pytest

from ingest.llm.answer import UnusableAnswerError, read_answer, strict_schema
from tests.unit.llm.scripted import good_answer

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
        read_answer('{"basics": {"name": {"first": "Whitfield", "last": 1, "text": "Nora"}}}')
    assert "basics.name.first" in str(caught.value)
    assert "Whitfield" not in str(caught.value)


def test_there_is_no_place_for_protected_attributes():
    answer = read_answer('{"basics": {"gender": {"first": 1, "last": 1, "text": "f"}, "age": 34}}')
    assert set(answer.basics.model_dump()) == {"name", "label", "email", "phone", "city"}


def test_the_schema_requires_every_property_and_allows_no_other():
    schema = strict_schema()
    for part in (schema, *schema["$defs"].values()):
        assert part["required"] == list(part["properties"])
        assert part["additionalProperties"] is False
