"""Forms: a resume as a Word document made of one table, the way Chinese application forms are."""

from __future__ import annotations

import io
import zipfile

from docx import Document
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.table import _Cell
from people import Headings, Person
from sheets import CREATED

_LATIN, _HAN = "Arial", "Microsoft YaHei"
_LABEL, _SECTION = "EAF1F4", "2F6378"
_WIDTHS = (Cm(2.9), Cm(5.7), Cm(2.9), Cm(5.7))
_DOS_TIME = (1980, 1, 1, 0, 0, 0)


def table_form(person: Person, words: Headings, personal: tuple[tuple[str, str], ...]) -> bytes:
    """A DOCX: personal data as pairs of cells, then a shaded row for each section. `personal` are further (label, value)."""
    document = Document()
    properties = document.core_properties
    properties.author = properties.comments = properties.title = properties.last_modified_by = ""
    properties.created = properties.modified = CREATED.replace(tzinfo=None)
    properties.revision = 1
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(1.9)
    section.top_margin = section.bottom_margin = Cm(1.6)
    style = document.styles["Normal"]
    style.font.name, style.font.size = _LATIN, Pt(10.5)
    style.element.rPr.rFonts.set(qn("w:eastAsia"), _HAN)
    title = document.add_paragraph()
    title.alignment = WD_ALIGN_PARAGRAPH.CENTER
    run = title.add_run("个 人 简 历")
    run.bold, run.font.size = True, Pt(20)

    pairs = (
        ("姓名", person.name),
        *personal,
        ("手机", person.phone),
        ("邮箱", person.email),
        ("现居地", person.city),
        ("求职意向", person.label),
    )
    table = document.add_table(rows=0, cols=4, style="Table Grid")
    table.alignment, table.autofit = WD_TABLE_ALIGNMENT.CENTER, False
    for first, second in zip(pairs[::2], pairs[1::2], strict=True):
        cells = table.add_row().cells
        for cell, text, is_label in zip(cells, (*first, *second), (True, False, True, False), strict=True):
            _fill(cell, text, shade=_LABEL if is_label else "", bold=is_label)
    row = _Rows(table)
    row.section(words.education)
    for school in person.schools:
        row.columns(school.dates, school.institution, school.award)
    row.section(words.experience)
    for job in person.jobs:
        row.columns(job.dates, job.employer, job.position)
        row.whole("\n".join(f"{number}. {point}" for number, point in enumerate(job.points, 1)))
    for heading, text in (
        (words.skills, words.list_mark.join(person.skills)),
        (words.languages, words.list_mark.join(person.tongues)),
        (words.extra, words.list_mark.join(person.extra)),
        (words.profile, person.summary),
    ):
        row.section(heading)
        row.whole(text)
    for line in table.rows:
        for cell, width in zip(line.cells, _WIDTHS, strict=False):
            cell.width = width
    out = io.BytesIO()
    document.save(out)
    return packed({name: content for name, content in _parts(out.getvalue()) if "thumbnail" not in name})


class _Rows:
    """Rows of the table that span several of its columns."""

    def __init__(self, table: object) -> None:
        self.table = table

    def section(self, text: str) -> None:
        cells = self.table.add_row().cells
        _fill(cells[0].merge(cells[3]), text, shade=_SECTION, bold=True, colour=RGBColor(255, 255, 255))

    def columns(self, left: str, middle: str, right: str) -> None:
        cells = self.table.add_row().cells
        _fill(cells[0].merge(cells[0]), left)
        _fill(cells[1], middle, bold=True)
        _fill(cells[2].merge(cells[3]), right)

    def whole(self, text: str) -> None:
        cells = self.table.add_row().cells
        _fill(cells[0].merge(cells[3]), text)


def _fill(cell: _Cell, text: str, *, shade: str = "", bold: bool = False, colour: RGBColor | None = None) -> None:
    paragraph = cell.paragraphs[0]
    for number, line in enumerate(text.split("\n")):
        if number:
            paragraph = cell.add_paragraph()
        paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = Pt(4)
        run = paragraph.add_run(line)
        run.bold = bold
        if colour is not None:
            run.font.color.rgb = colour
    if shade:
        element = OxmlElement("w:shd")
        for name, value in (("val", "clear"), ("color", "auto"), ("fill", shade)):
            element.set(qn(f"w:{name}"), value)
        cell._tc.get_or_add_tcPr().append(element)  # noqa: SLF001 - python-docx has no shading of its own


def _parts(package: bytes) -> list[tuple[str, bytes]]:
    """The parts of a package, without what points to the thumbnail of python-docx's template."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        parts = [(name, archive.read(name)) for name in archive.namelist()]
    return [(name, _without_thumbnail(content) if name == "_rels/.rels" else content) for name, content in parts]


def _without_thumbnail(relations: bytes) -> bytes:
    head, _, rest = relations.partition(b"<Relationship ")
    kept = [part for part in rest.removesuffix(b"</Relationships>").split(b"<Relationship ") if b"thumbnail" not in part]
    return head + b"".join(b"<Relationship " + part for part in kept) + b"</Relationships>"


def packed(files: dict[str, bytes]) -> bytes:
    """A ZIP archive that depends on nothing but its contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _DOS_TIME), content, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()
