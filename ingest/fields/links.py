"""Links: the person's profiles and sites, as printed. What is only the target of a link counts where nothing is printed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from phonenumbers import SUPPORTED_REGIONS

from ingest.fields.document import Document, Row
from ingest.fields.labels import labelled
from ingest.fields.others import OF_ANOTHER, of_another
from ingest.fields.segments import segments
from ingest.fields.spans import below, clip, fills_column
from ingest.fields.words import keys, phrases
from ingest.fields.zone import Zone, zones

_HOST = r"[^\W_](?:[^\W_\u3400-\u9fff]|-){0,62}"
_REST = r"[^\s,;|<>\"'«»“”，；、。（）\u3400-\u9fff]*"
_LINK = re.compile(
    rf"(?<![\w@./-])(?:(?P<scheme>https?\s?:\s?//)|(?P<www>www\.))?(?P<host>(?:{_HOST}\.){{1,5}}[^\W\d_]{{2,24}})?"
    rf"(?P<rest>(?::\d{{2,5}})?/{_REST})?",
    re.IGNORECASE,
)
_START = re.compile(r"https?\s?:\s?//|www\.|[^\W_](?:[^\W_]|-)*\.[^\W\d_]{2}", re.IGNORECASE)
_MORE = re.compile(r"^[A-Za-z0-9_./?=&%#~+-]{1,80}$")
# The rest of a link at the start of the next line of a paragraph, before a separator.
_WRAPPED = re.compile(r"[A-Za-z0-9_./?=&%#~+-]{1,80}(?=\s*[|•·,;])")
_OPEN_ENDS = ("/", "-", "_", ".", "=")
_HANDLE = re.compile(r"^@?[A-Za-z0-9_][A-Za-z0-9_.-]{2,38}$")
_ENOUGH = 60
"""Found in a document: beyond these it is a list of other people's data."""
_PART = 4
"""Characters a part of an address has at least to be looked for in the text of its line."""
_MOST = 20
"""Links looked at on one line."""
_ZONES = {Zone.OWN: 0.0, Zone.NEUTRAL: -0.25, Zone.OTHERS: -0.5, Zone.REFERENCES: -0.8}
_LIKELY_OWN = 0.6


@dataclass(frozen=True, slots=True)
class Link:
    """A link as printed (or the target behind printed words), where it stands, whose network it is on."""

    url: str
    parts: tuple[Row, ...]
    confidence: float
    own: bool
    network: str | None = None
    username: str | None = None


def find_links(document: Document, taken: Sequence[Row]) -> list[Link]:
    """All links in reading order; targets behind words come after what is printed. `taken` are the parts of e-mail addresses."""
    wanted = {found.row.index for found in labelled(document) if found.key == "link"}
    place = zones(document)
    addresses: dict[int, list[str]] = defaultdict(list)
    for part in taken:
        addresses[part.index].append(part.text)
    links: dict[str, Link] = {}
    used: set[tuple[int, str]] = set()
    for row in document.rows:
        if len(links) > _ENOUGH:
            break
        hidden = _without(row, addresses.get(row.index, ()))
        for url, parts, certainty in _in_row(document, hidden, marked=row.index in wanted, zone=place[row.index], used=used):
            if any(part.text in text for part in parts[1:] for text in addresses.get(part.index, ())):
                continue
            score = certainty + _ZONES[place[row.index]]
            if row.index in wanted:
                score += 0.02 if place[row.index] is Zone.OWN else 0.3
            _add(links, url, parts, score - OF_ANOTHER * of_another(document, parts[0]))
    for row in document.rows:
        for url, part in _targets(row):
            _add(links, url, (part,), 0.72 + _ZONES[place[row.index]] - OF_ANOTHER * of_another(document, part))
    return list(links.values())


def _without(row: Row, addresses: Sequence[str]) -> Row:
    """The row with its e-mail addresses blanked: parts of them look like links."""
    text = row.text
    for address in (address for address in addresses if len(address) >= _PART):
        text = text.replace(address, "@" * len(address))
    return row if text == row.text else replace(row, text=text)


def link_key(url: str) -> str:
    """What two spellings of one address have in common: no scheme, no `www.`, no last slash, folded."""
    return re.sub(r"^(?:https?\s?:\s?//)?(?:www\.)?", "", url.strip().casefold()).rstrip("/")


def _add(links: dict[str, Link], url: str, parts: tuple[Row, ...], score: float) -> None:
    network, username = _network(url)
    link = Link(url, parts, max(min(score, 0.99), 0.05), score >= _LIKELY_OWN, network, username)
    known = links.get(link_key(url))
    if known is None or (link.own and not known.own):
        links[link_key(url)] = link


# -- printed ------------------------------------------------------------------------------------------------------


def _in_row(
    document: Document, row: Row, *, marked: bool, zone: Zone, used: set[tuple[int, str]]
) -> Iterator[tuple[str, tuple[Row, ...], float]]:
    text = row.text
    if "." not in text and "://" not in text:
        return
    for found in islice(_START.finditer(text), _MOST):
        match = _LINK.match(text, found.start())
        if match is None or not match.group() or (row.index, match.group()) in used:
            continue
        start, end = match.start(), _end(text, match)
        if match["host"] is None:
            if not match["scheme"] and not match["www"]:
                continue
            end = start + len(match["scheme"] or match["www"]) + len(text[match.end() :].partition(" ")[0])
        part = clip(row, start, end)
        whole, parts = _whole(document, row, part, end, used)
        certainty = _certainty(match, whole, marked=marked, alone=_stands_alone(row, start, end), own=zone is Zone.OWN)
        if certainty > 0:
            yield whole, parts, certainty


