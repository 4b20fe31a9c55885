"""What is shipped for Prometheus and Grafana speaks of metrics that exist, and each alert has a test and a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from ingest import canary, heartbeats, metrics
from ingest.models import Heartbeat

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[3]
MONITORING = ROOT / "deploy" / "monitoring"
FILES = [yaml.safe_load(file.read_text()) for file in sorted((MONITORING / "rules").glob("*.yml"))]
RULES = [rule for file in FILES for group in file["groups"] for rule in group["rules"]]
ALERTS = {rule["alert"]: rule for rule in RULES if "alert" in rule}
RECORDED = {rule["record"] for rule in RULES if "record" in rule}
DASHBOARD = json.loads((MONITORING / "grafana" / "dashboards" / "gleaner.json").read_text())
QUERIES = {
    f"{panel['title']}: {target['expr']}": target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", ())
}
SEVERITIES = {"info", "warning", "critical"}
_OURS = re.compile(r"\bgleaner_[a-z0-9_]+|\b[a-z_]*:gleaner_[a-z_]+:[a-z0-9_]+|\bgleaner:[a-z_]+:[a-z0-9_]+")


def names_in(expression: str) -> set[str]:
    return set(_OURS.findall(expression))


@pytest.fixture
def exposed(client, monkeypatch) -> set[str]:
    """Names of the series in a scrape of an installation whose processes live and whose broker and breakers answer."""
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 0))
    monkeypatch.setattr("ingest.breaker.state", lambda _channel: metrics.breaker.BreakerState.CLOSED)
    heartbeats.beat(Heartbeat.Kind.WORKER, "all@here", ["cpu"], took={"cpu": 1.0})
    heartbeats.beat(Heartbeat.Kind.RELAY, "relay")
    heartbeats.beat(Heartbeat.Kind.BEAT, "beat")
    metrics.forget()
    page = client.get("/metrics").content.decode()
    families = list(text_string_to_metric_families(page))
    return {sample.name for family in families for sample in family.samples} | {
        f"gleaner_{name}" for name in ("field_corrections_total", "manual_intervention_ratio") if f"TYPE gleaner_{name}" in page
    }


def test_every_metric_of_a_rule_or_a_panel_exists(exposed):
    expressions = [rule["expr"] for rule in RULES] + list(QUERIES.values())
    named = set().union(*map(names_in, expressions))
    assert len(named) > 25
    assert named - exposed - RECORDED == set()


@pytest.mark.parametrize("name", sorted(ALERTS))
def test_an_alert_has_a_summary_a_severity_a_page_and_tests_both_ways(name):
    rule = ALERTS[name]
    assert rule["labels"]["severity"] in SEVERITIES
    assert rule["annotations"]["summary"]
    page = ROOT / rule["annotations"]["runbook"]
    assert page.read_text().startswith(f"# {name}\n")
    tests = yaml.safe_load((MONITORING / "tests" / "alerts.yml").read_text())["tests"]
    fires = [bool(check["exp_samples"]) for test in tests for check in test["promql_expr_test"] if f'"{name}"' in check["expr"]]
    assert set(fires) == {True, False}


def test_the_dashboard_reads_from_top_to_bottom_as_operators_do():
    rows = [panel["title"] for panel in DASHBOARD["panels"] if panel["type"] == "row"]
    assert rows[0] == "Is it healthy?"
    assert rows[1:] == ["Flow", "Stages and levels", "Dependencies", "Queues and workers", "Review", "Batches"]
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)


def test_no_source_is_written_into_a_panel():
    sources = [target["datasource"]["uid"] for panel in DASHBOARD["panels"] for target in panel.get("targets", ())]
    assert set(sources) == {"${datasource}"}


def test_a_canary_goes_into_empty_queues_only(monkeypatch):
    sent = []
    monkeypatch.setattr(canary, "_last", float("-inf"))
    monkeypatch.setattr("ingest.broker.queue_depths", lambda _queues: {"cpu": 0, "ocr": 3})
    monkeypatch.setattr("celery.current_app.send_task", lambda name, **options: sent.append((name, options["queue"])))
    canary.release()
    canary.release()  # the next one is due in half a minute
    assert sent == [(canary.TASK, "cpu")]
