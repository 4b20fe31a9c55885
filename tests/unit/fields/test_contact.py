"""E-mail addresses, phone numbers and links: found however they are written, and nothing else taken for one."""

from __future__ import annotations

import pytest

from ingest.page import Line, Page, Word, line_of
from resumes.profile import leaf_paths
from tests.unit.fields.pages import city_of, draft_of, links_of, printed, printed_page


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Email: jane.roe@example.com", "jane.roe@example.com"),
        ("JANE_ROE77@EXAMPLE.ORG | Leeds", "JANE_ROE77@EXAMPLE.ORG"),
        ("Email:jane@example.comPhone:020 7946 0000", "jane@example.com"),
        ("邮箱jane@example.com电话13800138000", "jane@example.com"),
        ("ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ", "jane@example.com"),
        ("ja\u200bne@exam\u2060ple.com", "jane@example.com"),
        ("jane.roe(at)example.com", "jane.roe@example.com"),
        ("jane.roe [at] example [dot] com", "jane.roe@example.com"),
        ("jane.roe at example dot com", "jane.roe@example.com"),
        ("邮箱：zhangsan#example.com", "zhangsan@example.com"),
        ("Email: jane @ example . com", "jane@example.com"),
        ("E-mail: jane.roe@exam\nple.org", "jane.roe@example.org"),
        ("jane.roe@example\n.com\nLeeds", "jane.roe@example.com"),
        ("jane.roe@example.co\nm", "jane.roe@example.com"),
        ("E-mail: jane-\nroe@example.com", "jane-roe@example.com"),
        ("E-mail: jane.roe\n@example.com", "jane.roe@example.com"),
        ("jane.roe@example.com\nLeeds", "jane.roe@example.com"),
        ("info@example.com, jane.roe@example.org", "jane.roe@example.org"),
    ],
)
def test_an_address_is_found_however_it_is_written(text, address):
    assert draft_of(f"Jane Roe\n{text}").profile.basics.email == address


@pytest.mark.parametrize("text", ["met friends at example.com", "see jane@", "@janeroe", "ratio 3@4", "a@b"])
def test_what_is_no_address_gives_none(text):
    assert draft_of(f"Jane Roe\n{text}").profile.basics.email is None


def test_an_address_broken_in_a_narrow_column_is_joined_although_another_column_stands_between():
    draft = draft_of(
        printed_page(
            printed("jane.roe1990@exam", 0.05, 0.05),
            printed("Jane Roe", 0.45, 0.05, size=18, block=1),
            printed("ple.org", 0.05, 0.064),
        )
    )
    assert draft.profile.basics.email == "jane.roe1990@example.org"
    assert draft.evidence["basics.email"].quote == "jane.roe1990@exam ple.org"


def test_a_mail_link_serves_where_nothing_is_printed():
    words = tuple(Word(text, link="mailto:jane@example.com?subject=Job") for text in ("Write", "to", "me"))
    page = Page(1, (line_of("Jane Roe"), Line(words)))
    assert draft_of(page).profile.basics.email == "jane@example.com"


def test_a_referees_data_are_not_the_persons():
    draft = draft_of("Jane Roe\nLeeds\nREFERENCES\nDr Peter Miles, peter@example.org, +44 20 7946 0999")
    assert draft.profile.basics.email is None
    assert draft.profile.basics.phone is None
    assert draft.alternatives["basics.email"][0].value == "peter@example.org"


