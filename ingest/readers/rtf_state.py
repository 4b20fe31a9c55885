"""What an RTF document has set at the place being read: the look of letters, the paragraph, the row of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.readers.colors import WHITE, Color
from ingest.readers.flow import Look
from ingest.readers.rtf_sight import Shading

PAGE_WIDTH_TWIPS = 11906


@dataclass(frozen=True, slots=True)
class State:
    """Formatting and place; saved and restored with each group."""

    bold: bool = False
    size: float | None = None
    asian_bold: bool | None = None
    asian_size: float | None = None
    """Of Chinese and other wide characters, where said apart."""
    script: str = ""
    """The kind of characters that \\ab and \\afs speak of: `loch`, `hich`, `dbch`, `rtlch` or `ltrch`."""
    hidden: bool = False
    deleted: bool = False
    color: Color | None = None
    ground: Color | None = None
    """Behind the letters: shading or highlight."""
    thin: bool = False
    rims: bool = False
    """Drawn with rims or shadows, which show whatever the colour."""
    backdrop: Color = WHITE
    """Of the frame it stands in, or of the paper."""
    out_of_sight: bool = False
    """In a frame that is not shown."""
    codec: str = ""
    skip: int = 1
    """Characters that stand in for one \\u character."""
    link: str | None = None
    destination: str = ""
    """`skip`, `unknown`, `instruction`, `picture`, `fonts`, `colors`, `styles`, `info`, `title`, `property` or nothing (text)."""
    alternative: str | None = None
    """Inside \\upr: the destination that its second half, in Unicode, belongs to; its first half is skipped."""
    aside: str = ""
    """`frame`, `header` or `footer` inside a text that stands elsewhere on the page."""

    def look(self, text: str) -> Look:
        if text[0] < "\u2e80":
            return Look(self.bold, self.size, self.link)
        bold = self.bold if self.asian_bold is None else self.asian_bold
        return Look(bold, self.asian_size or self.size, self.link)


@dataclass(slots=True)
class Paragraph:
    style: str = ""
    before: int = 0
    left: int = 0
    level: int | None = None
    depth: int = 0
    """How many tables it is inside of."""
    shading: Shading = field(default_factory=Shading)
    clipped: bool = False
    """Its lines have no height."""

    @property
    def unseen(self) -> bool:
        """Whether it is cut off or begins beyond the page."""
        return self.clipped or self.left >= PAGE_WIDTH_TWIPS


@dataclass(slots=True)
class Table:
    number: int
    row: int = 0
    column: int = 0
    edges: dict[int, Sequence[int]] = field(default_factory=dict)


@dataclass(slots=True)
class Row:
    """The row at hand as it is defined."""

    edges: list[int] = field(default_factory=lambda: [0])
    grounds: list[Color | None] = field(default_factory=list)
    """Of its cells."""
    shading: Shading = field(default_factory=Shading)
    """Of the cell being defined."""
    clipped: bool = False


def style_named(name: str) -> str:
    """The page model's style for a style of that name, empty for one that says nothing."""
    heading = re.match(r"(?:heading|заголовок|标题)\s*([1-9])", name, re.IGNORECASE)
    if heading:
        return f"heading{min(int(heading[1]), 6)}"
    return "title" if re.match(r"(?:title|название);?$", name, re.IGNORECASE) else ""
