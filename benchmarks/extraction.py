"""What reading costs beside the bare library calls nobody could do without.

A two-page text PDF (characters with boxes, sizes, columns and the judgement of its text) against pdfium's plain text of
the same pages; a Word document against python-docx going through its paragraphs and cells. All in one process and
interleaved, so that a busy machine slows both alike. Ends with 1 where a limit is exceeded.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import docx
import pypdfium2

from ingest.readers import ReadLimits, reader_for
from resumes.sniff import DOCX, PDF

ROUNDS = 60
WARM_UP = 5
PDF_LIMIT, PDF_P95_MS, DOCX_LIMIT = 8.0, 60.0, 2.0
SAMPLES = Path(__file__).resolve().parents[1] / "samples"
_LIMITS = ReadLimits()


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        print(f"{'':<34}{'bare ms':>9}{'read ms':>9}{'p95 ms':>9}{'ratio':>7}")
        two_pages = [path for path in sorted(SAMPLES.glob("*.pdf")) if _is_two_text_pages(path)]
        missed = [not _row(path, PDF, plain_pdf, PDF_LIMIT, PDF_P95_MS) for path in two_pages]
        long_word = Path(folder) / "long.docx"
        _write_long(long_word)
        missed += [not _row(path, DOCX, plain_docx, DOCX_LIMIT) for path in (*sorted(SAMPLES.glob("*.docx")), long_word)]
    return int(any(missed))


def _is_two_text_pages(path: Path) -> bool:
    try:
        with pypdfium2.PdfDocument(path) as document:
            return len(document) == 2 and all(page.get_textpage().count_chars() > 200 for page in document)
    except pypdfium2.PdfiumError:  # a sample of a protected or broken file
        return False


def plain_pdf(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return "".join(page.get_textpage().get_text_range() for page in document)


def plain_docx(path: Path) -> str:
    document = docx.Document(str(path))
    parts = [paragraph.text for paragraph in document.paragraphs]
    parts += [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join(parts)


def _row(path: Path, media_type: str, bare: Callable[[Path], str], limit: float, p95_ms: float | None = None) -> bool:
    """Print one line of the table; whether the limits are kept."""
    reader = reader_for(media_type)
    bare_s, read_s = [], []
    for number in range(WARM_UP + ROUNDS):
        for work, times in ((lambda: bare(path), bare_s), (lambda: reader.read(path, _LIMITS), read_s)):
            started = time.perf_counter()
            work()
            if number >= WARM_UP:
                times.append(time.perf_counter() - started)
    base, median = statistics.median(bare_s) * 1000, statistics.median(read_s) * 1000
    high = statistics.quantiles(read_s, n=20)[-1] * 1000
    print(f"{path.name:<34}{base:>9.2f}{median:>9.2f}{high:>9.2f}{median / base:>7.2f}")
    return median <= limit * base and (p95_ms is None or high <= p95_ms)


def _write_long(path: Path) -> None:
    """Two pages the way Word users write them: styled headings, runs that change their look, lists and a table."""
    document = docx.Document()
    document.add_heading("Nora Field", 0)
    document.add_paragraph("Leeds | nora@example.com | +44 7700 900123")
    for number in range(8):
        document.add_heading(f"Section {number}", 1)
        paragraph = document.add_paragraph()
        paragraph.add_run("Lantern Books Ltd").bold = True
        paragraph.add_run("\tEditor\t2019 - 2021")
        for item in range(5):
            document.add_paragraph(f"Took part in work number {item} and finished it with a team of seven people", "List Bullet")
    table = document.add_table(rows=8, cols=3)
    for row in table.rows:
        for cell, text in zip(row.cells, ("2019 - 2021", "University of Northmoor", "BA History"), strict=True):
            cell.text = text
    document.save(str(path))
