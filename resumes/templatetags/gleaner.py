"""The bar of places on top of every page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext as _

from resumes.roles import Act, may

register = template.Library()


@dataclass(frozen=True, slots=True)
class Place:
    text: str
    url: str
    here: bool


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
