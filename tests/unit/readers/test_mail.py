from __future__ import annotations

import io
import struct
from email.message import EmailMessage

import pytest
from PIL import Image

from ingest.readers import mail, msg
from resumes.sniff import MAIL, OUTLOOK
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import LIMITS, compound, lines, read, zipped

PDF = b"%PDF-1.4 not really"


def _picture(side: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (side, side)).save(out, "PNG")
    return out.getvalue()


def _message(body: str = "My resume is attached.", subject: str = "Application") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Nora Field <nora@example.com>", "jobs@example.org", subject
    message.set_content(body)
    return message


def _members(module, content: bytes, folder):
    path = folder / "mail"
    path.write_bytes(content)
    return [(member.name, member.content, member.failure) for member in module.members(path, LIMITS)]


def test_documents_are_the_members_and_the_body_is_not(tmp_path):
    message = _message()
    message.add_attachment(PDF, maintype="application", subtype="octet-stream", filename="Лебедь резюме.pdf")
    assert _members(mail, message.as_bytes(), tmp_path) == [("Лебедь резюме.pdf", PDF, "")]


@pytest.mark.parametrize(
    "parameter",
    [
        b'filename="=?koi8-r?B?8sXa5c3FLnBkZg==?="',
        b"filename*=GB2312''%C1%D6%B7%BC.pdf",
        b"filename*0*=UTF-8''%D0%A0%D0%B5; filename*1*=%D0%B7.pdf",
        b'filename="\xc1\xd6\xb7\xbc.pdf"',
    ],
)
def test_names_come_out_of_every_way_to_write_them(tmp_path, parameter):
    content = (
        b"From: nora@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
        b"Content-Type: application/pdf\r\nContent-Disposition: attachment; " + parameter + b"\r\n\r\n%PDF-1.4\r\n--b--\r\n"
    )
    ((name, _, _),) = _members(mail, content, tmp_path)
    assert name.endswith(".pdf")
    assert not {"=", "?", "%", "\ufffd"} & set(name)


@pytest.mark.parametrize("word", ["=?utf-8?b?w?=", "=?utf-8?q?=C3?=", "=?no-such-code?b?8sXa?=", "=?utf-8?b?====?="])
def test_a_subject_or_name_that_was_encoded_wrongly_stands_as_it_is(tmp_path, word):
    body = f"From: nora@example.com\r\nSubject: {word}\r\nTo: jobs@example.org\r\n\r\nNora Field\r\n".encode()
    assert lines(read(MAIL, body, tmp_path)) == ["Nora Field"]
    message = _message()
    message.add_attachment(PDF, maintype="application", subtype="pdf", filename="cv.pdf")
    ((name, content, _),) = _members(mail, message.as_bytes().replace(b"cv.pdf", word.encode()), tmp_path)
    assert content == PDF
    assert name


@pytest.mark.parametrize("parameter", [b"filename*0*", b"filename" + b"(" * 5000])
def test_a_header_the_standard_parser_stumbles_over_is_taken_as_it_stands(tmp_path, parameter):
    content = (
        b"From: nora@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
        b"Content-Type: application/pdf\r\nContent-Disposition: attachment; " + parameter + b"\r\n\r\n%PDF-1.4\r\n--b--\r\n"
    )
    ((name, data, _),) = _members(mail, content, tmp_path)
    assert (name, data) == ("attachment-1.pdf", b"%PDF-1.4")


def test_signature_pictures_calendars_and_cards_are_left_out(tmp_path):
    message = _message()
    message.add_alternative('<p>see <img src="cid:logo"></p>', subtype="html")
    page = message.get_payload()[1]
    page.add_related(_picture(1200), maintype="image", subtype="png", cid="<logo>", filename="logo.png")
    message.add_attachment(_picture(80), maintype="image", subtype="png", filename="icon.png")
    message.add_attachment("BEGIN:VCARD", subtype="vcard", filename="nora.vcf")
    message.add_attachment(PDF, maintype="application", subtype="pdf", filename="cv.pdf")
    assert [name for name, _, _ in _members(mail, message.as_bytes(), tmp_path)] == ["cv.pdf"]


def test_a_page_pasted_into_the_text_counts_where_nothing_else_is_attached(tmp_path):
    message = _message()
    message.add_alternative('<p><img src="cid:scan"></p>', subtype="html")
    message.get_payload()[1].add_related(_picture(1200), maintype="image", subtype="png", cid="<scan>", filename="scan.png")
    assert [name for name, _, _ in _members(mail, message.as_bytes(), tmp_path)] == ["scan.png"]


def test_attached_archives_are_opened_and_forwarded_mails_searched(tmp_path):
    inner = _message()
    inner.add_attachment(zipped({"cv.txt": b"Nora"}), maintype="application", subtype="zip", filename="all.zip")
    outer = _message("see below")
    outer.add_attachment(inner)
    assert _members(mail, outer.as_bytes(), tmp_path) == [("all.zip!cv.txt", b"Nora", "")]


def test_an_attachment_of_no_use_is_handed_on_so_that_its_sender_hears_of_it(tmp_path):
    message = _message()
    message.add_attachment(b"MZ program", maintype="application", subtype="octet-stream", filename="cv.exe")
    assert [name for name, _, _ in _members(mail, message.as_bytes(), tmp_path)] == ["cv.exe"]


