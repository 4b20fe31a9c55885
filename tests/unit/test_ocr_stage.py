"""Which reading of a page is kept, and what happens when pages cannot be read."""

import contextlib
import datetime as dt
from dataclasses import replace

import pytest

from ingest.attempt import StageTools
from ingest.dossier import Dossier, Options
from ingest.ocr import engine, plan
from ingest.page import Line, Page, Reading, Source, TextQuality, Word, to_data
from ingest.stages import ocr
from resumes.taxonomy import ResumeError


def page(text: str, quality: TextQuality, number: int = 1, **changes) -> dict:
    words = tuple(Word(part, source=Source.OCR) for part in text.split())
    made = Page(number, (Line(words),) if words else (), 595.0, 842.0, quality, **changes)
    return to_data(Reading((made,)))["pages"][0]


def test_what_was_read_takes_the_place_of_nothing():
    before, after = page("", TextQuality.ABSENT), page("Alice Archer", TextQuality.GOOD)
    assert ocr.better(before, after)["l"] == after["l"]


def test_an_unbelievable_reading_does_not_replace_a_longer_text_layer():
    before, after = page("garbled but long text", TextQuality.GARBLED), page("x", TextQuality.GARBLED)
    assert ocr.better(before, after) == before


def test_a_good_text_layer_with_more_to_say_stays():
    before, after = page("a good and long text layer", TextQuality.GOOD), page("a part", TextQuality.GOOD)
    assert ocr.better(before, after) == before


@pytest.mark.parametrize(
    ("turned", "size"), [(0, (595.0, 842.0)), (180, (595.0, 842.0)), (90, (842.0, 595.0)), (270, (842.0, 595.0))]
)
def test_a_page_turned_upright_has_its_sides_exchanged(turned, size):
    after = page("Alice", TextQuality.GOOD, notes={"turned": float(turned)})
    kept = ocr.better(page("", TextQuality.ABSENT), after)
    assert (kept["w"], kept["h"]) == size


class Scripted(StageTools):
    """Tools whose OCR answers are given: a page, or the error it raises."""

    answers: dict[int, object]

    def call(self, kind, function, payload, *, deadline_s):
        answer = self.answers[payload["pages"][0]]
        if isinstance(answer, ResumeError):
            raise answer
        return {"pages": [answer]}


def run(answers: dict[int, object]) -> Dossier:
    pages = tuple(Page(number, quality=TextQuality.ABSENT) for number in answers)
    dossier = Dossier("application/pdf", None, "a.pdf", dt.date(2026, 11, 30), reading=to_data(Reading(pages)))
    tools = Scripted(Options(), "rapidocr", 60.0, scratch=None)
    tools.answers = answers
    return ocr.run(dossier, tools)


def test_a_page_that_cannot_be_read_takes_no_other_with_it():
    done = run({1: ResumeError("timeout"), 2: page("Alice Archer", TextQuality.GOOD, 2)})
    assert done.unread_pages == (1,)


def test_the_stage_fails_where_no_page_came_out():
    with pytest.raises(ResumeError, match="timeout"):
        run({1: ResumeError("timeout"), 2: ResumeError("out_of_memory")})


def test_a_long_scan_is_read_up_to_a_bound_and_says_so():
    done = run({number: page("text", TextQuality.GOOD, number) for number in range(1, plan.MAX_PAGES + 3)})
    assert len(done.unread_pages) == 2
    assert "ocr_pages_left_out" in done.warnings


def test_nothing_to_take_pages_from_is_a_failure_with_a_name():
    with pytest.raises(ResumeError, match="no_text_layer"):
        ocr.run(
            replace(Dossier("application/pdf", None, "a.pdf", dt.date(2026, 11, 30))), Scripted(Options(), "x", 1.0, scratch=None)
        )


def test_the_breaker_is_told_what_a_page_usually_takes_so_that_slow_calls_count():
    told = []

    def guard(channel, usual_s):
        told.append((channel, usual_s))
        return contextlib.nullcontext()

    dossier = Dossier(
        "application/pdf", None, "a.pdf", dt.date(2026, 11, 30), reading=to_data(Reading((Page(1, quality=TextQuality.ABSENT),)))
    )
    tools = Scripted(Options(), "rapidocr", 60.0, scratch=None, guard=guard)
    tools.answers = {1: page("Alice Archer", TextQuality.GOOD)}
    ocr.run(dossier, tools)
    assert told == [("rapidocr", engine("rapidocr").ability().seconds_per_page)]


def test_the_page_that_failed_is_named_in_the_failure():
    with pytest.raises(ResumeError, match="worker_lost: page 1: died") as caught:
        run({1: ResumeError("worker_lost", "died", channel="rapidocr")})
    assert caught.value.channel == "rapidocr"
