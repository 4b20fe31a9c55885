"""A real small model over HTTP: whatever it writes, nothing comes out that does not stand in the document.

`make test-model` brings the model: SmolLM2 135M, which invents freely, or the GGUF file that MODEL_GGUF names. It says what
a resume costs in seconds and tokens. Not a part of `make test`: minutes of work for a machine without anything else to do.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.attempt import StageTools
from ingest.dossier import Dossier, ModelEndpoint, Options
from ingest.fields.words import phrases
from ingest.inline import run_through
from ingest.llm import client
from ingest.llm.grounding import fold
from ingest.page import from_data
from ingest.sandbox.pool import close_sandboxes, sandbox_for
from ingest.stages import narrate, structure
from resumes.profile import leaf_paths
from resumes.taxonomy import ResumeError
from tests.texts import ADA, ALICE
from tests.unit.llm.scripted import RESUME

ROOT = Path(__file__).parents[2]
PYTHON = os.environ.get("MODEL_PYTHON", "")
WEIGHTS = os.environ.get("MODEL_GGUF", "")
RESUMES = int(os.environ.get("MODEL_RESUMES", "10"))
PATIENCE_S = 1800.0
"""A model on a busy machine is slow; how slow is what this test tells."""

pytestmark = [
    pytest.mark.skipif(not PYTHON or not WEIGHTS, reason="no model: MODEL_PYTHON and MODEL_GGUF are set by `make test-model`"),
    pytest.mark.timeout(0),
]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[ModelEndpoint]:
    """A server of the model, on this machine."""
    command = [PYTHON, str(Path(__file__).with_name("serve.py")), WEIGHTS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdin
        assert server.stdout
        address = server.stdout.readline().strip()
        assert address, "the server did not start"
        yield ModelEndpoint(f"{address}/v1", "", Path(WEIGHTS).stem, local=True)
        server.stdin.close()


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    monkeypatch.setattr(client, "TOTAL_S", PATIENCE_S)
    monkeypatch.setattr(client, "IDLE_S", PATIENCE_S)
    yield
    close_sandboxes()


def by_rules(path: Path) -> Dossier | None:
    """A sample as the rules leave it; None for what cannot be read without OCR or is no single resume."""
    sniffed = sandbox_for("reader").call("sniff_file", {"path": str(path), "filename": path.name}, deadline_s=60)
    blank = Dossier(sniffed["media_type"], path, path.name, dt.date(2026, 1, 15))
    with contextlib.ExitStack() as scratch:
        dossier = run_through(blank, Options(), scratch).dossier
    return dossier if dossier.draft and dossier.has_text and not dossier.unread_pages else None


def test_nothing_comes_out_that_does_not_stand_in_the_document(endpoint, tmp_path):
    for number, text in enumerate((RESUME, ADA, ALICE)):
        (tmp_path / f"text-{number}.txt").write_text(text, encoding="utf-8")
    documents = {".pdf", ".doc", ".docx", ".html", ".txt"}
    paths = [path for folder in (tmp_path, ROOT / "samples") for path in sorted(folder.rglob("*")) if path.suffix in documents]
    read = (by_rules(path) for path in paths)
    dossiers = [dossier for dossier in read if dossier][:RESUMES]
    assert len(dossiers) == RESUMES
    print(f"\n{endpoint.model}\n{'resume':<28}{'seconds':>8}{'asked':>7}{'written':>8}  result")
    for dossier in dossiers:
        tools = StageTools(Options(models=(endpoint,), model_window=6_000), "model", PATIENCE_S, contextlib.ExitStack())
        started = time.monotonic()
        told, after = structured(dossier, tools)
        after = narrated(after, replace_deadline(tools))
        seconds = time.monotonic() - started
        print(f"{dossier.filename:<28}{seconds:>8.1f}{tools.tokens.prompt:>7}{tools.tokens.completion:>8}  {told}")
        assert_grounded(dossier, after)


def replace_deadline(tools: StageTools) -> StageTools:
    """The same purse, and the stage's whole time again."""
    tools.deadline_s += PATIENCE_S
    return tools


def structured(dossier: Dossier, tools: StageTools) -> tuple[str, Dossier]:
    try:
        after = structure.run(dossier, tools)
    except ResumeError as error:
        return f"{error.code}: the rules' result stands", dossier
    ours = sum(one["source"] == "model" for one in after.draft["evidence"].values()) if after.draft else 0
    return f"{ours} values by the model {' '.join(after.warnings)}", after


def narrated(dossier: Dossier, tools: StageTools) -> Dossier:
    try:
        return narrate.run(dossier, tools)
    except ResumeError:
        return dossier


def assert_grounded(before: Dossier, after: Dossier) -> None:
    assert after.draft
    assert before.draft
    text = "\n".join(line.text for page in from_data(after.reading).pages for line in page.lines)
    folded = fold(text)
    digits = re.sub(r"\D", "", text)
    for path, value in leaf_paths(after.draft["profile"]):
        evidence = after.draft["evidence"].get(path)
        if not evidence or evidence["source"] != "model":
            continue
        assert fold(evidence["quote"]) in folded, path
        if isinstance(value, bool):
            continue
        if re.fullmatch(r"\d{4}(-\d\d){0,2}", value):
            assert value[:4] in digits, path
        else:
            assert fold(value) in folded, path
    if after.summary_source == "model":
        known = text + str(after.draft["profile"])
        assert set(re.findall(r"\d{4}", after.summary)) <= set(re.findall(r"\d{4}", known))
        plain = phrases("narrative", after.draft["language"])
        names = re.findall(r"(?<!^)(?<![.!?] )\b[A-Z]\w+", after.summary)
        assert all(word in known or any(word.casefold().startswith(one.rstrip("*")) for one in plain) for word in names), names
    kept = {key: after.draft["profile"][key] for key in before.draft["profile"] if key not in ("meta", "work", "education")}
    assert set(kept) >= set(before.draft["profile"]) - {"meta", "work", "education"}
