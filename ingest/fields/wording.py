"""Wording of entries: how much a text reads like an employer, a position, a place, a school or a degree.

Scores are sums of small integers, positive for, negative against; they support what structure says and never decide alone.
"""

from __future__ import annotations

import re
from functools import cache

from ingest.fields.words import fold, phrases, simplified

_HAN = re.compile(r"[㐀-鿿]")
_TOKEN = re.compile(r"[^\W_]+(?:[.'&/-][^\W_]+)*\.?")
MORE_OF_A_NAME = r"(?-i:[а-яё]+(?:[иыяа]|[ое]в|ей)\s+и\s+[а-яё]+(?:[иыяа]|[ое]в|ей)(?![а-яё]))"
"""Behind a comma: the rest of what an institute is of, `Институт управления, экономики и финансов`; a pattern."""
_QUOTED = re.compile(r"[«„“\"][^»“”\"]{2,}[»”“\"]")
_LEGAL = re.compile(
    r"(?<![\w.])(?:inc|llc|l\.l\.c|ltd|llp|plc|corp|gmbh|ag|kg|s\.a|sas|s\.?a\.?r\.?l|b\.?v|n\.?v|oyj?|ab|aps|a/s|pty|pte|pvt"
    r"|s\.?p\.?a|s\.?r\.?l|kft|sp\. z o\.?o|s\.?r\.?o|d\.?o\.?o|co"
    r"|ооо|оао|ао|зао|пао|нао|ип|тоо|чуп|чтуп|чпуп|сооо|иооо|одо|руп|куп|нпп|спк|нпо|фгуп|гуп|муп"
    r"|a\.\s?s|d\.\s?d|[а-я]?г?бу[зк]?|ано|нии|[мг][бак]оу|фгбоу|фгаоу)"
    r"(?![\w])\.?",
    re.IGNORECASE,
)
_HAN_LEGAL = re.compile(
    r"(?:公司|集团|事务所|医院|银行|大学|学院|研究院|研究所|学校|中学|小学|幼儿园|工作室|厂|中心|局|酒店|出版社)(?:[（(][^）)]{1,12}[）)])?$"
)
_TRANSLATION = re.compile(r"(?<=[㐀-鿿)）])\s+[a-z][a-z\s.,&()'’-]+$")
_HAN_DEED = re.compile(
    r"^(?:负责|参与|主持|组织|协助|完成|撰写|优化|搭建|制定|处理|统筹|带领|主导|推动|跟进|对接|牵头|独立完成|实现|建立)[㐀-鿿A-Z\d]{3}"
)
_HAN_PERSON = re.compile(r"(?:[员师长官工生匠家人]|经理|主管|总监|助理|代表|顾问|主任|书记|主席)$")
_HAN_WHO = re.compile(r"^[㐀-鿿]{1,7}[员师长官手工生匠家]$")
# Endings that name people by what they do: a weak sign, for titles no list has.
_WHO = re.compile(
    r"(?:^|\s)[a-z-]{3,}(?:er|or|ist|ian|ant|eer|man|woman)$|[а-я]{3,}(?:щик|чик|тель|ист|ник|лог|ер|ор|ант|арь|вед|граф)(?:\s|$)"
)
_DEPARTMENT = re.compile(r"(?:部|部门|组|科室|处|事业部|[㐀-鿿]{2}室|[㐀-鿿]{2}科|车间|department|dept\.?|отдел)$", re.IGNORECASE)
_REMOTE = re.compile(r"^(?:remote|remotely|hybrid|on-?site|удал[её]нно|удал[её]нная работа|远程|居家)$", re.IGNORECASE)
_PLACE_PREFIX = re.compile(r"^(?:г\.|гор\.|город|city of)\s*", re.IGNORECASE)
_DIVIDER = re.compile(r"\s*[,，/·|()]\s*|\s+[-–—]\s+")
_COMMA = re.compile(r"\s*[,，]\s*")
_BRACKETED_END = re.compile(r"\s*[（(]([^()（）]{2,40})[)）]$")
_BEHIND_LEGAL_FORM = re.compile(r"(?<=[\w.»\"”]),\s+(?:г\.\s?)?([A-ZА-ЯЁ][\w-]+(?:\s[A-ZА-ЯЁ][\w-]+)?)(?:\s\([^()]{2,30}\))?$")
"""One or two names at the end, which after `Ltd` or `GmbH` can only be a place."""
_STATE_CODES = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
    "|AB|BC|MB|NB|NL|NS|ON|PE|QC|SK|NSW|VIC|QLD|TAS|ACT"
)
_STATE_BEHIND = re.compile(rf"^([A-Z][\w.'’ -]{{2,30}})\s(?:{_STATE_CODES})$")
"""`Manchester NH`, without a comma."""
_ADDRESS = re.compile(
    r"^\d{1,5}[A-Za-z]?\s(?:[NSEW]\.?\s)?(?:[A-Z][\w.'’-]*\s){1,4}(?:St|Street|Ave|Avenue|Rd|Road|Way|Blvd|Boulevard|Drive|Dr|Lane|Ln|Ct|Court"
    r"|Pkwy|Parkway|Plaza|Square|Sq|Hwy|Highway|Terrace|Place|Pl|Crescent|Close|Quay)\.?(?:,.{0,40})?$"
    rf"|^[A-Z][\w.'’ -]{{1,30}},\s(?:{_STATE_CODES})(?:\s\d{{4,5}}(?:-\d{{4}})?)?"
    r"(?:,?\s(?:US|USA|U\.S\.A?\.|United States|Canada|Australia))?$"
    r"|^(?:\d{6},?\s)?(?:(?:г|гор)\.\s?[А-ЯЁ][\w-]+,\s)?(?:ул|пр-т|просп|пер|наб|ш|б-р|пл)\.\s?[А-ЯЁ\d].{2,40}$"
    r"|^[㐀-鿿]{2,12}(?:路|街|大道|巷)[㐀-鿿\d]{0,8}\d+号",
)
"""A street with its number, a town with its state or province: where an employer sits, printed below its name."""
_GLUED_TOWN = re.compile(
    rf"(?<=\w)[-–](?=[A-Z][a-z]+(?:\s[A-Z][a-z]+)?,\s(?:{_STATE_CODES})$)|,\s+(?=(?:г|гор)\.\s?[А-ЯЁ][\w-]+$)"
)
"""Where a town begins that a job board glues to the employer: `Example Systems-Columbus, OH`; and `…, г. Тверь`."""
_HAN_PLACE = re.compile(r"^[㐀-鿿]{2,8}(?:省|市|区|县|州)$")


