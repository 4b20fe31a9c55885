"""What to write to whoever sent a resume that cannot be used: ready text in the resume's own language."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from django.utils import translation
from django.utils.translation import gettext as _

from review import words
from review.models import Case

_LANGUAGES = {"zh": "zh-hans", "ru": "ru", "en": "en"}
_UNREADABLE = frozenset({"no_text_layer", "garbled_text", "ocr_low_confidence", "blank_document"})


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to the sender."""

    language: str
    subject: str
    body: str
    to: str = ""

    @property
    def link(self) -> str:
        """Opens it in the reviewer's own mail program."""
        return f"mailto:{quote(self.to, safe='@')}?subject={quote(self.subject)}&body={quote(self.body)}"


def letter(case: Case, *, to: str = "", name: str = "") -> Letter:
    """Ask for what is missing, or for a better file where this one cannot be read."""
    language = _LANGUAGES.get(case.resume.language, "en")
    with translation.override(language):
        return Letter(language, _("About the resume you sent us"), _body(case, name), to)


def _body(case: Case, name: str) -> str:
    greeting = _("Dear %(name)s,") % {"name": name} if name else _("Good day,")
    thanks = _("thank you for the resume you sent us.")
    if case.code in _UNREADABLE or not case.missing or len(case.missing) > 3:
        wish = _(
            "Unfortunately we could not read the file well enough. Could you send it again as a PDF or Word file? If you only"
            " have it on paper: a straight photo or scan in good light, at least 300 dpi, is best."
        )
    else:
        missing = "\n".join(f"- {words.core_name(field)}" for field in case.missing)
        wish = _("We could not find the following in it:\n\n%(missing)s\n\nCould you send us that, or a complete resume?") % {
            "missing": missing
        }
    return "\n\n".join((greeting, f"{thanks} {wish}", _("Kind regards")))
