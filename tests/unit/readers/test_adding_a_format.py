"""A new format is one file and one line: here a toy, read the way the pipeline reads."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from ingest import readers
from ingest.sandbox import work
from resumes.taxonomy import ResumeError

CSV = "text/csv"


@pytest.fixture
def csv_is_read(monkeypatch):
    line = {CSV: "tests.unit.readers.toy_csv"}
    monkeypatch.setattr(readers, "READERS", MappingProxyType({**readers.READERS, **line}))


def _read(path):
    return work.read_document({"path": str(path), "media_type": CSV})


@pytest.mark.usefixtures("csv_is_read")
def test_one_file_and_one_line_in_the_registry_add_a_format(tmp_path):
    path = tmp_path / "cv.csv"
    path.write_text("name,Nora Field\nemail,nora@example.com\n", encoding="utf-8")
    (page,) = _read(path)["pages"]
    assert [" ".join(word[0] for word in line["w"]) for line in page["l"]] == ["name | Nora Field", "email | nora@example.com"]
    assert not readers.can_render(CSV), "nothing more is asked of a format without pages"
    assert readers.container_for(CSV) is None


def test_without_the_line_the_format_is_refused_by_its_name(tmp_path):
    path = tmp_path / "cv.csv"
    path.write_text("name,Nora Field\n", encoding="utf-8")
    with pytest.raises(ResumeError, match="unsupported_format"):
        _read(path)
