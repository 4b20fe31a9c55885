"""The JSON Resume document: the one shape in which a person's data travels.

Follows https://jsonresume.org/schema (1.0.0). Rules, the language model, the review form, the API and the exports share
it. Dates are `YYYY`, `YYYY-MM` or `YYYY-MM-DD` at the precision the page prints; an ongoing job has no `endDate` and
`meta.gleaner.work[i].current` true.

Evidence is kept beside the document, not in it: a flat mapping from field path (`basics.email`, `work[0].endDate`,
`skills[2].name`) to `Evidence`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PartialDate = Annotated[str, StringConstraints(pattern=r"^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$")]
Language = Literal["en", "zh", "ru"]
EvidenceSource = Literal["rules", "model", "person", "derived"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_assignment=True)


class Location(_Part):
    address: str | None = None
    postalCode: str | None = None  # noqa: N815 - the schema's own spelling, here and below
    city: str | None = None
    countryCode: str | None = None  # noqa: N815
    region: str | None = None


class WebProfile(_Part):
    network: str | None = None
    username: str | None = None
    url: str | None = None


class Basics(_Part):
    name: str | None = None
    label: str | None = None
    email: str | None = None
    phone: str | None = None
    url: str | None = None
    summary: str | None = None
    location: Location | None = None
    profiles: list[WebProfile] = Field(default_factory=list)


class Work(_Part):
    name: str | None = None
    """The employer."""
    position: str | None = None
    location: str | None = None
    url: str | None = None
    startDate: PartialDate | None = None  # noqa: N815
    endDate: PartialDate | None = None  # noqa: N815
    summary: str | None = None
    highlights: list[str] = Field(default_factory=list)


class Education(_Part):
    institution: str | None = None
    studyType: str | None = None  # noqa: N815
    area: str | None = None
    startDate: PartialDate | None = None  # noqa: N815
    endDate: PartialDate | None = None  # noqa: N815
    score: str | None = None


class Skill(_Part):
    name: str
    level: str | None = None
    keywords: list[str] = Field(default_factory=list)


class SpokenLanguage(_Part):
    language: str
    fluency: str | None = None


class Project(_Part):
    name: str | None = None
    description: str | None = None
    startDate: PartialDate | None = None  # noqa: N815
    endDate: PartialDate | None = None  # noqa: N815
    url: str | None = None
    highlights: list[str] = Field(default_factory=list)


class Certificate(_Part):
    name: str | None = None
    date: PartialDate | None = None
    issuer: str | None = None
    url: str | None = None


class Award(_Part):
    title: str | None = None
    date: PartialDate | None = None
    awarder: str | None = None
    summary: str | None = None


class Publication(_Part):
    name: str | None = None
    publisher: str | None = None
    releaseDate: PartialDate | None = None  # noqa: N815
    url: str | None = None


class WorkMeta(_Part):
    current: bool | None = None
    """True: printed as ongoing; false: has an end; None: the page does not say."""


class GleanerMeta(_Part):
    phoneE164: str | None = None  # noqa: N815
    yearsOfExperience: float | None = None  # noqa: N815
    jobFamily: str | None = None  # noqa: N815
    language: Language | None = None
    work: list[WorkMeta] = Field(default_factory=list)
    """One for each entry of `work`, same order."""


class Meta(_Part):
    version: str = "v1.0.0"
    gleaner: GleanerMeta = Field(default_factory=GleanerMeta)


class Profile(_Part):
    """A JSON Resume document with Gleaner's own figures under `meta.gleaner`."""

    basics: Basics = Field(default_factory=Basics)
    work: list[Work] = Field(default_factory=list)
    education: list[Education] = Field(default_factory=list)
    skills: list[Skill] = Field(default_factory=list)
    languages: list[SpokenLanguage] = Field(default_factory=list)
    projects: list[Project] = Field(default_factory=list)
    certificates: list[Certificate] = Field(default_factory=list)
    awards: list[Award] = Field(default_factory=list)
    publications: list[Publication] = Field(default_factory=list)
    meta: Meta = Field(default_factory=Meta)

    def to_json(self) -> dict[str, Any]:
        """The document as plain data, unknown values and empty lists left out (`meta.gleaner.work[].current` stays)."""
        kept: dict[str, Any] = _without_empties(self.model_dump(exclude_none=True))
        if self.meta.gleaner.work:
            kept["meta"]["gleaner"]["work"] = [{"current": entry.current} for entry in self.meta.gleaner.work]
        return kept


def _without_empties(value: Any) -> Any:
    if isinstance(value, dict):
        inner = {key: _without_empties(item) for key, item in value.items()}
        return {key: item for key, item in inner.items() if item not in ([], {})}
    if isinstance(value, list):
        return [_without_empties(item) for item in value]
    return value


class Evidence(_Part):
    """Where a value stands and how sure its source is.

    `page` counts from 1; `bbox` is in fractions of the upright page, None where the format has no pages. A computed
    value has source `derived` and names the fields it comes from in `from_`.
    """

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    source: EvidenceSource
    confidence: float = Field(ge=0, le=1)
    page: int | None = None
    bbox: tuple[float, float, float, float] | None = None
    quote: str | None = None
    """The words of the document the value was read from."""
    from_: list[str] | None = Field(default=None, alias="from")

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = self.model_dump(by_alias=True, exclude_none=True)
        if self.source != "derived":
            data.setdefault("page", None)
            data.setdefault("bbox", None)
        return data


_PATH = re.compile(r"([A-Za-z0-9]+)|\[(\d+)\]")


def leaf_paths(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every non-empty leaf of a JSON document with its path, such as `("work[0].endDate", "2021-03")`."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaf_paths(inner, f"{prefix}.{key}" if prefix else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaf_paths(inner, f"{prefix}[{index}]")
    elif value is not None and value != "":
        yield prefix, value


def path_parts(path: str) -> tuple[str | int, ...]:
    """`work[0].endDate` → `("work", 0, "endDate")`."""
    return tuple(int(number) if number else name for name, number in _PATH.findall(path))


def value_at(document: Any, path: str) -> Any:
    """The value at a path of a JSON document, None where there is none."""
    for part in path_parts(path):
        try:
            document = document[part]
        except (KeyError, IndexError, TypeError):
            return None
    return document
