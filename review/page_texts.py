"""The words the workbench's script shows, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _


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
        "add": _("add"),
        "remove": _("remove"),
        "split": _("split in two"),
        "masked": _("covered until the decision"),
        "lost": _("Somebody else works on this case now. What you typed is still here."),
        "copied": _("Copied."),
        "reload": _("Load it again"),
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
        "noText": _("No text was read from this page."),
        "noPicture": _("This page cannot be drawn."),
        "page": _("page %(number)s"),
        "dateHint": _("YYYY-MM"),
    }
