"""An installation's own lists lie over the shipped ones, and a table of skills becomes one of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ingest import sandbox
from ingest.fields import words
from ingest.skill_table import UnreadableTableError, read_skills, write_skills

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Write an own list and have the lists read anew, in this test only."""
    monkeypatch.setenv(words.VARIABLE, str(tmp_path))

    def write(path: str, content: str | bytes) -> None:
        target = tmp_path / path
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        _read_anew()

    yield write
    monkeypatch.undo()
    _read_anew()


def _read_anew() -> None:
    words.phrases.cache_clear()
    words.keys.cache_clear()


def test_an_own_phrase_counts_beside_the_shipped_ones(own):
    own("en/titles.txt", "# ours\nwidget whisperer\n")
    assert {"widget whisperer", "engineer"} <= words.phrases("titles", "en")


def test_an_own_key_wins_over_the_shipped_one(own):
    own("en/families.txt", "field service: electrician\n")
    assert words.keys("families")["electrician"] == "field service"


def test_a_shipped_phrase_can_be_taken_out(own):
    assert "electrician" in words.keys("families", "en")
    own("en/families.txt", "- Electrician\n")
    assert "electrician" not in words.keys("families", "en")
    assert "accountant" in words.keys("families", "en")


def test_an_own_list_can_stand_alone(own):
    own("en/families.txt", "# alone\nback office: accountant; clerk\n")
    assert set(words.keys("families", "en").values()) == {"back office"}


def test_a_list_saved_by_an_office_program_or_in_the_wrong_encoding_breaks_nothing(own):
    own("en/titles.txt", b"\xef\xbb\xbfwidget whisperer\r\n\xff\xfe bad\r\n")
    assert "widget whisperer" in words.phrases("titles", "en")


def test_no_folder_is_no_error(monkeypatch, tmp_path):
    monkeypatch.setenv(words.VARIABLE, str(tmp_path / "none"))
    _read_anew()
    assert "engineer" in words.phrases("titles", "en")


def test_the_sandbox_hands_the_folder_to_its_child(tmp_path, monkeypatch):
    monkeypatch.setenv(words.VARIABLE, str(tmp_path))
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "titles.txt").write_text("widget whisperer\n", encoding="utf-8")
    environment = sandbox._environment(tmp_path)
    assert "SECRET_KEY" not in environment
    command = "from ingest.fields.words import phrases; print('widget whisperer' in phrases('titles'))"
    done = subprocess.run([sys.executable, "-c", command], env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


# -- tables of skills -------------------------------------------------------------------------------------------------

ESCO = """conceptType,conceptUri,skillType,preferredLabel,altLabels,description
KnowledgeSkillCompetence,http://data.example.org/1,skill/competence,operate lathes,"use lathes
run a lathe",Work at a lathe.
KnowledgeSkillCompetence,http://data.example.org/2,knowledge,"drawing: by hand",,
KnowledgeSkillCompetence,http://data.example.org/3,knowledge,Operate Lathes,turn metal,
"""
ONET = "O*NET-SOC Code\tExample\tCommodity Code\n11-1011.00\tWidgetCalc\t43232306\n11-1021.00\tWidgetCalc\t43232306\n"


def test_an_esco_table_gives_skills_with_their_other_names(tmp_path):
    path = tmp_path / "skills_en.csv"
    path.write_text(ESCO, encoding="utf-8")
    skills = read_skills(path, "preferredLabel", "altLabels")
    assert skills == {"operate lathes": ["use lathes", "run a lathe", "turn metal"], "drawing – by hand": []}


def test_an_onet_table_has_tabs_and_the_same_skill_in_many_rows(tmp_path):
    path = tmp_path / "Technology Skills.txt"
    path.write_text(ONET, encoding="utf-8")
    assert read_skills(path, "Example", "altLabels") == {"WidgetCalc": []}


def test_a_missing_column_is_named_with_those_there_are(tmp_path):
    path = tmp_path / "ours.csv"
    path.write_text("name;aliases\nwelding;TIG|MIG\n", encoding="utf-8")
    assert read_skills(path, "name", "aliases") == {"welding": ["TIG", "MIG"]}
    with pytest.raises(UnreadableTableError, match=r"preferredLabel.*name, aliases"):
        read_skills(path, "preferredLabel", "altLabels")


def test_a_second_import_adds_nothing_twice(tmp_path):
    path = tmp_path / "en" / "skills.txt"
    assert write_skills(path, {"welding": ["TIG"], "milling": []}, source="a.csv") == 2
    assert write_skills(path, {"Welding": [], "turning": []}, source="b.csv") == 3
    assert path.read_text(encoding="utf-8").count("welding: welding; TIG\n") == 1


def test_the_command_writes_the_list_that_is_read(tmp_path, settings, own, capsys):
    table = tmp_path / "skills_en.csv"
    table.write_text(ESCO, encoding="utf-8")
    settings.GLEANER_WORDS = os.environ[words.VARIABLE]
    call_command("import_skills", str(table))
    _read_anew()
    assert words.keys("skills")["run a lathe"] == "operate lathes"
    assert "2 skills read" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no column"):
        call_command("import_skills", str(table), "--column", "skill")
