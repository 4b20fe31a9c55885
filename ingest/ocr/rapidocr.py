"""RapidOCR: PP-OCR models on ONNX Runtime, weights in its package. The best reader here of Latin and Chinese.

It knows no Cyrillic: Russian comes out as a few Latin look-alikes with nothing between them. Lines with far fewer letters
than their shape holds are therefore answered as unread, and a page of such lines is given up after the first look.
"""

from __future__ import annotations

import functools
import importlib.util
import itertools
import re
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from ingest.ocr import UNREAD, Ability, Lack, Script, gettext_noop
from ingest.ocr.plan import FOREIGN
from ingest.page import Box, Source, Word
from resumes.taxonomy import ResumeError

if TYPE_CHECKING:
    from rapidocr import RapidOCR

CHANNEL = "rapidocr"
_MAX_WIDTH = 1700
"""Pixels of the short side that are looked at: A4 at 200 dpi. More costs memory and time and reads no better."""
_DETECTION_SIDES = (1280, 2000)
"""Long sides in which lines are looked for, the second where the writing is small."""
_LEAST_SIDE = 480
"""Pixels of the short side to which the detector enlarges small pictures and strips; its own 736 costs thrice."""
_SMALL = 14.0
"""Median height of a line, in pixels of the shrunk picture, below which lines may have been missed."""
_TALL = 2.0
"""Height to width from which a picture is taken in bands, and the height of a band."""
_BAND = 1.3
_LONGEST_STRIP = 30.0
"""Times its width that a picture may be high, or its height wide: enlarged to the least side, more takes hours or gigabytes."""
_MIN_SCORE = 0.5
"""Lines below are icons, ornaments and stains."""
_LOOK_LINES = 12
"""The longest lines, read first: they tell whether the script is one it knows."""
_LEAST_LETTERS = 1.0
"""Letters (wide ones count double) in a line's height along the line, below which some were not read. English has 1.6 to
2.5, Chinese 2.0 to 3.1; of a page's lines so much stays unread: 0.0 in both on scans and photos, 0.64 and more in Russian."""
_LEAST_LINE = 3.0
"""Length in heights from which a line can be judged; shorter ones are icons and stamps."""
_GAP_NARROW = 1.1
"""From the middle of one letter to the next, in heights of the line: further apart, a space was overlooked."""
_GAP_WIDE = 2.5
"""The same between wide characters, which titles and names set apart."""
_GAP_HAN = 1.7
"""The same between ideographs, in their usual distance on the line: 1.3 and less within words, 2.0 over a space."""
_LEAST_HAN = 0.6
"""Least such distance, in heights of the line: places are known to a sixth of a height."""
_FEW_HAN = 3
"""Distances between ideographs of which one can be usual."""
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]")
_HAN = re.compile(r"[\u3400-\u9fff]")

_Array = npt.NDArray[np.float32]


def ability() -> Ability:
    """Latin and Chinese, where its two packages are installed."""
    missing = [package for package in ("rapidocr", "onnxruntime") if importlib.util.find_spec(package) is None]
    lack = Lack(gettext_noop("Python packages are missing: %s."), tuple(missing)) if missing else None
    return Ability(
        scripts=frozenset({Script.LATIN, Script.HAN}),
        available=not missing,
        why_not=str(lack or ""),
        lack=lack,
        seconds_per_page=5.0,
        deadline_s=30.0,
    )


