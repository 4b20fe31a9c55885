from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingest.retry import STANDARD, UNTRIED, RetryPolicy
from ingest.route_table import DEFAULT, Table, parse, problems, show
from resumes.taxonomy import CODES

_MOST_RETRIES = 10


def default_rows() -> str:
    return show(DEFAULT.rows)


def default_delays() -> list[float]:
    return list(STANDARD.delays_s)


def default_most() -> dict[str, int]:
    return dict(STANDARD.most)


def _cap_problems(most: dict[str, int]) -> Iterator[str]:
    """Caps that would have no effect, or would only knock at a closed door again."""
    for code, count in most.items():
        if code in UNTRIED and count:
            yield gettext("%(code)s: no call was made, so there is nothing to try again; the next way is taken at once.") % {
                "code": code
            }
        elif not CODES[code].retryable:
            yield gettext("%(code)s: never tried again, so a number has no effect.") % {"code": code}


class RoutingTable(models.Model):
    """One version of the routing table. A change is a new version; the latest is in force, older ones stay on record."""

    rows = models.TextField(_("rows"), default=default_rows)
    """One a line: `stage | class, code or * | condition | action, action`; the first that matches counts."""
    delays_s = models.JSONField(_("delays in seconds"), default=default_delays)
    spread = models.FloatField(_("spread"), default=STANDARD.spread)
    most_retries = models.JSONField(_("most retries per code"), default=default_most, blank=True)
    note = models.CharField(_("note"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("created by")
    )

    class Meta:
        verbose_name = _("routing table")
        verbose_name_plural = _("routing tables")
        ordering = ["-id"]

    def __str__(self) -> str:
        return _("version %(number)s") % {"number": self.pk}

    def clean(self) -> None:
        """Refuse a table that would leave a failure without a destination. Raises ValidationError, a line a fault."""
        faults: dict[str, list[str]] = {}
        try:
            found = list(problems(parse(self.rows)))
        except ValueError as exc:
            found = [str(exc)]
        if found:
            faults["rows"] = found
        delays = self.delays_s
        if not isinstance(delays, list) or not all(isinstance(delay, int | float) and 0 < delay <= 3600 for delay in delays):
            faults["delays_s"] = [gettext("A list of seconds, each above 0 and at most 3600.")]
        elif len(delays) > _MOST_RETRIES:
            faults["delays_s"] = [gettext("At most ten retries.")]
        if not 0 <= self.spread < 1:
            faults["spread"] = [gettext("At least 0 and below 1.")]
        most = self.most_retries
        if not isinstance(most, dict) or not all(
            code in CODES and isinstance(count, int) and 0 <= count <= _MOST_RETRIES for code, count in most.items()
        ):
            faults["most_retries"] = [gettext("Whole numbers from 0 to 10 by failure code.")]
        elif found := list(_cap_problems(most)):
            faults["most_retries"] = found
        if faults:
            raise ValidationError(faults)

    def table(self) -> Table:
        """The table as the routing uses it."""
        retry = RetryPolicy(tuple(self.delays_s), self.spread, dict(self.most_retries))
        return Table(parse(self.rows), version=self.pk, retry=retry)
