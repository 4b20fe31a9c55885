"""Dates in less usual forms, rewritten to the usual ones that `dates` reads; every place keeps its place in the original.

One form is one line of `_FORMS`: what it looks like, and the usual form of the same date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Form = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

_Y = r"(?:19[4-9]\d|20[0-4]\d)"
_M = r"(?:0?[1-9]|1[0-2])"
_MM = r"(?:0[1-9]|1[0-2])"
_DASH = r"\s?[-–—~〜至到迄一]\s?"
_NOW = r"(?:至?今|迄今|现在|現在|目前)(?!\w)"
_HAN = "〇零○一二三四五六七八九"
_HAN_MONTH = r"(?:十[一二]?|[一二三四五六七八九])"
_HAN_DAY = r"(?:[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_ROMAN = r"(?<![\w.])(?P<roman>[XХ][IІ]{1,2}|[IІ]?[XХ]|[IІ]?V|V[IІ]{1,3}|[IІ]{1,3})"
_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_LATIN = str.maketrans("ІХ", "IX")
_QUARTER = r"(?<!\w)(?:(?:I{1,3}|IV|[1-4](?:-?[йяе])?)\s?(?:кв\.?|квартала?|полугоди[ея])\s?|[QH][1-4]\s?[/,-]\s?|[1-4][QH]\s?)"
_SEASON = r"(?:springs?|summers?|autumns?|falls?|winters?|весн[аы]|весной|лето|лета|летом|осень|осени|осенью|зим[аы]|зимой)"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _century(digits: str) -> int:
    return int(digits) + (1900 if int(digits) >= 50 else 2000)


def han_number(text: str) -> int:
    """`二〇一三` → 2013, `十二` → 12, `一百零九` → 109, `12` → 12."""
    text = text.replace(" ", "")  # which PDFs put between single characters
    if text.isdecimal():
        return int(text)
    values = {char: int(digit) for char, digit in zip(_HAN, "0001234567890", strict=False)}
    if not set(text) & set("十百"):
        return int("".join(str(values[char]) for char in text))
    hundreds, _, rest = text.rpartition("百")
    tens, ten, ones = rest.rpartition("十")
    number = values[hundreds] * 100 if hundreds else 0
    number += values.get(tens.strip("零〇"), 1) * 10 if ten else 0
    return number + (values[ones[-1]] if ones else 0)


def _han(match: re.Match[str]) -> str:
    year, month, day = match["year"], match["month"], match["day"]
    return f"{han_number(year)}年" + (f"{han_number(month)}月" if month else "") + (f"{han_number(day)}日" if day else "")


def _republic(match: re.Match[str]) -> str:
    """Years of the Republic of China begin with 1912."""
    month = match["month"]
    return f"{han_number(match['year']) + 1911}年" + (f"{han_number(month)}月" if month else "")


def _short_pair(match: re.Match[str]) -> str:
    years = [_century(match["first"]), _century(match["last"])]
    later = years[0] * 12 + int(match["from"]) <= years[1] * 12 + int(match["to"])
    return f"{years[0]}.{match['from']}-{years[1]}.{match['to']}" if later else match[0]


def _roman(match: re.Match[str]) -> str:
    """Only behind the start, a dash or `с` where a space follows: elsewhere it may be the grade of a job (`Engineer II 2019`)."""
    numeral = match["roman"].translate(_LATIN)
    month = _NUMERALS.index(numeral) + 1 if numeral in _NUMERALS else None
    bare = match["sep"].isspace() and not _MAY_BEGIN.search(match.string[max(0, match.start() - 4) : match.start()])
    return match[0] if month is None or bare else f"{month:02d}.{match['year']}"


def _seasons(match: re.Match[str]) -> str:
    first, last = int(match["first"]), int(match["last"])
    return f"{first}–{last}" if first < last <= first + 6 else match[0]


_MAY_BEGIN = _pattern(r"(?:^|[-–—(,]\s?|(?<!\w)(?:со?|по|до|from|since|to)\s)$")
_UNUSUAL = _pattern(rf"[年民百]|\d[./]\d\d?{_DASH}|{_ROMAN}[\s./]|кв|полугод|[QH][1-4]|[1-4][QH]|{_SEASON}\s{_Y}")
"""What a text with any of the forms has."""

_FORMS: tuple[Form, ...] = (
    # 二〇一三年四月十日, 2013年四月
    (
        _pattern(
            rf"(?<![{_HAN}\d])(?P<year>[一二](?:\s?[{_HAN}]){{3}}|{_Y})\s?年\s?(?:(?P<month>{_HAN_MONTH})\s?月(?:\s?(?P<day>{_HAN_DAY})\s?[日号號])?)?"
        ),
        _han,
    ),
    # 民國109年3月, 民国一百零九年, 民國109.03
    (
        _pattern(
            rf"(?:中[华華])?民[国國]\s?(?P<year>\d{{2,3}}|[{_HAN}十百]{{1,6}})\s?(?:年\s?|[./])(?:(?P<month>{_M}|{_HAN_MONTH})(?!\d)\s?月?)?"
        ),
        _republic,
    ),
    # 103/05～109/02, 98/08～103/04, 103/05～迄今: one of the ends has three digits
    (_pattern(rf"(?<![\d./])(?<!\d,)(?P<year>\d\d|1[01]\d)[./](?P<month>{_M})(?={_DASH}1[01]\d[./]{_M}(?![\d./]))"), _republic),
    (_pattern(rf"(?<![\d./])(?<!\d,)(?P<year>1[01]\d)[./](?P<month>{_M})(?={_DASH}{_NOW})"), _republic),
    (
        _pattern(rf"(?<=月)(?P<lead>{_DASH})(?P<year>1[01]\d)[./](?P<month>{_M})(?![\d./])"),
        lambda match: match["lead"] + _republic(match),
    ),
    # 19年10月—今, 15年—17年
    (
        _pattern(
            rf"(?<!\d)(?P<year>\d\d)\s?年(?=\s?{_M}\s?月{_DASH}(?:\d|{_NOW})|{_DASH}(?:{_NOW}|\d\d\s?年(?!经验|經驗|以上|工作)))"
        ),
        lambda match: f"{_century(match['year'])}年",
    ),
    (
        _pattern(rf"(?<=[年月])(?P<dash>{_DASH})(?P<year>\d\d)\s?年(?!经验|經驗|以上|工作)"),
        lambda match: f"{match['dash']}{_century(match['year'])}年",
    ),
    # 20.03-至今, 15.09-19.06 beside Chinese text
    (
        _pattern(rf"(?<![\d./-])(?<!\d,)(?P<year>\d\d)(?P<month>\.{_MM})(?={_DASH}{_NOW})"),
        lambda match: f"{_century(match['year'])}{match['month']}",
    ),
    (
        _pattern(
            rf"(?<![\d./-])(?<!\d,)(?P<first>\d\d)\.(?P<from>{_MM}){_DASH}(?P<last>\d\d)\.(?P<to>{_MM})(?![\d.])(?=[^\d]*[\u3400-\u9fff])"
        ),
        _short_pair,
    ),
    # IX.2015, VI 2019
    (_pattern(rf"{_ROMAN}(?P<sep>[./]\s?|\s)(?P<year>{_Y})(?!\d)"), _roman),
    # III кв. 2021, Q3/2021, 3Q 2021, 2021 Q3, 2021年下半年: the year is what `YYYY-MM` can hold of them
    (_pattern(rf"(?<![\d./])(?<!\d,)(?P<year>{_Y})\s?[/.-]?\s?(?:[QH][1-4]|[1-4][QH])(?!\w)"), lambda match: match["year"]),
    (_pattern(rf"{_QUARTER}(?P<year>{_Y})(?!\d)"), lambda match: match["year"]),
    (
        _pattern(
            rf"(?<!\d)(?P<year>{_Y}\s?年)\s?(?:第?[一二三四1-4]季度?|[上下]半年|[QH][1-4]|[春夏秋冬][季天]|中(?![\u3400-\u9fff]))"
        ),
        lambda match: match["year"],
    ),
    # Summers 2023, 2024; Summer 2017 & Summer 2018
    (_pattern(rf"(?<!\w){_SEASON}\s(?P<first>{_Y})\s?(?:,|&|and|и)\s?(?:{_SEASON}\s)?(?P<last>{_Y})(?!\d)"), _seasons),
)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text with its dates in usual forms."""

    text: str
    starts: Sequence[int]
    """Where each character begins in the original; one more for the end of the text."""
    ends: Sequence[int]
    """Where each character ends in the original."""

    def original(self, span: tuple[int, int]) -> tuple[int, int]:
        """The place in the original of a place in the rewritten text."""
        start, end = span
        return self.starts[start], self.ends[end - 1] if end > start else self.starts[end]


def rewritten(text: str) -> Rewritten | None:
    """The text with its unusual dates rewritten; None where it has none."""
    if not _UNUSUAL.search(text):
        return None
    now = Rewritten(text, range(len(text) + 1), range(1, len(text) + 1))
    for pattern, replace in _FORMS:
        now = _applied(now, pattern, replace)
    return now if now.text != text else None


def _applied(before: Rewritten, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str]) -> Rewritten:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for match in pattern.finditer(before.text):
        new = replace(match)
        if new == match[0]:
            continue
        start, end = before.original(match.span())
        pieces += (before.text[at : match.start()], new)
        starts += (*before.starts[at : match.start()], *(start,) * len(new))
        ends += (*before.ends[at : match.start()], *(end,) * len(new))
        at = match.end()
    if not pieces:
        return before
    text = "".join((*pieces, before.text[at:]))
    return Rewritten(text, (*starts, *before.starts[at:]), (*ends, *before.ends[at:]))
