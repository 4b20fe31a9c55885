"""E-mail addresses: as printed, broken over two lines, disguised, or behind a link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from phonenumbers import SUPPORTED_REGIONS

from ingest.fields.document import Document, Row
from ingest.fields.labels import labelled
from ingest.fields.others import OF_ANOTHER, of_another
from ingest.fields.preferences import preference
from ingest.fields.segments import segments
from ingest.fields.spans import below, clip, fills_column
from ingest.fields.words import phrases
from ingest.fields.zone import Zone, zones
from ingest.page import Source

_LETTER = r"A-Za-z0-9"
_LOCAL = rf"[{_LETTER}_][{_LETTER}._%+'&~-]{{0,63}}"
_HOST = r"[^\W_\u3400-\u9fff](?:[^\W_\u3400-\u9fff]|-){0,62}"
_DOMAIN = rf"{_HOST}(?:\.{_HOST}){{0,6}}"
_ADDRESS = re.compile(rf"(?<![{_LETTER}._%+-])(?P<local>{_LOCAL})@(?P<domain>{_DOMAIN})?(?P<dot>\.)?(?![@])")
ADDRESS_LIKE = r"(?<![A-Za-z0-9._%+'&~-])[A-Za-z0-9._%+'&~-]{1,64}@[A-Za-z0-9.-]{1,120}"
"""An address among other data, to be left out of what those are looked for in; also where no space parts them. A pattern."""
_DISGUISED = re.compile(
    rf"(?<![{_LETTER}._%+-])(?P<local>{_LOCAL})\s*(?:[(\[{{<]\s*(?:at|@|собака|a)\s*[)\]}}>]|\s(?:AT|at)\s)\s*"
    rf"(?P<domain>{_HOST}(?:(?:\.|\s*[(\[{{]\s*(?:dot|точка|\.)\s*[)\]}}]\s*|\s(?:DOT|dot)\s){_HOST}){{1,5}})"
)
_DOT = re.compile(r"\s*[(\[{]\s*(?:dot|точка|\.)\s*[)\]}]\s*|\s(?:DOT|dot)\s")
_SPACED = re.compile(rf"(?P<local>{_LOCAL}) ?@ ?(?P<domain>{_HOST}(?: ?\. ?{_HOST}){{1,5}})(?![{_LETTER}])")
_HASH = re.compile(rf"(?<![{_LETTER}._%+-])(?P<local>{_LOCAL})[#＃](?P<domain>{_HOST}(?:\.{_HOST}){{1,5}})")
_REST = re.compile(rf"^(?P<rest>[{_LETTER}._%+@-]{{1,60}})(?=$|[\s,;|])")
_TAIL = re.compile(rf"(?:^|(?<=[\s:(<]))[{_LETTER}_][{_LETTER}._%+-]*$")
_APART = re.compile(r"(?:^|[\s:(])([A-Za-z0-9][A-Za-z0-9._-]{0,40}[._]) $")
_LEFT_OVER = re.compile(r"(?:^|[\s:(])(?!(?:e-?mail|mail|at|or|and)\s)[a-z][a-z0-9-]{1,30} $")
_HALF_READ = 0.5
_ROLE = re.compile(
    r"^(?:info|hr|jobs?|career|careers|office|sales|support|admin|contact|hello|noreply|no-reply|recruit\w*|job|mail|help|service|"
    r"webmaster|press|zhaopin|hr\w?|kadry|rabota|personal|secretary|reception)$",
    re.IGNORECASE,
)
_ENOUGH = 60
"""Found in a document: beyond these it is a list of other people's data."""
_MOST = 20
"""Addresses looked at on one line; more are no contact data."""
_ZONES = {Zone.OWN: 0.0, Zone.NEUTRAL: -0.05, Zone.OTHERS: -0.3, Zone.REFERENCES: -0.6}
_GLUED = re.compile(r"^(com|org|net|edu|cn|ru|in|de|uk|io|me)(?=[A-Z\u0400-\u04ff])")


@dataclass(frozen=True, slots=True)
class Address:
    """An e-mail address as it reads, where it stands, and how likely it is the person's own."""

    text: str
    parts: tuple[Row, ...]
    confidence: float
    own: bool


