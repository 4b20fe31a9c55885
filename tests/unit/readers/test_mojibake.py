"""Text that was read in the wrong encoding before it was stored is read again; ordinary writing is left alone."""

from __future__ import annotations

import pytest

from ingest.readers.mojibake import mended, misreading
from resumes.sniff import HTML, TEXT
from tests.unit.readers.made import lines, read
from tests.unit.test_garble import WRITING

RUSSIAN = "Лебедева Нина\nМенеджер по закупкам, ООО «Север», 2015–2020\nМосковский университет"
CHINESE = "林芳\n二〇一五年至二〇二〇年在北方贸易公司任采购经理，负责供应商管理\n东方大学工商管理专业"
FRENCH = "Élodie Lefèvre\nResponsable des achats à Évreux, société Nord\nDiplômée de l'université de Besançon"
GERMAN = "Jürgen Größe\nEinkäufer für Geräte in Köln\nFührung, Verträge, Übersetzungen"


def taken(text: str, was: str, taken_for: str) -> str:
    """What programs make of text in another encoding; bytes that a code page has no character for pass as they are."""
    return "".join(
        bytes((byte,)).decode(taken_for, "ignore") or chr(byte) for byte in text.encode(was)
    ) if taken_for.startswith(("cp12", "mac")) else text.encode(was).decode(taken_for)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "was", "taken_for"),
    [
        (RUSSIAN, "utf-8", "cp1251"),
        (RUSSIAN, "utf-8", "cp1252"),
        (RUSSIAN, "utf-8", "latin-1"),
        (RUSSIAN, "cp1251", "cp1252"),
        (RUSSIAN, "cp1251", "koi8-r"),
        (RUSSIAN, "cp1251", "cp866"),
        (RUSSIAN.translate({ord("–"): "-", ord("«"): '"', ord("»"): '"'}), "koi8-r", "cp1251"),
        (RUSSIAN.translate({ord("–"): "-", ord("«"): '"', ord("»"): '"'}), "cp866", "cp1251"),
        (CHINESE, "utf-8", "cp1252"),
        (CHINESE, "utf-8", "latin-1"),
        (CHINESE, "gb18030", "cp1252"),
        (CHINESE, "gb18030", "koi8-r"),
        (FRENCH, "utf-8", "cp1252"),
        (FRENCH, "utf-8", "mac_roman"),
        (FRENCH, "cp1252", "mac_roman"),
        (FRENCH, "cp1252", "cp1251"),
        (GERMAN, "utf-8", "gb18030"),
        (GERMAN, "cp850", "cp1252"),
    ],
)
def test_what_was_read_in_the_wrong_encoding_is_read_again(tmp_path, text, was, taken_for):
    wrong = taken(text, was, taken_for)
    assert wrong != text
    assert mended(wrong) == text
    assert lines(read(TEXT, wrong.encode(), tmp_path)) == text.split("\n")
    page = "".join(f"<p>{line}</p>\n" for line in wrong.split("\n"))
    assert lines(read(HTML, f'<meta charset="utf-8">{page}'.encode(), tmp_path)) == text.split("\n")


def test_what_was_added_later_stays():
    wrong = taken(RUSSIAN, "utf-8", "cp1251")
    assert mended(f"{wrong}\n☎ 8 900 123-45-67") == f"{RUSSIAN}\n☎ 8 900 123-45-67"


@pytest.mark.parametrize("language", WRITING)
def test_writing_is_left_alone(language):
    assert misreading(WRITING[language]) is None


@pytest.mark.parametrize(
    "text", ["£480.00, £35.00, £150.00", "• one\n• two\n• three\n• four", "☎ ✉ ☎ ✉ ☎", "5 °C – 10 °C · ±2 °C"]
)
def test_signs_alone_are_left_alone(text):
    assert misreading(text) is None
