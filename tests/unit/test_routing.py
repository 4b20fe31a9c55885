"""Every way through the pipeline, without running it."""

import datetime as dt
import random
from dataclasses import replace

import pytest

from ingest import routing
from ingest.dossier import Dossier, MemberFile, ModelEndpoint, Options
from ingest.failures import Failure
from ingest.page import Page, Reading, TextQuality, line_of, to_data
from ingest.pipeline import PIPELINE
from ingest.quality import Quality
from ingest.retry import NEVER
from ingest.route_table import DEFAULT
from resumes.taxonomy import CODES, FailureClass

CHANCE = random.Random(3)
OCR = Options(ocr_channels=("rapidocr", "null"))
PLAIN = Options()
MODEL = Options(models=(ModelEndpoint("http://127.0.0.1:1", "", "m"),))
PASSED = Quality(completeness=1.0, confidence=0.9, missing=(), code="")
POOR = Quality(completeness=0.3, confidence=0.5, missing=("phone",), code="low_completeness")


def dossier(*qualities: TextQuality, media_type: str = "application/pdf", text: str = "Alice Archer", **changes) -> Dossier:
    pages = tuple(Page(number, (line_of(text),) if text else (), quality=quality) for number, quality in enumerate(qualities, 1))
    return Dossier(media_type, None, "a.pdf", dt.date(2026, 11, 30), reading=to_data(Reading(pages)), **changes)


def test_good_text_goes_to_the_rules():
    assert routing.after("extract", dossier(TextQuality.GOOD), OCR) == routing.Go("rules")


@pytest.mark.parametrize("quality", [quality for quality in TextQuality if quality.wants_ocr])
def test_a_page_not_to_be_relied_on_goes_to_the_first_channel(quality):
    assert routing.after("extract", dossier(TextQuality.GOOD, quality), OCR) == routing.Go("ocr", "rapidocr")


def test_without_a_channel_the_rules_take_what_there_is():
    assert routing.after("extract", dossier(TextQuality.GARBLED), PLAIN) == routing.Go("rules")


def test_a_format_without_pages_to_render_never_goes_to_ocr():
    word = dossier(TextQuality.GARBLED, media_type="text/plain")
    assert routing.after("extract", word, OCR) == routing.Go("rules")


def test_pages_still_unreadable_go_to_the_next_channel_and_then_to_the_rules_as_a_fallback():
    once = dossier(TextQuality.GARBLED, channels=("rapidocr",), route=("extract", "ocr"))
    assert routing.after("ocr", once, OCR) == routing.Go("ocr", "null")
    twice = replace(once, channels=("rapidocr", "null"))
    assert routing.after("ocr", twice, OCR) == routing.Go("rules", fallback=True)


def test_an_archive_gives_way_to_its_members():
    archive = dossier(TextQuality.GOOD, members=(MemberFile("a.txt", None),))
    assert routing.after("extract", archive, OCR) == routing.Unpacked()


def test_the_model_is_asked_once_where_there_is_one():
    assert routing.after("rules", dossier(TextQuality.GOOD, quality=PASSED), MODEL) == routing.Go("structure", "model")
    assert routing.after("rules", dossier(TextQuality.GOOD, quality=PASSED), PLAIN) == routing.Go("finish")


@pytest.mark.parametrize(
    ("route", "expected"),
    [(("extract", "rules"), "text"), (("extract", "ocr", "rules"), "ocr"), (("rules", "structure"), "model")],
)
def test_a_passed_gate_completes_with_the_level_that_did_it(route, expected):
    assert routing.after("finish", dossier(TextQuality.GOOD, quality=PASSED, route=route), PLAIN) == routing.Complete(expected)


def test_a_better_level_that_gave_way_leaves_the_rules():
    fallen = dossier(TextQuality.GOOD, quality=PASSED, route=("rules", "structure"), setback=Failure.of("timeout"))
    assert routing.after("finish", fallen, MODEL) == routing.Complete("rules")


