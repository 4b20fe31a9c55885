"""OCR: the pages whose text cannot be relied on are read from their pictures, one page a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from ingest.dossier import Dossier
from ingest.ocr import engine
from ingest.ocr.plan import MAX_PAGES, expected_scripts, has_more, pages_to_read, worth_note
from ingest.page import TextQuality
from ingest.stages import Part, Stage, Tools
from resumes.states import State
from resumes.taxonomy import ResumeError

MAX_MISSES = 2
"""Pages in a row that a channel may fail on before the rest is left to the next: each may cost a whole deadline."""
_MENDS = frozenset({TextQuality.SPARSE})
"""Text that is right as far as it goes: what is read from the picture is added to it."""


def run(dossier: Dossier, tools: Tools) -> Dossier:
    """Read page by page; a page keeps the better of its text layer and its picture, and every page read is kept at once.

    A page that cannot be read in time or at all keeps what it had; the stage fails only where no page came out.
    """
    if dossier.reading is None:
        raise ResumeError("no_text_layer", "nothing to take pages from")
    reading: Mapping[str, Any] = dossier.reading
    wanted = pages_to_read(reading, tools.channel) if dossier.unread_pages else _pictures(dossier, tools.channel)
    read, misses, failure = 0, 0, None
    for number in wanted:
        try:
            page = _read_page(dossier, reading, tools, number)
        except ResumeError as exc:
            failure, misses = failure or _on_page(number, exc), misses + 1
            if misses == MAX_MISSES:
                break
            continue
        pages = [better(old, page) if old["n"] == number else old for old in reading["pages"]]
        reading = {**reading, "pages": pages}
        read, misses = read + 1, 0
        tools.keep(reading, read, len(wanted))
    if failure is not None and not read:
        raise failure
    warnings = ["ocr_pages_left_out"] if has_more(reading) else []
    warnings += [f"no_engine_{script}" for script in _unreadable(reading, tools.options.ocr_channels)]
    # What gave way before has been made up for once every page is read.
    setback = dossier.setback if pages_to_read(reading) else None
    return replace(dossier, reading=reading, warnings=dossier.with_warnings(*warnings), setback=setback)


def _pictures(dossier: Dossier, channel: str) -> tuple[int, ...]:
    """Pages with good text and pictures that may hold more, without those that the channel has read."""
    pages = dossier.reading["pages"] if dossier.reading else ()
    done = {page["n"] for page in pages if worth_note(channel) in page["notes"]}
    return tuple(number for number in dossier.picture_pages if number not in done)[:MAX_PAGES]


def _unreadable(reading: Mapping[str, Any], channels: tuple[str, ...]) -> list[str]:
    """Scripts of pages that are still unread which no engine reads here."""
    if not pages_to_read(reading):
        return []
    abilities = [engine(channel).ability() for channel in channels]
    readable = {script for ability in abilities if ability.available for script in ability.scripts}
    return sorted(script.value for script in expected_scripts(reading) - readable)


def _read_page(dossier: Dossier, reading: Mapping[str, Any], tools: Tools, number: int) -> dict[str, Any]:
    ability = engine(tools.channel).ability()
    request = {
        "path": str(dossier.path),
        "media_type": dossier.media_type,
        "pages": [number],
        "channel": tools.channel,
        "scripts": sorted(expected_scripts(reading)),
        "layers": [page for page in reading["pages"] if page["n"] == number and TextQuality(page["q"]) in _MENDS],
        "limits": asdict(tools.options.limits),
    }
    with tools.through(tools.channel, ability.seconds_per_page or None):
        pages = tools.call("ocr", "ocr_pages", request, deadline_s=ability.deadline_s)["pages"]
    notes = {**pages[0]["notes"], worth_note(tools.channel): pages[0]["notes"].get("worth", 0.0)}
    return {**pages[0], "notes": notes}


def _on_page(number: int, error: ResumeError) -> ResumeError:
    """The failure with the page it is about."""
    detail = f"page {number}: {error.detail}" if error.detail else f"page {number}"
    return ResumeError(error.code, detail, retry_after_s=error.retry_after_s, channel=error.channel)


def better(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The page to keep: what was read from the picture, unless a usable text layer says more.

    A reading that is not believable replaces nothing but an even worse one; its text stays for the reviewer.
    """
    old, new = TextQuality(before["q"]), TextQuality(after["q"])
    letters_before, letters_after = _letters(before), _letters(after)
    notes = {**before["notes"], **after["notes"]}
    worse = new.wants_ocr and letters_before > letters_after
    if worse or (old is TextQuality.GOOD and letters_before > 1.2 * letters_after):
        return {**before, "notes": {**after["notes"], **before["notes"]}}
    width, height = before["w"], before["h"]
    if after["notes"].get("turned") in (90, 270):
        width, height = height, width  # the boxes are those of the page as it was turned upright
    return {**after, "p": before["p"], "hid": before["hid"], "w": width, "h": height, "notes": notes}


def _letters(page: dict[str, Any]) -> int:
    return sum(len(word[0]) for line in page["l"] for word in line["w"])


STAGE = Stage(
    name="ocr",
    queue="ocr",
    run=run,
    state=State.OCR_PROCESSING,
    needs=frozenset({Part.FILE, Part.READING}),
    gives=frozenset({Part.READING}),
    deadline_s=30.0 * MAX_PAGES,
)
