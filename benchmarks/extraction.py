"""What reading costs beside the bare library calls nobody could do without.

Two-page text PDFs (characters with boxes, sizes, columns and the judgement of their text) against pdfium's plain text of
the same pages; Word documents against python-docx going through paragraphs and cells. All in one process and
interleaved, in CPU time, so that a busy machine slows both alike and adds no waiting. The samples always, the files of a
benchmark folder (`BENCH`) where there is one. Ends with 1 where a limit is exceeded.
"""

from __future__ import annotations

import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import docx
import pypdf
import pypdfium2
import pypdfium2.raw

from ingest.readers import ReadLimits, reader_for
from resumes.sniff import DOCX, PDF

PDF_LIMIT, PDF_P95_MS, DOCX_LIMIT = 8.0, 60.0, 2.0
ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "samples"
_ROUNDS = 40
"""Over each sample; a benchmark's many files are gone over a few times each."""
_BENCH_ROUNDS = 5
_MOST_FILES = 24
_LIMITS = ReadLimits()


def main() -> int:
    bench = Path(os.environ.get("BENCH") or ROOT.parent / "shared" / "bench").resolve() / "files"
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        two_pages, long_word = Path(folder) / "two-samples.pdf", Path(folder) / "two-pages.docx"
        _write_two_pages(two_pages)
        _write_long(long_word)
        pdfs = [path for path in sorted(bench.glob("*.pdf")) if _is_two_text_pages(path)][:_MOST_FILES]
        words = sorted(bench.glob("*.docx"))[:_MOST_FILES]
        print(f"{'':<24}{'files':>6}{'bare ms':>9}{'read ms':>9}{'p95 ms':>9}{'ratio':>7}")
        kept = [
            _row("PDF of two samples", [two_pages], PDF, plain_pdf, _ROUNDS),
            _row("Word, sample", [SAMPLES / "su-wanqing.docx"], DOCX, plain_docx, _ROUNDS),
            _row("Word, two full pages", [long_word], DOCX, plain_docx, _ROUNDS),
        ]
        if pdfs:
            kept.append(_row("PDF, benchmark", pdfs, PDF, plain_pdf, _BENCH_ROUNDS))
        if words:
            kept.append(_row("Word, benchmark", words, DOCX, plain_docx, _BENCH_ROUNDS))
    verdict = "kept" if all(kept) else "EXCEEDED"
    print(f"limits: PDF ratio {PDF_LIMIT:g} and p95 {PDF_P95_MS:g} ms, Word ratio {DOCX_LIMIT:g}: {verdict}")
    return int(not all(kept))


def plain_pdf(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return "".join(page.get_textpage().get_text_range() for page in document)


def plain_docx(path: Path) -> str:
    document = docx.Document(str(path))
    parts = [paragraph.text for paragraph in document.paragraphs]
    parts += [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join(parts)


def _row(title: str, paths: list[Path], media_type: str, bare: Callable[[Path], str], rounds: int) -> bool:
    """Print one line of the table; whether the limits are kept. The ratio is the median of the files' own."""
    reader = reader_for(media_type)
    for path in paths:
        bare(path)
        reader.read(path, _LIMITS)
    gc.collect()
    gc.freeze()  # as the sandbox's child does: what was imported is not gone through again for every document
    bare_s: dict[Path, list[float]] = {path: [] for path in paths}
    read_s: dict[Path, list[float]] = {path: [] for path in paths}
    for _ in range(rounds):
        for path in paths:
            bare_s[path].append(_seconds(lambda path=path: bare(path)))
            read_s[path].append(_seconds(lambda path=path: reader.read(path, _LIMITS)))
    bare_ms = statistics.median(value for values in bare_s.values() for value in values) * 1000
    every = [value * 1000 for values in read_s.values() for value in values]
    ratio = statistics.median(statistics.median(read_s[path]) / statistics.median(bare_s[path]) for path in paths)
    high = statistics.quantiles(every, n=20)[-1]
    print(f"{title:<24}{len(paths):>6}{bare_ms:>9.2f}{statistics.median(every):>9.2f}{high:>9.2f}{ratio:>7.2f}")
    return ratio <= DOCX_LIMIT if media_type == DOCX else ratio <= PDF_LIMIT and high <= PDF_P95_MS


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _is_two_text_pages(path: Path) -> bool:
    try:
        with pypdfium2.PdfDocument(path) as document:
            return len(document) == 2 and all(_is_text(page) for page in document)
    except pypdfium2.PdfiumError:  # protected or broken
        return False


def _is_text(page: pypdfium2.PdfPage) -> bool:
    """Whether it has a text and no picture in place of one."""
    width, height = page.get_size()
    pictures = [image.get_bounds() for image in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])]
    covered = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in pictures)
    return page.get_textpage().count_chars() > 200 and covered < 0.3 * width * height


def _write_two_pages(path: Path) -> None:
    writer = pypdf.PdfWriter()
    for name in ("harriet-lindqvist.pdf", "tomas-okonjo.pdf"):
        writer.append(SAMPLES / name)
    writer.write(path)


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
