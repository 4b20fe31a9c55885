"""Jobs and studies in the forms people print them: one resume a case, and what may not be taken for either."""

from __future__ import annotations

import pytest

from ingest.fields.draft import Draft
from ingest.page import Box, Line, Page, Source, Word
from resumes.profile import leaf_paths
from tests.unit.fields import (
    entry_cases_boards,
    entry_cases_en,
    entry_cases_en_more,
    entry_cases_forms,
    entry_cases_joints,
    entry_cases_lines,
    entry_cases_now,
    entry_cases_others,
    entry_cases_ru,
    entry_cases_told,
    entry_cases_trims,
    entry_cases_zh,
)
from tests.unit.fields.entry_pages import Case, jobs_of, read, studies_of

CASES = [
    *entry_cases_boards.CASES,
    *entry_cases_en.CASES,
    *entry_cases_en_more.CASES,
    *entry_cases_forms.CASES,
    *entry_cases_joints.CASES,
    *entry_cases_lines.CASES,
    *entry_cases_now.CASES,
    *entry_cases_others.CASES,
    *entry_cases_ru.CASES,
    *entry_cases_told.CASES,
    *entry_cases_trims.CASES,
    *entry_cases_zh.CASES,
]
WITH_STUDIES = [case for case in CASES if case.studies is not None]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_jobs_are_read_as_printed(case: Case) -> None:
    assert jobs_of(read(case.text)) == case.jobs


@pytest.mark.parametrize("case", WITH_STUDIES, ids=lambda case: case.name)
def test_studies_are_read_as_printed(case: Case) -> None:
    assert studies_of(read(case.text)) == case.studies


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_value_has_evidence_whose_words_hold_it(case: Case) -> None:
    draft = read(case.text)
    leaves = {path: value for path, value in leaf_paths(draft.profile.to_json()) if not path.startswith("meta.version")}
    assert set(draft.evidence) == set(leaves)
    for path, value in leaves.items():
        evidence = draft.evidence[path]
        if evidence.source == "derived":
            assert evidence.from_
            assert set(evidence.from_) <= set(leaves)
        elif path.endswith((".name", ".position", ".institution", ".area", ".studyType")):
            squeezed = "".join((evidence.quote or "").split())
            assert "".join(str(value).split()).replace("No", "") in squeezed.replace("№", "").replace("No", "")


def test_the_same_lines_give_the_same_draft() -> None:
    case = CASES[0]
    first = read(case.text)
    assert all(_dump(read(case.text)) == _dump(first) for _ in range(20))


def _dump(draft: Draft) -> str:
    return draft.profile.model_dump_json() + repr(sorted(draft.evidence.items()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "References\nJane Example, Manager, Blue Door Restaurant, 2016 – 2018",
        "Certificates\nProject Management, Northern Academy\t2018 – 2019",
        "Military Service\nCorporal, Signal Corps\t2009 – 2010",
        "Publications\n2019. A. Example, On light, Journal of Optics 2019-2020",
        "Projects\nGitlytics | Python, Flask\tJune 2020 – Present",
        "Служба в армии\n2013–2014 в/ч 12345",
        "项目经历\n内部平台 负责人 2021.01-2021.12",
        "校园经历\n2016.09-2017.06 学生会 主席",
    ],
)
def test_what_is_no_job_and_no_study_gives_none(text: str) -> None:
    draft = read(text)
    assert (jobs_of(draft), studies_of(draft)) == ((), ())


def test_ongoing_ended_and_unknown_are_told_apart() -> None:
    draft = read("Experience\nClerk, Harrow Ltd\t2021 – present\nTypist, Borrow Ltd\t2018 – 2021\nPorter, Lend Ltd\t2015 –")
    assert [entry.current for entry in draft.profile.meta.gleaner.work] == [True, False, None]
    assert draft.profile.work[0].endDate is None


def test_descriptions_become_highlights_with_their_continuations() -> None:
    draft = read(
        "Experience\nClerk, Harrow Ltd\t2019 – 2021\n• Kept the books of\nnine branches\n• Paid the bills\n"
        "Typist, Borrow Ltd\t2018 – 2019\n• Typed"
    )
    assert [job.highlights for job in draft.profile.work] == [["Kept the books of nine branches", "Paid the bills"], ["Typed"]]


