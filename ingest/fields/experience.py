"""Years of experience: the months of all jobs, the first and the last of each counted, overlapping ones once.

Computed only from dates with months: a page that prints years does not say how many months a job lasted.
"""

from __future__ import annotations

from ingest.fields.dates import month_index
from ingest.fields.document import Document
from ingest.fields.draft import Draft
from resumes.profile import Work, WorkMeta

_PATH = "meta.gleaner.yearsOfExperience"


def find(document: Document, draft: Draft) -> None:
    """Fill `meta.gleaner.yearsOfExperience` from the jobs; "present" is the day in the hints."""
    as_of = document.hints.as_of
    now = as_of.year * 12 + as_of.month - 1
    intervals: list[tuple[int, int]] = []
    sources: list[str] = []
    confidence = 0.95
    for index, (job, meta) in enumerate(zip(draft.profile.work, draft.profile.meta.gleaner.work, strict=True)):
        if (job.startDate and len(job.startDate) < 7) or (job.endDate and len(job.endDate) < 7):
            return
        interval = _interval(job, meta, now)
        if interval is None:
            confidence = 0.6
            continue
        intervals.append(interval)
        sources.append(f"work[{index}].startDate")
        sources.append(f"meta.gleaner.work[{index}].current" if meta.current else f"work[{index}].endDate")
    if not intervals:
        return
    draft.profile.meta.gleaner.yearsOfExperience = round(months_covered(intervals) / 12, 2)
    draft.derive(_PATH, sources, confidence)


def _interval(job: Work, meta: WorkMeta, now: int) -> tuple[int, int] | None:
    """First and last month of a job, None where the page does not say both."""
    start = month_index(job.startDate) if job.startDate else None
    end = month_index(job.endDate) if job.endDate else now if meta.current else None
    if start is None or end is None or start > now:
        return None
    end = min(end, now)
    return (start, end) if start <= end else None


def months_covered(intervals: list[tuple[int, int]]) -> int:
    """How many months lie in at least one of the intervals, both ends included."""
    total, reach = 0, -1
    for start, end in sorted(intervals):
        first = max(start, reach + 1)
        if end >= first:
            total += end - first + 1
            reach = end
    return total
