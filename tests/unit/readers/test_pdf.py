"""The PDF reader: characters, places, links, what is hidden, what is damaged."""

from __future__ import annotations

import io
import random
import re
import zlib
from pathlib import Path

import pypdf
import pytest
from PIL import Image

from ingest.page import Reading, TextQuality
from ingest.readers import ReadLimits
from ingest.readers.pdf import page_image, read
from ingest.readers.pdf_traits import traits_of
from resumes.taxonomy import ResumeError
from tests.unit.readers.pdf_made import MadePage, pdf, written

_PROSE = (
    "Ada Sample kept the accounts of a small foundry for nine years and left them in order.",
    "She speaks plainly, writes short letters and has never lost a receipt in her life.",
    "Before that she taught arithmetic to apprentices in the evenings, for very little money.",
)


@pytest.fixture
def stored(tmp_path: Path):
    def store(content: bytes) -> Path:
        path = tmp_path / "made.pdf"
        path.write_bytes(content)
        return path

    return store


def _plain() -> MadePage:
    return MadePage().show("Ada Sample", 60, 60, 20, bold=True).lines(list(_PROSE), 60, 100)


def _scan() -> bytes:
    """Grey pixels of 60 by 80 with dark dots in rows where a page has lines."""
    pixels = bytearray(b"\xf0" * 4800)
    for row in range(10, 70, 3):
        pixels[row * 60 + 6 : row * 60 + 50] = b"\x20\xf0" * 22
    return bytes(pixels)


def _read(path: Path, limits: ReadLimits | None = None) -> Reading:
    return read(path, limits or ReadLimits())


def test_words_carry_text_box_size_and_weight(stored):
    page = _read(stored(pdf(_plain()))).pages[0]

    name = page.lines[0].words[0]
    assert (name.text, name.bold, name.size) == ("Ada", True, 20)
    assert page.lines[1].words[0].bold is False
    assert name.box is not None
    assert name.box.x0 == pytest.approx(60 / 600, abs=0.005)
    assert name.box.y0 < 60 / 800 < name.box.y1
    assert (page.width, page.height, page.quality) == (600, 800, TextQuality.GOOD)
    assert [line.text for line in page.lines[1:]] == list(_PROSE)


@pytest.mark.parametrize("turned", [True, False])
def test_a_rotated_page_comes_out_upright_whichever_way_its_text_runs(stored, turned):
    made = MadePage(rotate=90, turned=turned).show("Ada Sample", 60, 60, 20).lines(list(_PROSE), 60, 100)
    path = stored(pdf(made))

    page = _read(path).pages[0]
    picture = Image.open(io.BytesIO(page_image(path, 1, ReadLimits(), dpi=72))).convert("L")

    assert [line.text for line in page.lines] == ["Ada Sample", *_PROSE]
    assert picture.size == (round(page.width or 0), round(page.height or 0))
    box = page.lines[0].box
    assert box is not None
    corner = (
        int(box.x0 * picture.width),
        int(box.y0 * picture.height),
        int(box.x1 * picture.width),
        int(box.y1 * picture.height),
    )
    assert picture.crop(corner).getextrema()[0] < 100, "the picture shows ink where the words are said to be"


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_page_shown_the_wrong_way_round_has_the_words_of_the_upright_one(stored, rotate):
    def words(turn):
        made = MadePage(rotate=turn).show("Ada Sample", 60, 60, 20).show("E-mail: m.wu@example.com", 60, 90)
        made = made.show("W A N T E D", 60, 120).lines(list(_PROSE), 60, 160)
        return [(word.text, word.box) for line in _read(stored(pdf(made))).pages[0].lines for word in line.words]

    upright, turned = words(0), words(rotate)

    assert [text for text, _ in turned] == [text for text, _ in upright]
    assert [box for _, box in turned] == [pytest.approx(box, abs=0.002) for _, box in upright]


def test_a_link_goes_to_the_words_it_covers_and_no_others(stored):
    made = _plain().show("portfolio elsewhere", 60, 200)
    made.links.append((58, 188, 105, 204, "https://ada.example.org/work"))

    line = _read(stored(pdf(made))).pages[0].lines[-1]

    assert [(word.text, word.link) for word in line.words] == [
        ("portfolio", "https://ada.example.org/work"),
        ("elsewhere", None),
    ]


