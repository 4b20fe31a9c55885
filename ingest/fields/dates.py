"""Dates: ranges and single dates in a piece of text, at the precision that is printed.

Nothing is rounded or filled in: a year stays a year. Durations in brackets belong to the range they follow. Numbers that
are no dates (phones, versions, grades, postcodes) are told apart by what stands around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ingest.fields.date_forms import Rewritten, rewritten
from ingest.fields.words import keys, phrases, simplified

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DateRange:
    """A range of dates, or a single date, in a text. Dates are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`."""

    start: str | None
    end: str | None
    """For a single date this is None and `start` is the date."""
    current: bool | None
    """True: printed as going on; False: has an end; None: the text does not say."""
    span: Span
    """All that belongs to it in the text: words before (`since`), durations after."""
    start_span: Span | None = None
    end_span: Span | None = None
    single: bool = False
    """Whether only one date is printed, without a word that says which end it is."""
    open: bool = False
    """Whether the text ends in a dash after the date: what follows may stand on the next line."""
    months: int | None = None
    """The duration printed behind the range, in months."""

    @property
    def reversed(self) -> bool:
        """Whether the end that is printed lies before the start."""
        return bool(self.start and self.end) and (self.end or "") < (self.start or "")[: len(self.end or "")]


@dataclass(frozen=True, slots=True)
class _Atom:
    """One date, or one word that takes the place of a date."""

    span: Span
    year: int = 0
    month: int = 0
    day: int = 0
    present: bool = False
    weak: bool = False
    """Counts only as one end of a range: `Jan 22`, `03/19`, `201903`."""

    @property
    def iso(self) -> str:
        parts = [f"{self.year:04d}", f"{self.month:02d}", f"{self.day:02d}"]
        return "-".join(parts[: 3 if self.day and self.month else 2 if self.month else 1])


# -- the parts of a date --------------------------------------------------------------------------------------------

_Y = r"(?:19[4-9]\d|20[0-4]\d)"
_M = r"(?:0?[1-9]|1[0-2])"
_D = r"(?:0?[1-9]|[12]\d|3[01])"
_BEFORE = r"(?<![\w$€£¥₽#№+])(?<!\d[.,:/])"
_YEAR_WORD = r"(?:\s?(?:гг?\.?|года|году|год)(?![а-яё])|\s?年)?"


@cache
def _month_numbers() -> dict[str, int]:
    return {name: int(key) for name, key in keys("months").items()}


@cache
def _atom_pattern() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(_month_numbers(), key=len, reverse=True))
    present = "|".join(
        re.escape(word).replace(r"\ ", r"\s?").replace("'", "['’]") for word in sorted(phrases("present"), key=len, reverse=True)
    )
    seasons = "|".join(re.escape(word) for word in sorted(phrases("seasons"), key=len, reverse=True))
    name = rf"(?<![^\W\d_])(?:{names})(?![^\W\d_])\.?"
    return re.compile(
        rf"""
          (?<!\d)(?P<y1>{_Y})\s?年\s?(?:(?P<m1>{_M})\s?月(?:\s?(?P<d1>{_D})\s?[日号])?|(?=\D|$)[初底末春夏秋冬]?)
        | (?<![\d./])(?<!\d,)(?P<y2>{_Y})(?P<s2>[./-])\s?(?P<m2>{_M})(?:(?P=s2)\s?(?P<d2>{_D}))?(?![\d]|[.,]\d){_YEAR_WORD}
        | (?:(?<!\d)(?P<d3>{_D})(?:st|nd|rd|th)?\s?(?:of\s)?[.,-]?\s?)?(?P<m3>{name})[\s,./-]{{0,3}}(?:of\s)?
            (?:(?P<d3b>{_D})(?:st|nd|rd|th)?(?:,\s?|\s))?(?P<y3>{_Y})(?![\d%]){_YEAR_WORD}
        | (?<![\d./])(?<!\d,)(?P<y4>{_Y})[\s,.]{{0,2}}(?:года\s)?(?P<m4>{name})(?!\s?['’]?\d)
        | (?P<m5>{name})[\s,.-]{{0,2}}(?P<q5>['’`]?)(?P<y5>\d\d)(?![\d%]|[.,:]\d){_YEAR_WORD}
        | (?<![\d./])(?<!\d,)(?P<a6>{_D})(?P<s6>[./-])(?P<b6>{_D})(?P=s6)(?P<y6>{_Y})(?!\d){_YEAR_WORD}
        | (?<![\d./])(?<!\d,)(?P<m7>{_M}(?!\.\s)|0[1-9]|1[0-2])\s?[./-]\s?(?P<y7>{_Y})(?!\d){_YEAR_WORD}
        | (?<![\d./])(?<!\d,)(?P<y8>{_Y})(?P<m8>0[1-9]|1[0-2])(?P<d8>0[1-9]|[12]\d|3[01])?(?!\d)
        | (?<![\d./])(?<!\d,)(?P<m9>0[1-9]|1[0-2]|[1-9](?=/))[/.](?P<y9>\d\d)(?![\d/.])
        | (?<![\d./])(?<!\d,)(?P<a12>{_D})\.(?P<b12>{_M})\.(?P<y12>\d\d)(?![\d.])
        | (?:(?:{seasons})\s)?{_BEFORE}(?P<y10>{_Y})(?![\d%])(?!(?![年г])\w)(?![.,:]\d){_YEAR_WORD}
        | (?<![\w'’])['’`](?P<y11>\d\d)(?!\d|\w)
        | (?P<month_only>(?<!\d){_M}\s?月(?!\d)|{name})
        | (?P<now>(?<![^\W\d_㐀-鿿])(?:{present})(?![^\W\d_㐀-鿿]))
        """,
        re.VERBOSE | re.IGNORECASE,
    )


_SHORT = re.compile(rf"(?<![\d./-])(?<!\d,)({_Y})\s?([-–—/])\s?(\d\d)(?![\d年]|[./-]\d)")
_ELIDED = re.compile(rf"(?<![\d./-])(?<!\d,)({_Y})([./])({_M})\s?[-–—~]\s?({_M})(?![\d./-])")
# Readers of pictures take a long dash for the Chinese one (一), which between two dates is never a number.
_BETWEEN = re.compile(
    r"^[\s,.]{0,2}(?:\(|г\.?|年|起)?\s?(?:[-–—−‒―~〜→➔➝>/|一ー_]{1,3}|\.{2,3}|…|(?:up\s)?to:?|until|till|through|thru|and|by|по|до|至|到|bis)\s?"
    r"(?:the\s|по\s|до\s|to\s|至\s?|到\s?)?$",
    re.IGNORECASE,
)
_REVERSED_BETWEEN = re.compile(r"\s?(?:[-–—−]|to|until|till|по|до|至|到)\s?", re.IGNORECASE)
_BEFORE_PRESENT = re.compile(r"^[\s,.–—一ー_-]{0,4}(?:起)?(?:\(|по\s|до\s|to\s|till\s|until\s|and\s)?$", re.IGNORECASE)
_SINCE = re.compile(r"(?<!\w)(?:since|from|as of|starting|начиная с|со?|自|从|自从|с начала)\s{0,2}:?\s{0,2}$", re.IGNORECASE)
_SURELY_SINCE = re.compile(r"(?<!\w)(?:since|начиная с)\s{0,2}$", re.IGNORECASE)
_RUSSIAN_SINCE = re.compile(r"(?<!\w)со?\s$", re.IGNORECASE)
_UNTIL = re.compile(r"(?<!\w)(?:until|till|up to|до|по|截至|截止)\s{0,2}$", re.IGNORECASE)
_ONWARDS = re.compile(r"^\s?(?:起|以来|onwards?|и далее|\+(?!\d))", re.IGNORECASE)
_DIGIT_BEFORE = re.compile(r"(?<!\d)\d{1,3}\s$|(?<!\d)(?!19|20)\d{4,}\s$")
_DASH_AT_END = re.compile(r"^\s{0,2}(?:[-–—−‒~〜→➔一ー]|по|to|until|till|through|до|至|到)\s{0,2}(?:\d{1,2}\s?)?$")
"""Also with the day of the next line's date: `1 December 2015 – 28`."""
_DOTS_AT_END = re.compile(r"^\s{0,2}[-–—]\s?(?:…|\.{3})")
"""`01.2022 – …`: dots in place of the end."""
_DASH_BEFORE_TEXT = re.compile(r"^[-–—]\s+[^\W\d]")
"""`2020– Associate Professor`: the dash belongs to the year, which begins the line."""
_DURATION = (
    r"(?:about\s|около\s|约\s?|共\s?)?\d{1,2}(?:[.,]\d)?\s?(?:\+\s?)?"
    r"(?:years?|yrs?\.?|y\.?|months?|mos?\.?|mths?\.?|лет|года?|г\.|месяц(?:а|ев)?|мес\.?|年|个月|個月|月)(?![^\W\d_㐀-鿿])"
)
_DURATION_AFTER = re.compile(
    rf"^\s{{0,3}}[(\[（,;:·•|/–—-]?\s{{0,2}}{_DURATION}(?:\s?(?:and|и|零|,|又)?\s?{_DURATION})?\s?[)\]）]?", re.IGNORECASE
)
_DURATION_ALONE = re.compile(rf"^[(\[（·•|–—-]?\s?{_DURATION}(?:\s?(?:and|и|零|,|又)?\s?{_DURATION})?\s?[)\]）]?$", re.IGNORECASE)
_DURATION_IN_BRACKETS = re.compile(rf"\s?[(\[（]\s?{_DURATION}(?:\s?(?:and|и|零|,|又)?\s?{_DURATION})?\s?[)\]）]$", re.IGNORECASE)
_GRADUATED = re.compile(
    r"(?<!\w)(?:class of|graduated(?: in)?|graduation(?: date)?|expected(?: graduation)?|anticipated|conferred"
    r"|awarded|completed|issued"
    r"|год окончания|окончани[ея]|окончил[а]?(?: в)?|выпуск|毕业于|毕业时间|预计毕业)\s{0,2}:?\s{0,2}$",
    re.IGNORECASE,
)
_COUNT = re.compile(r"(\d{1,2})(?:[.,](\d))?\s?\+?\s?([^\W\d_]+)", re.IGNORECASE)
_BRACKETS = {"(": ")", "[": "]", "【": "】"}


def without_duration(text: str) -> str:
    """The text without a length of time in brackets at its end: `晨光科技(2年3个月)`."""
    return _DURATION_IN_BRACKETS.sub("", text)


def is_duration(text: str) -> bool:
    """Whether a text is nothing but a length of time: `2 года 4 месяца`, `(3 yrs 2 mos)`."""
    return bool(_DURATION_ALONE.match(text))


_MAYBE = re.compile(r"(?:19[4-9]|20[0-4])\d|['’`]\d\d|\d[./]\s?\d\d(?!\d)|[^\W\d_]{3}\.?[\s,.-]{0,2}['’`]?\d\d(?!\d)")
"""What every date has; asked first, since most lines have none."""


def find_ranges(text: str, *, day_first: bool = True) -> tuple[DateRange, ...]:
    """The ranges and single dates of a text, in order; spans do not overlap.

    `day_first` decides `03/04/2019`, where the numbers do not.
    """
    text = simplified(text)
    if (other := rewritten(text)) is not None:
        return tuple(_placed(found, other) for found in _ranges(other.text, day_first=day_first))
    return _ranges(text, day_first=day_first)


def _placed(found: DateRange, other: Rewritten) -> DateRange:
    """The range with its places in the original of a rewritten text."""
    start, end = (other.original(span) if span else None for span in (found.start_span, found.end_span))
    return replace(found, span=other.original(found.span), start_span=start, end_span=end)


def _ranges(text: str, *, day_first: bool) -> tuple[DateRange, ...]:
    if not _MAYBE.search(text):
        return ()
    atoms = list(_atoms(text, day_first=day_first))
    found: list[DateRange] = []
    at = 0
    while at < len(atoms):
        here, ahead = atoms[at], atoms[at + 1] if at + 1 < len(atoms) else None
        made = _pair(text, here, ahead) if ahead else None
        if made is not None:
            at += 2
        else:
            made = _alone(text, here)
            at += 1
        if made is not None:
            found.append(_widened(text, made))
    return tuple(found)


def _atoms(text: str, *, day_first: bool) -> Iterator[_Atom]:
    at = 0
    short = list(_short_ranges(text))
    for match in _atom_pattern().finditer(text):
        if match.start() < at:
            continue
        fixed = next((pair for pair in short if pair[0].span[0] <= match.start() < pair[1].span[1]), None)
        if fixed is not None:
            yield from fixed
            at = fixed[1].span[1]
            continue
        start = match.start()
        if text[start - 1 : start] == "-" and text[max(0, start - 2) : start - 1].isdigit() and at != start - 1:
            continue  # the end of something longer with hyphens, such as a phone number
        atom = _atom(match, day_first=day_first)
        if atom is not None:
            at = match.end()
            yield atom


@cache
def _before_month() -> re.Pattern[str]:
    """What stands between two digits and the name of a month whose day they are: `2024–31 January 2026`."""
    names = "|".join(re.escape(name) for name in sorted(_month_numbers(), key=len, reverse=True))
    return re.compile(rf"\.?\s(?:of\s)?(?:{names})(?![^\W\d_])", re.IGNORECASE)


def _short_ranges(text: str) -> Iterator[tuple[_Atom, _Atom]]:
    """`2015–16`, `2019.03-06`: the second end left without what it shares with the first."""
    for match in _SHORT.finditer(text):
        year, dash, digits = int(match[1]), match[2], int(match[3])
        later = year % 100 < digits <= year % 100 + 12 and not _before_month().match(text, match.end())
        if later and (digits > 12 or dash in "–—"):
            yield _Atom(match.span(1), year), _Atom(match.span(3), year - year % 100 + digits)
    for match in _ELIDED.finditer(text):
        first, last = int(match[3]), int(match[4])
        if first < last:
            yield _Atom((match.start(1), match.end(3)), int(match[1]), first), _Atom(match.span(4), int(match[1]), last)


def _atom(match: re.Match[str], *, day_first: bool) -> _Atom | None:
    part, span = match.groupdict(), match.span()
    if part["now"]:
        return _Atom(span, present=True)
    if part["month_only"]:
        return _Atom(span, month=_month(part["month_only"]), weak=True)
    if part["y6"] or part["y12"]:
        first, second = int(part["a6"] or part["a12"]), int(part["b6"] or part["b12"])
        year = int(part["y6"]) if part["y6"] else _century(part["y12"])
        day, month = (
            (first, second) if (day_first or first > 12 or part["s6"] == "." or part["y12"]) and second <= 12 else (second, first)
        )
        return _Atom(span, year, month, day, weak=bool(part["y12"])) if month <= 12 else None
    if part["y11"]:
        return _Atom(span, _century(part["y11"]), weak=True)
    if part["y5"]:
        return _Atom(span, _century(part["y5"]), _month(part["m5"]), weak=not part["q5"])
    if part["y9"]:
        return _Atom(span, _century(part["y9"]), int(part["m9"]), weak=True)
    for index in ("1", "2", "3", "4", "7", "8", "10"):
        if part[f"y{index}"]:
            name = part.get(f"m{index}")
            number = part.get(f"d{index}") or part.get(f"d{index}b")
            return _Atom(span, int(part[f"y{index}"]), _month(name) if name else 0, int(number or 0), weak=index == "8")
    return None


def _month(text: str) -> int:
    digits = text.rstrip("月 ")
    return int(digits) if digits.isdigit() else _month_numbers()[text.rstrip(".").casefold()]


def _century(digits: str) -> int:
    """Two-digit years of working lives: 50 to 99 are of the last century."""
    return int(digits) + (1900 if int(digits) >= 50 else 2000)


def _pair(text: str, first: _Atom, second: _Atom) -> DateRange | None:
    """The range two neighbouring dates make, None where they are no range."""
    between = text[first.span[1] : second.span[0]]
    if first.present or len(between) > 16:
        return None
    if second.present:
        if not first.year or not (_BEFORE_PRESENT.match(between) or _BETWEEN.match(between)):
            return None
        return DateRange(first.iso, None, True, (first.span[0], second.span[1]), first.span, second.span)
    if not _BETWEEN.match(between):
        return _side_by_side(between, first, second)
    if not first.year and second.year and second.month and first.month:
        first = replace(first, year=second.year, weak=False)
    if not second.year and first.year and first.month and text[second.span[1] - 1] == "月":
        second = replace(second, year=first.year)
    if not second.year and second.month and first.year and not text[second.span[1] :].strip():
        return DateRange(first.iso, None, None, (first.span[0], len(text)), first.span, open=True)
    if not first.year or not second.year:
        return None
    short = len(between.strip()) == 1 and between.strip() in "/|"
    if short and first.month and "/" in between:
        return None
    if (first.year, first.month, first.day) > (second.year, second.month or 99, second.day or 99) and not _may_be_reversed(
        between, first, second
    ):
        return None
    return DateRange(first.iso, second.iso, False, (first.span[0], second.span[1]), first.span, second.span)


def _may_be_reversed(between: str, first: _Atom, second: _Atom) -> bool:
    """Whether an end before its start may be a slip of the pen: two whole dates alike with a dash or a word between them."""
    whole = not (first.weak or second.weak) and bool(first.month) == bool(second.month)
    return whole and _REVERSED_BETWEEN.fullmatch(between) is not None


def _side_by_side(between: str, first: _Atom, second: _Atom) -> DateRange | None:
    """Two dates with months and only white space between them: the columns From and To."""
    if between.strip() or first.weak or second.weak or not first.month or not second.month or first.iso >= second.iso:
        return None
    return DateRange(first.iso, second.iso, False, (first.span[0], second.span[1]), first.span, second.span)


def _alone(text: str, atom: _Atom) -> DateRange | None:
    """A date that is no end of a pair: since, until, open at the end, or single."""
    if atom.present or not atom.year:
        return None
    start, end = atom.span
    before, after = text[max(0, start - 12) : start], text[end : end + 10]
    if _DASH_AT_END.match(text[end:]):
        return DateRange(atom.iso, None, None, (start, len(text)), atom.span, open=True)
    if not start and not atom.weak and _DASH_BEFORE_TEXT.match(text[end:]):
        return DateRange(atom.iso, None, None, (start, end + 1), atom.span, open=True)
    if dots := _DOTS_AT_END.match(text[end:]):
        return DateRange(atom.iso, None, None, (start, end + dots.end()), atom.span, open=True)
    if atom.weak or (_DIGIT_BEFORE.search(before) and not atom.month):
        return None
    if _SURELY_SINCE.search(before) or _ONWARDS.match(after):
        return DateRange(atom.iso, None, True, atom.span, atom.span)
    if _RUSSIAN_SINCE.search(before):
        return DateRange(atom.iso, None, True, atom.span, atom.span)
    if _SINCE.search(before) and not after.strip():
        return DateRange(atom.iso, None, None, atom.span, atom.span, open=True)
    if _UNTIL.search(before):
        return DateRange(None, atom.iso, False, atom.span, None, atom.span)
    return DateRange(atom.iso, None, None, atom.span, atom.span, single=True)


def _widened(text: str, found: DateRange) -> DateRange:
    """The range with the words before it, the duration behind it and the brackets around it in its span."""
    start, end = found.span
    lead = text[max(0, start - 24) : start]
    before = _SINCE.search(lead) or _UNTIL.search(lead) or (_GRADUATED.search(lead) if found.single else None)
    if before:
        start = start - len(lead) + before.start()
    onwards = _ONWARDS.match(text[end:])
    if onwards:
        end += onwards.end()
    months = None
    duration = _DURATION_AFTER.match(text[end:]) if not found.single else None
    if duration:
        end += duration.end()
        months = _months(duration[0])
    if start and text[start - 1] in _BRACKETS and text[end - 1] == _BRACKETS[text[start - 1]] and "(" not in text[start:end]:
        start -= 1
    elif start and end < len(text) and text[start - 1] in _BRACKETS and text[end] == _BRACKETS[text[start - 1]]:
        start, end = start - 1, end + 1
    elif end < len(text) and text[end] in ")]" and text.count("(", start, end) and not text.count(")", start, end):
        end += 1
    return replace(found, span=(start, end), months=months)


def _months(duration: str) -> int:
    total = 0.0
    for number, tenth, unit in _COUNT.findall(duration):
        value = float(f"{number}.{tenth or 0}")
        total += value if unit[:1].casefold() in "mм个個月" else value * 12
    return round(total)


# -- arithmetic ---------------------------------------------------------------------------------------------------


def month_index(date: str) -> int | None:
    """Months since year 0, None for a date without a month."""
    return int(date[:4]) * 12 + int(date[5:7]) - 1 if len(date) >= 7 else None


def day_comes_first(texts: Sequence[str]) -> bool | None:
    """Whether `25/12/2019` or `12/25/2019` is how these texts write dates; None where nothing tells."""
    for text in texts:
        for match in _SLASHED.finditer(text):
            first, second = int(match[1]), int(match[2])
            if (first > 12) != (second > 12):
                return first > 12
    return None


_SLASHED = re.compile(rf"(?<![\d/])({_D})/({_D})/{_Y}(?!\d)")


# -- text that is nothing but dates -------------------------------------------------------------------------------

_DATE_GLUE = re.compile(
    r"[-–—−‒―~〜→/(),.;:|·•\[\]（）'’]+|(?<!\w)(?:from|to|since|until|till|со?|по|до|от|гг?|год[ауы]?|г\.|время)(?!\w)|[自从至到起年止]",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_HAN = re.compile(r"[㐀-鿿]")
_GLUE_WORDS = frozenset(
    _WORDS.findall(
        "from to since until till the of and about up st nd rd th years year yrs yr months month mos mo mths mth "
        "со по до от гг год года году годы годом время около лет месяц месяца месяцев мес"
    )
)
_DURATIONS = re.compile(_DURATION, re.IGNORECASE)
_DAY_AT_END = re.compile(r"(?:[-–—−]|\b(?:to|until|till|по|до))\s?\d{1,2}$", re.IGNORECASE)
"""The day of a date that goes on on the next line."""


def ongoing(text: str) -> Span | None:
    """Where a text that holds no date says that something goes on: by itself, behind a comma or dash at the end, `至今` first."""
    match = _ongoing_pattern().search(simplified(text))
    return match.span() if match is not None else None


@cache
def _ongoing_pattern() -> re.Pattern[str]:
    words = sorted((word for word in phrases("present") if len(word) > 2 or not word.isascii()), key=len, reverse=True)
    names = "|".join(re.escape(word).replace(r"\ ", r"\s?") for word in words)
    said = rf"(?:(?:to|till|until|up\sto|по|до|至)\s)?(?:the\s)?(?:{names})"
    return re.compile(
        rf"^[\s(\[（–—-]*{said}[\s)\]）.]*$|\s?[,，|·(（–—-]\s*{said}[\s)\]）.]*$|^(?:至今|по\s(?:настоящее\sвремя|н\.\s?в\.))(?=[\s,，:|])",
        re.IGNORECASE,
    )


@cache
def _present_parts() -> re.Pattern[str]:
    """The words that expressions such as `настоящее время` are made of, as they are when broken over two lines."""
    words = {word for phrase in phrases("present") for word in phrase.split() if len(word) > 2}
    return re.compile(
        rf"(?<!\w)(?:{'|'.join(re.escape(word) for word in sorted(words, key=len, reverse=True))})(?!\w)", re.IGNORECASE
    )


@cache
def _date_words() -> frozenset[str]:
    """The words that dates, the present and durations are written with outside Chinese; most texts have others."""
    lists = (*phrases("present"), *_month_numbers(), *phrases("seasons"), *_GLUE_WORDS)
    return frozenset(word for phrase in lists for word in _WORDS.findall(phrase))


def is_date_matter(text: str) -> bool:
    """Whether a text holds nothing but dates, parts of dates, words for the present and durations."""
    if len(text) > 60 or not text:
        return False
    text = simplified(text)
    if (other := rewritten(text)) is not None:
        text = other.text
    if not _HAN.search(text) and not _date_words().issuperset(_WORDS.findall(text.casefold())):
        return False
    rest = _atom_pattern().sub(" ", text)
    if rest == text and not is_duration(text):
        rest = _present_parts().sub(" ", rest)
        if rest == text and not re.fullmatch(rf"{_Y}|\d{{1,2}}\s?月?", text.strip("年. ")):
            return False
    rest = _DURATIONS.sub(" ", rest)
    rest = _present_parts().sub(" ", _DAY_AT_END.sub(" ", rest))
    return not _DATE_GLUE.sub(" ", rest).strip()
