"""Saved web pages (MHTML), as browsers, Word and Chinese job boards write them: the page without its pictures."""

from __future__ import annotations

from email.message import Message
from pathlib import Path
from typing import Any

from ingest.page import CUT_OFF, Reading
from ingest.readers import ReadLimits
from ingest.readers.flow import Flow
from ingest.readers.html import html_into
from ingest.readers.mime import is_cut_off, message_of, payload_of
from ingest.readers.text import text_into, text_of
from resumes.taxonomy import ResumeError

_MAX_BYTES = 60_000_000


def read(path: Path, limits: ReadLimits) -> Reading:  # noqa: ARG001 - the readers' shape
    """Read an MHTML file. Raises ResumeError(corrupt, too_large)."""
    if path.stat().st_size > _MAX_BYTES:
        raise ResumeError("too_large", "more than a saved page may have")
    flow = Flow()
    title = mhtml_into(flow, path.read_bytes())
    return flow.reading(title)


def mhtml_into(flow: Flow, data: bytes) -> str:
    """Add the page to a flow; returns its title. Raises ResumeError(corrupt)."""
    message = message_of(data)
    if is_cut_off(message):
        flow.warn(CUT_OFF)
    pages = [part for part in message.walk() if part.get_content_type() in ("text/html", "application/xhtml+xml")]
    root = next((page for page in pages if _is_start(page, message)), pages[0] if pages else None)
    if root is not None:
        return html_into(flow, payload_of(root), root.get_content_charset())
    plain = next((part for part in message.walk() if part.get_content_type() == "text/plain"), None)
    if plain is None:
        raise ResumeError("corrupt", "the saved page holds no page")
    text_into(flow, text_of(payload_of(plain), plain.get_content_charset()))
    return ""


def _is_start(page: Message[Any, Any], message: Message[Any, Any]) -> bool:
    start = message.get_param("start")
    return isinstance(start, str) and page.get("content-id", "").strip() == start.strip()
