"""The allow-list: what can be run in the sandbox, from JSON types to JSON types.

Every heavy import waits for the first call that needs it: a child that reads mails never loads an OCR engine.
"""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ingest import page, readers
from resumes.taxonomy import ResumeError

if TYPE_CHECKING:
    from ingest.fields.document import Document


def read_document(payload: dict[str, Any]) -> dict[str, Any]:
    """`{path, media_type, limits}` → `page.to_data` of the reading."""
    reader = readers.reader_for(payload["media_type"])
    return page.to_data(reader.read(Path(payload["path"]), _limits(payload)))


def sniff_file(payload: dict[str, Any]) -> dict[str, Any]:
    """`{path, filename}` → `{media_type, extension_differs}`."""
    from resumes.sniff import sniff

    found = sniff(Path(payload["path"]), payload["filename"])
    return {"media_type": found.media_type, "extension_differs": found.extension_differs}


def list_members(payload: dict[str, Any]) -> list[dict[str, Any]]:
    """`{path, media_type, limits, folder}` → `[{name, path, size, failure, warnings}]`, contents written below `folder`.

    `folder` comes from `Sandbox.folder()`. Files get numbers for names there; an entry that failed has no file.
    """
    container = readers.container_for(payload["media_type"])
    if container is None:
        raise ResumeError("unsupported_format", payload["media_type"])
    folder = Path(payload["folder"])
    members = []
    for number, member in enumerate(container.members(Path(payload["path"]), _limits(payload)), 1):
        path = folder / str(number)
        if not member.failure:
            path.write_bytes(member.content)
        members.append(
            {
                "name": member.name,
                "path": "" if member.failure else str(path),
                "size": len(member.content),
                "failure": member.failure,
                "warnings": list(member.warnings),
            }
        )
    return members


def page_image(payload: dict[str, Any]) -> dict[str, str]:
    """`{path, media_type, limits, page, dpi, turned}` → `{png}`, base64; turned clockwise by that many degrees."""
    images = readers.page_images_for(payload["media_type"])
    if images is None:
        raise ResumeError("unsupported_format", payload["media_type"])
    png = images.page_image(Path(payload["path"]), payload["page"], _limits(payload), payload.get("dpi", 200))
    if payload.get("turned"):
        png = _turned(png, payload["turned"])
    return {"png": base64.b64encode(png).decode("ascii")}


def _turned(png: bytes, degrees: int) -> bytes:
    import io

    from PIL import Image

    content = io.BytesIO()
    Image.open(io.BytesIO(png)).rotate(-degrees, expand=True).save(content, "PNG")
    return content.getvalue()


def ocr_pages(payload: dict[str, Any]) -> dict[str, Any]:
    """`{path, media_type, limits, pages, channel, scripts, layers}` → `{pages: […]}`, pages as `page.to_data` has them."""
    from ingest.ocr import pages  # loads OpenCV

    read = pages.read_pages(
        Path(payload["path"]),
        payload["media_type"],
        payload["pages"],
        channel=payload["channel"],
        scripts=payload["scripts"],
        limits=_limits(payload),
        layers=payload.get("layers", ()),
    )
    return {"pages": read}


def find_fields(payload: dict[str, Any]) -> dict[str, Any]:
    """`{reading, hints: {as_of, filename, language, protected}, threshold}` → `draft_to_data`, with its `quality`."""
    from ingest.fields import extract_fields
    from ingest.fields.draft import Hints
    from ingest.quality import THRESHOLD, assess
    from ingest.sandbox.drafts import draft_to_data

    hints = payload["hints"]
    reading = page.from_data(payload["reading"])
    draft = extract_fields(reading.pages, Hints(**{**hints, "as_of": dt.date.fromisoformat(hints["as_of"])}))
    data = draft_to_data(draft)
    quality = assess(data["profile"], data["evidence"], text=reading.text, threshold=payload.get("threshold", THRESHOLD))
    return {**data, "quality": quality.to_data()}


def show_lines(payload: dict[str, Any]) -> dict[str, Any]:
    """`{reading, as_of, language, mask_contact, window}` → `{windows, cut}`: the numbered lines a language model gets to see."""
    from ingest.llm.prompt import show

    shown = show(_document(payload), mask_contact=payload["mask_contact"], window=payload["window"])
    return {"windows": list(shown.windows), "cut": shown.cut}


def take_answer(payload: dict[str, Any]) -> dict[str, Any]:
    """`{reading, as_of, language, draft, answer, threshold}` → `{draft, quality, dropped}`: what is grounded, merged in."""
    from ingest.llm.answer import Answer
    from ingest.llm.taking import take

    answer = Answer.model_validate(payload["answer"])
    taken = take(_document(payload), payload["draft"], answer, payload["threshold"])
    return {"draft": taken.draft, "quality": taken.quality.to_data(), "dropped": taken.dropped}


def _document(payload: dict[str, Any]) -> Document:
    from ingest.fields.document import Document
    from ingest.fields.draft import Hints

    hints = Hints(dt.date.fromisoformat(payload["as_of"]), language=payload["language"])
    return Document(page.from_data(payload["reading"]).pages, hints)


def _limits(payload: dict[str, Any]) -> readers.ReadLimits:
    return readers.ReadLimits(**payload.get("limits", {}))


def _warm_up_reader() -> None:
    """Load the rules and their word lists by reading three lines in three languages."""
    from ingest.fields import extract_fields
    from ingest.fields.draft import Hints

    lines = tuple(page.line_of(text) for text in ("Work experience", "工作经历", "Опыт работы"))
    for line in lines:
        extract_fields([page.Page(1, (line,))], Hints(as_of=dt.date(2000, 1, 1)))


WARM_UPS: Mapping[str, Callable[[], None]] = MappingProxyType({"reader": _warm_up_reader})
"""By kind of sandbox: what is loaded before the first call."""
FUNCTIONS: Mapping[str, Callable[[dict[str, Any]], Any]] = MappingProxyType(
    {
        function.__name__: function
        for function in (sniff_file, read_document, list_members, page_image, ocr_pages, find_fields, show_lines, take_answer)
    }
)
