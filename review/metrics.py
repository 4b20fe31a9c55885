"""Metrics of the review: cases, what is late, how often people must help and with which fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from django.core.cache import cache
from django.db.models import Count, Q
from django.utils import timezone
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from ingest.metrics import counter, gauge, plain, tally
from resumes.models import Resume
from resumes.states import SUCCEEDED, State
from review.cases import OPEN
from review.models import Case, Correction
from review.statistics import resumes_by_code

_INDEX = re.compile(r"\[\d+\]")
_REMEMBERED_S = 60
"""Shares of all resumes move slowly, and counting them goes through every one."""

_KINDS = {"family": "job_family", "language": "language", "format": "document__media_type", "layout": "layout"}


def _ratios() -> list[tuple[str, str, float]]:
    """`(kind, value, share that needed a person)`, from one query for all kinds."""
    settled = Resume.objects.filter(Q(state__in=SUCCEEDED) | Q(state=State.REVIEW_NEEDED)).order_by()
    rows = settled.values_list(*_KINDS.values()).annotate(
        number=Count("pk"), by_hand=Count("pk", filter=~Q(state=State.COMPLETED))
    )
    totals: dict[tuple[str, str], list[int]] = {}
    for *values, number, by_hand in rows:
        for kind, value in zip(_KINDS, values, strict=True):
            total = totals.setdefault((kind, value or "unknown"), [0, 0])
            total[0] += by_hand
            total[1] += number
    shares = [(kind, value, by_hand / number) for (kind, value), (by_hand, number) in totals.items()]
    whole = sum(number for (kind, _value), (_by_hand, number) in totals.items() if kind == "family")
    return shares + [("code", code, number / whole) for code, number in resumes_by_code() if whole]


def collect() -> Iterator[Metric]:
    states = tally(Case.objects, "state")
    yield gauge(
        "review_cases", "Review cases in each state", "state", ((state.value, states.get(state, 0)) for state in Case.State)
    )
    late = Case.objects.filter(state__in=OPEN, due_at__lt=timezone.now()).count()
    yield plain("review_overdue", "Open cases past their due time", late)
    ratios = cache.get_or_set("review.ratios", _ratios, _REMEMBERED_S) or []
    yield gauge(
        "manual_intervention_ratio",
        "Share of the resumes that needed a person",
        "family",
        ((value, ratio) for kind, value, ratio in ratios if kind == "family"),
    )
    by_kind = GaugeMetricFamily(
        "gleaner_manual_intervention_ratio_by", "The same by language, format, layout and reason", labels=["kind", "value"]
    )
    for kind, value, ratio in ratios:
        if kind != "family":
            by_kind.add_metric([kind, value], ratio)
    yield by_kind
    yield gauge("review_cases_by_code", "Cases by what brought them here", "code", tally(Case.objects, "code").items())
    fields: Counter[str] = Counter()
    for path, number in tally(Correction.objects, "field").items():
        fields[_INDEX.sub("", path)] += number
    yield counter(
        "field_corrections", "Fields people have corrected", ["field"], (([name], number) for name, number in fields.items())
    )
