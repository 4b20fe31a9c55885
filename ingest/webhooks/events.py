"""What is announced: the events, who is told of each, and the rows that will tell them.

Everything here runs inside the transaction of the change, so that an event is announced if and only if it has happened.
What is said are ids, states and figures, never content: who wants more asks the API, which knows their role.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ingest.batches import BatchState, Phase, Standing
from ingest.models import Batch, BatchEntry, Delivery, Outcome, ReconciliationReport, Webhook
from resumes.models import Resume
from resumes.roles import audience
from resumes.states import State
from resumes.transitions import Move


class Event(enum.StrEnum):
    BATCH_FINISHED = "batch.finished"
    """Every item has its end; `state` says how it went. Said again when a finished batch was worked on and ends anew."""
    BATCH_AWAITING_REVIEW = "batch.awaiting_review"
    """Automatic work has ended and only people have a move."""
    BATCH_RECONCILIATION_ERROR = "batch.reconciliation_error"
    """A reconciliation that was in order, or is the first, is not."""
    RESUME_COMPLETED = "resume.completed"
    """Parsed, or completed by a person (`state`)."""
    RESUME_REVIEW_NEEDED = "resume.review_needed"
    RESUME_REJECTED = "resume.rejected"


PING = "webhook.ping"
"""Not announced: sent when its owner asks for it."""

_OF_STATES: Mapping[State, Event] = MappingProxyType(
    {
        State.COMPLETED: Event.RESUME_COMPLETED,
        State.REVIEWED: Event.RESUME_COMPLETED,
        State.REVIEW_NEEDED: Event.RESUME_REVIEW_NEEDED,
        State.REJECTED: Event.RESUME_REJECTED,
    }
)


def announce_move(done: Move) -> None:
    """Follow-up: a resume has settled, or waits for a person."""
    resume = done.resume
    event = _OF_STATES.get(State(resume.state))
    if event is None:
        return
    listeners = _listeners(event, resume.owner_id, resume.callback_url)
    if not listeners:
        return
    batch_id = BatchEntry.objects.filter(resume=resume, unpacked_at=None).values_list("batch_id", flat=True).first()
    data = {
        "resume": str(resume.pk),
        "run": resume.run,
        "state": resume.state,
        "external_id": resume.external_id,
        "batch": str(batch_id) if batch_id else None,
        "failure_class": resume.failure_class,
        "failure_code": resume.failure_code,
        "completeness": resume.completeness,
    }
    _tell(listeners, event, data, resume=resume)


def announce_report(batch: Batch, now: Standing, report: ReconciliationReport, *, is_news: bool = True) -> None:
    """A batch has been reconciled: tell what has changed for it since it was last spoken of.

    A report that is no news was announced when it was stored.
    """
    earlier = ReconciliationReport.objects.filter(batch=batch, pk__lt=report.pk).order_by("-pk").values_list("ok", flat=True)
    if is_news and not report.ok and earlier.first() is not False:
        anomalies = {kind: len(found) for kind, found in report.data["anomalies"].items()}
        _tell_of_batch(Event.BATCH_RECONCILIATION_ERROR, batch, now, anomalies=anomalies)
    match now.phase:
        case Phase.AWAITING_PEOPLE:
            event, said = Event.BATCH_AWAITING_REVIEW, Event.BATCH_AWAITING_REVIEW.value
        case Phase.FINISHED:
            # The ledger's last row tells one ending from the next.
            last = Outcome.objects.filter(batch_id=batch.pk).order_by("-pk").values_list("pk", flat=True).first()
            event, said = Event.BATCH_FINISHED, f"{Event.BATCH_FINISHED}:{now.state}:{last or 0}"
        case _:
            return
    if batch.announced == said:
        return
    if Batch.objects.filter(pk=batch.pk, announced=batch.announced).update(announced=said):
        _tell_of_batch(event, batch, now)


def ping(webhook: Webhook) -> Delivery:
    """A message that says nothing but that messages arrive."""
    return Delivery.objects.create(webhook=webhook, event=PING, data={"webhook": str(webhook.pk)})


def callbacks_of(owner_id: int) -> Webhook:
    """The row that stands for the callback addresses a user gives, with the secret for them."""
    webhook, _ = Webhook.objects.get_or_create(owner_id=owner_id, url="")
    return webhook


def _tell_of_batch(event: Event, batch: Batch, now: Standing, **more: Any) -> None:
    listeners = _listeners(event, batch.owner_id, batch.callback_url)
    data = {
        "batch": str(batch.pk),
        "state": BatchState(now.state).value,
        "phase": now.phase.value,
        "declared": now.declared,
        "files": now.files,
        "received": now.received,
        "open": now.open,
        "counts": now.counts,
        **more,
    }
    _tell(listeners, event, data, batch=batch)


def _listeners(event: Event, owner_id: int | None, callback_url: str) -> list[tuple[Webhook, str]]:
    """The endpoints to tell, each with the address to use in the place of its own."""
    rows = Webhook.objects.filter(audience(owner_id), enabled=True).exclude(url="").distinct()
    told = [(webhook, "") for webhook in rows if not webhook.events or event in webhook.events]
    if callback_url and owner_id is not None:
        callbacks = callbacks_of(owner_id)
        if callbacks.enabled and (not callbacks.events or event in callbacks.events):
            told.append((callbacks, callback_url))
    return told


def _tell(listeners: list[tuple[Webhook, str]], event: Event, data: dict[str, Any], **about: Resume | Batch) -> None:
    Delivery.objects.bulk_create(
        Delivery(webhook=webhook, url=url, event=event, data=data, **about) for webhook, url in listeners
    )
