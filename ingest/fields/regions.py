"""Regions: which country a page speaks from, by its places, its numbers and its addresses. Decides how a phone number is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumber

from ingest.fields.document import Document, Row
from ingest.fields.labels import labelled
from ingest.fields.words import fold, keys
from ingest.fields.zone import Zone, zones

DEFAULT_REGIONS = {"en": "US", "zh": "CN", "ru": "RU"}
"""Where a page that says nothing else is from, by its language."""

_TOKENS = re.compile(r"[^\W\d_]+(?:[.'’-][^\W\d_]+)*")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]{2,12}")
_INTERNATIONAL = re.compile(r"(?:\+|\b00) ?\d[\d ().\u2010-\u2015-]{7,18}\d")
_ADDRESS_END = re.compile(r"@[\w.-]+\.([a-z]{2})\b")
_STATE = re.compile(r", ([A-Z]{2})\b")
# Postal codes with what tells their country: a letter, or the state in front.
_POSTCODES = (
    ("GB", re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b")),
    ("AU", re.compile(r"\b(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT),? \d{4}\b")),
    ("US", re.compile(r"\b[A-Z]{2},? \d{5}(?:-\d{4})?\b")),
    ("CA", re.compile(r"\b[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b")),
    ("NL", re.compile(r"\b[1-9]\d{3} [A-Z]{2}\b")),
    ("PL", re.compile(r"\b\d{2}-\d{3}\b")),
    ("BR", re.compile(r"\b\d{5}-\d{3}\b")),
    ("IE", re.compile(r"\b[AC-FHKNPRTV-Y]\d[\dW] [\dAC-FHKNPRTV-Y]{4}\b")),
    ("JP", re.compile(r"〒 ?\d{3}-\d{4}\b")),
)
_LENT = frozenset({"ai", "co", "io", "me", "tv", "cc", "ws", "im", "sh"})
"""Country domains that everybody uses."""
_MOST_WORDS = 40


def parse_number(text: str, region: str | None) -> PhoneNumber | None:
    """The phone number a text stands for in a region (None: it must have a country code); None where it is none."""
    try:
        return phonenumbers.parse(text, region)
    except NumberParseException:
        return None


def region_order(document: Document) -> list[str]:
    """ISO 3166 codes of the countries the page speaks from, likeliest first; the language's own is always among them."""
    votes: Counter[str] = Counter({DEFAULT_REGIONS[document.language]: 1})
    place = zones(document)
    spoken = {found.row.index for found in labelled(document) if found.key in ("city", "address", "nationality")}
    for row in document.rows:
        if place[row.index] is Zone.OWN or row.index in spoken:
            votes.update(_own_votes(row))
        elif place[row.index] is not Zone.REFERENCES:
            votes.update(_votes(row))
    return [region for region, _ in sorted(votes.items(), key=lambda item: (-item[1], item[0]))]


def _votes(row: Row) -> Counter[str]:
    """What any line says: names of countries, and numbers with a country code."""
    votes: Counter[str] = Counter()
    countries = keys("countries")
    for phrase in _phrases(row.text):
        if phrase in countries:
            votes[countries[phrase]] += 3
    for match in _INTERNATIONAL.finditer(row.text):
        number = parse_number("+" + re.sub(r"\D", "", match.group()).removeprefix("00"), None)
        spoken = phonenumbers.region_code_for_number(number) if number is not None else None
        if spoken is not None and spoken != "001":
            votes[spoken] += 2
    return votes


def _own_votes(row: Row) -> Counter[str]:
    """What a line about the person says besides: a city, a state after a comma, the end of an e-mail address."""
    votes = _votes(row)
    for region in votes:
        votes[region] *= 4
    cities, states = keys("cities"), keys("states")
    for phrase in _phrases(row.text):
        if phrase in cities:
            votes[cities[phrase]] += 8
    for state in _STATE.finditer(row.text):
        if fold(state[1]) in states:
            votes[states[fold(state[1])]] += 8
    for region, pattern in _POSTCODES:
        if pattern.search(row.text):
            votes[region] += 6
    for end in _ADDRESS_END.finditer(row.text.casefold()):
        region = "GB" if end[1] == "uk" else end[1].upper()
        if end[1] not in _LENT and region in phonenumbers.SUPPORTED_REGIONS:
            votes[region] += 4
    return votes


def _phrases(text: str) -> Iterator[str]:
    """Runs of one to three words, folded, and the runs of Chinese characters that may begin with a place."""
    words = [fold(match.group()) for match in _TOKENS.finditer(text)][:_MOST_WORDS]
    for length in (1, 2, 3):
        yield from (" ".join(words[at : at + length]) for at in range(len(words) - length + 1))
    for match in _HAN_RUN.finditer(text):
        run = match.group().removesuffix("市")
        yield run
        if len(run) > 2:
            yield run[:2]
