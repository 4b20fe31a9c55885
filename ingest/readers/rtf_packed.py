"""Unpacks the compressed RTF of Outlook messages. Follows [MS-OXRTFCP]."""

from __future__ import annotations

import struct

from resumes.taxonomy import ResumeError

_PACKED, _PLAIN = 0x75465A4C, 0x414C454D
_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n"
    b"\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_SIZE = 4096
_MAX_BYTES = 30_000_000


def unpack(data: bytes) -> bytes:
    """The RTF document. Raises ResumeError(corrupt, too_large)."""
    if len(data) < 16:
        raise ResumeError("corrupt", "the compressed text is too short")
    _, size, kind, _ = struct.unpack_from("<4I", data)
    if kind == _PLAIN:
        return data[16 : 16 + size]
    if kind != _PACKED:
        raise ResumeError("corrupt", "the compressed text is of an unknown kind")
    window = bytearray(_DICTIONARY.ljust(_SIZE, b" "))
    place = len(_DICTIONARY)
    out = bytearray()
    at = 16
    while at < len(data):
        control = data[at]
        at += 1
        for bit in range(8):
            if len(out) > _MAX_BYTES:
                raise ResumeError("too_large", "the compressed text unpacks to more than the limit")
            if not control >> bit & 1:
                if at >= len(data):
                    return bytes(out)
                piece = data[at : at + 1]
                at += 1
                out += piece
                window[place] = piece[0]
                place = (place + 1) % _SIZE
                continue
            if at + 2 > len(data):
                return bytes(out)
            reference = struct.unpack_from(">H", data, at)[0]
            at += 2
            start, length = reference >> 4, (reference & 0xF) + 2
            if start == place:
                return bytes(out)
            for offset in range(length):
                byte = window[(start + offset) % _SIZE]
                out.append(byte)
                window[place] = byte
                place = (place + 1) % _SIZE
    return bytes(out)
