"""The code pages of an RTF document: its own, and those of its fonts."""

from __future__ import annotations

import re

from resumes.charset import known_codec

_CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "big5hkscs", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
    254: "cp437", 255: "cp850",
}  # fmt: skip


class Fonts:
    """The font table and what it says of the bytes set in each font."""

    def __init__(self) -> None:
        self._of: dict[int, str] = {}
        self._at = 0  # the one being defined
        self._default = -1
        self._document = "cp1252"

    def word(self, word: str, number: int | None, *, defining: bool) -> bool:
        """Take in a control word; whether it is one of fonts or code pages. `defining`: it stands in the font table."""
        if word == "f":
            self._at = number or 0
        elif word == "deff":
            self._default = number or 0
        elif word in ("fcharset", "cpg") and defining:
            page = _CHARSETS.get(number or 0, "") if word == "fcharset" else _code_page(number)
            self._of[self._at] = page if number else ""
        elif word == "ansicpg":
            self._document = _code_page(number)
        elif word in ("mac", "pc", "pca"):
            self._document = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[word]
        else:
            return False
        return True

    def name(self, text: str) -> None:
        """Take in the name of the font being defined: old ones tell by it that they are Cyrillic."""
        if re.search(r"\bCYR\b", text, re.IGNORECASE):
            self._of[self._at] = "cp1251"

    def codec_of(self, number: int) -> str:
        """The codec of a font, empty where it says nothing."""
        return self._of.get(number, "")

    @property
    def default(self) -> str:
        """The codec of what is set in no font that says one."""
        return self._of.get(self._default) or self._document


def _code_page(number: int | None) -> str:
    names = {936: "gb18030", 950: "big5hkscs", 10000: "mac_roman", 10007: "mac_cyrillic", 65001: "utf-8"}
    return known_codec(names.get(number or 0, f"cp{number}")) or "cp1252"
