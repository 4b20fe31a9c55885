"""Tells what a file is by its content. The name is only looked at to say whether it promised something else.

Knows every format Gleaner reads, and enough of those it does not read to refuse them by name. Looks into containers
(ZIP, compound files), because a Word document and an archive begin with the same bytes. Cheap: reads the head of the
file and directories, never whole documents. The readers are `ingest.readers`.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import olefile

from resumes.taxonomy import ResumeError
from resumes.unicode_form import is_binary, unicode_codec
from resumes.zipdirectory import is_locked, open_directory

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
DOC = "application/msword"
RTF = "application/rtf"
ODT = "application/vnd.oasis.opendocument.text"
HTML = "text/html"
MHTML = "multipart/related"
TEXT = "text/plain"
JPEG, PNG, TIFF, WEBP, HEIC = "image/jpeg", "image/png", "image/tiff", "image/webp", "image/heic"
MAIL = "message/rfc822"
OUTLOOK = "application/vnd.ms-outlook"
ZIP = "application/zip"

_NAMED = {
    PDF: "pdf",
    DOCX: "docx docm dotx dotm",
    DOC: "doc dot wps",
    RTF: "rtf",
    ODT: "odt ott",
    HTML: "html htm xhtml",
    MHTML: "mht mhtml",
    TEXT: "txt text md markdown",
    JPEG: "jpg jpeg jfif jpe",
    PNG: "png",
    TIFF: "tif tiff",
    WEBP: "webp",
    HEIC: "heic heif",
    MAIL: "eml",
    OUTLOOK: "msg",
    ZIP: "zip",
}
_EXTENSIONS = {extension: media_type for media_type, extensions in _NAMED.items() for extension in extensions.split()}

_HEAD_BYTES = 65_536
_PICTURES = {
    b"\xff\xd8\xff": JPEG,
    b"\x89PNG\r\n\x1a\n": PNG,
    b"II*\0": TIFF,
    b"MM\0*": TIFF,
    b"II+\0": TIFF,
    b"MM\0+": TIFF,
}
_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
# Documents, pictures and archives that are not read: refused for what they are, whatever the name says.
# GIF, PostScript, DjVu, Photoshop, RAR, 7z, gzip, bzip2, xz; zstd, WordPerfect, icon, WMF, CHM, Binder, JPEG 2000, JPEG XL.
_UNREAD = (
    *(b"GIF87a", b"GIF89a", b"%!PS", b"AT&TFORM", b"8BPS", b"Rar!", b"7z\xbc\xaf\x27\x1c", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0"),
    *(b"\x28\xb5\x2f\xfd", b"\xffWPC", b"\0\0\1\0", b"\xd7\xcd\xc6\x9a", b"ITSF", b"!BDN"),
    *(b"\0\0\0\x0cjP  ", b"\0\0\0\x0cJXL "),
)
# Programs, sound, films, fonts, databases: no documents at all.
_NO_DOCUMENT = (
    *(b"MZ", b"\x7fELF", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xfe\xed\xfa", b"\0asm"),
    *(b"dex\n", b"!<arch>", b"SQLite format 3\0"),
    *(b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf1", b"OggS", b"fLaC", b"FORM", b"MThd", b"#!AMR", b"RIFF"),
    *(b"FLV", b"FWS", b"CWS", b"\x1aE\xdf\xa3", b"\0\0\1\xba", b"\0\0\1\xb3", b"\x30\x26\xb2\x75\x8e\x66\xcf\x11"),
    *(b"wOFF", b"wOF2", b"OTTO", b"\0\1\0\0\0"),
)
_COMPOUND = olefile.MAGIC
_ZIP_STARTS = (b"PK\3\4", b"PK\5\6", b"PK\7\x08", b"PK00PK\3\4")

_WORD_MAIN = re.compile(
    rb"wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.(?:document|template)\.macroenabled(?:template)?\.main\+xml",
    re.IGNORECASE,
)
_OTHER_OFFICE = re.compile(
    rb"spreadsheetml\.|presentationml\.|ms-excel\.|ms-powerpoint\.|ms-visio\.|fixeddocumentsequence|fixedrepresentation",
    re.IGNORECASE,
)
# Hostile files pass here before any sandbox: every pattern is bounded, so that its time grows with the text and no faster.
_TAG = re.compile(rb"<[^<>]{1,4000}>")
_PART_NAME = re.compile(rb'PartName\s{0,9}=\s{0,9}"/?([^"]{1,500})"', re.IGNORECASE)
_MEDIA_TYPE = re.compile(rb'media-type="([^"]{1,200})"')
_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|style|script|link|table|div|span|font|center|p|h[1-6]|br)\b", re.IGNORECASE
)
_XML = re.compile(r"\s*<\?xml\b|\s*<(?:pkg:package|w:wordDocument|office:document|svg)\b", re.IGNORECASE)
_HEADER = re.compile(r"([!-9;-~]{1,60}):[ \t]")
_MAIL_MARKS = frozenset(("received", "return-path", "message-id", "mime-version", "delivered-to", "dkim-signature", "x-mailer"))
_MAIL_HEADERS = _MAIL_MARKS | frozenset(("from", "to", "subject", "date", "cc", "reply-to", "sender", "content-type"))
_SAVED_MARKS = ("snapshot-content-location", "content-location")
_OPENED_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError, RuntimeError)


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a file is. `extension_differs`: its name promises another format that Gleaner knows."""

    media_type: str
    extension_differs: bool = False