def test_without_attachments_the_body_is_the_document(tmp_path):
    content = _message("Nora Field\ncook", subject="Моё резюме").as_bytes()
    assert _members(mail, content, tmp_path) == []
    reading = read(MAIL, content, tmp_path)
    assert lines(reading) == ["Nora Field", "cook"]
    assert reading.title == "Моё резюме"


def test_a_body_in_html_alone_is_read(tmp_path):
    message = EmailMessage()
    message["From"] = "nora@example.com"
    message.set_content("<p>Nora <b>Field</b></p>", subtype="html")
    assert lines(read(MAIL, message.as_bytes(), tmp_path)) == ["Nora Field"]


def test_an_encrypted_mail_says_so(tmp_path):
    content = b"From: a@example.com\r\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\r\n\r\nxx"
    with pytest.raises(ResumeError, match="encrypted"):
        _members(mail, content, tmp_path)


# -- Outlook ------------------------------------------------------------------------------------------------------


def _outlook(body: bytes = b"", **attachment: bytes) -> bytes:
    streams = {"__properties_version1.0": b"\0" * 32, "__substg1.0_001A001F": "IPM.Note".encode("utf-16-le")}
    if body:
        streams["__substg1.0_1000001F"] = body
    streams |= {f"__attach_version1.0_#00000000/{name.replace('S', '__substg1.0_')}": data for name, data in attachment.items()}
    return compound(streams)


def test_outlook_messages_give_their_attachments(tmp_path):
    content = _outlook(S3707001F="林芳.pdf".encode("utf-16-le"), S37010102=PDF)
    ((name, data, failure),) = _members(msg, content, tmp_path)
    assert (name, data.rstrip(b"\0"), failure) == ("林芳.pdf", PDF, "")


def test_outlook_messages_without_attachments_give_their_body(tmp_path):
    content = _outlook("Nora Field\r\ncook".encode("utf-16-le"))
    assert _members(msg, content, tmp_path) == []
    assert lines(read(OUTLOOK, content, tmp_path)) == ["Nora Field", "cook"]


def test_rich_text_bodies_are_unpacked(tmp_path):
    rtf = b"{\\rtf1 Nora Field\\par}"
    packed = struct.pack("<4I", len(rtf) + 12, len(rtf), 0x414C454D, 0) + rtf
    content = compound({"__properties_version1.0": b"\0" * 32, "__substg1.0_10090102": packed})
    assert lines(read(OUTLOOK, content, tmp_path)) == ["Nora Field"]


def test_sealed_outlook_messages_say_so(tmp_path):
    content = compound({"__substg1.0_001A001F": "IPM.Note.SMIME".encode("utf-16-le"), "__properties_version1.0": b"\0" * 32})
    with pytest.raises(ResumeError, match="encrypted"):
        _members(msg, content, tmp_path)


def test_damaged_outlook_files_are_corrupt(tmp_path):
    with pytest.raises(ResumeError, match="corrupt"):
        read(OUTLOOK, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 cut", tmp_path)


RESUME_PAGE = "<h1>Nora Field</h1><p>nora@example.com</p>" + "<p>Head of purchasing at Northwind, 2015 to 2020</p>" * 5


@pytest.mark.parametrize(
    "stub",
    [
        "This message is in HTML. View it in your browser: https://example.com/" + "a" * 400,
        "您的邮件客户端不支持 HTML 格式，请在浏览器中查看。",
        "Для просмотра письма включите HTML.",
        " \n ",
    ],
)
def test_a_plain_form_that_only_points_at_the_page_is_passed_over(tmp_path, stub):
    message = _message(stub)
    message.add_alternative(RESUME_PAGE, subtype="html")
    assert "Nora Field" in lines(read(MAIL, message.as_bytes(), tmp_path))
    outlook = compound({"__substg1.0_1000001F": stub.encode("utf-16-le"), "__substg1.0_10130102": RESUME_PAGE.encode()})
    assert "Nora Field" in lines(read(OUTLOOK, outlook, tmp_path))


def test_the_plain_form_is_read_where_it_says_as_much(tmp_path):
    message = _message("Nora Field\nCook\nPort Town, 2015 to 2020")
    message.add_alternative("<p>Nora Field</p><p>Cook</p><p>Port Town, 2015&nbsp;to&nbsp;2020</p>" + "<img>" * 50, subtype="html")
    assert lines(read(MAIL, message.as_bytes(), tmp_path)) == ["Nora Field", "Cook", "Port Town, 2015 to 2020"]


def test_every_part_of_a_text_is_read_the_forwarded_one_too(tmp_path):
    def part(kind: str, text: str) -> bytes:
        return f"--x\r\nContent-Type: {kind}; charset=utf-8\r\n\r\n{text}\r\n".encode()

    forwarded = "Subject: cv\r\nContent-Type: text/plain\r\n\r\nthe cook's text"
    content = b"From: n@example.com\r\nSubject: cv\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" + b"".join(
        (part("text/plain", "before"), part("text/html", "<p>after</p>"), part("message/rfc822", forwarded), b"--x--\r\n")
    )
    assert lines(read(MAIL, content, tmp_path)) == ["before", "after", "the cook's text"]
