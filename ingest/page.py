"""The one document model: pages of lines of words.

Readers and OCR engines write it, rules and the language model read it, the workbench draws its boxes.
It holds what stands on the page and where; it knows nothing of formats, engines or fields.

Coordinates are fractions of the upright page (0 to 1, from the top left). A format without pages (Word, HTML,
text) gives one page whose words have no boxes; `Line.cell`, `Line.style` and `Line.gap` carry its structure.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple


class Box(NamedTuple):
    """A rectangle in fractions of the upright page, origin at the top left."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    def union(self, other: Box) -> Box:
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def rounded(self) -> Box:
        """Round to a hundredth of a per cent, which is finer than a pixel at 300 dpi on A4."""
        return Box(round(self.x0, 4), round(self.y0, 4), round(self.x1, 4), round(self.y1, 4))


CUT_OFF = "cut_off"
"""Warning of a reader: the end of the file is missing, so a person should look at what was found."""
BAD_CHARACTERS = "bad_characters"
"""Warning of a reader: some characters cannot be read; U+FFFD stands in their place."""
ATTACHMENTS = "attachments"
"""Warning of a reader: the document carries files that are no part of its pages and were not read."""


class Source(enum.StrEnum):
    """Where a word comes from."""

    TEXT = "text"
    """The document's own text layer, with boxes."""
    OCR = "ocr"
    """Read from pixels."""
    CONVERTED = "converted"
    """The text of a format that has no pages of its own."""


class TextQuality(enum.StrEnum):
    """What a page's own text layer is worth. Anything but GOOD and NONE_NEEDED asks for OCR."""

    GOOD = "good"
    ABSENT = "absent"
    SPARSE = "sparse"
    """Too few words for the ink on the page."""
    GARBLED = "garbled"
    """Unmapped or wrongly mapped glyphs, mojibake, private-use characters."""
    HIDDEN = "hidden"
    """Only text nobody can see."""
    CONTRADICTING = "contradicting"
    """The text layer says something else than the picture."""
    BLANK = "blank"
    """Nothing on the page: no text and no ink."""

    @property
    def wants_ocr(self) -> bool:
        return self not in (TextQuality.GOOD, TextQuality.BLANK)


class Cell(NamedTuple):
    """The place of a line in a table: the table's number on the page, row and column (from 0), columns spanned."""

    table: int
    row: int
    column: int
    span: int = 1


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without white space, or what a reader could not split further.

    In scripts without spaces (Chinese) a word is a run of characters drawn together; never assume it is a dictionary word.
    """

    text: str
    box: Box | None = None
    size: float | None = None
    """Font size in points; for OCR the height of the box."""
    bold: bool = False
    link: str | None = None
    """Target of a hyperlink drawn over the word, as it stands in the file."""
    source: Source = Source.CONVERTED
    confidence: float = 1.0
    """1.0 for text that was not guessed; the engine's own figure for OCR."""
    space: bool = True
    """Whether white space separates the word from the next one on its line."""


@dataclass(frozen=True, slots=True)
class Line:
    """Words that read as one line, in reading order."""

    words: tuple[Word, ...]
    block: int = 0
    """Number of the column or frame the line belongs to, in reading order over the whole page."""
    style: str = ""
    """What the format itself says the line is: `heading1`…`heading6`, `title`, `list`, `header`, `footer` or nothing."""
    cell: Cell | None = None
    gap: float = 0.0
    """White space above, in heights of the line (0 within a paragraph; 1.0 or more where something new begins)."""
    indent: float = 0.0
    """Left edge relative to the block, as a fraction of the page's width (list levels in formats without boxes: 0.02 each)."""
    boxes: list[Box | None] = field(default_factory=list, init=False, compare=False, repr=False)
    """Kept by `box`, which the rules ask for again and again."""

    @property
    def text(self) -> str:
        return join_words(self.words)

    @property
    def box(self) -> Box | None:
        if not self.boxes:
            self.boxes.append(union_box(word.box for word in self.words))
        return self.boxes[0]

    @property
    def size(self) -> float | None:
        """Size of the most text on the line, in points."""
        sizes = [(len(word.text), word.size) for word in self.words if word.size]
        return max(sizes)[1] if sizes else None

    @property
    def bold(self) -> bool:
        """Whether most characters are bold."""
        letters = sum(len(word.text) for word in self.words)
        return letters > 0 and sum(len(word.text) for word in self.words if word.bold) * 2 > letters


