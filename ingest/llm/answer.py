"""The answer: the shape a model is asked for, and reading it out of whatever it wrote.

Short values are copies of words of the document with the numbers of their lines; longer text is named by line numbers only.
There is no place in it for protected attributes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
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

    basics: Basics
    work: list[Job] = Field(default_factory=list)
    education: list[School] = Field(default_factory=list)
    skills: list[Words] = Field(default_factory=list)
    languages: list[Tongue] = Field(default_factory=list)


class UnusableAnswerError(Exception):
    """No answer can be read. The text says what is wrong in words for the model; it quotes nothing."""


def read_answer(text: str) -> Answer:
    """The first JSON object in a text that is an answer; prose, fences and thoughts around it do not matter."""
    complaint = "There is no JSON object in your answer."
    for found in _objects(text.rpartition("</think>")[2]):
        try:
            return Answer.model_validate(found)
        except ValidationError as exc:
            errors = exc.errors(include_url=False, include_context=False, include_input=False)[:5]
            complaint = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in errors)
    raise UnusableAnswerError(complaint)


def _objects(text: str) -> Iterator[dict[str, Any]]:
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


def strict_schema() -> dict[str, Any]:
    """The JSON schema of an answer in the dialect of constrained decoding: every property required, none besides."""
    schema: dict[str, Any] = _strict(Answer.model_json_schema())
    return schema


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _strict(value) for key, value in node.items() if key not in ("title", "default", "description")}
    if isinstance(kept.get("properties"), dict):
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    return kept
