"""A page OCR turned upright is shown turned upright, so that the boxes of its words lie where its words are."""

import io

import pytest
from django.urls import reverse
from PIL import Image

from resumes import intake
from resumes.models import Extraction
from review import cases, originals

pytestmark = pytest.mark.django_db


@pytest.fixture
def scan():
    """A white sheet lying on its side, with one black corner to tell which way up it is."""
    sheet = Image.new("L", (300, 200), 255)
    sheet.paste(0, (0, 0, 40, 40))
    content = io.BytesIO()
    sheet.save(content, "PNG")
    return intake.receive(io.BytesIO(content.getvalue()), "scan.png", intake.Sender())


def read_as(resume, degrees: float) -> Extraction:
    reading = {
        "v": 1,
        "warnings": [],
        "title": "",
        "pages": [{"n": 1, "w": 1.0, "h": 1.0, "q": "good", "l": [], "p": [], "hid": [], "notes": {"turned": degrees}}],
    }
    return Extraction.objects.create(resume=resume, run=1, packed_reading=Extraction.pack(reading))


@pytest.mark.parametrize(("degrees", "corner"), [(0, (5, 5)), (90, (-5, 5)), (180, (-5, -5)), (270, (5, -5))])
def test_the_picture_is_turned_as_far_as_ocr_turned_the_page(scan, degrees, corner):
    found = read_as(scan, float(degrees))
    assert originals.turned(found, 1) == degrees
    shown = Image.open(io.BytesIO(originals.picture(scan.document, 1, degrees)))
    x, y = (value % size for value, size in zip(corner, shown.size, strict=True))
    assert shown.convert("L").getpixel((x, y)) < 50
    assert (shown.width > shown.height) == (degrees in (0, 180))


def test_every_look_at_an_original_on_the_workbench_is_on_record(scan, people, signed_in, caplog):
    case = cases.open_case(scan, "blank_document")
    client = signed_in("reviewer")
    paths = [reverse("admin:review_work", args=[case.pk]), reverse("admin:review_picture", args=[case.pk, 1])]
    with caplog.at_level("INFO"):
        assert [client.get(path).status_code for path in paths] == [200, 200]
    records = [str(record.msg) for record in caplog.records if "original_opened" in str(record.msg)]
    assert [("workbench" in record, "picture" in record) for record in records] == [(True, False), (False, True)]
    assert all(str(scan.pk) in record and f"'user': {people['reviewer'].pk}" in record for record in records)


def test_the_name_of_a_picture_tells_how_far_it_was_turned(scan):
    assert originals.etag(scan.document, 1, 0) != originals.etag(scan.document, 1, 90)
