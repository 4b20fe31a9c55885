"""Items: what the lines of a list hold, one by one, however it is set.

A list may be a paragraph with commas, a column of lines, bullets, chips with gaps between them, rows of a grid or of
a table, with names of groups before or above. What an item is worth as a skill or a language is for those fields to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from ingest.fields.document import Document, Row
from ingest.fields.headings import names_a_language, wording
from ingest.fields.segments import LEAST_GAP, cut, segments
from ingest.fields.spans import clip, fills_column
from ingest.fields.words import fold, phrases
from ingest.page import Source, Word

_HAN = "\u3400-\u9fff"
_BULLET = re.compile(r"^[•●○◦▪■□◆◇►▶➢➤✓✔❖★☆»›*·–—‣⁃\uf0b7\uf0a7\uf0d8-]+\s*(?=\S)|^\(?\d{1,2}[.)、]\s*(?=\D)|^[①-⑳]\s*")
_BULLET_ALONE = re.compile(r"[•●○◦▪■□◆◇►▶➢➤✓✔❖★☆»›*·–—‣⁃\uf0b7\uf0a7\uf0d8-]+|\(?\d{1,2}[.)、]|[①-⑳]")
_SEPARATOR = re.compile(rf"\s*[,;、|•●▪◆■·∙]\s*|\s+[/*]\s+|\s+[–—]\s+(?=[A-ZА-ЯЁ{_HAN}])|\t")
_HAN_RUN = re.compile(rf"[{_HAN}]")
_HARD = re.compile(r"[,;、|•●▪◆■·∙]|(?<=\s)\*(?=\s)")
_SKILLS = "skills"
_LISTS = re.compile(r"[,;、]")
_FEWEST_GROUPS, _EDGE = 2, 0.01
"""Lines that make a gutter; as a share of the page's width, how level their lists begin."""
_GROUP = re.compile(rf"^(?!\d)(?P<name>[^,;、|•()]{{2,48}}?)\s*(?::\s+|(?<=[{_HAN}]):\s*|:$)")
_DASHED = re.compile(r"(?P<name>[^\W\d_][^,;|:()–—-]{1,30}?)\s+[-–—]\s+(?=\S)")
_DASH = re.compile(r"\s[-–—]\s")
_ANNOUNCES = re.compile(
    r"(?:proficien|experienced?\b|skilled|knowledge|familiar|expert|(?:good|strong|excellent|working|solid)\s|"
    r"знани|владе|уверенн|опыт|навыки? работы)",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\s+(?:and|и)\s+|(?<=[^\W\d_]{3})\.\s+(?=[^\W\d_])")
_MOST_ANNOUNCED = 8
_SAID = 3
"""Lines that show whether `Languages` are spoken or written in."""
_FEWEST_NAMES = 4
_ONE_SPACE = re.compile(" ")
_ODD_NAME = re.compile(r"[a-z][A-Z]|^[A-Z]{2,5}\d*$|[A-Za-z][+#\d]")
"""How names of programs are written and other words are not."""
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_DOT_NAME = re.compile(r"\.(?=[A-Z])")
"""`.NET` begins with its dot."""
_LABELLED = re.compile(r"^(?P<label>[^:]{2,40}?)\s*:\s*(?P<rest>\S.*)$")
_OPEN, _CLOSE = "([{（【<", ")]}）】>"
_CHIP_GAP = 0.62
"""White space between chips, in sizes of the text; a space is about 0.25 to 0.35."""
_PARAGRAPH = 0.7
"""Gap above a line, in heights of the line, up to which it may go on with the line above."""
_MOST = 300
_MOST_ROWS, _LONGEST_CHUNK = 300, 3000
"""Lines of a section and characters of a paragraph beyond which nobody lists anything."""
_LONG_LINE = 55
"""Characters from which a line without a box may have been broken for its length."""
_FEWEST_STACKED = 3
_FEWEST_SPACED, _LONGEST_HAN_TERM = 3, 8
_HAN_SPACE = re.compile(rf"(?<=[{_HAN}])\s+|\s+(?=[{_HAN}])")
_A4_WIDTH, _A4_HEIGHT = 595.0, 842.0


@dataclass(frozen=True, slots=True)
class Item:
    """One item: its text, the parts of lines it stands on, its group, and the kind of the list where that changes."""

    text: str
    parts: tuple[Row, ...]
    group: str = ""
    kind: str = ""


@dataclass(slots=True)
class _Chunk:
    """Lines that read on, as one text with where each stretch of it comes from."""

    text: str = ""
    spans: list[tuple[int, int, Row]] = field(default_factory=list)
    """Start in the text, offset in the row, the row."""
    bullet: bool = False
    group: str = ""
    kind: str = ""

    def add(self, row: Row, offset: int = 0) -> None:
        glue = ""
        if self.text:
            last, first = self.text[-1], row.text[offset : offset + 1]
            if last in "-‐\u00ad" and first.islower() and self.text[-2:-1].isalpha():
                # A hyphen at the end of a line: the scorer of a search is indifferent to it, the reader is not.
                glue = ""
            elif not (re.match(rf"[{_HAN}、，。：；]", last) and re.match(rf"[{_HAN}]", first)):
                glue = " "
        self.text += glue
        self.spans.append((len(self.text), offset, row))
        self.text += row.text[offset:]

    def part(self, start: int, end: int) -> tuple[Row, ...]:
        found = []
        for begin, offset, row in self.spans:
            stop = begin + len(row.text) - offset
            if start < stop and end > begin:
                found.append(clip(row, max(start, begin) - begin + offset, min(end, stop) - begin + offset))
        return tuple(part for part in found if part.text)


def items(document: Document, rows: Sequence[Row], *, grouped: bool = True) -> list[Item]:
    """The items the rows of a section hold, in reading order. `grouped`: lines that stand over others name them."""
    found = (item for chunk in _chunks(document, rows[:_MOST_ROWS], grouped=grouped) for item in _split(chunk))
    return list(islice(found, _MOST))


def form_rows(document: Document, kind: str) -> Iterator[Row]:
    """What a label of this kind names where no heading does: `Skills: …` in a line, the cells beside a label in a form."""
    named: tuple[Row, int, int] | None = None
    for row in document.rows:
        cell = row.line.cell
        if cell is not None and wording(row.text) == kind:
            named = (row, cell.table, cell.row)
        elif cell is not None and named is not None and row.page is named[0].page and (cell.table, cell.row) == named[1:]:
            yield row
        else:
            for segment in segments(row):
                match = _LABELLED.match(segment.text)
                if match is not None and wording(match["label"]) == kind:
                    yield clip(segment, match.start("rest"), len(segment.text))


# -- lines to chunks ----------------------------------------------------------------------------------------------


def _chunks(document: Document, rows: Sequence[Row], *, grouped: bool) -> list[_Chunk]:
    separated = any(_HARD.search(_BULLET.sub("", row.text)) for row in rows)
    bulleted = sum(bool(_BULLET.match(row.text)) or row.line.style == "list" for row in rows)
    stacked = _is_stacked(rows)
    named = _label_cells(rows) if grouped else frozenset()
    gutter = grouped and _has_gutter(rows)
    chunks: list[_Chunk] = []
    kind = group = ""
    above: Row | None = None
    # `above` is the line that the next one may go on with.
    for row in rows:
        parts = list(_columns(row, separated=separated))
        if row.index in named:
            group, parts, above = row.text.rstrip(" :"), [], None
        elif gutter and len(cells := _gutter_cells(row)) > 1:
            group, above = cells[0].text.rstrip(" :"), None
            parts = [part for cell in cells[1:] for part in _columns(cell, separated=separated)]
            if (found := wording(group)) is not None:
                kind = found.rstrip("?")
        elif (found := wording(parts[0].text)) is not None and _is_heading(parts[0], found, rows):
            said = [*(part.text for part in parts[1:]), *(below.text for below in rows if below.index > row.index)][:_SAID]
            programs = found.rstrip("?") == "languages" and bool(said) and not names_a_language(said)
            kind, group = ("", parts[0].text) if programs else (found.rstrip("?"), "")
            parts, above = parts[1:], None
        if len(parts) == 1 and above is not None and _goes_on(document, chunks[-1], above, parts[0], bulleted, stacked=stacked):
            chunks[-1].add(parts[0])
            above = row
            continue
        for part in parts:
            bullet = _BULLET.match(part.text)
            listed = bullet is not None or part.line.style == "list"
            if grouped and not listed and _names_group(part, bulleted, rows, above):
                group, above = part.text.rstrip(" :"), None
                continue
            chunks.append(_Chunk(bullet=listed, group=group, kind=kind))
            chunks[-1].add(part, bullet.end() if bullet else 0)
            above = row
    return chunks


def _columns(row: Row, *, separated: bool) -> Iterator[Row]:
    """The parts of a line: between tabs and wide gaps, and in lists without separators between chips."""
    for segment in _cells(row):
        if separated and (_HARD.search(segment.text) or not any(word.box for word in segment.line.words)):
            yield segment
        else:
            yield from _chips(segment)


def _cells(row: Row) -> Iterator[Row]:
    """The segments of a line; what a narrow cell has put under its first words belongs to them."""
    current: Row | None = None
    for segment in segments(row):
        one, two = current.line.box if current is not None else None, segment.line.box
        if current is not None and one and two and two.x0 < one.x1 and two.x1 > one.x0 and two.y0 > one.y0:
            current = cut(row, (*current.line.words, *segment.line.words))
            continue
        if current is not None:
            yield current
        current = segment
    if current is not None:
        yield current


def _chips(segment: Row) -> Iterator[Row]:
    words = segment.line.words
    run: list[Word] = [words[0]] if words else []
    for left, right in pairwise(words):
        if _gap(segment, left, right) >= _CHIP_GAP and not _BULLET_ALONE.fullmatch("".join(word.text for word in run)):
            yield cut(segment, tuple(run))
            run = []
        run.append(right)
    if run:
        yield cut(segment, tuple(run))


def _gap(row: Row, left: Word, right: Word) -> float:
    """White space between two words of a row in sizes of their text; 0 where there are no boxes."""
    if left.box is None or right.box is None:
        return 0.0
    size = max(left.size or left.box.height * (row.page.height or _A4_HEIGHT), 1.0)
    return (right.box.x0 - left.box.x1) * (row.page.width or _A4_WIDTH) / size


def _is_stacked(rows: Sequence[Row]) -> bool:
    """Whether the list has one item a line, in small letters too: then a comma in one of them is its own."""
    alone = sum(_HARD.search(row.text) is None for row in rows)
    return alone >= _FEWEST_STACKED and alone * 3 >= len(rows) * 2


def _goes_on(document: Document, chunk: _Chunk, above: Row, row: Row, bulleted: int, *, stacked: bool) -> bool:
    """Whether a line goes on with the one above rather than beginning an item of its own."""
    if len(chunk.text) > _LONGEST_CHUNK:
        return False
    if above.page is not row.page:
        return bool(_HARD.search(chunk.text)) and chunk.text[-1] in ",;、|·•"
    if above.line.block != row.line.block or above.line.cell != row.line.cell or row.line.gap > _PARAGRAPH:
        return False
    if _BULLET.match(row.text) or row.line.style == "list" or _GROUP.match(row.text):
        return chunk.text[-1] in ",;、|" and bool(_BULLET.match(row.text)) and not chunk.bullet
    if above.line.bold != row.line.bold and not chunk.bullet:
        return False
    listed = bool(_HARD.search(chunk.text))
    hyphened = chunk.text[-1] in "-‐" and len(chunk.text) > 2
    if chunk.text[-1] in ",;、|/&" or hyphened or chunk.text.count("(") > chunk.text.count(")"):
        return True
    first = re.split(rf"[\s,;、|]|(?<=[{_HAN}])", row.text)[0]
    full = fills_column(document, above, f" {first}") if above.line.box else len(above.text) >= _LONG_LINE
    if listed:
        return full or (row.text[0].islower() and not stacked)
    if chunk.bullet and bulleted > 1:
        # OCR engines overlook bullets: there only a small letter tells the rest of an item.
        printed = row.line.words[0].source is not Source.OCR
        return row.text[0].islower() or (printed and (full or row.line.indent > above.line.indent + 0.005))
    return full and row.text[0].islower() and not chunk.text[0].islower()


def _is_heading(part: Row, kind: str, rows: Sequence[Row]) -> bool:
    """Whether a line with the wording of a heading is one: `Project work` may be an item like those around it."""
    if _HARD.search(part.text):
        return False
    if part.line.cell is not None and not part.line.cell.column and not _among_others(part, rows):
        return True  # the first cell of a row names what the others hold
    if part.text.endswith((":", "证书")):
        return True
    if kind.rstrip("?") == _SKILLS:
        return _heads_a_list(part, rows)
    if part.line.size is None or kind.rstrip("?") == "languages":
        return True
    alike = sum(row.line.size == part.line.size and row.line.bold == part.line.bold for row in rows)
    return alike < 2 or alike * 2 < len(rows)


def _heads_a_list(part: Row, rows: Sequence[Row]) -> bool:
    """Whether a line heads the lines below it in a list of skills: `Software` may be one of them, `办公软件` often is."""
    below = next((row for row in rows if row.index > part.index), None)
    if below is None or _is_bullet(part):
        return False
    unlike = (below.line.size, below.line.bold) != (part.line.size, part.line.bold)
    return unlike or _is_bullet(below) or _HARD.search(below.text) is not None


def _among_others(part: Row, rows: Sequence[Row]) -> bool:
    """Whether other lines of a list stand in the same cell."""
    return sum(row.line.cell == part.line.cell and row.page is part.page for row in rows) >= _FEWEST_STACKED


def _is_bullet(row: Row) -> bool:
    return row.line.style == "list" or _BULLET.match(row.text) is not None


def _names_group(part: Row, bulleted: int, rows: Sequence[Row], above: Row | None) -> bool:
    """Whether a line only names the items under it: it ends with a colon, or stands without a bullet between bullets."""
    if part.text.endswith(":") and len(part.text) < 50:
        return True
    if _HARD.search(part.text) or len(part.text) > 40:
        return False
    if part.line.bold and len(segments(part)) == 1 and _heads_plain_list(part, rows):
        return True
    return bulleted * 2 > len(rows) and bulleted > 1 and (above is None or part.line.gap >= 0.1)


def _label_cells(rows: Sequence[Row]) -> frozenset[int]:
    """The first cells of a table whose other cells hold lists: they name groups, such as `Databases | MySQL, Redis`."""
    lists = {row.line.cell[:2] for row in rows if row.line.cell is not None and row.line.cell.column and _HARD.search(row.text)}
    return frozenset(
        row.index
        for row in rows
        if row.line.cell is not None and not row.line.cell.column and row.line.cell[:2] in lists and not _HARD.search(row.text)
    )


def _has_gutter(rows: Sequence[Row]) -> bool:
    """Whether each line begins with the name of a group that stands apart from a list, and all lists begin at one edge."""
    lines = [cells for row in rows if row.line.cell is None and len(cells := _gutter_cells(row)) > 1]
    firsts = [first for first, *_ in lines]
    edges = [second.line.box.x0 for _, second, *_ in lines if second.line.box is not None]
    if len(lines) < _FEWEST_GROUPS or len(edges) < len(lines) or max(edges) - min(edges) > _EDGE:
        return False
    alone = [row for row in rows if len(_gutter_cells(row)) == 1]
    flush = all(row.line.box is not None and abs(row.line.box.x0 - edges[0]) <= _EDGE for row in alone)
    lists = sum(bool(_LISTS.search(second.text)) for _, second, *_ in lines)
    return flush and lists * 2 > len(lines) and not any(_HARD.search(first.text) for first in firsts)


def _gutter_cells(row: Row) -> tuple[Row, ...]:
    """The segments of a row; where it is all one, its words before the first gap wider than a space, and the rest."""
    cells = segments(row)
    words = row.line.words
    wide = next((at for at, pair in enumerate(pairwise(words), 1) if _gap(row, *pair) >= LEAST_GAP), None)
    return cells if len(cells) > 1 or wide is None else (cut(row, words[:wide]), cut(row, words[wide:]))


def _heads_plain_list(part: Row, rows: Sequence[Row]) -> bool:
    """Whether a bold line stands over plain ones. Fonts of different scripts say nothing about each other."""
    after = [row for row in rows if row.index > part.index][:2]
    if not after or any(row.line.bold or bool(_HAN_RUN.search(row.text)) != bool(_HAN_RUN.search(part.text)) for row in after):
        return False
    return sum(row.line.bold for row in rows) * 2 <= len(rows)


# -- chunks to items ----------------------------------------------------------------------------------------------


def _split(chunk: _Chunk) -> Iterator[Item]:
    group, start = chunk.group, 0
    named = _GROUP.match(chunk.text)
    if named is not None and chunk.text[named.end() :].strip():
        if not _SEPARATOR.search(chunk.text, named.end()):
            # `Python: expert` and `Databases: MySQL` look alike; the field that asks knows levels from names.
            yield Item(chunk.text, chunk.part(0, len(chunk.text)), chunk.group, chunk.kind)
            return
        if fold(_SEPARATOR.split(chunk.text[named.end() :], maxsplit=1)[0]) not in phrases("levels"):
            group, start = named["name"].strip(), named.end()
    elif (dashed := _dashed_group(chunk.text)) is not None:
        group, start = dashed
    for begin, end in _announced(chunk.text, list(_pieces(chunk.text, start))):
        yield Item(chunk.text[begin:end], chunk.part(begin, end), group, chunk.kind)


def _dashed_group(text: str) -> tuple[str, int] | None:
    """`Cloud - AWS, Azure`: one dash, a list behind it that does not begin with a level."""
    dashed = _DASHED.match(text)
    if dashed is None or not _HARD.search(text, dashed.end()) or _DASH.search(text, dashed.end()):
        return None
    first = _SEPARATOR.split(text[dashed.end() :], maxsplit=1)[0]
    return None if fold(first) in phrases("levels") else (dashed["name"], dashed.end())


def _announced(text: str, pieces: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The pieces, the last one parted further where sentences list them: `Proficient in Word, Excel and Outlook. Familiar with
    SAP.`
    """
    yield from pieces[:-1]
    for begin, end in pieces[-1:]:
        joints = list(_JOINT.finditer(text, begin, end)) if _ANNOUNCES.match(text) else []
        if len(text[begin:end].split()) > _MOST_ANNOUNCED or not all(text[joint.end()].isupper() for joint in joints):
            joints = []
        starts = [begin, *(joint.end() for joint in joints)]
        yield from zip(starts, [*(joint.start() for joint in joints), end], strict=True)


def _pieces(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The stretches between separators outside brackets."""
    depth, begin, at = 0, start, start
    bracketed = text.count(") ") > 0 and text.endswith(")") and not _HARD.search(_IN_BRACKETS.sub("", text))
    slashes = text.count("/") >= 3 and not _HARD.search(text)
    spaced = _is_spaced_han(text[start:])
    names = _between_tools(text[start:]) if spaced else _spaced_names(text[start:])
    while at < len(text):
        char = text[at]
        depth += (char in _OPEN) - (char in _CLOSE and depth > 0)
        separator = _SEPARATOR.match(text, at) if depth == 0 else None
        if separator is None and bracketed and depth == 0 and char == " " and text[at - 1] == ")":
            separator = re.compile(" ").match(text, at)  # `Python (expert) SQL (good)`
        if separator is None and slashes and char == "/" and depth == 0:
            separator = re.compile("/").match(text, at)
        if separator is None and spaced and depth == 0:
            separator = _HAN_SPACE.match(text, at)
        if separator is None and char == " " and at - start in names:
            separator = _ONE_SPACE.match(text, at)
        if separator is not None and separator.end() > at:
            if text[begin:at].strip():
                yield _trim(text, begin, at)
            begin = at = separator.end()
            continue
        at += 1
    if text[begin:].strip():
        yield _trim(text, begin, len(text))


def _is_spaced_han(text: str) -> bool:
    """Whether only spaces part a Chinese list: `钳工 焊接 叉车驾驶 Excel`; Chinese puts none inside a term."""
    words = text.split()
    short = all(len(word) <= _LONGEST_HAN_TERM for word in words)
    return (
        len(words) >= _FEWEST_SPACED
        and short
        and sum(_HAN_RUN.search(word) is not None for word in words) * 2 >= len(words)
        and not _HARD.search(text)
        and not any(fold(word) in phrases("levels") for word in words)
    )


def _spaced_names(text: str) -> frozenset[int]:
    """Where the spaces stand that part a list of names with nothing else between them: `Python Django Spring Boot Git`.

    Most of them have to be known names of programs and the like, or be written as no other words are (`GraphQL`, `S7-1200`).
    """
    if _HARD.search(text) or text.count(" ") < _FEWEST_NAMES - 1 or len(text) > _LONGEST_CHUNK:
        return frozenset()
    words = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
    names: list[tuple[int, int, bool]] = []
    at = 0
    while at < len(words):
        count = next((n for n in (3, 2) if _is_tool(text, words, at, n)), 1)
        start, end = words[at][0], words[min(at + count, len(words)) - 1][1]
        names.append((start, end, _is_tool(text, words, at, count) or _ODD_NAME.search(text[start:end]) is not None))
        at += count
    known = sum(sure for _, _, sure in names)
    plain = [text[start:end] for start, end, sure in names if not sure]
    if len(names) < _FEWEST_NAMES or known * 3 < len(names) * 2 or any(word[0].islower() for word in plain):
        return frozenset()
    return frozenset(start - 1 for start, _, _ in names[1:])


def _between_tools(text: str) -> frozenset[int]:
    """The spaces between two names of programs in a Chinese list that spaces part: `需求分析 SQL Axure`."""
    words = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
    return frozenset(
        words[at + 1][0] - 1
        for at in range(len(words) - 1)
        if _is_tool(text, words, at, 1) and _is_tool(text, words, at + 1, 1) and not _is_tool(text, words, at, 2)
    )


def _is_tool(text: str, words: Sequence[tuple[int, int]], at: int, count: int) -> bool:
    return at + count <= len(words) and fold(text[words[at][0] : words[at + count - 1][1]]) in phrases("tools")


def _trim(text: str, begin: int, end: int) -> tuple[int, int]:
    while begin < end and text[begin] in " .\t" and not _DOT_NAME.match(text, begin):
        begin += 1
    while end > begin and text[end - 1] in " \t。":
        end -= 1
    return begin, end
