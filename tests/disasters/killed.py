"""Its process dies of every page, as one does that the kernel kills or that runs into a fault of its library."""

from __future__ import annotations

import os
import signal

from ingest.ocr import Ability, Script


def ability():
    return Ability(frozenset(Script), available=True, deadline_s=20.0)


def read(_image, _scripts):
    os.kill(os.getpid(), signal.SIGKILL)
