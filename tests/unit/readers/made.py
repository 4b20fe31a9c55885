"""Files made for the tests of the readers: small, whole, and of the format they claim."""

from __future__ import annotations

import io
import itertools
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ingest.page import Reading
from ingest.readers import ReadLimits, reader_for

LIMITS = ReadLimits()
W_NS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
NAMESPACES = (
    f'xmlns:w="{W_NS}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)


def read(media_type: str, content: bytes, folder: Path) -> Reading:
    """What the reader of a media type makes of some bytes."""
    path = folder / "document"
    path.write_bytes(content)
    return reader_for(media_type).read(path, LIMITS)


def lines(reading: Reading) -> list[str]:
    return [line.text for page in reading.pages for line in page.lines]


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx(body: str, *, rels: Mapping[str, tuple[str, str]] | None = None, **parts: str | bytes) -> bytes:
    """A Word document. `rels`: id → (kind, target), external with a colon; a part `header1_xml` is word/header1.xml."""
    relationships = "".join(
        f'<Relationship Id="{key}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" '
        f'Target="{target}" TargetMode="{"External" if ":" in target else "Internal"}"/>'
        for key, (kind, target) in (rels or {}).items()
    )
    wrap = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
    return zipped(
        {
            "[Content_Types].xml": CONTENT_TYPES,
            "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": wrap.format(relationships),
            **{f"word/{name.replace('_', '.')}": content for name, content in parts.items()},
        }
    )


def p(text: str, properties: str = "") -> str:
    """A paragraph of one run."""
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


ODF = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style", "fo": "xsl-fo-compatible",
        "svg": "svg-compatible",
    }.items()
)  # fmt: skip
ODF += ' xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'


def odt(body: str, *, automatic: str = "", styles: str = "") -> bytes:
    """An OpenDocument text."""
    parts = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f'<office:document-content {ODF} xmlns:xlink="http://www.w3.org/1999/xlink"><office:automatic-styles>{automatic}'
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body></office:document-content>",
    }
    if styles:
        parts["styles.xml"] = f"<office:document-styles {ODF}>{styles}</office:document-styles>"
    return zipped(parts)


# -- compound files ([MS-CFB]) ------------------------------------------------------------------------------------

_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_MINIMUM = 4096  # shorter streams would go to the mini stream


