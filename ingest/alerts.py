"""Alerts: what operators must be told, found in the records and told in groups, never one for each resume.

`watch()` looks through what has happened since the last look and notes it, one row for a kind and a subject; `send_due()`
sends what has waited long enough for its like to gather. A periodic task does both; where beat or its worker is dead, the
relay steps in. Alerts carry kinds, codes, channels and ids, no personal data.
"""

from __future__ import annotations

import datetime as dt
import itertools
import smtplib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpx
import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Count, F, Min, QuerySet, Value
from django.db.models.functions import Left, StrIndex
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from ingest import broker, disks, heartbeats, parking, switches
from ingest.batches import BatchState
from ingest.health import needed_queues
from ingest.models import Alert, Attempt, BreakerFlip, ReconciliationReport, Switch, Watch
from resumes.models import Resume, Transition
from resumes.states import State
from resumes.transitions import user_actor

log = structlog.get_logger(__name__)

Kind = Alert.Kind

_LAG = dt.timedelta(seconds=10)
"""Rows of transactions that are still open may yet appear with a time already past; they get this long to commit."""
_STORM_WINDOW = dt.timedelta(minutes=5)
_PERMISSION_WINDOW = dt.timedelta(minutes=15)
_OLD_DEAD_LETTER = dt.timedelta(hours=4)
_SWITCHED_LONG = dt.timedelta(hours=4)
_STANDSTILL = dt.timedelta(minutes=30)
"""What is switched off so that files are refused or wait is told of sooner."""
_REPEAT = dt.timedelta(hours=6)
"""A condition that lasts is told again this often."""
_TRY_AGAIN = dt.timedelta(minutes=2)
_AHEAD = dt.timedelta(minutes=1)
"""A look that seems to have been made so far in the future was made by a clock that has been set back since."""
_OVERDUE = dt.timedelta(minutes=3)
_MOST_AT_ONCE = 100
_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class Sighting:
    """Something worth an alert, as one look through the records finds it."""

    kind: Alert.Kind
    subject: str
    count: int
    detail: str = ""
    lasting: bool = False
    """A condition that is there or not, not a number of events to add up."""


def watch() -> int:
    """Look through the records from the last look on and note what is found; how many sightings.

    Looks that run at the same time or one right after the other find nothing twice.
    """
    to = timezone.now() - _LAG
    around = list(itertools.chain(_no_broker(), _full_disks()))  # before the transaction: an answer may take seconds
    with transaction.atomic():
        since = _claim_look(to)
        if since is None:
            return 0
        seen = around + list(itertools.chain.from_iterable(look(since, to) for look in _LOOKS))
        for sighting in seen:
            _note(sighting, to)
        _withdraw_what_passed(seen)
    return len(seen)


def tell(sighting: Sighting) -> None:
    """Note something that whoever found it wants told; it goes out with the others."""
    _note(sighting, timezone.now())


def send_due() -> int:
    """Send the alerts that are due, all in one message for each channel; how many went.

    Sent means that one channel took them. What no channel took is tried again after a while.
    """
    due = _claim_due()
    if not due:
        return 0
    with translation.override(settings.LANGUAGE_CODE):
        lines = [_line(alert) for alert in due]
        for alert in due:
            log.error("alert", kind=alert.kind, subject=alert.subject, count=alert.count, detail=alert.detail)
        ways = [way for way, wanted in ((_mail, settings.GLEANER_ALERT_EMAIL), (_post, settings.GLEANER_ALERT_WEBHOOK)) if wanted]
        took = [way(due, lines) for way in ways]
    if ways and not any(took):
        return 0
    Alert.objects.filter(pk__in=[alert.pk for alert in due]).update(sent_at=timezone.now())
    return len(due)


def step_in() -> None:
    """Do the periodic task's work where it has not been done for minutes: beat or the worker of its queue is dead."""
    last = Watch.objects.values_list("seen_to", flat=True).first()
    if last is not None and abs(timezone.now() - last) > _OVERDUE:
        watch()
        send_due()


def _claim_look(to: dt.datetime) -> dt.datetime | None:
    """Where this look begins; None where another has just been made. The first look of all begins now."""
    row = Watch.objects.first()
    if row is None:
        Watch.objects.get_or_create(pk=1, defaults={"seen_to": to})
        return to
    set_back = row.seen_to > to + _AHEAD  # what happens now must not go unseen until the clock has caught up
    if row.seen_to >= to and not set_back:
        return None
    if not Watch.objects.filter(pk=row.pk, seen_to=row.seen_to).update(seen_to=to):
        return None
    return to if set_back else row.seen_to


