"""Structure: a language model reads the document again; only what stands in the document is taken from its answer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingest import locks
from ingest.dossier import MODEL_CHANNELS, Dossier, ModelEndpoint
from ingest.llm.answer import PARTS, Answer, UnusableAnswerError, combined, read_answer, strict_schema
from ingest.llm.client import MAX_ANSWER_TOKENS, USUAL_S, Completion, Question, complete_all
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
PARTLY = "model_answered_partly"
"""Warning: for a part of the document or a section of it the model gave no answer that could be read."""
_TOKENS_AT_LEAST, _BYTES_A_TOKEN = 400, 2
"""An answer copies from what is shown, so it is no longer than that; few tokens stand for fewer bytes."""
SIDE_BY_SIDE: tuple[tuple[str, ...], ...] = (("basics",), ("work",), ("education",), ("skills", "languages"))
"""The sections that are asked for apart where a model may be asked several questions at a time."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question about a piece of the document, and the parts it asks for."""

    question: Question
    parts: tuple[str, ...]


def run(dossier: Dossier, tools: Tools) -> Dossier:
    """Ask the model, keep what is grounded, merge it into the draft and judge that anew.

    Addresses and phone numbers go to a model in the house only (unless the installation says otherwise), protected attributes
    to none. A dossier without text, or an installation without a model, is left as it is. Raises ResumeError with the
    channel of the model; the draft of the rules then stands.
    """
    endpoint = tools.options.model(tools.channel)
    if endpoint is None or dossier.reading is None or not dossier.has_text:
        return dossier
    ends = time.monotonic() + tools.deadline_s - SANDBOX_S
    document = {"reading": dossier.reading, "as_of": dossier.as_of.isoformat(), "language": dossier.language}
    masked = {
        **document,
        "mask_contact": tools.options.mask_contact and not endpoint.local,
        "window": tools.options.model_window,
    }
    shown = tools.call("reader", "show_lines", masked, deadline_s=SANDBOX_S)
    asked = list(_questions(shown["windows"], tools.options.model_parallel))
    with tools.through(endpoint.channel, USUAL_S):
        answers, whole = _ask(endpoint, asked, ends, tools)
    given = {"draft": dossier.draft, "answer": combined(answers).model_dump(), "threshold": tools.options.threshold}
    try:
        taken = tools.call("reader", "take_answer", {**document, **given}, deadline_s=SANDBOX_S)
    except ResumeError as exc:
        raise ResumeError(exc.code, exc.detail, channel=endpoint.channel) from exc
    codes = {UNGROUNDED: taken["dropped"], CUT: shown["cut"], PARTLY: not whole}
    answered = replace(
        dossier,
        draft=taken["draft"],
        setback=None if _made_up_for(dossier, endpoint) else dossier.setback,
        quality=Quality.from_data(taken["quality"]),
        warnings=dossier.with_warnings(*(code for code, holds in codes.items() if holds)),
    )
    return locks.keep(answered, tools.options.threshold)


def _made_up_for(dossier: Dossier, endpoint: ModelEndpoint) -> bool:
    """Whether another model gave way before this one, so that nothing is left of its failure."""
    return any(channel in dossier.channels for channel in MODEL_CHANNELS if channel != endpoint.channel)


def _questions(windows: Sequence[str], parallel: int) -> Iterator[_Asked]:
    for lines in windows:
        for parts in SIDE_BY_SIDE if parallel > 1 else (PARTS,):
            turns = question(lines, parts, partial=len(windows) > 1)
            most = min(_TOKENS_AT_LEAST + len(lines.encode("utf-8", "replace")) // _BYTES_A_TOKEN, MAX_ANSWER_TOKENS)
            yield _Asked(Question(turns, strict_schema(parts), most), parts)


def _ask(endpoint: ModelEndpoint, asked: Sequence[_Asked], ends: float, tools: Tools) -> tuple[list[Answer], bool]:
    """The answers that can be read, in the order of the questions, and whether these are all of them, and whole.

    One more turn for those that cannot be read at first; one that is too long would be so again. `ends` is on the monotonic
    clock. Raises ResumeError where a call fails, or none of the answers can be read.
    """

    def spent(completion: Completion) -> None:
        tools.spend(Tokens(completion.prompt_tokens, completion.completion_tokens))

    answers: dict[int, Answer] = {}
    cut = False
    open_ = {number: one.question for number, one in enumerate(asked)}
    for _ in range(2):
        left_s = max(ends - time.monotonic(), 0.1)
        parallel = tools.options.model_parallel
        written = complete_all(endpoint, list(open_.values()), deadline_s=left_s, parallel=parallel, spent=spent)
        for number, completion in zip(list(open_), written, strict=True):
            first, cut = asked[number], cut or completion.cut
            try:
                answers[number] = read_answer(completion.text, first.parts, cut=completion.cut)
            except UnusableAnswerError as exc:
                turns = repair(first.question.messages, completion.text, str(exc))
                open_[number] = replace(first.question, messages=turns)
            if completion.cut or number in answers:
                del open_[number]
        if not open_:
            break
    if not answers:
        raise ResumeError("model_refused", "no answer of the agreed form", channel=endpoint.channel)
    return [answers[number] for number in sorted(answers)], not cut and len(answers) == len(asked)


STAGE = Stage(
    name="structure",
    queue="llm",
    run=run,
    state=State.STRUCTURING,
    needs=frozenset({Part.READING, Part.DRAFT}),
    gives=frozenset({Part.DRAFT}),
    deadline_s=120.0,
)