@pytest.mark.parametrize(
    ("text", "e164"),
    [
        ("Phone: +44 20 7946 0296", "+442079460296"),
        ("+44 (0)20 7946 0296", "+442079460296"),
        ("07700 900972\nLondon, United Kingdom", "+447700900972"),
        ("020 7946 0272\nLondon", "+442079460272"),
        ("(415) 555-0164", "+14155550164"),
        ("+ 1 (415) 582-7457", "+14155827457"),
        ("Tel: 212\u2013555\u20130135", "+12125550135"),
        ("Tel: 212.555.0135", "+12125550135"),
        ("98765 61491\nPune", "+919876561491"),
        ("Mobile No: +91 98765 43210", "+919876543210"),
        ("030 / 23125 842\nHamburg", "+493023125842"),
        ("0049 30 23125842", "+493023125842"),
        ("手机：138 0013 8000", "+8613800138000"),
        ("电话 １３８００１３８０００", "+8613800138000"),
        ("电话：(+86) 177 0000 0616", "+8617700000616"),
        ("手机13800138000邮箱", "+8613800138000"),
        ("电话：010-62345678转8008 北京", "+861062345678"),
        ("Телефон: 8 (495) 123-45-67", "+74951234567"),
        ("Тел.: 8(965)123-93-85", "+79651239385"),
        ("+7 965 000-76-70 — предпочитаемый способ связи", "+79650007670"),
        ("Тел. +7 (965) 123-\n93-85", "+79651239385"),
        ("jane@example.com | +1 607 555\n0119 (office)", "+16075550119"),
        ("手机：13800138000，邮箱：x@example.com", "+8613800138000"),
        ("电话 13800138000；x@example.com；成都", "+8613800138000"),
        ("成都｜13800138000｜x@example.com", "+8613800138000"),
        ("Моб. 89651239385", "+79651239385"),
    ],
)
def test_a_number_is_found_and_put_into_e164(text, e164):
    draft = draft_of(f"{text}\n{'Опыт работы' if 'ел' in text or '+7' in text or 'об' in text else 'Jane Roe'}")
    assert draft.profile.meta.gleaner.phoneE164 == e164
    assert draft.evidence["meta.gleaner.phoneE164"].from_ == ["basics.phone"]


def test_the_phone_is_output_as_printed():
    assert draft_of("Jane Roe\nTel: (415) 555-0164").profile.basics.phone == "(415) 555-0164"


@pytest.mark.parametrize(
    "text",
    [
        "2019.03-2021.06",
        "01/2019 – 06/2021",
        "2018 2019",
        "12.05.1990",
        "身份证号：110101199003078515",
        "QQ：354469451",
        "微信：wx138001",
        "зарплата 100 000 - 150 000 руб",
        "индекс 620000",
        "ИНН 771234567890",
        "ISBN 978-3-16-148410-0",
        "Budget of $1,300,000 and 14 000 000 users",
        "20180101-20190101",
        "https://example.com/12345678901",
        "简历编号：J692168414",
        "192.168.100.200",
        "Employee number 07700900123",
        "Staff number: 07700 900123",
        "Student number 07700900123",
        "Табельный номер 89121234242",
        "Номер договора: 89121234242",
        "员工号：13800138000",
        "员工号码 13800138000",
    ],
)
def test_other_digits_are_no_phone(text):
    assert draft_of(f"Jane Roe\n{text}").profile.basics.phone is None


def test_of_two_numbers_the_first_is_the_main_one():
    draft = draft_of("Иванов Иван\nТел. 8 912 123 42 45, +7 911 000-00-00\nОпыт работы")
    assert draft.profile.meta.gleaner.phoneE164 == "+79121234245"
    assert draft.alternatives["basics.phone"][0].value == "+7 911 000-00-00"


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("github.com/janeroe", ["github.com/janeroe"]),
        ("Web: https://www.linkedin.com/in/jane-roe-1a2b", ["https://www.linkedin.com/in/jane-roe-1a2b"]),
        ("www.janeroe.example/cv", ["www.janeroe.example/cv"]),
        ("jane@example.com | janeroe.example", ["janeroe.example"]),
        ("Telegram: t.me/jane_roe", ["t.me/jane_roe"]),
        ("linkedin.com/in/jane-\nroe-1a2b", ["linkedin.com/in/jane-roe-1a2b"]),
        ("github.com/\njaneroe", ["github.com/janeroe"]),
        ("https://github.com/janer\noe1990", ["https://github.com/janeroe1990"]),
        ("(https://janeroe.example).", ["https://janeroe.example"]),
        ("主页：https://blog.janeroe.example，电话13800138000", ["https://blog.janeroe.example"]),
    ],
)
def test_links_are_output_as_printed(text, links):
    assert links_of(draft_of(f"Jane Roe\n{text}")) == links


@pytest.mark.parametrize(
    "text", ["jane@example.com", "Node.js and ASP.NET", "I left.Then I came back", "e.g. this", "Version 2.10.3"]
)
def test_what_is_no_link_gives_none(text):
    assert links_of(draft_of(f"Jane Roe\n{text}")) == []