def compound(streams: Mapping[str, bytes]) -> bytes:
    """A compound file. Names with a slash stand in storages. Streams are padded with zeros to 4,096 bytes."""
    tree: dict[str, object] = {}
    for path, content in streams.items():
        *folders, name = path.split("/")
        at = tree
        for folder in folders:
            at = at.setdefault(folder, {})  # type: ignore[assignment]
        at[name] = content.ljust(_MINIMUM, b"\0")
    entries: list[list[object]] = [["Root Entry", 5, _FREE, _END, 0]]  # name, kind, child, first sector, size
    siblings: list[int] = [_FREE]
    data: list[bytes] = []
    chains: list[int] = []

    def add(folder: Mapping[str, object], parent: int) -> None:
        numbers = []
        for name, content in folder.items():
            numbers.append(len(entries))
            siblings.append(_FREE)
            if isinstance(content, bytes):
                first = len(chains)
                count = -(-len(content) // _SECTOR)
                chains.extend([*range(first + 1, first + count), _END])
                data.append(content.ljust(count * _SECTOR, b"\0"))
                entries.append([name, 2, _FREE, first, len(content)])
            else:
                entries.append([name, 1, _FREE, 0, 0])
                add(content, numbers[-1])  # type: ignore[arg-type]
        for number, following in itertools.pairwise(numbers):
            siblings[number] = following
        entries[parent][2] = numbers[0] if numbers else _FREE

    add(tree, 0)
    directory = b"".join(
        _entry(str(name), kind, sibling, child, first, size)  # type: ignore[arg-type]
        for (name, kind, child, first, size), sibling in zip(entries, siblings, strict=True)
    )
    count = -(-len(directory) // _SECTOR)
    directory_start = len(chains)
    chains += [*range(directory_start + 1, directory_start + count), _END]
    fat_count = -(-(len(chains) + 20) // (_SECTOR // 4))
    fat_start = len(chains)
    chains += [_FAT] * fat_count
    fat = struct.pack(f"<{len(chains)}I", *chains).ljust(fat_count * _SECTOR, b"\xff")
    heads = [*range(fat_start, fat_start + fat_count)]
    header = struct.pack(
        "<8s16s6H10I", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, 0, 0, 0, fat_count, directory_start, 0,
        _MINIMUM, _END, 0, _END, 0,
    )  # fmt: skip
    header += struct.pack("<109I", *heads, *[_FREE] * (109 - len(heads)))
    return header + b"".join(data) + directory.ljust(count * _SECTOR, b"\0") + fat


def _entry(name: str, kind: int, sibling: int, child: int, first: int, size: int) -> bytes:
    raw = name.encode("utf-16-le") + b"\0\0"
    head = raw.ljust(64, b"\0") + struct.pack("<HBBIII", len(raw), kind, 1, _FREE, sibling, child)
    return head + b"\0" * 36 + struct.pack("<IQ", first, size)


# -- Word 97 ([MS-DOC]) -------------------------------------------------------------------------------------------


def word97(
    text: str,
    *,
    headers: str = "",
    boxes: str = "",
    characters: Sequence[tuple[int, int, bytes]] = (),
    paragraphs: Sequence[tuple[int, int, bytes]] = (),
    flags: int = 0,
    compressed: bool = False,
) -> bytes:
    """A .doc with one piece. Properties: (first character, past the last, modifiers)."""
    whole = text + headers + boxes
    start, width = 0x600, 1 if compressed else 2
    body = whole.encode("cp1252" if compressed else "utf-16-le")
    raw = start * 2 | 0x40000000 if compressed else start
    piece_table = struct.pack("<II", 0, len(whole)) + struct.pack("<HIH", 0, raw, 0)
    clx = b"\x02" + struct.pack("<I", len(piece_table)) + piece_table
    main = bytearray(start) + body
    main += b"\0" * (-len(main) % _SECTOR)
    table = bytearray(clx)
    pairs = [(0, 0)] * 93
    pairs[33] = (0, len(clx))
    for index, runs, is_paragraph in ((12, characters, False), (13, paragraphs, True)):
        page = len(main) // _SECTOR
        main += _formatted_page([(start + first * width, start + last * width, mods) for first, last, mods in runs], is_paragraph)
        pairs[index] = (len(table), 12)
        table += struct.pack("<III", start, start + len(body), page)
    if headers:
        pairs[11] = (len(table), 4 * 9)
        # six stories of separators (empty), then the even header (all of it), and the end
        table += struct.pack("<9i", *[0] * 7, len(headers), len(headers))
    counts = [0] * 22
    counts[3], counts[5], counts[9] = len(text), len(headers), len(boxes)
    struct.pack_into("<HHHHHH", main, 0, 0xA5EC, 0xC1, 0, 0x0409, 0, 0x0200 | flags)
    struct.pack_into("<H", main, 0x20, 14)
    struct.pack_into("<H", main, 0x3E, 22)
    struct.pack_into("<22i", main, 0x40, *counts)
    struct.pack_into("<H", main, 0x98, 93)
    for index, (offset, size) in enumerate(pairs):
        struct.pack_into("<II", main, 0x9A + 8 * index, offset, size)
    return compound({"WordDocument": bytes(main), "1Table": bytes(table)})


def _formatted_page(runs: Sequence[tuple[int, int, bytes]], is_paragraph: bool) -> bytes:  # noqa: FBT001
    page = bytearray(_SECTOR)
    runs = runs or [(0, 0, b"")]
    bounds = [first for first, _, _ in runs] + [runs[-1][1]]
    struct.pack_into(f"<{len(bounds)}I", page, 0, *bounds)
    at = _SECTOR - 2
    for index, (_, _, modifiers) in enumerate(runs):
        if is_paragraph:
            raw = b"\0\0" + modifiers  # style 0
            raw = b"\0" + bytes([-(-len(raw) // 2)]) + raw + b"\0" * (len(raw) % 2)
        else:
            raw = bytes([len(modifiers)]) + modifiers
        at -= len(raw) + len(raw) % 2
        page[at : at + len(raw)] = raw
        page[4 * len(bounds) + (13 if is_paragraph else 1) * index] = at // 2 if modifiers or is_paragraph else 0
    page[-1] = len(runs)
    return bytes(page)
