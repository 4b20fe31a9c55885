"""The records: what Gleaner holds."""

from resumes.models.candidate import Candidate
from resumes.models.document import Document
from resumes.models.extraction import Extraction
from resumes.models.idempotency import IdempotencyKey
from resumes.models.outbox import OutboxMessage
from resumes.models.resume import Resume, Source
from resumes.models.token import ApiToken
from resumes.models.transition import Transition
from resumes.models.vacancy import Match, Vacancy

__all__ = [
    "ApiToken",
    "Candidate",
    "Document",
    "Extraction",
    "IdempotencyKey",
    "Match",
    "OutboxMessage",
    "Resume",
    "Source",
    "Transition",
    "Vacancy",
]
