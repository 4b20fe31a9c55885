"""Word documents in one XML file: flat packages, and the XML of Word 2003 that many web sites export under the name .doc.

Both are offered as the parts of a package, so that one walk (`ingest.readers.docx`) reads them all.
"""

from __future__ import annotations

import base64
import binascii

from lxml import etree

from ingest.readers.ooxml import parse_xml
from ingest.readers.zipsafe import XML_PART_BYTES
from resumes.taxonomy import ResumeError

_PKG = "{http://schemas.microsoft.com/office/2006/xmlPackage}"
_WORD_2003 = b"http://schemas.microsoft.com/office/word/2003/wordml"
_WORD_2006 = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_W = f"{{{_WORD_2006.decode()}}}"


class FlatParts:
    """The parts of a document in one file. Raises ResumeError(corrupt, too_large)."""

    def __init__(self, data: bytes) -> None:
        if len(data) > XML_PART_BYTES:
            raise ResumeError("too_large", "more XML than a document may have")
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            # The root is parsed again from its parts; one encoding makes the namespaces easy to find.
            data = data.decode("utf-16", "replace").partition("?>")[2].encode()
        root = parse_xml(data.replace(_WORD_2003, _WORD_2006)).root
        self._parts: dict[str, bytes] = {}
        if root.tag == f"{_PKG}package":
            for part in root.iterchildren(f"{_PKG}part"):
                self._parts[part.get(f"{_PKG}name", "").lstrip("/").lower()] = _content(part)
        elif root.tag == f"{_W}wordDocument":
            self._parts["word/document.xml"] = etree.tostring(root)
            styles = root.find(f"{_W}styles")
            if styles is not None:
                self._parts["word/styles.xml"] = etree.tostring(styles)
        else:
            raise ResumeError("corrupt", "the XML is no Word document")

    def has(self, name: str) -> bool:
        return name.lstrip("/").lower() in self._parts

    def part(self, name: str, most: int = XML_PART_BYTES) -> bytes | None:
        """A part by name, None where it is not there."""
        data = self._parts.get(name.lstrip("/").lower())
        if data is not None and len(data) > most:
            raise ResumeError("too_large", "a part of the document is larger than the limit")
        return data


def _content(part: etree._Element) -> bytes:
    xml = part.find(f"{_PKG}xmlData")
    if xml is not None:
        return etree.tostring(xml[0], with_tail=False) if len(xml) else b""
    try:
        return base64.b64decode(part.findtext(f"{_PKG}binaryData") or "")
    except binascii.Error:
        return b""
