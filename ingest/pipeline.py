"""The pipeline: its stages in order. This tuple is all there is to it; where a resume goes next is `ingest.routing`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ingest.stages import Stage, extract, finish, match, narrate, ocr, rules, structure, summarise

PIPELINE: tuple[Stage, ...] = (
    extract.STAGE,
    ocr.STAGE,
    rules.STAGE,
    structure.STAGE,
    finish.STAGE,
    summarise.STAGE,
    match.STAGE,
    narrate.STAGE,
)

STAGES: Mapping[str, Stage] = MappingProxyType({stage.name: stage for stage in PIPELINE})
AFTER_SETTLING = summarise.STAGE.name
"""The first of the stages that follow a settled resume."""
