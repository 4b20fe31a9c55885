"""Keeping the matches between candidates and open vacancies up to date, in sets and not pair by pair."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.utils import timezone

from resumes.matching import Offered, Wanted, fit
from resumes.models import Candidate, Match, Vacancy

_CHUNK = 500


def match_candidate(candidate_id: uuid.UUID) -> int:
    """Score one candidate against every open vacancy; how many there are."""
    candidate = Candidate.objects.get(pk=candidate_id)
    offered = _offered(candidate)
    return _save(
        Match(vacancy=vacancy, candidate=candidate, score=(found := fit(_wanted(vacancy), offered)).score, reasons=found.reasons)
        for vacancy in Vacancy.objects.filter(open=True)
    )


def match_vacancy(vacancy_id: uuid.UUID) -> int:
    """Score every candidate against one vacancy; how many there are. Touches no parsing."""
    vacancy = Vacancy.objects.get(pk=vacancy_id)
    wanted = _wanted(vacancy)
    return _save(
        Match(
            vacancy=vacancy, candidate=candidate, score=(found := fit(wanted, _offered(candidate))).score, reasons=found.reasons
        )
        for candidate in Candidate.objects.iterator(_CHUNK)
    )


def _save(matches: Iterable[Match]) -> int:
    now, rows = timezone.now(), list(matches)
    for row in rows:
        row.updated_at = now
    Match.objects.bulk_create(
        rows,
        batch_size=_CHUNK,
        update_conflicts=True,
        unique_fields=["vacancy", "candidate"],
        update_fields=["score", "reasons", "updated_at"],
    )
    return len(rows)


def _wanted(vacancy: Vacancy) -> Wanted:
    return Wanted(vacancy.title, tuple(vacancy.skills), vacancy.city, vacancy.min_years)


def _offered(candidate: Candidate) -> Offered:
    return Offered(label=candidate.label, skills=tuple(candidate.skills), city=candidate.city, years=candidate.years)
