"""Translation catalogues: read from their .po files and compiled to .mo without gettext's own tools.

The compiled files are in the repository, so that a bare machine needs no msgfmt; a test holds them equal to their source.
"""

from __future__ import annotations

import ast
import re
import struct
from dataclasses import dataclass
from pathlib import Path

_FIELD = re.compile(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?) ((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_MAGIC = 0x950412DE


@dataclass(frozen=True, slots=True)
class Message:
    """One text with its translation, one for each form where it has a plural."""

    text: str
    translations: tuple[str, ...]
    plural: str = ""
    fuzzy: bool = False
    context: str = ""
    """What tells it from the same text with another meaning (`pgettext`)."""

    @property
    def key(self) -> str:
        """The text as a catalogue files it."""
        return f"{self.context}\x04{self.text}" if self.context else self.text


def read(path: Path) -> list[Message]:
    """The messages of a .po file, its header (the message of the empty text) first."""
    messages = []
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
        if block.lstrip().startswith("#~"):
            continue
        fields = {
            name: "".join(ast.literal_eval(part) for part in _STRING.findall(strings)) for name, strings in _FIELD.findall(block)
        }
        if "msgid" in fields:
            translations = tuple(value for name, value in fields.items() if name.startswith("msgstr"))
            fuzzy = any(line.startswith("#,") and "fuzzy" in line for line in block.splitlines())
            plural, context = fields.get("msgid_plural", ""), fields.get("msgctxt", "")
            messages.append(Message(fields["msgid"], translations, plural, fuzzy, context))
    return messages


def compiled(messages: list[Message]) -> bytes:
    """The .mo file of the messages: two sorted tables of lengths and offsets, then the texts."""
    pairs = sorted(
        (
            (f"{message.key}\0{message.plural}" if message.plural else message.key).encode(),
            "\0".join(message.translations).encode(),
        )
        for message in messages
        if any(message.translations) and not message.fuzzy
    )
    start = 28 + 16 * len(pairs)
    tables: list[list[int]] = [[], []]
    body = b""
    for column in (0, 1):
        for pair in pairs:
            tables[column] += [len(pair[column]), start + len(body)]
            body += pair[column] + b"\0"
    head = struct.pack("<7I", _MAGIC, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    return head + struct.pack(f"<{4 * len(pairs)}I", *tables[0], *tables[1]) + body