def test_a_place_beside_the_employer_is_the_place() -> None:
    job = read("Experience\nClerk\t2019 – 2021\nHarrow Ltd, Leeds, UK\n• Kept books").profile.work[0]
    assert (job.name, job.location) == ("Harrow Ltd", "Leeds, UK")


def _printed(text: str, x: float, y: float, *, bold: bool = False, size: float = 10) -> Line:
    words, at = [], x
    for part in text.split():
        width = len(part) * size * 0.5 / 595
        words.append(Word(part, Box(at, y, at + width, y + size / 842), size=size, bold=bold))
        at += width + size * 0.25 / 595
    return Line(tuple(words))


def _beside(left: Line, right: Line) -> Line:
    return Line((*left.words, *right.words))


def test_a_date_in_the_gutter_over_three_lines_is_one_date() -> None:
    page = Page(
        1,
        (
            _printed("Опыт работы", 0.07, 0.10, size=14),
            _beside(_printed("Сентябрь 2020 — по", 0.07, 0.15), _printed("ООО «Кедр»", 0.3, 0.15, bold=True)),
            _beside(_printed("настоящее время", 0.07, 0.165), _printed("Пермь", 0.3, 0.165)),
            _beside(_printed("6 лет 3 месяца", 0.07, 0.18), _printed("Бухгалтер", 0.3, 0.18, bold=True)),
            _printed("Вела учёт всех складов и сдавала отчёты", 0.32, 0.195),
            _beside(_printed("Февраль 2016 - Май", 0.07, 0.23), _printed("ЗАО «Ель»", 0.3, 0.23, bold=True)),
            _beside(_printed("2018", 0.07, 0.245), _printed("Пермь", 0.3, 0.245)),
            _printed("Кассир", 0.3, 0.26, bold=True),
        ),
        595,
        842,
    )
    assert jobs_of(read(page)) == (
        ("ООО «Кедр»", "Бухгалтер", "2020-09", None),
        ("ЗАО «Ель»", "Кассир", "2016-02", "2018-05"),
    )


def test_a_name_that_does_not_fit_its_column_is_put_together() -> None:
    page = Page(
        1,
        (
            _printed("Образование", 0.07, 0.10, size=14),
            _printed("2013 – 2017", 0.07, 0.13),
            _printed("Уральский государственный", 0.07, 0.145, bold=True),
            _printed("лесотехнический", 0.07, 0.16, bold=True),
            _printed("университет", 0.07, 0.175, bold=True),
            _printed("Экономика, бакалавр", 0.07, 0.195),
        ),
        595,
        842,
    )
    expected = ("Уральский государственный лесотехнический университет", "бакалавр", "Экономика", "2013", "2017")
    assert studies_of(read(page)) == (expected,)


@pytest.mark.parametrize(
    ("upper", "lower", "whole"),
    [
        ("BSc Optics, Marlowe University of Science", "and Technology", "Marlowe University of Science and Technology"),
        ("BSc Optics, Moravian Technical University in", "Prague", "Moravian Technical University in Prague"),
    ],
)
def test_the_name_of_a_school_goes_on_below(upper: str, lower: str, whole: str) -> None:
    lines = (
        _printed("Education", 0.07, 0.10, size=14),
        _printed("2012 – 2016", 0.07, 0.14),
        _printed(upper, 0.07, 0.16),
        _printed(lower, 0.07, 0.175),
    )
    assert [study[0] for study in studies_of(read(Page(1, lines, 595, 842)))] == [whole]


