"""What the workbench says about a case: why it is here, what one should do, how long there is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from resumes import reruns
from resumes.messages import advice, sentence
from review.decisions import Reason
from review.models import FLAGGED, SPOT_CHECK, Case


def title(case: Case, *, blind: bool) -> str:
    """What a case is called: its file's name, which holds a person's; in blind review its number."""
    name = "" if blind else case.resume.filename
    return name or _("Case %(number)s") % {"number": str(case.pk)[:8]}


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


def stage_name(stage: str) -> str:
    """A stage by what it does; what is no stage (a door, a page) by its own name."""
    return {
        "extract": _("text"),
        "ocr": _("OCR"),
        "rules": _("rules"),
        "structure": _("language model"),
        "finish": _("quality gate"),
        "summarise": _("summary"),
        "match": _("matching"),
        "narrate": _("summary in sentences"),
    }.get(stage, stage)


def family_names() -> dict[str, str]:
    """Every job family by its key."""
    return {
        "administration": pgettext("job family", "administration"),
        "construction": pgettext("job family", "construction"),
        "data": pgettext("job family", "data"),
        "design": pgettext("job family", "design"),
        "education": pgettext("job family", "education"),
        "engineering": pgettext("job family", "engineering"),
        "finance": pgettext("job family", "finance"),
        "healthcare": pgettext("job family", "healthcare"),
        "hospitality": pgettext("job family", "hospitality"),
        "infrastructure": pgettext("job family", "infrastructure"),
        "legal": pgettext("job family", "legal"),
        "logistics": pgettext("job family", "logistics"),
        "marketing": pgettext("job family", "marketing"),
        "people": pgettext("job family", "human resources"),
        "product": pgettext("job family", "product"),
        "research": pgettext("job family", "research"),
        "sales": pgettext("job family", "sales"),
        "software": pgettext("job family", "software"),
        "support": pgettext("job family", "support"),
    }


def family_name(family: str) -> str:
    return family_names().get(family, family)


def door_name(node: str) -> str:
    """Where a resume was moved: a stage, a page, a program."""
    doors = {
        "api": "REST",
        "admin": _("admin pages"),
        "workbench": _("workbench"),
        "relay": _("sweep"),
        "erasure": _("erasure"),
        "importer": _("import"),
        "command": _("command"),
    }
    return doors.get(node) or stage_name(node)


def move_reason(reason: str) -> str:
    """Why a resume moved: as the log has it, failure codes and the usual moves in the reader's language.

    What a person has written stays as written.
    """
    usual = {
        "claimed": _("taken up"),
        "received": _("has come in"),
        "quality gate passed": _("quality gate passed"),
        "a better level gave way": _("a better level gave way"),
        "spot check": _("spot check"),
        "run again from the workbench": _("run again from the workbench"),
        "taken up again": _("taken up again"),
        reruns.FLAGGED: _("said to be wrong"),
    }
    head, _colon, rest = reason.partition(": ")
    if head == reruns.FLAGGED and rest:
        return f"{usual[head]}: {', '.join(core_name(path.rpartition('.')[2]) for path in rest.split(', '))}"
    if head == "discarded" and rest in list(Reason):
        return _("discarded: %(reason)s") % {"reason": reason_name(Reason(rest))}
    if by_hand := _BY_HAND.fullmatch(reason):
        changed = int(by_hand[1])
        return ngettext(
            "completed by a person, %(number)d field changed", "completed by a person, %(number)d fields changed", changed
        ) % {"number": changed}
    return usual.get(reason) or sentence(reason) or reason


def why(case: Case) -> str:
    """The reason in one sentence, as concretely as is known."""
    if case.code == FLAGGED:
        return _("Somebody says that something here is wrong.")
    if case.code == SPOT_CHECK:
        return _("A sample of what was parsed automatically.")
    if case.code == "low_completeness" and case.missing:
        names = ", ".join(core_name(name) for name in case.missing)
        return _("Not found: %(names)s.") % {"names": names}
    return " ".join([sentence(case.code) or case.code, *_unreadable_here(case)])


def _unreadable_here(case: Case) -> Iterator[str]:
    """For each script of the document that no engine reads on this machine: which package would bring one."""
    scripts = {
        "no_engine_cyrillic": (pgettext("writing", "Cyrillic"), "tesseract-ocr-rus"),
        "no_engine_han": (pgettext("writing", "Chinese"), "tesseract-ocr-chi-sim"),
        "no_engine_latin": (pgettext("writing", "Latin letters"), "tesseract-ocr-eng"),
    }
    for code in case.resume.warnings:
        if code in scripts:
            script, package = scripts[code]
            names = {"script": script, "package": package}
            yield _("No OCR engine of this installation reads %(script)s; the package %(package)s would bring one.") % names


def code_name(code: str) -> str:
    """A reason as a choice of a filter."""
    return {FLAGGED: _("said to be wrong"), SPOT_CHECK: _("spot check")}.get(code) or sentence(code) or code


def likely_reason(case: Case) -> Reason:
    """The reason one would discard it for, most likely."""
    return Reason.UNREADABLE if case.code in _UNREADABLE else Reason.NOT_A_RESUME


def reason_name(reason: Reason) -> str:
    """Why a case is discarded, as a choice."""
    return {
        Reason.NOT_A_RESUME: _("not a resume"),
        Reason.UNREADABLE: _("confirmed: cannot be used"),
        Reason.DUPLICATE: _("a duplicate"),
        Reason.LEFT_OUT: _("skip approved (say why)"),
        Reason.OTHER: _("another reason"),
    }[reason]


def conclusion(text: str) -> str:
    """How a case ended, as the resume has it: the reason of a discard by its name, with the note."""
    head, colon, note = text.partition(": ")
    if head == "completed":
        return _("completed")
    return f"{reason_name(Reason(head))}{colon}{note}" if head in list(Reason) else text


def reasons() -> list[tuple[str, str]]:
    """All of them, as choices."""
    return [(reason.value, reason_name(reason)) for reason in Reason]


def suggestion(case: Case) -> str:
    """What one should probably do."""
    match case.code:
        case "flagged":
            return _("Check the fields that were named and put them right.")
        case "spot_check":
            return _("Compare it with the original; save it as it is, or put it right.")
        case "not_a_resume" | "blank_document":
            return advice(case.code)
        case _ if case.missing and len(case.missing) <= 3:
            return ngettext("Fill in one field.", "Fill in %(number)d fields.", len(case.missing)) % {"number": len(case.missing)}
        case _:
            return advice(case.code)


_BY_HAND = re.compile(r"completed by a person, (\d+) fields changed")
_UNREADABLE = frozenset({"blank_document", "no_text_layer", "garbled_text", "ocr_low_confidence"})
_FACTORS = {
    "source": gettext_lazy("how it came here"),
    "batch": gettext_lazy("urgency of the batch"),
    "vacancy": gettext_lazy("open vacancy"),
    "flagged": gettext_lazy("said to be wrong"),
    "spot_check": gettext_lazy("spot check"),
    "age": gettext_lazy("waits too long"),
}


def why_first(case: Case) -> list[tuple[str, str]]:
    """How its place in the queue comes about, as names and factors; their product is the priority."""
    factors = [(str(_FACTORS.get(name, name)), f"× {factor:.2g}") for name, factor in case.urgency.items()]
    return [(_("salvageable"), f"{case.salvageable:.2f}"), *factors]


def due(case: Case) -> tuple[str, str]:
    """How long there is, and how urgent that is: `quiet`, `wait` or `bad`."""
    if case.closed_at is not None:
        return "", "quiet"
    if case.folded:
        return _("folded away"), "quiet"
    hours = (case.due_at - timezone.now()).total_seconds() / 3600
    if hours < 0:
        return _("overdue since %(hours)d h") % {"hours": max(1, round(-hours))}, "bad"
    return _("due in %(hours)d h") % {"hours": max(1, round(hours))}, "wait" if hours < 6 else "quiet"
