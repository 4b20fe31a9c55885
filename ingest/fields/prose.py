"""Prose: jobs and studies told in sentences, as letters and short lives have them instead of lists.

`Since March 2020 I have worked as a head gardener at Dalmenie Lodge.` A sentence is read only where it holds a date, a
verb of working or studying, and a name where the grammar puts one; the forms are those of its language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ingest.fields.dates import DateRange, find_ranges
from ingest.fields.document import Row
from ingest.fields.draft import Value
from ingest.fields.spans import clip, value_of
from ingest.fields.wording import degree_spans, school_score

_CLOSE = 0.8
"""In heights of the line: white space below which a line goes on with the one above."""
_LONGEST = 2000
_FEWEST_WORDS = 4
_SENTENCE = re.compile(r"(?<=[\w»\")][\w»\")][.!?])\s+(?=[A-ZА-ЯЁ])|(?<=[。！？!?])")
_WORKS = re.compile(
    r"(?<!\w)(?:i|i['’]ve)\s(?:have\s|had\s|was\s|am\s)?(?:been\s)?(?:work|serv|employ|join|start|beg[au]n|mov|became|an?\s|the\s|was|am)\w*"
    r"|(?<!\w)(?:работа[юл]|тружусь|трудил|служ[иу])\w*",
    re.IGNORECASE,
)
_POSITION = re.compile(
    r"(?<!\w)(?:as|(?:I|I['’]ve) (?:was|am|have been|been|became)(?!\s\w+(?:ing|ed)\s))\s(?:an?\s|the\s|their\s)?"
    r"(?P<text>[A-Za-z][\w'’&/ -]{2,50}?)(?=\s(?:at|for|with|in|by|from|since|until)\s|[,.;(]|$)"
    r"|(?:работа[юл]|тружусь|трудил|служ[иу])\w*\s(?:в должности\s)?(?P<ru>[а-яё][а-яё -]{3,60}?)(?=\s(?:в|во|на|у)\s|[,.;]|$)"
)
_EMPLOYER = re.compile(
    r"(?<!\w)(?:at|for|with|by|joined|(?:moved|went)\sto)\s(?:the\s(?=[A-Z]\w+ of ))?(?P<text>[A-Z][^,.;()]{1,60}?)"
    r"(?=\s(?:as|until|till|from|since|where|between|for)\s|\sin\s(?:[A-Z]|\d)|[,.;(]|$)"
    r"|(?<!\w)(?:в|во|на)\s(?:[а-яё]+\s){0,2}(?P<ru>[«\"][^»\"]{2,60}[»\"]|(?=[А-ЯЁ])[^,.;]{2,70}?|[а-яё]+\s(?:№|No)\s?\d+[^,.;]{0,30}?)"
    r"(?=[,.;]|$)"
)
_CLAUSE = re.compile(
    r"(?:,\s|;\s|\s)(?:and|then|before)\s(?=(?:(?:then|later|currently|now|that),?\s)?(?:since|from|in|between|until|I)\s)|;\s"
)
"""Where a sentence sets in anew: `…, and since January 2022 I have been head chef at …`."""
_JOINED = re.compile(r"(?<!\w)(?:joined|started|began|moved|went)(?!\w)")
_ENGLISH_STUDY = re.compile(
    r"(?<!\w)I(?:['’]ve|\shave|\salso|\sthen|\shad)?\s(?:studied|graduated|completed|earned|received|obtained|gained|attended|read|hold|took|finished)(?!\w)"
)
_ENGLISH_SCHOOL = re.compile(
    r"(?<!\w)(?P<how>studied at|graduated from|attended|at|from)\s(?:the\s)?(?P<school>[A-Z][^,.;()]{2,70}?)"
    r"(?=\s(?:from|between|since|and|where|until|with|as)\s|\sin\s(?:[A-Z]|\d)|[,.;(]|$)"
)
_ENGLISH_AREA = re.compile(
    r"\s?(?:degree\s)?(?:in|of)\s(?P<area>[A-Za-z][^,.;()\d]{2,60}?)(?=\s(?:at|from|between|in)\s|[,.;(]|$)"
)
_STUDIED = re.compile(r"(?<!\w)(?:studied|read|took)\s(?P<area>[A-Z][^,.;()\d]{2,60}?)(?=\s(?:at|from|between|in)\s|[,.;(]|$)")
_HAN_JOB = re.compile(
    r"\s?[,，]?\s?(?:就职于|任职于|供职于|服务于|在)(?P<employer>[^,，。;；]{2,30}?)[,，]?(?:工作|任职|上班)?[,，]?"
    r"(?:先后)?(?:担任|历任|从事|任)(?P<position>[^,，。;；]{2,24}?)(?:工作|一职|职务)?(?=[,，。;；]|$)"
)
_HAN_STUDY = re.compile(
    r"(?:毕业于|就读于|考入)(?P<school>[^,，。;；\s]{2,24}?(?:大学|学院|学校|中专|技校|中学|党校))"
    r"(?P<area>[㐀-鿿()（）]{2,16}?)(?:专业|系)(?:[^。;；]{0,12}?(?P<degree>本科|专科|大专|中专|学士|硕士|博士))?"
)
_RUSSIAN_STUDY = re.compile(
    r"(?<!\w)(?:окончил|закончил)а?\s(?P<school>[А-ЯЁ][^,.;]{3,80}?)(?=\sпо\s|\sв\s\d{4}|[,.;]|$)"
    r"(?:\sпо\s(?:специальности|направлению(?:\sподготовки)?)\s[«\"]?(?P<area>[^»\",.;]{3,60}))?"
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence says: values by the name of their field, with their evidence, and when."""

    values: dict[str, Value]
    date: DateRange
    date_value: Value

    @property
    def dates(self) -> dict[str, Value]:
        """Start and end with their evidence; a single date is the end."""
        start, end = (None, self.date.start) if self.date.single else (self.date.start, self.date.end)
        found = (("startDate", start), ("endDate", end))
        return {name: replace(self.date_value, value=date) for name, date in found if date is not None}


