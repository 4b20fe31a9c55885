"""What erasure takes from the pipeline's records: the file's name, and what webhooks say of it. Counts, ids and outcomes stay."""

from __future__ import annotations

from typing import Any

from ingest import export_jobs
from ingest.models import BatchEntry, Delivery, Export, ReconciliationReport
from resumes.models import Resume


def forget(resume: Resume) -> None:
    """Called inside the transaction that erases the resume."""
    Delivery.objects.filter(resume=resume).delete()  # they carry the sender's own id and address
    entries = {str(entry.pk): entry for entry in BatchEntry.objects.filter(resume=resume)}
    BatchEntry.objects.filter(pk__in=list(entries)).update(filename="")
    BatchEntry.objects.filter(archive__in=list(entries)).update(filename="")  # members carry the archive's name
    in_batches = Export.objects.filter(batch__entries__in=list(entries)).distinct()
    export_jobs.discard(in_batches)  # they may hold everything there was
    batches = {entry.batch_id for entry in entries.values()}
    for report in ReconciliationReport.objects.filter(batch__in=batches, ok=False):
        ReconciliationReport.objects.filter(pk=report.pk).update(data=_without_names(report.data, set(entries)))


def _without_names(data: dict[str, Any], entries: set[str]) -> dict[str, Any]:
    anomalies = {
        kind: [{**item, "filename": ""} if item.get("id") in entries and "filename" in item else item for item in items]
        for kind, items in data["anomalies"].items()
    }
    return {**data, "anomalies": anomalies}
