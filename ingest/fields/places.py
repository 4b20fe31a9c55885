"""Places: the city in an address, and whether a text looks like one. Structure first; the lists of large cities support."""

from __future__ import annotations

import re
from functools import cache

from ingest.fields.words import fold, keys, phrases, simplified

_HAN = "\u3400-\u9fff"
_CHINESE_CITY = re.compile(rf"(?:^|省|自治区|区|国)\s*(?P<city>[{_HAN}]{{2,7}}?)市")
_PROVINCE = re.compile(rf"^(?:中国)?[{_HAN}]{{2,8}}?(?:省|自治区)\s*")
_CITY_OF = re.compile(
    r"(?:^|[\s,;(])(?:(?:г|гор)\.\s*|(?:город|г|city of)\s+|(?-i:г(?=[А-ЯЁ][а-яё])))(?P<city>[^\W\d_][^,;()|/]{1,40})",
    re.IGNORECASE,
)
_REGION = re.compile(
    r"(?:\bобл(?:асть|\.)|\bкрай\b|\bреспублика\b|\bрайон\b|\bр-н\b|\bокруг\b|\w-(?:do|gu|ken|fu)\b|\bцентр\b|\bcounty\b|\bstate\b|\bprovince\b|\bdistrict\b|\bregion\b)",
    re.IGNORECASE,
)
_STREET = re.compile(
    r"\bул\.?\b|\bулица\b|\bпр-т\b|\bпр\.|\bпроспект\b|\bпер\.|\bшоссе\b|\bнаб\.|\bд\.|\bкв\.|\bдом\b|"
    r"\bstr(?:eet|\.)|\bst\b\.?$|\broad\b|\brd\b|\bave(?:nue)?\b|\blane\b|\bdrive\b|\bdr\b|\bblvd\b|\bboulevard\b|"
    r"\bway\b|\bcourt\b|\bclose\b|\bterrace\b|\bcrescent\b|\bplace\b|\bgardens\b|straße|strasse|\brue\b|\bvia\b|\bcalle\b|"
    r"\bsuite\b|\bapt\b|\bflat\b|\bfloor\b|\bp\.?o\.? box\b",
    re.IGNORECASE,
)
_POSTCODE = re.compile(
    r"\b(?:[1-9]\d{3} [A-Z]{2}|\d{2,5}-\d{3,4}|\d{3}(?= [^\W\d_]{4})|"
    r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]{0,2}-?\d{4,6}(?:-\d{4})?|\d{3} \d{2})\b"
)
_BEHIND_POSTCODE = re.compile(r"(?:[A-Z]{1,2}-)?(?:\d{4,6}|\d{2,5}-\d{2,4}|\d{3}(?: \d{2})?)\s+(?P<city>[^\W\d_].*)")
# `Newtown NSW`, when the postal code is off.
_STATE_AND_CODE = re.compile(r"(?P<city>[^\d,]{3,40}?) (?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT)")
_TAIL = re.compile(
    r"\s*(?:\([^)]*\)|[-–—]\s*(?:готов|переезд|open|willing|relocat|can|remote|не готов).*|\bм\.\s.*|\bметро\b.*|"
    r",?\s*(?:не )?готов.*)$",
    re.IGNORECASE,
)
# What follows a city without a comma: `Leeds LS1`, `Perth WA 6000`, `Dublin 8`, `Bogotá D.C.`, `Hereford GB`.
_CODES = re.compile(r"(?: (?=[A-Z0-9.]*[A-Z0-9])[A-Z0-9.-]{1,8}){1,3}$")
_WORDS = re.compile(r"^[^\W\d_]+\.?(?:[\s'’.-]+[^\W\d_]+\.?){0,4}$")
_MOST_WIDER = 3
"""Words of `GA US`."""
_DISTRICT = re.compile(
    rf"^[{_HAN}]{{1,8}}(?:[区县镇乡旗]|新区|开发区|工业园区|街道|大道|路|街|巷|弄|号|\d{{1,4}}(?:号|弄|座|道|巷|街|路|段))"
)
"""What follows the name of a city in an address without 市."""
_SMALL = frozenset(
    {"de", "la", "le", "upon", "on", "na", "на", "am", "an", "der", "del", "do", "da", "of", "the", "sur", "el", "al", "под"}
)


def city_in(text: str, *, labelled: bool) -> tuple[str, float] | None:
    """The city that a place or an address names, with how sure that is; None where the text names none.

    `labelled`: the text stands where a place is named, so that any name will do.
    """
    text = without_remarks(text)
    if not text or len(text) > 160:
        return None
    if re.search(rf"[{_HAN}]", text):
        return _as_printed(text, _chinese(simplified(text), labelled=labelled))
    if (found := _CITY_OF.search(text)) is not None and (labelled or found.start() == 0 or "." in found.group()[:5]):
        name = _clean(found["city"])
        if _looks_like_place(name):
            return name, 0.95
    raw = [part.strip() for part in re.split(r"[,;|/•·↔→⇄]|\s[-–—]\s", text)]
    return _among([part for part in map(_clean, raw) if part], labelled=labelled) or _behind_postcode(raw)


