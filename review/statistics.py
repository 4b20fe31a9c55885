"""How often people must help, and with what: which kind of resume should be improved next.

One grouped query a figure. A share is of the resumes that came to an end or wait for a person, refused ones left out: a
file nobody can read is no work for a reviewer.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, F, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.translation import gettext as _

from resumes import sniff
from resumes.models import Resume
from resumes.states import SUCCEEDED, State
from review import page_texts, words
from review.models import SPOT_CHECK, Case, Correction

_DAYS = 14
_MOST = 12
_STEP, _WIDE, _FLOOR, _HEAD = 48, 34, 100, 18
"""Of the plot over days: a day's width, its column's, where columns stand, and the room above for their figures."""
_FORMATS = {
    sniff.PDF: "PDF",
    sniff.DOCX: "DOCX",
    sniff.DOC: "DOC",
    sniff.RTF: "RTF",
    sniff.ODT: "ODT",
    sniff.HTML: "HTML",
    sniff.MHTML: "MHTML",
    sniff.TEXT: "TXT",
    "image/jpeg": "JPEG",
    "image/png": "PNG",
    "image/tiff": "TIFF",
    "image/webp": "WebP",
    "image/heic": "HEIC",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a plot."""

    name: str
    share: float
    """Length of the bar, 0 to 1."""
    figure: str
    detail: str = ""

    @property
    def percent(self) -> str:
        """Written with a point in every language: SVG wants it so."""
        return f"{100 * self.share:.1f}"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the plot over days, in units of its drawing."""

    name: str
    figure: str
    x: int
    height: int

    @property
    def top(self) -> int:
        return _FLOOR - self.height

    @property
    def above(self) -> int:
        return self.top - 4

    @property
    def middle(self) -> int:
        return self.x + _WIDE // 2


@dataclass(frozen=True, slots=True)
class Plot:
    """A horizontal bar chart."""

    title: str
    bars: list[Bar]


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything the page shows."""

    by_kind: list[Plot]
    fields: Plot
    days: list[Column]
    width: int
    closed: int
    minutes: float | None
    """Mean minutes of work a case, as the pages counted them."""
    checked: int
    faulty: int
    """Spot checks made, and those of them in which something had to be put right."""


def figures() -> Figures:
    """What there is to show, as of now."""
    closed = Case.objects.filter(state__in=(Case.State.DONE, Case.State.DISCARDED))
    checks = closed.filter(code=SPOT_CHECK)
    seconds = closed.filter(seconds__gt=0).aggregate(mean=Avg("seconds"))["mean"]
    return Figures(
        by_kind=[
            Plot(_("By language"), _ratios("language", {"zh": _("Chinese"), "en": _("English"), "ru": _("Russian")})),
            Plot(_("By format"), _ratios("document__media_type", _FORMATS)),
            Plot(_("By layout"), _ratios("layout", _layouts())),
            Plot(_("By job family"), _ratios("job_family", words.family_names())),
            Plot(_("Why they came"), _codes()),
        ],
        fields=_fields(),
        days=_days(),
        width=_DAYS * _STEP,
        closed=closed.count(),
        minutes=round(seconds / 60, 1) if seconds else None,
        checked=checks.count(),
        faulty=checks.filter(corrections__isnull=False).distinct().count(),
    )


def settled() -> QuerySet[Resume]:
    """The resumes of which one can say whether they needed a person."""
    return Resume.objects.filter(Q(state__in=SUCCEEDED) | Q(state=State.REVIEW_NEEDED)).order_by()


def _ratios(column: str, names: dict[str, Any]) -> list[Bar]:
    """The share that needed a person by a column's values; those that would gain most from being improved first."""
    rows = list(settled().values_list(column).annotate(number=Count("pk"), by_hand=Count("pk", filter=~Q(state=State.COMPLETED))))
    rows.sort(key=lambda row: (-row[2], -row[1]))
    return [
        Bar(str(names.get(value, value) or _("unknown")), by_hand / number, f"{by_hand / number:.0%}", f"{by_hand} / {number}")
        for value, number, by_hand in rows[:_MOST]
    ]


def _fields() -> Plot:
    counts: Counter[str] = Counter()
    for field, number in Correction.objects.order_by().values_list("field").annotate(number=Count("pk")):
        counts[page_texts.field_name(field)] += number
    return Plot(_("Fields people correct"), _counted(counts.most_common(_MOST)))


def _codes() -> list[Bar]:
    """The share that came to a person by the reason why it came, in whichever run; one may have come for several."""
    total = settled().count()
    return [
        Bar(words.code_name(code), number / total, f"{number / total:.0%}", f"{number} / {total}")
        for code, number in resumes_by_code()[:_MOST]
        if total
    ]


def resumes_by_code() -> list[tuple[str, int]]:
    """How many of the settled resumes needed a person for each reason; a spot check is no need."""
    rows = Case.objects.filter(Q(resume__state__in=SUCCEEDED) | Q(resume__state=State.REVIEW_NEEDED)).exclude(code=SPOT_CHECK)
    counts = rows.order_by().values_list("code").annotate(number=Count("resume", distinct=True))
    return sorted(counts, key=lambda row: (-row[1], row[0]))


def _counted(rows: list[tuple[str, int]]) -> list[Bar]:
    most = max((number for _name, number in rows), default=1)
    return [Bar(name, number / most, str(number)) for name, number in rows]


def _days() -> list[Column]:
    """Cases closed by people on each of the last days, the oldest first."""
    today = timezone.localdate()
    since = today - dt.timedelta(days=_DAYS - 1)
    rows = Case.objects.filter(closed_at__date__gte=since).exclude(closed_by=None).order_by()
    counts = dict(rows.annotate(day=TruncDate(F("closed_at"))).values_list("day").annotate(number=Count("pk")))
    numbers = [(since + dt.timedelta(days=ahead), counts.get(since + dt.timedelta(days=ahead), 0)) for ahead in range(_DAYS)]
    most = max(number for _day, number in numbers) or 1
    return [
        Column(f"{day:%d.%m}", str(number or ""), at * _STEP + (_STEP - _WIDE) // 2, round(number / most * (_FLOOR - _HEAD)))
        for at, (day, number) in enumerate(numbers)
    ]


def _layouts() -> dict[str, str]:
    return {"plain": _("one column"), "columns": _("columns"), "table": _("tables"), "scan": _("scan or photo")}
