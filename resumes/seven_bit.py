"""Encodings that write everything in seven bits, so that any of them looks like plain English at first sight."""

from __future__ import annotations

import re

_MARKS = (
    (re.compile(rb"\x1b\$\)C"), "iso2022_kr"),
    (re.compile(rb"\x1b\$[@B]|\x1b\([IJ]"), "iso2022_jp_2"),
    (re.compile(rb"~\{(?:[!-}][!-~])+~\}"), "hz"),
    (re.compile(rb"\+[A-Za-z0-9+/]{3,}(?![A-Za-z0-9+/])"), "utf-7"),
)
_SAMPLE = 65_536


def seven_bit_candidate(data: bytes) -> tuple[str, str] | None:
    """The codec whose marks stand in the bytes and that can decode them, with a sample of the text; None for the rest.

    A telephone number with its plus sign has the marks of UTF-7: whether the text is likely, the caller judges.
    """
    sample = data[:_SAMPLE]
    sample = sample[: sample.rfind(b"\n") + 1] if len(data) > _SAMPLE else sample
    if not sample.isascii():
        return None
    for mark, codec in _MARKS:
        if mark.search(sample):
            try:
                return codec, sample.decode(codec)
            except UnicodeError:
                continue
    return None
