"""Keeping programs running: start, collect their output, start again what dies, end everything in order.

Every program is the head of a process group of its own. The group is ended with its head, so that no child of a dead
worker lives on; and the kernel ends it when the supervisor is gone, however that happens (see `Lifeline`).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Self

from ingest.sandbox.confine import die_with_parent
from ingest.sandbox.processes import kill_group
from ingest.supervisor import lines
from ingest.supervisor.lines import Line
from ingest.supervisor.programs import Program

ROOT = Path(__file__).resolve().parents[2]
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 4.0
"""A program that keeps dying is tried this often; the promise is that it is back within 5 s."""
_STEADY_S = 30.0
"""A program that lived this long did not die of its start."""
_LOUD_AFTER = 4
_LONGEST_LINE = 16_384


class Lifeline:
    """A pipe whose only writer is the supervisor: the kernel kills the group that holds its other end when that is gone.

    PR_SET_PDEATHSIG would reach the head of the group only, and not the pool of a worker.
    """

    def __init__(self) -> None:
        self.far_end, self._near_end = os.pipe()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        os.close(self.far_end)
        os.close(self._near_end)

    def tie(self) -> None:
        """Tie the calling process's group to it; runs in the child between fork and exec."""
        die_with_parent(self.far_end)


class Pause:
    """How long to wait before a program is started again: longer each time it dies young."""

    def __init__(self) -> None:
        self.quick_deaths = 0

    def after(self, lived_s: float) -> float:
        self.quick_deaths = 0 if lived_s >= _STEADY_S else self.quick_deaths + 1
        return min(_FIRST_PAUSE_S * float(2 ** max(0, self.quick_deaths - 1)), _LONGEST_PAUSE_S)


class Supervisor:
    """Keeps programs running until `stop()`.

    `write` takes each line of output, without its end, as `line` makes it of a program's name and what it said.
    """

    def __init__(self, write: Callable[[str], None], env: Mapping[str, str], *, line: Line | None = None) -> None:
        self._write = write
        self._env = dict(env)
        self._line = line or partial(lines.for_people, width=10)
        self._stopping = asyncio.Event()
        self._programs: dict[str, Program] = {}
        self._keepers: dict[str, asyncio.Task[None]] = {}
        self._running: dict[str, asyncio.subprocess.Process] = {}
        self._began: dict[str, float] = {}
        self._ready: dict[str, asyncio.Event] = {}

    def say(self, text: str, *, who: str = "run") -> None:
        """A line of the log."""
        self._write(self._line(who, text))

    def keep(self, programs: Iterable[Program]) -> None:
        """Start programs and keep them running."""
        for program in programs:
            self._programs[program.name] = program
            self._ready[program.name] = asyncio.Event()
            keeper = self._keepers[program.name] = asyncio.create_task(self._keep(program))
            keeper.add_done_callback(partial(self._kept, program.name))

    async def once(self, program: Program) -> int:
        """Run a program to its end; its exit code. It is ended like the others when everything stops."""
        self._programs[program.name] = program
        with self._output(program) as out:
            return await self._life(program, out)

    async def until_ready(self, timeout_s: float) -> list[str]:
        """Wait until every program that says so has said it is ready; the names of those that have not."""
        waiting = [name for name, program in self._programs.items() if program.ready_when]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                for name in waiting:
                    await self._ready[name].wait()
        return [name for name in waiting if not self._ready[name].is_set()]

    def lived_s(self, name: str) -> float:
        """How long the present process of a program has lived; 0 where there is none."""
        return time.monotonic() - self._began[name] if name in self._running else 0.0

    def end_now(self, name: str) -> None:
        """Kill a program's process with all it started; it is started again like any that dies."""
        if (process := self._running.get(name)) is not None:
            kill_group(process.pid)

    async def stop(self) -> None:
        """End everything, rank by rank; within a rank all at once. Nothing is started any more."""
        self._stopping.set()
        for rank in sorted({program.rank for program in self._programs.values()}):
            members = [program for program in self._programs.values() if program.rank == rank]
            await asyncio.gather(*(self._end(program) for program in members))

    def _kept(self, name: str, keeper: asyncio.Task[None]) -> None:
        """A keeper ends only with everything else; one that fails says so rather than leave its program unwatched in silence."""
        if not keeper.cancelled() and (error := keeper.exception()) is not None:
            self.say(f"{name} is no longer watched: {type(error).__name__}: {error}")

    async def _keep(self, program: Program) -> None:
        pause = Pause()
        with self._output(program) as out:
            while not self._stopping.is_set():
                began = time.monotonic()
                code = await self._life(program, out)
                if self._stopping.is_set():
                    return
                wait_s = pause.after(time.monotonic() - began)
                self.say(f"{program.name} ended ({_cause(code)}), starting again in {wait_s:g} s")
                if pause.quick_deaths >= _LOUD_AFTER:
                    self.say(f"{program.name} has died {pause.quick_deaths} times in a row; its lines above say why")
                await asyncio.sleep(wait_s)

    async def _life(self, program: Program, out: int) -> int:
        """One process of the program from start to end, and the end of its group; its exit code."""
        with Lifeline() as lifeline:
            try:
                process = await asyncio.create_subprocess_exec(
                    *program.argv,
                    cwd=ROOT,
                    env={**self._env, **program.env},
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=out,
                    stderr=out,
                    start_new_session=True,
                    pass_fds=(lifeline.far_end,),
                    preexec_fn=lifeline.tie,
                )
            except OSError as exc:
                self.say(f"{program.name} cannot be started: {exc.strerror}")
                return 127
            self._running[program.name] = process
            self._began[program.name] = time.monotonic()
            try:
                return await process.wait()
            finally:
                del self._running[program.name]
                kill_group(process.pid)

    async def _end(self, program: Program) -> None:
        keeper, process = self._keepers.get(program.name), self._running.get(program.name)
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(program.grace_s):
                    await process.wait()
            except TimeoutError:
                self.say(f"{program.name} did not end within {program.grace_s:g} s and is killed")
            kill_group(process.pid)
            await process.wait()
        if keeper is not None:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)

    @contextlib.contextmanager
    def _output(self, program: Program) -> Iterator[int]:
        """The end of a pipe to give to a program; what comes out of it becomes lines of the log."""
        loop = asyncio.get_running_loop()
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        rest = bytearray()

        def pass_on() -> None:
            with contextlib.suppress(BlockingIOError):
                while chunk := os.read(reader, 65_536):
                    rest.extend(chunk)
            *lines, tail = rest.split(b"\n")
            if len(tail) > _LONGEST_LINE:
                lines, tail = [*lines, tail], bytearray()
            rest[:] = tail
            for line in lines:
                if program.ready_when and program.ready_when in line:
                    self._ready[program.name].set()
                self.say(line.decode(errors="replace").rstrip("\r"), who=program.name)

        loop.add_reader(reader, pass_on)
        try:
            yield writer
        finally:
            pass_on()
            loop.remove_reader(reader)
            os.close(reader)
            os.close(writer)


def _cause(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