def test_a_link_that_runs_something_is_not_handed_on(stored):
    made = _plain().show("portfolio", 60, 200)
    made.links.append((58, 188, 105, 204, "javascript:alert`1`"))

    assert _read(stored(pdf(made))).pages[0].lines[-1].words[0].link is None


@pytest.mark.parametrize(
    ("how", "before", "size"),
    [
        ("white on white", "1 g", 11),
        ("white outlines on white", "1 Tr 1 G", 11),
        ("drawn without a mark", "3 Tr", 11),
        ("too small to read", "", 1),
        ("dark on the same dark", "0.2 g 50 580 400 40 re f 0.2 g", 11),
    ],
)
def test_text_nobody_can_see_stays_out_of_the_lines(stored, how, before, size):
    made = _plain().show("secret keywords", 60, 200, size, before=before)

    reading = _read(stored(pdf(made)))

    assert "secret" not in reading.text, how
    assert "secret keywords" in reading.pages[0].hidden[0]
    assert reading.warnings == ("hidden_text",)
    assert reading.pages[0].quality is TextQuality.GOOD


def test_text_off_the_page_and_under_a_later_area_is_hidden(stored):
    made = _plain().show("outside", 700, 300).show("buried", 60, 400).draw("1 g 50 390 200 20 re f")

    reading = _read(stored(pdf(made)))

    assert "outside" not in reading.text
    assert "buried" not in reading.text
    assert set(" ".join(reading.pages[0].hidden).split()) == {"outside", "buried"}


def test_black_outlines_are_seen(stored):
    reading = _read(stored(pdf(_plain().show("Contact", 60, 200, before="1 Tr 0 G"))))

    assert (reading.pages[0].lines[-1].text, reading.warnings) == ("Contact", ())


def test_a_colour_is_seen_on_another_that_is_as_grey(stored):
    made = MadePage(picture=bytes([76]) * 4800).show("Ada Sample", 60, 60, 20, before="1 0 0 rg")
    made = made.lines(list(_PROSE), 60, 100)

    reading = _read(stored(pdf(made)))

    assert reading.pages[0].lines[0].text == "Ada Sample"
    assert reading.warnings == ()


def test_light_text_on_a_dark_area_is_seen(stored):
    made = _plain().show("Contact", 60, 200, before="0.1 0.2 0.3 rg 40 580 300 40 re f 1 g")

    reading = _read(stored(pdf(made)))

    assert "Contact" in reading.text
    assert reading.warnings == ()


@pytest.mark.parametrize(
    ("layer", "shown"),
    [
        ("/OFF [5 0 R]", False),
        ("/BaseState /OFF", False),
        ("/BaseState /OFF /ON [5 0 R]", True),
        ("/OFF []", True),
        ("", True),
    ],
)
def test_text_of_a_layer_is_read_if_the_layer_is_shown(stored, layer, shown):
    made = _plain()
    made.content.append("/OC /L BDC")
    made.show("other language", 60, 300)
    made.content.append("EMC")

    reading = _read(stored(pdf(made, layer=layer)))

    assert ("other language" in reading.text) is shown
    assert reading.pages[0].hidden == (() if shown else ("other language",))
    assert all(text in reading.text for text in _PROSE)


def test_layers_are_found_in_a_catalogue_that_is_packed(tmp_path):
    packed = zlib.compress(b"1 0 << /Type /Catalog /OCProperties << /D << /OFF [5 0 R] >> >> >>")
    path = tmp_path / "packed.pdf"

    path.write_bytes(b"%PDF-1.7\n9 0 obj << /Type /ObjStm /N 1 >>\nstream\r\n" + packed + b"\nendstream endobj")
    assert traits_of(path).layers_off
    path.write_bytes(b"%PDF-1.7\n9 0 obj << /Type /ObjStm /N 1 >>\nstream\r\nlocked\nendstream endobj")
    assert not traits_of(path).layers_off


def test_an_invisible_layer_over_a_scan_asks_for_ocr_and_is_no_cheating(stored):
    made = MadePage(picture=_scan())
    for number, text in enumerate(_PROSE):
        made.show(text, 60, 100 + 14 * number, before="3 Tr")

    reading = _read(stored(pdf(made)))

    assert reading.wants_ocr == (1,)
    assert reading.pages[0].quality is TextQuality.CONTRADICTING
    assert reading.pages[0].lines == ()
    assert reading.warnings == ()
    assert reading.pages[0].pictures[0].share == pytest.approx(1.0, abs=0.01)


