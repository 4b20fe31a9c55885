"""Clean text PDFs made hard to read, with the same truth: scanned, photographed, mixed, garbled, turned.

    python -m benchmarks.damage OUT [--each 20] [--kinds scan,photo,…] [--languages en,zh,ru]

Takes the PDF files of a benchmark folder (`BENCH`) whose truth says they are undamaged, and writes `OUT/files`,
`OUT/truth` (the clean file's, with the new name and the kind as `degradation`) and `OUT/twins` (the clean file under the
name of the damaged one). Seeded by file and kind: the same folder gives the same files.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pypdf
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image
from pypdf.generic import DictionaryObject, NameObject, StreamObject

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("en", "zh", "ru")

Pixels = npt.NDArray[np.uint8]
Maker = Callable[[Path, Path, "Source", random.Random], Path]
"""Clean file, path without suffix, the other clean files, chance → the file written."""


class Source:
    """The clean files of a benchmark folder."""

    def __init__(self, bench: Path) -> None:
        self.bench = bench
        self.files: dict[str, list[Path]] = {language: [] for language in LANGUAGES}
        for truth in sorted((bench / "truth").glob("*.json")):
            known = json.loads(truth.read_text(encoding="utf-8"))
            if isinstance(known, dict) and known["format"] == "pdf" and known["degradation"] == "none":
                self.files[known["language"]].append(bench / "files" / known["file"])

    def truth(self, path: Path) -> dict[str, Any]:
        known: dict[str, Any] = json.loads((self.bench / "truth" / f"{path.name}.json").read_text(encoding="utf-8"))
        return known

    def other(self, path: Path, chance: random.Random) -> Path:
        """Somebody else's file in the same language."""
        return chance.choice([file for file in self.files[path.name[:2]] if file != path])


# -- pictures ---------------------------------------------------------------------------------------------------------


def drawn(path: Path, dpi: float) -> list[Image.Image]:
    """The pages as pictures."""
    with pypdfium2.PdfDocument(path) as document:
        return [page.render(scale=dpi / 72).to_pil().convert("RGB") for page in document]


def scanned(image: Image.Image, chance: random.Random) -> Image.Image:
    """An office scanner: laid in a little askew, slightly soft, grain, paper not quite white."""
    pixels: Any = _askew(np.asarray(image), chance.uniform(-0.8, 0.8))
    pixels = cv2.GaussianBlur(pixels, (0, 0), chance.uniform(0.4, 0.7))
    return _jpeg(_grain(pixels * (chance.uniform(236, 252) / 255), chance, chance.uniform(3, 7)), chance.randint(70, 85))


def poorly_scanned(image: Image.Image, chance: random.Random) -> Image.Image:
    """A fax or a copy of a copy: grey, faint, uneven, specks, hard compression."""
    pixels: Any = _askew(np.asarray(image.convert("L")), chance.uniform(-1.6, 1.6)).astype(np.float32)
    pixels = cv2.GaussianBlur(pixels, (0, 0), chance.uniform(0.7, 1.0))
    pixels = 255 - (255 - pixels) * chance.uniform(0.6, 0.8)  # faint
    height, width = pixels.shape
    fall = (
        np.linspace(1.0, chance.uniform(0.68, 0.85), width)[None, :]
        * np.linspace(1.0, chance.uniform(0.85, 1.0), height)[:, None]
    )
    pixels = pixels * (fall if chance.random() < 0.5 else fall[:, ::-1])
    numbers = np.random.default_rng(chance.randrange(1 << 30))
    ys, xs = numbers.integers(0, height - 2, 250), numbers.integers(0, width - 2, 250)
    for y, x in zip(ys, xs, strict=True):
        pixels[y : y + 2, x : x + 2] = numbers.integers(40, 160)
    return _jpeg(_grain(pixels, chance, chance.uniform(8, 13)), chance.randint(32, 45))


