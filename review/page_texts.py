"""The words the workbench's script shows, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from review.edits import LISTS


def page_texts() -> dict[str, str]:
    """Every word by the name the script knows it by."""
    return {
        "name": _("Name"),
        "email": _("E-mail"),
        "phone": _("Phone"),
        "city": _("City"),
        "label": _("Headline"),
        "url": _("Web address"),
        "summary": _("Summary"),
        "work": _("Work"),
        "education": _("Education"),
        "skills": _("Skills"),
        "languages": _("Languages"),
        "employer": _("Employer"),
        "position": _("Position"),
        "startDate": _("From"),
        "endDate": _("To"),
        "current": _("until today"),
        "institution": _("School"),
        "studyType": _("Degree"),
        "area": _("Subject"),
        "score": _("Grade"),
        "projects": _("Projects"),
        "certificates": _("Certificates"),
        "awards": _("Awards"),
        "publications": _("Publications"),
        "basics.profiles": _("Profiles on the web"),
        "place": _("Place"),
        "highlights": _("Duties and results, one a line"),
        "title": _("Title"),
        "issuer": _("Issued by"),
        "publisher": _("Publisher"),
        "date": _("Date"),
        "network": _("Network"),
        "removed": _("%(entry)s was taken out."),
        "putBack": _("put it back"),
        "add": _("add"),
        "remove": _("remove"),
        "split": _("split in two"),
        "masked": _("covered until the decision"),
        "copied": _("Copied."),
        "noteSaved": _("Note saved."),
        "up": _("move up"),
        "down": _("move down"),
        "missing": _("missing"),
        "flagged": _("said to be wrong"),
        "click": _("click it in the original"),
        "rules": _("rules"),
        "model": _("model"),
        "person": _("person"),
        "derived": _("computed"),
        "addSkill": _("add one, Enter"),
        "saved": _("draft saved %(time)s"),
        "unsaved": _("not saved yet"),
        "offline": _("The server does not answer. What you typed is still here."),
        "noFile": _("There is no file for this resume any more."),
        "noText": _("No text was read from this page."),
        "noPicture": _("This page cannot be drawn."),
        "page": _("page %(number)s"),
        "dateHint": _("YYYY-MM"),
    }


_INDEX = re.compile(r"\[\d+\]")
_OTHER_NAMES = {("work", "name"): "employer", ("work", "location"): "place", ("awards", "awarder"): "issuer"} | {
    (section, "name"): "title" for section in ("projects", "certificates", "publications")
}


def place_name(place: Sequence[int | str]) -> str:
    """A place in the document as the page calls it: `("work", 0, "startDate")` is "Work 1: From"."""
    index = next((at for at, part in enumerate(place) if isinstance(part, int)), None)
    if index is None:
        return field_name(".".join(map(str, place)))
    section = ".".join(map(str, place[:index]))
    return f"{page_texts().get(section, section)} {int(place[index]) + 1}: {_label(section, str(place[-1]))}"


def field_name(path: str) -> str:
    """A field as the page calls it, whatever entry it is in: `work[0].endDate` is "Work: To"."""
    section, _dot, key = _INDEX.sub("", path).removeprefix("meta.gleaner.").rpartition(".")
    if section in ("", "basics", "basics.location"):
        return page_texts().get(key, key)
    title = page_texts().get(section, section)
    return title if section in LISTS else f"{title}: {_label(section, key)}"


def _label(section: str, key: str) -> str:
    name = _OTHER_NAMES.get((section, key), "date" if key == "releaseDate" else key)
    return page_texts().get(name, key)
