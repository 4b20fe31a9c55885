"""What the installation has decided: the settings, and what operators have switched off meanwhile."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from ingest import switches
from ingest.dossier import ModelEndpoint, Options
from ingest.readers import ReadLimits


def configured_options(*, model: bool = True) -> Options:
    """The settings as options; without `model` the language model is left out even where one is configured. Needs no database."""
    endpoint = None
    if model and settings.LLM_BASE_URL:
        endpoint = ModelEndpoint(settings.LLM_BASE_URL, settings.LLM_API_KEY, settings.LLM_MODEL)
    return Options(
        limits=ReadLimits(max_pages=settings.GLEANER_MAX_PAGES),
        ocr_channels=tuple(settings.OCR_CHANNELS),
        model=endpoint,
        threshold=settings.GLEANER_QUALITY_THRESHOLD,
        protected=settings.GLEANER_PROTECTED_ATTRIBUTES,
    )


def current_options() -> Options:
    """The options in force for the workers: what is switched off is left out."""
    options = configured_options()
    model_off = options.model is not None and (switches.is_off("structure") or switches.is_off(switches.MODEL))
    return replace(
        options,
        ocr_channels=() if switches.is_off("ocr") else options.ocr_channels,
        model=None if model_off else options.model,
        model_off=model_off,
    )
