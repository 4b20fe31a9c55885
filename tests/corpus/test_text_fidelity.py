"""What stands on the page stands in the extracted text: whole, and within its own column or cell."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.page import Reading
from ingest.readers import CONTAINERS
from ingest.sandbox.pool import sandbox_for
from resumes.sniff import sniff
from tests.corpus import shelf

LEAST = 0.99
PIXELS = frozenset(
    ("scan_200dpi", "scan_150dpi_poor", "phone_photo", "screenshot", "multipage_tiff", "mixed_text_scan", "garbled_text_layer")
) | {"wrong_ocr_layer"}  # fmt: skip
"""Degradations whose text has to be read from pixels."""


@dataclass(frozen=True)
class Found:
    """One value of the truth: whether it stands in the text, and whether all of it within one column or cell."""

    format: str
    layout: str
    kind: str
    value: str
    file: str
    whole: bool
    in_column: bool


class Page:
    """A reading as one normalised string that knows for each character which place it came from."""

    def __init__(self, reading: Reading) -> None:
        parts: list[str] = []
        self._places: list[tuple[object, int]] = []
        for page in reading.pages:
            for number, line in enumerate(page.lines):
                text = shelf.normalised(line.text)
                parts.append(text)
                self._places += [((page.number, line.block, line.cell), number)] * len(text)
        self.text = "".join(parts)

    def find(self, value: str) -> tuple[bool, bool]:
        """Whether the value stands in the text, and whether it does so within neighbouring lines of one column."""
        whole = False
        for match in re.finditer(f"(?={re.escape(value)})", self.text):
            whole = True
            places = self._places[match.start() : match.start() + len(value)]
            if len({place for place, _ in places}) == 1 and places[-1][1] - places[0][1] <= 3:
                return True, True
        return whole, False


def expected(truth: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Kind and normalised value of all that has to stand in the text."""
    basics = truth["basics"]
    for kind in ("name", "email"):
        if basics.get(kind):
            yield kind, shelf.normalised(basics[kind])
    if basics.get("phone"):
        yield "phone", re.sub(r"\D", "", basics["phone"])[-8:]
    for kind, entries, key in (
        ("employer", "work", "name"),
        ("position", "work", "position"),
        ("institution", "education", "institution"),
        ("skill", "skills", "name"),
    ):
        for entry in truth.get(entries, ()):
            if entry.get(key):
                yield kind, shelf.normalised(entry[key])


def check(path: Path) -> list[Found]:
    truths = json.loads((shelf.BENCH / "truth" / f"{path.name}.json").read_text(encoding="utf-8"))
    truths = truths if isinstance(truths, list) else [truths]
    media_type = sniff(path, path.name).media_type
    if media_type not in CONTAINERS:
        return _compared(truths[0], shelf.read(path, media_type))
    found = []
    with sandbox_for("reader").folder() as folder:
        inner = {Path(member["name"]).name: Path(member["path"]) for member in shelf.members(path, media_type, folder)}
        for truth in truths:
            document = inner[truth["file"]] if len(truths) > 1 else next(iter(inner.values()))
            found += _compared(truth, shelf.read(document, sniff(document).media_type))
    return found


def _compared(truth: dict[str, Any], reading: Reading) -> list[Found]:
    if truth["degradation"] in PIXELS:
        return []
    page = Page(reading)
    return [
        Found(truth["format"], truth["layout"], kind, value, truth["file"], *page.find(value)) for kind, value in expected(truth)
    ]


@shelf.needs(shelf.BENCH)
def test_what_stands_on_the_page_stands_in_the_text_within_its_column():
    files = sorted(path for path in (shelf.BENCH / "files").iterdir() if path.suffix not in (".jpg", ".png", ".tiff"))
    found = [one for result in shelf.in_parallel(check, files) for one in result]
    groups: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for one in found:
        groups[one.format, one.layout].append(one)
    print(f"\n{'format':<8}{'layout':<22}{'values':>7}{'whole':>8}{'in its column':>15}")
    for (kind, layout), ones in sorted(groups.items()):
        print(f"{kind:<8}{layout:<22}{len(ones):>7}{_share(ones, 'whole'):>8.4f}{_share(ones, 'in_column'):>15.4f}")
    for one in found:
        if not one.in_column:
            print(f"{one.file} {one.kind}: {one.value} {'split' if one.whole else 'missing'}")
    print(f"all {len(found)}: {_share(found, 'whole'):.4f}, in its column {_share(found, 'in_column'):.4f}")
    poor = {group: _share(ones, "in_column") for group, ones in groups.items() if _share(ones, "in_column") < LEAST}
    assert len(found) > 1000
    assert not poor


def _share(ones: list[Found], what: str) -> float:
    return sum(getattr(one, what) for one in ones) / len(ones)
