"""Ways of drawing text on a PDF page so that nobody sees it, and ways that look like them and are seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.page import Reading
from ingest.readers import ReadLimits, pdf_marks
from ingest.readers.pdf import read
from tests.unit.readers.pdf_made import MadePage, pdf

_PROSE = (
    "Ada Sample kept the accounts of a small foundry for nine years and left them in order.",
    "She speaks plainly, writes short letters and has never lost a receipt in her life.",
)
_FORM = "/Type /XObject /Subtype /Form /BBox [0 0 600 800]"
_GROUP = f"{_FORM} /Group << /S /Transparency /CS /DeviceGray >>"
_TEXT = "BT /F1 11 Tf 60 600 Td (secret keywords) Tj ET"
_SHADING = (
    "/Shading << /S << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 0] /Extend [true true]"
    " /Function << /FunctionType 2 /Domain [0 1] /N 1 /C0 [%s] /C1 [%s] >> >> >>"
    " /Pattern << /P1 << /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 0]"
    " /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /N 1 /C0 [%s] /C1 [%s] >> >> >> >>"
)
_WHITE, _DARK = "1 1 1", "0.1 0.2 0.3"


def _plain() -> MadePage:
    return MadePage().show("Ada Sample", 60, 60, 20, bold=True).lines(list(_PROSE), 60, 100)


def _read(tmp_path: Path, made: MadePage) -> Reading:
    path = tmp_path / "made.pdf"
    path.write_bytes(pdf(made))
    return read(path, ReadLimits())


def _with(content: str, resources: str = "", *streams: tuple[str, str]) -> MadePage:
    made = _plain()
    made.resources = resources
    made.streams += streams
    return made.draw(content)


_STATE = "/ExtGState << /G << %s >> >>"


def _with_note() -> MadePage:
    made = _with(_TEXT, "", (_FORM.replace("600 800", "300 40"), "1 g 0 0 300 40 re f"))
    made.notes.append("/Subtype /Square /F 4 /Rect [40 590 340 630] /AP << /N {X1} >>")
    return made


_HIDDEN = {
    "an empty clip path": lambda: _with(f"0 0 0 0 re W n {_TEXT}"),
    "a clip path beside it": lambda: _with(f"300 300 50 50 re W n {_TEXT}"),
    "clip paths that have nothing in common": lambda: _with(f"0 590 59 30 re W n 60 590 300 30 re W n {_TEXT}"),
    "a clip path of another shape": lambda: _with(f"0 0 m 50 0 l 20 50 l h W n {_TEXT}"),
    "a clip path that shows a hair of it": lambda: _with(f"0 599 600 0.6 re W n {_TEXT}"),
    "a clip path of letters elsewhere": lambda: _with(f"BT /F1 9 Tf 7 Tr 60 300 Td (x) Tj ET {_TEXT.replace('Td', 'Td 0 Tr')}"),
    "a soft mask of nothing": lambda: _with(
        f"/G gs {_TEXT}", _STATE % "/SMask << /S /Luminosity /G {X1} >>", (_GROUP, "0 g 0 0 600 800 re f")
    ),
    "no opacity": lambda: _with(f"/G gs {_TEXT}", _STATE % "/ca 0"),
    "hardly any opacity": lambda: _with(f"/G gs {_TEXT}", _STATE % "/ca 0.06"),
    "a form without opacity": lambda: _with("/G gs /X1 Do", _STATE % "/ca 0", (_FORM, _TEXT)),
    "a group without opacity": lambda: _with("/G gs /X1 Do", _STATE % "/ca 0", (_GROUP, _TEXT)),
    "a form under a soft mask": lambda: _with(
        "/G gs /X1 Do", _STATE % "/SMask << /S /Luminosity /G {X2} >>", (_FORM, _TEXT), (_GROUP, "0 g 0 0 600 800 re f")
    ),
    "a form whose box is elsewhere": lambda: _with("/X1 Do", "", (_FORM.replace("600 800", "50 50"), _TEXT)),
    "a form that is clipped": lambda: _with("0 0 20 20 re W n /X1 Do", "", (_FORM, _TEXT)),
    "a way of blending that keeps the paper": lambda: _with(f"1 g 40 560 300 90 re f /G gs 0 g {_TEXT}", _STATE % "/BM /Screen"),
    "a pattern like the paper": lambda: _with(f"/Pattern cs /P1 scn {_TEXT}", _SHADING % (_WHITE, _WHITE, _WHITE, _WHITE)),
    "white over a dark area that is clipped away": lambda: _with(f"q 0 0 9 9 re W n 0 g 40 580 300 60 re f Q 1 g {_TEXT}"),
    "white over a dark area that blending leaves white": lambda: _with(
        f"1 g 40 560 300 90 re f q /G gs 0 g 40 580 300 60 re f Q 1 g {_TEXT}", _STATE % "/BM /Screen /ca 0.9"
    ),
    "white in the corner of a dark shape": lambda: _with(f"0 g 40 400 m 400 400 l 400 640 l h f 1 g {_TEXT}"),
    "a shading in its own colour behind it": lambda: _with(
        f"q 40 580 300 60 re W n /S sh Q {_DARK} rg {_TEXT}", _SHADING % (_DARK, _DARK, _DARK, _DARK)
    ),
    "a shading over it": lambda: _with(f"{_TEXT} q 40 580 300 60 re W n /S sh Q", _SHADING % (_WHITE, _WHITE, _WHITE, _WHITE)),
    "a round shape over it": lambda: _with(f"{_TEXT} 1 g 0 550 m 0 690 400 690 400 550 c h f"),
    "a note over it": _with_note,
    "no height": lambda: _with("BT /F1 11 Tf 1 0 0 0.01 60 600 Tm (secret keywords) Tj ET"),
    "no width": lambda: _with("BT /F1 11 Tf 0.02 0 0 1 60 600 Tm (secret keywords) Tj ET"),
    "no width by scaling": lambda: _with("BT /F1 11 Tf 1 Tz 60 600 Td (secret keywords) Tj ET"),
    "a slant that leaves a line": lambda: _with("BT /F1 11 Tf 1 1 1 1.001 60 600 Tm (secret keywords) Tj ET"),
    "unseen text where seen text stands": lambda: _with(
        f"/X1 Do /G gs {_TEXT}", _STATE % "/ca 0.01", (_GROUP, _TEXT.replace("secret keywords", "Book keeping at"))
    ),
}


@pytest.mark.parametrize("how", _HIDDEN)
def test_text_nobody_sees_is_kept_apart_however_it_is_drawn(tmp_path, how):
    reading = _read(tmp_path, _HIDDEN[how]())

    assert "secret" not in reading.text
    assert "secretkeywords" in "".join(reading.pages[0].hidden).replace(" ", "")
    assert reading.warnings == ("hidden_text",)
    assert all(line in reading.text for line in _PROSE)


_SEEN = {
    "inside a clip path": lambda: _with(f"50 590 300 30 re W n {_TEXT}"),
    "in a clip path of another shape": lambda: _with(f"0 0 m 600 0 l 600 800 l 0 800 l 0 400 l h W n {_TEXT}"),
    "with the ends of its letters clipped": lambda: _with(f"50 598 300 30 re W n {_TEXT}"),
    "under a soft mask that lets it through": lambda: _with(
        f"/G gs {_TEXT}", _STATE % "/SMask << /S /Luminosity /G {X1} >>", (_GROUP, "1 g 0 0 600 800 re f")
    ),
    "half transparent": lambda: _with(f"/G gs {_TEXT}", _STATE % "/ca 0.5"),
    "in a group that is half transparent": lambda: _with("/G gs /X1 Do", _STATE % "/ca 0.5", (_GROUP, _TEXT)),
    "multiplied": lambda: _with(f"/G gs 0 g {_TEXT}", _STATE % "/BM /Multiply"),
    "in a pattern that runs from blue to red": lambda: _with(
        f"/Pattern cs /P1 scn {_TEXT}", _SHADING % ("0 0 1", "1 0 0", "0 0 1", "1 0 0")
    ),
    "light grey": lambda: _with(f"0.8 g {_TEXT}"),
    "light grey over a shading": lambda: _with(
        f"q 40 580 300 60 re W n /S sh Q 0.75 g {_TEXT}", _SHADING % (_WHITE, _WHITE, _WHITE, _WHITE)
    ),
    "white on a dark sidebar": lambda: _with(f"{_DARK} rg 0 0 300 680 re f 1 g {_TEXT}"),
    "white on a dark round shape": lambda: _with(f"0 g 0 500 m 0 720 400 720 400 500 c h f 1 g {_TEXT}"),
    "white on a half transparent area": lambda: _with(f"/G gs 0 g 40 580 300 60 re f 1 g {_TEXT}", _STATE % "/ca 0.7"),
    "white on a dark shading": lambda: _with(
        f"q 40 580 300 60 re W n /S sh Q 1 g {_TEXT}", _SHADING % (_DARK, _DARK, _DARK, _DARK)
    ),
    "a highlighter over it": lambda: _with(f"{_TEXT} /G gs 1 1 0 rg 50 590 200 20 re f", _STATE % "/BM /Multiply"),
    "narrow type": lambda: _with("BT /F1 11 Tf 60 Tz 60 600 Td (secret keywords) Tj ET"),
    "slanted type": lambda: _with("BT /F1 11 Tf 1 0 0.3 1 60 600 Tm (secret keywords) Tj ET"),
}


@pytest.mark.parametrize("how", _SEEN)
def test_text_people_see_is_read_however_it_is_drawn(tmp_path, how):
    reading = _read(tmp_path, _SEEN[how]())

    assert "secret keywords" in reading.text
    assert reading.warnings == ()
    assert reading.pages[0].hidden == ()


def test_a_watermark_behind_the_text_hides_nothing(tmp_path):
    made = MadePage(resources=_STATE % "/ca 0.2")
    made.draw("/G gs 0.5 g BT /F1 90 Tf 60 600 Td (SPECIMEN) Tj ET").lines(list(_PROSE) * 6, 60, 120)

    reading = _read(tmp_path, made)

    assert reading.warnings == ()
    assert reading.text.count("foundry") == 6


@pytest.mark.parametrize("ground", ["1 g 60 590 40 30 re f", "1 g 93 590 60 30 re f"])
def test_of_a_text_partly_covered_the_rest_is_read(tmp_path, ground):
    reading = _read(tmp_path, _with(f"BT /F1 11 Tf 60 600 Td (secret keywords) Tj ET {ground}"))

    (seen, hidden) = ("keywords", "secret") if " 60 590" in ground else ("secret", "keywords")
    assert hidden in reading.pages[0].hidden[0]
    assert reading.pages[0].lines[-1].text.startswith(seen[:4]) or reading.pages[0].lines[-1].text.endswith(seen[-4:])
    assert hidden not in reading.text


def test_white_text_that_begins_on_a_dark_area_is_read_as_far_as_that_goes(tmp_path):
    reading = _read(tmp_path, _with("0 g 50 590 43 30 re f 1 g BT /F1 11 Tf 60 600 Td (Skills keywords) Tj ET"))

    assert reading.pages[0].lines[-1].text.startswith("Skills")
    assert "words" not in reading.text


@pytest.mark.parametrize(
    ("drawn", "said", "text", "warned"),
    [
        ("Waiter", "Chief Executive", "Waiter", True),
        ("Waiter", "Waiter and Kubernetes expert", "Waiter", True),
        ("office", "office", "office", False),
        ("book-", "book", "book-", False),
        ("o", r"\000o", "o", False),
    ],
)
@pytest.mark.parametrize("by_name", [False, True])
def test_what_a_text_is_said_to_be_does_not_stand_for_what_is_drawn(tmp_path, drawn, said, text, warned, by_name):
    entries = f"<< /ActualText ({said}) >>"
    mark, resources = ("/M", f"/Properties << /M {entries} >>") if by_name else (entries, "")
    made = _plain()
    made.resources = resources
    made.draw(f"/Span {mark} BDC BT /F1 11 Tf 60 600 Td ({drawn}) Tj ET EMC")

    reading = _read(tmp_path, made)

    assert reading.pages[0].lines[-1].text.replace("-", "") == text.replace("-", "")
    assert ("hidden_text" in reading.warnings) is warned
    assert (said in " ".join(reading.pages[0].hidden)) is warned


def test_a_letter_a_mark_stands_for_is_found_in_its_place_in_a_form_of_another_scale(tmp_path):
    made = _plain()
    drawn = "BT /F1 44 Tf 4 8 Td /Span << /ActualText (C) >> BDC (C) Tj EMC (hang) Tj ET"
    made.streams.append(("/Type /XObject /Subtype /Form /BBox [0 0 2400 3200]", drawn))
    made.draw("q 0.25 0 0 0.25 59 598 cm /X1 Do Q")

    reading = _read(tmp_path, made)

    assert reading.pages[0].lines[-1].text == "Chang"
    assert reading.warnings == ()


@pytest.mark.parametrize("radical", ["\u2e83", "\u2ed1", "\u2f3e", "\u2fd5"])
def test_a_radical_that_a_font_gives_may_stand_for_an_ideograph(radical):
    assert pdf_marks._agree(radical, "户")
    assert not pdf_marks._agree("客" + radical, "经理")


@pytest.mark.parametrize(("flags", "shown"), [(4, True), (0, True), (1, True), (2, False), (32, False), (36, False), (6, False)])
def test_form_fields_are_read_if_they_are_shown_on_a_screen(tmp_path, flags, shown):
    made = _plain()
    made.fields.append((60, 400, "Ada Sample ACCA"))
    path = tmp_path / "made.pdf"
    path.write_bytes(pdf(made).replace(b"/FT /Tx /F 4", b"/FT /Tx /F %d" % flags))

    reading = read(path, ReadLimits())

    assert ("ACCA" in reading.text) is shown