@pytest.mark.parametrize(
    ("qualities", "text", "route", "code"),
    [
        ([TextQuality.GOOD], "text", ("extract", "rules"), "low_completeness"),
        ([TextQuality.BLANK], "", ("extract", "rules"), "blank_document"),
        ([TextQuality.ABSENT], "", ("extract", "rules"), "no_text_layer"),
        ([TextQuality.ABSENT], "", ("extract", "ocr", "rules"), "ocr_low_confidence"),
        ([TextQuality.GARBLED], "text", ("extract", "rules"), "garbled_text"),
        ([TextQuality.GARBLED], "text", ("extract", "ocr", "rules"), "ocr_low_confidence"),
    ],
)
def test_a_failed_gate_says_why_a_person_must_look(qualities, text, route, code):
    failed = dossier(*qualities, text=text, quality=POOR, route=route)
    assert routing.after("finish", failed, OCR) == routing.Review(code)


def test_what_was_rescued_from_a_file_cut_in_half_goes_before_a_person():
    rescued = dossier(TextQuality.GOOD, quality=PASSED, route=("extract", "rules"), warnings=("cut_off",))
    assert routing.after("finish", rescued, OCR) == routing.Review("corrupt")


def test_fields_found_in_unreliable_text_do_not_pass_as_parsed():
    doubtful = dossier(TextQuality.GARBLED, quality=PASSED, route=("extract", "ocr", "rules"))
    assert isinstance(routing.after("finish", doubtful, OCR), routing.Review)


@pytest.mark.parametrize("stage", [stage.name for stage in PIPELINE])
@pytest.mark.parametrize("code", sorted(CODES))
def test_every_failure_of_every_stage_leads_somewhere_and_never_back(stage, code):
    """Follow the failures from here on: each route ends, and no stage and channel is entered twice."""
    at = dossier(TextQuality.ABSENT, text="", route=("extract",))
    entered: set[tuple[str, str]] = set()
    current, channel = stage, ""
    while True:
        assert (current, channel) not in entered
        entered.add((current, channel))
        at = replace(at, channels=(*at.channels, channel) if channel else at.channels)
        step = routing.on_failure(current, Failure.of(code), at, OCR, tries=9, table=replace(DEFAULT, retry=NEVER), chance=CHANCE)
        if not isinstance(step, routing.Go):
            break
        current, channel = step.stage, step.channel
    assert isinstance(step, routing.Review | routing.Reject | routing.Dead | routing.Rest)


@pytest.mark.parametrize("code", [code.code for code in CODES.values() if code.failure_class is FailureClass.PREPROCESS])
def test_a_file_nobody_can_read_is_refused_at_once(code):
    step = routing.on_failure("extract", Failure.of(code), dossier(), OCR, tries=1, table=DEFAULT, chance=CHANCE)
    assert step == routing.Reject(code)


def test_a_passing_fault_is_tried_again_before_anything_else():
    fault = Failure.of("dependency_unavailable")
    step = routing.on_failure("extract", fault, dossier(), OCR, tries=1, table=DEFAULT, chance=CHANCE)
    assert isinstance(step, routing.Again)


def test_a_settled_resume_is_never_touched_by_what_follows_it():
    for stage in ("summarise", "match", "narrate"):
        step = routing.on_failure(stage, Failure.of("corrupt"), dossier(), OCR, tries=1, table=DEFAULT, chance=CHANCE)
        assert step == routing.Rest()


def test_a_model_that_fails_leaves_the_rules_to_finish():
    step = routing.on_failure("structure", Failure.of("model_refused"), dossier(), MODEL, tries=1, table=DEFAULT, chance=CHANCE)
    assert step == routing.Go("finish", fallback=True)


def test_storage_that_refuses_goes_to_operators_and_not_to_hr():
    denied = Failure("storage_denied", retryable=False, channel="storage")
    step = routing.on_failure("extract", denied, dossier(), OCR, tries=1, table=DEFAULT, chance=CHANCE)
    assert step == routing.Dead("storage_denied")