def photographed(image: Image.Image, chance: random.Random) -> Image.Image:
    """A phone held over a sheet on a table: seen from aside, in warm and uneven light, with a shadow."""
    sheet = np.asarray(image)
    height, width = sheet.shape[:2]
    wide, high = round(width * 1.22), round(height * 1.16)
    left, top = (wide - width) / 2, (high - height) / 2
    reach = 0.045 * width
    corners = np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]], np.float32)
    corners += np.array([[chance.uniform(-reach, reach), chance.uniform(-reach, reach)] for _ in range(4)], np.float32)
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, corners)
    table = _table(wide, high, chance)
    inside = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, (wide, high))[..., None] / 255.0
    paper = cv2.warpPerspective(sheet, matrix, (wide, high), flags=cv2.INTER_AREA)
    seen = paper * inside + table * (1 - inside)
    light = _light(wide, high, chance)
    warm = np.array([1.0, chance.uniform(0.95, 1.0), chance.uniform(0.84, 0.97)])
    soft = cv2.GaussianBlur(seen * light[..., None] * warm, (0, 0), chance.uniform(0.8, 1.3))
    return _jpeg(_grain(soft, chance, chance.uniform(3, 7)), chance.randint(70, 85))


def _askew(pixels: Pixels, degrees: float) -> Pixels:
    height, width = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    white = (255, 255, 255)
    return np.asarray(cv2.warpAffine(pixels, matrix, (width, height), flags=cv2.INTER_CUBIC, borderValue=white), np.uint8)


def _grain(pixels: npt.NDArray[Any], chance: random.Random, sigma: float) -> Pixels:
    numbers = np.random.default_rng(chance.randrange(1 << 30))
    return np.clip(pixels + numbers.normal(0, sigma, pixels.shape), 0, 255).astype(np.uint8)


def _jpeg(pixels: Pixels, quality: int) -> Image.Image:
    packed = io.BytesIO()
    Image.fromarray(pixels).save(packed, "JPEG", quality=quality)
    return Image.open(io.BytesIO(packed.getvalue()))