@cache
def employer_score(text: str) -> int:
    folded = _without_translation(fold(text))
    if _HAN.search(folded):
        if _HAN_LEGAL.search(folded):
            return 3
        return 2 if _ends_with(folded, "employers") else 1 if _contains(folded, "employers") else 0
    score = 3 if _LEGAL.search(folded) else 0
    if _QUOTED.search(text):
        score += 2
    if _has_token(folded, "employers"):
        score += 2
    elif " & " in folded:
        score += 1
    return min(score, 4)


def _without_translation(folded: str) -> str:
    """A Chinese name without the English one behind it."""
    return _TRANSLATION.sub("", folded)


@cache
def position_score(text: str) -> int:
    folded = _without_translation(fold(text))
    if _HAN.search(folded):
        bare = re.sub(r"[（(].*?[）)]|\s", "", folded)
        if _ends_with(bare, "titles"):
            return 3
        return 1 if _contains(bare, "titles") or _HAN_WHO.search(bare) else 0
    if not _has_token(folded, "titles"):
        return 1 if _WHO.search(folded) and len(folded.split()) <= 4 else 0
    return 3 if len(folded.split()) <= 6 else 1


@cache
def place_score(text: str) -> int:
    """3: a known place or an address; 1: looks like one."""
    if _GLUED_TOWN.search(text):
        return 0
    if _ADDRESS.search(text) and not _LEGAL.search(text):
        return 3
    if len(text) > 50 or any(char.isdigit() for char in text):
        return 0
    if _REMOTE.match(text):
        return 3
    if (bare := _STATE_BEHIND.match(text)) is not None and _known_place(bare[1]):
        return 3
    parts = [_PLACE_PREFIX.sub("", part) for part in _DIVIDER.split(text) if part]
    if not parts:
        return 0
    known = [_known_place(part) for part in parts]
    if all(known) or (len(parts) == 2 and len(parts[0].split()) <= 2 and _region(parts[1])):
        return 3
    if known[0] and len(parts) <= 3:
        return 2
    return 1 if _HAN_PLACE.match(simplified(text)) else 0


