"""Structure: a language model reads the document again; only what stands in the document is taken from its answer."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from ingest import page
from ingest.dossier import Dossier, ModelEndpoint
from ingest.fields.document import Document
from ingest.fields.draft import Draft, Hints
from ingest.llm.answer import Answer, UnusableAnswerError, read_answer, strict_schema
from ingest.llm.client import CHANNEL, complete
from ingest.llm.derived import derive_again
from ingest.llm.grounding import ground
from ingest.llm.merging import LEAST_SHARE, merge
from ingest.llm.prompt import prompt_for, repair
from ingest.quality import assess
from ingest.sandbox.drafts import draft_to_data
from ingest.stages import Part, Stage, Tools
from resumes.states import State
from resumes.taxonomy import ResumeError

UNGROUNDED = "model_values_dropped"
"""Warning: the model gave values that do not stand in the document; they were left out."""
CUT = "model_text_cut"
"""Warning: the document is longer than what is shown to the model."""


def run(dossier: Dossier, tools: Tools) -> Dossier:
    """Ask the model, keep what is grounded, merge it into the draft and judge that anew.

    A dossier without text, or an installation without a model, is left as it is. Raises ResumeError with channel `model`; the
    draft of the rules then stands.
    """
    endpoint = tools.options.model
    if endpoint is None or dossier.reading is None or not dossier.has_text:
        return dossier
    reading = page.from_data(dossier.reading)
    document = Document(reading.pages, Hints(as_of=dossier.as_of, language=dossier.language))
    answer, tokens, cut = _ask(endpoint, document, tools.deadline_s)
    findings = ground(answer, document)
    if findings.dropped and findings.share < LEAST_SHARE:
        raise ResumeError("model_refused", "most of the answer is not in the document", channel=CHANNEL)
    draft = derive_again(merge(dossier.draft or _empty(document), findings), document)
    quality = assess(draft["profile"], draft["evidence"], text=reading.text, threshold=tools.options.threshold)
    warnings = [code for code, holds in ((UNGROUNDED, findings.dropped), (CUT, cut)) if holds]
    return replace(
        dossier, draft=draft, quality=quality, tokens=dossier.tokens + tokens, warnings=dossier.with_warnings(*warnings)
    )


def _ask(endpoint: ModelEndpoint, document: Document, deadline_s: float) -> tuple[Answer, int, bool]:
    """The answer, the tokens spent, and whether the document was cut. One more turn where the first cannot be read."""
    ends = time.monotonic() + deadline_s
    prompt, schema, tokens = prompt_for(document), strict_schema(), 0
    messages = prompt.messages
    for _ in range(2):
        completion = complete(endpoint, messages, schema, deadline_s=max(ends - time.monotonic(), 0.1))
        tokens += completion.prompt_tokens + completion.completion_tokens
        try:
            return read_answer(completion.text), tokens, prompt.cut
        except UnusableAnswerError as exc:
            messages = repair(prompt, completion.text, str(exc))
    raise ResumeError("model_refused", "no answer of the agreed form", channel=CHANNEL)


def _empty(document: Document) -> dict[str, Any]:
    draft = Draft(language=document.language)
    draft.profile.meta.gleaner.language = document.language
    return draft_to_data(draft)


STAGE = Stage(
    name="structure",
    queue="llm",
    run=run,
    state=State.STRUCTURING,
    needs=frozenset({Part.READING, Part.DRAFT}),
    gives=frozenset({Part.DRAFT}),
    deadline_s=120.0,
)