def _table(width: int, height: int, chance: random.Random) -> npt.NDArray[np.float32]:
    """Wood, cloth or stone: a dark colour with soft stripes or clouds."""
    numbers = np.random.default_rng(chance.randrange(1 << 30))
    colour = np.array(chance.choice([(110, 80, 55), (70, 72, 78), (52, 60, 82), (120, 110, 96)]), np.float32)
    cells = (chance.choice([2, 30]), 30)
    clouds = cv2.resize(numbers.normal(0, 14, cells).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(colour + clouds[..., None], np.float32)


def _light(width: int, height: int, chance: random.Random) -> npt.NDArray[np.float32]:
    """A lamp on one side, and the shadow of the hand with the phone."""
    xs, ys = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    angle = chance.uniform(0, 2 * np.pi)
    lamp = 0.88 + 0.12 * (xs * np.cos(angle) + ys * np.sin(angle))
    x, y, size = chance.uniform(-0.8, 0.8), chance.uniform(-0.8, 0.8), chance.uniform(0.3, 0.6)
    shadow = 1 - chance.uniform(0.15, 0.35) / (1 + np.exp((np.hypot(xs - x, ys - y) - size) * 14))
    return np.asarray(lamp * shadow, np.float32)


def _pdf(images: Sequence[Image.Image], path: Path, dpi: float, quality: int = 85) -> Path:
    first, *others = images
    first.save(path, "PDF", save_all=True, append_images=others, resolution=dpi, quality=quality)
    return path


# -- kinds ------------------------------------------------------------------------------------------------------------


def scan(clean: Path, stem: Path, _source: Source, chance: random.Random) -> Path:
    return _pdf([scanned(image, chance) for image in drawn(clean, 200)], stem.with_suffix(".pdf"), 200)


def poor_scan(clean: Path, stem: Path, _source: Source, chance: random.Random) -> Path:
    return _pdf([poorly_scanned(image, chance) for image in drawn(clean, 150)], stem.with_suffix(".pdf"), 150, 60)


def photo(clean: Path, stem: Path, _source: Source, chance: random.Random) -> Path:
    """One page: a JPEG as the camera writes it, lying as it was held. Several: a PDF as scanning apps write it."""
    images = [photographed(image, chance) for image in drawn(clean, chance.uniform(185, 230))]
    if len(images) > 1:
        return _pdf(images, stem.with_suffix(".pdf"), 200)
    held = chance.choice([1, 3, 6, 8])
    turn = {1: 0, 3: 180, 6: 90, 8: 270}[held]  # EXIF: 6 means "turn by 90 degrees clockwise to see it upright"
    exif = Image.Exif()
    exif[0x0112] = held
    path = stem.with_suffix(".jpg")
    images[0].rotate(turn, expand=True).save(path, "JPEG", quality=85, exif=exif)
    return path


def screenshot(clean: Path, stem: Path, _source: Source, chance: random.Random) -> Path:
    """Of a phone or a screen; the pages follow each other without a gap."""
    images = drawn(clean, chance.uniform(110, 160))
    whole = Image.new("RGB", (images[0].width, sum(image.height for image in images)), "white")
    top = 0
    for image in images:
        whole.paste(image, (0, top))
        top += image.height
    path = stem.with_suffix(".png")
    whole.save(path)
    return path


def tiff(clean: Path, stem: Path, _source: Source, chance: random.Random) -> Path:
    """A fax server's: black and white, group 4."""
    pages = []
    for image in drawn(clean, 200):
        grey = _grain(_askew(np.asarray(image.convert("L")), chance.uniform(-0.6, 0.6)), chance, 4)
        pages.append(Image.fromarray(grey).point(lambda value: 255 * (value > 165)).convert("1"))
    path = stem.with_suffix(".tiff")
    pages[0].save(path, save_all=True, append_images=pages[1:], compression="group4", dpi=(200, 200))
    return path


def mixed(clean: Path, stem: Path, _source: Source, chance: random.Random) -> Path:
    """Text first, then pictures: whole pages where there are several, else the lower part of the page."""
    path = stem.with_suffix(".pdf")
    pictures = [scanned(image, chance) for image in drawn(clean, 200)]
    with pypdfium2.PdfDocument(clean) as document:
        if len(document) > 1:
            for number in range(1, len(document)):
                width, height = document[number].get_size()
                document.del_page(number)
                _place(document, document.new_page(width, height, number), pictures[number], width, height)
        else:
            _cover(document, document[0], pictures[0], chance.uniform(0.4, 0.7))
        document.save(path)
    return path


def _cover(document: Any, page: Any, picture: Image.Image, share: float) -> None:
    """Lay its picture over the lower share of a page, from between two lines down.

    What stands below stays in the file, where nobody sees it: taking it out would have the page's text written anew, which
    pdfium cannot do with every font.
    """
    width, height = page.get_size()
    grey = np.asarray(picture.convert("L"), dtype=np.float32)
    restless = np.abs(np.diff(grey, axis=1)).mean(axis=1)  # rows with writing change from left to right
    start = round(picture.height * (1 - share))
    row = start + int(restless[start : start + picture.height // 20].argmin())
    _place(document, page, picture.crop((0, row, picture.width, picture.height)), width, height * (1 - row / picture.height))


def _place(document: Any, page: Any, picture: Image.Image, width: float, height: float) -> None:
    packed = io.BytesIO()
    picture.convert("RGB").save(packed, "JPEG", quality=85)
    thing = pypdfium2.PdfImage.new(document)
    thing.load_jpeg(io.BytesIO(packed.getvalue()))
    thing.set_matrix(pypdfium2.PdfMatrix().scale(width, height))
    page.insert_obj(thing)
    page.gen_content()


def garbled(clean: Path, stem: Path, _source: Source, chance: random.Random) -> Path:
    """Fonts that map their glyphs to the wrong characters, or to none; the page looks right."""
    writer = pypdf.PdfWriter(clone_from=clean)
    how = chance.choice(["shifted", "missing"])
    shift = chance.randint(3, 25)
    for thing in list(writer._objects):  # noqa: SLF001 - every font of the file, wherever it is used
        if isinstance(thing, DictionaryObject) and thing.get("/Type") == "/Font" and "/ToUnicode" in thing:
            if how == "missing":
                del thing["/ToUnicode"]
            else:
                thing[NameObject("/ToUnicode")] = writer._add_object(_shifted(thing["/ToUnicode"].get_object(), shift))  # noqa: SLF001
    path = stem.with_suffix(".pdf")
    writer.write(path)
    return path


_MAPPING = re.compile(rb"(beginbfchar|beginbfrange)(.*?)(endbfchar|endbfrange)", re.DOTALL)
_TARGET = re.compile(rb"<([0-9A-Fa-f]{4})>(?=\s*(?:\n|\r|\]|<[0-9A-Fa-f]+>\s*<|$))")


def _shifted(stream: Any, shift: int) -> StreamObject:
    """A character map with every target moved on by some letters."""

    def lines(match: re.Match[bytes]) -> bytes:
        size = 2 if match.group(1) == b"beginbfchar" else 3
        parts = re.findall(rb"<[^>]*>|\[[^\]]*\]", match.group(2))
        rows = [parts[index : index + size] for index in range(0, len(parts), size)]
        return (
            match.group(1)
            + b"\n"
            + b"\n".join(b" ".join((*row[:-1], _moved(row[-1], shift))) for row in rows)
            + b"\n"
            + match.group(3)
        )

    made = StreamObject()
    made.set_data(_MAPPING.sub(lines, stream.get_data()))
    return made


def _moved(target: bytes, shift: int) -> bytes:
    def one(match: re.Match[bytes]) -> bytes:
        return b"".join(b"%04X" % ((int(match.group()[i : i + 4], 16) + shift) & 0xFFFF) for i in range(0, len(match.group()), 4))

    return re.sub(rb"[0-9A-Fa-f]{4,}", one, target)


def false_layer(clean: Path, stem: Path, source: Source, chance: random.Random) -> Path:
    """A scan over somebody else's text that nobody sees."""
    pictures = [scanned(image, chance) for image in drawn(clean, 200)]
    path = stem.with_suffix(".pdf")
    with pypdfium2.PdfDocument(source.other(clean, chance)) as other, pypdfium2.PdfDocument.new() as document:
        for number, picture in enumerate(pictures):
            document.import_pages(other, [min(number, len(other) - 1)])
            page = document[number]
            width, height = page.get_size()
            for thing in list(page.get_objects(max_depth=1)):
                if thing.type == pdfium.FPDF_PAGEOBJ_TEXT:
                    pdfium.FPDFTextObj_SetTextRenderMode(thing, pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)
                else:
                    page.remove_obj(thing)
            _place(document, page, picture, width, height)
            page.gen_content()
        document.save(path)
    return path


def rotated(clean: Path, stem: Path, _source: Source, chance: random.Random) -> Path:
    """Pages of text that viewers turn."""
    writer = pypdf.PdfWriter(clone_from=clean)
    for page in writer.pages:
        page.rotate(chance.choice([90, 180, 270]))
    path = stem.with_suffix(".pdf")
    writer.write(path)
    return path


def turned_scan(clean: Path, stem: Path, _source: Source, chance: random.Random) -> Path:
    """Laid into the scanner the wrong way round."""
    turn = chance.choice([90, 180, 270])
    images = [scanned(image, chance).rotate(turn, expand=True) for image in drawn(clean, 200)]
    return _pdf(images, stem.with_suffix(".pdf"), 200)


KINDS: Mapping[str, Maker] = MappingProxyType(
    {
        maker.__name__: maker
        for maker in (scan, poor_scan, photo, screenshot, tiff, mixed, garbled, false_layer, rotated, turned_scan)
    }
)


def make(source: Source, out: Path, kinds: Sequence[str], languages: Sequence[str], each: int) -> list[Path]:
    """Write the files with their truth and twins; those that are there already are kept. Returns the damaged files."""
    for folder in ("files", "truth", "twins"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    return [_one(source, out, kind, clean) for kind in kinds for language in languages for clean in source.files[language][:each]]


def _one(source: Source, out: Path, kind: str, clean: Path) -> Path:
    stem = f"{clean.name[:2]}-{kind}-{clean.stem[3:]}"
    found = list((out / "files").glob(f"{stem}.*"))
    if found:
        return found[0]
    path = KINDS[kind](clean, out / "files" / stem, source, random.Random(f"{kind} {clean.name}"))
    truth = source.truth(clean) | {"file": path.name, "degradation": kind}
    (out / "truth" / f"{path.name}.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")
    shutil.copyfile(clean, out / "twins" / f"{stem}.pdf")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description="Make hard-to-read twins of clean resumes.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--each", type=int, default=20, help="files a kind and language")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    arguments = parser.parse_args()
    bench = Path(os.environ.get("BENCH") or ROOT.parent / "shared" / "bench").resolve()
    made = make(Source(bench), arguments.out, arguments.kinds.split(","), arguments.languages.split(","), arguments.each)
    print(f"{len(made)} files in {arguments.out / 'files'}")


if __name__ == "__main__":
    main()