@dataclass(slots=True)
class _Paragraph:
    """Lines that read on, as one text with where each of them begins in it."""

    text: str = ""
    rows: list[tuple[int, Row]] = field(default_factory=list)

    def add(self, row: Row) -> None:
        self.text += " " if self.text and not _is_han(self.text[-1] + row.text[0]) else ""
        self.rows.append((len(self.text), row))
        self.text += row.text

    def value(self, start: int, end: int, confidence: float) -> Value:
        parts = [
            clip(row, max(start - begin, 0), min(end - begin, len(row.text)))
            for begin, row in self.rows
            if start < begin + len(row.text) and end > begin
        ]
        return value_of(self.text[start:end], confidence, *parts)


def told_jobs(rows: Sequence[Row]) -> list[Told]:
    """The jobs that the sentences of these rows tell of, each with employer and position."""
    return [told for paragraph in _paragraphs(rows) for told in _jobs(paragraph)]


def is_told(text: str) -> bool:
    """Whether a text has the words of somebody who tells of working."""
    return _WORKS.search(text) is not None


def told_studies(rows: Sequence[Row]) -> list[Told]:
    """The studies that the sentences of these rows tell of, each with a school."""
    return [told for paragraph in _paragraphs(rows) for told in _studies(paragraph)]


def _is_han(text: str) -> bool:
    return all(char >= "\u3000" for char in text)


