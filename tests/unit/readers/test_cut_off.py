"""A file that ends in its middle gives what is there and says so, whatever its format; a whole one says nothing."""

from __future__ import annotations

import base64

import pytest

from ingest.page import CUT_OFF
from ingest.readers import mail
from resumes.sniff import HTML, MAIL, MHTML, RTF, TEXT
from tests.unit.readers.made import LIMITS, read

TEXT_OF_IT = "Nora Field\nWork experience\nEngineer, Harbour Analytics\nEducation\nUniversity of Leeds, Zürich 林芳\n"
PAGE = "<html><body>" + "".join(f"<p>{line}</p>\n" for line in TEXT_OF_IT.splitlines()) + "</body></html>\n"
HEAD = "From: a@example.org\nTo: b@example.org\nSubject: A resume\nMIME-Version: 1.0\n"
SAVED = "From: <Saved by Blink>\nSnapshot-Content-Location: http://example.org/\nMIME-Version: 1.0\n"


def _coded(text: str) -> str:
    return base64.encodebytes(text.encode()).decode()


def _parts(head: str, kind: str, body: str, transfer: str) -> bytes:
    return (
        f'{head}Content-Type: {kind}; boundary="XX"\n\n--XX\nContent-Type: {"text/html" if "<" in body else "text/plain"}; '
        f"charset=utf-8\nContent-Transfer-Encoding: {transfer}\n\n{body if transfer == '8bit' else _coded(body)}\n--XX--\n"
    ).encode()


RICH = "{\\rtf1\\ansi " + TEXT_OF_IT.encode("ascii", "replace").decode().replace("\n", "\\par\n") + "{\\b end}\\par}"
WHOLE = {
    "RTF": (RTF, RICH.encode()),
    "page": (HTML, PAGE.encode()),
    "saved page": (MHTML, _parts(SAVED, "multipart/related", PAGE, "8bit")),
    "saved page in Base64": (MHTML, _parts(SAVED, "multipart/related", PAGE, "base64")),
    "mail": (MAIL, _parts(HEAD, "multipart/mixed", TEXT_OF_IT, "8bit")),
    "mail in Base64": (MAIL, _parts(HEAD, "multipart/mixed", TEXT_OF_IT, "base64")),
    "mail of one part": (MAIL, f"{HEAD}Content-Transfer-Encoding: base64\n\n{_coded(TEXT_OF_IT)}".encode()),
    "UTF-8": (TEXT, TEXT_OF_IT.rstrip().encode()),
    "UTF-16": (TEXT, TEXT_OF_IT.rstrip().encode("utf-16")),
}


@pytest.mark.parametrize(("media_type", "content"), WHOLE.values(), ids=WHOLE)
def test_a_whole_file_says_nothing(media_type, content, tmp_path):
    reading = read(media_type, content, tmp_path)
    assert ("University of Leeds" in reading.text, reading.warnings) == (True, ())


@pytest.mark.parametrize("share", [0.55, 0.7, 0.85])
@pytest.mark.parametrize(
    ("media_type", "content"), [WHOLE[name] for name in WHOLE if "UTF" not in name and "one part" not in name]
)
def test_a_file_cut_off_gives_what_is_there_and_says_so(media_type, content, share, tmp_path):
    body = content.index(b"{\\rtf" if media_type == RTF else b"<html" if media_type == HTML else b"\n\n", 0)
    at = body + round((len(content) - body) * share)
    reading = read(media_type, content[:at], tmp_path)
    assert CUT_OFF in reading.warnings
    if share > 0.8:
        assert "Nora Field" in reading.text


@pytest.mark.parametrize(("name", "lost"), [("UTF-8", 1), ("UTF-16", 1), ("mail of one part", 3)])
def test_a_file_cut_off_inside_a_character_or_a_group_says_so(name, lost, tmp_path):
    media_type, content = WHOLE[name]
    reading = read(media_type, content[:-lost], tmp_path)
    assert CUT_OFF in reading.warnings
    assert "Nora Field" in reading.text


def test_what_a_torn_mail_carries_last_is_said_to_be_torn(tmp_path):
    parts = "".join(
        f"--XX\nContent-Type: text/plain; name={name}\nContent-Disposition: attachment; filename={name}\n\n{TEXT_OF_IT}\n"
        for name in ("one.txt", "two.txt")
    )
    path = tmp_path / "mail"
    for end, warnings in (("--XX--\n", ()), ("", (CUT_OFF,))):
        path.write_text(f'{HEAD}Content-Type: multipart/mixed; boundary="XX"\n\n{parts}{end}', encoding="utf-8")
        assert [member.warnings for member in mail.members(path, LIMITS)] == [(), warnings]
