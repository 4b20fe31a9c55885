"""It reads every picture as the resume of somebody who differs by the picture's width."""

from __future__ import annotations

from ingest.ocr import Ability, Script
from ingest.page import Box, Source, Word

_LINES = """Ada Quillfeather
Software Engineer
ada{number}@example.org
+1 202 555 0143
Experience
Northwind Instruments, Software Engineer
March 2019 - June 2023
Education
Lakeside University
B.Sc. Computer Science
2012 - 2016
Skills
Python, PostgreSQL, Docker, Kubernetes"""


def ability():
    return Ability(frozenset(Script), available=True, deadline_s=20.0)


def read(image, _scripts):
    lines = _LINES.format(number=image.width).splitlines()
    height = 1.0 / (len(lines) + 2)
    return tuple(
        Word(text, Box(0.1 + 0.02 * at, height * row, 0.1 + 0.02 * (at + len(text)), height * (row + 0.5)), source=Source.OCR)
        for row, line in enumerate(lines, 1)
        for at, text in _words(line)
    )


def _words(line):
    at = 0
    for text in line.split():
        at = line.index(text, at)
        yield at, text
        at += len(text)
