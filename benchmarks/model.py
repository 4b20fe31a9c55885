"""What a language model adds and what a lying one spoils: scripted models over HTTP against the rules alone.

For the files of `BENCH` that need no OCR. The models answer from the truth: one knows it and is wrong in a fifth of what
it says, the others are wrong in everything. Exit 1 where an invented value came out, or a lie cost more than `MOST_COST`.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import importlib.util
import json
import os
import random
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote

import django

from benchmarks import calibration
from benchmarks.accuracy import AS_OF, ROOT
from benchmarks.oracle import Manners, Witness

ORACLE = "oracle, 20 % noise"
MODELS: Mapping[str, Manners] = {
    ORACLE: Manners(invented=0.1, misplaced=0.1),
    "hostile, invented": Manners(invented=1.0),
    "hostile, misplaced": Manners(misplaced=1.0),
    "hostile, half and half": Manners(invented=0.5, misplaced=0.5),
}
MOST_COST = 0.02
MISSED = 0.2
"""Share of what the rules found that the second table takes away from them: there is little to add to what is all right."""
_DEADLINE_S = 60.0


@dataclass(frozen=True, slots=True)
class Read:
    """A file as the rules leave it."""

    name: str
    truth: Mapping[str, Any]
    dossier: Any


@dataclass(slots=True)
class Result:
    """What came of all files with one model."""

    predictions: list[dict[str, Any]]
    documents: list[tuple[dict[str, Any], Mapping[str, Any]]]
    said: int = 0
    invented: int = 0
    came_out: int = 0
    refused: int = 0
    dropped_in: int = 0
    seconds: float = 0.0


def main() -> int:
    """Print the tables."""
    bench = Path(os.environ.get("BENCH") or ROOT.parent / "shared" / "bench").resolve()
    if not (bench / "files").is_dir():
        sys.stderr.write(f"No benchmark at {bench}: set BENCH to a folder with files/, truth/ and score.py.\n")
        return 2
    os.environ.setdefault("LOG_LEVEL", "CRITICAL")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings.development")
    django.setup()
    score = _scorer(bench)
    reads = [read for read in _read(bench) if read is not None]
    rules = Result([_prediction(read.name, read.dossier.draft) for read in reads], [])
    alone, invented_alone = _overall(score, reads, rules)
    print(f"{len(reads)} files of {bench.name} without OCR")
    print(f"{'':<24}{'overall':>9}{'change':>9}{'said':>7}{'invented':>10}{'out':>5}{'refused':>9}{'s/resume':>10}{'unknown':>9}")
    print(f"{'rules alone':<24}{alone:>9.4f}{'':>9}{'':>7}{'':>10}{'':>5}{'':>9}{'':>10}{invented_alone:>9}")
    failed, kept = _table(score, reads, alone, MODELS)
    thin = [replace(read, dossier=_thinned(read)) for read in reads]
    rules = Result([_prediction(read.name, read.dossier.draft) for read in thin], [])
    weak, unknown = _overall(score, thin, rules)
    print(f"\n{'rules that miss a fifth':<24}{weak:>9.4f}{'':>9}{'':>7}{'':>10}{'':>5}{'':>9}{'':>10}{unknown:>9}")
    failed = _table(score, thin, weak, MODELS, helps=True)[0] or failed
    _print_calibration(kept)
    print("\nfailed" if failed else "\npassed: nothing invented came out, the oracle helps, no lie costs more than 0.02")
    return int(failed)


def _table(
    score: ModuleType, reads: list[Read], alone: float, models: Mapping[str, Manners], *, helps: bool = False
) -> tuple[bool, Result]:
    """Print a line for each model; whether one did not do what it must, and what came of the first one.

    The oracle must not spoil anything; where there is enough to mend (`helps`), it must mend.
    """
    failed, first = False, None
    for name, manners in models.items():
        result = _with_model(reads, name, manners)
        first = first or result
        overall, invented = _overall(score, reads, result)
        print(
            f"{name:<24}{overall:>9.4f}{overall - alone:>+9.4f}{result.said:>7}{result.invented:>10}{result.came_out:>5}"
            f"{result.refused:>9}{result.seconds / len(reads):>10.3f}{invented:>9}"
        )
        spoils = overall < (alone if name == ORACLE else alone - MOST_COST)
        failed = failed or result.came_out > 0 or spoils or (helps and name == ORACLE and overall <= alone)
    if first is None:
        raise ValueError("no models")
    return failed, first


def _thinned(read: Read) -> Any:
    """The dossier of rules that have missed a fifth of what they found: fields, jobs, schools, skills, languages at random."""
    from ingest.fields.document import Document
    from ingest.fields.draft import Hints
    from ingest.llm.derived import derive_again
    from ingest.page import from_data

    chance = random.Random(read.name)
    draft = json.loads(json.dumps(read.dossier.draft))
    profile, evidence = draft["profile"], draft["evidence"]
    for leaf in [leaf for leaf in ("name", "label", "email", "phone") if chance.random() < MISSED and leaf in profile["basics"]]:
        del profile["basics"][leaf]
        evidence.pop(f"basics.{leaf}", None)
    if "phone" not in profile["basics"]:
        profile["meta"]["gleaner"].pop("phoneE164", None)
        evidence.pop("meta.gleaner.phoneE164", None)
    for section in ("work", "education", "skills", "languages"):
        entries = profile.get(section, [])
        left = [number for number in range(len(entries)) if chance.random() >= MISSED]
        profile[section] = [entries[number] for number in left]
        places = {f"{section}[{old}]": f"{section}[{new}]" for new, old in enumerate(left)}
        draft["evidence"] = evidence = dict(_renumbered(evidence, section, places))
        draft["alternatives"] = dict(_renumbered(draft["alternatives"], section, places))
        if section == "work" and (figures := profile["meta"]["gleaner"].get("work")):
            profile["meta"]["gleaner"]["work"] = [figures[number] for number in left]
    hints = Hints(read.dossier.as_of, language=read.dossier.language)
    document = Document(from_data(read.dossier.reading).pages, hints)
    return replace(read.dossier, draft=derive_again(draft, document))


def _renumbered(paths: Mapping[str, Any], section: str, places: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for path, value in paths.items():
        found = re.search(rf"\b{section}\[\d+\]", path)
        if found is None:
            yield path, value
        elif found.group() in places:
            yield path.replace(found.group(), places[found.group()], 1), value


def _read(bench: Path) -> Iterator[Read | None]:
    from ingest.dossier import Options

    def read(path: Path) -> Read | None:
        truth_file = bench / "truth" / f"{path.name}.json"
        truth = json.loads(truth_file.read_text(encoding="utf-8")) if truth_file.is_file() else None
        return _by_rules(path, truth, Options()) if isinstance(truth, dict) else None

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(read, sorted((bench / "files").iterdir()))


def _by_rules(path: Path, truth: Mapping[str, Any], options: Any) -> Read | None:
    """The dossier after the rules; None for what is no document of its own or cannot be read without OCR."""
    from ingest.dossier import Dossier
    from ingest.inline import run_through
    from ingest.sandbox.pool import sandbox_for

    sniffed = sandbox_for("reader").call("sniff_file", {"path": str(path), "filename": path.name}, deadline_s=10)
    blank = Dossier(sniffed["media_type"], path, path.name, dt.date.fromisoformat(AS_OF))
    with contextlib.ExitStack() as scratch:
        dossier = run_through(blank, options, scratch).dossier
    usable = dossier.draft is not None and dossier.has_text and not dossier.unread_pages
    return Read(path.name, truth, dossier) if usable else None


def _with_model(reads: list[Read], name: str, manners: Manners) -> Result:
    from ingest.dossier import ModelEndpoint, Options
    from ingest.stages import structure
    from resumes.taxonomy import ResumeError

    witnesses = {read.name: Witness(read.truth, manners, f"{name} {read.name}") for read in reads}
    result = Result([], [])
    started = time.monotonic()

    def ask(read: Read) -> Any:
        options = Options(models=(ModelEndpoint(f"{base}/{read.name}/v1", "", name, local=True),))
        try:
            return structure.run(read.dossier, _tools(options))
        except ResumeError as error:
            return replace(read.dossier, setback=error)

    with _server(witnesses) as base, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for read, after in zip(reads, pool.map(ask, reads), strict=True):
            witness = witnesses[read.name]
            written = set(_texts(after.draft["profile"]))
            result.said += witness.said
            result.invented += len(witness.invented)
            result.came_out += sum(any(invention in text for text in written) for invention in witness.invented)
            result.refused += after.setback is not None
            result.predictions.append(_prediction(read.name, after.draft))
            models = {path: one for path, one in after.draft["evidence"].items() if one["source"] == "model"}
            result.documents.append(({"resume": after.draft["profile"], "evidence": models}, read.truth))
    result.seconds = time.monotonic() - started
    return result


def _tools(options: Any) -> Any:
    from ingest.attempt import StageTools

    return StageTools(options, "model", _DEADLINE_S, contextlib.ExitStack())


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for value in node.values():
            yield from _texts(value)
    elif isinstance(node, list):
        for value in node:
            yield from _texts(value)
    elif isinstance(node, str):
        yield node


@contextlib.contextmanager
def _server(witnesses: Mapping[str, Witness]) -> Iterator[str]:
    """An OpenAI-compatible server at `<base>/<file>/v1`; yields the base."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            schema = body["response_format"]["json_schema"]["schema"]
            with lock:
                witness = witnesses[unquote(self.path.split("/")[1])]
                said = witness.answer(body["messages"][-1]["content"], set(schema["properties"]))
            message = {"role": "assistant", "content": json.dumps(said, ensure_ascii=False)}
            content = json.dumps({"choices": [{"message": message}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}})
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content.encode())))
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, *args: Any) -> None:
            """Say nothing: the tables are the output."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.daemon_threads = True
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}"
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


def _scorer(bench: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_score", bench / "score.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(bench / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _prediction(name: str, draft: Mapping[str, Any]) -> dict[str, Any]:
    return {"file": name, "outcome": "parsed", "failure": None, "resume": draft["profile"]}


def _overall(score: ModuleType, reads: list[Read], result: Result) -> tuple[float, int]:
    """The benchmark's overall figure over these files, and the values its truth does not know."""
    sums: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    invented = 0
    for read, line in zip(reads, result.predictions, strict=True):
        fields, _, unknown, _ = score.score_one(read.truth, line)
        sums.update(fields)
        counts.update(dict.fromkeys(fields, 1))
        invented += sum(unknown.values())
    means = [sums[name] / counts[name] for name in score.OVERALL if counts[name]]
    return sum(means) / len(means), invented


def _print_calibration(result: Result) -> None:
    judged = [one for document, truth in result.documents for one in calibration.judge(document, dict(truth))]
    print(f"\nvalues taken from the oracle's answers\n{'confidence':<14} {'values':>7} {'said':>7} {'right':>7}")
    for band, count, said, right in calibration.table(judged):
        print(f"{band:<14} {count:>7} {said:>7.3f} {right:>7.3f}")
    for name in sorted({one.field for one in judged}):
        values = [one for one in judged if one.field == name]
        said = sum(one.confidence for one in values) / len(values)
        print(f"{name:<14} {len(values):>7} {said:>7.3f} {sum(one.right for one in values) / len(values):>7.3f}")
