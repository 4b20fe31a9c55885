"""What reads resumes: the sandbox and the OCR engines."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from ingest.doctor import Finding, fail, ok, warn
from ingest.ocr import ENGINES, Ability, Script, engine
from ingest.sandbox import Sandbox, SandboxCrash, confine
from resumes.taxonomy import ResumeError

_MEMORY_BYTES = 1 << 30
_DEADLINE_S = 30.0
_MEANS = {
    confine.NETWORK: "a hostile file could reach the network",
    confine.WRITES: "a hostile file could write outside its scratch folder",
    confine.LIFE: "a reader could outlive its worker",
    confine.CALLS: "a hostile file could change modes and times of files, or leave a program running",
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
                "sandbox", f"reads no text ({exc})", "see the log; parsing needs a writable temporary folder and free memory"
            )
            return
        lacking = [text for name, text in _MEANS.items() if name not in child.isolation]
    if lacking:
        yield warn("sandbox", "; ".join(lacking), "use a kernel of 5.13 or later with Landlock and seccomp")
    else:
        yield ok("sandbox", "reads, without network and with writes confined")


def ocr() -> Iterator[Finding]:
    """The engines of OCR_CHANNELS, and whether every script has one that reads it."""
    known = [channel for channel in settings.OCR_CHANNELS if channel in ENGINES]
    for channel in settings.OCR_CHANNELS:
        if channel not in ENGINES:
            yield fail("OCR", f"{channel} in OCR_CHANNELS is no engine", f"choose from {', '.join(ENGINES)}")
    abilities = {channel: engine(channel).ability() for channel in known}
    for channel, ability in abilities.items():
        yield _engine(channel, ability)
    read = {script for ability in abilities.values() if ability.available for script in ability.scripts}
    if not read:
        yield fail(
            "OCR", "no engine can run: scans and photos go to people", "install one, see above; rapidocr comes with Gleaner"
        )
        return
    for script in Script:
        if script not in read:
            yield warn("OCR", f"no engine reads {script.value}: such scans go to people", _remedy(script))


def _engine(channel: str, ability: Ability) -> Finding:
    subject = f"OCR {channel}"
    scripts = ", ".join(sorted(ability.scripts)) or "nothing"
    if not ability.available:
        return warn(subject, "cannot run", ability.why_not)
    return warn(subject, f"reads {scripts} only", ability.why_not) if ability.why_not else ok(subject, f"reads {scripts}")


def _remedy(script: Script) -> str:
    """The package that would bring the script; Tesseract reads all three with its language data."""
    package = {Script.LATIN: "eng", Script.HAN: "chi-sim", Script.CYRILLIC: "rus"}[script]
    install = f"install tesseract-ocr and tesseract-ocr-{package}"
    return install if "tesseract" in settings.OCR_CHANNELS else f"{install}, and add tesseract to OCR_CHANNELS"
