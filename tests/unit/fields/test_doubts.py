"""What OCR has probably misread is kept and doubted; a resume with doubtful contact data is not completed."""

from __future__ import annotations

import pytest

from ingest.fields import extract_fields
from ingest.fields.draft import Draft, Hints
from ingest.page import Line, Page, Source, Word
from ingest.quality import assess
from ingest.sandbox.drafts import draft_to_data
from tests.unit.fields.pages import AS_OF

REST = (
    "Experience",
    "Fitter, Acme Ltd 2019 - 2021",
    "Education",
    "BA History, Eastmoor University 2014",
    "Skills",
    "Welding, Milling",
)


def read(*lines: str, source: Source = Source.OCR, confidence: float = 0.97) -> tuple[Draft, str]:
    """The draft of lines as an engine reads them, and the code of the quality gate."""
    made = [Line(tuple(Word(part, source=source, confidence=confidence) for part in line.split())) for line in (*lines, *REST)]
    draft = extract_fields([Page(1, tuple(made))], Hints(as_of=AS_OF))
    data = draft_to_data(draft)
    return draft, assess(data["profile"], data["evidence"], text="\n".join((*lines, *REST))).code


@pytest.mark.parametrize(
    "address",
    ["jane.whitlovv@example.com", "jane.whit1ow@example.com", "jane.whitow@example.com", "jane@grnail.com", "jane@exarnple.com"],
)
def test_an_address_a_letter_off_is_doubted(address):
    draft, code = read("Jane Whitlow", f"E-mail: {address}", "Phone: +44 20 7946 0123")
    assert draft.profile.basics.email == address
    assert draft.evidence["basics.email"].confidence < 0.5
    assert code == "low_completeness"


@pytest.mark.parametrize("address", ["jane.whitlow@example.com", "jw77@example.com", "bluebird@example.com"])
def test_an_address_that_says_the_name_or_something_else_is_not(address):
    draft, code = read("Jane Whitlow", f"E-mail: {address}", "Phone: +44 20 7946 0123")
    assert draft.evidence["basics.email"].confidence > 0.8
    assert code == ""


def test_print_is_taken_at_its_word():
    draft, code = read(
        "Jane Whitlow", "E-mail: jane.whit1ow@example.com", "Phone: +44 20 7946 0123", source=Source.TEXT, confidence=1.0
    )
    assert draft.evidence["basics.email"].confidence > 0.8
    assert code == ""


def test_half_an_address_behind_a_gap_does_not_complete_a_resume():
    draft, code = read("Jane Whitlow", "E-mail: jane whitlow1999@example.com", "Phone: +44 20 7946 0123", confidence=0.9)
    assert draft.evidence["basics.email"].confidence < 0.5
    assert code == "low_completeness"


def test_contact_data_read_badly_go_before_a_person():
    _, code = read("Jane Whitlow", "jane.whitlow@example.com +44 20 7946 0123", confidence=0.4)
    assert code == "low_completeness"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t\n",
        "\ufffd\ufffd\ufffd \ufffd\ufffd\n" * 20,
        "ÐÑÐ¸Ð²ÐµÑ Ð¼Ð¸Ñ\n" * 20,
        "\ue000\ue001\ue002 \ue003\n" * 20,
        "(cid:12)(cid:44)(cid:7)\n" * 20,
        "~~~~ ---- ==== ....\n" * 20,
        "口口口 口口口口\n" * 20,
    ],
)
def test_empty_blank_and_garbled_text_give_no_values_at_all(text):
    lines = [Line(tuple(Word(part) for part in line.split())) for line in text.splitlines() if line.split()]
    draft = extract_fields([Page(1, tuple(lines))], Hints(as_of=AS_OF))
    assert set(draft.evidence) <= {"meta.gleaner.language"}
