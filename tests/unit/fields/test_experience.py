"""Years of experience and job family, both computed from the jobs."""

from __future__ import annotations

import pytest

from ingest.fields.experience import months_covered
from ingest.fields.family import families_of
from ingest.fields.words import keys
from tests.unit.fields.entry_pages import read


def years(text: str) -> float | None:
    return read(f"Experience\n{text}").profile.meta.gleaner.yearsOfExperience


def test_the_first_and_the_last_month_both_count() -> None:
    assert years("Clerk, Harrow Ltd\tJan 2019 – Dec 2020") == 2.0


def test_overlapping_jobs_count_once() -> None:
    assert years("Clerk, Harrow Ltd\tJan 2020 – Dec 2022\nTypist, Borrow Ltd\tJan 2019 – Dec 2021") == 4.0


def test_present_is_the_day_given() -> None:
    assert years("Clerk, Harrow Ltd\tDec 2025 – Present") == 1.0


def test_years_alone_give_no_figure() -> None:
    assert years("Clerk, Harrow Ltd\t2019 – 2021") is None
    assert years("Clerk, Harrow Ltd\tJan 2019 – Dec 2020\nTypist, Borrow Ltd\t2017 – 2019") is None


def test_an_end_that_is_not_printed_is_not_made_up() -> None:
    draft = read("Experience\nClerk, Harrow Ltd\tJan 2020 – Dec 2021\nTypist, Borrow Ltd\tJan 2018 –")
    assert draft.profile.meta.gleaner.yearsOfExperience == 2.0
    assert draft.evidence["meta.gleaner.yearsOfExperience"].confidence < 0.9


def test_the_figure_names_its_sources() -> None:
    evidence = read("Experience\nClerk, Harrow Ltd\tDec 2025 – Present").evidence["meta.gleaner.yearsOfExperience"]
    assert (evidence.source, evidence.from_) == ("derived", ["work[0].startDate", "meta.gleaner.work[0].current"])


@pytest.mark.parametrize(
    ("intervals", "months"),
    [([], 0), ([(0, 0)], 1), ([(0, 11), (12, 23)], 24), ([(0, 11), (5, 7)], 12), ([(10, 20), (0, 12)], 21)],
)
def test_months_in_intervals(intervals: list[tuple[int, int]], months: int) -> None:
    assert months_covered(intervals) == months


@pytest.mark.parametrize(
    ("title", "family"),
    [
        ("Senior Backend Developer", "software"),
        ("Главный бухгалтер", "finance"),
        ("Менеджер по персоналу", "people"),
        ("销售经理", "sales"),
        ("小学语文教师", "education"),
        ("SMM-менеджер", "marketing"),
    ],
)
def test_a_title_points_to_its_family(title: str, family: str) -> None:
    found = families_of(title)
    assert max(found, key=lambda name: found[name]) == family


def test_the_family_of_most_recent_titles_is_set_with_its_sources() -> None:
    draft = read("Experience\nNurse, Harrow Hospital\t2019 – 2021\nNurse, Borrow Clinic\t2017 – 2019")
    assert draft.profile.meta.gleaner.jobFamily == "healthcare"
    assert draft.evidence["meta.gleaner.jobFamily"].from_ == ["work[0].position", "work[1].position"]


def test_two_families_as_likely_are_not_decided() -> None:
    draft = read("Experience\nTeacher and Nurse, Harrow Ltd\t2019 – 2021")
    assert draft.profile.meta.gleaner.jobFamily is None
    assert draft.warnings == ["job_family_ambiguous"]
    assert {value.value for value in draft.alternatives["meta.gleaner.jobFamily"]} == {"education", "healthcare"}


def test_families_are_the_same_in_all_languages() -> None:
    assert {*keys("families", "ru").values(), *keys("families", "zh").values()} <= set(keys("families", "en").values())


@pytest.mark.parametrize(
    ("dates", "warning"),
    [
        ("May 2021 – March 2019", "work_ends_before_it_begins"),
        ("2021 – 2019", "work_ends_before_it_begins"),
        ("Jan 2028 – Present", "work_dates_in_the_future"),
        ("2019 – 2031", "work_dates_in_the_future"),
    ],
)
def test_dates_that_cannot_be_right_are_kept_and_told_and_give_no_years(dates: str, warning: str) -> None:
    draft = read(f"Experience\nClerk, Harrow Ltd⇥{dates}")
    assert warning in draft.warnings
    assert draft.evidence["work[0].startDate"].confidence == 0.4
    assert draft.profile.meta.gleaner.yearsOfExperience is None


@pytest.mark.parametrize("now", ["Present", "to date", "– current"])
def test_a_job_that_goes_on_since_nobody_says_when_is_current(now: str) -> None:
    draft = read(f"Experience\nClerk, Harrow Ltd⇥{now}\n- filed\nPacker, Borrow Ltd⇥2016 – 2020\n- packed")
    assert [meta.current for meta in draft.profile.meta.gleaner.work] == [True, False]
    assert draft.profile.work[0].startDate is None
