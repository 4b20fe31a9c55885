"""Phone numbers: whatever is printed like one, is not something else, and can be dialled.

Numbers are judged by libphonenumber's length rules (`is_possible_number`), not by its lists of ranges in use: reserved and new
ranges are on people's resumes too. The region of a number without a country code follows from the rest of the page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice

import phonenumbers
from phonenumbers import PhoneNumber, PhoneNumberFormat

from ingest.fields.document import Document, Row
from ingest.fields.emails import ADDRESS_LIKE
from ingest.fields.labels import labelled
from ingest.fields.others import OF_ANOTHER, of_another
from ingest.fields.preferences import preference
from ingest.fields.regions import DEFAULT_REGIONS, parse_number, region_order
from ingest.fields.segments import segments
from ingest.fields.spans import below, clip
from ingest.fields.zone import Zone, zones

_DASH = "\\-\u2010-\u2015\u2212\u00ad~"
_CANDIDATE = re.compile(
    rf"(?<![A-Za-z\u0400-\u04ff0-9_@.])(?:\+ ?|\(\+ ?)?\(?\d(?:[\d ().{_DASH}/·•]|ext\.?|доб\.?|转)*\d", re.IGNORECASE
)
_DIGIT_RUN = re.compile(r"\d+")
_URL_LIKE = re.compile(
    rf"(?:https?://|www\.)\S+|{ADDRESS_LIKE}|(?<![\w.-])[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{0,5}}\.[a-z]{{2,24}}/\S*",
    re.IGNORECASE,
)
# What looks like digits with separators and is something else: dates, ranges of years, amounts, versions, IP addresses.
_DATE = re.compile(
    rf"^(?:\d{{1,2}}[./{_DASH}]\d{{1,2}}[./{_DASH}](?:19|20)\d\d|(?:19|20)\d\d[./{_DASH}]\d{{1,2}}(?:[./{_DASH}]\d{{1,2}})?)(?!\d)"
)
_YEARS = re.compile(
    rf"^\(?(?:\d{{1,2}}[./])?(?:19|20)\d\d(?:[./]\d{{1,2}}){{0,2}}\s*(?:[{_DASH}/]|\s)\s*(?:\d{{1,2}}[./])?(?:19|20)\d\d(?:[./]\d{{1,2}}){{0,2}}\)?(?!\d)"
)
_THOUSANDS = re.compile(rf"^\d{{1,3}}(?: \d{{3}})+(?:\s*[{_DASH}]\s*\d{{1,3}}(?: \d{{3}})+)?$|^\d{{1,3}}(?:\.\d{{3}})+$")
_AMOUNT_AFTER = re.compile(
    r"^\s*(?:%|руб|₽|р\.|тыс|млн|usd|eur|rmb|元|万|k\b|[$€£¥]|лет|год|year|месяц|个|人|号楼)", re.IGNORECASE
)
_AMOUNT_BEFORE = re.compile(r"[$€£¥₽₹#]\s*$")
_NOT_A_PHONE = re.compile(
    r"(?:\bqq|微信|wechat|\bicq|身份证|证件|编号|\bid|\bno|№|инн|\binn|снилс|паспорт|passport|\bissn|isbn|doi|\bdoi:|огрн|кпп|р/с|"
    r"(?:employee|staff|personnel|payroll|badge|student|member|membership|policy|order|contract|card|serial|ticket|reference)\s(?:number|num|code)|"
    r"табельный(?:\sномер)?|номер\s(?:сотрудника|договора|карты|полиса|заказа|диплома|удостоверения|студенческого(?:\sбилета)?)|"
    r"(?:员工|职工|学生|会员|护照|社保|合同|订单|证书|卡)号码?|邮编|p\.?\s?o\.?\s?box|а/я|абонентский ящик|信箱|индекс|zip|"
    r"薪|зарплат|salary|invoice|account|iban|счет|счёт|学号|工号|registration|licen[cs]e|pin)\s*[.:№#]*\s*$",
    re.IGNORECASE,
)
# `Mobile No: …`, `Телефон №`: what says phone overrules the rest of the label.
_PHONE_WORD = re.compile(
    r"(?:phone|mobile|\bmob|\btel|contact|\bcell|whatsapp|\bтел|\bмоб|手机|电话|联系方式)[^\d+]{0,14}$", re.IGNORECASE
)
_EXTENSION = re.compile(r"\s*(?:ext\.?|доб\.?|转|x)\s*\d{1,6}$", re.IGNORECASE)
_TRUNK = re.compile(r"\(0\)")
_SHORTEST, _LONGEST = 7, 15
_NATIONAL_LENGTHS = (9, 12)
_ENOUGH = 60
"""Found in a document: beyond these it is a list of other people's data."""
_MOST = 20
"""Runs of digits looked at in one segment."""
_OF_OTHERS = 0.3
_ZONES = {Zone.OWN: 0.0, Zone.NEUTRAL: -0.06, Zone.OTHERS: -0.35, Zone.REFERENCES: -0.6}


