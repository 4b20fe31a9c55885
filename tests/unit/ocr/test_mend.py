"""What can be mended from a word alone is mended, everything else is left as it was read."""

from __future__ import annotations

import pytest

from ingest.ocr.mend import mended
from ingest.page import Box, Source, Word


def texts(*words):
    return [word.text for word in mended(Word(text, Box(0.1, 0.1, 0.5, 0.2), source=Source.OCR) for text in words)]


@pytest.mark.parametrize(
    ("read", "right"),
    [
        ("SММ-менеджер", "SMM-менеджер"),  # Cyrillic М in a Latin abbreviation
        ("$ММ", "SММ".replace("М", "M")),
        ("Mосква", "Москва"),  # Latin M in a Russian word
        ("zoé@éxample.com", "zoe@example.com"),
        ("www.ехаmрlе.com", "www.example.com"),
    ],
)
def test_look_alikes_are_put_into_the_words_own_script(read, right):
    assert texts(read) == [right]


@pytest.mark.parametrize("word", ["José", "1С:Предприятие", "MySQL", "инженер", "$550,000", "张伟", "Señor"])
def test_what_is_right_stays(word):
    assert texts(word) == [word]


def test_upright_bars_are_split_off_with_their_share_of_the_box():
    bar, address = mended([Word("|zoe@example.com", Box(0.1, 0.1, 0.9, 0.2))])
    assert (bar.text, address.text) == ("|", "zoe@example.com")
    assert bar.space
    assert bar.box.x1 == pytest.approx(address.box.x0) == pytest.approx(0.15)
    assert address.box.x1 == pytest.approx(0.9)


def test_an_at_between_chinese_words_is_split_off_and_one_in_an_address_is_not():
    assert texts("测试工程师@北京样例咨询有限公司") == ["测试工程师", "@", "北京样例咨询有限公司"]
    assert texts("张伟zhangwei@example.com") == ["张伟zhangwei@example.com"]


@pytest.mark.parametrize(
    ("read", "right"),
    [
        ("2011年一2013年", "2011年—2013年"),
        ("2025年3月一至今", "2025年3月—至今"),
        ("2019年第一名", "2019年第一名"),
        ("一汽", "一汽"),
    ],
)
def test_the_ideograph_one_between_dates_is_a_dash(read, right):
    assert texts(read) == [right]


@pytest.mark.parametrize("form", ["OOO", "000", "ooo", "0OO", "ООО"])
def test_a_legal_form_before_a_name_in_cyrillic_is_cyrillic(form):
    assert texts(form, "«Вектор", "Плюс»") == ["ООО", "«Вектор", "Плюс»"]


@pytest.mark.parametrize("before", ["CEO", "CTO", "HR", "SMM", "100", "в"])
def test_what_else_stands_before_such_a_name_stays(before):
    assert texts(before, "«Вектор»")[0] == before


@pytest.mark.parametrize("words", [("OOO", "«Vector»"), ("000", "Вектор"), ("12", "000", "рублей"), ("AO",)])
def test_zeros_and_latin_letters_elsewhere_stay(words):
    assert texts(*words) == list(words)