def read(image: Image.Image, _scripts: frozenset[Script]) -> tuple[Word, ...]:
    """Words with boxes and mean confidences of their characters; none of strips. Raises ResumeError(dependency_unavailable)."""
    if max(image.size) > _LONGEST_STRIP * min(image.size):
        return ()
    engine = _engine()
    pixels = np.ascontiguousarray(np.asarray(_capped(image).convert("RGB"))[:, :, ::-1])  # blue, green, red
    height, width = pixels.shape[:2]
    quads = [quad for top, bottom in bands(pixels) for quad in _find(engine, pixels, top, bottom)]
    by_length = sorted(range(len(quads)), key=lambda index: -float(np.linalg.norm(_axes(quads[index])[0])))
    look, rest = by_length[:_LOOK_LINES], by_length[_LOOK_LINES:]
    lines = dict(zip(look, _recognised(engine, pixels, [quads[index] for index in look]), strict=True))
    if _unread_share(lines.values()) < FOREIGN:
        lines |= zip(rest, _recognised(engine, pixels, [quads[index] for index in rest]), strict=True)
    else:
        lines |= {index: _Line(quads[index]) for index in rest}
    words = (word for index in range(len(quads)) for word in lines[index].words())
    return tuple(replace(word, box=_share(word.box, width, height)) for word in words)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of text: its corners in pixels, from the top left, clockwise, and what the recogniser made of it."""

    quad: _Array
    text: str = ""
    info: Any = None
    score: float = 0.0

    @property
    def length(self) -> float:
        """In heights of the line."""
        along, across = _axes(self.quad)
        return float(np.linalg.norm(along) / max(1.0, float(np.linalg.norm(across))))

    @property
    def unread(self) -> float:
        """The share of the line that has no letters, from 0 to 1, where there should be some."""
        if self.length < _LEAST_LINE:
            return 0.0
        letters = sum(2 if _WIDE.match(char) else 1 for char in self.text if not char.isspace())
        return max(0.0, 1.0 - letters / (self.length * _LEAST_LETTERS))

    def words(self) -> Iterator[Word]:
        if self.unread >= 0.5:
            xs, ys = self.quad[:, 0], self.quad[:, 1]
            box = Box(float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))
            yield Word(UNREAD, box, source=Source.OCR, confidence=0.0)
        elif self.score >= _MIN_SCORE:
            yield from _words(self.quad, self.text, self.info, self.score)


def _recognised(engine: RapidOCR, pixels: npt.NDArray[np.uint8], quads: Sequence[_Array]) -> list[_Line]:
    if not quads:
        return []
    found = engine.recognize_txt(engine.crop_text_regions(pixels, np.stack(quads)))
    if found.txts is None:
        return [_Line(quad) for quad in quads]
    return [_Line(*each) for each in zip(quads, found.txts, found.word_results, found.scores, strict=True)]


def _unread_share(lines: Iterable[_Line]) -> float:
    """Of the length of all lines."""
    judged = [(line.length, line.unread) for line in lines if line.length >= _LEAST_LINE]
    return sum(length * unread for length, unread in judged) / max(1.0, sum(length for length, _ in judged))


def bands(pixels: npt.NDArray[np.uint8]) -> list[tuple[int, int]]:
    """Rows of a tall picture (a screenshot scrolled and stitched) in bands of about a page each, cut where nothing is written.

    One band for everything of a page's shape.
    """
    height, width = pixels.shape[:2]
    if height <= width * _TALL:
        return [(0, height)]
    restless = np.abs(np.diff(pixels.mean(axis=2), axis=1)).sum(axis=1)  # rows with writing change from left to right
    cuts, step = [0], int(width * _BAND)
    while height - cuts[-1] > width * _TALL:
        begin = cuts[-1] + step
        window = restless[begin : begin + step // 3]
        cuts.append(begin + int(window.argmin()))
    return list(itertools.pairwise([*cuts, height]))


def _find(engine: RapidOCR, pixels: npt.NDArray[np.uint8], top: int, bottom: int) -> list[_Array]:
    """Corners of the lines of text between two rows, in pixels.

    Looked for in a shrunk picture first, since that is where the time goes: in half the time the same lines are found.
    Only where the writing turns out to be small is the picture looked at in full.
    """
    part = pixels[top:bottom]
    quads: list[_Array] = []
    for side in _DETECTION_SIDES:
        scale = min(1.0, side / max(part.shape[:2]))
        quads = _detect(engine, part, scale)
        heights = [float(np.linalg.norm(_axes(quad)[1])) * scale for quad in quads]
        if scale == 1.0 or not heights or float(np.median(heights)) >= _SMALL:
            break
    shift = np.array([0, top], dtype=np.float32)
    return [np.add(quad, shift) for quad in quads]


def _detect(engine: RapidOCR, part: npt.NDArray[np.uint8], scale: float) -> list[_Array]:
    from rapidocr.main import RapidOCRError

    height, width = part.shape[:2]
    if scale < 1.0:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    record: dict[str, Any] = {}
    try:
        _crops, found = engine.detect_and_crop(part, record)
    except RapidOCRError:  # its way of saying that nothing was found
        return []
    padding = np.array([record["padding_1"]["left"], record["padding_1"]["top"]], dtype=np.float32)
    factor = np.array([width, height], dtype=np.float32) / np.array([part.shape[1], part.shape[0]], dtype=np.float32)
    boxes = np.asarray(found.boxes if found.boxes is not None else [], dtype=np.float32)
    return [np.multiply(np.subtract(quad, padding), factor) for quad in boxes]


def _share(box: Box | None, width: int, height: int) -> Box | None:
    """Pixels as fractions of the picture."""
    if box is None:
        return None
    x0, x1 = (min(1.0, max(0.0, x / width)) for x in (box.x0, box.x1))
    y0, y1 = (min(1.0, max(0.0, y / height)) for y in (box.y0, box.y1))
    return Box(x0, y0, x1, y1)


@functools.cache
def _engine() -> RapidOCR:
    """The models, loaded once a process. One thread each: children times threads must not pass the cores."""
    try:
        from rapidocr import RapidOCR
    except ImportError as exc:
        raise ResumeError("dependency_unavailable", ability().why_not, channel=CHANNEL) from exc
    engine = RapidOCR(
        params={
            "Global.log_level": "error",
            "Det.limit_side_len": _LEAST_SIDE,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
    engine.return_word_box = True
    return engine


def _capped(image: Image.Image) -> Image.Image:
    """The picture no larger than is useful; a tall one may be as long as it likes."""
    scale = _MAX_WIDTH / min(image.size)
    if scale >= 1.0:
        return image
    return image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))), Image.Resampling.BOX)


def _words(quad: _Array, text: str, info: Any, score: float) -> Iterator[Word]:
    """Split a recognised line at its spaces and at wide gaps. `quad` is in pixels, from the top left, clockwise.

    Where a character stands comes from the column of the recogniser's output in which it was seen.
    """
    letters = [index for index, char in enumerate(text) if not char.isspace()]
    columns = [column for part in info.word_cols for column in part]
    if not letters or len(columns) != len(letters) or info.line_txt_len <= 0:
        return
    origin, (along, across) = quad[0], _axes(quad)
    height = float(np.linalg.norm(across))
    places = dict(zip(letters, (np.array(columns) + 0.5) / info.line_txt_len, strict=True))
    length = float(np.linalg.norm(along))
    gaps = _gaps(text, letters, places, length / height)
    for run in _runs(letters, gaps):
        half = _half_width(run, places, height / length)
        begin, end = max(0.0, places[run[0]] - half), min(1.0, places[run[-1]] + half)
        corners = [origin + along * share + across * depth for share in (begin, end) for depth in (0.0, 1.0)]
        xs, ys = [float(corner[0]) for corner in corners], [float(corner[1]) for corner in corners]
        known = [info.confs[index] for index in run] if len(info.confs) == len(text) else [score]
        last = run[-1] + 1
        yield Word(
            text="".join(text[index] for index in run),
            box=Box(min(xs), min(ys), max(xs), max(ys)),
            source=Source.OCR,
            confidence=round(float(sum(known) / len(known)), 3),
            space=last >= len(text) or last not in places or last in gaps,
        )


def _axes(quad: _Array) -> tuple[_Array, _Array]:
    """The line's own directions: along the text and across it. The engine reads what is tall from top to bottom."""
    right, down = quad[1] - quad[0], quad[3] - quad[0]
    return (down, right) if np.linalg.norm(down) >= 1.5 * np.linalg.norm(right) else (right, down)