def _note(sighting: Sighting, now: dt.datetime) -> None:
    same = Alert.objects.filter(kind=sighting.kind, subject=sighting.subject[:100])
    count = sighting.count if sighting.lasting else F("count") + sighting.count
    if same.filter(sent_at=None).update(count=count, last_at=now, detail=sighting.detail[:200]):
        return
    last = same.exclude(sent_at=None).order_by("-sent_at").values_list("sent_at", flat=True).first()
    quiet = _REPEAT if sighting.lasting else dt.timedelta(seconds=settings.GLEANER_ALERT_QUIET_S)
    if sighting.lasting and last is not None and now < last + quiet:
        return
    due = now + dt.timedelta(seconds=settings.GLEANER_ALERT_WAIT_S)
    Alert.objects.create(
        kind=sighting.kind,
        subject=sighting.subject[:100],
        count=sighting.count,
        detail=sighting.detail[:200],
        first_at=now,
        last_at=now,
        due_at=max(due, last + quiet) if last is not None else due,
    )


def _withdraw_what_passed(seen: list[Sighting]) -> None:
    """A process that is back before anybody was told of its silence is no news."""
    still = [sighting.subject[:100] for sighting in seen if sighting.kind is Kind.SILENCE]
    Alert.objects.filter(kind=Kind.SILENCE, sent_at=None).exclude(subject__in=still).delete()


def _claim_due() -> list[Alert]:
    """The due alerts this caller may send; their due time is put off first, so that no other sends them meanwhile."""
    now = timezone.now()
    rows = Alert.objects.filter(sent_at=None, due_at__lte=now).order_by("id")[:_MOST_AT_ONCE]
    return [
        alert
        for alert in rows
        if Alert.objects.filter(pk=alert.pk, sent_at=None, due_at__lte=now).update(due_at=now + _TRY_AGAIN)
    ]


def _line(alert: Alert) -> str:
    parts = [str(Kind(alert.kind).label), alert.subject, f"× {alert.count}", alert.detail]
    return " · ".join(part for part in parts if part)


def _mail(alerts: list[Alert], lines: list[str]) -> bool:
    subject = lines[0] if len(lines) == 1 else _("%(number)d alerts") % {"number": len(alerts)}
    to = [address.strip() for address in settings.GLEANER_ALERT_EMAIL.split(",") if address.strip()]
    try:
        EmailMessage(f"[Gleaner] {subject}", "\n".join(lines), to=to).send()
    except (smtplib.SMTPException, OSError) as exc:
        log.warning("alert_not_mailed", error=type(exc).__name__)
        return False
    return True


def _post(alerts: list[Alert], lines: list[str]) -> bool:
    body = {
        "text": "\n".join(lines),  # what chat services show
        "alerts": [
            {
                "kind": alert.kind,
                "subject": alert.subject,
                "count": alert.count,
                "detail": alert.detail,
                "first_at": alert.first_at.isoformat(),
                "last_at": alert.last_at.isoformat(),
            }
            for alert in alerts
        ],
    }
    try:
        httpx.post(settings.GLEANER_ALERT_WEBHOOK, json=body, timeout=_TIMEOUT_S).raise_for_status()
    except httpx.HTTPError as exc:
        log.warning("alert_not_posted", error=type(exc).__name__)
        return False
    return True


# -- what is looked for ------------------------------------------------------------------------------------------------


def _flips(since: dt.datetime, to: dt.datetime) -> Iterator[Sighting]:
    flips = BreakerFlip.objects.filter(at__gt=since, at__lte=to).order_by("id")
    by_channel: dict[str, list[BreakerFlip]] = {}
    for flip in flips:
        by_channel.setdefault(flip.channel, []).append(flip)
    for channel, its in by_channel.items():
        yield Sighting(Kind.BREAKER, channel, len(its), f"{its[0].from_state} → {its[-1].to_state}")


def _dead_letters(since: dt.datetime, to: dt.datetime) -> Iterator[Sighting]:
    moves = Transition.objects.filter(to_state=State.DEAD_LETTER, at__gt=since, at__lte=to)
    for code, number in _counted(moves, "resume__failure_code"):
        yield Sighting(Kind.DEAD_LETTER, code or "unknown", number)


