"""The shapes of batches, items, failures and reports in the API (CONTRACT section 2)."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from ingest.batches import BatchState, Phase, Standing
from ingest.failure_queue import Action, Who, possible, what_next, whose_move
from ingest.models import Batch, BatchEntry
from resumes.api.addresses import OutwardURL
from resumes.api.naming import PlainNames
from resumes.api.resume_shapes import FailureShape
from resumes.messages import advice, failure_json
from resumes.models import Source
from resumes.states import State


class DeclaredFile(serializers.Serializer[Any]):
    filename = serializers.CharField(max_length=255)
    sha256 = serializers.RegexField(r"^[0-9a-fA-F]{64}$", required=False, default="", allow_blank=True)


_DECLARED_FILE = {
    "type": "object",
    "properties": {
        "filename": {"type": "string", "minLength": 1, "maxLength": 255},
        "sha256": {"type": "string", "pattern": "^([0-9a-fA-F]{64})?$"},
    },
    "required": ["filename"],
}


@extend_schema_field({"oneOf": [{"type": "integer", "minimum": 0}, {"type": "array", "items": _DECLARED_FILE}]})
class Expected(serializers.Field[Any, Any, Any, Any]):
    """How many files will come, or which."""

    MOST = 100_000

    def to_internal_value(self, data: Any) -> int | list[dict[str, str]]:
        if isinstance(data, str) and re.fullmatch(r"[0-9]{1,9}", data):  # in a form everything is text
            data = int(data)
        if isinstance(data, int) and not isinstance(data, bool):
            if not 0 <= data <= self.MOST:
                raise serializers.ValidationError(_("Between 0 and %(most)d.") % {"most": self.MOST})
            return data
        if isinstance(data, list) and len(data) > self.MOST:
            raise serializers.ValidationError(_("At most %(most)d files.") % {"most": self.MOST})
        if isinstance(data, list):
            files = DeclaredFile(data=data, many=True)
            files.is_valid(raise_exception=True)
            return list(files.validated_data)
        raise serializers.ValidationError(_("A number, or a list of %(shape)s.") % {"shape": '{"filename", "sha256"}'})


class OpenBatch(PlainNames, serializers.Serializer[Any]):
    """What is said when a batch is opened."""

    name = serializers.CharField(max_length=200)
    source_ = serializers.ChoiceField(choices=Source.choices, required=False, default=Source.IMPORTED)
    position = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    urgency = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)
    expected = Expected(required=False, default=None, allow_null=True)
    callback_url = OutwardURL(required=False, default="", allow_blank=True)
    on_duplicate = serializers.ChoiceField(choices=Batch.OnDuplicate.choices, required=False, default=Batch.OnDuplicate.SKIP)
    use_model = serializers.BooleanField(
        required=False, default=True, help_text="Whether its resumes may be shown to a language model, where one is set."
    )


class ArchiveShape(serializers.Serializer[Any]):
    """A sent archive whose members stand in its place."""

    id = serializers.UUIDField()
    filename = serializers.CharField()
    entries = serializers.IntegerField()


class BatchShape(PlainNames, serializers.Serializer[Batch]):
    """A batch as it stands now; `context["standings"]` holds where."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    state = serializers.SerializerMethodField()
    phase = serializers.SerializerMethodField()
    sealed = serializers.SerializerMethodField()
    cancelled = serializers.SerializerMethodField()
    declared = serializers.IntegerField(allow_null=True)
    files = serializers.SerializerMethodField()
    received = serializers.SerializerMethodField()
    open = serializers.SerializerMethodField()
    missing = serializers.SerializerMethodField()
    counts = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()
    per_minute = serializers.SerializerMethodField(help_text="Items done with, at the pace of the last minutes.")
    seconds_left = serializers.SerializerMethodField()
    source_ = serializers.ChoiceField(choices=Source.choices)
    position = serializers.CharField()
    urgency = serializers.CharField()
    on_duplicate = serializers.ChoiceField(choices=Batch.OnDuplicate.choices)
    use_model = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    def _standing(self, batch: Batch) -> Standing:
        standing: Standing = self.context["standings"][batch.pk]
        return standing

    @extend_schema_field(serializers.ChoiceField(choices=[state.value for state in BatchState]))
    def get_state(self, batch: Batch) -> str:
        return self._standing(batch).state.value

    @extend_schema_field(serializers.ChoiceField(choices=[phase.value for phase in Phase]))
    def get_phase(self, batch: Batch) -> str:
        return self._standing(batch).phase.value

    def get_sealed(self, batch: Batch) -> bool:
        return batch.sealed_at is not None

    def get_cancelled(self, batch: Batch) -> bool:
        return batch.cancelled_at is not None

    def get_files(self, batch: Batch) -> int:
        return self._standing(batch).files

    def get_received(self, batch: Batch) -> int:
        return self._standing(batch).received

    def get_open(self, batch: Batch) -> int:
        return self._standing(batch).open

    def get_missing(self, batch: Batch) -> int:
        return self._standing(batch).missing

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
    def get_counts(self, batch: Batch) -> dict[str, int]:
        return self._standing(batch).counts

    def get_progress(self, batch: Batch) -> float:
        return self._standing(batch).progress

    def get_per_minute(self, batch: Batch) -> float:
        return self._standing(batch).per_minute

    def get_seconds_left(self, batch: Batch) -> float | None:
        return self._standing(batch).seconds_left


