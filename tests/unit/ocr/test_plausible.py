"""Real text is believed in each language, look-alikes and noise are not."""

from __future__ import annotations

import pytest

from ingest.ocr.plausible import plausibility

ENGLISH = """Senior Software Engineer at Example Robotics, March 2019 - present.
Designed a data pipeline, led a team of 4, PhD. zoe@example.com"""
CHINESE = "求职意向：软件工程师 2019年3月至今 示例科技有限公司 负责后台系统的设计与开发，熟悉 Python、MySQL 数据库"
RUSSIAN = "Ведущий инженер-программист, ООО «Пример», 2019 — по настоящее время. Разработка сервисов на Python, опыт работы 5 лет"


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, RUSSIAN])
def test_real_text_is_believed(text):
    assert plausibility(text) > 0.9


@pytest.mark.parametrize(
    "text",
    [
        "Jose Muñoz-García, ingénieur logiciel à Genève, Geschäftsführer für Qualitätssicherung",
        "iOS, DevOps, PostgreSQL, C++, CI/CD, ISO 9001, B2, GitHub, Node.js",
        "軟體工程師，負責系統設計與開發",
        "个 人 简 历 姓 名 联 系 电 话",
    ],
)
def test_what_resumes_also_hold_is_not_mistaken_for_noise(text):
    assert plausibility(text) > 0.7


@pytest.mark.parametrize(
    "text",
    [
        "BeAyLLMM MHXeHep-nporpaMMMcT, OO0 npMMep, no HacToaLLlee BpeMa. Pa3pa6oTka cepBucoB, onbIT",  # Russian as Latin
        "Зетог ЗоЙмаге Епдтеег а{ Ехатр]е ВоБойсз, МагсН 2019 ргезепЕ. Оез1впед а Чафа р1ре|те",  # English read as Cyrillic
        "‘(earyeu) ystbuq sobenbuey uoyi4g ‘TOudeID ‘Ieyx90q “4\\duosedA|J, ‘eyyey oyoedy “TOSe1hjsog ‘ULIoje1Iel",  # upside down
        "n o o s r r n e d d m g r l i t . , : — « » ; d pd i",  # pieces of letters
        ", : — « » . , ; : , . — : ,",
        "梁 护 乙 插 系 昂 靈 兀 亍 囗 冫 乂",
    ],
)
def test_look_alikes_and_noise_are_not_believed(text):
    assert plausibility(text) < 0.7


def test_a_word_of_two_scripts_counts_against_the_text():
    assert plausibility("Moсквa Pоссия иHженep") < plausibility("Москва Россия инженер")


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_no_text_is_worth_nothing(text):
    assert plausibility(text) == 0.0
