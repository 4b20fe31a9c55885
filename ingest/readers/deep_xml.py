"""Documents nested deeper than the XML parser goes: what stands in the depths is lifted out of the tables it is nested in.

Converters write tables in tables in tables, some without end. Word shows a good part of it; the text counts, the
innermost cells do not.
"""

from __future__ import annotations

from xml.parsers import expat

from lxml import etree

from resumes.taxonomy import ResumeError

EXCESSIVE = "Excessive depth"
"""How the parser's message begins."""
_KEPT = 160
"""Levels that are kept as they are."""
_MOST = 230
"""Levels there can be at all; below, everything is left out. The parser's own limit is 256."""
_CONTAINERS = frozenset(
    (  # noqa: SIM905 - words read better so
        "tbl sdt smartTag customXml ins moveTo "  # Word
        "table section list span a"  # OpenDocument
    ).split()
)
_INSIDE = frozenset(("tr", "tc", "sdtContent", "table-row", "table-rows", "table-header-rows", "table-cell", "list-item"))
"""What containers are made of; goes where its container goes."""


def flattened(data: bytes) -> etree._Element:
    """The tree of a part without the containers that lie too deep. Raises ResumeError(corrupt)."""
    builder = _Builder()
    parser = expat.ParserCreate(namespace_separator="}")
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(data, True)
        return builder.root()
    except (expat.ExpatError, etree.XMLSyntaxError, ValueError, LookupError) as exc:
        raise ResumeError("corrupt", "a part of the document is not XML") from exc


class _Builder:
    """Builds the tree from what the parser meets."""

    def __init__(self) -> None:
        self._tree = etree.TreeBuilder()
        self._open: list[bool] = []  # for each open element whether it is kept
        self._depth = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition("}")[2]
        lifted = local in _CONTAINERS or (local in _INSIDE and not self._open[-1])
        kept = self._depth < _MOST and not (self._depth >= _KEPT and lifted)
        self._open.append(kept)
        if kept:
            self._depth += 1
            self._tree.start(_clark(name), {_clark(key): value for key, value in attributes.items()})

    def end(self, name: str) -> None:
        if self._open.pop():
            self._depth -= 1
            self._tree.end(_clark(name))

    def data(self, text: str) -> None:
        if self._depth < _MOST:
            self._tree.data(text)

    def root(self) -> etree._Element:
        return self._tree.close()


def _clark(name: str) -> str:
    return "{" + name if "}" in name else name


def _refuse(*_: object) -> None:
    raise ResumeError("corrupt", "a part of the document declares entities")
