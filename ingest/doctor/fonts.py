"""Fonts of this machine: pages whose letters are not in the file are drawn with them, for people and for OCR."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.utils.translation import gettext as _
from PIL import ImageFont

from ingest.doctor import Finding, ok, warn

FOLDERS = tuple(map(Path, ("/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/X11/fonts")))
"""Where pdfium looks on Linux."""
_SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".pfb"})
_NO_LETTER = "\uffff"
"""Drawn as whatever a font has for letters it lacks."""


def fonts() -> Iterator[Finding]:
    """Whether Chinese and Cyrillic letters can be drawn that a PDF names and does not bring."""
    lacking = [
        (script, package)
        for letter, script, package in (
            ("中", _("Chinese characters"), "fonts-wqy-zenhei"),
            ("Ж", _("Cyrillic letters"), "fonts-dejavu-core"),
        )
        if not any(_draws(path, letter) for path in _files())
    ]
    for script, package in lacking:
        yield warn(
            _("fonts"),
            _("none has %s: PDFs that do not bring their own are shown without") % script,
            _("install %s") % package,
        )
    if not lacking:
        yield ok(_("fonts"), _("Latin, Chinese and Cyrillic letters can be drawn"))


def _files() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (path for path in sorted(folder.rglob("*")) if path.suffix.lower() in _SUFFIXES)


def _draws(path: Path, letter: str) -> bool:
    try:
        font = ImageFont.truetype(path, 16)
        return bytes(font.getmask(letter)) != bytes(font.getmask(_NO_LETTER))
    except OSError:
        return False  # no font after all