def sniff(source: bytes | Path | BinaryIO, filename: str = "") -> Sniffed:
    """The media type of a file (bytes, path, or a seekable binary file whose position is then undefined).

    Raises ResumeError: empty_file, unsupported_format (a known type that is not read), extension_mismatch (no document at
    all under a document's name), encrypted, corrupt, archive_unsafe.
    """
    promised = _EXTENSIONS.get(PurePosixPath(filename.replace("\\", "/")).suffix.lstrip(".").lower())
    with _opened(source) as file:
        head = file.read(_HEAD_BYTES)
        if not head:
            raise ResumeError("empty_file", "zero bytes")
        media_type = _container(file, head) or _signature(head)
        if media_type is None and promised in (PDF, ZIP, DOCX, ODT) and _is_remnant(file, head):
            raise ResumeError("corrupt", "the beginning of the document is missing: the last volume of several, or a torn file")
        media_type = media_type or _textual(head)
    if media_type is None:
        raise ResumeError("extension_mismatch" if promised else "unsupported_format", "the content is no document")
    return Sniffed(media_type, promised is not None and promised != media_type)


@contextmanager
def _opened(source: bytes | Path | BinaryIO) -> Iterator[BinaryIO]:
    if isinstance(source, bytes):
        yield io.BytesIO(source)
    elif isinstance(source, Path):
        with source.open("rb") as file:
            yield file
    else:
        source.seek(0)
        yield source


def _signature(head: bytes) -> str | None:
    """The type by its first bytes, None where they tell nothing or no document. Raises ResumeError(unsupported_format)."""
    for signature, media_type in _PICTURES.items():
        if head.startswith(signature):
            return media_type
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return WEBP
    if head[4:8] == b"ftyp" and head[8:12] in _HEIC_BRANDS:
        return HEIC
    if re.match(rb"(?:\xef\xbb\xbf)?\s*\{\\rtf", head):
        return RTF
    if b"%PDF-" in head[:1024]:
        return PDF
    if head.startswith(_UNREAD) or head[4:12] == b"ftypavif" or _is_bitmap(head) or head[257:262] == b"ustar":
        raise ResumeError("unsupported_format", "a type of file that is not read")
    return None


def _is_bitmap(head: bytes) -> bool:
    return (
        head.startswith(b"BM")
        and head[6:10] == b"\0\0\0\0"
        and head[14:18] in (b"\x28\0\0\0", b"\x0c\0\0\0", b"\x6c\0\0\0", b"\x7c\0\0\0")
    )


def _is_no_document(head: bytes) -> bool:
    return head.startswith(_NO_DOCUMENT) or head[4:8] == b"ftyp"


def _is_remnant(file: BinaryIO, head: bytes) -> bool:
    """Whether the file is what is left of a PDF or ZIP (the last volume of several, say)."""
    file.seek(max(0, file.seek(0, 2) - _HEAD_BYTES))
    return b"PK\5\6" in file.read()[-_HEAD_BYTES:] or re.search(rb"\d \d+ obj\b|startxref|trailer\s*<<|^%PDF", head) is not None


# -- containers ---------------------------------------------------------------------------------------------------


def _container(file: BinaryIO, head: bytes) -> str | None:
    if head.startswith(_ZIP_STARTS):
        with open_directory(file) as archive:
            try:
                return _zip(archive)
            except _OPENED_DAMAGE as exc:
                raise ResumeError("corrupt", "the directory parts of the container are damaged") from exc
    if head.startswith(_COMPOUND):
        return _compound(file)
    return None


def _zip(archive: zipfile.ZipFile) -> str:
    names = {entry.filename.replace("\\", "/").lstrip("/").lower(): entry for entry in archive.infolist()}
    if "[content_types].xml" in names:
        return _office(archive, names)
    if "word/document.xml" in names:
        return DOCX
    if "mimetype" in names or ("content.xml" in names and "meta-inf/manifest.xml" in names):
        kind = _open_document(archive, names)
        if kind:
            return kind
    if "androidmanifest.xml" in names or "meta-inf/manifest.mf" in names or any(name.endswith(".iwa") for name in names):
        raise ResumeError("unsupported_format", "a program or a document of another office suite")
    files = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
    if files and all(is_locked(entry) for entry in files):
        raise ResumeError("encrypted", "every entry of the archive needs a password")
    return ZIP


