"""The city: where the person lives now, labelled or among the contact data; not an employer's."""

from __future__ import annotations

import pytest

from ingest.fields.places import city_in
from tests.unit.fields.pages import city_of, draft_of, printed, printed_page


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("Location: Leeds, UK", "Leeds"),
        ("Address: 12/4, MG Road, Indiranagar, Bengaluru - 560038", "Bengaluru"),
        ("14 Rue de la Paix, 75002 Paris, France\njane@example.fr", "Paris"),
        ("22 Acacia Avenue\nLeeds LS1 4AP\njane@example.co.uk", "Leeds"),
        ("123 Main Street, Apt 4B, Springfield, IL 62701\n217-555-0188", "Springfield"),
        ("jane@example.com | Portland, OR | (503) 555-0142", "Portland"),
        ("Greater Boston Area\njane@example.com", "Boston"),
        ("✆ 030 23125 475 ✉ jane@example.com ⌂ Hamburg", "Hamburg"),
        ("City: New York linkedin.com/in/jane", "New York"),
        ("City: Kumasi", "Kumasi"),
        ("jane@example.com | Wakanda Falls | (503) 555-0142", "Wakanda Falls"),
        ("Город: г. Самара\nОпыт работы", "Самара"),
        ("Адрес: 443001, г. Самара, ул. Ленина, д. 5, кв. 12\nОпыт работы", "Самара"),
        ("Адрес проживания: Московская обл., г. Химки\nОпыт работы", "Химки"),
        ("Проживает: Санкт-Петербург, м. Автово\nОпыт работы", "Санкт-Петербург"),
        ("Казань, готова к переезду\n+7 960 000-44-55", "Казань"),
        ("Место жительства: Ростов-на-\nДону\nОпыт работы", "Ростов-на-Дону"),
        ("籍贯：湖南长沙    现居地：广州市天河区", "广州"),
        ("现居成都 / 13900001111", "成都"),
        ("现居成都 13900001111", "成都"),
        ("所在城市：四川省成都市", "成都"),
        ("地址：江苏省苏州市工业园区星湖街328号", "苏州"),
        ("男 | 33岁 | 现居住上海 | 11年工作经验\n电话：13900001111", "上海"),
        ("电话 13800138000 | 北京\n期望城市：上海", "北京"),
        ("+7 960 000-44-55\nКазань • Возраст: 31 год", "Казань"),
        ("Контакты: г. Самара, тел. 8-960-000-44-55, a@example.ru", "Самара"),
        ("贵阳市云岩区　电话：139 0000 1111　邮箱：x@example.com", "贵阳"),
        ("Адрес: гСамара, ул. Ленина, д. 5", "Самара"),
        ("手机：13800138000，邮箱：x@example.com，现居南昌", "南昌"),
        ("某某公司，合肥市蜀山区某某路 230000\nx@example.com", "合肥"),
        ("会计｜无锡滨湖区｜13800138000｜x@example.com", "无锡"),
        ("新加坡淡滨尼8道第12座\nx@example.com", "新加坡"),
        ("廣州市天河區｜13800138000", "廣州"),
        ("Tulsa, OK 74103 US\njane@example.com", "Tulsa"),
        ("interior designer in Lisbon. jane@example.com / +351 912 345 678", "Lisbon"),
        ("Room 4A, Block 2, Lam Tin Estate, Kwun Tong, Hong Kong\njane@example.com", "Hong Kong"),
        ("Казань / Уфа (готов к переезду)\n+7 960 000-44-55", "Казань"),
        ("Самара ↔ Москва\n+7 960 000-44-55", "Самара"),
        ("Based in ..... Kampala, Uganda\nWrite to ..... jane@example.com", "Kampala"),
    ],
)
def test_the_city_is_found(text, city):
    assert city_of(draft_of(f"{text}\n")) == city


