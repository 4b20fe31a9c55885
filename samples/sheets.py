"""Sheets: a person's resume drawn on A4, in one column or with a sidebar. Fonts are embedded as subsets."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from fpdf import FPDF
from fpdf.enums import XPos, YPos
from people import Headings, Job, Person, School

CREATED = dt.datetime(2026, 1, 5, 9, 0, tzinfo=dt.UTC)
"""The date in every file made here, so that the same program gives the same bytes."""
_NOTO = Path("/usr/share/fonts/opentype/noto")
_LIBERATION = Path("/usr/share/fonts/truetype/liberation")
_SIMPLIFIED = 2
"""Place of the simplified Chinese face in the Noto CJK collections."""
Colour = tuple[int, int, int]
_INK, _GREY, _PALE, _TEAL = (34, 38, 46), (104, 110, 120), (214, 218, 224), (24, 98, 122)
_LEADING = 1.42
_MM_PER_PT = 25.4 / 72


class Sheet(FPDF):
    """An A4 page with a family of fonts and a running text column."""

    def __init__(self, *, serif: bool = False, accent: Colour = _TEAL, scale: float = 1.0) -> None:
        super().__init__(format="A4")
        self.accent = accent
        self.scale = scale
        self.c_margin = 0
        self.set_creation_date(CREATED)
        self.set_producer("Gleaner samples")
        self.set_auto_page_break(auto=False)
        if serif:
            self.add_font("body", "", _LIBERATION / "LiberationSerif-Regular.ttf")
            self.add_font("body", "B", _LIBERATION / "LiberationSerif-Bold.ttf")
        else:
            self.add_font("body", "", _NOTO / "NotoSansCJK-Regular.ttc", collection_font_number=_SIMPLIFIED)
            self.add_font("body", "B", _NOTO / "NotoSansCJK-Bold.ttc", collection_font_number=_SIMPLIFIED)
        self.add_page()

    def write_text(self, text: str, size: float, *, bold: bool = False, colour: Colour = _INK, leading: float = _LEADING) -> None:
        """A paragraph over the whole column, leaving the position below it."""
        self.set_font("body", "B" if bold else "", size * self.scale)
        self.set_text_color(*colour)
        self.multi_cell(0, self.height_of(size, leading), text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def height_of(self, size: float, leading: float = _LEADING) -> float:
        """The height of a line of this size, in millimetres."""
        return size * self.scale * leading * _MM_PER_PT

    def write_pair(self, left: str, right: str, size: float) -> None:
        """A bold text at the left margin and a grey one at the right of the same line."""
        self.set_font("body", "", (size - 0.5) * self.scale)
        self.set_text_color(*_GREY)
        height = self.height_of(size)
        self.cell(0, height, right, align="R", new_x=XPos.LMARGIN, new_y=YPos.TOP)
        self.set_font("body", "B", size * self.scale)
        self.set_text_color(*_INK)
        self.cell(0, height, left, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def heading(self, text: str) -> None:
        self.ln(4 * self.scale)
        self.write_text(text, 12, bold=True, colour=self.accent)
        self.set_draw_color(*_PALE)
        self.set_line_width(0.3)
        self.line(self.l_margin, self.get_y() + 0.4, self.w - self.r_margin, self.get_y() + 0.4)
        self.ln(2.2)

    def job(self, job: Job, words: Headings) -> None:
        self.write_pair(job.position, job.dates, 10.5)
        self.write_text(f"{job.employer}{words.place_mark}{job.place}", 9.5, colour=self.accent)
        self.ln(0.6)
        self.points(job.points)
        self.ln(2.8)

    def points(self, points: tuple[str, ...]) -> None:
        margin = self.l_margin
        for point in points:
            self.set_x(margin + 1)
            self.set_font("body", "", 9.5 * self.scale)
            self.set_text_color(*_INK)
            self.cell(3.5, self.height_of(9.5), "•")
            self.set_left_margin(margin + 4.5)
            self.write_text(point, 9.5)
            self.set_left_margin(margin)
        self.set_x(margin)

    def school(self, school: School) -> None:
        self.write_pair(school.institution, school.dates, 10)
        self.write_text(school.award, 9.5)
        self.ln(1.4)

    def to_bytes(self) -> bytes:
        return bytes(self.output())


def single_column(person: Person, words: Headings, *, serif: bool = False, accent: Colour = _TEAL, scale: float = 1.12) -> bytes:
    """Name and contact on top, one column below: a PDF of one page. Sections without content are left out."""
    sheet = Sheet(serif=serif, accent=accent, scale=scale)
    sheet.set_title(person.label)
    sheet.set_margins(20, 18)
    sheet.set_xy(20, 18)
    sheet.write_text(person.name, 24, bold=True, leading=1.25)
    sheet.write_text(person.label, 12.5, colour=accent)
    sheet.ln(1)
    sheet.write_text("  ·  ".join(part for part in (person.city, person.phone, person.email) if part), 9.5, colour=_GREY)
    if person.links:
        sheet.write_text("  ·  ".join(person.links), 9.5, colour=_GREY)
    sheet.heading(words.profile)
    sheet.write_text(person.summary, 9.5)
    sheet.heading(words.experience)
    for job in person.jobs:
        sheet.job(job, words)
    if person.schools:
        sheet.heading(words.education)
        for school in person.schools:
            sheet.school(school)
    for title, items in ((words.skills, person.skills), (words.languages, person.tongues), (words.extra, person.extra)):
        if items:
            sheet.heading(title)
            sheet.write_text(words.list_mark.join(items), 9.5)
    return sheet.to_bytes()


def sidebar(person: Person, words: Headings) -> bytes:
    """A dark column at the left with contact, skills and languages, the story at the right: a PDF of one page."""
    accent, white = (33, 60, 79), (255, 255, 255)
    sheet = Sheet(accent=accent, scale=1.1)
    sheet.set_title(person.label)
    sheet.set_fill_color(*accent)
    sheet.rect(0, 0, 68, sheet.h, style="F")

    sheet.set_margins(10, 18, sheet.w - 64)
    sheet.set_xy(10, 20)
    sheet.write_text(person.name, 22, bold=True, colour=white, leading=1.2)
    sheet.ln(1)
    sheet.write_text(person.label, 11.5, colour=(176, 207, 222))
    sections = ((words.contact, (person.city, person.phone, person.email, *person.links)), (words.skills, person.skills))
    for title, items in (*sections, (words.languages, person.tongues)):
        sheet.ln(9)
        sheet.write_text(title, 11.5, bold=True, colour=(176, 207, 222))
        sheet.ln(1)
        for item in items:
            sheet.write_text(item, 8.8, colour=white, leading=1.75)

    sheet.set_margins(78, 18, 16)
    sheet.set_xy(78, 16)
    sheet.heading(words.profile)
    sheet.write_text(person.summary, 9.5)
    sheet.heading(words.experience)
    for job in person.jobs:
        sheet.job(job, words)
    sheet.heading(words.education)
    for school in person.schools:
        sheet.school(school)
    return sheet.to_bytes()
