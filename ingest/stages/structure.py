"""Structure: a language model reads the document again; only what stands in the document is taken from its answer."""

from __future__ import annotations

import time
from dataclasses import replace

from ingest.dossier import Dossier, ModelEndpoint
from ingest.llm.answer import Answer, UnusableAnswerError, read_answer, strict_schema
from ingest.llm.client import CHANNEL, complete, is_local
from ingest.llm.prompt import question, repair
from ingest.quality import Quality
from ingest.stages import Part, Stage, Tokens, Tools
from resumes.states import State
from resumes.taxonomy import ResumeError

SANDBOX_S = 5.0
"""For numbering the lines, and again for checking the answer against them; the rest of the time is the model's."""
UNGROUNDED = "model_values_dropped"
"""Warning: the model gave values that do not stand in the document; they were left out."""
CUT = "model_text_cut"
"""Warning: the document is longer than what is shown to the model."""


def run(dossier: Dossier, tools: Tools) -> Dossier:
    """Ask the model, keep what is grounded, merge it into the draft and judge that anew.

    Addresses and phone numbers go to a model on the own network only, protected attributes to none.
    A dossier without text, or an installation without a model, is left as it is. Raises ResumeError with channel `model`; the
    draft of the rules then stands.
    """
    endpoint = tools.options.model
    if endpoint is None or dossier.reading is None or not dossier.has_text:
        return dossier
    ends = time.monotonic() + tools.deadline_s - SANDBOX_S
    document = {"reading": dossier.reading, "as_of": dossier.as_of.isoformat(), "language": dossier.language}
    masked = {**document, "mask_contact": not is_local(endpoint.base_url)}
    shown = tools.call("reader", "show_lines", masked, deadline_s=SANDBOX_S)
    with tools.through(CHANNEL):
        answer = _ask(endpoint, shown["text"], ends, tools)
    taken = tools.call(
        "reader",
        "take_answer",
        {**document, "draft": dossier.draft, "answer": answer.model_dump(), "threshold": tools.options.threshold},
        deadline_s=SANDBOX_S,
    )
    codes = {UNGROUNDED: taken["dropped"], CUT: shown["cut"]}
    return replace(
        dossier,
        draft=taken["draft"],
        quality=Quality.from_data(taken["quality"]),
        warnings=dossier.with_warnings(*(code for code, holds in codes.items() if holds)),
    )


def _ask(endpoint: ModelEndpoint, lines: str, ends: float, tools: Tools) -> Answer:
    """The answer. One more turn where the first one cannot be read. `ends` is on the monotonic clock."""
    asked, schema = question(lines), strict_schema()
    messages = asked
    for _ in range(2):
        completion = complete(endpoint, messages, schema, deadline_s=max(ends - time.monotonic(), 0.1))
        tools.spend(Tokens(completion.prompt_tokens, completion.completion_tokens))
        try:
            return read_answer(completion.text)
        except UnusableAnswerError as exc:
            messages = repair(asked, completion.text, str(exc))
    raise ResumeError("model_refused", "no answer of the agreed form", channel=CHANNEL)


STAGE = Stage(
    name="structure",
    queue="llm",
    run=run,
    state=State.STRUCTURING,
    needs=frozenset({Part.READING, Part.DRAFT}),
    gives=frozenset({Part.DRAFT}),
    deadline_s=120.0,
)
