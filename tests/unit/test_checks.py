import pytest
from django.core import checks

from ingest.checks import alert_addresses, claims_and_recovery, delivery, time_limits


@pytest.mark.parametrize(
    ("check", "changes", "expected"),
    [
        (time_limits, {}, []),
        (time_limits, {"CELERY_TASK_SOFT_TIME_LIMIT": 60}, ["ingest.E001"]),
        (time_limits, {"CELERY_TASK_TIME_LIMIT": 600}, ["ingest.E002"]),
        (time_limits, {"CELERY_VISIBILITY_TIMEOUT": 700}, ["ingest.E003"]),
        (delivery, {}, []),
        (delivery, {"CELERY_WORKER_PREFETCH_MULTIPLIER": 4}, ["ingest.E004"]),
        (delivery, {"CELERY_TASK_ACKS_LATE": False}, ["ingest.E004"]),
        (delivery, {"CELERY_TASK_REJECT_ON_WORKER_LOST": True}, ["ingest.E005"]),
        (delivery, {"CELERY_VISIBILITY_TIMEOUT": 901}, ["ingest.E006"]),
        (claims_and_recovery, {}, []),
        (claims_and_recovery, {"GLEANER_RELAY_S": 60}, ["ingest.W001"]),
        (claims_and_recovery, {"GLEANER_LEASE_S": 40}, ["ingest.W001"]),
        (alert_addresses, {}, []),
        (alert_addresses, {"GLEANER_ALERT_EMAIL": "ops@example.org, night@example.org"}, []),
        (alert_addresses, {"GLEANER_ALERT_EMAIL": "ops@example.org, nobody"}, ["ingest.E007"]),
        (alert_addresses, {"GLEANER_ALERT_WEBHOOK": "https://hooks.example.org/x"}, []),
        (alert_addresses, {"GLEANER_ALERT_WEBHOOK": "hooks.example.org/x"}, ["ingest.E008"]),
        (alert_addresses, {"GLEANER_ALERT_WEBHOOK": "file:///etc/passwd"}, ["ingest.E008"]),
    ],
)
def test_settings_that_contradict_each_other_are_found(settings, check, changes, expected):
    for name, value in changes.items():
        setattr(settings, name, value)
    assert [problem.id for problem in check(None)] == expected


@pytest.mark.parametrize("check", [time_limits, delivery, claims_and_recovery, alert_addresses])
def test_each_check_runs_at_the_start(check):
    assert check in checks.registry.registry.get_checks()
