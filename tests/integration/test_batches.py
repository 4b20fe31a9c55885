import datetime as dt
import io
import zipfile

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from ingest import archives, batches
from ingest.batches import BatchClosed, BatchState, Declared, Phase
from ingest.dossier import MemberFile
from ingest.models import Batch, BatchEntry, Outcome
from ingest.reconcile import compare, reconcile, reconcile_open
from ingest.tasks import reconcile_batch
from resumes.models import Resume
from resumes.states import State
from resumes.transitions import move
from tests.texts import ALICE

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return User.objects.create_user("rita")


def add(batch: Batch, name: str = "alice.txt", content: bytes | None = None) -> BatchEntry:
    return batches.add_file(batch, io.BytesIO(ALICE.encode() if content is None else content), name)


def end(entry: BatchEntry, *way: State) -> None:
    for state in way:
        move(entry.resume, state, node="test", reason="test")


def complete(entry: BatchEntry) -> None:
    end(entry, State.PARSING, State.COMPLETED)


def distinct(number: int) -> bytes:
    return ALICE.replace("alice.archer", f"alice{number}").encode()


def test_a_declared_list_has_entries_before_anything_is_sent(owner):
    batch = batches.open_batch(owner, "May", expected=[Declared("a.txt"), Declared("b.txt")])
    now = batches.standing(batch)
    assert (now.declared, now.files, now.received, now.missing) == (2, 0, 0, 2)
    assert (now.phase, now.state) == (Phase.RECEIVING, BatchState.PROCESSING)


def test_a_sent_file_takes_the_place_it_was_declared_for(owner):
    batch = batches.open_batch(owner, "May", expected=[Declared("a.txt"), Declared("b.txt")])
    entry = add(batch, "b.txt")
    assert entry.number == 2
    assert batch.entries.count() == 2


def test_a_file_nobody_declared_gets_an_entry_of_its_own(owner):
    batch = batches.open_batch(owner, "May", expected=[Declared("a.txt")])
    add(batch, "surprise.txt")
    assert batch.entries.count() == 2


def test_a_batch_seals_itself_at_its_declared_count(owner):
    batch = batches.open_batch(owner, "May", expected=2)
    add(batch, "a.txt", distinct(1))
    assert Batch.objects.get().sealed_at is None
    add(batch, "b.txt", distinct(2))
    assert Batch.objects.get().sealed_at is not None


def test_nothing_can_be_added_to_a_sealed_batch(owner):
    batch = batches.open_batch(owner, "May")
    batches.seal(batch)
    with pytest.raises(BatchClosed):
        add(batch)


def test_a_file_refused_at_the_door_is_an_item_with_its_reason_and_takes_no_other_with_it(owner):
    batch = batches.open_batch(owner, "May")
    good, bad, also_good = add(batch, "a.txt", distinct(1)), add(batch, "b.pdf", b""), add(batch, "c.txt", distinct(3))
    assert [entry.resume.state for entry in (good, bad, also_good)] == [State.PENDING, State.REJECTED, State.PENDING]
    assert (bad.resume.failure_class, bad.resume.failure_code) == ("preprocess", "empty_file")
    assert Outcome.objects.get().entry_id == bad.pk


def test_the_same_bytes_again_are_left_out_on_record(owner):
    batch = batches.open_batch(owner, "May")
    first, second = add(batch, "a.txt"), add(batch, "copy of a.txt")
    assert (second.resume.state, second.resume.duplicate_of) == (State.SKIPPED, first.resume)
    assert second.resume.transitions.last().reason.startswith("duplicate")


def test_the_same_bytes_are_parsed_again_where_the_batch_says_so(owner):
    batch = batches.open_batch(owner, "May", on_duplicate=Batch.OnDuplicate.PARSE)
    add(batch, "a.txt")
    assert add(batch, "again.txt").resume.state == State.PENDING