def find_addresses(document: Document) -> list[Address]:
    """All addresses of the document, the likeliest to be the person's own first."""
    labels = {(found.row.index, found.row.text) for found in labelled(document) if found.key == "email"}
    marked = {index for index, _ in labels}
    place = zones(document)
    found: list[tuple[bool, float, int, Address]] = []
    for row in document.rows:
        if len(found) > _ENOUGH:
            break
        for text, parts, certainty in _in_row(document, row, marked=row.index in marked):
            zone = place[row.index]
            near = row.index in marked
            score = certainty + _ZONES[zone]
            score += (0.01 if near else 0.0) + _preference(document, parts[-1])
            if _ROLE.match(text.partition("@")[0]):
                score -= 0.35
            another = of_another(document, parts[0])
            score -= OF_ANOTHER * another
            own = not another and (score >= 0.6 or (near and zone >= Zone.NEUTRAL))
            found.append((another, -score, row.index, Address(text, parts, max(min(score, 0.99), 0.05), own)))
    found.sort(key=lambda item: item[:3])
    unique: dict[str, Address] = {}
    for _, _, _, address in found:
        unique.setdefault(address.text.casefold(), address)
    return list(unique.values())


def _preference(document: Document, part: Row) -> float:
    """What the words beside an address say of using it."""
    text = document.rows[part.index].text
    start = text.find(part.text)
    return preference(text, start, start + len(part.text)) if start >= 0 else 0.0


def _in_row(document: Document, row: Row, *, marked: bool) -> Iterator[tuple[str, tuple[Row, ...], float]]:
    text = row.text
    if "@" not in text:
        yield from _disguised(row, marked=marked)
        yield from _behind_link(row)
        return
    seen = False
    for match in islice(_ADDRESS.finditer(text), _MOST):
        complete = _complete(document, row, match)
        if complete is not None:
            seen = True
            yield complete
    if not seen:
        yield from _headless(document, row)
        ocr = any(word.confidence < 1 for word in row.line.words)
        if marked or ocr:
            for match in islice(_SPACED.finditer(text), _MOST):
                address = re.sub(r"\s", "", match.group())
                if _known_end(address):
                    yield address, (clip(row, *match.span()),), 0.8
        yield from _disguised(row, marked=marked)
    if not seen:
        yield from _behind_link(row)


def _complete(document: Document, row: Row, match: re.Match[str]) -> tuple[str, tuple[Row, ...], float] | None:
    """The address at `match`, with what a narrow column has put on the lines above and below."""
    domain, end = match["domain"] or "", match.end()
    if not match["dot"] and domain:
        domain, end = _unglue(domain, end)
    parts = [clip(row, match.start(), end)]
    whole = f"{match['local']}@{domain}"
    certainty = 0.98
    if end == len(row.text) or _ends_segment(row, end):
        after = _rest(document, row, parts[0], whole, dotted=match["dot"] is not None)
        if after is not None:
            whole += ("." if match["dot"] else "") + after.text.rstrip(".-")
            parts.append(after)
            certainty = 0.93
    if len(parts) == 1 and match["dot"]:
        parts = [clip(row, match.start(), end - 1)]
    if row.line.words[0].source is Source.OCR:
        before = row.text[: match.start()]
        if (apart := _APART.search(before)) is not None:
            # Engines see a space behind a low line or a dot.
            whole, parts, certainty = apart[1] + whole, [clip(row, apart.start(1), match.end()), *parts[1:]], 0.8
        elif _LEFT_OVER.search(before) is not None and not _starts_segment(row, match.start()):
            certainty = _HALF_READ  # they overlook a low line, too
    head = _broken_head(document, row, parts[0]) if match.start() == 0 or _starts_segment(row, match.start()) else None
    if head is not None:
        whole, parts, certainty = head.text + whole, [head, *parts], 0.93
    if not _valid(whole):
        return None
    return whole, tuple(parts), certainty if _known_end(whole) else 0.7


def _rest(document: Document, row: Row, part: Row, whole: str, *, dotted: bool) -> Row | None:
    """What stands below the end of an address and makes a likelier one with it."""
    after = below(document, row, part)
    rest = _REST.match(after.text) if after is not None else None
    if after is None or rest is None or "@" in rest["rest"]:
        return None
    joined = whole + ("." if dotted else "") + rest["rest"].rstrip(".-")
    alone = rest.end() == len(after.text)
    fits = alone and fills_column(document, part, rest["rest"])
    return clip(after, 0, rest.end()) if _better(joined, whole, dotted=dotted, alone=alone, fits=fits) else None


