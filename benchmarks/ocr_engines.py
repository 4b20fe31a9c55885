"""What each engine reads and costs: wrong characters per language and degradation, seconds and memory beside the bare engine.

The first page of `EACH` files (default 5) a kind and language, made by `benchmarks.damage`. Ours (prepared, mended, in reading
order, judged) and the bare library read the same picture in turns, each in a process of its own; time is CPU time, so that a
busy machine slows both alike. Ends with 1 where ours takes over a fifth more than the bare engine over all pages.

CER: edits over characters, after NFKC, without white space, dashes and bullets as one; the truth is the clean twin's text layer.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from rapidfuzz.distance import Levenshtein

from benchmarks import damage
from ingest.ocr import ENGINES, Script, engine
from ingest.readers import ReadLimits, page_images_for, reader_for
from resumes.sniff import PDF

KINDS = ("scan", "poor_scan", "photo", "screenshot", "tiff", "turned_scan")
MOST_OVERHEAD = 1.20
_SCRIPTS = {
    "en": frozenset({Script.LATIN}),
    "zh": frozenset({Script.HAN, Script.LATIN}),
    "ru": frozenset({Script.CYRILLIC, Script.LATIN}),
}
_TYPES = {".pdf": PDF, ".jpg": "image/jpeg", ".png": "image/png", ".tiff": "image/tiff"}
_LIMITS = ReadLimits()


def main() -> int:
    bench = Path(os.environ.get("BENCH") or damage.ROOT.parent / "shared" / "bench").resolve()
    if not (bench / "files").is_dir():
        sys.stderr.write(f"No benchmark at {bench}: set BENCH to a folder with files/, truth/ and score.py.\n")
        return 2
    each = int(os.environ.get("EACH", "5"))
    kinds = [kind for kind in os.environ.get("KINDS", ",".join(KINDS)).split(",") if kind in KINDS]
    languages = os.environ.get("LANGUAGES", ",".join(damage.LANGUAGES)).split(",")
    names = [name for name in ENGINES if name in _BARE and engine(name).ability().available]
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        out = Path(os.environ.get("OCR_OUT") or folder).resolve()
        files = damage.make(damage.Source(bench), out, kinds, languages, each)
        kept = [_engine_rows(name, out, files) for name in os.environ.get("ENGINES", ",".join(names)).split(",")]
    return int(not all(kept))


def _engine_rows(name: str, out: Path, files: list[Path]) -> bool:
    """Read all files by one engine, ours and bare in turns, and print its tables; whether our overhead is within bounds."""
    ours, bare = _Worker(name, "ours"), _Worker(name, "bare")
    rows: dict[tuple[str, str], list[tuple[float, ...]]] = defaultdict(list)
    able = engine(name).ability().scripts
    ours.ask("", "en"), bare.ask("", "en")  # loads the models
    for file in files:
        language, kind, _ = file.stem.split("-")
        if not _SCRIPTS[language] <= able:
            continue
        truth = _text_of(out / "twins" / f"{file.stem}.pdf")
        (our_text, our_s), (bare_text, bare_s) = ours.ask(str(file), language), bare.ask(str(file), language)
        rows[kind, language].append((_cer(our_text, truth), _cer(bare_text, truth), our_s, bare_s))
    our_peak, bare_peak = ours.end(), bare.end()
    print(f"\n{name:<12}{'language':<10}{'pages':>6}{'CER':>8}{'bare CER':>10}{'CPU s':>8}{'bare':>7}{'ratio':>7}")
    for (kind, language), values in rows.items():
        our_cer, bare_cer, our_s, bare_s = (statistics.mean(column) for column in zip(*values, strict=True))
        print(
            f"{kind:<12}{language:<10}{len(values):>6}{our_cer:>8.4f}{bare_cer:>10.4f}"
            f"{our_s:>8.2f}{bare_s:>7.2f}{our_s / bare_s:>7.2f}"
        )
    seconds = [row[2:] for values in rows.values() for row in values]
    our_s, bare_s = (sum(column) for column in zip(*seconds, strict=True))
    count = len(seconds)
    print(
        f"CPU seconds a page: ours {our_s / count:.2f}, bare {bare_s / count:.2f}, ratio {our_s / bare_s:.2f};"
        f" peak memory: ours {our_peak:.0f} MB, bare {bare_peak:.0f} MB",
        flush=True,
    )
    return bool(our_s <= MOST_OVERHEAD * bare_s)


class _Worker:
    """A process that reads pages by one engine in one way."""

    def __init__(self, name: str, way: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(name, way, far))
        self._process.start()

    def ask(self, path: str, language: str) -> tuple[str, float]:
        """Text and CPU seconds of a page; an empty path stands for a blank page."""
        self._pipe.send((path, language))
        text, seconds = self._pipe.recv()
        return str(text), float(seconds)

    def end(self) -> float:
        """Stop it; its peak memory in MB, programs it called included."""
        self._pipe.send(None)
        peak = float(self._pipe.recv())
        self._process.join()
        return peak


def _serve(name: str, way: str, pipe: Connection) -> None:
    os.environ |= {"OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1"}
    read: Callable[[Image.Image, str], str] = _ours(name) if way == "ours" else _BARE[name]()
    while (request := pipe.recv()) is not None:
        path, language = request
        image = _picture(Path(path)) if path else Image.new("RGB", (400, 200), "white")
        started = _cpu_s()
        text = read(image, language)
        pipe.send((text, _cpu_s() - started))
    pipe.send(max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024)


def _cpu_s() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _picture(path: Path) -> Image.Image:
    images = page_images_for(_TYPES[path.suffix])
    if images is None:
        raise LookupError(path.suffix)
    return Image.open(io.BytesIO(images.page_image(path, 1, _LIMITS, 200))).convert("RGB")


def _text_of(twin: Path) -> str:
    return reader_for(PDF).read(twin, _LIMITS).pages[0].text


def _ours(name: str) -> Callable[[Image.Image, str], str]:
    from ingest.ocr import pages

    return lambda image, language: pages.read_page(image, 1, engine(name), _SCRIPTS[language]).text


def _bare_rapidocr() -> Callable[[Image.Image, str], str]:
    from rapidocr import RapidOCR

    threads = {"EngineConfig.onnxruntime.intra_op_num_threads": 1, "EngineConfig.onnxruntime.inter_op_num_threads": 1}
    reader = RapidOCR(params={"Global.log_level": "error", **threads})

    def read(image: Image.Image, _language: str) -> str:
        found: Any = reader(np.asarray(image)[:, :, ::-1])
        return "\n".join(found.txts or ())

    return read


def _bare_tesseract() -> Callable[[Image.Image, str], str]:
    languages = {"en": "eng", "zh": "chi_sim+eng", "ru": "rus+eng"}

    def read(image: Image.Image, language: str) -> str:
        packed = io.BytesIO()
        image.save(packed, "PPM")
        command = ["tesseract", "stdin", "stdout", "-l", languages[language], "--psm", "3"]
        return subprocess.run(command, input=packed.getvalue(), capture_output=True, check=True).stdout.decode()

    return read


def _bare_easyocr() -> Callable[[Image.Image, str], str]:
    from ingest.ocr import easyocr

    def read(image: Image.Image, _language: str) -> str:
        return "\n".join(text for _, text, _ in easyocr._reader(Script.LATIN).readtext(np.asarray(image)))  # noqa: SLF001

    return read


_BARE: dict[str, Callable[[], Callable[[Image.Image, str], str]]] = {
    "rapidocr": _bare_rapidocr,
    "tesseract": _bare_tesseract,
    "easyocr": _bare_easyocr,
}


def _cer(text: str, truth: str) -> float:
    wanted = _plain(truth)
    return float(Levenshtein.distance(_plain(text), wanted)) / max(1, len(wanted))


def _plain(text: str) -> str:
    folded = re.sub(r"\s", "", unicodedata.normalize("NFKC", text))
    return re.sub(r"[•·●▪◦■○*]", "·", re.sub(r"[‐‑‒–—―-]", "-", folded)).replace("’", "'")
