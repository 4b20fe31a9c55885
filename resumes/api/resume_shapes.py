"""The shape of a resume in the API (CONTRACT section 2)."""

from __future__ import annotations

import datetime as dt
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from resumes.api.addresses import OutwardURL
from resumes.api.naming import PlainNames
from resumes.forecast import expected_finish
from resumes.messages import failure_json
from resumes.models import Resume, Source, Transition
from resumes.progress import Progress, progress_of
from resumes.stage_text import stage_text
from resumes.taxonomy import FailureClass


class FailureShape(PlainNames, serializers.Serializer[dict[str, Any]]):
    """A failure: stable class and code, one sentence in the reader's language."""

    class_ = serializers.ChoiceField(choices=[entry.value for entry in FailureClass])
    code = serializers.CharField()
    message = serializers.CharField()
    retryable = serializers.BooleanField()
    client_advice = serializers.CharField(help_text="What a program that sent the file should do.")


class ProgressShape(serializers.Serializer[Progress]):
    """Why it is not done yet: what it waits for, and what is usual."""

    stage = serializers.CharField()
    channel = serializers.CharField(help_text="The engine, for stages that have several; else empty.")
    since = serializers.DateTimeField()
    working = serializers.BooleanField(help_text="A worker has it; else it waits.")
    attempt = serializers.IntegerField()
    attempts_most = serializers.IntegerField()
    next_attempt_at = serializers.DateTimeField(
        allow_null=True, help_text="At the latest, where it is parked; null where it is due, or operators hold it back for now."
    )
    queue = serializers.CharField()
    ahead = serializers.IntegerField(allow_null=True, help_text="Resumes before it in the queue.")
    breaker = serializers.CharField(allow_null=True, help_text="`closed`, `half_open` or `open`.")
    breaker_of = serializers.CharField(help_text="What it is the breaker of, such as `rapidocr` or `storage`; else empty.")
    held_by = serializers.CharField(help_text="The switch by which operators hold it back, such as `queue:ocr`; else empty.")
    held_until = serializers.DateTimeField(allow_null=True, help_text="Null where operators have set no end.")
    usual_seconds = serializers.FloatField(source="usual_s", allow_null=True)
    parked_for = serializers.CharField(help_text="The dependency it waits for, such as `storage`; else empty.")
    alone = serializers.BooleanField(help_text="In quarantine: workers have died on it.")
    pages_read = serializers.IntegerField(allow_null=True, help_text="Where pages are read one by one: done by this try.")
    pages_wanted = serializers.IntegerField(allow_null=True, help_text="Of so many.")


class TimelineShape(PlainNames, serializers.ModelSerializer[Transition]):
    """One move of a resume."""

    from_ = serializers.CharField(source="from_state")
    to = serializers.CharField(source="to_state")

    class Meta:
        model = Transition
        fields = ["at", "run", "from_", "to", "node", "actor", "reason"]
        read_only_fields = fields


class ResumeItemShape(serializers.Serializer[Any]):
    """A place in a batch that the resume fills."""

    id = serializers.UUIDField()
    batch = serializers.UUIDField(source="batch_id")


class ResumeLinksShape(serializers.Serializer[Any]):
    candidate = serializers.URLField(allow_null=True)
    json_resume = serializers.URLField()
    text = serializers.URLField()
    file = serializers.URLField()


class ResumeRow(serializers.ModelSerializer[Resume]):
    """A resume in a list."""

    stage_text = serializers.SerializerMethodField()
    failure = serializers.SerializerMethodField()
    candidate = serializers.UUIDField(source="candidate_id", allow_null=True, read_only=True)
    duplicate_of = serializers.UUIDField(source="duplicate_of_id", allow_null=True, read_only=True)

    class Meta:
        model = Resume
        fields = [
            "id",
            "filename",
            "external_id",
            "source",
            "state",
            "run",
            "stage_text",
            "failure",
            "completeness",
            "confidence",
            "level",
            "attempts",
            "next_attempt_at",
            "candidate",
            "duplicate_of",
            "language",
            "job_family",
            "route",
            "warnings",
            "received_at",
            "state_since",
        ]
        read_only_fields = fields

    def get_stage_text(self, resume: Resume) -> str:
        return stage_text(resume, self.context.get("failed_tries", {}).get(resume.pk, 0))

    @extend_schema_field(FailureShape(allow_null=True))
    def get_failure(self, resume: Resume) -> dict[str, Any] | None:
        return failure_json(resume.failure_code)


class ResumeShape(ResumeRow):
    """A resume with its story."""

    timeline = TimelineShape(source="transitions", many=True, read_only=True)
    items = ResumeItemShape(source="entries", many=True, read_only=True)
    expected_finish = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()
    media_type = serializers.CharField(source="document.media_type", read_only=True, default=None, allow_null=True)
    sha256 = serializers.CharField(source="document.sha256", read_only=True, default=None, allow_null=True)
    links = serializers.SerializerMethodField()

    class Meta(ResumeRow.Meta):
        fields = [
            *ResumeRow.Meta.fields,
            "pages",
            "media_type",
            "sha256",
            "conclusion",
            "concluded_at",
            "erased_at",
            "expected_finish",
            "progress",
            "timeline",
            "items",
            "links",
        ]
        read_only_fields = fields

    def get_expected_finish(self, resume: Resume) -> dt.datetime | None:
        return expected_finish(resume)

    @extend_schema_field(ProgressShape(allow_null=True))
    def get_progress(self, resume: Resume) -> Any:
        found = progress_of(resume)
        return ProgressShape(found).data if found else None

    @extend_schema_field(ResumeLinksShape)
    def get_links(self, resume: Resume) -> dict[str, str | None]:
        request = self.context.get("request")
        here = {
            name: reverse(f"resume-{name.replace('_', '-')}", args=[resume.pk], request=request)
            for name in ("json_resume", "text", "file")
        }
        candidate = resume.candidate_id and reverse("candidate-detail", args=[resume.candidate_id], request=request)
        return {"candidate": candidate or None, **here}


class SendResume(PlainNames, serializers.Serializer[Any]):
    """One file."""

    file = serializers.FileField(allow_empty_file=True, max_length=None)
    external_id = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    source_ = serializers.ChoiceField(choices=Source.choices, required=False, default=Source.APPLIED)
    callback_url = OutwardURL(required=False, default="", allow_blank=True)


class RetryReason(serializers.Serializer[Any]):
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=150)


class Flag(PlainNames, serializers.Serializer[Any]):
    """What is wrong: the paths of the fields (`basics.phone`, `work[0].endDate`), or nothing for the whole."""

    fields_ = serializers.ListField(child=serializers.CharField(max_length=80), required=False, default=list, max_length=50)
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=500)
    channel = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=20,
        help_text="Read it again from the pictures of its pages, by this OCR engine alone, such as tesseract.",
    )
