"""Files that broke some reader once go the whole way: each is classified in its time, and the readable ones give their text."""

from __future__ import annotations

import csv
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from ingest import parsing
from ingest.readers import CONTAINERS
from ingest.sandbox.pool import sandbox_for
from resumes.sniff import sniff
from resumes.taxonomy import CODES, FailureClass, ResumeError
from tests.corpus import shelf

pytestmark = shelf.needs(shelf.TORTURE)
FILES = shelf.TORTURE / "files"

READABLE = {
    "archive/issue-948.zip": "Dummy PDF file",
    "archive/test-documents.zip": "Sample Word Document",
    "archive/testEmbedded.zip": "Test 2 text.",
    "archive/testZipEncrypted.zip": "hello world",
    "archive/testZipEntryNameCharsetShiftSJIS.zip": "さしすせそ",
    "mail/HTMLBodyBinary_CP1251.msg": "HTML автоматически",
    "mail/attachment_msg_pdf.msg": "Subject: Test Attachment",
    "mail/fake-email-attachment.msg": "Hey this is a fake attachment!",
    "mail/testMSG_att_msg.msg": "Subject: Test Attachment",
    "office/Bug54849.docx": "header_rich_text|Rich_text_cell1|Abc rich_text_in_paragraph_in_cell|Footer_rich_text",
    "office/Fuzzed.doc": "Normal + Courier New, 12pt, Bold",
    "office/HeaderFooterUnicode.docx": "This is a simple header, with a € euro symbol in it.|L'Avare ou l'École du mensonge",
    "office/NullHeader.docx": "Hundreds injured in Yemen protest",
    "office/Strict.docx": "Some text",
    "office/blk-paras-and-tables.docx": "Text before|Table|Between|Text after",
    "office/checkboxes.docx": "Test a checkbox within a textbox:|In Table:",
    "office/cn.orthodox.www_divenbog_APRIL_30-APRIL.DOC": "Apostle James, Son of Zebedee",
    "office/delins.docx": "A title in certain Indian monarchies for a Crown Prince",
    "office/docx-hdrftr.docx": "First header para|Main document|cell1",
    "office/docx-tables.docx": "A link example|>b<|g&t|Table with merged cells",
    "office/docx_grouped_images.docx": "There are 2 pictures grouped together",
    "office/docx_rich_cells.docx": "B Second|This is simple text with bold, strikethrough and italic formatting",
    "office/drawingml.docx": "Torque v/s Speed characteristics",
    "office/fake_table.docx": "A Link example",
    "office/hdr-header-footer.docx": "Header for section-1|Footer for section 1",
    "office/innertable.doc": "A|1|4|J",
    "office/tablecell.docx": "Hello world1|Some text after",
    "office/tables-with-incomplete-rows.docx": "WTF?|Strange",
    "office/testAltChunkMHT.docx": "Simple paragraph with a emphasized word.|Red PNG dot; ROW 2",
    "office/testFooter.odt": "Here is some text on page 2|Here is footer text",
    "office/testHoverAndVml.docx": "Click me",
    "office/testRTF-ms932.rtf": "こんにちは",
    "office/testRTFHexEscapeInsideWord.rtf": "GOVERNO DO ESTADO DO ESPÍRITO SANTO",
    "pdf/XiaoBiaoSong.pdf": "对国防问题的意见|中日战争爆发后的形势与任务",
    "pdf/auth-event-ef-open.pdf": "Example",
    "pdf/bad-token-startxref.pdf": "Potato",
    "pdf/bad12.pdf": "Sandwiches",
    "pdf/bad16.pdf": "Potato",
    "pdf/bad3.pdf": "Potato",
    "pdf/bad37.pdf": "Potato",
    "pdf/bad5.pdf": "Potato",
    "pdf/bad9.pdf": "Potato",
    "pdf/cid_cff.pdf": "processor reference chart",
    "pdf/copy-protected.pdf": "LayoutParser: A Unified Toolkit for Deep|Zejiang Shen",
    "pdf/damaged-stream.pdf": "Potato",
    "pdf/dangling-bad-xref.pdf": "Potato",
    "pdf/encrypted-attachment.pdf": "Example",
    "pdf/french_diacritics.pdf": "àÀâÂäÄçÇéÉèÈêÊëËîÎïÏôÔùÙûÛüÜ",
    "pdf/german-umlaut-r.pdf": "ü",
    "pdf/hello_world_rotated.pdf": "Hello world",
    "pdf/issue-106.pdf": "Potato",
    "pdf/issue-1113-evil-xobjects.pdf": "Hello world",
    "pdf/issue-449-horizontal.pdf": "Horizontal",
    "pdf/issue-71-duplicate-chars-2.pdf": "DE L’ÉQUILIBRE ACIDE-BASE",
    "pdf/issue-71-duplicate-chars.pdf": "尺提高92%，成功解决了工程难题。",
}
"""Something out of the text of every file that has a text, parts divided by a bar. Of several documents, of the last."""

