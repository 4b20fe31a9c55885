"""The answer: the shape a model is asked for, and reading it out of whatever it wrote.

A short value is one string, the number of its line and the words copied from there (`3: Leeds`, `7-8: …`); a description is
line numbers only (`10-12`). So an answer costs few tokens, and looks like the lines it is copied from. There is no place in
it for protected attributes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import pydantic_core
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

_MOST_STARTS = 50
"""Places in a text where an object is looked for, so that a page of braces costs nothing."""
LONGEST_VALUE = 160
"""Characters a value is asked to have at most, with its line number."""
_MOST_JOBS, _MOST_SCHOOLS, _MOST_SKILLS, _MOST_LANGUAGES, _MOST_DESCRIPTIONS = 30, 12, 80, 12, 16
"""Entries asked for, and read: the longest of careers has no more, and a model that repeats itself comes to an end."""
_PLACE = re.compile(r"\s*(\d{1,5})(?:\s*[-–—]\s*(\d{1,5}))?\s*(?:[:：]\s*(.*?)\s*)?", re.DOTALL)


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Lines(_Part):
    """Lines of the document, the first and the last, numbered from 1."""

    first: int
    last: int


class Words(Lines):
    """A short value as it is printed, and where."""

    text: str


def _placed(value: Any) -> Any:
    """A value as it is written, taken apart. One without its line stands nowhere, and is dropped like any that is not there."""
    if isinstance(value, str | int):
        written = str(value)
        found = _PLACE.fullmatch(written)
        first, last = (found[1], found[2] or found[1]) if found else (0, 0)
        return {"first": first, "last": last, "text": (found[3] or "") if found else written}
    try:
        return Words.model_validate(value) if "text" in value else Lines.model_validate(value)
    except (ValidationError, TypeError):
        return {"first": 0, "last": 0, "text": "" if value is None else "…"}


def _at_most(number: int) -> BeforeValidator:
    return BeforeValidator(lambda value: value[:number] if isinstance(value, list) else value)


_WRITTEN = {"type": "string", "maxLength": LONGEST_VALUE}
Said = Annotated[Words, BeforeValidator(_placed), WithJsonSchema(_WRITTEN)]
"""As a model writes it: a string."""
Value = Annotated[
    Words | None,
    BeforeValidator(lambda value: None if value is None else _placed(value)),
    WithJsonSchema({"anyOf": [_WRITTEN, {"type": "null"}]}),
]
"""Or null, where the document does not say it."""
Passage = Annotated[Lines, BeforeValidator(_placed), WithJsonSchema({"type": "string", "maxLength": 11})]


class Basics(_Part):
    name: Value = None
    label: Value = None
    email: Value = None
    phone: Value = None
    city: Value = None


class Job(_Part):
    employer: Value = None
    position: Value = None
    start: Value = None
    end: Value = None
    highlights: Annotated[list[Passage], _at_most(_MOST_DESCRIPTIONS), Field(max_length=_MOST_DESCRIPTIONS)] = []


class School(_Part):
    institution: Value = None
    degree: Value = None
    area: Value = None
    start: Value = None
    end: Value = None


class Tongue(_Part):
    language: Said
    fluency: Value = None


class Answer(_Part):
    """What a model says of one resume."""

    basics: Basics = Field(default_factory=Basics)
    work: Annotated[list[Job], _at_most(_MOST_JOBS), Field(max_length=_MOST_JOBS)] = []
    education: Annotated[list[School], _at_most(_MOST_SCHOOLS), Field(max_length=_MOST_SCHOOLS)] = []
    skills: Annotated[list[Said], _at_most(_MOST_SKILLS), Field(max_length=_MOST_SKILLS)] = []
    languages: Annotated[list[Tongue], _at_most(_MOST_LANGUAGES), Field(max_length=_MOST_LANGUAGES)] = []


PARTS: tuple[str, ...] = tuple(Answer.model_fields)
"""The sections of a resume a model can be asked for."""


def combined(answers: Sequence[Answer]) -> Answer:
    """What answers to parts of one question say together, in their order; of a person's own data the first to say it.

    Pieces of a document overlap, so an entry may come twice, once with its end cut off: the two are one where they share a
    word in the same place.
    """
    basics = {name: next(filter(None, (getattr(one.basics, name) for one in answers)), None) for name in Basics.model_fields}
    lists = {name: _united([entry for one in answers for entry in getattr(one, name)]) for name in PARTS if name != "basics"}
    return Answer(basics=Basics(**basics), **lists)


def _united(entries: Sequence[Any]) -> list[Any]:
    kept: list[Any] = []
    for entry in entries:
        same = next((number for number, other in enumerate(kept) if _naming(entry) & _naming(other)), None)
        if same is None:
            kept.append(entry)
        elif not isinstance(entry, Words):
            kept[same] = _filled(kept[same], entry)
    return kept


def _naming(entry: Any) -> frozenset[Words]:
    """The values that tell an entry from others. Dates do not: two jobs may begin in one line."""
    if isinstance(entry, Words):
        return frozenset({entry})
    placed = ((name, value) for name, value in entry if isinstance(value, Words) and value.first > 0)
    return frozenset(value for name, value in placed if name not in ("start", "end", "fluency"))


def _filled(entry: Any, other: Any) -> Any:
    """An entry with what only the other one says."""
    more = {name: value for name, value in other if value and not getattr(entry, name)}
    if isinstance(entry, Job):
        more["highlights"] = list(dict.fromkeys([*entry.highlights, *other.highlights]))
    return entry.model_copy(update=more)


class UnusableAnswerError(Exception):
    """No answer can be read. The text says what is wrong in words for the model; it quotes nothing."""


def read_answer(text: str, parts: Sequence[str] = PARTS, *, cut: bool = False) -> Answer:
    """The first JSON object in a text that answers for these parts; prose, fences and thoughts around it do not matter.

    The first of the parts must be there; what else is missing is taken for not found. Of an answer that was `cut` off by its
    limit counts what was complete by then.
    """
    complaint = "There is no JSON object in your answer."
    told = text.rpartition("</think>")[2]
    for found in [*_begun(told)] if cut else objects(told):
        if parts[0] not in found:
            complaint = f"{parts[0]}: Field required"
            continue
        found = {name: found[name] for name in parts if name in found}  # noqa: PLW2901 - what was not asked for does not count
        try:
            return Answer.model_validate(found)
        except ValidationError as exc:
            errors = exc.errors(include_url=False, include_context=False, include_input=False)[:5]
            complaint = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in errors)
    raise UnusableAnswerError(complaint)


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, whatever stands around them."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = text.find("{", end)


def _begun(text: str) -> Iterator[dict[str, Any]]:
    """The object a text breaks off in, as far as its values are complete."""
    try:
        found = pydantic_core.from_json(text[text.index("{") :], allow_partial=True)
    except ValueError:
        return
    if isinstance(found, dict):
        yield found


def strict_schema(parts: Sequence[str] = PARTS) -> dict[str, Any]:
    """The JSON schema of an answer in the dialect of constrained decoding: every property required, none besides."""
    schema = Answer.model_json_schema()
    return strict({**schema, "properties": {name: schema["properties"][name] for name in parts}})


def strict(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema in that dialect."""
    dialect: dict[str, Any] = _strict(schema)
    return dialect


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _strict(value) for key, value in node.items() if key not in ("title", "default", "description")}
    if isinstance(kept.get("properties"), dict):
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    return kept
