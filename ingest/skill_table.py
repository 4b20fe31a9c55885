"""Skill tables: skills with their other names, from the CSV files taxonomies are published in to a word list.

ESCO: `skills_en.csv` with `preferredLabel` and `altLabels` (names parted by line breaks). O*NET: `Technology Skills.txt`,
tab-separated, with `Example`. Any other table with a header line will do.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path

from ingest.fields.words import fold

_BETWEEN = re.compile(r"[\n\r|;]+")
_LONGEST = 80
"""Characters of a name; longer ones are sentences, which nobody lists as a skill."""
_CELL_CHARACTERS = 1 << 20


class UnreadableTableError(Exception):
    """The file is no table, or has no such column."""


def read_skills(path: Path, column: str, alternatives: str) -> dict[str, list[str]]:
    """Name → other names, in the order of the file. The column of other names may be missing.

    Raises UnreadableTableError, OSError.
    """
    csv.field_size_limit(_CELL_CHARACTERS)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = file.readline()
            file.seek(0)
            rows = csv.DictReader(file, delimiter=max("\t;,", key=header.count))
            if column not in (rows.fieldnames or ()):
                raise UnreadableTableError(f"There is no column {column}. There are: {', '.join(rows.fieldnames or ())}.")
            return _merged(rows, column, alternatives)
    except (UnicodeDecodeError, csv.Error) as exc:
        raise UnreadableTableError("The file is no table in UTF-8.") from exc


def write_skills(path: Path, skills: Mapping[str, list[str]], *, source: str) -> int:
    """Add skills to a word list, made if need be; gives the number of skills in it. What it has already stays."""
    known = _entries(path.read_text(encoding="utf-8")) if path.exists() else {}
    listed = {fold(name) for name in known}
    new = {name: others for name, others in skills.items() if fold(name) not in listed}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"# Skills, one a line: name: name; other names. Imported from {source}.\n")
        file.writelines(f"{name}: {'; '.join((name, *others))}\n" for name, others in new.items())
    return len(known) + len(new)


def _merged(rows: csv.DictReader[str], column: str, alternatives: str) -> dict[str, list[str]]:
    skills: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for row in rows:
        name = _clean(row[column] or "")
        if not name:
            continue
        others = skills.setdefault(names.setdefault(fold(name), name), [])
        for other in map(_clean, _BETWEEN.split(row.get(alternatives) or "")):
            if other and fold(other) not in {fold(name), *map(fold, others)}:
                others.append(other)
    return skills


def _entries(text: str) -> dict[str, str]:
    """The names of a list with what follows each."""
    lines = (line.strip() for line in text.splitlines())
    return {name: rest for name, _, rest in (line.partition(": ") for line in lines if line and not line.startswith("#"))}


def _clean(name: str) -> str:
    """A name as a list can hold it: one line, without the signs that part a list."""
    name = " ".join(name.replace(";", ",").replace(": ", " – ").split()).lstrip("#- ")
    return name if len(name) <= _LONGEST else ""
