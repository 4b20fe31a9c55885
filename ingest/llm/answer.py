"""The answer: the shape a model is asked for, and reading it out of whatever it wrote.

Short values are copies of words of the document with the numbers of their lines; longer text is named by line numbers only.
There is no place in it for protected attributes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

_MOST_STARTS = 50
"""Places in a text where an object is looked for, so that a page of braces costs nothing."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Lines(_Part):
    """Lines of the document, the first and the last, numbered from 1."""

    first: int
    last: int


class Words(Lines):
    """A short value as it is printed, and where."""

    text: str


class Basics(_Part):
    name: Words | None = None
    label: Words | None = None
    email: Words | None = None
    phone: Words | None = None
    city: Words | None = None


class Job(_Part):
    employer: Words | None = None
    position: Words | None = None
    start: Words | None = None
    end: Words | None = None
    highlights: list[Lines] = Field(default_factory=list)


class School(_Part):
    institution: Words | None = None
    degree: Words | None = None
    area: Words | None = None
    start: Words | None = None
    end: Words | None = None


class Tongue(_Part):
    language: Words
    fluency: Words | None = None


class Answer(_Part):
    """What a model says of one resume."""

    basics: Basics = Field(default_factory=Basics)
    work: list[Job] = Field(default_factory=list)
    education: list[School] = Field(default_factory=list)
    skills: list[Words] = Field(default_factory=list)
    languages: list[Tongue] = Field(default_factory=list)


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
    return frozenset(value for name, value in entry if isinstance(value, Words) and name not in ("start", "end", "fluency"))


def _filled(entry: Any, other: Any) -> Any:
    """An entry with what only the other one says."""
    more = {name: value for name, value in other if value and not getattr(entry, name)}
    if isinstance(entry, Job):
        more["highlights"] = list(dict.fromkeys([*entry.highlights, *other.highlights]))
    return entry.model_copy(update=more)


class UnusableAnswerError(Exception):
    """No answer can be read. The text says what is wrong in words for the model; it quotes nothing."""


def read_answer(text: str, parts: Sequence[str] = PARTS) -> Answer:
    """The first JSON object in a text that answers for these parts; prose, fences and thoughts around it do not matter.

    The first of the parts must be there; what else is missing is taken for not found.
    """
    complaint = "There is no JSON object in your answer."
    for found in objects(text.rpartition("</think>")[2]):
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