def _broken_head(document: Document, row: Row, part: Row) -> Row | None:
    """`hannah-` above `roe@example.com`: a lone or labelled word that breaks off with a dash, a dot or a low line."""
    for above in reversed(document.rows[max(row.index - 4, 0) : row.index]):
        for segment in segments(above):
            tail = _TAIL.search(segment.text)
            if (
                tail is None
                or not tail.group().endswith(("-", ".", "_"))
                or segment.text[: tail.start()].strip()[-1:] not in ("", ":")
            ):
                continue
            head = clip(segment, *tail.span())
            under = below(document, above, head)
            if under is not None and under.index == row.index and under.text.startswith(part.text):
                return head
    return None


def _headless(document: Document, row: Row) -> Iterator[tuple[str, tuple[Row, ...], float]]:
    """`@example.com` at the start of a line, the local part being at the end of the line above."""
    match = re.match(rf"@(?P<domain>{_DOMAIN})", row.text)
    if match is None or row.index == 0:
        return
    part = clip(row, 0, match.end())
    for above in reversed(document.rows[max(row.index - 4, 0) : row.index]):
        tail = _TAIL.search(above.text)
        if tail is None:
            continue
        head = clip(above, *tail.span())
        under = below(document, above, head)
        whole = tail.group() + match.group()
        if under is not None and under.index == row.index and _valid(whole) and _known_end(whole):
            yield whole, (head, part), 0.9
            return


def _disguised(row: Row, *, marked: bool) -> Iterator[tuple[str, tuple[Row, ...], float]]:
    text = row.text
    lowered = text.casefold()
    if "at" in lowered or "@" in text or "собака" in lowered or "(a)" in lowered:
        for match in islice(_DISGUISED.finditer(text), _MOST):
            bracketed = re.search(r"[(\[{]", match.group()) is not None
            domain = _DOT.sub(".", match["domain"])
            address = f"{match['local']}@{domain}"
            spoken = domain != match["domain"]
            if (bracketed or spoken) and _valid(address) and _known_end(address):
                yield address, (clip(row, *match.span()),), 0.85
    if marked and "#" in text:
        for match in islice(_HASH.finditer(text), _MOST):
            address = f"{match['local']}@{match['domain']}"
            if _known_end(address):
                yield address, (clip(row, *match.span()),), 0.75


def _behind_link(row: Row) -> Iterator[tuple[str, tuple[Row, ...], float]]:
    """The target of a `mailto:` link on words that are no address themselves."""
    for word in row.line.words:
        if word.link and word.link.casefold().startswith("mailto:"):
            address = word.link[7:].partition("?")[0].strip()
            if _valid(address) and _known_end(address):
                at = row.text.find(word.text)
                yield address, (clip(row, max(at, 0), max(at, 0) + len(word.text)),), 0.7
                return


def _unglue(domain: str, end: int) -> tuple[str, int]:
    """`example.comPhone` → `example.com`: words run together lose what follows a known ending in another case."""
    head, dot, last = domain.rpartition(".")
    glued = _GLUED.match(last) if dot else None
    if glued is None or last.casefold() in phrases("tlds") or last.isupper():
        return domain, end
    return head + dot + glued.group(), end - (len(last) - glued.end())


def _starts_segment(row: Row, start: int) -> bool:
    return any(part.text == row.text[start : start + len(part.text)] for part in segments(row)[1:])


def _ends_segment(row: Row, end: int) -> bool:
    rest = row.text[end:].strip()
    return any(rest.startswith(part.text) for part in segments(row)[1:])


def _better(joined: str, whole: str, *, dotted: bool, alone: bool, fits: bool) -> bool:
    """Whether the address is likelier with the text below it than without."""
    if not _valid(joined) or not _known_end(joined):
        return False
    if dotted or "." not in whole.partition("@")[2] or not _valid(whole):
        return True
    if not _known_end(whole):
        return True
    # `name@example.co` over `m`: complete as it stands, but so short a line in small letters is the rest of something.
    more = joined[len(whole) :]
    return (alone and len(more) <= 2 and more.islower()) or (fits and len(more) <= 3 and more.isalpha())


def _valid(address: str) -> bool:
    local, _, domain = address.partition("@")
    if not local or len(address) > 120 or ".." in address or local[-1] in ".-" or "-." in domain or ".-" in domain:
        return False
    last = domain.rpartition(".")[2]
    return "." in domain and len(last) >= 2 and (last.isalpha() or last.casefold().startswith("xn--"))


def _known_end(address: str) -> bool:
    last = address.rpartition(".")[2].casefold()
    return last in phrases("tlds") or last.upper() in SUPPORTED_REGIONS or last.startswith("xn--")
