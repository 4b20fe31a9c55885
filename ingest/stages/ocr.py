"""OCR: the pages whose text cannot be relied on are read from their pictures, one page a call."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from ingest.dossier import Dossier
from ingest.page import TextQuality
from ingest.stages import Part, Stage, Tools
from resumes.states import State
from resumes.taxonomy import ResumeError

PAGE_DEADLINE_S = 30.0
MAX_PAGES = 20
"""Nobody's resume has more; the rest of a longer scan is left to the reviewer and said so."""


def run(dossier: Dossier, tools: Tools) -> Dossier:
    """Read page by page; a page keeps the better of its text layer and its picture.

    A page that cannot be read in time or at all keeps what it had; the stage fails only where no page came out.
    """
    if dossier.reading is None:
        raise ResumeError("no_text_layer", "nothing to take pages from")
    wanted = dossier.unread_pages or dossier.picture_pages
    pages = {page["n"]: page for page in dossier.reading["pages"]}
    scripts: list[str] = []
    read, failure = 0, None
    for number in wanted[:MAX_PAGES]:
        try:
            answer = _read_page(dossier, tools, number, scripts)
        except ResumeError as exc:
            failure = failure or exc
            continue
        scripts = answer["scripts"]
        pages[number] = better(pages[number], answer["pages"][0])
        read += 1
    if failure is not None and not read:
        raise failure
    warnings = ("ocr_pages_left_out",) if len(wanted) > MAX_PAGES else ()
    reading = {**dossier.reading, "pages": [pages[number] for number in sorted(pages)]}
    return replace(dossier, reading=reading, warnings=dossier.with_warnings(*warnings))


def _read_page(dossier: Dossier, tools: Tools, number: int, scripts: list[str]) -> Any:
    request = {
        "path": str(dossier.path),
        "media_type": dossier.media_type,
        "pages": [number],
        "channel": tools.channel,
        "scripts": scripts,
        "limits": asdict(tools.options.limits),
    }
    with tools.through(tools.channel):
        return tools.call("ocr", "ocr_pages", request, deadline_s=PAGE_DEADLINE_S)


def better(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The page to keep: what was read from the picture, unless a usable text layer says more.

    A reading that is not believable replaces nothing but an even worse one; its text stays for the reviewer.
    """
    old, new = TextQuality(before["q"]), TextQuality(after["q"])
    letters_before, letters_after = _letters(before), _letters(after)
    if new.wants_ocr and letters_before > letters_after:
        return before
    if old is TextQuality.GOOD and letters_before > 1.2 * letters_after:
        return before
    width, height = before["w"], before["h"]
    if after["notes"].get("turned") in (90, 270):
        width, height = height, width  # the boxes are those of the page as it was turned upright
    return {**after, "p": before["p"], "hid": before["hid"], "w": width, "h": height}


def _letters(page: dict[str, Any]) -> int:
    return sum(len(word[0]) for line in page["l"] for word in line["w"])


STAGE = Stage(
    name="ocr",
    queue="ocr",
    run=run,
    state=State.OCR_PROCESSING,
    needs=frozenset({Part.FILE, Part.READING}),
    gives=frozenset({Part.READING}),
    deadline_s=PAGE_DEADLINE_S * MAX_PAGES,
)