def _paragraphs(rows: Sequence[Row]) -> Iterator[_Paragraph]:
    current: _Paragraph | None = None
    above: Row | None = None
    for row in rows:
        apart = above is None or row.page is not above.page or row.line.block != above.line.block or row.line.gap >= _CLOSE
        if current is None or apart or len(current.text) > _LONGEST:
            if current is not None:
                yield current
            current = _Paragraph()
        current.add(row)
        above = row
    if current is not None:
        yield current


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _jobs(paragraph: _Paragraph) -> Iterator[Told]:
    text = paragraph.text
    for start, end in _sentences(text):
        sentence = text[start:end]
        for found in (found for found in find_ranges(sentence) if not found.single):
            if (match := _HAN_JOB.match(sentence, found.span[1])) is not None:
                spans = {"name": match.span("employer"), "position": match.span("position")}
                yield _told(paragraph, start, spans, found)
        if not _WORKS.search(sentence) or len(sentence.split()) < _FEWEST_WORDS:
            continue
        for begin, stop in _clauses(sentence):
            job = _job(sentence[begin:stop])
            if job is not None:
                yield _told(paragraph, start + begin, *job)


def _clauses(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _CLAUSE.finditer(sentence):
        yield start, match.start()
        start = match.end()
    yield start, len(sentence)


def _job(clause: str) -> tuple[dict[str, tuple[int, int]], DateRange] | None:
    """The job a clause tells of, with what dates it; None where it does not say all three."""
    dates = find_ranges(clause)
    ranges = [found for found in dates if not found.single]
    if not ranges and len(dates) == 1 and _JOINED.search(clause):
        ranges = [replace(dates[0], single=False, current=None)]  # `In 2019 I joined …`
    position, employer = _POSITION.search(clause), _EMPLOYER.search(clause)
    if len(ranges) != 1 or position is None or employer is None:
        return None
    spans = {
        "name": employer.span("text" if employer["text"] else "ru"),
        "position": position.span("text" if position["text"] else "ru"),
    }
    return spans, ranges[0]


def _studies(paragraph: _Paragraph) -> Iterator[Told]:
    text = paragraph.text
    for start, end in _sentences(text):
        sentence = text[start:end]
        dates = find_ranges(sentence)
        if dates and _ENGLISH_STUDY.search(sentence) and (told := _english_study(sentence)) is not None:
            yield _told(paragraph, start, told, dates[0])
            continue
        match = _HAN_STUDY.search(sentence) or _RUSSIAN_STUDY.search(sentence)
        if match is None or not dates or (match.re is _RUSSIAN_STUDY and school_score(match["school"]) < 2):
            continue
        names = {"school": "institution", "area": "area", "degree": "studyType"}
        spans = {names[key]: match.span(key) for key, found in match.groupdict().items() if found}
        if "studyType" not in spans and match.re is _RUSSIAN_STUDY and (degrees := degree_spans(sentence[match.end() :])):
            spans["studyType"] = (match.end() + degrees[0][0], match.end() + degrees[0][1])
        yield _told(paragraph, start, spans, dates[0])


def _english_study(sentence: str) -> dict[str, tuple[int, int]] | None:
    """Where school, degree and area stand in a sentence such as `I graduated from … in 2014 with a diploma in …`; None without a
    school.
    """
    schools = list(_ENGLISH_SCHOOL.finditer(sentence))
    school = next((found for found in schools if school_score(found["school"]) >= 2), None)
    school = school or next((found for found in schools if " " in found["how"] or found["how"] == "attended"), None)
    if school is None:
        return None
    spans = {"institution": school.span("school")}
    degrees = [span for span in degree_spans(sentence) if span[1] <= school.start("school") or span[0] >= school.end("school")]
    area = _STUDIED.search(sentence)
    if degrees:
        spans["studyType"] = degrees[0]
        area = _ENGLISH_AREA.match(sentence, degrees[0][1]) or area
    if area is not None:
        spans["area"] = area.span("area")
    return spans


def _told(paragraph: _Paragraph, offset: int, spans: dict[str, tuple[int, int]], date: DateRange) -> Told:
    text = paragraph.text
    bare = {name: (start, start + len(text[offset + start : offset + end].rstrip())) for name, (start, end) in spans.items()}
    values = {name: paragraph.value(offset + start, offset + end, 0.85) for name, (start, end) in bare.items()}
    return Told(values, date, paragraph.value(offset + date.span[0], offset + date.span[1], 0.9))
