"""The sandbox: all parsing and decoding runs in a child process that can be killed at any moment.

`Sandbox` is the parent's side: it starts the child, talks to it, watches its clock and memory, ends and replaces it.
What the child may do is `ingest.sandbox.confine`, which functions it offers is `ingest.sandbox.work`, who holds the
sandboxes of a process is `ingest.sandbox.pool`. The child is exec'd, never forked from the worker: a fork would
inherit locks that other threads of the worker hold, its memory, and its secrets.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ingest.sandbox import frames, processes
from resumes.taxonomy import ResumeError

_ROOT = Path(__file__).resolve().parents[2]
_WATCH_S = 0.05
"""How often memory is looked at while a call runs."""
MOST_PROCESSES = 64
"""A reader needs itself and a helper or two. The kernel's own limit counts by user and does not hold for root."""
MOST_SCRATCH_BYTES = 2 << 30
"""Twice what an archive may unpack to; the kernel caps single files only."""
_SCRATCH_LOOKS = 20
"""Every so many looks the scratch folder is measured as well."""
_START_DEADLINE_S = 60.0
"""Starting takes under a second; this is for a machine that is badly overloaded, and is not counted as the file's time."""


class SandboxCrash(Exception):
    """A function in the sandbox raised something that is no ResumeError: a bug of ours.

    Carries the types of the exceptions and where they were raised; their messages stay inside, they quote the document.
    """

    def __init__(self, function: str, error_type: str, trace: tuple[str, ...] = ()) -> None:
        super().__init__("\n  ".join((f"{error_type} in {function}", *trace)))
        self.function = function
        self.error_type = error_type
        self.trace = trace


class Sandbox:
    """A reusable child process for functions of an allow-list. Thread-safe: one call at a time, others wait.

    The child starts with the first call and again after it was killed, died, served `max_calls` calls, or holds more
    than half of `memory_bytes` when idle.
    """

    def __init__(
        self, *, memory_bytes: int, name: str = "reader", max_calls: int = 500, module: str = "ingest.sandbox.work"
    ) -> None:
        self.name = name
        self.memory_bytes = memory_bytes
        self.isolation: frozenset[str] = frozenset()
        """What the kernel granted the child (names of `confine`); empty before the first call."""
        self._max_calls = max_calls
        self._module = module
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._scratch: Path | None = None
        _ALL.add(self)

    def call(self, function: str, payload: dict[str, Any], *, deadline_s: float) -> Any:
        """Run a function of the allow-list in the child and return its result (JSON types).

        Raises ResumeError: what the function raised, or `timeout`, `out_of_memory`, `worker_lost` where the child was
        killed or died, `dependency_unavailable` where none could be started. Raises SandboxCrash for bugs.
        """
        request = frames.encode({"function": function, "payload": payload, "deadline_s": deadline_s})
        with self._lock:
            child = self._child or self._start()
            settled = False
            try:
                answer = child.exchange(request, deadline_s, self.memory_bytes)
                settled = not answer.get("spent")
            finally:
                # Also when an exception from outside (a soft time limit, Ctrl-C) ends the wait: whatever the child
                # would answer later must not be taken for the answer to the next call.
                if not settled or child.calls >= self._max_calls or child.is_burdened(self.memory_bytes):
                    self._stop()
        return self._result(function, answer)

    @contextlib.contextmanager
    def folder(self) -> Iterator[Path]:
        """A new empty folder the child may write to, removed at the end with all it holds."""
        path = Path(tempfile.mkdtemp(dir=self._scratch_folder()))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

    def close(self) -> None:
        """End the child and remove the scratch folder. A later call starts anew."""
        with self._lock:
            self._stop()
            if self._scratch is not None:
                shutil.rmtree(self._scratch, ignore_errors=True)
                self._scratch = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """Process and group of the running child, None while there is none."""
        return self._child.pid if self._child else None

    def _result(self, function: str, answer: dict[str, Any]) -> Any:
        if "result" in answer:
            return answer["result"]
        if "failure" in answer:
            code, detail, retry_after_s, channel = answer["failure"]
            raise ResumeError(code, detail, retry_after_s=retry_after_s, channel=channel)
        error_type, trace = answer["crash"]
        raise SandboxCrash(function, error_type, tuple(trace))

    def _start(self) -> _Child:
        child = _Child(self._module, self.name, self._scratch_folder(), self.memory_bytes)
        try:
            hello = child.receive(time.monotonic() + _START_DEADLINE_S, self.memory_bytes)
        except ResumeError as exc:
            child.end()
            raise ResumeError("dependency_unavailable", f"the {self.name} sandbox did not start", channel="sandbox") from exc
        except BaseException:
            child.end()
            raise
        self.isolation = frozenset(hello["isolation"])
        self._child = child
        return child

    def _stop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _scratch_folder(self) -> Path:
        if self._scratch is None or not self._scratch.is_dir():
            self._scratch = Path(tempfile.mkdtemp(prefix=f"gleaner-{self.name}-"))
            weakref.finalize(self, _remove, self._scratch, os.getpid())
        return self._scratch

    def _forget(self) -> None:
        """In a fork of the process that owns the child: let go of it without ending it, and of a lock that may be held."""
        self._lock = threading.Lock()
        child, self._child, self._scratch = self._child, None, None
        if child is not None:
            child.disown()