@dataclass(frozen=True, slots=True)
class Picture:
    """An embedded picture that may carry text (a scanned page in a Word file, a heading drawn as an image)."""

    box: Box | None
    """Where it stands; None in formats without pages."""
    name: str
    """How the reader that found it can load it again (`page_image` of the reader's module)."""
    share: float = 1.0
    """Share of the page it covers, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page in reading order. `number` starts at 1; sizes in points, None where the format has no pages."""

    number: int
    lines: tuple[Line, ...] = ()
    width: float | None = None
    height: float | None = None
    quality: TextQuality = TextQuality.GOOD
    pictures: tuple[Picture, ...] = ()
    hidden: tuple[str, ...] = ()
    """Text in the file that nobody can see; kept out of `lines`, fields, model and matching."""
    notes: Mapping[str, float] = field(default_factory=dict)
    """The figures the judgement of quality rests on, for the record."""

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    def with_lines(self, lines: Iterable[Line], quality: TextQuality) -> Page:
        return replace(self, lines=tuple(lines), quality=quality)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader makes of a file: its pages and what people should know about them."""

    pages: tuple[Page, ...]
    warnings: tuple[str, ...] = ()
    """Codes, such as `cut_off`, `hidden_text` or `repaired`; no personal data."""
    title: str = ""
    """The document's own title, where the format has one; a hint only."""

    @property
    def text(self) -> str:
        return "\n\n".join(page.text for page in self.pages)

    @property
    def wants_ocr(self) -> tuple[int, ...]:
        """Numbers of the pages whose text layer is not to be relied on, or that carry pictures in place of text."""
        return tuple(page.number for page in self.pages if page.quality.wants_ocr)


def join_words(words: Sequence[Word]) -> str:
    """Join words to text the way they stand on the page."""
    parts: list[str] = []
    for index, word in enumerate(words):
        parts.append(word.text)
        if word.space and index + 1 < len(words):
            parts.append(" ")
    return "".join(parts)


def union_box(boxes: Iterable[Box | None]) -> Box | None:
    """The smallest box around all that are given, None where there is none."""
    given = [box for box in boxes if box is not None]
    if not given:
        return None
    lefts, tops, rights, bottoms = zip(*given, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def line_of(
    text: str, *, source: Source = Source.CONVERTED, bold: bool = False, link: str | None = None, **attributes: Any
) -> Line:
    """A line without boxes from plain text; the one way readers of unpaged formats make lines."""
    words = tuple(Word(part, source=source, bold=bold, link=link) for part in text.split())
    return Line(words, **attributes)


def all_lines(pages: Iterable[Page]) -> Iterator[tuple[Page, Line]]:
    """Every line with its page, in reading order."""
    for page in pages:
        for line in page.lines:
            yield page, line


# -- the stored form: plain lists and dicts, short keys, defaults left out ---------------------------------------


def to_data(reading: Reading) -> dict[str, Any]:
    """A JSON-ready form of a reading; `from_data` is its inverse."""
    return {
        "v": 1,
        "warnings": list(reading.warnings),
        "title": reading.title,
        "pages": [_page_data(page) for page in reading.pages],
    }


def from_data(data: Mapping[str, Any]) -> Reading:
    """The reading a `to_data` form stands for."""
    return Reading(
        pages=tuple(_page_from(page) for page in data["pages"]),
        warnings=tuple(data["warnings"]),
        title=data["title"],
    )


def _page_data(page: Page) -> dict[str, Any]:
    return {
        "n": page.number,
        "w": page.width,
        "h": page.height,
        "q": page.quality.value,
        "l": [_line_data(line) for line in page.lines],
        "p": [[picture.box, picture.name, picture.share] for picture in page.pictures],
        "hid": list(page.hidden),
        "notes": dict(page.notes),
    }


def _page_from(data: Mapping[str, Any]) -> Page:
    return Page(
        number=data["n"],
        width=data["w"],
        height=data["h"],
        quality=TextQuality(data["q"]),
        lines=tuple(_line_from(line) for line in data["l"]),
        pictures=tuple(Picture(_box(box), name, share) for box, name, share in data["p"]),
        hidden=tuple(data["hid"]),
        notes=data["notes"],
    )


def _line_data(line: Line) -> dict[str, Any]:
    data: dict[str, Any] = {"w": [_word_data(word) for word in line.words]}
    if line.block:
        data["b"] = line.block
    if line.style:
        data["s"] = line.style
    if line.cell:
        data["c"] = list(line.cell)
    if line.gap:
        data["g"] = round(line.gap, 2)
    if line.indent:
        data["i"] = round(line.indent, 4)
    return data


def _line_from(data: Mapping[str, Any]) -> Line:
    cell = data.get("c")
    return Line(
        words=tuple(_word_from(word) for word in data["w"]),
        block=data.get("b", 0),
        style=data.get("s", ""),
        cell=Cell(*cell) if cell else None,
        gap=data.get("g", 0.0),
        indent=data.get("i", 0.0),
    )


def _word_data(word: Word) -> list[Any]:
    flags = (1 if word.bold else 0) | (0 if word.space else 2)
    box = list(word.box.rounded()) if word.box else None
    row: list[Any] = [word.text, box, round(word.size, 1) if word.size else None, flags, word.source.value]
    if word.link or word.confidence != 1.0:
        row += [word.link, round(word.confidence, 3)]
    return row


def _word_from(row: Sequence[Any]) -> Word:
    text, box, size, flags, source, *rest = row
    link, confidence = rest or (None, 1.0)
    return Word(
        text=text,
        box=_box(box),
        size=size,
        bold=bool(flags & 1),
        space=not flags & 2,
        link=link,
        source=Source(source),
        confidence=confidence,
    )


def _box(values: Sequence[float] | None) -> Box | None:
    return Box(*values) if values is not None else None
