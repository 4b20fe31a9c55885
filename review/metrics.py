"""Metrics of the review: cases, what is late, how often people must help and with which fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from django.db.models import Count, Q
from django.utils import timezone
from prometheus_client.metrics_core import Metric

from ingest.metrics import counter, gauge, plain, tally
from resumes.models import Resume
from resumes.states import SUCCEEDED, State
from review.cases import OPEN
from review.models import Case, Correction

_INDEX = re.compile(r"\[\d+\]")


def collect() -> Iterator[Metric]:
    states = tally(Case.objects, "state")
    yield gauge(
        "review_cases", "Review cases in each state", "state", ((state.value, states.get(state, 0)) for state in Case.State)
    )
    late = Case.objects.filter(state__in=OPEN, due_at__lt=timezone.now()).count()
    yield plain("review_overdue", "Open cases past their due time", late)
    settled = Resume.objects.filter(Q(state__in=SUCCEEDED) | Q(state=State.REVIEW_NEEDED)).order_by().values_list("job_family")
    ratios = settled.annotate(number=Count("pk"), by_hand=Count("pk", filter=~Q(state=State.COMPLETED)))
    yield gauge(
        "manual_intervention_ratio",
        "Share of the resumes that needed a person",
        "family",
        ((family or "unknown", by_hand / number) for family, number, by_hand in ratios),
    )
    fields: Counter[str] = Counter()
    for path, number in tally(Correction.objects, "field").items():
        fields[_INDEX.sub("", path)] += number
    yield counter(
        "field_corrections", "Fields people have corrected", ["field"], (([name], number) for name, number in fields.items())
    )
