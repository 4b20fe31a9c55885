"""The bar of places on top of every page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _

from resumes.models import Resume
from resumes.roles import Act, may, visible
from resumes.states import ACTIVE, State

register = template.Library()


@dataclass(frozen=True, slots=True)
class Place:
    text: str
    url: str
    here: bool


@dataclass(frozen=True, slots=True)
class Figure:
    text: str
    number: int
    url: str
    kind: str


@register.simple_tag(takes_context=True)
def overview(context: dict[str, Any]) -> list[Figure]:
    """How many resumes the reader may see are where."""
    user = context["request"].user
    if not may(user, Act.READ_RESUMES):
        return []
    rows = visible(user, Resume.objects.order_by()).values_list("state").annotate(number=Count("pk"))
    counts = dict(rows)
    groups: tuple[tuple[str, tuple[State, ...], str], ...] = (
        (_("on their way"), tuple(sorted(ACTIVE)), "busy"),
        (_("wait for a person"), (State.REVIEW_NEEDED,), "wait"),
        (_("wait for an operator"), (State.DEAD_LETTER,), "bad"),
        (_("parsed"), (State.COMPLETED,), "good"),
        (_("completed by a person"), (State.REVIEWED,), "good"),
        (_("refused"), (State.REJECTED,), ""),
        (_("left out"), (State.SKIPPED,), ""),
    )
    base = reverse("admin:resumes_resume_changelist")
    return [
        Figure(text, sum(counts.get(state, 0) for state in states), f"{base}?state__in={','.join(states)}", kind)
        for text, states, kind in groups
    ]


@register.simple_tag(takes_context=True)
def places(context: dict[str, Any]) -> list[Place]:
    """The places the reader's role leads to. They are named by address, so that the records need not know the other apps."""
    request = context["request"]
    wanted = (
        (Act.REVIEW, _("Review"), "admin:review_case_changelist"),
        (Act.READ_BATCHES, _("Batches"), "admin:ingest_batch_changelist"),
        (Act.READ_RESUMES, _("Resumes"), "admin:resumes_resume_changelist"),
        (Act.POOL, _("Candidates"), "admin:resumes_candidate_changelist"),
        (Act.POOL, _("Vacancies"), "admin:resumes_vacancy_changelist"),
        (Act.OPERATE, _("Operations"), "admin:ingest_heartbeat_changelist"),
    )
    return [
        Place(text, url := reverse(name), request.path.startswith(url)) for act, text, name in wanted if may(request.user, act)
    ]
