"""docs/accuracy.md, written from a measurement: `make accuracy`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_COLUMNS = ("overall", "name", "email", "phone", "work_f1", "edu_f1", "skills_f1", "years")
_GROUPS = {"language": "By language", "format": "By format", "layout": "By layout", "degradation": "By degradation"}
_HEAD = """# Accuracy

Measured by `make accuracy`, which writes this page: `manage.py parse --no-llm` over the benchmark's {files} resumes
(fictional people, exact truth, English, Chinese and Russian), scored by the benchmark's own `score.py`; "present" is {as_of}.
No language model. Scans were read by the engines installed where it was measured: {engines}.

A value counts as right only at the printed precision; an entry of work or education is found when the employer or school
and one more field are right. Of {completed} resumes completed without a person, {wrong} have a wrong name, e-mail or phone.
{invented} of {values} output values occur nowhere in the truth.

The rules were developed on this benchmark. Its pages are generated and more regular than real mail, so expect less on your
own files, and measure there: `BENCH=DIR make bench` takes any folder of the same make-up.
"""


def write(
    path: Path, report: dict[str, Any], calibration: list[tuple[str, int, float, float]], *, as_of: str, engines: str
) -> None:
    """Write the page from score.py's JSON report and the calibration table."""
    parts = [
        _HEAD.format(
            files=report["files"],
            as_of=as_of,
            engines=engines,
            completed=report["completed"],
            wrong=report["completed_with_wrong_contact"],
            invented=report["invented_total"],
            values=report["output_values"],
        ),
        f"Overall: **{report['overall']:.3f}**\n",
        _fields(report),
    ]
    parts += [_group(title, report["groups"][name]) for name, title in _GROUPS.items()]
    parts += [_calibration(calibration), _weak(report)]
    path.write_text("\n".join(parts), encoding="utf-8")


def _fields(report: dict[str, Any]) -> str:
    rows = [f"| {name} | {score:.3f} | {report['field_counts'][name]} |" for name, score in report["fields"].items()]
    return "\n".join(["## By field\n", "| field | score | files |", "| --- | --- | --- |", *rows, ""])


def _group(title: str, groups: dict[str, Any]) -> str:
    head = f"| | n | {' | '.join(_COLUMNS)} |"
    rows = [
        f"| {name} | {scores['n']} | {' | '.join(_figure(scores.get(column)) for column in _COLUMNS)} |"
        for name, scores in sorted(groups.items())
    ]
    return "\n".join([f"## {title}\n", head, "| --- " * (len(_COLUMNS) + 2) + "|", *rows, ""])


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _calibration(table: list[tuple[str, int, float, float]]) -> str:
    rows = [f"| {band} | {count} | {said:.3f} | {right:.3f} |" for band, count, said, right in table]
    head = ["## Confidence against truth\n", "| confidence said | values | mean | share right |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows, ""])


def _weak(report: dict[str, Any]) -> str:
    """The kinds of file below 0.90, weakest first."""
    low = [
        (scores["overall"], f"{title.lower().removeprefix('by ')} `{name}`")
        for group, title in _GROUPS.items()
        for name, scores in report["groups"][group].items()
        if scores["overall"] < 0.9
    ]
    lines = [f"* {name}: {overall:.3f}" for overall, name in sorted(low)] or ["* nothing below 0.900"]
    return "\n".join(["## Still weak\n", *lines, ""])
