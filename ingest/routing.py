"""Where a resume goes next: after a stage that worked, and after one that failed.

Pure: a dossier in, a step out. The workers and `manage.py parse` follow the same answers. What may follow a failure is the
table's to say (`ingest.route_table`). A stage and channel is entered once per run (retries aside), so no route can loop.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from ingest.dossier import Dossier, Options
from ingest.failures import Failure
from ingest.ocr.channels import channels_for
from ingest.ocr.plan import expected_scripts, pages_to_read
from ingest.page import CUT_OFF, TextQuality
from ingest.readers import can_render
from ingest.route_table import Table


@dataclass(frozen=True, slots=True)
class Go:
    """On to a stage, by a channel where it has several."""

    stage: str
    channel: str = ""
    fallback: bool = False
    """A better level failed, is off or is open: the rules' result is relied on."""


@dataclass(frozen=True, slots=True)
class Again:
    """The same stage and channel once more after a while."""

    delay_s: float
    alone: bool = False
    """In quarantine from now on."""


@dataclass(frozen=True, slots=True)
class Park:
    """The same stage and channel once more when the dependency answers again."""

    dependency: str


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The document was an archive: its members go on in its place."""


@dataclass(frozen=True, slots=True)
class Complete:
    """Parsed; `level` is what made it so: text, ocr, rules or model."""

    level: str


@dataclass(frozen=True, slots=True)
class Review:
    """To a person, with everything found."""

    code: str


@dataclass(frozen=True, slots=True)
class Reject:
    """Refused by rule: nobody can read this file."""

    code: str


@dataclass(frozen=True, slots=True)
class Dead:
    """To an operator."""

    code: str
    detail: str = ""
    """What is known of the end: where, how much memory, which page. No personal data."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing more to do (the end of what follows a settled resume)."""


Step = Go | Again | Park | Unpacked | Complete | Review | Reject | Dead | Rest


def after(stage: str, dossier: Dossier, options: Options) -> Step:
    """The step after `stage` has done its work."""
    match stage:
        case "extract":
            if dossier.members:
                return Unpacked()
            return _read_pictures(dossier, options, pages_to_read(dossier.reading)) or Go("rules")
        case "ocr":
            fallback = bool(dossier.unread_pages)
            return _read_pictures(dossier, options, pages_to_read(dossier.reading)) or Go("rules", fallback=fallback)
        case "rules":
            if not _enough(dossier) and "ocr" not in dossier.route:
                step = _read_pictures(dossier, options, dossier.picture_pages)
                if step:
                    return step
            return _ask_model(dossier, options) or Go("finish", fallback=options.model_off)
        case "structure":
            return Go("finish")
        case "finish":
            return _verdict(dossier)
        case "summarise":
            return Go("match")
        case "match":
            return Go("narrate", options.models[0].channel) if options.models else Rest()
        case "narrate":
            return Rest()
    raise ValueError(f"Unknown stage {stage!r}.")


def on_failure(
    stage: str, failure: Failure, dossier: Dossier, options: Options, *, tries: int, table: Table, chance: random.Random
) -> Step:
    """The step after the `tries`-th try of `stage` failed: the first action of the table that is possible here."""
    for action in table.actions_for(stage, failure.code, dossier):
        step = _later(action, failure, dossier, tries, table, chance) or _step(action, stage, failure, dossier, options)
        if step is not None:
            return step
    raise LookupError(f"No way on for {failure.code} in {stage}: the table was not checked.")


def _later(
    action: str, failure: Failure, dossier: Dossier, tries: int, table: Table, chance: random.Random
) -> Again | Park | None:
    """The actions that come back to the same stage and channel; None where that is not possible."""
    delay_s = None
    match action:
        case "retry" if not (dossier.alone and failure.code == "worker_lost"):  # it has had its try alone
            delay_s = table.retry.delay_s(failure, tries, chance)
        case "quarantine" if not dossier.alone:
            delay_s = table.retry.quarantine_s(tries, chance)
        case "park" if failure.outage:
            return Park(failure.channel)
    return Again(delay_s, alone=action == "quarantine") if delay_s is not None else None