def place_at_end(text: str) -> int | None:
    """Where a place begins that ends the text after a comma or in brackets: `Example Ltd, Leeds, UK`; None for none."""
    if (glued := _GLUED_TOWN.search(text)) is not None:
        return glued.start()
    for comma in _COMMA.finditer(text):
        inside = text.count("(", 0, comma.start()) > text.count(")", 0, comma.start())
        if not inside and place_score(text[comma.end() :]) >= 2 and not (comma.start() < 3 or school_with_place(text)):
            return comma.start()
    brackets = _BRACKETED_END.search(text)
    if brackets and place_score(brackets[1]) >= 2:
        return brackets.start()
    behind = _BEHIND_LEGAL_FORM.search(text)
    if behind and _LEGAL.search(text[: behind.start()]) and not (employer_score(behind[1]) or position_score(behind[1])):
        return behind.start()
    return None


def _region(text: str) -> bool:
    """Whether a text is a country or a state, which make a place of the name before them."""
    folded = fold(text)
    return folded in phrases("countries") or folded in phrases("states")


def _known_place(text: str) -> bool:
    folded = fold(text)
    shorter = folded[:-1] if folded.endswith(("市", "省")) else folded
    return any(
        name in places for places in (phrases("cities"), phrases("countries"), phrases("states")) for name in (folded, shorter)
    )


@cache
def school_score(text: str) -> int:
    folded = _without_translation(fold(text))
    if _HAN.search(folded):
        return (
            3
            if re.search(
                r"(?:大学|学院|学校|中学|小学|高中|职校|技校|党校|研究院|研究所)(?:[（(][^）)]{1,14}[）)]|[㐀-鿿]{0,6}(?:分校|校区|学院|系))?$",
                folded,
            )
            else (1 if _contains(folded, "schools") else 0)
        )
    if _has_token(folded, "schools") or _SCHOOL_AT_END.search(folded):
        return 3
    return 2 if _NAMED_AFTER.search(folded) else 1 if _ACRONYM.match(text) else 0


@cache
def degree_score(text: str) -> int:
    return 3 if degree_spans(text) else 0


def degree_spans(text: str) -> list[tuple[int, int]]:
    """Where degrees are named in a text, in order, not overlapping."""
    return [
        _of_what(text, match)
        for match in _degree_pattern().finditer(simplified(text))
        if _as_written(match[0]) and not (match.end() == len(text) and _ends_a_name(text[: match.start()], match[0]))
    ]


def _ends_a_name(before: str, name: str) -> bool:
    """Whether a degree that is also a kind of school ends the name of one: `Lakeside High School`."""
    return not _HAN.search(name) and name.casefold() in phrases("schools") and before.rstrip()[-1:].isalpha()


def _as_written(name: str) -> bool:
    """Abbreviations count only in capitals: `BE` and `MA` are degrees, `be` and `ma` are not."""
    bare = name.replace(".", "")
    return not bare.isascii() or len(bare) > 4 or (bare[0].isupper() and (len(bare) > 3 or not bare[1:].islower() or "." in name))


_OF = re.compile(
    r"(?:'s|’s)?\s+of\s+[A-Z][\w-]+(?:\s+(?:and|&)\s+[A-Z][\w-]+)?(?:\s+[A-Z][\w-]+){0,3}(?=\s+in\s|\s*[,:(–-]|\s*$)|(?:\s+Level)?\s+(?:\d|I{1,3}|IV|VI{0,2})(?!\w)|\s?\((?:Hons\.?|Honours)\)|\s+Hons?\.?(?!\w)"
)


_LONGER_FIELD = re.compile(r"[物心地病药伦]理学|[中兽]医学|天文学")
"""Fields that end like the name of a degree begins: `物理学学士` is a 学士 in 物理学, no 理学学士."""


def _of_what(text: str, match: re.Match[str]) -> tuple[int, int]:
    start = match.start()
    if start and _LONGER_FIELD.match(simplified(text), start - 1):
        start += 2
    more = _OF.match(text, match.end())
    return (start, more.end() if more else match.end())


