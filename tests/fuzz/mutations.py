"""Damage to files, as disks, networks, careless programs and people of ill will do it. The same seed, the same damage."""

from __future__ import annotations

import io
import random
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable

EXTREMES = (
    b"0",
    b"-1",
    b"1e99",
    b"2147483647",
    b"-2147483648",
    b"4294967296",
    b"99999999999999999999",
    b"0.0000001",
    b"\xd9\xa3",
)
INTEGERS = (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\1\0\0\0", b"\xfe\xff\xff\xff", b"\0\x10\0\0")
GARBAGE = (
    b"\0" * 64,
    b"\xff" * 64,
    b"%n%s" * 16,
    b"../" * 16,
    "\u202e\u200b\ufeff".encode(),
    b"((((" * 64,
    b"<<<<" * 64,
    b"{{{{" * 64,
    b"\x1b[2J",
)

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_ELEMENT = re.compile(rb"<(?![?!/])[^<>]*>[^<]*|</[^<>]*>[^<]*")
_ATTRIBUTE = re.compile(rb'"[^"<>]*"')
_OBJECT = re.compile(rb"(\d+ \d+ obj\b)(.*?)(endobj)", re.DOTALL)
_STREAM = re.compile(rb"(/FlateDecode.{0,200}?stream\r?\n)(.*?)(\r?\nendstream)", re.DOTALL)

Damage = Callable[[bytes, random.Random], bytes]


def mutated(content: bytes, chance: random.Random) -> bytes:
    """The content with one to four kinds of damage, some of them inside what the format packs or structures."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        content = _inside(content, chance) if chance.random() < 0.6 else chance.choice(RAW)(content, chance)
    return content


def _inside(content: bytes, chance: random.Random) -> bytes:
    if content.startswith(b"PK"):
        return part_of_zip(content, chance)
    if content.startswith(b"%PDF"):
        return chance.choice((objects, objects, stream, numbers))(content, chance)
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        return integers(content, chance)
    if b"<" in content[:64]:
        return chance.choice((elements, elements, attributes, numbers))(content, chance)
    return chance.choice((numbers, integers))(content, chance)


# -- any bytes ----------------------------------------------------------------------------------------------------


def bits(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 4, 16, 64)) if data else 0):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def cut(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] if chance.random() < 0.8 else content[at:]


def swapped(content: bytes, chance: random.Random) -> bytes:
    a, b, c, d = sorted(chance.randrange(len(content) + 1) for _ in range(4))
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def doubled(content: bytes, chance: random.Random) -> bytes:
    start, end = _span(content, chance)
    return content[:end] + content[start:end] * chance.choice((1, 1, 2, 50)) + content[end:]


def removed(content: bytes, chance: random.Random) -> bytes:
    start, end = _span(content, chance)
    return content[:start] + content[end:]


def garbage(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    return (
        content[:at]
        + (chance.choice(GARBAGE) if chance.random() < 0.6 else chance.randbytes(chance.randrange(1, 300)))
        + content[at:]
    )


def integers(content: bytes, chance: random.Random) -> bytes:
    """A field of a binary structure says something extreme."""
    if len(content) < 8:
        return content
    width = chance.choice((1, 2, 4))
    at = chance.randrange(len(content) // width) * width
    return content[:at] + chance.choice(INTEGERS)[:width] + content[at + width :]


RAW: tuple[Damage, ...] = (bits, bits, cut, swapped, doubled, removed, garbage, integers)


def _span(content: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(content) + 1)
    return start, min(len(content), start + chance.choice((1, 8, 64, 512, 4096)))


# -- text with structure ------------------------------------------------------------------------------------------


def numbers(content: bytes, chance: random.Random) -> bytes:
    """A number is another, or an extreme."""
    return _replaced(
        content, _NUMBER, chance, lambda old: chance.choice((*EXTREMES, old + b"0", str(chance.randrange(70_000)).encode()))
    )


def attributes(content: bytes, chance: random.Random) -> bytes:
    values = _ATTRIBUTE.findall(content[:200_000])
    return _replaced(
        content,
        _ATTRIBUTE,
        chance,
        lambda _: chance.choice((b'""', b'"' + chance.choice(EXTREMES) + b'"', chance.choice(values))),
    )


def elements(content: bytes, chance: random.Random) -> bytes:
    """A tag is doubled, nested deeply, left out, or changes places with another."""
    found = list(_ELEMENT.finditer(content[:400_000]))
    if len(found) < 2:
        return bits(content, chance)
    a, b = sorted(chance.sample(found, 2), key=lambda match: match.start())
    kind = chance.randrange(4)
    if kind == 0:
        return content[: a.start()] + b[0] + content[a.end() : b.start()] + a[0] + content[b.end() :]
    if kind == 1:
        return content[: a.start()] + content[a.end() :]
    if kind == 2:
        return content[: a.end()] + a[0] * chance.choice((1, 3, 300)) + content[a.end() :]
    return content[: a.start()] + content[b.start() : b.end()] + content[a.start() :]


def _replaced(content: bytes, pattern: re.Pattern[bytes], chance: random.Random, by: Callable[[bytes], bytes]) -> bytes:
    found = list(pattern.finditer(content[:400_000]))
    if not found:
        return bits(content, chance)
    for match in sorted(chance.sample(found, min(len(found), chance.choice((1, 1, 3, 10)))), key=lambda match: -match.start()):
        content = content[: match.start()] + by(match[0]) + content[match.end() :]
    return content


# -- containers ---------------------------------------------------------------------------------------------------


def part_of_zip(content: bytes, chance: random.Random) -> bytes:
    """A part of the package is damaged inside, exchanged for another, left out, or there twice; the packing itself is sound."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = [(entry.filename, archive.read(entry)) for entry in archive.infolist()]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError, EOFError, OSError):
        return chance.choice(RAW)(content, chance)  # damaged before
    if not parts:
        return content
    # The larger a part, the more there is to break in it.
    index = chance.choices(range(len(parts)), [1 + min(len(data), 50_000) for _, data in parts])[0]
    name, data = parts[index]
    kind = chance.randrange(8)
    if kind == 0:
        del parts[index]
    elif kind == 1:
        parts[index] = (name, chance.choice(parts)[1])
    elif kind == 2:
        parts[index] = (chance.choice(parts)[0] + "x", data)
    else:
        parts[index] = (name, mutated(data, chance) if not data.startswith(b"PK") else chance.choice(RAW)(data, chance))
    out = io.BytesIO()
    with (
        warnings.catch_warnings(),
        zipfile.ZipFile(out, "w", chance.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))) as archive,
    ):
        warnings.simplefilter("ignore", UserWarning)  # two parts of one name are meant
        for part, data in parts:
            archive.writestr(part, data)
    return out.getvalue()