def test_an_employers_site_is_not_the_persons():
    draft = draft_of(
        "Jane Roe\njane@example.com\nEXPERIENCE\nAcme Ltd, www.acme.example\nEngineer 2019 - 2021\nEDUCATION\nA school"
    )
    assert links_of(draft) == []


def test_printed_text_wins_over_the_target_behind_it():
    printed_link = Word("github.com/jane", link="https://github.com/jane?tab=repositories")
    hidden = Word("LinkedIn", link="https://www.linkedin.com/in/janeroe")
    draft = draft_of(Page(1, (line_of("Jane Roe"), Line((printed_link,)), Line((hidden,)))))
    assert links_of(draft) == ["github.com/jane", "https://www.linkedin.com/in/janeroe"]


def test_a_profile_names_its_network_and_user():
    profile = draft_of("Jane Roe\nhttps://github.com/JaneRoe").profile.basics.profiles[0]
    assert (profile.network, profile.username) == ("GitHub", "JaneRoe")


def test_every_value_has_evidence_with_a_box_inside_the_page():
    page = printed_page(
        printed("Jane Roe", 0.1, 0.05, size=20),
        printed("jane@example.com ~ (415) 555-0164 ~ github.com/jane ~ Chicago", 0.1, 0.1),
    )
    draft = draft_of(page)
    values = {
        path for path, _ in leaf_paths(draft.profile.to_json()) if not path.startswith(("meta.version", "meta.gleaner.language"))
    }
    assert values == set(draft.evidence)
    box = draft.evidence["basics.email"].bbox
    assert box is not None
    assert 0.09 < box[0] < box[2] < 0.3


@pytest.mark.parametrize(
    ("text", "e164"),
    [
        ("Perth WA 6000\n0491 570 156", "+61491570156"),
        ("ul. Krótka 4, 31-146 Kraków\ntel. kom. 512 345 678", "+48512345678"),
        ("Seattle, WA 98101 · (206) 555-0142 · jane@example.com", "+12065550142"),
        ("Toronto, ON M5V 2T6\n416-555-0134", "+14165550134"),
        ("3512 JE Utrecht\n06 12345678\njane@example.nl", "+31612345678"),
        ("Nairobi, Kenya\n0712 345 678", "+254712345678"),
        ("Lagos, Nigeria\n0803 555 0147", "+2348035550147"),
        ("Ho Chi Minh City, Vietnam\n0903 123 456", "+84903123456"),
        ("Madrid, Spain\n612 34 56 78", "+34612345678"),
        ("01310-100 São Paulo, Brazil\n(11) 91234-5678", "+5511912345678"),
        ("İzmir, Türkiye\n0532 123 45 67\njane@example.com.tr", "+905321234567"),
        ("Singapore 560123\n9123 4567", "+6591234567"),
        ("69002 Lyon, France\n06 12 34 56 78", "+33612345678"),
        ("Seoul, South Korea\n010-2345-6789", "+821023456789"),
        ("Kuala Lumpur, Malaysia\n012-345 6789", "+60123456789"),
        ("Cape Town, South Africa\n083 555 0123", "+27835550123"),
    ],
)
def test_a_national_number_is_read_from_where_the_person_lives(text, e164):
    assert draft_of(f"Jane Roe\n{text}\n").profile.meta.gleaner.phoneE164 == e164


def test_an_amount_in_threes_is_no_phone():
    assert draft_of("Jane Roe\njane@example.pl\nExpected: 512 345 678 per year").profile.basics.phone is None


def test_an_agencys_number_gives_way_to_the_persons():
    text = "Prepared by Tern Recruitment, info@tern.example, +44 20 7946 0999\nJane Roe\n0131 496 0123 | jane.roe@example.co.uk"
    assert draft_of(text).profile.meta.gleaner.phoneE164 == "+441314960123"


def test_the_site_of_the_addresss_own_domain_is_a_link():
    draft = draft_of("Jane Roe\nroeworks.example | jane@roeworks.example | +44 20 7946 0123")
    assert links_of(draft) == ["roeworks.example"]
    assert draft.profile.basics.email == "jane@roeworks.example"