@dataclass(frozen=True, slots=True)
class Phone:
    """A number as printed, where it stands, in E.164, and how likely it is the person's own."""

    text: str
    parts: tuple[Row, ...]
    e164: str | None
    """None where no region of the page's makes the number one that can be dialled."""
    confidence: float
    own: bool


def find_phones(document: Document, taken: Sequence[Row], others: AbstractSet[int] = frozenset()) -> list[Phone]:
    """All phone numbers, the likeliest to be the person's own first. `taken` are the parts of addresses and links, `others`
    the rows that hold somebody else's address.
    """
    phones, known = _texts_by_row(document, taken)
    regions = region_order(document)
    place = zones(document)
    found: list[tuple[bool, float, int, Phone]] = []
    for row in document.rows:
        if len(found) > _ENOUGH:
            break
        for text, parts in _candidates(document, row):
            labelled_here = any(text in value for value in phones.get(row.index, ()))
            if not labelled_here and any(text in value for value in known.get(row.index, ())):
                continue
            judged = _judge(text, regions, labelled=labelled_here or row.index in phones)
            if judged is None:
                continue
            number, certainty = judged
            zone = place[row.index]
            another = of_another(document, parts[0])
            score = (
                certainty
                + _ZONES[zone]
                + (0.02 if labelled_here else 0.0)
                + preference(row.text, start := max(row.text.find(text), 0), start + len(text))
                - _OF_OTHERS * (row.index in others)
                - OF_ANOTHER * another
            )
            e164 = phonenumbers.format_number(number, PhoneNumberFormat.E164) if number is not None else None
            own = score >= 0.55 and not another
            # Of two that are about as good the first is the main one.
            found.append((another, -round(score * 4), row.index, Phone(text, parts, e164, max(min(score, 0.99), 0.05), own)))
    found.sort(key=lambda item: item[:3])
    unique: dict[str, Phone] = {}
    for _, _, _, phone in found:
        unique.setdefault(phone.e164 or phone.text, phone)
    return list(unique.values())


