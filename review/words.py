"""What the workbench says about a case: why it is here, what one should do, how long there is."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resumes.messages import advice, sentence
from review.models import Case


def core_name(name: str) -> str:
    """A core field by name."""
    return {
        "name": _("name"),
        "phone": _("phone"),
        "email": _("e-mail"),
        "work": _("work"),
        "education": _("education"),
        "skills": _("skills"),
    }.get(name, name)


def why(case: Case) -> str:
    """The reason in one sentence, as concretely as is known."""
    if case.code == "flagged":
        return _("Somebody says that something here is wrong.")
    if case.code == "low_completeness" and case.missing:
        names = ", ".join(core_name(name) for name in case.missing)
        return _("Not found: %(names)s.") % {"names": names}
    return sentence(case.code) or case.code


def suggestion(case: Case) -> str:
    """What one should probably do."""
    match case.code:
        case "flagged":
            return _("Check the fields that were named and put them right.")
        case "not_a_resume" | "blank_document":
            return advice(case.code)
        case _ if case.missing and len(case.missing) <= 3:
            return ngettext("Fill in one field.", "Fill in %(number)d fields.", len(case.missing)) % {"number": len(case.missing)}
        case _:
            return advice(case.code)


def due(case: Case) -> tuple[str, str]:
    """How long there is, and how urgent that is: `quiet`, `wait` or `bad`."""
    if case.closed_at is not None:
        return "", "quiet"
    hours = (case.due_at - timezone.now()).total_seconds() / 3600
    if hours < 0:
        return _("overdue since %(hours)d h") % {"hours": max(1, round(-hours))}, "bad"
    return _("due in %(hours)d h") % {"hours": max(1, round(hours))}, "wait" if hours < 6 else "quiet"
