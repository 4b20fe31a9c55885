"""Office Open XML packages: parts, their relationships, and safe XML.

Namespaces of the strict variant are rewritten to the transitional ones that everybody else writes, so readers know one set.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from lxml import etree

from ingest.readers.deep_xml import EXCESSIVE, flattened
from resumes.taxonomy import ResumeError

_STRICT = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    (b"http://purl.oclc.org/ooxml/officeDocument/", b"http://schemas.openxmlformats.org/officeDocument/2006/"),
    (b"http://purl.oclc.org/ooxml/drawingml/main", b"http://schemas.openxmlformats.org/drawingml/2006/main"),
    (
        b"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing",
        b"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    ),
    (b"http://purl.oclc.org/ooxml/drawingml/diagram", b"http://schemas.openxmlformats.org/drawingml/2006/diagram"),
)
_MAIN_TYPES = ("wordprocessingml.document.main+xml", "wordprocessingml.template.main+xml",
               "ms-word.document.macroenabled.main+xml", "ms-word.template.macroenabledtemplate.main+xml")  # fmt: skip
_MARKUP = re.compile("[<&]")
_MOST_ENTITY_TEXT = 100_000
_MOST_TAGS = 3_000_000
"""In one part; a tree of more takes all the memory and time there is. A book has a tenth."""


@dataclass(frozen=True, slots=True)
class Relationship:
    kind: str
    """Last part of its type: `hyperlink`, `header`, `image` …"""
    target: str
    """A part's name inside the package, or an address outside."""
    external: bool


class Parsed(NamedTuple):
    root: etree._Element
    repaired: bool
    """Whether it was damaged and has been read as far as it goes."""


def parse_xml(data: bytes) -> Parsed:
    """Parse a part; nothing outside it is loaded, entities stand for bare text only. Raises ResumeError(corrupt, too_large)."""
    if data.count(b"<") > _MOST_TAGS:
        raise ResumeError("too_large", "more elements than a document may have")
    for recover in (False, True):
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True,
            collect_ids=False, recover=recover,
        )  # fmt: skip
        try:
            root = etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as exc:
            if EXCESSIVE in str(exc):
                return Parsed(flattened(data), repaired=True)
            if recover:
                raise ResumeError("corrupt", "a part of the document is not XML") from exc
            continue
        if root is not None:
            _fill_in_entities(root)
            return Parsed(root, recover)
    raise ResumeError("corrupt", "a part of the document is empty")


def _fill_in_entities(root: etree._Element) -> None:
    """Put text in the place of references to entities: what is declared for them where that is bare text, U+FFFD elsewhere.

    The parser leaves them as they are, since what it would put there may be a bomb or somebody's file. No writer needs them.
    """
    declared: Any = root.getroottree().docinfo.internalDTD  # lxml's types know neither its entities nor their names
    if declared is None:
        return
    texts = {entity.name: entity.content or "" for entity in declared.iterentities()}
    left = _MOST_ENTITY_TEXT
    references: list[Any] = list(root.iter(etree.Entity))
    for reference in references:
        text = texts.get(reference.name, "")
        left -= len(text)
        if left < 0:
            raise ResumeError("corrupt", "entities expand without end")
        parent, before = reference.getparent(), reference.getprevious()
        if parent is None:
            continue
        text = (text if text and not _MARKUP.search(text) else "\ufffd") + (reference.tail or "")
        parent.remove(reference)
        if before is None:
            parent.text = (parent.text or "") + text
        else:
            before.tail = (before.tail or "") + text


class Parts(Protocol):
    """Where the parts of a package come from."""

    def has(self, name: str) -> bool: ...

    def part(self, name: str) -> bytes | None: ...


class Package:
    """A Word package: its parts as XML, and what they point at."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.repaired = False
        """Whether a part was damaged."""

    @cached_property
    def main(self) -> str:
        """Name of the main document part. Raises ResumeError(corrupt)."""
        candidates = [rel.target for rel in self.relationships("").values() if rel.kind == "officeDocument"]
        types = self.xml("[Content_Types].xml")
        candidates += [
            override.get("PartName", "").lstrip("/")
            for override in ([] if types is None else types.iter("{*}Override"))
            if override.get("ContentType", "").lower().endswith(_MAIN_TYPES)
        ]
        for name in (*candidates, "word/document.xml"):
            if self._parts.has(name):
                return name
        raise ResumeError("corrupt", "the package has no main document part")

    def xml(self, name: str) -> etree._Element | None:
        """A part as XML, None where it is not there. Raises ResumeError."""
        data = self._parts.part(name)
        if not data or not data.strip(b"\0 \t\r\n"):
            return None
        for strict, transitional in _STRICT:
            data = data.replace(strict, transitional)
        root, repaired = parse_xml(data)
        self.repaired = self.repaired or repaired
        return root

    def optional_xml(self, name: str) -> etree._Element | None:
        """The same for a part the text does not depend on: None where it is damaged."""
        try:
            return self.xml(name)
        except ResumeError as error:
            if error.code != "corrupt":
                raise
            return None

    def data(self, name: str) -> bytes | None:
        """A part as bytes, None where it is not there or damaged. Raises ResumeError."""
        try:
            return self._parts.part(name)
        except ResumeError as error:
            if error.code != "corrupt":
                raise
            return None

    def relationships(self, part: str) -> Mapping[str, Relationship]:
        """What a part (the package itself: "") points at, by id. Targets need not exist; Word itself writes such files."""
        folder, _, base = part.rpartition("/")
        root = self.optional_xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        return {} if root is None else dict(self._relationships(root, folder))

    @staticmethod
    def _relationships(root: etree._Element, folder: str) -> Iterator[tuple[str, Relationship]]:
        for element in root.iter("{*}Relationship"):
            target = element.get("Target", "").strip()
            external = element.get("TargetMode", "") == "External"
            if not external:
                target = target.partition("#")[0].replace("\\", "/")
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            yield element.get("Id", ""), Relationship(element.get("Type", "").rpartition("/")[2], target, external)
