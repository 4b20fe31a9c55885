"""An export made by a worker: asked for over REST, fetched by its link, its task's result kept for people to see."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.house import House, until

pytestmark = pytest.mark.timeout(120)

_RESULT = """
import json
from django_celery_results.models import TaskResult
from ingest.models import Export
task = TaskResult.objects.get(task_id=Export.objects.get(pk="{job}").task_id)
print(json.dumps([task.status, json.loads(task.result), task.task_args, task.task_kwargs]))
"""


def test_an_export_is_made_in_the_background_and_fetched_by_its_link(house: House, tmp_path: Path) -> None:
    house.start_broker()
    house.start_web()
    batch = house.call("POST", "batches/", json={"name": "Autumn", "expected": 2}).json()["id"]
    for number, text in enumerate(("Shopping list\n\nflour\n", "")):
        house.call("POST", f"batches/{batch}/resumes/", files={"files": (f"{number}.txt", text.encode())})
    job = house.call("POST", "exports/", json={"batch": batch, "format": "jsonl"}).json()
    assert (job["state"], job["file"]) == ("waiting", None), "nobody is there yet to make it"

    house.start_worker("worker", "default")

    def made() -> Any:
        found = house.get(f"exports/{job['id']}/")
        return found if found["state"] == "ready" else None

    ready = until("the export is ready", made)
    rows = [json.loads(line) for line in house.call("GET", f"exports/{job['id']}/file/").text.splitlines()]
    assert [row["outcome"] for row in rows] == ["open", "failed"]
    status, result, arguments, names = json.loads(
        house.manage("shell", "--verbosity", "0", "-c", _RESULT.format(job=uuid.UUID(job["id"])))
    )
    assert (status, result) == ("SUCCESS", {"items": 2, "bytes": ready["size_bytes"]})
    assert (arguments, names) == (None, None), "results hold no arguments"