def _office(archive: zipfile.ZipFile, names: dict[str, zipfile.ZipInfo]) -> str:
    types = _start_of(archive, names["[content_types].xml"])
    mains = [_PART_NAME.search(tag) for tag in _TAG.findall(types) if _WORD_MAIN.search(tag)]
    if "word/document.xml" in names or any(part and part[1].decode("utf-8", "replace").lower() in names for part in mains):
        return DOCX
    if not _WORD_MAIN.search(types) and _OTHER_OFFICE.search(types):
        raise ResumeError("unsupported_format", "another kind of office document")
    raise ResumeError("corrupt", "the package has no main document part")


def _open_document(archive: zipfile.ZipFile, names: dict[str, zipfile.ZipInfo]) -> str | None:
    manifest = _start_of(archive, names["meta-inf/manifest.xml"]) if "meta-inf/manifest.xml" in names else b""
    kind = _start_of(archive, names["mimetype"]).strip() if "mimetype" in names else b""
    if not kind.startswith(b"application/"):
        roots = [_MEDIA_TYPE.search(tag) for tag in _TAG.findall(manifest) if b'full-path="/"' in tag]
        kind = next((found[1] for found in roots if found), b"")
    if not kind.startswith(b"application/vnd.oasis.opendocument.text"):
        if kind.startswith(b"application/"):
            raise ResumeError("unsupported_format", "another kind of office document")
        return None
    if b"encryption-data" in manifest:
        raise ResumeError("encrypted", "the document needs a password")
    if "content.xml" not in names:
        raise ResumeError("corrupt", "the document has no content part")
    return ODT


def _start_of(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    if is_locked(entry):
        raise ResumeError("encrypted", "the container needs a password")
    with archive.open(entry) as stream:
        return stream.read(1_000_000)


def _compound(file: BinaryIO) -> str:
    file.seek(0)
    try:
        ole = olefile.OleFileIO(file)
        names = {"/".join(path).lower() for path in ole.listdir()}
        if {"encryptedpackage", "encryptioninfo"} & names:
            raise ResumeError("encrypted", "the document needs a password")
        if "worddocument" in names:
            start = ole.openstream("WordDocument").read(12)
            if len(start) == 12 and start[0x0B] & 0x01:
                raise ResumeError("encrypted", "the document needs a password")
            return DOC
    except (OSError, ValueError, TypeError, IndexError, AttributeError, KeyError, RecursionError, MemoryError) as exc:
        raise ResumeError("corrupt", "the compound file is damaged") from exc
    if any(name.startswith(("__properties_version1", "__substg1.0_", "__nameid")) for name in names):
        return OUTLOOK
    raise ResumeError("unsupported_format", "another kind of compound file")


# -- text ---------------------------------------------------------------------------------------------------------


def _first_element(text: str) -> str:
    """What follows the XML declaration and the comments at the head of a text."""
    start = 0
    while True:
        start += len(text[start : start + 10_000]) - len(text[start : start + 10_000].lstrip())
        opening, closing = ("<!--", "-->") if text.startswith("<!--", start) else ("<?", ">")
        end = text.find(closing, start + len(opening)) if text.startswith(opening, start) else -1
        if end < 0:
            return text[start : start + 200]
        start = end + len(closing)


def _textual(head: bytes) -> str | None:
    """The type of a text file, None where the bytes are no text. Raises ResumeError(unsupported_format)."""
    if _is_no_document(head) or is_binary(head):
        return None
    # Of older encodings only the ASCII part matters here.
    text = head.decode(unicode_codec(head) or "latin-1", "replace").lstrip("\ufeff")
    if _HTML.match(_first_element(text)):
        return HTML
    if _XML.match(text):
        if re.search(r"<(?:pkg:package|w:wordDocument)\b", text[:4096]):
            return DOCX
        if re.search(r"<html\b", text[:4096], re.IGNORECASE):
            return HTML
        raise ResumeError("unsupported_format", "XML that is no page")
    return _mail(text) or TEXT


def _mail(text: str) -> str | None:
    """A mail or a saved web page begins with a block of headers, some of which nothing else has."""
    headers: dict[str, str] = {}
    text = re.sub(r"\A\s*(?:>?From [^\n]*\n)?", "", text)
    last = ""
    for line in text.splitlines()[:200]:
        if line[:1] in (" ", "\t") and last:
            headers[last] += line
            continue
        match = _HEADER.match(f"{line} ")
        if not match:
            break
        last = match[1].lower()
        headers[last] = line[match.end() - 1 :]
    if len(_MAIL_HEADERS & headers.keys()) < 2 or not (
        _MAIL_MARKS & headers.keys() or {"from", "to", "subject"} <= headers.keys()
    ):
        return None
    related = "multipart/related" in headers.get("content-type", "").lower()
    saved = any(name in headers for name in _SAVED_MARKS) or not {"to", "received", "delivered-to"} & headers.keys()
    page = "text/html" in headers.get("content-type", "").lower() and "content-location" in headers
    return MHTML if (related and saved) or page else MAIL
