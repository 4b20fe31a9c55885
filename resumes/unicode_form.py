"""Tells by its bytes whether text is in a form of Unicode and which one, with or without a byte order mark.

Older encodings all look alike without reading the text; that is `resumes.charset`.
"""

from __future__ import annotations

import codecs

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
          (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
_SAMPLE = 65_536
_TOLERATED_FAULTS = 0.1
"""Share of broken sequences that a UTF-8 text may have (cut in the middle of a character, a stray byte pasted in)."""
_STRAY_CONTROLS = 3
"""Old systems leave a few in their exports."""
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1a\x1b")) + b"\x7f"


def unicode_codec(data: bytes) -> str | None:
    """The name of the codec, None where the bytes are in no form of Unicode. Plain ASCII is UTF-8."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return codec
    sample = data[:_SAMPLE]
    return _wide_codec(sample) if b"\0" in sample.rstrip(b"\0") else "utf-8" if _is_utf8(sample) else None


def is_binary(data: bytes) -> bool:
    """Whether the bytes are no text at all: control characters where text has none."""
    sample = data[:_SAMPLE]
    codec = unicode_codec(sample)
    if codec and not codec.startswith("utf-8"):
        text = sample[: len(sample) & ~3].decode(codec, "replace")
        return sum(char == "\ufffd" or (ord(char) < 32 and char not in "\t\n\v\f\r") for char in text) * 50 > len(text)
    sample = sample.rstrip(b"\0")  # old systems fill their blocks up
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls > max(_STRAY_CONTROLS, len(sample) / 200)


def _is_utf8(sample: bytes) -> bool:
    text = sample.decode("utf-8", "replace")
    faults = text.count("\ufffd")
    wide = sum(char > "\x7f" for char in text) - faults
    return faults <= wide * _TOLERATED_FAULTS


def _wide_codec(sample: bytes) -> str | None:
    """UTF-32 or UTF-16 without a mark: line ends, digits and spaces put zeros at the same places of every unit."""
    if sample.count(0) * 4 < len(sample) and sample.isascii():
        return "utf-8"  # a few zeros gone astray; of a wide form with so few, the other bytes are anything but ASCII
    sample = sample[: len(sample) & ~3]
    zeros = [sample[start::4].count(0) for start in range(4)]
    quarter = len(sample) / 4 or 1
    if min(zeros[2], zeros[3]) > quarter * 0.9 and zeros[0] < quarter * 0.1:
        return "utf-32-le"
    if min(zeros[0], zeros[1]) > quarter * 0.9 and zeros[3] < quarter * 0.1:
        return "utf-32-be"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    for codec, ours, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if ours > others * 20 and _reads_as_text(sample.decode(codec, "replace")):
            return codec
    return None


def _reads_as_text(text: str) -> bool:
    """Whether nearly all characters are of kinds that resumes are written with."""
    good = sum(
        char in "\t\r\n" or " " <= char <= "~" or "\xa0" <= char <= "\u052f" or "\u2010" <= char <= "\u27bf"
        or "\u3000" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" or "\uff00" <= char <= "\uffef"
        for char in text
    )  # fmt: skip
    return good >= len(text) * 0.95