def _old_dead_letters(_since: dt.datetime, to: dt.datetime) -> Iterator[Sighting]:
    """Told for each owner, by number: names stay out of alerts."""
    old = Resume.objects.filter(state=State.DEAD_LETTER, state_since__lt=to - _OLD_DEAD_LETTER)
    rows = old.order_by().values_list("dead_letter__owner").annotate(number=Count("pk"), oldest=Min("state_since"))
    for owner, number, oldest in rows:
        subject = user_actor(owner) if owner else "nobody"
        yield Sighting(Kind.OLD_DEAD_LETTER, subject, number, f"oldest {oldest:%F %H:%M} UTC", lasting=True)


def _parked(_since: dt.datetime, _to: dt.datetime) -> Iterator[Sighting]:
    found = parking.parked().aggregate(number=Count("pk"), oldest=Min("state_since"))
    if found["number"]:
        yield Sighting(Kind.PARKED, switches.STORAGE, found["number"], f"since {found['oldest']:%F %H:%M} UTC", lasting=True)


def _reports(since: dt.datetime, to: dt.datetime) -> Iterator[Sighting]:
    """Batches whose report has turned bad; one that is reconciled again and again and stays bad is told once."""
    for report in ReconciliationReport.objects.filter(created_at__gt=since, created_at__lte=to).order_by("id"):
        if report.ok and report.data["state"] != BatchState.FAILED:
            continue
        kind = Kind.BATCH_FAILED if report.ok else Kind.RECONCILIATION
        found = {name: len(items) for name, items in report.data["anomalies"].items() if items}
        detail = ", ".join(f"{name} {number}" for name, number in found.items()) or f"rejected {report.data['rejected']}"
        yield Sighting(kind, str(report.batch_id), 1, detail, lasting=True)


def _retry_storms(_since: dt.datetime, to: dt.datetime) -> Iterator[Sighting]:
    # What is parked waits as well, and is told as that.
    waits = Transition.objects.filter(to_state=State.RETRY_WAITING, at__gt=to - _STORM_WINDOW, reason__contains=": again in ")
    coded = waits.annotate(code=Left("reason", StrIndex("reason", Value(":")) - 1))
    for node, code, number in coded.order_by().values_list("node", "code").annotate(number=Count("pk")):
        if number >= settings.GLEANER_ALERT_RETRIES:
            yield Sighting(Kind.RETRY_STORM, f"{node} {code}", number, "in five minutes", lasting=True)


def _refusals(_since: dt.datetime, to: dt.datetime) -> Iterator[Sighting]:
    failed = Attempt.objects.filter(failure_class="permission", started_at__gt=to - _PERMISSION_WINDOW)
    rows = failed.order_by().values_list("failure_code", "stage", "channel").annotate(number=Count("pk"))
    for code, stage, channel, number in rows:
        yield Sighting(Kind.PERMISSION, " ".join(filter(None, (code, stage, channel))), number, lasting=True)


def _silences(_since: dt.datetime, _to: dt.datetime) -> Iterator[Sighting]:
    for gone in heartbeats.missing(needed_queues()):
        yield Sighting(Kind.SILENCE, gone.subject, 1, lasting=True)


def _switched(_since: dt.datetime, to: dt.datetime) -> Iterator[Sighting]:
    """What has been off or forced for long and has no end of its own."""
    standstill = {switches.INTAKE, switches.STORAGE, *map(switches.of_queue, switches.QUEUES)}
    for row in Switch.objects.filter(until=None):
        if to - row.set_at > (_STANDSTILL if row.name in standstill else _SWITCHED_LONG):
            yield Sighting(Kind.SWITCHED, row.name, 1, f"{row.position} since {row.set_at:%F %H:%M} UTC", lasting=True)


def _no_broker() -> Iterator[Sighting]:
    if broker.queue_depths([settings.CELERY_TASK_DEFAULT_QUEUE]) is None:
        yield Sighting(Kind.SILENCE, "no broker", 1, lasting=True)


def _full_disks() -> Iterator[Sighting]:
    for room in disks.rooms():
        if room.share < disks.LOW:
            yield Sighting(Kind.DISK, room.name, 1, f"{room.free_gb} GB free", lasting=True)


def _counted(rows: QuerySet[Transition], field: str) -> list[tuple[str, int]]:
    return list(rows.order_by().values_list(field).annotate(number=Count("pk")))


_LOOKS: tuple[Callable[[dt.datetime, dt.datetime], Iterator[Sighting]], ...] = (
    _flips,
    _dead_letters,
    _old_dead_letters,
    _parked,
    _reports,
    _retry_storms,
    _refusals,
    _silences,
    _switched,
)