@pytest.mark.parametrize("deed", ["Переход на новые склады: 2022–2024.", "2022.05—2024.08 большой переезд"])
def test_dated_lines_of_a_description_are_no_jobs(deed: str) -> None:
    lines = (
        _printed("Опыт работы", 0.07, 0.10, size=14),
        _printed("ООО «Клюква» фев. 2022 — сейчас", 0.07, 0.14),
        _printed("Технический директор", 0.07, 0.16),
        _printed(deed, 0.12, 0.175),
        _printed("ЗАО «Морошка» июнь 2016 — янв. 2022", 0.07, 0.21),
        _printed("Инженер", 0.07, 0.225),
    )
    assert jobs_of(read(Page(1, lines, 595, 842))) == (
        ("ООО «Клюква»", "Технический директор", "2022-02", None),
        ("ЗАО «Морошка»", "Инженер", "2016-06", "2022-01"),
    )


def test_what_somebody_did_below_a_title_is_no_part_of_it() -> None:
    lines = (
        _printed("工作经历", 0.07, 0.10, size=14),
        _printed("2022/02 – 至今", 0.07, 0.14),
        _printed("青山智能科技有限公司 | 用户体验设计师", 0.07, 0.16),
        _printed("负责车机设计规范,覆盖六款车型", 0.07, 0.175),
    )
    assert jobs_of(read(Page(1, lines, 595, 842))) == (("青山智能科技有限公司", "用户体验设计师", "2022-02", None),)


def test_sizes_read_from_pixels_tell_nothing_apart() -> None:
    def scanned(line: Line, size: float) -> Line:
        return Line(tuple(Word(word.text, word.box, size=size, source=Source.OCR) for word in line.words))

    page = Page(
        1,
        (
            scanned(_printed("Experience", 0.07, 0.10), 11.4),
            scanned(_printed("Clerk", 0.07, 0.13), 9.7),
            scanned(_printed("Harrow Ltd 2019 – 2021", 0.07, 0.145), 10.3),
            scanned(_printed("• Kept the books", 0.07, 0.16), 9.2),
            scanned(_printed("Typist", 0.07, 0.18), 10.9),
            scanned(_printed("Borrow Ltd 2017 – 2019", 0.07, 0.195), 9.4),
        ),
        595,
        842,
    )
    assert jobs_of(read(page)) == (("Harrow Ltd", "Clerk", "2019", "2021"), ("Borrow Ltd", "Typist", "2017", "2019"))


def test_where_nothing_tells_employer_and_position_apart_both_readings_are_kept() -> None:
    draft = read("Experience\nOrvane, Brill\t2019 – 2021")
    job = draft.profile.work[0]
    assert draft.evidence["work[0].name"].confidence <= 0.5
    assert [value.value for value in draft.alternatives["work[0].name"]] == [job.position]
    assert "work[0].name" not in read("Experience\nClerk, Harrow Ltd\t2019 – 2021").alternatives


def test_jobs_under_a_heading_of_unknown_wording_are_found() -> None:
    draft = read(
        "**MY JOURNEY SO FAR\nClerk, Harrow Ltd\t2019 – 2021\nKept the books of nine branches in the north of the country\n"
        "**EDUCATION\nBA History, Fenwick University\t2015\n**SKILLS\nPatience and other things that clerks are known for"
    )
    assert jobs_of(draft) == (("Harrow Ltd", "Clerk", "2019", "2021"),)


def test_bold_words_before_plain_ones_are_a_value_of_their_own() -> None:
    words = (Word("BAKER", bold=True), Word("MILLRACE"), Word("BREADS"), Word("SRL"))
    lines = (Line((Word("Experience"),)), Line(tuple(map(Word, ["2019", "–", "2021"]))), Line(words))
    assert jobs_of(read(Page(1, lines))) == (("MILLRACE BREADS SRL", "BAKER", "2019", "2021"),)


def test_a_value_goes_on_in_small_letters_but_a_dated_line_begins_a_new_one() -> None:
    lines = (
        Line((Word("Education"),)),
        _printed("Diploma in Horticulture and land", 0.1, 0.2),
        _printed("management", 0.1, 0.2125),
        _printed("Bicton Vale College", 0.1, 0.225),
        _printed("2013 – 2015 BSc Botany, University of Marlowe, where the plants are kept", 0.1, 0.2375),
    )
    found = [(study[2], study[3]) for study in studies_of(read(Page(1, lines)))]
    assert ("Horticulture and land management", None) in found or ("Horticulture and land management", "2013") in found