def test_a_picture_without_text_asks_for_ocr_and_a_bare_page_does_not(stored):
    noise = random.Random(1).randbytes(4800)

    reading = _read(stored(pdf(MadePage(picture=noise), MadePage())))

    assert [page.quality for page in reading.pages] == [TextQuality.ABSENT, TextQuality.BLANK]


def test_a_scan_of_a_blank_sheet_is_blank(stored):
    assert _read(stored(pdf(MadePage(picture=b"\xf4" * 4800)))).pages[0].quality is TextQuality.BLANK


def test_a_watermark_alone_on_a_scan_is_too_little(stored):
    made = MadePage(picture=_scan()).show("Scanned with a phone", 400, 780, 8)

    assert _read(stored(pdf(made))).pages[0].quality is TextQuality.SPARSE


def test_letters_drawn_twice_to_look_bold_are_read_once(stored):
    made = _plain().show("Bookkeeper", 60, 200).show("Bookkeeper", 60.3, 200)

    assert _read(stored(pdf(made))).text.count("Bookkeeper") == 1


def test_lines_drawn_again_after_others_to_look_bold_are_read_once(stored):
    made = _plain()
    for shift in (0, 0.4):
        made.lines([f"Bookkeeper number {number} of Northmoor" for number in range(12)], 60 + shift, 200)

    text = _read(stored(pdf(made))).text

    assert (text.count("Bookkeeper"), text.count("Northmoor")) == (12, 12)


def test_double_letters_of_condensed_type_are_both_read(stored):
    made = _plain().show("Hillsell Illinois Hall", 60, 200, before="45 Tz")

    assert _read(stored(pdf(made))).pages[0].lines[-1].text == "Hillsell Illinois Hall"


def test_text_that_runs_up_the_margin_comes_after_the_rest(stored):
    made = _plain()
    made.content.append("BT /F1 11 Tf 0 1 -1 0 30 300 Tm (Curriculum vitae) Tj ET")

    texts = [line.text for line in _read(stored(pdf(made))).pages[0].lines]

    assert texts == ["Ada Sample", *_PROSE, "Curriculum vitae"]


def test_a_watermark_over_the_text_is_not_glued_to_its_words(stored):
    made = _plain().show("DRAFT", 55, 130, 50, before="0.8 g")

    assert [line.text for line in _read(stored(pdf(made))).pages[0].lines] == ["Ada Sample", *_PROSE, "DRAFT"]


def test_a_running_header_and_page_numbers_are_marked(stored):
    pages = []
    for number in (1, 2):
        page = MadePage().show("Ada Sample - Resume", 400, 30, 9).lines([f"{text} {number}" for text in _PROSE], 60, 100)
        pages.append(page.show(f"Page {number} of 2", 280, 780, 9))

    for page in _read(stored(pdf(*pages))).pages:
        assert [line.style for line in page.lines] == ["header", "", "", "", "footer"]


def test_bytes_before_the_header_do_no_harm(stored):
    assert "Ada Sample" in _read(stored(pdf(_plain(), junk=b"\xef\xbb\xbfmail gateway was here\r\n"))).text


@pytest.mark.parametrize("content", [b"no header at all", b"%PDF-1.7\n" + random.Random(2).randbytes(3000), b"%PDF-1.7"])
def test_what_is_no_pdf_is_corrupt(stored, content):
    with pytest.raises(ResumeError) as caught:
        _read(stored(content))
    assert caught.value.code == "corrupt"