def test_bytes_of_another_user_are_no_duplicate(owner):
    other = User.objects.create_user("oscar")
    add(batches.open_batch(other, "his"))
    assert add(batches.open_batch(owner, "hers")).resume.state == State.PENDING


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        (["complete", "complete"], BatchState.SUCCEEDED),
        (["complete", "reject"], BatchState.PARTIALLY_SUCCEEDED),
        (["reject", "reject"], BatchState.FAILED),
        (["complete", "skip"], BatchState.SUCCEEDED),
        (["review", "complete"], BatchState.PROCESSING),
    ],
)
def test_the_state_follows_from_the_ends(owner, ends, expected):
    ways = {
        "complete": (State.PARSING, State.COMPLETED),
        "reject": (State.PARSING, State.REJECTED),
        "skip": (State.SKIPPED,),
        "review": (State.PARSING, State.REVIEW_NEEDED),
    }
    batch = batches.open_batch(owner, "May")
    for number, how in enumerate(ends):
        end(add(batch, f"{number}.txt", distinct(number)), *ways[how])
    batches.seal(batch)
    assert batches.standing(batch).state is expected


def test_a_batch_waits_for_people_when_only_they_have_a_move(owner):
    batch = batches.open_batch(owner, "May")
    entry = add(batch)
    end(entry, State.PARSING, State.REVIEW_NEEDED)
    batches.seal(batch)
    assert batches.standing(batch).phase is Phase.AWAITING_PEOPLE
    end(entry, State.REVIEWED)
    assert batches.standing(batch).phase is Phase.FINISHED


def test_cancelling_stops_what_has_not_begun(owner):
    batch = batches.open_batch(owner, "May")
    begun, waiting = add(batch, "a.txt", distinct(1)), add(batch, "b.txt", distinct(2))
    end(begun, State.PARSING)
    assert batches.cancel(batch, "user:1") == 1
    waiting.resume.refresh_from_db()
    assert waiting.resume.state == State.SKIPPED
    assert batch.sealed_at is not None


def test_a_withdrawn_file_is_skipped_on_record_and_not_missing(owner):
    batch = batches.open_batch(owner, "May", expected=[Declared("a.txt"), Declared("b.txt")])
    complete(add(batch, "a.txt"))
    taken = batches.withdraw(batch, ["b.txt"], "candidate withdrew", "user:1")
    batches.seal(batch)
    report = reconcile(batch.pk)
    assert [entry.resume.state for entry in taken] == [State.SKIPPED]
    assert report.ok
    assert (report.data["declared"], report.data["files"], report.data["skipped"]) == (2, 2, 1)


