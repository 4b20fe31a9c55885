"""What reads resumes: the sandbox and the OCR engines."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest.doctor import Finding, fail, ok, warn
from ingest.health import why_not
from ingest.ocr import ENGINES, Ability, Script, engine
from ingest.sandbox import Sandbox, SandboxCrash, confine
from resumes.taxonomy import ResumeError

_MEMORY_BYTES = 1 << 30
_DEADLINE_S = 30.0
_MEANS = {
    confine.NETWORK: gettext_lazy("a hostile file could reach the network"),
    confine.WRITES: gettext_lazy("a hostile file could write outside its scratch folder"),
    confine.LIFE: gettext_lazy("a reader could outlive its worker"),
    confine.CALLS: gettext_lazy("a hostile file could change modes and times of files, or leave a program running"),
}


def sandbox() -> Iterator[Finding]:
    """Read a small text in the sandbox, the way resumes are read, and see what the kernel granted."""
    with tempfile.NamedTemporaryFile(suffix=".txt") as file, Sandbox(memory_bytes=_MEMORY_BYTES) as child:
        file.write(b"Alice Archer\nalice.archer@example.com\n")
        file.flush()
        payload = {"path": str(Path(file.name)), "media_type": "text/plain", "limits": {}}
        try:
            child.call("read_document", payload, deadline_s=_DEADLINE_S)
        except (ResumeError, SandboxCrash) as exc:
            yield fail(
                _("sandbox"),
                _("reads no text (%s)") % exc,
                _("see the log; parsing needs a writable temporary folder and free memory"),
            )
            return
        lacking = [str(text) for name, text in _MEANS.items() if name not in child.isolation]
    if lacking:
        yield warn(_("sandbox"), "; ".join(lacking), _("use a kernel of 5.13 or later with Landlock and seccomp"))
    else:
        yield ok(_("sandbox"), _("reads, without network and with writes confined"))


def ocr() -> Iterator[Finding]:
    """The engines of OCR_CHANNELS, and whether every script has one that reads it."""
    known = [channel for channel in settings.OCR_CHANNELS if channel in ENGINES]
    for channel in settings.OCR_CHANNELS:
        if channel not in ENGINES:
            yield fail("OCR", _("%s in OCR_CHANNELS is no engine") % channel, _("choose from %s") % ", ".join(ENGINES))
    abilities = {channel: engine(channel).ability() for channel in known}
    for channel, ability in abilities.items():
        yield _engine(channel, ability)
    read = {script for ability in abilities.values() if ability.available for script in ability.scripts}
    if not read:
        yield fail(
            "OCR", _("no engine can run: scans and photos go to people"), _("install one, see above; rapidocr comes with Gleaner")
        )
        return
    for script in Script:
        if script not in read:
            yield warn("OCR", _("no engine reads %s: such scans go to people") % _script(script), _remedy(script))


def _engine(channel: str, ability: Ability) -> Finding:
    subject = f"OCR {channel}"
    scripts = ", ".join(_script(script) for script in sorted(ability.scripts))
    if not ability.available:
        return warn(subject, _("cannot run"), why_not(ability))
    return (
        warn(subject, _("reads %s only") % scripts, why_not(ability)) if ability.why_not else ok(subject, _("reads %s") % scripts)
    )


def _script(script: Script) -> str:
    return {Script.LATIN: _("Latin letters"), Script.HAN: _("Chinese characters"), Script.CYRILLIC: _("Cyrillic letters")}[script]


def _remedy(script: Script) -> str:
    """The package that would bring the script; Tesseract reads all three with its language data."""
    package = {Script.LATIN: "eng", Script.HAN: "chi-sim", Script.CYRILLIC: "rus"}[script]
    if "tesseract" in settings.OCR_CHANNELS:
        return _("install tesseract-ocr and tesseract-ocr-%s") % package
    return _("install tesseract-ocr and tesseract-ocr-%s, and add tesseract to OCR_CHANNELS") % package
