"""Words people use for the parts of a resume beyond the usual ones, in either Chinese script; what they head is read."""

from __future__ import annotations

import pytest

from ingest.fields.heading_nouns import noun_kind
from ingest.fields.headings import wording
from ingest.fields.labels import label_key
from ingest.fields.skills import skill_in
from ingest.fields.wording import degree_spans, employer_score, place_score, position_score, school_score
from ingest.fields.words import fold
from tests.unit.fields.entry_pages import jobs_of, read, studies_of


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("學歷", "学历"),
        ("專長證照", "专长证照"),
        ("國立臺灣大學", "国立台湾大学"),
        ("語文能力", "语文能力"),
        ("應徵職務", "应征职务"),
    ],
)
def test_both_scripts_are_compared_as_one(traditional, simplified):
    assert fold(traditional) == fold(simplified) == simplified


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("工作經歷", "work"),
        ("專業資歷", "work"),
        ("學歷", "education?"),
        ("最高學歷", "education"),
        ("專長", "skills"),
        ("擅長工具", "skills"),
        ("語文能力", "languages"),
        ("應徵職務", "objective"),
        ("〔二〕教育程度", "education"),
        ("第三部分 工作经历", "work"),
        ("技能树", "skills"),
        ("资质与能力", "skills"),
        ("项目与任职经历", "work"),
    ],
)
def test_a_heading_is_known_in_either_script_and_numbered_in_any_brackets(text, kind):
    assert wording(text) == kind


def test_values_are_told_in_traditional_characters():
    assert employer_score("北辰紡織股份有限公司") == 3
    assert position_score("財務經理") == 3
    assert school_score("私立白樺大學") == 3
    assert degree_spans("會計學碩士")
    assert not degree_spans("國立白樺大學")
    assert label_key("希望職稱") == "position"


def test_a_resume_in_traditional_characters_is_read():
    draft = read(
        """
陳嘉明
電話：0912-345-678
經歷
北辰紡織股份有限公司 財務經理 2018年3月-至今
學歷
國立白樺大學 會計學系 碩士 2012年9月-2014年6月
專長
成本分析、Excel
"""
    )
    assert jobs_of(draft) == (("北辰紡織股份有限公司", "財務經理", "2018-03", None),)
    assert [study[:2] for study in studies_of(draft)] == [("國立白樺大學", "碩士")]


@pytest.mark.parametrize(
    "text",
    [
        "工作经历\n北方物流有限公司 调度员 2016.03-2021.06\n念书\n白桦大学 物流管理 本科 2010.09-2014.06",
        "工作经历\n北方物流有限公司 调度员 2016.03-2021.06\n\n学历\n白桦大学 物流管理 本科 2010.09-2014.06",
    ],
)
def test_an_unsure_heading_is_borne_out_by_the_school_below_it(text):
    draft = read(text)
    assert jobs_of(draft) == (("北方物流有限公司", "调度员", "2016-03", "2021-06"),)
    assert [study[0] for study in studies_of(draft)] == ["白桦大学"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("IT", "skills"),
        ("Computer packages", "skills"),
        ("My stack", "skills"),
        ("Софт", "skills"),
        ("О работе", "work"),
        ("Послужной список", "work"),
        ("Об образовании", "education"),
        ("Ученые степени", "education"),
        ("Research and Work Experience", "work"),
        ("== uni ==", "education"),
        ("Part II. Education", "education"),
        ("Служба в армии", "other"),
        ("❷ 工作经历", "work"),
        ("① Education", "education"),
    ],
)
def test_less_usual_headings_are_known(text, kind):
    assert wording(text) == kind


@pytest.mark.parametrize(
    ("text", "school"),
    [
        ("Опыт работы\n2015 — 2019 ООО «Клюква», инженер\nУчился: Лесной колледж, 2010–2014", "Лесной колледж"),
        ("Experience\n2015 - 2019 Northwind Ltd, Fitter\nStudied at: Harrowfield College, 2010 - 2014", "Harrowfield College"),
        ("工作经历\n2015.03-2019.06 北方物流有限公司 调度员\n教育程度：白桦职业学校 2010.09-2013.06", "白桦职业学校"),
        ("工作经历\n2015.03-2019.06 北方物流有限公司 调度员\n教育 白桦职业学校 物流管理 2010.09-2013.06", "白桦职业学校"),
    ],
)
def test_a_school_behind_a_label_is_a_study_and_no_job(text, school):
    draft = read(text)
    assert len(jobs_of(draft)) == 1
    assert [study[0] for study in studies_of(draft)] == [school]


@pytest.mark.parametrize(
    "address",
    [
        "1200 Alder Street",
        "40 W. Birch Ave, Suite 3",
        "Springfield, IL 62704 United States",
        "Halifax, NS",
        "ул. Лесная, 5",
        "建设路15号",
    ],
)
def test_an_address_is_a_place_and_no_post(address):
    assert place_score(address) >= 2


@pytest.mark.parametrize("text", ["3 Way Foods Ltd", "First Street Partners LLC", "Head of Road Safety"])
def test_a_name_with_a_street_in_it_is_none(text):
    assert place_score(text) < 2


def test_a_phone_number_in_the_next_column_is_no_skill():
    assert skill_in("+86 135 0000 2981(office)") is None
    assert skill_in("020 7946 0000") is None
    assert skill_in("5S") is not None


@pytest.mark.parametrize("text", ["做过的项目与公司", "待过的公司"])
def test_a_heading_that_is_a_clause_about_work_is_of_work(text):
    assert noun_kind(text) == "work"
