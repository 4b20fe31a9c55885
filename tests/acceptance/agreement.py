"""Whether everybody who counts comes to the same: metrics, records, ledger, admin and REST; and what Flower has seen of it."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from typing import Any

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.acceptance.house import House, free_port, until

_RECORDS = """
import json, re
from django.contrib.auth.models import User
from django.db.models import Count
from django.conf import settings
from django.test import Client, override_settings
from ingest.models import Attempt, Outcome
from resumes.models import Resume, Transition
def tally(rows, *names):
    counted = rows.order_by().values_list(*names).annotate(number=Count("pk"))
    return {" ".join(map(str, names)): number for *names, number in counted}
client = Client(headers={"host": "localhost"})
client.force_login(User.objects.filter(is_superuser=True).first())
plain = {**settings.STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
with override_settings(STORAGES=plain):  # nobody has collected static files in this house
    page = client.get("/admin/ingest/heartbeat/").content.decode()
cards = re.findall(r'<strong>(\\d+)</strong><a href="[^"]*state__exact=(\\w+)"', page)
print(json.dumps({
    "resumes": tally(Resume.objects, "state"),
    "transitions": tally(Transition.objects, "to_state"),
    "received": tally(Resume.objects, "source"),
    "levels": tally(Transition.objects.filter(to_state__in=["COMPLETED", "REVIEWED"]), "level"),
    "ledger": tally(Outcome.objects, "result"),
    "tries": tally(Attempt.objects.exclude(seconds=None), "stage"),
    "failures": tally(Attempt.objects.exclude(failure_code=""), "stage", "failure_code"),
    "admin": {state: int(number) for number, state in cards},
}))
"""
_ENDS = ("COMPLETED", "REVIEWED", "REJECTED", "SKIPPED")


def start_flower(house: House) -> int:
    """Flower beside the house from the beginning; its port."""
    port = free_port()
    house.extra_env |= {"FLOWER_ADDRESS": "127.0.0.1", "FLOWER_PORT": str(port)}
    house._start("flower", "-m", "celery", "-A", "settings", "flower")
    return port


def numbers_agree(house: House, batch: str, flower_port: int) -> None:
    """Once everything has ended: hold every count against every other. Prints Flower's beside them."""
    records: dict[str, dict[str, int]] = json.loads(house.manage("shell", "--verbosity", "0", "-c", _RECORDS).splitlines()[-1])
    scraped = scrape(f"{house.url}/metrics")
    metrics = {
        "resumes": by_label(scraped, "gleaner_resumes", "state"),
        "transitions": by_label(scraped, "gleaner_transitions_total", "to"),
        "received": by_label(scraped, "gleaner_received_total", "source"),
        "levels": by_label(scraped, "gleaner_completed_by_level_total", "level"),
        "tries": by_label(scraped, "gleaner_stage_seconds_count", "stage"),
        "failures": by_label(scraped, "gleaner_stage_failures_total", "stage", "code"),
    }
    for name, counted in metrics.items():
        assert counted == records[name], f"{name}: metrics {counted}, records {records[name]}"
    ends = {state: number for state, number in records["transitions"].items() if state in _ENDS}
    rest = house.get(f"batches/{batch}/")["counts"]
    assert {state: number for state, number in rest.items() if number} == records["resumes"] == records["admin"]
    assert records["ledger"] == ends
    assert sum(records["received"].values()) == sum(rest.values())
    _print_flower(records["tries"], flower_port)


def scrape(url: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    def page() -> str | None:
        with contextlib.suppress(httpx.TransportError):
            answer = httpx.get(url, timeout=30)
            return answer.text if answer.status_code == 200 else None
        return None

    families = text_string_to_metric_families(until(f"an answer of {url}", page))
    return {(sample.name, frozenset(sample.labels.items())): sample.value for family in families for sample in family.samples}


def by_label(scraped: dict[Any, float], name: str, *labels: str) -> dict[str, int]:
    """What has come up of a metric, by the values of labels."""
    found: Counter[str] = Counter()
    for (sample, given), value in scraped.items():
        if sample == name and value:
            found[" ".join(dict(given)[label] for label in labels)] += int(value)
    return dict(found)


def _print_flower(tries: dict[str, int], port: int) -> None:
    """Flower counts messages it was told of. A stage that follows another in the same worker has none of its own, a doubled
    message has one and no try, and what was told while the broker was away or a worker was killed never came.
    """
    seen: Counter[str] = Counter()
    for (name, labels), value in scrape(f"http://127.0.0.1:{port}/metrics").items():
        told = dict(labels)
        if name == "flower_events_total" and told["type"] in ("task-succeeded", "task-failed", "task-retried"):
            seen[told["task"].removeprefix("ingest.")] += int(value)
    print(f"{'stage':<12} {'tries on record':>16} {'tasks Flower saw':>17}")
    for stage, number in sorted(tries.items()):
        print(f"{stage:<12} {number:>16} {seen[stage]:>17}")
    print(" ".join((_print_flower.__doc__ or "").split()))