def objects(content: bytes, chance: random.Random) -> bytes:
    """Two objects of a PDF change places, one takes another's, points to itself, or goes."""
    found = list(_OBJECT.finditer(content))
    if len(found) < 2:
        return bits(content, chance)
    a, b = sorted(chance.sample(found, 2), key=lambda match: match.start())
    kind = chance.randrange(5)
    if kind == 0:
        bodies = (b[2], a[2])
    elif kind == 1:
        bodies = (b[2], b[2])
    elif kind == 2:
        bodies = (re.sub(rb"\d+ 0 R", a[1].replace(b"obj", b"R"), a[2]), b[2])  # everything it names is itself
    elif kind == 3:
        bodies = (numbers(a[2], chance), numbers(b[2], chance))
    else:
        bodies = (b"", b[2])
    return content[: a.start(2)] + bodies[0] + content[a.end(2) : b.start(2)] + bodies[1] + content[b.end(2) :]


def stream(content: bytes, chance: random.Random) -> bytes:
    """A packed stream of a PDF (text, font, map of characters) is damaged inside; its packing is sound, its length is not."""
    found = list(_STREAM.finditer(content))
    if not found:
        return numbers(content, chance)
    match = chance.choice(found)
    try:
        data = zlib.decompress(match[2])
    except zlib.error:
        return bits(content, chance)
    packed = zlib.compress(chance.choice((*RAW, numbers, numbers))(data, chance))
    return content[: match.start(2)] + packed + content[match.end(2) :]
