"""Plain text in any encoding, Markdown among it: lines as they stand; rules and boxes drawn with characters are no text."""

from __future__ import annotations

import re
from pathlib import Path

from ingest.page import CUT_OFF, Reading
from ingest.readers import ReadLimits
from ingest.readers.flow import MOST_CHARACTERS, PLAIN, TAB, Flow, Look
from ingest.readers.mojibake import mended
from resumes.charset import decode, ends_inside_character
from resumes.taxonomy import ResumeError

_TERMINAL = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\\\)|[ -/]*[0-~])")
"""Escape sequences for colours and links on terminals (ECMA-48)."""
_OVERSTRUCK = re.compile("[^\n]\x08")
"""Typewriters' bold and underline: a character, a step back, the character or a line once more."""
_LINE_ENDS = re.compile("\r\n|[\n\r\v\x1c-\x1e\x85\u2028\u2029]")
_RULE = re.compile(r"\s*(?:([-=_*~#+.·•—─━═╌┄])\s?(?:\1\s?){2,}|[─━═│┃║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╰╯+|\-=\s]{3,})\s*")
_BARS = re.compile(r"(?<!\s)\s*[│┃║]\s*")
_CORNERS = re.compile(r"[┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╰╯─━═]+")
_LIST = re.compile(r"\s*[-*•·▪●○◦■□◆★✓➢–—+]\s+\S")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_MARKUP = re.compile(
    r"\*\*(?P<bold>[^*\n]+)\*\*|__(?P<bold2>[^_\n]+)__|!?\[(?P<label>[^\]\n]{0,500})\]\((?P<target>[^)\s]{1,2000})\)"
    r"|(?<![\w*])\*(?P<italic>[^*\s](?:[^*\n]*[^*\s])?)\*(?![\w*])|(?<!\w)_(?P<italic2>[^_\s](?:[^_\n]*[^_\s])?)_(?!\w)"
    r"|`(?P<code>[^`\n]+)`|<(?P<address>(?:https?://|mailto:)?[^<>\s]{1,200}[@.][^<>\s]{1,200})>"
)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|-])")
_ITEM = re.compile(r"^\s*[-*+]\s+(?:\[[ xX]\]\s+)?(?=\S)")
_TABLE_ROW = re.compile(r"\s*\|(?P<cells>.+)\|\s*")
_TABLE_RULE = re.compile(r"[\s|:-]+")
_SPACE_INDENT = 0.01
_TWO_SPACES = re.compile(r"(?<=[^\s.!?:：,;])(?<![-*•]) {2}(?=[^\s])")
_FEWEST_GAPS = 2
_MOST_BYTES = 4 * MOST_CHARACTERS
"""No encoding takes more for a character."""
_LONGEST_RULE = 500
"""Characters; no one draws longer rules, or writes longer headings, and patterns that look back take their time with them."""


def read(path: Path, limits: ReadLimits) -> Reading:  # noqa: ARG001 - the size of the file is its only measure
    """Read a text file. Raises ResumeError (too_large; empty_file where there is nothing but white space)."""
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    text = text_of(data)
    if not text.strip("\ufeff\u200b\0 \t\r\n\f\v\xa0\u3000"):
        raise ResumeError("empty_file", "nothing but white space")
    flow = Flow()
    if ends_inside_character(data):
        flow.warn(CUT_OFF)
    text_into(flow, text)
    return flow.reading()


def text_of(data: bytes, declared: str | None = None) -> str:
    """Plain text of whatever encoding; `declared` is what the transport says it is. Raises ResumeError(too_large)."""
    if len(data) > _MOST_BYTES:
        raise ResumeError("too_large", "more text than a document may have")
    return _OVERSTRUCK.sub("", _TERMINAL.sub("", mended(decode(data, declared))))


def text_into(flow: Flow, text: str) -> None:
    """Add plain text to a flow, line by line. Raises ResumeError(too_large)."""
    if len(text) > MOST_CHARACTERS:
        raise ResumeError("too_large", "more text than a document may have")
    lines = [_CORNERS.sub(" ", _BARS.sub(TAB, line)) if not _is_rule(line) else line for line in _LINE_ENDS.split(text)]
    markdown = _is_markdown(text)
    after_blank, underlined = True, False
    for index, line in enumerate(lines):
        if markdown and (row := _TABLE_ROW.fullmatch(line)):
            line = "" if _TABLE_RULE.fullmatch(line) else TAB.join(cell.strip() for cell in row["cells"].split("|"))  # noqa: PLW2901
            if not line:
                continue
        if not line.strip() or _is_rule(line):
            flow.space(1.0, more=not line.strip())
            after_blank = not underlined
            underlined = False
            continue
        if "\f" in line:
            flow.space(1.0)
        underlined = after_blank and _underlines(lines[index + 1] if index + 1 < len(lines) else "", line)
        after_blank = False
        _line_into(flow, line, "heading2" if underlined else "", markdown=markdown)


def _line_into(flow: Flow, line: str, style: str, *, markdown: bool) -> None:
    indent = min(len(line) - len(line.lstrip(" ")), 40) * _SPACE_INDENT
    if _LIST.match(line):
        style = style or "list"
    heading = _HEADING.fullmatch(line.strip()) if markdown and len(line) < _LONGEST_RULE else None
    if heading:
        style, line = f"heading{len(heading[1])}", heading[2]
    if markdown:
        _markup_into(flow, line if heading or line.strip() == line[:1] else _ITEM.sub("", line))
    else:
        flow.text(_columns(line))
    flow.end_line(style, indent)


def _columns(line: str) -> str:
    """A line whose parts stand apart by two spaces each, with tabs for them; behind full stops they are a typist's habit."""
    return _TWO_SPACES.sub(TAB, line) if len(_TWO_SPACES.findall(line)) >= _FEWEST_GAPS else line


def _markup_into(flow: Flow, line: str) -> None:
    at = 0
    for match in _MARKUP.finditer(line):
        flow.text(_plain(line[at : match.start()]))
        bold = match["bold"] or match["bold2"]
        if match["target"]:
            flow.text(match["label"] if match[0][0] != "!" else "", Look(link=match["target"]))
        elif bold:
            flow.text(_plain(bold), Look(bold=True))
        else:
            flow.text(_plain(match["italic"] or match["italic2"] or match["code"] or match["address"].removeprefix("mailto:")))
        at = match.end()
    flow.text(_plain(line[at:]), PLAIN)


def _plain(text: str) -> str:
    """Text without the backslashes that keep marks from being read as such."""
    return _ESCAPED.sub(r"\1", text)


def _is_rule(line: str) -> bool:
    return len(line) < _LONGEST_RULE and _RULE.fullmatch(line) is not None and any(not char.isspace() for char in line)


def _underlines(line: str, above: str) -> bool:
    """Whether a line is drawn under the one above to make it a heading."""
    return line.strip(" ") != "" and set(line.strip()) <= set("=-~─━═") and len(line.strip()) >= 3 and len(above.strip()) <= 60


def _is_markdown(text: str) -> bool:
    sample = text[:20_000]
    return bool(re.search(r"^#{1,6} \S", sample, re.MULTILINE)) or len(re.findall(r"\*\*[^*\n]+\*\*", sample)) > 1