class _Child:
    """One running child: its process, its pipes, its count of calls."""

    def __init__(self, module: str, name: str, scratch: Path, memory_bytes: int) -> None:
        # Held open by this process alone: the child dies when the last holder does (see `confine`).
        life_read, self._life = os.pipe()
        try:
            home = Path(tempfile.mkdtemp(prefix="child-", dir=scratch))
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "ingest.sandbox.child",
                    module,
                    name,
                    str(scratch),
                    str(memory_bytes),
                    str(life_read),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                pass_fds=(life_read,),
                cwd=home,
                env=_environment(home),
                start_new_session=True,
            )
        except OSError as exc:
            os.close(self._life)
            raise ResumeError("dependency_unavailable", "the sandbox's process could not be created", channel="sandbox") from exc
        finally:
            os.close(life_read)
        self.pid = self._process.pid
        self.calls = 0
        self._scratch = scratch
        self._peak_bytes = 0
        self._finalizer = weakref.finalize(self, _reap, self._process, self._life, home, os.getpid())
        self._requests = _fileno(self._process.stdin)
        self._answers = _fileno(self._process.stdout)
        os.set_blocking(self._requests, False)
        os.set_blocking(self._answers, False)

    def exchange(self, request: bytes, deadline_s: float, memory_bytes: int) -> Any:
        """Send a request, wait for its answer. Raises ResumeError(timeout, out_of_memory, worker_lost)."""
        self.calls += 1
        until = time.monotonic() + deadline_s
        unsent = memoryview(request)
        while unsent:
            self._wait(self._requests, select.POLLOUT, until, memory_bytes)
            try:
                unsent = unsent[os.write(self._requests, unsent) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._lost() from None
        return self.receive(until, memory_bytes)

    def receive(self, until: float, memory_bytes: int) -> Any:
        """The next message of the child. Raises like `exchange`."""
        try:
            length = frames.body_length(self._read(frames.HEADER_BYTES, until, memory_bytes))
        except frames.FrameTooLargeError:
            raise ResumeError("out_of_memory", "the answer is larger than allowed") from None
        return frames.decode(self._read(length, until, memory_bytes))

    def is_burdened(self, memory_bytes: int) -> bool:
        """Whether the last call has left something behind: much memory, or a program that still runs."""
        held, members = processes.held_by(self.pid)
        return held > memory_bytes // 2 or members > 1

    def end(self) -> None:
        """Kill the child with all it started, and wait for it."""
        self._finalizer()

    def disown(self) -> None:
        """Close this process's copies of the pipes only."""
        if self._finalizer.detach() is not None:
            os.close(self._life)
            self._process.returncode = 0  # nobody's to wait for here
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()

    def _read(self, length: int, until: float, memory_bytes: int) -> bytes:
        data = bytearray()
        while len(data) < length:
            self._wait(self._answers, select.POLLIN, until, memory_bytes)
            try:
                part = os.read(self._answers, min(length - len(data), 1 << 20))
            except BlockingIOError:
                continue
            if not part:
                raise self._lost()
            data += part
        return bytes(data)

    def _wait(self, fd: int, events: int, until: float, memory_bytes: int) -> None:
        """Until the pipe is ready, looking at clock, memory, processes and scratch files meanwhile."""
        poll = select.poll()
        poll.register(fd, events)
        for look in itertools.count():
            left_s = until - time.monotonic()
            if left_s <= 0:
                raise ResumeError("timeout", "killed at its deadline")
            # The first looks come quickly: a hostile file is at full speed within milliseconds.
            if poll.poll(1000 * min(left_s, _WATCH_S if look > 2 else _WATCH_S / 5)):
                return
            held, members = processes.held_by(self.pid)
            self._peak_bytes = max(self._peak_bytes, held)
            if held > memory_bytes:
                raise ResumeError("out_of_memory", f"killed above {memory_bytes >> 20} MiB")
            if members > MOST_PROCESSES:
                raise ResumeError("out_of_memory", f"killed above {MOST_PROCESSES} processes")
            if look % _SCRATCH_LOOKS == _SCRATCH_LOOKS - 1 and processes.folder_bytes(self._scratch) > MOST_SCRATCH_BYTES:
                raise ResumeError("out_of_memory", f"killed above {MOST_SCRATCH_BYTES >> 20} MiB of scratch files")

    def _lost(self) -> ResumeError:
        status = self._process.wait()
        if status == -signal.SIGXCPU:
            return ResumeError("timeout", "killed at its limit of CPU time")
        cause = signal.Signals(-status).name if -status in set(signal.Signals) else f"status {status}"
        return ResumeError("worker_lost", f"the sandbox ended by itself with {cause}, seen at {self._peak_bytes >> 20} MiB")


def _environment(home: Path) -> dict[str, str]:
    """All the child sees of this process's environment: no secrets, one thread a library, the same hashes in every run."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": str(_ROOT),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "HOME": str(home),
        "TMPDIR": str(home),
        "OMP_NUM_THREADS": "1",
        "OMP_THREAD_LIMIT": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        **{name: os.environ[name] for name in _PASSED if name in os.environ},
    }


_PASSED = ("TESSDATA_PREFIX", "EASYOCR_MODULE_PATH", "LD_LIBRARY_PATH", "GLEANER_WORDS")


def _fileno(pipe: Any) -> int:
    return int(pipe.fileno())


def _reap(process: subprocess.Popen[bytes], life: int, home: Path, owner: int) -> None:
    if os.getpid() != owner:
        return
    processes.kill_group(process.pid)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    os.close(life)
    shutil.rmtree(home, ignore_errors=True)


def _remove(path: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(path, ignore_errors=True)


_ALL: weakref.WeakSet[Sandbox] = weakref.WeakSet()


def _forget_all() -> None:
    for sandbox in list(_ALL):
        sandbox._forget()  # noqa: SLF001 - same module


# A forked worker must neither talk to its parent's children nor keep them alive.
os.register_at_fork(after_in_child=_forget_all)