def test_a_page_tree_that_holds_itself_is_corrupt(stored):
    content = written([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 1 /Kids [2 0 R] >>"])

    with pytest.raises(ResumeError) as caught:
        _read(stored(content))
    assert caught.value.code == "corrupt"


@pytest.mark.parametrize("count", [9, 999_999])
def test_pages_that_are_counted_and_not_there_are_no_reason_to_lose_the_others(stored, count):
    reading = _read(stored(pdf(_plain()).replace(b"/Count 1", b"/Count %d" % count)))

    assert [line.text for line in reading.pages[0].lines] == ["Ada Sample", *_PROSE]
    assert (len(reading.pages), reading.warnings) == (1, ("repaired",))


@pytest.mark.parametrize("place", [b"99999", b"99999999999999999999", b"-1", b"nowhere"])
def test_a_wrong_cross_reference_is_rebuilt(stored, place):
    content = pdf(_plain())
    start = content.rindex(b"startxref\n") + 10

    assert "Ada Sample" in _read(stored(content[:start] + place + b"\n%%EOF\n")).text


def test_a_file_cut_off_in_its_pages_gives_those_that_are_there_with_a_warning(stored):
    content = pdf(_plain(), MadePage().lines(list(_PROSE), 60, 100))
    second = content.rindex(b"/Type /Page ")

    reading = _read(stored(content[: second - 40]))

    assert [line.text for line in reading.pages[0].lines] == ["Ada Sample", *_PROSE]
    assert (len(reading.pages), reading.warnings) == (1, ("cut_off",))


@pytest.mark.parametrize(
    ("algorithm", "password", "identity", "code"),
    [
        ("AES-256", "", True, None),
        ("AES-256", "", False, None),  # its key does without what the trailer says
        ("AES-256", "secret", True, "encrypted"),
        ("AES-128", "", True, None),
        ("AES-128", "", False, "encrypted"),
        ("AES-128", "secret", True, "encrypted"),
        ("RC4-128", "secret", False, "encrypted"),
    ],
)
def test_an_encrypted_file_that_is_cut_off_is_no_blank_page(stored, algorithm, password, identity, code):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(_plain())))
    writer.encrypt(password, "owner", algorithm=algorithm)
    buffer = io.BytesIO()
    writer.write(buffer)
    content = buffer.getvalue()
    named = re.search(rb"/ID\s*\[.*?\]", content, re.DOTALL)
    assert named
    cut = content[: content.rindex(b"xref", 0, content.rindex(b"startxref"))].replace(b"/Catalog", b"/Lost")
    path = stored(cut + (b"trailer\n<< " + named[0] + b"\n" if identity else b""))

    if code is None:
        reading = _read(path)
        assert ("Ada Sample" in reading.text, reading.warnings) == (True, ("cut_off",))
    else:
        with pytest.raises(ResumeError) as caught:
            _read(path)
        assert caught.value.code == code


def test_an_empty_file_is_called_empty(stored):
    with pytest.raises(ResumeError) as caught:
        _read(stored(b""))
    assert caught.value.code == "empty_file"


def test_what_is_typed_into_a_form_is_read_beside_its_label(stored):
    made = _plain().show("Telephone:", 60, 300)
    made.fields.append((160, 304, "020 7946 0000"))

    assert _read(stored(pdf(made))).pages[0].lines[-1].text == "Telephone: 020 7946 0000"


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ("/FT /Tx /V (020 7946 0000)", "020 7946 0000"),
        (f"/FT /Tx /V <FEFF{'Ада Пример'.encode('utf-16-be').hex()}>", "Ада Пример"),
        ("/FT /Ch /Ff 131072 /Opt [(by day) (by night)] /V (by night)", "by night"),
    ],
)
def test_what_is_typed_into_a_form_is_read_where_the_file_has_no_picture_of_it(stored, entries, text):
    made = _plain().show("Telephone:", 60, 300)
    made.bare_fields.append((160, 304, f"/T (a) /DA (/F1 11 Tf 0 g) {entries}"))

    assert _read(stored(pdf(made))).pages[0].lines[-1].text == f"Telephone: {text}"


def test_a_dash_of_a_font_without_ascent_stays_on_its_line(stored):
    """Type 3 fonts give the bare shape of a character as its box: a dash is a hairline halfway up."""
    content = _with_type3_dash(pdf(_plain().show("2019", 60, 300).show("2022", 110, 300)))

    assert _read(stored(content)).pages[0].lines[-1].text == "2019 - 2022"


def test_too_many_pages_are_refused_before_they_are_read(stored):
    path = stored(pdf(*(MadePage() for _ in range(4))))

    with pytest.raises(ResumeError) as caught:
        _read(path, ReadLimits(max_pages=3))
    assert caught.value.code == "too_many_pages"


@pytest.mark.parametrize(("password", "code"), [("", None), ("secret", "encrypted")])
@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_only_a_password_for_opening_is_an_obstacle(stored, tmp_path, password, code, algorithm):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(_plain())))
    writer.encrypt(password, "owner", algorithm=algorithm)
    path = tmp_path / "locked.pdf"
    writer.write(path)

    if code is None:
        assert "Ada Sample" in _read(path).text
    else:
        with pytest.raises(ResumeError) as caught:
            _read(path)
        assert caught.value.code == code