def without_remarks(text: str) -> str:
    """A place without what is said about it: `Тула (готов к переезду)`."""
    edges = " .,;:|。"
    return _TAIL.sub("", text.strip(edges)).strip(edges)


def _among(parts: list[str], *, labelled: bool) -> tuple[str, float] | None:
    """The city among the parts of an address: a listed one, else the part before the state, region or country."""
    cities, countries = keys("cities"), keys("countries")
    for part in parts:
        name = part if fold(part) in cities else _CODES.sub("", part)
        if fold(name) in cities:
            return name, 0.95 if labelled else 0.85 if len(parts) == 1 else 0.9
    for part in parts:
        # `Blk 12 Bedok North Road 460012 Singapore`: an address that nothing divides ends with the city.
        words = part.split()
        if len(words) > 2 and any(char.isdigit() for char in " ".join(parts)):
            for count in (2, 1):
                if fold(" ".join(words[-count:])) in cities:
                    return " ".join(words[-count:]), 0.85
        if (state := _STATE_AND_CODE.fullmatch(part)) is not None and _looks_like_place(state["city"]):
            return state["city"], 0.8
    for part in parts[:1] if len(parts) == 1 else ():
        # `Hereford GB`: as exports of the JSON Resume form print a place.
        head, _, code = part.rpartition(" ")
        if head and len(code) == 2 and code in countries.values() and _looks_like_place(head):
            return head, 0.8
    wider = [is_wider(part) for part in parts]
    named = [
        (part, bool(at + 1 < len(parts) and wider[at + 1]))
        for at, part in enumerate(parts)
        if not wider[at] and not _STREET.search(part) and _looks_like_place(part)
    ]
    before = [part for part, followed in named if followed]
    if before:
        return before[-1], 0.9 if labelled else 0.8
    if labelled and named:
        return named[0][0] if len(parts) < 3 else named[-1][0], 0.85
    return None


def _behind_postcode(parts: list[str]) -> tuple[str, float] | None:
    """`Laugavegur 22, 101 Reykjavík`: behind a street, a postal code and a name make a city nobody has listed."""
    for part in parts[1:]:
        found = _BEHIND_POSTCODE.fullmatch(part)
        if found is not None and any(char.isdigit() for char in parts[0]) and not _STREET.search(part):
            name = _clean(found["city"])
            if _looks_like_place(name):
                return name, 0.8
    return None


def is_wider(text: str) -> bool:
    """Whether a text names a country, a state or a region."""
    words = text.split()
    each = 1 < len(words) <= _MOST_WIDER and all(word.isupper() and _is_listed_region(word) for word in words)
    return _is_listed_region(text) or each or _REGION.search(text) is not None


def _is_listed_region(text: str) -> bool:
    return fold(text) in keys("countries") or fold(text) in keys("states") or text in keys("countries").values()


def _clean(part: str) -> str:
    part = re.sub(r"\s+(?:metropolitan |metro )?area$", "", _POSTCODE.sub("", part).strip(" .,;:|()-–—"), flags=re.IGNORECASE)
    return re.sub(r"^(?:г\.|гор\.|город|г|in|near|based in|lives in|greater|в)\s+", "", part, flags=re.IGNORECASE).strip()


def _looks_like_place(text: str) -> bool:
    if not 2 <= len(text) <= 40 or not _WORDS.match(text):
        return False
    words = text.split()
    capital = all(word[0].isupper() or word.casefold() in _SMALL for word in words)
    plain = fold(text)
    stops = phrases("not_places")
    return capital and plain not in stops and not any(fold(word) in stops for word in words)


def _as_printed(text: str, found: tuple[str, float] | None) -> tuple[str, float] | None:
    """A city found in simplified characters in those of the text, of which there are as many."""
    if found is None:
        return None
    city, sure = found
    printed = re.sub(r"\s", "", text)
    at = simplified(printed).find(city)
    return printed[at : at + len(city)] if at >= 0 else city, sure


def _chinese(text: str, *, labelled: bool) -> tuple[str, float] | None:
    cities = keys("cities")
    bare = _PROVINCE.sub("", re.sub(r"\s", "", text))
    if (province := next((name for name in _provinces() if bare.startswith(name)), None)) is not None:
        # `福建厦门`, `湖南长沙`: provinces are written without 省 too. `吉林` alone is a city as well.
        bare = bare.removeprefix(province) if len(bare) > len(province) + 1 else bare
    if (found := _CHINESE_CITY.search(bare)) is not None and (labelled or found["city"] in cities or len(bare) <= 8):
        return found["city"], 0.95
    first = re.split(r"[-–—·,，、/|;；]", bare)
    for part in first:
        if part in cities:
            return part, 0.95 if labelled else 0.85
    for part in first:
        for length in (4, 3, 2):
            if part[:length] in cities and (labelled or _DISTRICT.match(part[length:])):
                return part[:length], 0.9 if labelled else 0.8
    if labelled and re.fullmatch(rf"[{_HAN}]{{2,6}}", first[0]):
        return re.sub(r"(?:市|地区|自治州|盟)$", "", first[0]), 0.75
    return None


@cache
def _provinces() -> tuple[str, ...]:
    return tuple(sorted(phrases("states", "zh"), key=lambda name: (-len(name), name)))
