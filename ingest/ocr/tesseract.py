"""Tesseract, by its command line: light, reads all three scripts, a second opinion in two of them.

Needs Debian's packages; without them the channel says so and is not used.
"""

from __future__ import annotations

import csv
import functools
import io
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

import cv2
import numpy as np
from PIL import Image

from ingest.ocr import Ability, Lack, Script, gettext_noop
from ingest.ocr.light import evened, type_height, without_grain
from ingest.ocr.strips import STRIPS, Sheet
from ingest.page import Box, Source, Word
from resumes.taxonomy import ResumeError

CHANNEL = "tesseract"
_LANGUAGES = {Script.LATIN: "eng", Script.HAN: "chi_sim", Script.CYRILLIC: "rus"}
_PACKAGES = {"eng": "tesseract-ocr-eng", "chi_sim": "tesseract-ocr-chi-sim", "rus": "tesseract-ocr-rus"}
_DEADLINE_S = 25.0
"""Below the channel's deadline, so that a slow page is reported by Tesseract's absence and not by the child's death."""
_UPRIGHT = 0.45
"""Confidence: pages upside down measured had 0.34 and less in all three scripts, bad ones upright 0.51 and more."""
_SMALL = 13.5
"""Height of small letters in pixels below which they are enlarged: 14 to 16 on paper at 200 dpi, 9 to 11 on screens."""
_LARGER = 2
_MOST_PIXELS = 40_000_000
"""Of a picture enlarged."""
_AS_LINES = ("--psm", "6")
"""One block of lines: where blocks are looked for, short lines apart from each other are dirt."""
_LEAST_S = 0.1
"""Left to a second look that comes too late, so that it ends."""
_SAUVOLA = "thresholding_method=2"
"""The threshold of ink told from each letter's surroundings; versions before 5 do not know it and go on with their own."""
_WORD = "5"
"""Level of the table's rows that hold words."""


def ability() -> Ability:
    """The scripts whose language data is installed."""
    languages = _installed()
    scripts = frozenset(script for script, language in _LANGUAGES.items() if language in languages)
    missing = [package for language, package in _PACKAGES.items() if language not in languages]
    lack = None
    if not languages:
        lack = Lack(gettext_noop("The program tesseract is not installed; install tesseract-ocr and %s."), tuple(missing))
    elif missing:
        lack = Lack(gettext_noop("Language data is missing; install %s."), tuple(missing))
    return Ability(
        scripts=scripts,
        available=bool(scripts),
        why_not=str(lack or ""),
        lack=lack,
        seconds_per_page=2.0,
        deadline_s=30.0,
        upright_confidence=_UPRIGHT,
    )


def read(image: Image.Image, scripts: frozenset[Script]) -> tuple[Word, ...]:
    """Words with boxes and Tesseract's own confidences. Raises ResumeError(dependency_unavailable, timeout)."""
    wanted = [_LANGUAGES[script] for script in (Script.HAN, Script.CYRILLIC, Script.LATIN) if script in scripts]
    languages = [language for language in wanted if language in _installed()]
    if not languages:
        raise ResumeError("dependency_unavailable", ability().why_not or "no language asked for", channel=CHANNEL)
    until = time.monotonic() + _DEADLINE_S
    even = evened(_readable(image))
    clean = without_grain(even)
    options = [*(("-c", _SAUVOLA) if clean is not even else ()), *(_AS_LINES if STRIPS in image.info else ())]
    words = tuple(_words(_run(clean, languages, until, *options), clean.width, clean.height))
    return _addresses_again(words, clean, until) if {"rus", "eng"} <= set(languages) else words


def _readable(image: Image.Image) -> Image.Image:
    """The picture, enlarged where its type is as small as on screens: Tesseract expects that of paper at 200 dpi and more."""
    height = type_height(image)
    if not 0 < height < _SMALL or image.width * image.height * _LARGER**2 > _MOST_PIXELS:
        return image
    size = (round(_LARGER * image.width), round(_LARGER * image.height))
    return Image.fromarray(cv2.resize(np.asarray(image.convert("L")), size, interpolation=cv2.INTER_CUBIC))


@functools.cache
def _installed() -> frozenset[str]:
    """Names of the language data on this machine; empty without the program."""
    program = shutil.which("tesseract")
    if program is None:
        return frozenset()
    try:
        listing = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    return frozenset(listing.split("\n")[1:]) & frozenset(_PACKAGES)


