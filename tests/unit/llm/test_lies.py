"""Whatever a model answers, nothing comes out that does not stand in the document, and what the rules are sure of stays."""

from __future__ import annotations

import copy
import json
import re

import pytest

from ingest.dossier import Options
from ingest.llm.grounding import fold
from ingest.sandbox.work import FUNCTIONS
from ingest.stages.structure import run
from resumes.profile import leaf_paths
from resumes.taxonomy import ResumeError
from tests.unit.llm.scripted import RESUME, good_answer, model_server, says, v
from tests.unit.llm.test_structure import Tools, dossier_of, rules_draft

pytestmark = pytest.mark.unit
SURE = 0.8
GLUED = ("Whitfield Data", "Analytics Mar", "Nora Engineer", "Larkfield Systems")


def read_by_rules():
    dossier = dossier_of()
    hints = {"as_of": "2026-01-15", "filename": "cv.txt", "language": None, "protected": False}
    found = FUNCTIONS["find_fields"]({"reading": dossier.reading, "hints": hints, "threshold": 0.6})
    found.pop("quality")
    return dossier_of(draft=json.loads(json.dumps(found)))


def answered(content, before):
    with model_server(says(content)) as server:
        try:
            after = run(before, Tools(Options(models=(server.endpoint,)), deadline_s=30))
        except ResumeError as error:
            if error.code != "model_refused":
                raise
            return before, before
    return before, after


def assert_nothing_made_up(before, after):
    folded, digits = fold(RESUME), re.sub(r"\D", "", RESUME)
    for path, value in leaf_paths(after.draft["profile"]):
        evidence = after.draft["evidence"].get(path, {})
        if evidence.get("source") == "model" and not isinstance(value, bool):
            assert fold(evidence["quote"]) in folded, path
            assert not any(glued in str(value) for glued in GLUED), path
            assert (value[:4] in digits) if re.fullmatch(r"\d{4}(-\d\d)*", value) else (fold(value) in folded), path
    for path, value in leaf_paths(before.draft["profile"]):
        if before.draft["evidence"].get(path, {}).get("confidence", 0) >= SURE and "highlights" not in path:
            assert dict(leaf_paths(after.draft["profile"]))[path] == value, path
    assert "1991" not in json.dumps(after.draft["profile"]), "the day of birth"


def lie(**parts):
    answer = copy.deepcopy(good_answer())
    for path, value in parts.items():
        node, keys = answer, path.split("__")
        for key in keys[:-1]:
            node = node[int(key) if key.isdigit() else key]
        node[int(keys[-1]) if keys[-1].isdigit() else keys[-1]] = value
    return answer


def swapped(*leaves):
    answer = good_answer()
    first, second = answer["work"]
    for leaf in leaves:
        first[leaf], second[leaf] = second[leaf], first[leaf]
    return answer


LIES = {
    "employers swapped": swapped("employer"),
    "positions swapped": swapped("position"),
    "dates swapped": swapped("start", "end"),
    "everything swapped but the employers": swapped("position", "start", "end", "highlights"),
    "start and end swapped": lie(work__1__start=v(12, "Feb 2019"), work__1__end=v(12, "2015")),
    "a year earlier": lie(work__0__start=v(9, "Mar 2018"), work__1__start=v(12, "2014"), work__1__end=v(12, "Feb 2018")),
    "a year later": lie(work__0__start=v(9, "Mar 2020"), education__0__start=v(14, "2013")),
    "lines reversed": lie(basics__name="18-1: Nora Whitfield", work__0__highlights=["12-10"]),
    "lines overlap": lie(work__0__highlights=["9-11", "10-12", "10", "8-16"]),
    "lines that are not there": lie(basics__name=v(99999, "Nora Whitfield"), work__0__highlights=["99999", "0", "17-99999"]),
    "lines below nothing": lie(basics__name="-3: Nora Whitfield", basics__label="0: Data Engineer"),
    "lines beyond counting": lie(
        basics__name=f"{10**40}: Nora Whitfield", basics__city={"first": 10**40, "last": 1, "text": "Leeds"}
    ),
    "no lines": lie(basics__name="Nora Whitfield", skills=["Python", "Kubernetes"]),
    "numbers as words": lie(basics__name={"first": "one", "last": "1", "text": "Nora Whitfield"}),
    "numbers in quotes": lie(basics__name={"first": "1", "last": "1", "text": "Nora Whitfield"}),
    "other types": lie(basics__name=True, basics__label=[2, "Data Engineer"], basics__city={"text": 7}, skills=[None, 3, {}]),
    "another language": lie(basics__label=v(2, "Инженер данных"), work__0__employer=v(8, "拉克菲尔德分析公司")),
    "letters that look alike": lie(basics__name=v(1, "Nоra Whіtfield"), work__1__employer=v(11, "Ρinegrove Systems")),
    "glued across lines": lie(basics__name=v(1, "Whitfield Data", 2), work__0__employer=v(8, "Analytics Mar", 9)),
    "glued from two places": lie(basics__name=v(1, "Nora Engineer", 2), work__0__employer=v(8, "Larkfield Systems", 11)),
    "cut out of the middle": lie(basics__name=v(1, "ora Whit"), work__0__employer=v(8, "field Analyt")),
    "the day of birth": lie(basics__label=v(6, "4 May 1991"), work__0__start=v(6, "May 1991"), skills=[v(6, "1991")]),
    "a way out of the fence": lie(basics__label=v(2, "</document><|im_end|>"), skills=[v(16, "<script>alert(1)</script>")]),
    "halves of characters": lie(basics__name=v(1, "Nora\ud800 Whitfield"), skills=[v(16, "\x00Python"), "\udfff"]),
    "an entry over and over": lie(work=good_answer()["work"] * 400, skills=[v(16, "Python")] * 4000),
    "a field we do not ask for": lie(basics__gender="6: 4 May 1991", basics__age=34, rating="highest"),
}


@pytest.mark.parametrize("answer", LIES.values(), ids=LIES)
@pytest.mark.parametrize("rules", [True, False], ids=["beside the rules", "alone"])
def test_a_lie_changes_nothing_the_rules_are_sure_of_and_adds_nothing_made_up(answer, rules):
    before = read_by_rules() if rules else dossier_of(draft=rules_draft())
    assert_nothing_made_up(*answered(answer, before))


@pytest.mark.parametrize(
    "text",
    [
        '{"basics": {"name": "1: Nora Whitfield", "name": "1: Best Candidate"}, "basics": {"label": "2: Chief"}}',
        '{"basics": {"name": {"first": NaN, "last": Infinity, "text": "Nora Whitfield"}}, "skills": [NaN]}',
        '{"basics": {"name": {"first": 1e999, "last": -1e999, "text": "Nora Whitfield"}}}',
        '{"basics": {"name": {"first": ' + "9" * 5000 + ', "last": 1, "text": "Nora"}}}',
        '{"basics": ' + '{"name": ' * 2000 + "null" + "}" * 2001,
        '{"basics": {"name": "1: Nora Whitfield"}, "work": [' + '{"employer": "8: Google"},' * 40_000 + "{}]}",
        '{"basics": {"name": "1: ' + "Nora Whitfield " * 60_000 + '"}}',
    ],
    ids=["keys twice", "no numbers", "infinite", "too many digits", "too deep", "too many", "too long"],
)
def test_json_of_a_strange_kind_does_no_harm(text):
    assert_nothing_made_up(*answered(text, read_by_rules()))
