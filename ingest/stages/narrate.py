"""Narrate: a language model tells the summary in sentences. The one the rules made stands until then, and wherever it fails."""

from __future__ import annotations

import time
from dataclasses import replace

from ingest.dossier import Dossier
from ingest.llm import narrative
from ingest.llm.answer import UnusableAnswerError
from ingest.llm.client import USUAL_S, Question, complete
from ingest.stages import Part, Stage, Tokens, Tools
from resumes.taxonomy import ResumeError

BY_MODEL = "model"


def run(dossier: Dossier, tools: Tools) -> Dossier:
    """Set `summary` to what the model tells of the profile's facts, if every word and number of it is theirs.

    It is asked once more where it says anything else. Raises ResumeError with the channel of the model; nothing is changed then.
    """
    endpoint = tools.options.model(tools.channel)
    facts = narrative.facts_of(dossier.draft["profile"] if dossier.draft else {})
    if endpoint is None or not facts:
        return dossier
    language = tools.options.summary_language or dossier.language or "en"
    ends = time.monotonic() + tools.deadline_s
    asked = narrative.question(facts, language)
    turns = asked
    with tools.through(endpoint.channel, USUAL_S):
        for _ in range(2):
            question = Question(turns, narrative.schema(), narrative.MOST_TOKENS)
            completion = complete(endpoint, question, deadline_s=max(ends - time.monotonic(), 0.1))
            tools.spend(Tokens(completion.prompt_tokens, completion.completion_tokens))
            try:
                told = narrative.read(completion.text, facts, language)
            except UnusableAnswerError as exc:
                turns = narrative.repair(asked, completion.text, str(exc))
            else:
                return replace(dossier, summary=told, summary_source=BY_MODEL)
    raise ResumeError("model_refused", "the summary says more than the facts", channel=endpoint.channel)


STAGE = Stage(
    name="narrate",
    queue="llm",
    run=run,
    state=None,
    needs=frozenset({Part.DRAFT}),
    gives=frozenset({Part.SUMMARY}),
    deadline_s=120.0,
    reads=False,
)