def zipped(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number, name in enumerate(names):
            archive.writestr(name, distinct(100 + number))
    return content.getvalue()


@pytest.fixture
def member(tmp_path):
    """A document of an archive that has passed the door."""

    def member(name: str, number: int) -> MemberFile:
        (tmp_path / "member").write_bytes(distinct(number))
        return archives.admit((MemberFile(name, tmp_path / "member"),))[0]

    return member


def unpack(entry: BatchEntry, *members: MemberFile) -> None:
    """The end of unpacking, as the runner writes it."""
    archives.enter_members(entry.resume, members)
    move(entry.resume, State.SKIPPED, node="extract", reason="archive unpacked")


def test_what_comes_out_of_an_archive_after_its_batch_was_cancelled_is_left_out(owner, member):
    batch = batches.open_batch(owner, "May")
    entry = add(batch, "two.zip", zipped("a.txt", "b.txt"))
    move(entry.resume, State.PARSING, node="extract", reason="claimed")
    batches.cancel(batch, "user:1")
    unpack(entry, member("a.txt", 1), member("copy of a.txt", 1), MemberFile("locked.pdf", None, "encrypted"))
    assert batches.standing(batch).counts == {"SKIPPED": 2, "REJECTED": 1}
    left_out = batch.entries.get(filename="two.zip!a.txt").resume.transitions.last()
    assert (left_out.to_state, left_out.reason) == ("SKIPPED", "batch cancelled")
    assert compare(batch)["ok"]


@pytest.mark.parametrize("close", [batches.seal, lambda batch: batches.cancel(batch, "user:1")])
def test_a_batch_that_was_closed_while_files_were_on_their_way_takes_no_more_of_them(owner, close):
    """The sender's own picture of the batch is older than what somebody else has done to it."""
    batch = batches.open_batch(owner, "May")
    add(batch, "a.txt", distinct(1))
    close(Batch.objects.get(pk=batch.pk))
    with pytest.raises(BatchClosed):
        add(batch, "b.txt", distinct(2))
    assert batch.entries.count() == 1


@pytest.mark.parametrize("expected", [0, []])
def test_a_batch_of_which_nothing_is_expected_is_sealed_and_done_at_once(owner, expected):
    batch = batches.open_batch(owner, "none today", expected=expected)
    now = batches.standing(batch)
    assert (batch.sealed_at is not None, now.phase, now.state, now.progress) == (True, Phase.FINISHED, BatchState.SUCCEEDED, 1.0)
    assert reconcile(batch.pk).ok
    assert Batch.objects.get().finished_at is not None


@pytest.mark.parametrize(("places", "left"), [(0, 3), (2, 1), (3, 0), (9, 0)])
def test_places_that_a_count_has_declared_are_taken_back_by_number(owner, places, left):
    batch = batches.open_batch(owner, "May", expected=4)
    complete(add(batch, "a.txt"))
    taken = batches.withdraw(batch, [], "three fewer", "user:1", places=places)
    assert [entry.resume.state for entry in taken] == [State.SKIPPED] * (3 - left)
    assert batches.standing(batch).missing == left
    assert (Batch.objects.get().sealed_at is not None) is (left == 0)
    batches.seal(batch)
    assert reconcile(batch.pk).ok is (left == 0)


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("cv.txt", "cv.txt"),
        ("team/cv.txt", "cv.txt"),
        ("more/inner.zip!cv.txt", "cv.txt"),
        ("a.zip!b.zip!c/cv.txt", "cv.txt"),
        ("hire me!.txt", "hire me!.txt"),
        ("inner.zip!hire me!.txt", "hire me!.txt"),
    ],
)
def test_a_member_is_called_by_its_own_name_and_its_item_by_the_whole_way(owner, member, inside, shown):
    batch = batches.open_batch(owner, "May")
    entry = add(batch, "two.zip", zipped("a.txt"))
    move(entry.resume, State.PARSING, node="extract", reason="claimed")
    unpack(entry, member(inside, 1), MemberFile(inside, None, "encrypted"))
    found = batch.entries.filter(archive=entry).select_related("resume")
    assert [(item.filename, item.resume.filename) for item in found] == [(f"two.zip!{inside}", shown)] * 2


def test_members_count_in_the_place_of_their_archive(owner, member):
    batch = batches.open_batch(owner, "May")
    entry = add(batch, "two.zip", zipped("a.txt", "b.txt"))
    move(entry.resume, State.PARSING, node="extract", reason="claimed")
    unpack(entry, member("a.txt", 1), MemberFile("locked.pdf", None, "encrypted"))
    now = batches.standing(batch)
    assert (now.files, now.received) == (1, 2)
    assert now.counts == {"PENDING": 1, "REJECTED": 1}
    assert not Outcome.objects.filter(entry_id=entry.pk).exists()
    assert list(batch.entries.filter(archive=entry).values_list("filename", flat=True)) == ["two.zip!a.txt", "two.zip!locked.pdf"]


