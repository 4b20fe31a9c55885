"""Whatever the first engine does, every scan of a batch ends: by the backup, or before a person.

`DISASTER_SCANS` says how many scans a batch has; `make nightly` takes 50.
"""

from __future__ import annotations

import io
import os

import pytest
from PIL import Image

from ingest import ocr, relay, runner
from ingest.models import Attempt
from ingest.sandbox import Sandbox
from resumes import intake
from resumes.models import Extraction, Resume
from resumes.states import ACTIVE, SUCCEEDED, State
from tests import disasters

pytestmark = pytest.mark.django_db

SCANS = int(os.environ.get("DISASTER_SCANS", "2"))
LIMIT = 512 << 20


@pytest.fixture(autouse=True)
def engines(monkeypatch):
    """The disasters are engines like the others, here and in the sandbox's child."""
    monkeypatch.setattr(ocr, "ENGINES", disasters.ENGINES)
    held: dict[str, Sandbox] = {}

    def sandbox_for(kind: str) -> Sandbox:
        if kind not in held:
            held[kind] = Sandbox(memory_bytes=LIMIT, name=kind, module="tests.disasters.work")
        return held[kind]

    monkeypatch.setattr("ingest.attempt.sandbox_for", sandbox_for)
    yield
    for sandbox in held.values():
        sandbox.close()


def scan(number: int, frames: int = 1) -> Resume:
    """A picture nobody else sent; what stands on it is the engines' to say."""
    content = io.BytesIO()
    pages = [Image.new("L", (200 + number, 280 + frame), 255) for frame in range(frames)]
    pages[0].save(
        content, "TIFF" if frames > 1 else "PNG", **({"save_all": True, "append_images": pages[1:]} if frames > 1 else {})
    )
    content.seek(0)
    return intake.receive(content, f"scan-{number}", intake.Sender())


def settled(resume: Resume) -> Resume:
    """Run whatever is due; what waits for its next try is made due."""
    for _ in range(40):
        Resume.objects.filter(pk=resume.pk).update(next_attempt_at=None)
        resume.refresh_from_db()
        if not resume.next_stage or (resume.state not in ACTIVE and resume.state not in SUCCEEDED):
            return resume
        runner.run_stages(resume.next_stage, resume.pk, resume.run)
    raise AssertionError(f"still at {resume.next_stage} in {resume.state}")


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("disaster", ["killed", "hanging", "garbage", "greedy"])
def test_every_scan_of_a_batch_is_read_by_the_backup(settings, disaster):
    settings.OCR_CHANNELS = [disaster, "steady"]
    batch = [settled(scan(number)) for number in range(SCANS)]
    assert {(resume.state, resume.level) for resume in batch} == {(State.COMPLETED, "ocr")}
    assert all("steady" in resume.channels for resume in batch)
    assert max(resume.worked_s for resume in batch) < settings.GLEANER_WORK_BUDGET_S


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("disaster", ["killed", "hanging", "garbage", "greedy"])
def test_without_a_backup_every_scan_ends_before_a_person(settings, disaster):
    settings.OCR_CHANNELS = [disaster]
    batch = [settled(scan(number)) for number in range(max(2, SCANS // 10))]
    # What kills every process it meets, in quarantine too, is an operator's, as with every stage.
    ends = {State.REVIEW_NEEDED, State.DEAD_LETTER} if disaster == "killed" else {State.REVIEW_NEEDED}
    assert {resume.state for resume in batch} <= ends
    assert {resume.failure_code for resume in batch} <= {
        "no_text_layer", "ocr_low_confidence", "timeout", "out_of_memory", "breaker_open",
        "dependency_unavailable", "worker_lost",
    }  # fmt: skip


def test_a_page_that_takes_too_long_goes_to_the_backup_at_once(settings):
    settings.OCR_CHANNELS = ["hanging", "steady"]
    resume = settled(scan(1))
    channels = list(Attempt.objects.filter(resume=resume, stage="ocr").values_list("channel", flat=True))
    assert channels == ["hanging", "steady"]


def test_pages_that_were_read_are_kept_when_the_worker_dies_and_not_read_again(settings, monkeypatch):
    settings.OCR_CHANNELS = ["steady"]
    resume = scan(7, frames=3)
    runner.run_stages("extract", resume.pk, 1)
    asked: list[int] = []
    real = runner.StageTools.call

    def call(tools, kind, function, payload, *, deadline_s):
        if function == "ocr_pages":
            asked.extend(payload["pages"])
            if len(asked) == 3:
                raise KeyboardInterrupt  # as if the worker's process went
        return real(tools, kind, function, payload, deadline_s=deadline_s)

    monkeypatch.setattr(runner.StageTools, "call", call)
    with pytest.raises(KeyboardInterrupt):
        runner.run_stages("ocr", resume.pk, 1)
    row = Attempt.objects.get(resume=resume, stage="ocr")
    assert (row.pages_read, row.pages_wanted) == (2, 3)
    pages = Extraction.objects.get(resume=resume).reading["pages"]
    assert [page["q"] for page in pages] == ["good", "good", "absent"]

    Resume.objects.filter(pk=resume.pk).update(lease_until="2000-01-01T00:00Z")
    assert relay.free_expired() == 1
    assert settled(resume).state == State.COMPLETED
    assert asked == [1, 2, 3, 3]


def test_a_worker_taken_for_dead_keeps_no_more_pages(settings):
    settings.OCR_CHANNELS = ["steady"]
    resume = scan(8, frames=2)
    runner.run_stages("extract", resume.pk, 1)
    stage = runner.STAGES["ocr"]
    taken = runner._take(stage, resume.pk, 1)
    Resume.objects.filter(pk=resume.pk).update(token=None, lease_until=None)
    done = runner._run(taken)
    assert done is None
    assert [page["q"] for page in Extraction.objects.get(resume=resume).reading["pages"]] == ["absent", "absent"]
