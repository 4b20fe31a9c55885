"""The operators' page: what lives, what waits, what is slow, what is stuck, and what can be done about it."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, PermissionDenied, ValidationError
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from ingest import broker, dead_letters, health, heartbeats, parking, switches
from ingest.admin.month import month_view
from ingest.admin.switches import POSITIONS, state_of
from ingest.models import Alert, Attempt, DeadLetter, Heartbeat, Switch
from ingest.options import configured_channels
from ingest.pace import paces
from ingest.stuck import stuck, wake
from resumes import reruns
from resumes.admin.parts import badge, state_badge
from resumes.admin.roles import ByRole
from resumes.messages import operator_hint, sentence
from resumes.models import OutboxMessage, Resume
from resumes.roles import Act, may
from resumes.states import State

_SHOWN = 50
_SHOWN_ALERTS = 10


@admin.register(Heartbeat)
class OperationsAdmin(ByRole):
    """The operators' page: what lives, what waits, what is stuck."""

    view_act = Act.OPERATE

    def get_urls(self) -> list[URLPattern]:
        take = self.admin_site.admin_view(require_POST(self.take_view))
        return [
            path("dead-letters/<uuid:pk>/take/", take, name="ingest_dead_letter_take"),
            path("dead-letters/replay/", self.admin_site.admin_view(require_POST(self.replay_view)), name="ingest_replay"),
            path("wake/", self.admin_site.admin_view(require_POST(self.wake_view)), name="ingest_wake"),
            path("month/", self.admin_site.admin_view(month_view), name="ingest_month"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # noqa: ARG002
        if not self.has_view_permission(request):
            raise PermissionDenied
        dead, waiting = DeadLetter.objects.select_related("resume", "owner"), stuck()
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Operations"),
            "flower": settings.GLEANER_FLOWER_URL,
            "health": health.look(),
            "queues": _queues(),
            "processes": [one for one in heartbeats.alive() if one.kind != Heartbeat.Kind.WORKER],
            "states": [
                (state_badge(row["state"]), row["number"], row["state"])
                for row in Resume.objects.order_by("state").values("state").annotate(number=Count("pk"))
            ],
            "unsent": OutboxMessage.objects.count(),
            "paces": paces(),
            "turned": [(row, badge(*POSITIONS[switches.position(row.name)])) for row in Switch.objects.select_related("set_by")],
            "breakers": [(channel, state_of(channel)) for channel in configured_channels()],
            "stuck": waiting[:_SHOWN],
            "stuck_number": waiting.count(),
            "dead": [
                (letter, sentence(letter.resume.failure_code), operator_hint(letter.resume.failure_code))
                for letter in dead[:_SHOWN]
            ],
            "dead_number": dead.count(),
            "parked": parking.parked().aggregate(number=Count("pk"), since=Min("state_since")),
            "intake_paused": switches.is_off(switches.INTAKE),
            "alerts": Alert.objects.order_by("-id")[:_SHOWN_ALERTS],
            "failures": Attempt.objects.exclude(failure_code="").order_by("-id")[:20],
        }
        return TemplateResponse(request, "admin/ingest/operations.html", context)

    def take_view(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Make the visitor the owner of a dead letter."""
        if not may(request.user, Act.OPERATE) or not isinstance(request.user, User):
            raise PermissionDenied
        if not dead_letters.take_over(get_object_or_404(Resume, pk=pk), request.user):
            self.message_user(request, gettext("It is no dead letter any more."), messages.WARNING)
        return HttpResponseRedirect(reverse("admin:ingest_heartbeat_changelist"))

    def replay_view(self, request: HttpRequest) -> HttpResponse:
        """Run one dead letter again, or those that were chosen."""
        if not may(request.user, Act.OPERATE) or not isinstance(request.user, User):
            raise PermissionDenied
        keys = [one] if (one := request.POST.get("one")) else request.POST.getlist("resume")
        try:
            chosen = Resume.objects.filter(pk__in=keys, state=State.DEAD_LETTER)
        except ValidationError as exc:
            raise BadRequest("no resume has such a number") from exc
        done, skipped = reruns.retry_each(chosen, request.user, "run again from the operators' page", node="admin")
        skipped += len(set(keys)) - done - skipped
        told = gettext("%(done)d run again, %(skipped)d left as they are.") % {"done": done, "skipped": skipped}
        self.message_user(request, told, messages.SUCCESS if done else messages.WARNING)
        return HttpResponseRedirect(reverse("admin:ingest_heartbeat_changelist"))

    def wake_view(self, request: HttpRequest) -> HttpResponse:
        """Make one stuck resume due at once, or all of them."""
        if not may(request.user, Act.OPERATE):
            raise PermissionDenied
        chosen = request.POST.get("resume")
        woken = wake(stuck().filter(pk=chosen) if chosen else stuck())
        self.message_user(request, gettext("%(number)d resumes are due again; the relay sends them.") % {"number": woken})
        return HttpResponseRedirect(reverse("admin:ingest_heartbeat_changelist"))


def _queues() -> list[dict[str, Any]]:
    depths = broker.queue_depths(list(settings.CELERY_TASK_QUEUES)) or {}
    workers = [one for one in heartbeats.alive() if one.kind == Heartbeat.Kind.WORKER]
    found = []
    for queue in settings.CELERY_TASK_QUEUES:
        its = [one for one in workers if queue in one.queues]
        took = max((one.took.get(queue, 0.0) for one in its), default=0.0)
        since = round(max(0.0, time.time() - took)) if took else None
        found.append({"name": queue, "depth": depths.get(queue), "workers": its, "since_s": since})
    return found