UNSEEN = {
    "office/docx-hdrftr.docx": "I should not be included",  # covered by a merged cell
    "office/delins.docx": "deleted",
}


@dataclass(frozen=True)
class Outcome:
    file: str
    codes: tuple[str, ...]
    """Of each document in it; the outcome where none failed."""
    text: str
    seconds: float


def go_through(path: Path) -> Outcome:
    for _ in range(2):  # as in the pipeline: what misses its deadline, on a machine that is busy, is tried once more
        started = time.monotonic()
        documents = parsing.parse_file(path, shelf.WITHOUT_OCR, shelf.AS_OF)
        seconds = time.monotonic() - started
        codes = tuple(document["failure"]["code"] if document["failure"] else document["outcome"] for document in documents)
        if "timeout" not in codes:
            break
    return Outcome(str(path.relative_to(FILES)), codes, _text(path), seconds)


def _text(path: Path) -> str:
    """The text the pipeline goes by: of a container, that of the last document in it that has any."""
    try:
        media_type = sniff(path, path.name).media_type
        if media_type in CONTAINERS:
            with sandbox_for("reader").folder() as folder:
                inner = [Path(member["path"]) for member in shelf.members(path, media_type, folder) if member["path"]]
                texts = [text for text in map(_text, inner) if text.strip()]
            if texts or inner:
                return "\n".join(texts)
        return shelf.read(path, media_type).text
    except ResumeError:
        return ""


@pytest.fixture(scope="module")
def outcomes():
    paths = sorted(path for path in FILES.rglob("*") if path.is_file())
    found = {outcome.file: outcome for outcome in shelf.in_parallel(go_through, paths)}
    print(f"\n{'file':<62}{'codes':<34}{'characters':>10}{'seconds':>9}")
    for outcome in found.values():
        print(f"{outcome.file[:60]:<62}{' '.join(outcome.codes)[:32]:<34}{len(outcome.text.strip()):>10}{outcome.seconds:>9.2f}")
    return found


def test_every_file_is_classified_within_its_deadline_and_none_meets_a_bug(outcomes):
    assert len(outcomes) == len(_manifest())
    for outcome in outcomes.values():
        assert outcome.codes, outcome.file
        for code in outcome.codes:
            assert code in CODES or code in ("completed", "review_needed"), outcome
            # A bug of ours, a dead child and a missed deadline are all faults of resources.
            assert code not in CODES or CODES[code].failure_class is not FailureClass.RESOURCE, outcome
        assert outcome.seconds < shelf.DEADLINE_S, outcome.file


def test_what_is_readable_gives_its_text(outcomes):
    assert READABLE.keys() <= outcomes.keys()
    missing = {
        file: phrases for file, phrases in READABLE.items() if any(part not in outcomes[file].text for part in phrases.split("|"))
    }
    assert not missing
    assert not {file for file, phrase in UNSEEN.items() if phrase in outcomes[file].text}


def test_what_needs_a_password_says_so(outcomes):
    locked = [row["file"] for row in _manifest() if row["why_hard"] == "ENCRYPTED"]
    assert len(locked) >= 8
    for file in locked:
        assert "encrypted" in outcomes[file].codes, outcomes[file].codes


def test_a_file_without_text_is_not_taken_for_a_read_one(outcomes):
    for outcome in outcomes.values():
        if not outcome.text.strip():
            assert "completed" not in outcome.codes, outcome.file


def _manifest() -> list[dict[str, str]]:
    with (shelf.TORTURE / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))