def _end(text: str, match: re.Match[str]) -> int:
    end = match.end()
    while end > match.start() and text[end - 1] in ".:!?)]}»”’":
        if text[end - 1] == ")" and "(" in text[match.start() : end]:
            break
        end -= 1
    return end


def _whole(document: Document, row: Row, part: Row, end: int, used: set[tuple[int, str]]) -> tuple[str, tuple[Row, ...]]:
    """A link with its rest from the lines below, where the column broke it."""
    parts = [part]
    text = part.text
    at_end = end == len(row.text) or any(row.text[end:].strip().startswith(other.text) for other in segments(row)[1:])
    while at_end and len(parts) < 4:
        last = parts[-1]
        under = below(document, document.rows[last.index], last)
        if under is not None and text.endswith(_OPEN_ENDS) and (token := _WRAPPED.match(under.text)) is not None:
            under = clip(under, 0, token.end())
        if under is None or not _continues(document, text, last, under):
            break
        used.add((under.index, under.text))
        text += under.text
        parts.append(under)
    return re.sub(r"^(https?)\s?:\s?//", r"\1://", text, flags=re.IGNORECASE), tuple(parts)


def _continues(document: Document, text: str, last: Row, under: Row) -> bool:
    more = under.text
    open_end = text.endswith(_OPEN_ENDS)
    if not _MORE.match(more) or (_START.match(more) and not open_end):
        return False
    linked = {word.link for word in last.line.words if word.link}
    if linked and linked == {word.link for word in under.line.words}:
        return True
    if open_end or more[0] in "/-_.?=&%#":
        return fills_column(document, last, more) or text.endswith(("-", "//")) or more[0] == "/"
    # A lone word in small letters or with digits under a link that had no room left goes on with it; a word of its own does not.
    if any(char.isdigit() for char in more) or "/" in more or "/" in text.partition("//")[2]:
        return more == more.casefold() and fills_column(document, last, more)
    return False


def _certainty(match: re.Match[str], whole: str, *, marked: bool, alone: bool, own: bool) -> float:
    """How surely this is a link and not a file name, a technology or the end of one sentence and the next."""
    key = link_key(whole)
    host, slash, path = key.partition("/")
    last = host.rpartition(".")[2]
    known = last in phrases("tlds") or last.upper() in SUPPORTED_REGIONS
    if "." not in host or not known or "@" in whole:
        return 0.0
    if match["scheme"] or match["www"]:
        return 0.96
    if slash and path and (len(last) > 2 or host in _hosts() or "." in host.removesuffix("." + last) or marked or own):
        return 0.95 if host in _hosts() or marked or own else 0.85
    if host in _hosts() and not path:
        return 0.0
    plain = match["host"] == (match["host"] or "").casefold()
    return 0.9 if marked and alone else 0.82 if own and alone and plain else 0.0


def _stands_alone(row: Row, start: int, end: int) -> bool:
    """Whether the text stands between separators: ends of the line or segment, a label's colon, bars, dots, commas."""
    before, after = row.text[:start].rstrip(), row.text[end:].lstrip()
    edges = {part.text for part in segments(row)}
    left = not before or before[-1] in ":|•·,;/()[]–—" or not before[-1].isalnum() or any(before.endswith(text) for text in edges)
    right = not after or not after[0].isalnum() or any(after.startswith(text) for text in edges)
    return (left and right) or _among_contacts(before, after)


def _among_contacts(before: str, after: str) -> bool:
    """`+1 415 555 0164 jane@example.com jane.example`: between other data of the same kind."""
    left = before.rpartition(" ")[2]
    right = after.partition(" ")[0]
    return all(not text or any(char.isdigit() or char in "@./:" for char in text) for text in (left, right))


# -- targets ------------------------------------------------------------------------------------------------------


def _targets(row: Row) -> Iterator[tuple[str, Row]]:
    """Web targets of linked words that print no address themselves."""
    seen: set[str] = set()
    at = 0
    for word in row.line.words:
        start = row.text.find(word.text, at) if word.text.strip() else -1
        if start >= 0:
            at = start
        link = word.link
        if not link or link in seen or not re.match(r"https?://[^/\s]+\.[^/\s]+", link, re.IGNORECASE):
            continue
        seen.add(link)
        printed = "".join(other.text for other in row.line.words if other.link == link)
        if _START.search(printed) or start < 0:
            continue
        yield link, clip(row, start, start + len(word.text))


# -- networks -----------------------------------------------------------------------------------------------------


def _hosts() -> frozenset[str]:
    return frozenset(keys("networks"))


def _network(url: str) -> tuple[str | None, str | None]:
    """The network a link is on and the name the person has there, as far as the address shows it."""
    host, _, path = link_key(url).partition("/")
    parts = host.split(".")
    for start in range(len(parts) - 1):
        network = keys("networks").get(".".join(parts[start:]))
        if network is not None:
            # Case matters in a name; `link_key` folds it.
            steps = [step for step in re.sub(r"^https?://", "", url, flags=re.IGNORECASE).split("/")[1:] if step]
            name = re.split(r"[?#]", steps[-1])[0] if steps else ""
            return network, name if _HANDLE.match(name) and name.casefold() in path else None
    return None, None