# -- reconciliation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "names", "sums"),
    [
        (None, ["a.txt", "b.txt"], (None, 0, 2, 0)),
        (3, ["a.txt", "b.txt"], (3, 0, 2, 1)),
        ([Declared("a.txt"), Declared("b.txt")], ["a.txt", "c.txt", "d.txt"], (2, 2, 3, 1)),
        ([Declared("a.txt", "0" * 64)], ["a.txt"], (1, 1, 1, 1)),
        ([Declared("a.zip")], ["a.zip", "b.txt"], (1, 1, 2, 0)),
    ],
)
def test_what_was_declared_and_what_came_add_up(owner, member, expected, names, sums):
    batch = batches.open_batch(owner, "May", expected=expected)
    for number, name in enumerate(names):
        if name.endswith(".zip"):
            entry = batches.add_file(batch, io.BytesIO(zipped("x.txt", "y.txt")), name, more=True)
            move(entry.resume, State.PARSING, node="extract", reason="claimed")
            unpack(entry, member("x.txt", 50), member("y.txt", 51))
        else:
            batches.add_file(batch, io.BytesIO(distinct(number)), name, more=True)
    batches.seal(batch)
    report = compare(batch)
    declared, undeclared, files, missing = sums
    assert (report["declared"], report["undeclared"], report["files"]) == (declared, undeclared, files)
    assert len([item for item in report["anomalies"]["missing"] if not item["came"]]) == missing
    assert report["received"] == sum(report[group] for group in ("succeeded", "reviewed", "rejected", "skipped", "open"))


@pytest.fixture
def drained(owner):
    """A sealed batch of three: two completed, one refused."""
    batch = batches.open_batch(owner, "May")
    for number in range(2):
        complete(add(batch, f"{number}.txt", distinct(number)))
    add(batch, "empty.pdf", b"")
    batches.seal(batch)
    return batch


def test_a_clean_batch_adds_up(drained):
    report = compare(drained)
    assert report["ok"]
    assert (report["files"], report["received"], report["succeeded"], report["rejected"], report["open"]) == (3, 3, 2, 1, 0)


def test_a_lost_end_is_named_as_missing(drained):
    lost = Outcome.objects.filter(result="COMPLETED").first()
    Outcome.objects.filter(pk=lost.pk).delete()
    report = reconcile(drained.pk)
    assert [item["id"] for item in report.data["anomalies"]["missing"]] == [str(lost.entry_id)]
    assert batches.standing(drained).state is BatchState.RECONCILIATION_ERROR


def test_a_lost_resume_is_named_as_missing(drained):
    entry = drained.entries.get(number=1)
    Outcome.objects.filter(entry_id=entry.pk).delete()
    Resume.objects.filter(pk=entry.resume_id).delete()
    assert [item["id"] for item in compare(drained)["anomalies"]["missing"]] == [str(entry.pk)]


def copy_of(outcome: Outcome, **changes) -> None:
    values = {name: getattr(outcome, name) for name in ("batch_id", "entry_id", "resume_id", "run", "result")}
    Outcome.objects.create(**values | changes)


def test_a_second_success_is_named_as_duplicate(drained):
    copy_of(Outcome.objects.filter(result="COMPLETED").first())
    assert len(compare(drained)["anomalies"]["duplicate"]) == 1


def test_an_end_that_belongs_to_no_entry_is_named_as_orphan(drained):
    import uuid

    copy_of(Outcome.objects.first(), entry_id=uuid.uuid4())
    assert len(compare(drained)["anomalies"]["orphan"]) == 1


def test_two_different_ends_of_one_run_are_named(drained):
    copy_of(Outcome.objects.filter(result="COMPLETED").first(), result="REJECTED")
    assert len(compare(drained)["anomalies"]["multiple_terminal"]) == 1


def test_an_error_clears_only_by_a_clean_report(drained):
    wrong = Outcome.objects.create(
        batch_id=drained.pk,
        entry_id=drained.entries.first().pk,
        resume_id=drained.entries.first().resume_id,
        run=1,
        result="REJECTED",
    )
    reconcile(drained.pk)
    Outcome.objects.filter(pk=wrong.pk).delete()
    assert batches.standing(drained).state is BatchState.RECONCILIATION_ERROR
    reconcile(drained.pk)
    assert batches.standing(drained).state is BatchState.PARTIALLY_SUCCEEDED


