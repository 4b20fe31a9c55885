"""What the installation has decided, read from the settings once for each resume that is taken up."""

from __future__ import annotations

from django.conf import settings

from ingest.dossier import ModelEndpoint, Options
from ingest.readers import ReadLimits


def current_options(*, model: bool = True) -> Options:
    """The options in force; without `model` the language model is left out even where one is configured."""
    endpoint = (
        ModelEndpoint(settings.LLM_BASE_URL, settings.LLM_API_KEY, settings.LLM_MODEL)
        if model and settings.LLM_BASE_URL
        else None
    )
    return Options(
        limits=ReadLimits(max_pages=settings.GLEANER_MAX_PAGES),
        ocr_channels=tuple(settings.OCR_CHANNELS),
        model=endpoint,
        threshold=settings.GLEANER_QUALITY_THRESHOLD,
        protected=settings.GLEANER_PROTECTED_ATTRIBUTES,
    )