def _second_look(image: Image.Image, languages: list[str], until: float) -> tuple[Word, ...]:
    """Words of parts of a page that has been read already, one below the other: none where that fails or time is up."""
    try:
        return tuple(_words(_run(image, languages, until, *_AS_LINES), image.width, image.height))
    except ResumeError:
        return ()


def _run(image: Image.Image, languages: list[str], until: float, *options: str) -> str:
    picture = io.BytesIO()
    image.save(picture, "PPM")
    # psm 3, which is usual, finds the blocks itself; our own reading order follows from the boxes.
    command = ["tesseract", "stdin", "stdout", "-l", "+".join(languages), *options, "tsv"]
    try:
        done = subprocess.run(
            command,
            input=picture.getvalue(),
            capture_output=True,
            timeout=max(_LEAST_S, until - time.monotonic()),
            check=False,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except subprocess.TimeoutExpired:
        raise ResumeError("timeout", f"tesseract took longer than {_DEADLINE_S:.0f} s", channel=CHANNEL) from None
    except OSError as exc:
        raise ResumeError("dependency_unavailable", "tesseract could not be started", channel=CHANNEL) from exc
    if done.returncode != 0:
        raise ResumeError("dependency_unavailable", f"tesseract ended with status {done.returncode}", channel=CHANNEL)
    return done.stdout.decode("utf-8", "replace")


def _words(table: str, width: int, height: int) -> Iterator[Word]:
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row["text"] or "").strip()
        if row["level"] != _WORD or not text:
            continue
        x, y, w, h = (int(row[name]) for name in ("left", "top", "width", "height"))
        yield Word(
            text=text,
            box=_full(Box(x / width, y / height, (x + w) / width, (y + h) / height), text),
            source=Source.OCR,
            confidence=max(0.0, float(row["conf"])) / 100,
        )


_ADDRESS = re.compile(r"@|://|\bwww\.|\w\.\w{2,}/|\.(?:com|org|net|io|ru|example)\b")
_ALIKE = 0.85
"""Share of an address that must have been read the same at first: what differs more has come from elsewhere."""


def _addresses_again(words: tuple[Word, ...], clean: Image.Image, until: float) -> tuple[Word, ...]:
    """The words, addresses among them as they read in Latin alone.

    With both scripts allowed a digit becomes a Cyrillic letter, or a letter more.
    """
    found = [index for index, word in enumerate(words) if word.box and _ADDRESS.search(word.text)]
    if not found:
        return words
    sheet = Sheet.of(clean, [box for index in found if (box := words[index].box)])
    result = list(words)
    for index, parts in zip(found, sheet.put_back(_second_look(sheet.image, ["eng"], until)), strict=True):
        text = "".join(part.text for part in parts if sum(map(str.isalnum, part.text)) > 1)  # less is an icon
        if _ADDRESS.search(text) and SequenceMatcher(None, words[index].text, text, autojunk=False).ratio() >= _ALIKE:
            result[index] = replace(words[index], text=text)
    return tuple(result)


_CAP, _X, _DESCENT = 0.72, 0.52, 0.21
"""Heights of capitals and of small letters above the line, depth of tails below it, in sizes of type."""
_LOW = re.compile(r"[-–—_.,:;•·*~«»+=<>acegmnopqrsuvwxyzавгдежзиклмнопрстуфхцчшщъыьэюя'\"’“”]+")
"""Text without a letter as high as a capital."""
_TAILED = re.compile(r"[gjpqyрудцщфQ,;()\[\]{}/@|]")
_UNSIZED = re.compile(r"[\W_]+|.*[\u2e80-\u9fff]", re.DOTALL)


def _full(box: Box, text: str) -> Box:
    """The box from the height of capitals to the depth of tails, whichever of them the word has: Tesseract cuts it close."""
    if _UNSIZED.fullmatch(text):
        return box
    above, below = (_X if _LOW.fullmatch(text) else _CAP), (_DESCENT if _TAILED.search(text) else 0.0)
    size = box.height / (above + below)
    return Box(box.x0, max(0.0, box.y0 - (_CAP - above) * size), box.x1, min(1.0, box.y1 + (_DESCENT - below) * size))