def _runs(letters: list[int], gaps: frozenset[int]) -> Iterator[list[int]]:
    """Indices of the characters of each word."""
    run: list[int] = []
    for index in letters:
        if run and (index != run[-1] + 1 or index in gaps):
            yield run
            run = []
        run.append(index)
    yield run


def _gaps(text: str, letters: list[int], places: dict[int, float], aspect: float) -> frozenset[int]:
    """The characters that stand so far from the one before that a space was overlooked. `aspect` is length over height."""
    pairs = [(left, right) for left, right in itertools.pairwise(letters) if right == left + 1]
    apart = {right: (places[right] - places[left]) * aspect for left, right in pairs}
    han = [apart[right] for left, right in pairs if _HAN.match(text[left]) and _HAN.match(text[right])]
    usual = max(statistics.median(han), _LEAST_HAN) if len(han) >= _FEW_HAN else _GAP_WIDE / _GAP_HAN

    def limit(left: int, right: int) -> float:
        if _HAN.match(text[left]) and _HAN.match(text[right]):
            return usual * _GAP_HAN
        return _GAP_WIDE if _WIDE.match(text[left]) and _WIDE.match(text[right]) else _GAP_NARROW

    return frozenset(right for left, right in pairs if apart[right] > limit(left, right))


def _half_width(run: list[int], places: dict[int, float], usual: float) -> float:
    """Half a character's width, as a share of the line: from the distances within the word, else a third of its height."""
    if len(run) < 2:
        return usual / 3
    return float(places[run[-1]] - places[run[0]]) / (len(run) - 1) / 2
