"""A small PDF that unpacks without end is refused before anything follows it; large honest ones are read."""

from __future__ import annotations

import random
import zlib

import pytest

from ingest.readers import ReadLimits
from ingest.readers.pdf import read
from resumes.taxonomy import ResumeError
from tests.unit.readers.pdf_made import MadePage, pdf

_TEXT = b"BT /F1 11 Tf 60 700 Td (Ada Sample) Tj ET\n"


def packed(data, rounds=1):
    for _ in range(rounds):
        data = zlib.compress(data, 1)
    return data


def with_contents(data, filters):
    """A page whose contents are the given packed bytes."""
    made = pdf(MadePage().draw("0 g"))
    entries = b"<< /Length %d /Filter [%s] >>" % (len(data), filters)
    stream = b"\n50 0 obj\n" + entries + b"\nstream\n" + data + b"\nendstream\nendobj\n"
    before, after = made.split(b"/Contents", 1)
    return before + b"/Contents 50 0 R " + after[after.index(b"R") + 1 :] + stream


@pytest.mark.parametrize(
    ("rounds", "filters"), [(1, b"/FlateDecode"), (1, b"/Fl"), (2, b"/FlateDecode /FlateDecode"), (3, b"/Fl /Fl /Fl")]
)
def test_a_stream_that_unpacks_without_end_is_refused_as_too_large(tmp_path, rounds, filters):
    path = tmp_path / "made.pdf"
    path.write_bytes(with_contents(packed(_TEXT + b" " * 101_000_000, rounds), filters))
    assert path.stat().st_size < 600_000
    with pytest.raises(ResumeError) as caught:
        read(path, ReadLimits())
    assert caught.value.code == "too_large"


def test_a_page_with_megabytes_of_honest_drawing_is_read(tmp_path):
    chance = random.Random(5)
    drawing = "".join(f"{chance.random():.6f} {chance.random():.6f} m\n" for _ in range(10_000))
    path = tmp_path / "made.pdf"
    path.write_bytes(with_contents(packed(_TEXT + drawing.encode()), b"/FlateDecode"))
    assert path.stat().st_size > 65_536
    assert read(path, ReadLimits()).text.strip() == "Ada Sample"