def test_a_declared_file_that_never_came_is_missing(owner):
    batch = batches.open_batch(owner, "May", expected=[Declared("a.txt"), Declared("b.txt")])
    complete(add(batch, "a.txt"))
    batches.seal(batch)
    report = reconcile(batch.pk)
    assert [item["filename"] for item in report.data["anomalies"]["missing"]] == ["b.txt"]
    assert report.data["declared"] == report.data["files"] + len(report.data["anomalies"]["missing"])


def test_work_still_going_on_is_open_and_not_missing(owner):
    batch = batches.open_batch(owner, "May")
    add(batch)
    batches.seal(batch)
    report = compare(batch)
    assert (report["ok"], report["open"]) == (True, 1)


def test_a_later_run_is_judged_by_its_own_end(drained):
    from resumes.transitions import reopen

    entry = drained.entries.get(number=1)
    resume = Resume.objects.get(pk=entry.resume_id)
    reopen(resume, State.PENDING, node="api", reason="again", actor="user:1")
    assert compare(drained)["open"] == 1
    move(resume, State.REJECTED, node="x", reason="x")
    report = compare(drained)
    assert report["ok"]
    assert (report["succeeded"], report["rejected"]) == (1, 2)


def test_the_number_of_queries_does_not_grow_with_the_batch(owner, django_assert_max_num_queries):
    batch = batches.open_batch(owner, "May")
    for number in range(30):
        complete(add(batch, f"{number}.txt", distinct(number)))
    batches.seal(batch)
    with django_assert_max_num_queries(8):
        compare(batch)


def test_the_pace_is_that_of_automatic_work_in_the_last_minutes(owner):
    """What was refused at the door, left out as known, or done by a person long after says nothing about the rest."""
    batch = batches.open_batch(owner, "May")
    entries = [add(batch, f"{number}.txt", distinct(number)) for number in range(6)]
    add(batch, "empty.txt", b"")
    add(batch, "again.txt", distinct(1))
    Batch.objects.filter(pk=batch.pk).update(created_at=timezone.now() - dt.timedelta(minutes=30), sealed_at=timezone.now())
    batch.refresh_from_db()
    now = batches.standing(batch)
    assert (now.per_minute, now.seconds_left) == (0.0, None)
    Resume.objects.filter(pk__in=[entry.resume.pk for entry in entries[:4]]).update(attempts=1)
    for entry in entries[:3]:
        complete(entry)
    end(entries[3], State.PARSING, State.REVIEW_NEEDED, State.REVIEWED)
    Resume.objects.filter(pk=entries[2].resume.pk).update(state_since=timezone.now() - dt.timedelta(minutes=6))
    now = batches.standing(batch)
    assert (now.per_minute, now.seconds_left) == (0.4, 300.0)


def test_the_periodic_job_looks_at_what_has_not_drained_too_and_stores_what_is_new(owner):
    batch = batches.open_batch(owner, "May")
    first, second = add(batch, "a.txt", distinct(1)), add(batch, "b.txt", distinct(2))
    batches.seal(batch)
    assert [reconcile_open(), reconcile_open()] == [1, 1]
    assert batch.reports.count() == 1
    complete(first)
    reconcile_open()
    assert [report.data["open"] for report in batch.reports.order_by("id")] == [2, 1]
    copy_of(Outcome.objects.get())
    reconcile_open()
    assert batch.reports.latest("id").data["anomalies"]["duplicate"]
    assert batches.standing(batch).state is BatchState.PROCESSING
    complete(second)
    reconcile_open()
    assert (reconcile_open(), batches.standing(batch).state) == (0, BatchState.RECONCILIATION_ERROR)


