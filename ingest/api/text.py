"""The extracted text of a resume, as the readers and engines have read it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from ingest.page import from_data
from resumes import blindness, originals
from resumes.api.permissions import ByRole
from resumes.api.problems import Conflict
from resumes.models import Extraction, Resume
from resumes.roles import Act, visible


class ResumeText(APIView):
    permission_classes = [ByRole]
    acts = {"get": Act.READ_CONTENT}

    @extend_schema(
        summary="The extracted text", operation_id="resumes_text_retrieve", responses={(200, "text/plain"): OpenApiTypes.STR}
    )
    def get(self, request: Request, pk: str) -> HttpResponse:
        resume = get_object_or_404(visible(request.user, Resume.objects.all()), pk=pk)
        blindness.ensure_shown(resume, request.user)
        found = Extraction.objects.filter(resume=resume, run=resume.run).first()
        reading = found.reading if found else None
        if reading is None:
            raise Conflict(_("The text of this resume has not been read yet."), code="not_read")
        originals.record_opening(resume, request.user, "text")
        answer = HttpResponse(from_data(reading).text, content_type="text/plain; charset=utf-8")
        answer["X-Content-Type-Options"] = "nosniff"
        answer["Cache-Control"] = "private, no-store"
        return answer
