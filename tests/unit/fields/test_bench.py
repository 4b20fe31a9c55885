"""The fields on some of the benchmark's text files, where it is at hand: floors, so that nothing sinks unseen."""

from __future__ import annotations

import datetime as dt
import importlib.util
import json
from pathlib import Path
from statistics import mean

import pytest

from ingest.fields import extract_fields
from ingest.fields.draft import Hints
from ingest.readers import ReadLimits, docx, text

BENCH = Path(__file__).parents[4] / "shared" / "bench"
READERS = {".docx": docx, ".txt": text}
FLOORS = {"name": 0.97, "email": 0.99, "phone": 0.99, "city": 0.93, "links": 0.93, "skills_f1": 0.9}

pytestmark = pytest.mark.skipif(not BENCH.is_dir(), reason="the benchmark is not at hand")


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
def test_the_fields_hold_their_floor(language):
    spec = importlib.util.spec_from_file_location("bench_score", BENCH / "score.py")
    assert spec is not None
    assert spec.loader is not None
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    results: dict[str, list[float]] = {}
    for path in sorted((BENCH / "files").glob(f"{language}-*")):
        if path.suffix in READERS:
            pages = READERS[path.suffix].read(path, ReadLimits()).pages
            draft = extract_fields(pages, Hints(as_of=dt.date(2026, 11, 30), filename=path.name))
            truth = json.loads((BENCH / "truth" / f"{path.name}.json").read_text(encoding="utf-8"))
            for field, value in score.score_one(truth, {"resume": draft.profile.to_json()})[0].items():
                results.setdefault(field, []).append(value)
    low = {field: round(mean(results[field]), 3) for field, floor in FLOORS.items() if mean(results[field]) < floor}
    assert not low