def test_a_batch_of_which_much_is_taken_back_at_once_is_reconciled_once(owner, sent, django_capture_on_commit_callbacks):
    batch = batches.open_batch(owner, "May", expected=[Declared(f"{number}.txt") for number in range(5)])
    batches.seal(batch)
    with django_capture_on_commit_callbacks(execute=True):
        batches.withdraw(batch, [f"{number}.txt" for number in range(5)], "none will come", "user:1")
    asked = [message.payload for message in sent if message.topic == "ingest.reconcile_batch"]
    assert len(asked) > 5
    for payload in asked:
        reconcile_batch(**payload)
    assert [report.ok for report in batch.reports.all()] == [True]
    reconcile_batch(str(batch.pk), timezone.now().isoformat())
    assert batch.reports.count() == 2


def test_every_kind_is_told_from_every_other_in_one_batch(owner):
    """As many queries as for a batch in order, and each item under its own kinds alone."""
    import uuid

    batch = batches.open_batch(owner, "May", expected=[Declared("never.txt")])
    sound, twice, torn, lost, running = (add(batch, f"{name}.txt", distinct(number)) for number, name in enumerate("abcde"))
    for entry in (sound, twice, torn, lost):
        complete(entry)
    copy_of(Outcome.objects.get(entry_id=twice.pk))
    copy_of(Outcome.objects.get(entry_id=torn.pk), result="SKIPPED")
    copy_of(Outcome.objects.get(entry_id=torn.pk, result="COMPLETED"), result="REVIEWED")
    Outcome.objects.filter(entry_id=lost.pk).delete()
    stranger = uuid.uuid4()
    copy_of(Outcome.objects.get(entry_id=sound.pk), entry_id=stranger)
    copy_of(Outcome.objects.get(entry_id=sound.pk), resume_id=None)
    copy_of(Outcome.objects.get(entry_id=sound.pk, resume_id=sound.resume_id), run=7, result="REJECTED")  # no run of its own
    batches.seal(batch)
    report = compare(batch)
    named = {kind: {item.get("filename", item["id"]) for item in items} for kind, items in report["anomalies"].items()}
    assert named == {
        "missing": {"never.txt", "d.txt"},
        "duplicate": {"b.txt", "c.txt"},
        "multiple_terminal": {"c.txt"},
        "orphan": {str(stranger), str(sound.pk)},
    }
    assert (report["received"], report["succeeded"], report["open"]) == (5, 3, 1)
    assert running.resume.state == State.PENDING


# -- what was announced, and what came -----------------------------------------------------------------------------


def test_other_content_under_an_announced_name_is_another_file_and_the_announced_one_is_missing(owner):
    batch = batches.open_batch(owner, "May", expected=[Declared("a.txt", "0" * 64)])
    complete(add(batch, "a.txt"))
    batches.seal(batch)
    report = reconcile(batch.pk)
    assert [(item["filename"], item["came"]) for item in report.data["anomalies"]["missing"]] == [("a.txt", False)]
    assert (report.data["received"], report.data["succeeded"]) == (1, 1)
    assert batch.entries.get(received_at=None).sha256 == "0" * 64


def test_announced_content_is_known_again_under_another_name(owner):
    import hashlib

    batch = batches.open_batch(owner, "May", expected=[Declared("a.txt", hashlib.sha256(ALICE.encode()).hexdigest())])
    add(batch, "renamed.txt")
    assert batch.entries.count() == 1
    assert Batch.objects.get().sealed_at is not None


def test_a_batch_is_processing_until_every_item_has_its_end_even_if_something_is_missing(owner):
    batch = batches.open_batch(owner, "May", expected=[Declared("a.txt"), Declared("b.txt")])
    entry = add(batch, "a.txt")
    batches.seal(batch)
    assert batches.standing(batch).state is BatchState.PROCESSING
    complete(entry)
    assert batches.standing(batch).state is BatchState.RECONCILIATION_ERROR


def test_a_file_that_could_not_be_handed_over_is_an_item_too(owner):
    batch = batches.open_batch(owner, "May")
    entry = batches.add_refused(batch, "locked.pdf", "storage_denied", node="command")
    assert (entry.resume.state, entry.resume.failure_code) == (State.REJECTED, "storage_denied")
    assert batches.standing(batch).received == 1
