from __future__ import annotations

import struct

import pytest

from ingest.readers.rtf_packed import unpack
from resumes.taxonomy import ResumeError


def test_the_example_of_the_specification_unpacks():
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c09002062770 5b06c647d0a800fa0".replace(" ", "")
    )
    assert unpack(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


def test_what_is_no_packed_text_is_corrupt():
    for data in (b"", struct.pack("<4I", 0, 0, 1, 0)):
        with pytest.raises(ResumeError, match="corrupt"):
            unpack(data)
