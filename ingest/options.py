"""What the installation has decided: the settings, and what operators have switched off or what is spent meanwhile."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from ingest import spending, switches
from ingest.dossier import MODEL_CHANNELS, ModelEndpoint, Options
from ingest.llm.address import is_local
from ingest.models import BatchEntry
from ingest.readers import ReadLimits
from resumes.models import Resume


def configured_models() -> tuple[ModelEndpoint, ...]:
    """The language models of the settings in their order; in an installation that keeps to itself only those in the house."""
    first, backup = MODEL_CHANNELS
    told = (
        (first, settings.LLM_BASE_URL, settings.LLM_API_KEY, settings.LLM_MODEL),
        (backup, settings.LLM_BACKUP_BASE_URL, settings.LLM_BACKUP_API_KEY, settings.LLM_BACKUP_MODEL),
    )
    endpoints = (ModelEndpoint(url, key, model, channel, is_local(url)) for channel, url, key, model in told if url)
    return tuple(endpoint for endpoint in endpoints if endpoint.local or not settings.LLM_LOCAL_ONLY)


def configured_channels() -> tuple[str, ...]:
    """Every channel calls are made by: OCR engines, language models, the file store. Each has a breaker."""
    return (*settings.OCR_CHANNELS, *(endpoint.channel for endpoint in configured_models()), switches.STORAGE)


def configured_options(*, model: bool = True) -> Options:
    """The settings as options; without `model` the language model is left out even where one is configured. Needs no database."""
    return Options(
        limits=ReadLimits(max_pages=settings.GLEANER_MAX_PAGES),
        ocr_channels=tuple(settings.OCR_CHANNELS),
        models=configured_models() if model else (),
        model_parallel=settings.LLM_PARALLEL,
        model_window=settings.LLM_WINDOW_CHARACTERS,
        mask_contact=not settings.LLM_SEND_CONTACT,
        summary_language=settings.LLM_SUMMARY_LANGUAGE,
        threshold=settings.GLEANER_QUALITY_THRESHOLD,
        protected=settings.GLEANER_PROTECTED_ATTRIBUTES,
    )


def current_options(resume: Resume | None = None) -> Options:
    """The options in force for the workers: what is switched off, spent, or not wanted for this resume is left out."""
    options = configured_options()
    if resume is not None and options.models and not _may_be_shown(resume):
        options = replace(options, models=())
    models = tuple(endpoint for endpoint in options.models if not switches.is_off(endpoint.channel))
    if models and (switches.is_off("structure") or spending.is_spent()):
        models = ()
    return replace(
        options,
        ocr_channels=() if switches.is_off("ocr") else options.ocr_channels,
        models=models,
        model_off=bool(options.models) and not models,
    )


def _may_be_shown(resume: Resume) -> bool:
    """Whether no batch the resume belongs to keeps its resumes from language models."""
    return not BatchEntry.objects.filter(resume=resume, batch__use_model=False).exists()
