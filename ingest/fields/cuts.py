"""Cuts: one piece of a line into the values it holds.

Some separators stand between values and hardly ever inside one (`|`, ` – `, ` at `); a comma does both, so it cuts only
where the entries of a section show that it separates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise

from ingest.fields.datelines import Piece
from ingest.fields.document import normalise
from ingest.fields.forms import part
from ingest.fields.wording import MORE_OF_A_NAME, employer_score, is_deed, place_at_end, place_score, position_score
from ingest.fields.words import simplified
from ingest.page import join_words

STRONG = re.compile(r"\s+[|·•∙]\s*|\s*[|•∙]\s+|\s*\|\s*|\s+(?:[–—―-]|--)\s+|\s+(?://?|::|[›→])\s+|\s*[;；]\s+|\s+@\s+")
_HAN_KIND = re.compile(
    r"(?P<long>公司|集团|事务所|医院|银行|大学|学院|研究院|研究所|学校|中学|小学|幼儿园|工作室|中心|酒店|饭店|工厂)"
    r"|局|厅|站|所|院|厂|委员会|人民政府|(?<=政府|党委|市委|区委|县委|省委)办公室|办公厅|街道办(?!事处)|办事处|部队|支行|分行|商行|超市"
)
_HAN_SAME_WORD = re.compile(r"[长主务事]")
"""How a word goes on that only seems to end in the kind of an employer: `厂长助理`, `中心主任`."""
_AT = re.compile(
    r"\s+(?:at(?!\s(?:Home|Work|Sea|Large|Night|Last)\b)|в компании|в организации|в(?=\s+(?:ООО|ОАО|АО|ЗАО|ПАО|ИП|«))|@)\s+"
)
_FOR = re.compile(r"\s+for\s+(?=[A-Z])")
_CLAUSE = re.compile(r",\s+(?=[a-z]{3,}ing\s\S+\s\S|(?:where|which|who|with|responsible)\s\S+\s\S)")
_LONG_WORD_AT_END = re.compile(r"[a-zа-яё]{5,}\.$")
_COMMA = re.compile(
    rf",\s+(?!{MORE_OF_A_NAME}|(?:inc|llc|ltd|llp|plc|corp|co|gmbh|ag|s\.a|lp|limited|jr|sr|b\.v|n\.v|pte|pty)\b)|(?<=[㐀-鿿)]),\s?(?=[㐀-鿿A-Z])",
    re.IGNORECASE,
)
_HAN_SPACE = re.compile(r"(?<=[㐀-鿿)）A-Za-z0-9])(?<!\bin)\s+(?=[㐀-鿿A-Z])")
_HAN_SERVED = re.compile(
    r"^在(.{2,30}?)(?:工作|上班)?[,，]?\s?(?:先后)?(?:担任|历任|任职|任|从事)(.{2,24}?)(?:工作|一职|职务)?[。；;]?$"
)
"""`在某某公司任工程师`: served at … as …."""
_BRACKETED_END = re.compile(r"^(.{2,}?)\s*[（(]([^()（）]{2,80})[)）]$")
_MODE = re.compile(
    r"freelance|self[- ]employed|contract(?:or)?|part[- ]time|full[- ]time|temporary|seasonal|casual|remote|intern(?:ship)?"
    r"|фриланс|внештатно|удал[её]нно|совместительство|по совместительству|стажировка|兼职|全职|实习|自由职业|外聘|远程",
    re.IGNORECASE,
)
"""What brackets behind a title say of how somebody was employed."""
_COLON = re.compile(r"\s?:\s+")
_HAN = re.compile(r"[㐀-鿿]")
_LONGEST_HAN_TITLE = 14


def separators(text: str) -> frozenset[str]:
    """The separators in a text, each by its sign."""
    return frozenset(match[0].strip() for match in STRONG.finditer(text))


def coarse_cuts(piece: Piece, inside: AbstractSet[str] = frozenset()) -> Iterator[Piece]:
    """The piece cut at separators that stand between values and hardly ever inside one; those of `inside` do here."""
    if piece.label == "employer":
        yield from (replace(cut, label="place") if at else cut for at, cut in enumerate(place_apart(piece)))
        return
    if piece.label:
        yield piece
        return
    if (stripped := _SERVICE.match(piece.text)) is not None:
        piece = part(piece, stripped.end(), len(piece.text)) or piece
    if served := _HAN_SERVED.match(simplified(piece.text)):
        for role, span in (("employer", served.span(1)), ("position", served.span(2))):
            if found := part(piece, *span):
                yield replace(found, label=role)
        return
    apart = (cut for whole in _firms_apart(_without_clause(piece)) for run in by_weight(whole) for cut in _at_apart(run))
    for cut in apart:
        for strong in (piece for colon in _colon_apart(cut) for piece in split(colon, STRONG, inside)):
            for part_of in _han_apart(strong) if _HAN.search(strong.text) else _brackets_apart(strong):
                yield from place_apart(_title_alone(part_of))


_SERVICE = re.compile(
    r"^(?:国民服役|服兵役|兵役|服役|national service|military service|army|армия|служба в армии|срочная служба"
    r"|служба по призыву)\s?:\s*",
    re.IGNORECASE,
)
"""A label that says what kind of employer the army is."""
_HAN_SAID = re.compile(
    r"^([㐀-鿿A-Za-z/、]{1,14}(?:[员师长官工生匠家人厨]|经理|主管|总监|助理|代表|顾问|主任|书记|主席))[,，。；;]\s?(.{4,})$"
)
"""`行政总厨,管理后厨…`: a title with what is said about the work behind it."""
_HAN_DOES = re.compile(r"管理|负责|带领|主管|统筹|协助|参与|兼|分管|下属|带|主持|完成|从事|\d")
_FIRM_LEGAL_BEHIND = re.compile(r",\s+(?=(?:ООО|ОАО|АО|ПАО|ЗАО|НАО|ИП|ФГУП|ГУП|МУП|ТОО)\s)")
_PLACE_BEFORE = re.compile(r"^([A-ZА-ЯЁ][\w-]+)(?:\.|,)\s+(?=[\w«])")
_ABOUT_A_FIRM = re.compile(
    r"\s*[(\[【（][^()\[\]【】]*(?:国企|央企|民企|民营|外企|外资|合资|上市|事业单位|股份制|私企|私营|\d\s*人|employees|сотрудник"
    r"|revenue|headcount|-owned|listed|NYSE|NASDAQ|subsidiary of|formerly|acquired|[$€£]\s?\d|\d\s?(?:млн|млрд)|\d年|个月"
    r"|[^()\[\]:]{2,8}:)[^()\[\]【】]*[)\]】）]\s*",
    re.IGNORECASE,
)
"""Brackets that say what kind of firm it is, how large, how long one was there, or a fact with its label."""


def _title_alone(piece: Piece) -> Piece:
    """A title without what its holder does."""
    said = _HAN_SAID.match(piece.text)
    if said is None or position_score(said[1]) < 3 or not (_HAN_DOES.match(said[2]) or is_deed(said[2])):
        return piece
    return part(piece, *said.span(1)) or piece


def _firms_apart(piece: Piece) -> Iterator[Piece]:
    """The piece without brackets about the firm; what stands before a legal form, and a town that begins it, apart."""
    for bare in split_bare(piece):
        place = _PLACE_BEFORE.match(bare.text)
        if place is not None and place_score(place[1]) >= 3 and place_score(bare.text) < 2:
            yield from (found for span in (place.span(1), (place.end(), len(bare.text))) if (found := part(bare, *span)))
        elif (
            (legal := _FIRM_LEGAL_BEHIND.search(bare.text)) is not None
            and employer_score(bare.text[: legal.start()]) < 3
            and ", " not in bare.text[legal.end() :]
        ):
            yield from split(bare, _FIRM_LEGAL_BEHIND)
        else:
            yield bare


def split_bare(piece: Piece) -> list[Piece]:
    """The piece at the brackets that say something of the firm, without them."""
    found: list[Piece] = []
    at = 0
    for match in _ABOUT_A_FIRM.finditer(piece.text):
        if cut := part(piece, at, match.start()):
            found.append(cut)
        at = match.end()
    if cut := part(piece, at, len(piece.text)):
        found.append(cut)
    return found or [piece]


def by_weight(piece: Piece) -> list[Piece]:
    """`**Pharmacist** Example Ltd` in two: bold words followed by words that are not, or the other way round."""
    changes = [at for at, (left, right) in enumerate(pairwise(piece.words), 1) if left.bold != right.bold]
    if len(changes) != 1 or _changes_script(piece.words[changes[0] - 1].text, piece.words[changes[0]].text):
        return [piece]
    start = len(normalise(join_words(piece.words[: changes[0]])))
    if not piece.text.startswith(normalise(piece.words[0].text)) or not piece.text[start : start + 1].strip(" ,|–—-"):
        halves = [part(piece, 0, start), part(piece, start, len(piece.text))]
        if all(half is not None and len(half.text) > 1 for half in halves):
            return [half for half in halves if half is not None]
    return [piece]


def _changes_script(left: str, right: str) -> bool:
    """Whether Chinese stands beside Latin: the weight of one says nothing about that of the other, set in another font."""
    return bool(_HAN.search(left)) != bool(_HAN.search(right))


def _at_apart(piece: Piece) -> list[Piece]:
    if _title_before(piece.text):
        return split(piece, _AT)
    match = _FOR.search(piece.text)
    if match and position_score(piece.text[: match.start()]) >= 3 and employer_score(piece.text[match.end() :]):
        return split(piece, _FOR)
    return [piece]


def _without_clause(piece: Piece) -> Piece:
    """`Supervisor at Example Ltd, running a night shift.` without what is said about it, and without a full stop."""
    end = len(piece.text)
    if (clause := _CLAUSE.search(piece.text)) is not None:
        end = clause.start()
    elif piece.text.endswith(".") and _LONG_WORD_AT_END.search(piece.text):
        end -= 1
    return part(piece, 0, end) or piece


def _colon_apart(piece: Piece) -> list[Piece]:
    """`Research Associate: Institute of …` in two."""
    match = _COLON.search(piece.text)
    return split(piece, _COLON) if match and position_score(piece.text[: match.start()]) >= 2 else [piece]


def _title_before(text: str) -> bool:
    """Whether what stands before ` at ` may be a title; `University of Texas at Austin` is one name."""
    title = _AT.split(text, maxsplit=1)[0]
    return bool(position_score(title)) or (len(title.split()) <= 4 and employer_score(title) < 2)


def han_cuts(piece: Piece) -> Iterator[Piece]:
    """The piece cut at spaces; a Latin name after a Chinese one is its translation and stays with it."""
    start = 0
    for space in _HAN_SPACE.finditer(piece.text):
        rest = piece.text[space.end() :]
        if not _HAN.search(rest) and " " in rest:
            break
        following = rest.split(" ", 1)[0]
        if not _HAN.search(following) and len(following) > 4 and start < space.start():
            continue
        if found := part(piece, start, space.start()):
            yield found
        start = space.end()
    if found := part(piece, start, len(piece.text)):
        yield found


def _han_apart(piece: Piece) -> Iterator[Piece]:
    for cut in han_cuts(piece):
        joined = None if is_deed(cut.text) else _han_joined(simplified(cut.text))
        spans = [(0, len(cut.text))] if joined is None else [(0, joined), (joined, len(cut.text))]
        yield from (found for span in spans if (found := part(cut, *span)))


def _han_joined(text: str) -> int | None:
    """Where the title begins that stands right behind an employer: `某某有限公司人事专员`; None for none.

    A firm is named by its own kind, what follows is a department of it; an office or institute by the last kind in its name.
    """
    ends = [kind.end() for kind in _HAN_KIND.finditer(text) if _may_join(text, kind)]
    firms = [end for end in ends if text[:end].endswith(("公司", "集团"))]
    return firms[0] if firms else ends[-1] if ends else None


def _may_join(text: str, kind: re.Match[str]) -> bool:
    title = text[kind.end() :].lstrip(",，")
    if kind.start() < (2 if kind["long"] else 4) or not 2 <= len(title) <= _LONGEST_HAN_TITLE or "公司" in title:
        return False
    return position_score(title) >= 3 and place_score(title) < 2 and not _HAN_SAME_WORD.match(title)


def _brackets_apart(piece: Piece) -> Iterator[Piece]:
    """`Marketing Lead (Example GmbH)` in two; an address of a page in brackets is left out."""
    match = _BRACKETED_END.match(piece.text)
    if match and ("www." in match[2] or "://" in match[2]):
        spans = [match.span(1)]
    elif match and _MODE.fullmatch(match[2]) and position_score(match[1]):
        spans = [(0, len(piece.text))]
    elif match and employer_score(match[2]) >= 2 > employer_score(match[1]):
        spans = [match.span(1), match.span(2)]
    else:
        spans = [(0, len(piece.text))]
    yield from (found for span in spans if (found := part(piece, *span)))


def place_apart(piece: Piece) -> Iterator[Piece]:
    """The piece and the place at its end."""
    at = place_at_end(piece.text) if place_score(piece.text) < 2 else None
    spans = ((0, len(piece.text)),) if at is None else ((0, at), (at, len(piece.text)))
    yield from (found for span in spans if (found := part(piece, *span)))


def fine_cuts(piece: Piece) -> Iterator[Piece]:
    """The piece cut at commas, for lines that hold everything; places stay whole."""
    if piece.label or place_score(piece.text) >= 2:
        yield piece
        return
    yield from split(piece, _COMMA)


def split(piece: Piece, separator: re.Pattern[str], inside: AbstractSet[str] = frozenset()) -> list[Piece]:
    found: list[Piece] = []
    at = 0
    for match in separator.finditer(piece.text):
        if match[0].strip() in inside:
            continue
        if piece.text.count("(", 0, match.start()) > piece.text.count(")", 0, match.start()):
            continue
        if cut := part(piece, at, match.start()):
            found.append(cut)
        at = match.end()
    if cut := part(piece, at, len(piece.text)):
        found.append(cut)
    return found or [piece]
