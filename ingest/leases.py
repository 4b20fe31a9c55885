"""Keeping claims alive: one thread a process renews every claim that is held here, for as long as its stage runs."""

from __future__ import annotations

import contextlib
import os
import threading
import uuid
from collections.abc import Iterator

import structlog
from django.conf import settings
from django.db import DatabaseError, connection

from resumes import transitions

log = structlog.get_logger(__name__)


class _Keeper:
    """The renewing thread of one process. It sleeps while nothing is held."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._held: dict[uuid.UUID, uuid.UUID] = {}
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name="leases", daemon=True).start()

    def hold(self, token: uuid.UUID, resume_id: uuid.UUID) -> None:
        with self._changed:
            self._held[token] = resume_id
            self._changed.notify()

    def let_go(self, token: uuid.UUID) -> None:
        with self._changed:
            self._held.pop(token, None)

    def _run(self) -> None:
        pause = threading.Event()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._held)
            pause.wait(settings.GLEANER_LEASE_RENEW_S)
            with self._changed:
                held = dict(self._held)
            if held:
                self._renew(held)

    def _renew(self, held: dict[uuid.UUID, uuid.UUID]) -> None:
        """Renew what is held. A claim that is gone is left to the stage, which finds out when it saves."""
        try:
            for token, resume_id in held.items():
                if not transitions.renew(resume_id, token):
                    self.let_go(token)
        except DatabaseError as exc:
            log.warning("lease_not_renewed", error=type(exc).__name__)
        finally:
            connection.close()  # a thread that mostly sleeps holds no place on the server


_keeper: _Keeper | None = None
_making = threading.Lock()


@contextlib.contextmanager
def kept(resume_id: uuid.UUID, token: uuid.UUID) -> Iterator[None]:
    """Keep a claim alive for the length of a block."""
    keeper = _the_keeper()
    keeper.hold(token, resume_id)
    try:
        yield
    finally:
        keeper.let_go(token)


def _the_keeper() -> _Keeper:
    """This process's keeper; a forked child has inherited the object but not the thread, and makes its own."""
    global _keeper  # noqa: PLW0603 - one a process, by nature
    with _making:
        if _keeper is None or _keeper.pid != os.getpid():
            _keeper = _Keeper()
        return _keeper
