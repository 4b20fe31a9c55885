"""The checks in the order people read them."""

from __future__ import annotations

from ingest.doctor import Check, choices, fonts, ground, reading, services

CHECKS: tuple[Check, ...] = (
    ground.python,
    ground.disk,
    ground.private_files,
    ground.database,
    ground.storage,
    services.message_broker,
    services.processes,
    services.language_model,
    reading.sandbox,
    reading.ocr,
    fonts.fonts,
    choices.contradictions,
    choices.django_checks,
)
