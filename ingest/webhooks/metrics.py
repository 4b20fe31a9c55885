"""What Prometheus is told of the webhooks: what waits, and how the tries end."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from ingest.models import Delivery


def collect() -> Iterator[Metric]:
    """Messages by state, and the age of the oldest that waits."""
    rows = Delivery.objects.order_by().values_list("state").annotate(number=Count("pk"))
    numbers = dict(rows)
    family = GaugeMetricFamily("gleaner_webhook_deliveries", "Webhook messages kept, by state", labels=["state"])
    for state in Delivery.State:
        family.add_metric([state.value], numbers.get(state.value, 0))
    yield family
    oldest = Delivery.objects.filter(state=Delivery.State.PENDING).aggregate(oldest=Min("created_at"))["oldest"]
    age_s = max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0
    yield GaugeMetricFamily("gleaner_webhook_oldest_pending_seconds", "Age of the oldest message not yet taken", value=age_s)