def _texts_by_row(document: Document, taken: Sequence[Row]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """What labels call a phone, and what labels or other fields call something else, by row."""
    phones: dict[int, list[str]] = defaultdict(list)
    others: dict[int, list[str]] = defaultdict(list)
    for found in labelled(document):
        if found.key == "phone":
            phones[found.row.index].append(found.row.text)
        elif found.key in ("messenger", "id", "birth", "salary", "level"):
            others[found.row.index].append(found.row.text)
    for part in taken:
        others[part.index].append(part.text)
    return phones, others


# -- candidates ---------------------------------------------------------------------------------------------------


def _candidates(document: Document, row: Row) -> Iterator[tuple[str, tuple[Row, ...]]]:
    if sum(char.isdigit() for char in row.text) < 3:
        return
    for part in segments(row):
        text = _URL_LIKE.sub(lambda match: "\n" * len(match.group()), part.text)
        for match in islice(_CANDIDATE.finditer(text), _MOST):
            yield from _split(document, row, part, match)


def _split(document: Document, row: Row, part: Row, match: re.Match[str]) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The numbers in a run of digits and separators: `a / b` are two, where each is long enough to be one."""
    whole = match.group()
    pieces: list[tuple[int, int]] = []
    start = 0
    for slash in re.finditer(r"\s*[/·•]\s*|\s(?=\+)", whole):
        left, right = whole[start : slash.start()], whole[slash.end() :]
        # A slash may be part of a number, a dot in the middle of a line parts what stands beside it.
        if _count(right) >= _SHORTEST and (_count(left) >= _SHORTEST or slash.group().strip() in ("·", "•")):
            pieces.append((start, slash.start()))
            start = slash.end()
    pieces.append((start, len(whole)))
    for begin, end in pieces:
        text, offset = _trimmed(whole[begin:end])
        at = match.start() + begin + offset
        before, after = part.text[:at], part.text[at + len(text) :]
        if _excluded(text, before, after):
            continue
        piece = clip(part, at, at + len(text))
        broken = _continued(document, row, piece, after)
        if broken is not None:
            yield f"{text}{'' if text.endswith('-') else ' '}{broken.text}", (piece, broken)
        if _SHORTEST <= _count(text) <= _LONGEST:
            yield text, (piece,)


def _continued(document: Document, row: Row, piece: Row, after: str) -> Row | None:
    """The rest of a number that breaks off at the end of its line with a dash or a bracket, or far too short."""
    if after.strip() not in ("", "-", "–") or not 3 <= _count(piece.text) < 10 or not piece.text.startswith(("+", "(", "8")):
        return None
    under = below(document, row, piece)
    rest = re.match(rf"[\d ().{_DASH}]{{1,13}}\d(?=\s*$|\s*\([^\d()]{{1,20}}\)$)", under.text) if under is not None else None
    if under is None or rest is None:
        return None
    under = clip(under, 0, rest.end())
    return under if 10 <= _count(piece.text) + _count(under.text) <= 13 and not _DATE.match(under.text) else None


def _trimmed(text: str) -> tuple[str, int]:
    """Without unmatched brackets and separators at the ends; and how much was cut at the start."""
    stripped = text.lstrip(" ).-/·•")
    offset = len(text) - len(stripped)
    stripped = stripped.rstrip(" (.-/·•")
    if stripped.count("(") > stripped.count(")") and stripped.startswith("("):
        stripped, offset = stripped[1:], offset + 1
    return stripped, offset


def _count(text: str) -> int:
    return sum(char.isdigit() for char in text)


def _excluded(text: str, before: str, after: str) -> bool:
    digits = _count(text)
    if digits < 3 or digits > 24:
        return True
    if any(char.isalnum() and char.isascii() for char in (after[:1], before[-1:])):
        return True
    if _NOT_A_PHONE.search(before) and not _PHONE_WORD.search(before):
        return True
    if _AMOUNT_BEFORE.search(before) or _AMOUNT_AFTER.match(after):
        return True
    if text.startswith("+"):
        return False
    if _DATE.match(text) or _YEARS.match(text):
        return True
    # `512 345 678` is an amount in a sentence, and a number where it stands alone or behind a word for phones.
    alone = not before.strip() and not after.strip() and digits >= _SHORTEST
    amount = _THOUSANDS.match(text) is not None and not text.startswith(("8 ", "0"))
    return amount and not alone and not _PHONE_WORD.search(before)


# -- judging ------------------------------------------------------------------------------------------------------


def _judge(text: str, regions: Sequence[str], *, labelled: bool) -> tuple[PhoneNumber | None, float] | None:
    """How surely a text is a phone, and the number it stands for where a region is known that it fits; None for no phone."""
    bare = _TRUNK.sub("", _EXTENSION.sub("", text))
    digits = re.sub(r"\D", "", bare)
    if len(set(digits)) <= 2 and len(digits) > 8 and not labelled:
        return None
    if bare.lstrip("( ").startswith("+") or (digits.startswith("00") and len(digits) > 10):
        number = parse_number("+" + digits.removeprefix("00"), None)
        return (number, 0.97) if number is not None and phonenumbers.is_possible_number(number) else None
    judged = [_in_region(bare, digits, region, rank) for rank, region in enumerate(_with_shape(digits, bare, regions))]
    best = max((found for found in judged if found is not None), key=lambda found: found[1], default=None)
    if best is None:
        # A label or a trunk zero says phone, though no country is known that it fits: output as printed.
        plain = _NATIONAL_LENGTHS[0] <= len(digits) <= _NATIONAL_LENGTHS[1]
        return (None, 0.65) if plain and (labelled or (digits.startswith("0") and " " in bare)) else None
    number, certainty = best
    if not labelled and not re.search(rf"[ ().{_DASH}]", bare) and not _mobile_shape(digits):
        certainty -= 0.3
    return (number, certainty + (0.05 if labelled else 0.0)) if certainty > 0.2 else None


def _in_region(text: str, digits: str, region: str, rank: int) -> tuple[PhoneNumber, float] | None:
    number = parse_number(text, region)
    if number is None or not phonenumbers.is_possible_number(number):
        return None
    certainty = 0.93 - 0.02 * min(rank, 3)
    if not phonenumbers.is_valid_number(number):
        certainty -= 0.12
    # Some countries' numbers have eight digits; elsewhere so short a one is part of something.
    short = len(digits) < 9 and not (rank == 0 and len(digits) == 8 and phonenumbers.is_valid_number(number) and " " in text)
    if short or phonenumbers.is_possible_number_with_reason(number) != phonenumbers.ValidationResult.IS_POSSIBLE:
        certainty -= 0.4
    return number, certainty


_CHINESE_MOBILE = re.compile(r"^(?:86)?1[3-9]\d{9}$")
_RUSSIAN = re.compile(r"^[78][3489]\d{9}$")
_BRITISH_MOBILE = re.compile(r"^07\d{9}$")
_INDIAN_MOBILE = re.compile(r"^[6-9]\d{9}$")
_AMERICAN = re.compile(r"^1?[2-9]\d{2}[2-9]\d{6}$")


def _mobile_shape(digits: str) -> bool:
    return bool(_CHINESE_MOBILE.match(digits) or _RUSSIAN.match(digits) or _BRITISH_MOBILE.match(digits))


def _with_shape(digits: str, text: str, regions: Sequence[str]) -> list[str]:
    """Regions to try, likeliest first: the page's own, and those whose numbers look like this one and no other."""
    order = list(regions)
    american = _AMERICAN.match(digits) and re.match(r"^(?:1[ .-]?)?\(?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}$", text)
    written = (
        ("US", american),
        ("IN", re.match(r"^[6-9]\d{4}[ -]\d{5}$", text)),
        ("GB", re.match(r"^07\d{3} \d{6}$", text)),
        ("CN", re.match(r"^1[3-9]\d[ -]\d{4}[ -]\d{4}$", text)),
    )
    if (first := next((region for region, fits in written if fits), None)) is not None:
        # Written the way one country writes its numbers and hardly another.
        return [first, *(region for region in order if region != first)]
    shaped = [
        region
        for region, fits in (
            ("CN", _CHINESE_MOBILE.match(digits) and not american),
            ("RU", _RUSSIAN.match(digits)),
            ("GB", _BRITISH_MOBILE.match(digits)),
        )
        if fits
    ]
    # A shape decides only between regions the page does not speak for.
    if order[:1] and shaped and order[0] not in shaped and order[0] in DEFAULT_REGIONS.values():
        return [*shaped, *(region for region in order if region not in shaped)]
    return [*order, *(region for region in shaped if region not in order)]