@pytest.mark.parametrize(
    "text",
    [
        "jane@example.com\nEXPERIENCE\nAcme Ltd, London\nEngineer 2019 - 2021",
        "户籍：湖南长沙\n电话 13800138000",
        "Preferred location: Berlin\njane@example.com",
        "Open to remote work\njane@example.com",
        "I moved to London with my family.\njane@example.com",
        "INN 7707083893\njane@example.com",
        "Postcode 100-0001\njane@example.com",
    ],
)
def test_other_places_are_not_where_the_person_lives(text):
    assert city_of(draft_of(f"Jane Roe\n{text}")) is None


def test_a_city_broken_by_a_narrow_column_is_joined():
    page = printed_page(
        printed("Анна Орлова", 0.1, 0.05, size=18),
        printed("Город: Нижний", 0.7, 0.05, block=1),
        printed("Новгород", 0.7, 0.065, block=1),
        printed("Опыт работы", 0.1, 0.3, size=12, bold=True, block=2),
    )
    assert city_of(draft_of(page)) == "Нижний Новгород"


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("jane@example.com | Perth WA 6000", "Perth"),
        ("⌂ Dublin 8\njane@example.com", "Dublin"),
        ("Flat 3, 9 Mill Lane, Leeds LS1 4AP", "Leeds"),
        ("ul. Krótka 4, 31-146 Kraków\njane@example.pl", "Kraków"),
        ("1017 AB Amsterdam, The Netherlands\njane@example.nl", "Amsterdam"),
        ("Strandvegur 3, 430 Suðureyri\njane@example.is", "Suðureyri"),
        ("Blk 12 Bedok North Road #03-11 Singapore 460012\njane@example.sg", "Singapore"),
        ("Suwon-si, Gyeonggi-do, South Korea\njane@example.kr", "Suwon-si"),
        ("Sími: 555 1234\nLaugavegur 3, 101 Reykjavík\njane@example.is", "Reykjavík"),
        ("电话：13900001111 | 江西赣州 | 1992年", "赣州"),
        ("现居地：贵州遵义\n电话：13900001111", "遵义"),
        ("地址：新疆维吾尔自治区阿克苏\n电话：13900001111", "阿克苏"),
    ],
)
def test_addresses_of_many_countries_give_the_city(text, city):
    assert city_of(draft_of(f"Jane Roe\n{text}\n")) == city


def test_a_place_far_from_the_contact_data_is_none():
    lines = [f"Did thing number {number} for the company" for number in range(10)]
    text = "王丽\n13900001111 | wang@example.com\n" + "\n".join(lines) + "\n宜春市第三中学\n"
    assert city_of(draft_of(text, language="zh")) is None


@pytest.mark.parametrize("text", ["ГДЕ РАБОТАЛ", "ГРАФИК РАБОТЫ", "ГОРОДСКИЕ ПРОЕКТЫ", "Городской округ"])
def test_a_word_that_begins_like_the_abbreviation_of_a_town_is_no_town(text):
    assert city_in(text, labelled=False) is None


def test_the_city_stands_under_the_name_while_the_contacts_have_a_column_of_their_own():
    page = printed_page(
        printed("Contact", 0.03, 0.05, size=13, bold=True),
        printed("jane@example.com", 0.03, 0.08),
        printed("Top Skills", 0.03, 0.2, size=13, bold=True),
        *(printed(f"Skill{letter}", 0.03, 0.22 + number / 50) for number, letter in enumerate("ABCDEFGH")),
        printed("Jane Holloway", 0.33, 0.05, size=24, block=1),
        printed("Product Manager at Acme", 0.33, 0.09, size=12, block=1),
        printed("Singapore", 0.33, 0.11, size=12, block=1),
        printed("Experience", 0.33, 0.2, size=15, block=1),
        printed("Engineer, Acme Widgets Ltd 2019 - 2022", 0.33, 0.23, block=1),
        printed("Leeds", 0.33, 0.25, block=1),
    )
    assert city_of(draft_of(page)) == "Singapore"


def test_no_part_of_the_headline_is_a_city():
    text = "Jane Roe\nCommercial Driver – Class A\nPhone: 07700 900111 | jane@example.com\n"
    assert city_of(draft_of(text)) is None
