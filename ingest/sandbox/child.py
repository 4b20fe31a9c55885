"""The child's side of the sandbox: `python -P -m ingest.sandbox.child MODULE NAME SCRATCH MEMORY_BYTES LIFE_FD`.

Reads requests from its standard input, runs functions of the allow-list, writes answers. Started by `Sandbox` only.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ingest.sandbox import confine, frames
from resumes.taxonomy import ResumeError

_CPU_FACTOR = 4
"""CPU time a call may burn, in deadlines: threads of a library may use several cores; the parent's clock comes first."""


def main(arguments: list[str]) -> None:
    module, name, scratch, memory_bytes, life_fd = arguments
    requests, answers = _take_pipes()
    achieved = confine.confine(Path(scratch), int(memory_bytes), int(life_fd))
    allowed = importlib.import_module(module)
    functions: Mapping[str, Callable[[dict[str, Any]], Any]] = allowed.FUNCTIONS
    # Loading code and word lists is the start's time, which is nobody's; in the first call it would be the first file's.
    getattr(allowed, "WARM_UPS", {}).get(name, bool)()
    _send(answers, {"isolation": achieved})
    gc.freeze()
    while (request := _receive(requests)) is not None:
        confine.limit_cpu(request["deadline_s"] * _CPU_FACTOR)
        answer = _answer(functions, request)
        _reap()
        _send(answers, answer)


def _answer(functions: Mapping[str, Callable[[dict[str, Any]], Any]], request: dict[str, Any]) -> bytes:
    """Run one request; what it gives or how it failed, as a frame."""
    try:
        return frames.encode({"result": functions[request["function"]](request["payload"])})
    except ResumeError as error:
        return frames.encode({"failure": [error.code, error.detail, error.retry_after_s, error.channel]})
    except (MemoryError, frames.FrameTooLargeError):
        # Only what the limits leave can be had again after this; the parent starts a fresh child.
        return frames.encode({"failure": ["out_of_memory", "", None, ""], "spent": True})
    except BaseException as error:  # noqa: BLE001 - the one place where the child must not die of a bug
        return frames.encode({"crash": [_chain(error), _trace(error)]})


def _reap() -> None:
    """Let go of programs that have ended; whatever still runs after a call, the parent sees and ends."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _chain(error: BaseException) -> str:
    """The type of the exception and of what led to it, without their messages: those quote the document."""
    names: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(names) < 5:
        names.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    return " from ".join(names)


def _trace(error: BaseException) -> list[str]:
    """Where it happened: file, line and function of the last frames."""
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)[-12:]]


def _take_pipes() -> tuple[int, int]:
    """Move the pipes away from the standard streams, so that what libraries print or read cannot reach them."""
    requests, answers = os.dup(0), os.dup(1)  # not inherited by programs started later
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)
    return requests, answers


def _receive(fd: int) -> Any:
    """The next message, None when the parent closed the pipe."""
    header = _read(fd, frames.HEADER_BYTES)
    if header is None:
        return None
    body = _read(fd, frames.body_length(header))
    return None if body is None else frames.decode(body)


def _read(fd: int, length: int) -> bytes | None:
    parts = []
    while length > 0:
        part = os.read(fd, min(length, 1 << 20))
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _send(fd: int, message: dict[str, Any] | bytes) -> None:
    view = memoryview(message if isinstance(message, bytes) else frames.encode(message))
    while view:
        view = view[os.write(fd, view) :]


if __name__ == "__main__":
    main(sys.argv[1:])