def test_a_page_image_keeps_to_the_pixel_limit(stored):
    path = stored(pdf(_plain()))

    picture = Image.open(io.BytesIO(page_image(path, 1, ReadLimits(max_pixels=500_000), dpi=300)))

    assert picture.width * picture.height <= 510_000
    with pytest.raises(ResumeError) as caught:
        page_image(path, 1, ReadLimits(max_pixels=1_000))
    assert caught.value.code == "too_large"


def test_a_picture_beyond_the_pixel_limit_is_never_unpacked(stored):
    limits = ReadLimits(max_pixels=4_000)
    path = stored(pdf(MadePage(picture=_scan())))

    for attempt in (lambda: read(path, limits), lambda: page_image(path, 1, limits)):
        with pytest.raises(ResumeError) as caught:
            attempt()
        assert caught.value.code == "too_large"
    with_text = stored(pdf(_plain(), MadePage(picture=None)))
    assert "Ada Sample" in _read(with_text, limits).text


def test_a_page_cropped_to_nothing_is_read_and_not_drawn(stored):
    path = stored(pdf(MadePage().show("Ada", 60, 60)).replace(b"[0 0 600 800]", b"[0 0 600 800] /CropBox [700 900 900 1800]"))

    assert _read(path).pages[0].quality is not TextQuality.GOOD
    with pytest.raises(ResumeError, match="corrupt"):
        page_image(path, 1, ReadLimits())


def test_there_is_no_picture_of_a_page_that_does_not_exist(stored):
    with pytest.raises(ResumeError):
        page_image(stored(pdf(_plain())), 2, ReadLimits())


def test_letters_mapped_three_places_off_are_garbled(stored):
    made = MadePage().lines(
        ["".join(chr(ord(char) + 3) if char.isalpha() else char for char in text) for text in _PROSE], 60, 100
    )

    assert _read(stored(pdf(made))).pages[0].quality is TextQuality.GARBLED


def _with_type3_dash(content: bytes) -> bytes:
    """The made page with a dash from a Type 3 font between 2019 and 2022."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(content))
    glyph = pypdf.generic.StreamObject()
    glyph.set_data(b"600 0 0 250 600 300 d1 0 250 600 50 re f")
    font = pypdf.generic.DictionaryObject()
    name, number, array = pypdf.generic.NameObject, pypdf.generic.NumberObject, pypdf.generic.ArrayObject
    font.update(
        {
            name("/Type"): name("/Font"),
            name("/Subtype"): name("/Type3"),
            name("/FontBBox"): array([number(0)] * 4),
            name("/FontMatrix"): array([pypdf.generic.FloatObject(value) for value in (0.001, 0, 0, 0.001, 0, 0)]),
            name("/CharProcs"): pypdf.generic.DictionaryObject({name("/hyphen"): writer._add_object(glyph)}),
            name("/Encoding"): pypdf.generic.DictionaryObject({name("/Differences"): array([number(45), name("/hyphen")])}),
            name("/FirstChar"): number(45),
            name("/LastChar"): number(45),
            name("/Widths"): array([number(600)]),
        }
    )
    page = writer.pages[0]
    page["/Resources"]["/Font"][name("/F3")] = font
    drawn = pypdf.generic.StreamObject()
    drawn.set_data(page.get_contents().get_data() + b" BT /F3 11 Tf 92 500 Td (-) Tj ET")
    page[name("/Contents")] = writer._add_object(drawn)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_broken_file_is_not_called_encrypted_because_the_one_before_it_was(tmp_path):
    """pdfium has one error code for all documents, and some failures leave it as it was."""
    locked, lost = tmp_path / "locked.pdf", tmp_path / "lost.pdf"
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(_plain())))
    writer.encrypt("secret")
    writer.write(locked)
    lost.write_bytes(re.sub(rb"/Pages \d+ 0 R", b"/Pages 99 0 R", pdf(_plain())))

    def outcome(path: Path) -> object:
        try:
            return _read(path).warnings
        except ResumeError as exc:
            return exc.code

    first = outcome(lost)
    assert first != "encrypted"
    assert outcome(locked) == "encrypted"
    assert outcome(lost) == first