class BatchLinks(serializers.Serializer[Any]):
    items = serializers.URLField()
    failures = serializers.URLField()
    reconciliation = serializers.URLField()
    export = serializers.URLField()


class BatchDetail(BatchShape):
    """A batch with its unpacked archives, failures by class, and links."""

    archives = serializers.SerializerMethodField()
    failure_classes = serializers.SerializerMethodField()
    links = serializers.SerializerMethodField()

    @extend_schema_field(ArchiveShape(many=True))
    def get_archives(self, batch: Batch) -> list[dict[str, Any]]:  # noqa: ARG002
        return [{"id": entry.pk, "filename": entry.filename, "entries": entry.member_count} for entry in self.context["archives"]]

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
    def get_failure_classes(self, batch: Batch) -> dict[str, int]:
        return self._standing(batch).failure_classes

    @extend_schema_field(BatchLinks)
    def get_links(self, batch: Batch) -> dict[str, str]:
        request = self.context.get("request")
        names = ("items", "failures", "reconciliation", "export")
        return {name: reverse(f"batch-{name}", args=[batch.pk], request=request) for name in names}


def failure_of(entry: BatchEntry) -> dict[str, Any] | None:
    return failure_json(entry.resume.failure_code) if entry.resume else None


class ItemShape(serializers.Serializer[Any]):
    """One resume of a batch, or a declared file that has not come (state null)."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    filename = serializers.CharField()
    resume = serializers.UUIDField(source="resume_id", allow_null=True)
    archive = serializers.UUIDField(source="archive_id", allow_null=True)
    state = serializers.ChoiceField(choices=State.choices, source="resume.state", default=None, allow_null=True)
    attempts = serializers.IntegerField(source="resume.attempts", default=0)
    failure = serializers.SerializerMethodField()
    route = serializers.ListField(child=serializers.CharField(), source="resume.route", default=list)
    completeness = serializers.FloatField(source="resume.completeness", default=None, allow_null=True)
    job_family = serializers.CharField(source="resume.job_family", default="")
    received_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(FailureShape(allow_null=True))
    def get_failure(self, entry: BatchEntry) -> dict[str, Any] | None:
        return failure_of(entry)


class AddedItem(serializers.Serializer[Any]):
    """What became of a sent file."""

    filename = serializers.CharField()
    id = serializers.UUIDField()
    resume = serializers.UUIDField(source="resume_id", allow_null=True)
    state = serializers.ChoiceField(choices=State.choices, source="resume.state", default=None, allow_null=True)
    failure = serializers.SerializerMethodField()
    duplicate_of = serializers.UUIDField(source="resume.duplicate_of_id", default=None, allow_null=True)

    @extend_schema_field(FailureShape(allow_null=True))
    def get_failure(self, entry: BatchEntry) -> dict[str, Any] | None:
        return failure_of(entry)


class Added(serializers.Serializer[Any]):
    """In the order of the files sent."""

    items = AddedItem(many=True)


class AddFiles(serializers.Serializer[Any]):
    files = serializers.ListField(child=serializers.FileField(allow_empty_file=True), allow_empty=False)
    external_ids = serializers.ListField(child=serializers.CharField(max_length=200, allow_blank=True), required=False)


class Failed(PlainNames, serializers.Serializer[Any]):
    """What did not make it by itself: why, whose move is next, and what you can do."""

    failure = serializers.SerializerMethodField()
    class_ = serializers.SerializerMethodField(method_name="get_failure_class")
    code = serializers.SerializerMethodField()
    message = serializers.SerializerMethodField()
    advice = serializers.SerializerMethodField()
    next = serializers.SerializerMethodField()
    who = serializers.SerializerMethodField(help_text="Whose move is next.")
    actions = serializers.SerializerMethodField(help_text="What you can do: see `failures/act/`.")

    def resume_of(self, row: Any) -> Any:
        raise NotImplementedError

    def _code(self, row: Any) -> str:
        resume, waiting = self.resume_of(row), getattr(row, "last_code", None)
        return (resume.failure_code if resume else "") or waiting or ""

    @extend_schema_field(FailureShape(allow_null=True))
    def get_failure(self, row: Any) -> dict[str, Any] | None:
        return failure_json(self._code(row))

    def get_failure_class(self, row: Any) -> str:
        return str((self.get_failure(row) or {}).get("class", ""))

    def get_code(self, row: Any) -> str:
        return self._code(row) or "flagged"

    def get_message(self, row: Any) -> str:
        return str((self.get_failure(row) or {}).get("message") or _("Flagged as inaccurate."))

    def get_advice(self, row: Any) -> str:
        return advice(self._code(row))

    def get_next(self, row: Any) -> str:
        resume = self.resume_of(row)
        return what_next(State(resume.state)) if resume else ""

    @extend_schema_field(serializers.ChoiceField(choices=[who.value for who in Who]))
    def get_who(self, row: Any) -> str:
        return whose_move(State(self.resume_of(row).state)).value

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=[action.value for action in Action])))
    def get_actions(self, row: Any) -> list[str]:
        return [action.value for action in possible(self.resume_of(row), self.context["request"].user)]


class FailedItem(Failed):
    """An item of a batch in the failure queue."""

    id = serializers.UUIDField()
    filename = serializers.CharField()
    resume = serializers.UUIDField(source="resume_id")
    state = serializers.ChoiceField(choices=State.choices, source="resume.state")
    attempts = serializers.IntegerField(source="resume.attempts")
    next_attempt_at = serializers.DateTimeField(source="resume.next_attempt_at", allow_null=True)

    def resume_of(self, row: Any) -> Any:
        return row.resume


class FailedResume(Failed):
    """A resume in the failure queue, whether it came in a batch or alone."""

    id = serializers.UUIDField()
    filename = serializers.CharField()
    batch = serializers.SerializerMethodField()
    state = serializers.ChoiceField(choices=State.choices)
    attempts = serializers.IntegerField()
    next_attempt_at = serializers.DateTimeField(allow_null=True)
    received_at = serializers.DateTimeField()

    def resume_of(self, row: Any) -> Any:
        return row

    @extend_schema_field(serializers.UUIDField(allow_null=True))
    def get_batch(self, row: Any) -> str | None:
        return next((str(entry.batch_id) for entry in row.entries.all()), None)


class ActOnFailures(serializers.Serializer[Any]):
    """What to do with which resumes."""

    action = serializers.ChoiceField(choices=[action.value for action in Action])
    resumes = serializers.ListField(child=serializers.UUIDField(), allow_empty=False, max_length=500)
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=150)
    channel = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=20,
        help_text="With `retry`: the one OCR engine that pictures are read with, such as tesseract.",
    )


class Acted(serializers.Serializer[Any]):
    """What became of each, in the order asked for."""

    resume = serializers.UUIDField()
    done = serializers.BooleanField()
    code = serializers.CharField(help_text="Why it was left as it is: not_found, wrong_state, no_file, held, moved, …")
    state = serializers.ChoiceField(choices=State.choices, allow_null=True)


class ActedOn(serializers.Serializer[Any]):
    results = Acted(many=True)


class LetterShape(serializers.Serializer[Any]):
    """What to write to the sender, in the language of the resume."""

    language = serializers.CharField()
    subject = serializers.CharField()
    body = serializers.CharField()


class Withdraw(serializers.Serializer[Any]):
    filenames = serializers.ListField(
        child=serializers.CharField(max_length=255), required=False, default=list, max_length=10_000
    )
    places = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=Expected.MOST, help_text="How many of those declared by a count alone."
    )
    reason = serializers.CharField(max_length=150)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["filenames"] and not attrs["places"]:
            raise serializers.ValidationError({"filenames": [_("Name the files, or say how many places.")]})
        return attrs


class Withdrawn(serializers.Serializer[Any]):
    items = ItemShape(many=True)
    unknown = serializers.ListField(
        child=serializers.CharField(), help_text="Names under which no declared file is still to come."
    )


class NamedItem(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    filename = serializers.CharField(required=False)
    resume = serializers.UUIDField(allow_null=True)


class MissingItem(NamedItem):
    came = serializers.BooleanField(help_text="False where the file never came, true where it came and has no end.")


class Orphan(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    resume = serializers.UUIDField(allow_null=True)
    result = serializers.CharField()


class Anomalies(serializers.Serializer[Any]):
    missing = MissingItem(many=True)
    duplicate = NamedItem(many=True)
    orphan = Orphan(many=True)
    multiple_terminal = NamedItem(many=True)


class ReportShape(serializers.Serializer[Any]):
    """A reconciliation report: counts in and out, and each anomaly by id."""

    batch = serializers.UUIDField()
    state = serializers.ChoiceField(choices=[state.value for state in BatchState])
    declared = serializers.IntegerField(allow_null=True)
    undeclared = serializers.IntegerField(help_text="Files that came and were not declared, where any were.")
    files = serializers.IntegerField()
    received = serializers.IntegerField()
    succeeded = serializers.IntegerField()
    reviewed = serializers.IntegerField()
    rejected = serializers.IntegerField()
    skipped = serializers.IntegerField()
    open = serializers.IntegerField()
    ok = serializers.BooleanField()
    anomalies = Anomalies()
    created_at = serializers.DateTimeField()