def out_of_time(stage: str) -> Step:
    """The step where the resume's time is spent before `stage`: a person, but behind a model the rules' result waits."""
    return Go("finish", fallback=True) if stage == "structure" else Review("timeout")


def _step(action: str, stage: str, failure: Failure, dossier: Dossier, options: Options) -> Step | None:
    """What an action that leads on comes to for this resume; None where it is not possible."""
    match action:
        case "retry" | "quarantine" | "park":
            return None
        case "other_channel" if stage in ("structure", "narrate"):
            return _ask_next_model(stage, failure, options)
        case "other_channel":
            return _read_pictures(dossier, options, pages_to_read(dossier.reading))
        case "go:ocr":
            return None if "ocr" in dossier.route else _read_pictures(dossier, options, pages_to_read(dossier.reading))
        case "go:structure":
            return _ask_model(dossier, options)
        case "go:rules" | "go:finish":
            return Go(action.removeprefix("go:"), fallback=True)
        case "reject":
            return Reject(failure.code)
        case "dead_letter":
            return Dead(failure.code, failure.detail)
        case "rest":
            return Rest()
        case "review":
            return Review(failure.code)
    raise ValueError(f"Unknown action {action!r}.")


def _read_pictures(dossier: Dossier, options: Options, pages: tuple[int, ...]) -> Go | None:
    """OCR by the next channel not yet entered, where there are pages to read and a way to render them."""
    if not pages or not can_render(dossier.media_type):
        return None
    channels = channels_for(expected_scripts(dossier.reading), options.ocr_channels)
    remaining = [name for name in channels if name not in dossier.channels]
    return Go("ocr", remaining[0]) if remaining else None


def _ask_model(dossier: Dossier, options: Options) -> Go | None:
    """The first model, where there is text to show it."""
    if not options.models or not dossier.has_text or "structure" in dossier.route:
        return None
    return Go("structure", options.models[0].channel)


def _ask_next_model(stage: str, failure: Failure, options: Options) -> Go | None:
    """The model behind the one that failed. Each stands in the list once, so this comes to an end."""
    channels = [endpoint.channel for endpoint in options.models]
    behind = channels[channels.index(failure.channel) + 1 :] if failure.channel in channels else []
    return Go(stage, behind[0]) if behind else None


def _enough(dossier: Dossier) -> bool:
    return dossier.quality is not None and dossier.quality.passed


def _verdict(dossier: Dossier) -> Step:
    quality = dossier.quality
    if CUT_OFF in dossier.warnings:
        return Review("corrupt")  # what was rescued may look complete; nobody knows what the missing part said
    if quality is not None and quality.passed and not _mostly_unread(dossier):
        return Complete(level_of(dossier))
    return Review(review_code(dossier))


def level_of(dossier: Dossier) -> str:
    """What completed the resume: the costliest level that took part, or the rules where a better one gave way."""
    if dossier.setback is not None:
        return "rules"
    for stage, level in (("structure", "model"), ("ocr", "ocr")):
        if stage in dossier.route:
            return level
    return "text"


def review_code(dossier: Dossier) -> str:
    """Why a person must look, as precisely as the pages tell."""
    qualities = set(dossier.page_qualities.values())
    if qualities and qualities <= {TextQuality.BLANK}:
        return "blank_document"
    if not dossier.has_text:
        if "ocr" in dossier.route:
            return "ocr_low_confidence" if dossier.setback is None else "no_text_layer"
        return "garbled_text" if TextQuality.GARBLED in qualities else "no_text_layer"
    if _mostly_unread(dossier):
        return "ocr_low_confidence" if "ocr" in dossier.route else "garbled_text"
    return (dossier.quality.code if dossier.quality else "") or "low_completeness"


def _mostly_unread(dossier: Dossier) -> bool:
    """Whether at least half of the pages that show anything could not be read reliably."""
    shown = [quality for quality in dossier.page_qualities.values() if quality is not TextQuality.BLANK]
    return bool(shown) and len(dossier.unread_pages) * 2 >= len(shown)
