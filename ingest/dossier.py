"""The dossier: everything known of one resume in one run, as it travels from stage to stage.

A stage takes a dossier and returns a new one. Where it is kept between stages is not its business: the workers keep it
in the database (`ingest.runner`), `manage.py parse` and the tests in memory (`ingest.inline`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.failures import Failure
from ingest.page import TextQuality
from ingest.quality import Quality
from ingest.readers import ReadLimits
from resumes.intake import Admitted
from resumes.profile import Language


@dataclass(frozen=True, slots=True)
class MemberFile:
    """A document found in an archive, lying in a scratch folder."""

    name: str
    path: Path | None
    """None where the entry alone cannot be used; then `failure_code` says why."""
    failure_code: str = ""
    admitted: Admitted | None = None
    """Set once the member has passed the door."""
    warnings: tuple[str, ...] = ()
    """What its container tells of it."""


@dataclass(frozen=True, slots=True)
class Locked:
    """What people have set in earlier runs."""

    paths: tuple[str, ...]
    profile: Mapping[str, Any]
    evidence: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Dossier:
    """One resume in one run."""

    media_type: str
    path: Path | None
    """A local copy of the original; None for stages that do not need it."""
    filename: str
    as_of: dt.date
    """The day that "present" means: the day of receipt, or what the caller says."""
    reading: Mapping[str, Any] | None = None
    """The page model as `ingest.page.to_data` writes it."""
    draft: Mapping[str, Any] | None = None
    """Profile, evidence and alternatives as `ingest.sandbox.drafts` writes them."""
    quality: Quality | None = None
    summary: str = ""
    summary_source: str = "rules"
    """Who put the summary together: `rules` or `model`."""
    members: tuple[MemberFile, ...] = ()
    route: tuple[str, ...] = ()
    """The reading stages that have run, in order."""
    channels: tuple[str, ...] = ()
    """OCR channels entered in this run."""
    as_pictures: bool = False
    """A person has asked that its pages be read from their pictures, whatever text the file holds."""
    setback: Failure | None = None
    """The failure that made a better level give way; named where the resume ends in review."""
    warnings: tuple[str, ...] = ()
    locked: Locked | None = None
    """What people have set in earlier runs; None in the first one."""
    alone: bool = False
    """In quarantine: workers have died on it, so it runs in sandboxes of its own."""

    @property
    def language(self) -> Language | None:
        return self.draft["language"] if self.draft else None

    @property
    def page_qualities(self) -> Mapping[int, TextQuality]:
        """Quality of each page's text by page number."""
        pages = self.reading["pages"] if self.reading else ()
        return {page["n"]: TextQuality(page["q"]) for page in pages}

    @property
    def unread_pages(self) -> tuple[int, ...]:
        """Pages whose text is not to be relied on."""
        return tuple(number for number, quality in self.page_qualities.items() if quality.wants_ocr)

    @property
    def picture_pages(self) -> tuple[int, ...]:
        """Pages on which a picture large enough to carry text stands."""
        pages = self.reading["pages"] if self.reading else ()
        return tuple(page["n"] for page in pages if any(share >= 0.1 for _, _, share in page["p"]))

    @property
    def has_text(self) -> bool:
        pages = self.reading["pages"] if self.reading else ()
        return any(line["w"] for page in pages for line in page["l"])

    def with_warnings(self, *codes: str) -> tuple[str, ...]:
        """The warnings with these added once."""
        return tuple(dict.fromkeys((*self.warnings, *codes)))


MODEL_CHANNELS = ("model", "model_backup")
"""The language models in the order in which they are asked."""


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """An OpenAI-compatible server."""

    base_url: str
    api_key: str
    model: str
    channel: str = MODEL_CHANNELS[0]
    """Its breaker and switch."""
    local: bool = False
    """Of this machine or its own network: nothing sent to it leaves the house."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the installation has decided, the same for every resume of a run."""

    limits: ReadLimits = field(default_factory=ReadLimits)
    ocr_channels: tuple[str, ...] = ()
    models: tuple[ModelEndpoint, ...] = ()
    """In the order in which they are asked."""
    model_parallel: int = 1
    """Questions a model is asked at the same time about one document; more than one parts a question by sections."""
    model_window: int = 24_000
    """Characters of a document in one question."""
    model_off: bool = False
    """A model is configured and off, switched or its budget spent: what passes relies on the rules."""
    mask_contact: bool = True
    """Addresses and phone numbers are replaced before the text is sent to a model outside the house."""
    summary_language: str = ""
    """In which a model writes summaries; empty for the resume's own."""
    threshold: float = 0.6
    """Least completeness that counts as parsed."""
    protected: bool = False

    def model(self, channel: str) -> ModelEndpoint | None:
        """The model of a channel; the first one where no channel is named."""
        return next((endpoint for endpoint in self.models if channel in ("", endpoint.channel)), None)
