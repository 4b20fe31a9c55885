"""Frames: how the two sides of the sandbox's pipes talk. Four bytes of length, then JSON.

ASCII JSON on purpose: text out of broken files holds lone surrogates, which have no UTF-8 form.
"""

from __future__ import annotations

import json
from typing import Any

HEADER_BYTES = 4
MAX_FRAME_BYTES = 256 * 1024 * 1024
"""The largest answer that is believed; a 200-page reading with boxes has about 20 MB."""


class FrameTooLargeError(Exception):
    """The other side announced more than `MAX_FRAME_BYTES`."""


def encode(message: Any) -> bytes:
    """The message as one frame. Raises TypeError or ValueError for what has no JSON form (NaN among it)."""
    body = json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
    if len(body) > MAX_FRAME_BYTES:
        raise FrameTooLargeError
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def body_length(header: bytes) -> int:
    """Length of the body a header announces. Raises FrameTooLargeError."""
    length = int.from_bytes(header, "big")
    if length > MAX_FRAME_BYTES:
        raise FrameTooLargeError
    return length


def decode(body: bytes | bytearray) -> Any:
    """The message of a frame's body. Raises ValueError for what is no JSON."""
    return json.loads(body)
