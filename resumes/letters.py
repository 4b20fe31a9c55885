"""What to write to whoever sent a resume that cannot be used: ready text in the resume's own language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

_LANGUAGES = {"zh": "zh-hans", "ru": "ru", "en": "en"}
_MOST_NAMED = 3
"""Where more is missing than this, a better file is asked for."""

_UNREADABLE = gettext_noop(
    "Unfortunately we could not read the file well enough. Could you send it again as a PDF or Word file? If you only"
    " have it on paper: a straight photo or scan in good light, at least 300 dpi, is best."
)
_DAMAGED = gettext_noop(
    "Unfortunately the file did not arrive in one piece and cannot be opened. Could you send it again as a PDF or Word file?"
)
_OTHER_FORMAT = gettext_noop("Unfortunately we cannot open this type of file. Could you send it as a PDF or Word file?")
_SMALLER = gettext_noop("Unfortunately the file is larger than we can take. Could you send a smaller one, with the resume alone?")
_WISHES = {
    "empty_file": _DAMAGED,
    "corrupt": _DAMAGED,
    "malware": _DAMAGED,
    "unsupported_format": _OTHER_FORMAT,
    "extension_mismatch": _OTHER_FORMAT,
    "archive_unsafe": _OTHER_FORMAT,
    "encrypted": gettext_noop(
        "Unfortunately the file is protected with a password. Could you send us a copy without a password?"
    ),
    "too_large": _SMALLER,
    "too_many_pages": _SMALLER,
    "not_a_resume": gettext_noop("The file does not seem to hold a resume. Could you send us yours?"),
}
_UNREADABLE_CODES = frozenset({"no_text_layer", "garbled_text", "ocr_low_confidence", "blank_document"})


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to the sender."""

    language: str
    subject: str
    body: str
    to: str = ""

    @property
    def link(self) -> str:
        """Opens it in the reader's own mail program."""
        return f"mailto:{quote(self.to, safe='@')}?subject={quote(self.subject)}&body={quote(self.body)}"


def language_of(resume_language: str) -> str:
    """The language a letter is written in: the resume's own where there is a translation, else English."""
    return _LANGUAGES.get(resume_language, "en")


def letter(code: str, *, language: str, missing: Sequence[str] = (), to: str = "", name: str = "") -> Letter:
    """Ask for what is `missing` (in words of that language), or for a better file where this one cannot be read.

    `language` is one of ours (`language_of`).
    """
    with translation.override(language):
        greeting = _("Dear %(name)s,") % {"name": name} if name else _("Good day,")
        thanks = _("thank you for the resume you sent us.")
        body = "\n\n".join((greeting, f"{thanks} {_wish(code, missing)}", _("Kind regards")))
        return Letter(language, _("About the resume you sent us"), body, to)


def _wish(code: str, missing: Sequence[str]) -> str:
    if code not in _WISHES and code not in _UNREADABLE_CODES and 0 < len(missing) <= _MOST_NAMED:
        named = "\n".join(f"- {field}" for field in missing)
        return _("We could not find the following in it:\n\n%(missing)s\n\nCould you send us that, or a complete resume?") % {
            "missing": named
        }
    return _(_WISHES.get(code, _UNREADABLE))
