import pytest
from django.utils import translation

from ingest.pipeline import PIPELINE
from ingest.route_table import DEFAULT, STAGES, Row, parse, problems, show


def test_the_table_knows_the_stages_of_the_pipeline_in_their_order():
    assert tuple(stage.name for stage in PIPELINE) == STAGES


def test_the_table_the_program_brings_leaves_nothing_without_a_destination():
    assert list(problems(DEFAULT.rows)) == []


def test_rows_survive_being_shown_and_read_again():
    assert parse(show(DEFAULT.rows)) == DEFAULT.rows


def test_comments_and_empty_lines_are_left_out():
    assert parse("# why\n\nocr | timeout | | retry, review\n") == (Row("ocr", "timeout", ("retry", "review")),)


def test_a_line_with_the_wrong_number_of_cells_is_named():
    with pytest.raises(ValueError, match="Line 2"):
        parse("ocr | timeout | | review\nocr | timeout | review\n")


BROKEN = {
    "no destination left": "extract | * | | retry, review",
    "an unknown stage": "scan | * | | review\n* | * | | review",
    "an unknown failure": "* | flood | | review\n* | * | | review",
    "an unknown condition": "* | * | on_mondays | review\n* | * | | review",
    "an unknown action": "* | * | | pray, review",
    "a last action that may be impossible": "* | * | | retry",
    "something after an end": "* | * | | review, retry",
    "a way back": "summarise | * | | rest\nmatch | * | | rest\nrules | * | | go:rules\n* | * | | review",
    "a settled resume touched again": "* | * | | review",
    "a resume left lying": "* | * | | rest",
    "the same action twice": "* | * | | retry, retry, review",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_table_that_would_lose_or_loop_resumes_is_refused(text):
    assert list(problems(parse(text)))


def test_a_row_may_hold_for_one_code_of_a_class_under_a_condition():
    rows = (Row("rules", "timeout", ("reject",), "no_text"), *DEFAULT.rows)
    assert list(problems(rows)) == []


@pytest.mark.parametrize("language", ["zh-hans", "ru"])
@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_what_is_wrong_with_a_table_is_said_in_the_readers_language(language, text):
    with translation.override("en"):
        english = set(problems(parse(text)))
    with translation.override(language):
        assert not english & set(problems(parse(text)))


@pytest.mark.parametrize("language", ["zh-hans", "ru"])
def test_a_line_that_cannot_be_read_is_named_in_the_readers_language(language):
    with translation.override(language), pytest.raises(ValueError, match="2") as refusal:
        parse("ocr | timeout | | review\nocr | timeout | review\n")
    assert "cells" not in str(refusal.value)
