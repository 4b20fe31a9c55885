"""More text than any resume has is refused before the work, whatever the format; a page of many pieces takes linear time."""

from __future__ import annotations

import time

import pytest

from ingest.readers.flow import MOST_CHARACTERS, MOST_LINES
from resumes.sniff import DOCX, HTML, MAIL, MHTML, ODT, RTF, TEXT
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import docx, odt, p, read

MAIL_HEAD = b"From: a@example.org\nTo: b@example.org\nSubject: A resume\n\n"
PAGE_HEAD = b"From: <Saved>\nMIME-Version: 1.0\nContent-Type: text/html\nContent-Location: http://example.org/\n\n"
LONG, MANY = MOST_CHARACTERS + 1, MOST_LINES + 2
RUN = '<w:r><w:t xml:space="preserve">word </w:t></w:r>'
INSTRUCTION = "<w:r><w:instrText>PAGE </w:instrText></w:r>"
BEGIN = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'


@pytest.mark.parametrize(
    ("media_type", "content"),
    [
        pytest.param(TEXT, b"word " * LONG, id="text beyond any encoding"),
        pytest.param(TEXT, b"x" * LONG, id="text of one word"),
        pytest.param(TEXT, b"a\n" * MANY, id="text of short lines"),
        pytest.param(TEXT, b"# A\n\n" + b"*a" * LONG, id="Markdown"),
        pytest.param(HTML, b"<p>" + b"word " * LONG, id="page of one line"),
        pytest.param(HTML, b"<p>a" * MANY, id="page of short lines"),
        pytest.param(HTML, b"<p>Ada</p>" + b"<i></i>" * 200_000, id="page of empty elements"),
        pytest.param(HTML, b"<p>Ada</p><p " + b" ".join(b"a%d=1" % n for n in range(100_000)) + b">", id="page of attributes"),
        pytest.param(MHTML, PAGE_HEAD + b"<p>a" * MANY, id="saved page"),
        pytest.param(MAIL, MAIL_HEAD + b"row\n" * LONG, id="mail"),
        pytest.param(RTF, b"{\\rtf1 " + b"word " * LONG + b"}", id="RTF of one line"),
        pytest.param(RTF, b"{\\rtf1 " + b"a\\par " * MANY + b"}", id="RTF of short lines"),
        pytest.param(RTF, b"{\\rtf1 Ada" + b"{}\\b" * 1_000_000 + b"}", id="RTF of nothing but marks"),
        pytest.param(DOCX, docx(p("word " * LONG)), id="Word, one run"),
        pytest.param(DOCX, docx(p("a") * MANY), id="Word, short paragraphs"),
        pytest.param(DOCX, docx("<w:p/>" * 3_100_000), id="Word, empty paragraphs"),
        pytest.param(ODT, odt("<text:p>a</text:p>" * MANY), id="OpenDocument"),
    ],
)
def test_more_than_any_resume_has_is_too_large_and_not_slow(media_type, content, tmp_path):
    started = time.process_time()
    with pytest.raises(ResumeError) as caught:
        read(media_type, content, tmp_path)
    assert caught.value.code == "too_large"
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"<w:p>{RUN * 4000}</w:p>", id="runs"),
        pytest.param(f"<w:p>{(BEGIN + RUN) * 2000}</w:p>", id="fields in fields"),
        pytest.param(f"<w:p>{BEGIN}{(INSTRUCTION + RUN) * 2000}</w:p>", id="a long instruction"),
    ],
)
def test_a_paragraph_of_many_runs_takes_time_in_proportion(body, tmp_path):
    def cost(times: int) -> float:
        content = docx("<w:p>" + body.removeprefix("<w:p>").removesuffix("</w:p>") * times + "</w:p>")
        started = time.process_time()
        read(DOCX, content, tmp_path)
        return time.process_time() - started

    cost(1)
    assert cost(8) < 24 * max(cost(1), 0.02)


@pytest.mark.parametrize(
    "line", ["[" * 100_000, "<" + "a." * 50_000, "# a" + " " * 100_000 + "b", "*a" * 50_000, "a" + " " * 100_000 + "b│"]
)
def test_a_line_of_marks_is_read_as_quickly_as_any(line, tmp_path):
    started = time.process_time()
    reading = read(TEXT, f"# Ada\n\n**a** b\n\n{line}\n".encode(), tmp_path)
    assert "Ada" in reading.text
    assert time.process_time() - started < 3
