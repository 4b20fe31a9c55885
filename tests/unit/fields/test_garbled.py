"""A page whose text was lost gives no values, whatever still looks like one."""

from __future__ import annotations

import pytest

from ingest.fields import extract_fields
from ingest.fields.draft import Hints
from tests.unit.fields.pages import AS_OF, text_page

LOST = "\ufffd" * 12
GARBLED = [
    f"{LOST}\nJane Roe\n{LOST} 2018 - 2020 {LOST}\n020 7946 0111",
    "(cid:12)(cid:44)(cid:3) (cid:9)\n(cid:12)(cid:7)(cid:81) 2018 - 2020\nJane Roe +44 20 7946 0111",
    "\ue001\ue002\ue003\ue004 \ue005\ue006\ue007\n王小明 13800138000 \ue001\ue002\ue003\ue004\ue005",
    "?????? ???? ????????\n???????: +7 922 111-11-11\n???? ?????? 2018 - 2020 ??? ??????",
]


@pytest.mark.parametrize("text", GARBLED)
def test_lost_text_gives_nothing(text):
    draft = extract_fields([text_page(text)], Hints(as_of=AS_OF))
    assert draft.evidence == {}
    assert draft.alternatives == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Jane Roe", "\ue001 +44 20 7946 0111\n\ue002 Leeds\n\ue003 Really???"),
        ("Иванова Анна Петровна", "\ue001 +7 922 111-11-11\n\uf0b7 Опыт\n\uf0b7 Работа"),
        ("王小明", "\ue001 13800138000\n\uf0b7 会计工作\n\ufffd"),
    ],
)
def test_icons_and_bullets_of_a_fonts_own_are_no_loss(name, text):
    draft = extract_fields([text_page(f"{name}\n{text}")], Hints(as_of=AS_OF))
    assert draft.profile.basics.name == name
    assert draft.profile.basics.phone is not None


def test_a_lost_page_takes_nothing_from_the_others():
    draft = extract_fields([text_page("Jane Roe\n+44 20 7946 0111"), text_page(GARBLED[3])], Hints(as_of=AS_OF))
    assert (draft.profile.basics.name, draft.profile.basics.phone) == ("Jane Roe", "+44 20 7946 0111")