@cache
def _degree_pattern() -> re.Pattern[str]:
    latin = sorted((word for word in phrases("degrees") if not _HAN.search(word)), key=len, reverse=True)
    han = sorted((word for word in phrases("degrees") if _HAN.search(word)), key=len, reverse=True)
    names = "|".join(re.escape(word).replace("е", "[её]") for word in latin)
    return re.compile(
        rf"(?<![\w.])(?:{names})(?:['’]s)?(?:\s+(?:degree|candidate|student|programme|program))?(?![\w])"
        rf"|(?<![㐀-鿿])(?:[文理工法医商]|社会科学|教育|工程|荣誉[文理])学士|(?:{'|'.join(han)})",
        re.IGNORECASE,
    )


_SCHOOL_AT_END = re.compile(
    r"\w{4,}(?:skolan|skola|skolen|skole|schule|gymnasiet|gymnasium|lyceum|universität|universitet|universiteit|koulu)(?!\w)"
)
"""Schools as one word, as Germanic languages write them: `Katedralskolan`."""
_NAMED_AFTER = re.compile(r"(?<!\w)(?:им\.|имени)\s")
_ACRONYM = re.compile(r"^[А-ЯЁ][А-Яа-яЁё]{0,3}[А-ЯЁ]{2,6}(?:\s[А-ЯЁ]{3,7})?$")
_FACULTY = re.compile(
    r"(?<!\w)(?:faculty|department|dept|school of|факультет|кафедра|филиал|институт(?=\s[а-яё]+(?:ых|ой|их)\s))"
    r"|(?<!大学)(?:系|学部)$",
    re.IGNORECASE,
)
_OF_STATE = re.compile(r"university of ([^,]{3,30}),\s", re.IGNORECASE)


def is_faculty(text: str) -> bool:
    return bool(_FACULTY.search(simplified(text)))


def school_with_place(text: str) -> bool:
    """Whether a comma is part of a school's name: `University of California, Berkeley`."""
    match = _OF_STATE.search(text)
    return match is not None and fold(match[1]) in phrases("states")


def is_deed(text: str) -> bool:
    """Whether a Chinese text says what somebody did: `负责某某项目`."""
    text = simplified(text)
    return bool(_HAN_DEED.match(text)) and not _HAN_PERSON.search(text)


def is_department(text: str) -> bool:
    return bool(_DEPARTMENT.search(simplified(text)))


def signals(text: str) -> frozenset[str]:
    """What kinds of value the wording of a text points to."""
    found = {
        "employer": employer_score(text) >= 2,
        "position": position_score(text) >= 3,
        "school": school_score(text) >= 3,
        "degree": bool(degree_spans(text)),
    }
    return frozenset(kind for kind, yes in found.items() if yes)


def is_bare_kind(text: str) -> bool:
    """Whether a text is only a kind of school, such as `University`: the end of a name and none itself."""
    tokens = [token.rstrip(".") for token in _TOKEN.findall(fold(text))]
    return 0 < len(tokens) <= 2 and all(token in phrases("schools") for token in tokens) and len(text) > 3


# -- matching -------------------------------------------------------------------------------------------------------


@cache
def _tokens_of(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Single words of a list, and its phrases of several."""
    words = phrases(name)
    return frozenset(word for word in words if " " not in word), tuple(word for word in words if " " in word)


def _has_token(folded: str, name: str) -> bool:
    single, several = _tokens_of(name)
    tokens = _TOKEN.findall(folded)
    for token in tokens:
        bare = token.rstrip(".")
        if (
            token in single
            or bare in single
            or any(half in single for half in re.split(r"[/&-]", bare) if half != bare and len(half) > 2)
        ):
            return True
    padded = f" {' '.join(token.rstrip('.') for token in tokens)} "
    return any(f" {phrase} " in padded for phrase in several)


@cache
def _han_words(name: str) -> tuple[str, ...]:
    return tuple(sorted((word for word in phrases(name) if _HAN.search(word) or name == "titles"), key=len, reverse=True))


def _ends_with(text: str, name: str) -> bool:
    return text.endswith(tuple(word for word in _han_words(name) if _HAN.search(word)))


def _contains(text: str, name: str) -> bool:
    return any(word in text for word in _han_words(name) if _HAN.search(word))
