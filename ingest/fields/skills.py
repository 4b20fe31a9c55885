"""Skills: the items of skills sections, without groups, levels and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ingest.fields.document import Document, Row
from ingest.fields.draft import Draft, Value
from ingest.fields.headings import wording
from ingest.fields.items import Item, form_rows, items
from ingest.fields.sections import loose_lines, sections
from ingest.fields.spans import clip, value_of
from ingest.fields.words import fold, phrases
from ingest.fields.zone import Zone, zones
from resumes.profile import Skill

_HAN = re.compile(r"[\u3400-\u9fff]")
_LISTED = 0.04
"""How much surer a skill is that the installation's own list has (see `docs/word-lists.md`)."""
_MOST = 80
_OTHER_LISTS = frozenset({"work", "education", "languages", "summary", "contact", "references", "objective", "skills"})
"""Headings that are no skill; `Project work` may be one."""
_BEFORE = re.compile(r"(?:(?!\.[A-Z])[ .,:;–—•·*>-])*")
"""Signs before a name; `.NET` begins with its dot."""
_FEWEST, _SHORT, _SHORT_WORDS, _MOST_LIST_ROWS = 4, 40, 4, 30
"""Items, their letters and words, and the lines of a list that has no heading anybody knows."""
_SPACE = 0.8
"""In heights of the line: white space that sets lines apart from those above."""
_SAYS_MORE = re.compile(r"(?:19|20)\d\d|@|https?:|\+\d|\d{5}|[.!?。！？]\s*$|：|:\s")
_LEVEL_ONLY = re.compile(r"\W*\d{1,3}\s*%?\W*|[\W_]+")
_LONGEST = 60
_MOST_WORDS = 6
# What stands before and behind the name of a skill.
_VERBS = re.compile(
    r"^(?:(?:and|и|etc\.?)(?=\s)|以及|和(?=\s)|(?:掌握|使用)(?!率)|熟练(?:掌握|使用|运用|应用|操作)?|熟悉|精通|了解|擅长|能?熟练(?:地)?使用|"
    r"会使用|具备|(?:(?:strong|good|excellent|basic|advanced|working|solid|deep) )?(?:knowledge of|experience (?:with|in)|"
    r"understanding of|proficien(?:t|cy) (?:in|with)|familiar(?:ity)? with|skilled in|expert(?:ise)? in|competent in|"
    r"experienced (?:in|with))|(?:(?:уверенное|хорошее|отличное|свободное) )?(?:знание|владение|умение|"
    r"(?:опыт|навыки?|навыками) работы (?:с|со|в|на)|"
    r"работа с программами|знаю|владею)(?=\s))\s*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*(?:(?<![甲乙丙丁一二三四五六高中初上下同平特优头])等(?:\S{0,8})?|及以上|etc\.?|"
    r"и т\.?\s?д\.?|и др\.?|и т\.?\s?п\.?|等等)$",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\s*[-–—:,(]?\s*\(?\s*(?:over |more than |less than |up to |[<>]|около |более |менее |до )?\d+(?:[.,]\d+)?\s*\+?\s*"
    r"(?:%|years?|yrs?|y\.?|лет|год[а]?|г\.|мес\S*|months?|年(?:经验)?|个月|/\s*(?:5|10|100)|out of (?:5|10)|из (?:5|10)|星|分)"
    r"(?:\s*(?:of )?(?:experience|exp\.?|опыта?|经验))?\s*\)?\s*$",
    re.IGNORECASE,
)
_TONGUE = re.compile(
    r"^(?:mother tongue|native language|other language|foreign language|родной язык)(?:\(s\)|s)?(?=\W|$)", re.IGNORECASE
)
_GROUP = re.compile(r"^(?!\d)[^:()]{2,48}?(?::\s+|(?<=[\u3400-\u9fff]):)(?=\S)")
_MARKS = re.compile(r"[\s★☆●○◉◎■□▪▫█▓▒░◆◇⬤◯⚫⚪✦✧✩✪⭐▰▱|/*•·]+$|\s*[\[(]?[=#\-_.]{3,}[\])]?\s*$")
_LEVEL_BEHIND = re.compile(
    r"^(?P<name>.+?)\s*(?:[(\[（]\s*(?P<level>[^()\[\]（）]{1,40})\s*[)\]）]|(?:\s[-–—]\s|:\s*)(?P<other>[^()]{1,40}))$"
)
_NOT_A_SKILL = re.compile(
    r"@|https?:|www\.|^\d+$|^\+?\d[\d\s().-]{6,}|^[\W_]+$|^(?:19|20)\d\d|\b(?:i|we|my|our|he|she|was|were|have|has|had|я|мой|мои)\b|"
    r"^(?:能|可以?独立|能够|具有|有|善于|对|曾|负责|并|可|通过|获得|良好的|较强的|本人|工作)|。|"
    r"references? (?:are |will be )?(?:available|provided|on request)|(?:по|upon|on) (?:запросу|request)$|"
    r"意见$|盖章|签字|[^\W\d_]{4}\. (?=[^\W\d_]{4})",
    re.IGNORECASE,
)
# Levels that no skill's name ends with, so that they need no bracket or dash; "basic" and "writing" are not among them.
_PLAIN_LEVELS = frozenset(
    {"advanced", "intermediate", "expert", "beginner", "proficient", "fluent", "продвинутый", "базовый", "уверенный"}
)
_HEADER_WORDS = frozenset(
    {
        "etc",
        "и др",
        "skill",
        "skills",
        "level",
        "proficiency",
        "rating",
        "years",
        "experience",
        "навык",
        "навыки",
        "уровень",
        "技能",
        "技能语言",
        "水平",
        "程度",
    }
)


def find(document: Document, draft: Draft) -> None:
    """Fill `skills`."""
    values: dict[str, Value] = {}
    for item, certainty in _listed(document, draft):
        found = skill_in(item.text)
        if found is not None:
            name, start, end = found
            listed = _LISTED if fold(name) in phrases("skills") else 0.0
            values.setdefault(fold(name), value_of(name, min(certainty + listed, 0.98), *_within(item, start, end)))
    for value in list(values.values())[:_MOST]:
        draft.note(f"skills[{len(draft.profile.skills)}].name", value)
        draft.profile.skills.append(Skill(name=value.value))


def _listed(document: Document, draft: Draft) -> Iterator[tuple[Item, float]]:
    found = False
    for section in sections(document):
        if section.kind == "skills":
            told = [row for row in section.rows if _TELLS.search(row.text)]
            for item in items(document, [row for row in section.rows if row not in told] if told else section.rows):
                if item.kind in ("", "skills") and not is_spoken(item):
                    found = True
                    yield item, 0.93
            for item, certainty in _told(told):
                found = True
                yield item, certainty
    if not found:
        place = zones(document)
        rows = [row for row in form_rows(document, "skills") if place[row.index] is not Zone.REFERENCES]
        listed = [(item, 0.85) for item in items(document, rows) if not is_spoken(item)]
        known = draft.profile.basics
        if listed or known.email or known.phone or known.name:
            yield from listed or list(_unnamed(document, known.name or "")) or _told(loose_lines(document))


def _unnamed(document: Document, name: str) -> Iterator[tuple[Item, float]]:
    """Lists that nothing calls skills: under headings of unknown wording, else the first one set apart where nothing has a
    heading. People head their skills as they like (`Toolbox`, `What I am good at`) or not at all; a list of short things
    without dates, sentences and contact data is hardly anything else.
    """
    found = False
    for section in sections(document):
        if section.heading is not None and (
            section.kind == "summary" or (section.kind == "other" and wording(section.heading.text) is None)
        ):
            listed = _plain_list(document, section.rows)
            found = found or bool(listed)
            yield from ((item, 0.75) for item in listed)
    if not found:
        loose = (section.rows for section in sections(document) if section.heading is None)
        groups = (group for rows in loose for group in _apart(rows) if not _is_header(group, name))
        yield from ((item, 0.65) for item in next(filter(None, (_plain_list(document, group) for group in groups)), []))


_TELLS = re.compile(
    r"(?<!\w)(?:I(?: am|['’]m)(?: very| also| quite)?"
    r" (?:skilled|proficient|experienced|competent|trained|good|great|confident|comfortable) (?:in|with|at|using)"
    r"|(?:My|my|Key|Main) (?:\w+ )?skills (?:include|are)|I (?:can use|know how to use|work with)) (?P<en>[^.;:]{5,160})"
    r"|(?<!\w)(?:(?:Я )?[Вв]ладею|(?:Я )?[Уу]мею|[Хх]орошо знаю) (?P<ru>[^.;:]{5,160})"
    r"|(?:本人|我)(?:熟悉|精通|擅长|掌握|熟练掌握|熟练使用)(?P<zh>[^。;；:]{5,80})"
)
_TOLD_JOINTS = re.compile(
    r"\s*[、,]\s*(?:(?:and|и)\s)?|\s(?:and|и)\s|(?<=[\u3400-\u9fff]{2})(?:以及|和|及|与)(?=[\u3400-\u9fff]{2})"
)
_FEWEST_TOLD = 3


def _told(rows: Iterable[Row]) -> Iterator[tuple[Item, float]]:
    """The lists in sentences such as `I am skilled in veneering, CAD and site measuring`."""
    for row in rows:
        told = _TELLS.search(row.text)
        if told is None:
            continue
        start, end = told.span(told.lastgroup or 0)
        joints = [joint.span() for joint in _TOLD_JOINTS.finditer(row.text, start, end)]
        spans = zip([start, *(last for _, last in joints)], [*(first for first, _ in joints), end], strict=True)
        found = [Item(row.text[first:last], (clip(row, first, last),)) for first, last in spans if first < last]
        if len(found) >= _FEWEST_TOLD and all(_is_plain(item) for item in found):
            yield from ((item, 0.7) for item in found)


def _is_header(rows: tuple[Row, ...], name: str) -> bool:
    """Whether lines are the ones a resume begins with."""
    return rows[0].index == 0 or (bool(name) and any(name in row.text for row in rows))


def _apart(rows: tuple[Row, ...]) -> list[tuple[Row, ...]]:
    """The rows in groups that white space sets apart."""
    groups: list[list[Row]] = []
    for row in rows:
        if not groups or row.line.gap >= _SPACE:
            groups.append([])
        groups[-1].append(row)
    return [tuple(group) for group in groups]


def _plain_list(document: Document, rows: tuple[Row, ...]) -> list[Item]:
    """The items of rows that list short things and hold nothing else; none where they do not."""
    if not rows or len(rows) > _MOST_LIST_ROWS or any(_SAYS_MORE.search(row.text) for row in rows):
        return []
    found = [
        item for item in items(document, rows) if not (_LEVEL_ONLY.fullmatch(item.text) or fold(item.text) in phrases("levels"))
    ]
    distinct = {fold(item.text) for item in found}
    return found if len(distinct) >= _FEWEST and all(_is_plain(item) for item in found) else []


def _is_plain(item: Item) -> bool:
    short = len(item.text) <= _SHORT and len(item.text.split()) <= _SHORT_WORDS
    return short and skill_in(item.text) is not None and not is_spoken(item)


def is_spoken(item: Item) -> bool:
    """Whether an item of a list speaks of a spoken language."""
    if _TONGUE.match(item.text):
        return True
    first = re.split(r"\s*[(:\[（-]|\s[–—]\s", fold(item.text))[0].strip()
    if first in phrases("languages") or _is_language_with_level(first):
        return True
    return first in phrases("levels") or first.removesuffix(" language").removesuffix(" язык") in phrases("languages")


def _is_language_with_level(text: str) -> bool:
    """`英语良好`, as Chinese has it without a space; what certificates say (`普通话一级乙等`) is a skill as printed."""
    return _HAN.match(text) is not None and any(
        text[:length] in phrases("languages") and text[length:] in phrases("levels") and text[-1] not in "级等"
        for length in (2, 3)
    )


def _within(item: Item, start: int, end: int) -> tuple[Row, ...]:
    """The parts of the item's lines that hold `item.text[start:end]`; all of them where it spans several."""
    if len(item.parts) == 1 and item.parts[0].text == item.text:
        return (clip(item.parts[0], start, end),)
    return item.parts


def skill_in(text: str) -> tuple[str, int, int] | None:
    """The skill an item names and where it stands in it; None for sentences, levels, numbers and headings."""
    start, end = _after_group(text), len(text)
    for _ in range(4):
        before = (start, end)
        core = text[start:end]
        start += len(_BEFORE.match(core)[0])  # type: ignore[index]  # matches always, if nothing
        end -= len(core) - len(core.rstrip(" .,:;-–—*"))
        core = text[start:end]
        if (verb := _VERBS.match(core)) is not None and verb.end() < len(core):
            start += verb.end()
        core = text[start:end]
        for pattern in (_MARKS, _AMOUNT, _TAIL):
            if (match := pattern.search(core)) is not None and match.start() > 0:
                core = core[: match.start()]
        end = start + len(core)
        end = start + _without_level(core)
        if (start, end) == before:
            break
    name = text[start:end].strip()
    return (name, start, end) if _is_skill(name) else None


def _after_group(text: str) -> int:
    """Where the skill begins behind the name of its group: `Databases: MySQL`; but `Python: expert` begins with the skill."""
    group = _GROUP.match(text)
    return group.end() if group is not None and not _is_level(text[group.end() :]) else 0


def _without_level(core: str) -> int:
    """The end of the skill's name before `(expert)`, `– advanced`, ` 精通`."""
    behind = _LEVEL_BEHIND.match(core)
    if behind is not None and _is_level(behind["level"] or behind["other"]):
        return behind.end("name")
    head, _, last = core.rpartition(" ")
    return len(head.rstrip()) if head and (fold(last) in _PLAIN_LEVELS or fold(last) in phrases("levels", "zh")) else len(core)


def _is_level(text: str) -> bool:
    folded = fold(text).strip(" .")
    levels = phrases("levels")
    if folded in levels or re.fullmatch(r"[\d\s.%+/-]+(?:years?|yrs?|лет|год[а]?|年)?.{0,12}", folded):
        return True
    words = re.split(r"[\s,/-]+", folded)
    return all(word in levels or word in ("уровень", "level", "user", "knowledge", "and", "и") for word in words)


def _is_skill(name: str) -> bool:
    if not name or len(name) > _LONGEST or not any(char.isalpha() for char in name) or _NOT_A_SKILL.search(name):
        return False
    folded = fold(name)
    if (
        folded in phrases("levels")
        or _AMOUNT.fullmatch(name)
        or all(word in _HEADER_WORDS for word in folded.split())
        or (" " in name and wording(name) in _OTHER_LISTS)
    ):
        return False
    if name.count("(") != name.count(")"):
        return False
    if len(name) == 1 and name not in "CRDcr":
        return False
    han = len(_HAN.findall(name))
    if han > 16 or (han > 8 and "," in name):
        return False
    return len(name.split()) <= _MOST_WORDS and not name.endswith((".", "!", "?"))
