"""Taking: from a document and a model's answer to a draft. It meets hostile text, so it runs in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ingest.fields.document import Document
from ingest.fields.draft import Draft
from ingest.llm.answer import Answer
from ingest.llm.derived import derive_again
from ingest.llm.grounding import ground
from ingest.llm.merging import LEAST_SHARE, merge
from ingest.quality import Quality, assess
from ingest.sandbox.drafts import draft_to_data
from resumes.taxonomy import ResumeError


@dataclass(frozen=True, slots=True)
class Taken:
    """The draft with the model's values in it (as `ingest.sandbox.drafts` writes it), what it is worth, and how many values
    were left out because they do not stand in the document."""

    draft: Mapping[str, Any]
    quality: Quality
    dropped: int


def take(document: Document, draft: Mapping[str, Any] | None, answer: Answer, threshold: float) -> Taken:
    """Keep of an answer what is grounded, merge it into the rules' draft (or an empty one) and judge that anew.

    Raises ResumeError `model_refused` where most of the answer is not in the document.
    """
    findings = ground(answer, document)
    if findings.dropped and findings.share < LEAST_SHARE:
        raise ResumeError("model_refused", "most of the answer is not in the document")
    merged = derive_again(merge(draft or _empty(document), findings), document)
    text = "\n\n".join(page.text for page in document.pages)
    return Taken(merged, assess(merged["profile"], merged["evidence"], text=text, threshold=threshold), findings.dropped)


def _empty(document: Document) -> dict[str, Any]:
    draft = Draft(language=document.language)
    draft.profile.meta.gleaner.language = document.language
    return draft_to_data(draft)