def test_labels_and_values_in_two_columns_belong_together_by_height():
    labels = [("Name", 0.09), ("Tel", 0.11), ("E-mail", 0.13), ("Address", 0.15)]
    values = [("Ottilie van Dalen", 0.09), ("+31 6 12345678", 0.11), ("o.vandalen@example.nl", 0.13), ("3512 JE Utrecht", 0.15)]
    page = printed_page(
        printed("Personal information", 0.1, 0.05, size=13, bold=True),
        *(printed(text, 0.15, y) for text, y in labels),
        *(printed(text, 0.34, y, block=1) for text, y in values),
    )
    basics = draft_of(page).profile.basics
    assert (basics.name, basics.email, basics.phone) == ("Ottilie van Dalen", "o.vandalen@example.nl", "+31 6 12345678")
    assert basics.location is not None
    assert basics.location.city == "Utrecht"


def test_contact_data_beside_the_name_belong_to_the_person_though_read_last():
    page = printed_page(
        printed("Jane Whitlow", 0.1, 0.04, size=20),
        printed("Experience", 0.1, 0.15, size=13, bold=True, gap=1.2),
        printed("Fitter, Acme Ltd 2019 - 2021", 0.1, 0.18),
        printed("Education", 0.1, 0.25, size=13, bold=True, gap=1.2),
        printed("BA History, Eastmoor University 2014", 0.1, 0.28),
        printed("Leeds, UK", 0.75, 0.04, block=1),
        printed("020 7946 0123", 0.75, 0.06, block=1),
        printed("jane.whitlow@example.com", 0.7, 0.08, block=1),
    )
    draft = draft_of(page)
    assert draft.profile.meta.gleaner.phoneE164 == "+442079460123"
    assert city_of(draft) == "Leeds"


@pytest.mark.parametrize(
    ("text", "phone"),
    [
        ("Emergency contact: John Roe +44 20 7946 0111\nJane Roe\n020 7946 0123", "020 7946 0123"),
        ("Next of kin (husband): 020 7946 0111\nMobile: 020 7946 0123", "020 7946 0123"),
        ("Петрова Анна\nдля связи: муж, 8 900 000-11-22\nтел. 8 900 000-33-44", "8 900 000-33-44"),
        ("王丽\n紧急联系人：李雷 13800001111\n13900002222", "13900002222"),
        ("Jane Roe\nINN 7707083893", None),
    ],
)
def test_numbers_of_others_and_of_papers_give_way(text, phone):
    assert draft_of(text).profile.basics.phone == phone


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        (["Email (old): nora88@example.com", "Email (preferred): nora.quill@example.org"], "nora.quill@example.org"),
        (["nora88@example.com (old, please don't use), nora.quill@example.org (preferred)"], "nora.quill@example.org"),
        (["nora.quill@example.org (main) / nora88@example.com (work)"], "nora.quill@example.org"),
        (["E-mail: nora88@example.com (valid until June)", "Preferred e-mail: nora.quill@example.org"], "nora.quill@example.org"),
        (["Почта: klukva77@example.ru (старая), m.klukvina@example.org (основная)"], "m.klukvina@example.org"),
        (["邮箱：lin88@example.org（备用）", "邮箱：lin.zhiyuan@example.org（常用）"], "lin.zhiyuan@example.org"),
        (["nora88@example.com (old)"], "nora88@example.com"),
    ],
)
def test_of_two_addresses_the_one_to_use_comes_first(lines: list[str], address: str) -> None:
    page = printed_page(*(printed(text, 0.1, 0.1 + 0.03 * at) for at, text in enumerate(["Nora Quill", *lines])))
    assert draft_of(page).profile.basics.email == address


def test_of_two_numbers_the_one_to_use_comes_first() -> None:
    text = "Phone: +44 7700 900123 (work), +44 7700 900555 (mobile, preferred)"
    page = printed_page(printed("Nora Quill", 0.1, 0.1), printed(text, 0.1, 0.13))
    basics = draft_of(page).profile.basics
    assert (basics.phone, basics.location) == ("+44 7700 900555", None)


@pytest.mark.parametrize(
    "address", ["P.O. Box 4411-00200, Nairobi", "PO Box 44110020", "а/я 4411002, Тверь", "邮政信箱 44110020"]
)
def test_a_box_at_the_post_office_is_no_phone(address: str) -> None:
    page = printed_page(printed("Nora Quill", 0.1, 0.1), printed(address, 0.1, 0.13))
    assert draft_of(page).profile.basics.phone is None
