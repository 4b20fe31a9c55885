import pytest

from ingest.checks import time_limits


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"CELERY_TASK_SOFT_TIME_LIMIT": 60}, ["ingest.E001"]),
        ({"CELERY_TASK_TIME_LIMIT": 600}, ["ingest.E002"]),
        ({"CELERY_VISIBILITY_TIMEOUT": 700}, ["ingest.E003"]),
    ],
)
def test_time_limits_that_contradict_each_other_are_refused(settings, changes, expected):
    for name, value in changes.items():
        setattr(settings, name, value)
    assert [problem.id for problem in time_limits(None)] == expected
