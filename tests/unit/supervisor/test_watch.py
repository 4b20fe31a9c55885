"""The supervisor with small programs: it restarts, gathers lines, ends groups, and its end ends them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.supervisor.programs import Program, Rank
from ingest.supervisor.watch import Pause, Supervisor

ROOT = Path(__file__).parents[3]
PARENT_WITH_CHILD = """
import os, signal, sys, time
child = os.fork()
if child == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
print("child", child, flush=True)
time.sleep(60)
"""


def _python(
    code: str, name: str = "probe", *, rank: Rank = Rank.WORKER, grace_s: float = 5.0, ready_when: bytes = b""
) -> Program:
    return Program(name, (sys.executable, "-S", "-c", code), rank, grace_s=grace_s, ready_when=ready_when)


class Log:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, line: str) -> None:
        self.lines.append(line)

    def has(self, text: str) -> bool:
        return any(text in line for line in self.lines)


async def _until(true, within_s: float = 10.0) -> None:
    async with asyncio.timeout(within_s):
        while not true():  # noqa: ASYNC110 - what other processes do, nothing tells us
            await asyncio.sleep(0.01)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def log() -> Log:
    return Log()


def _run(scene) -> None:
    asyncio.run(scene)


def test_a_program_that_dies_is_started_again_and_the_log_says_so(log):
    async def scene() -> None:
        supervisor = Supervisor(log, os.environ)
        supervisor.keep([_python("import os; print('here', os.getpid()); raise SystemExit(3)")])
        await _until(lambda: sum("here" in line for line in log.lines) >= 2)
        await supervisor.stop()

    _run(scene())
    assert log.has("probe ended (exit code 3), starting again in 0.25 s")


def test_a_killed_program_takes_its_children_with_it(log):
    async def scene() -> None:
        supervisor = Supervisor(log, os.environ)
        supervisor.keep([_python(PARENT_WITH_CHILD)])
        await _until(lambda: log.has("child"))
        child = int(log.lines[0].split()[-1])
        head = os.getpgid(child)
        assert head != os.getpgrp()
        os.kill(head, signal.SIGKILL)
        await _until(lambda: not _alive(child))
        await _until(lambda: log.has("SIGKILL"))
        await supervisor.stop()

    _run(scene())


def test_what_ignores_the_polite_signal_is_killed_with_its_group(log):
    async def scene() -> None:
        supervisor = Supervisor(log, os.environ)
        stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + PARENT_WITH_CHILD
        supervisor.keep([_python(stubborn, grace_s=0.2)])
        await _until(lambda: log.has("child"))
        child = int(log.lines[0].split()[-1])
        await supervisor.stop()
        await _until(lambda: not _alive(child), 2)

    _run(scene())
    assert log.has("did not end within 0.2 s and is killed")


def test_programs_stop_rank_by_rank_web_first_and_broker_last(log):
    code = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: (print("bye", flush=True), sys.exit()))
print("up", flush=True)
time.sleep(60)
"""

    async def scene() -> None:
        supervisor = Supervisor(log, os.environ)
        ranks = (Rank.BROKER, Rank.SERVICE, Rank.WORKER, Rank.WEB)
        supervisor.keep(_python(code, rank.name.lower(), rank=rank, ready_when=b"up") for rank in ranks)
        assert await supervisor.until_ready(10) == []
        await supervisor.stop()

    _run(scene())
    assert [line.split()[0] for line in log.lines if "bye" in line] == ["web", "worker", "service", "broker"]


def test_it_names_the_programs_that_are_not_ready_in_time(log):
    async def scene() -> None:
        supervisor = Supervisor(log, os.environ)
        supervisor.keep([_python("import time; time.sleep(60)", "slow", ready_when=b"up")])
        assert await supervisor.until_ready(0.1) == ["slow"]
        await supervisor.stop()

    _run(scene())


def test_lines_are_kept_whole_and_bear_the_name_of_their_program(log):
    code = "import os; os.write(1, b'one\\ntw'); os.write(2, b'o\\nthree'); os.write(1, b'\\n'); import time; time.sleep(60)"

    async def scene() -> None:
        supervisor = Supervisor(log, os.environ)
        supervisor.keep([_python(code)])
        await _until(lambda: len(log.lines) >= 3)
        await supervisor.stop()

    _run(scene())
    assert [line.split(" | ") for line in log.lines[:3]] == [
        ["probe     ", "one"],
        ["probe     ", "two"],
        ["probe     ", "three"],
    ]


def test_a_program_that_is_not_there_is_reported_and_tried_again(log):
    async def scene() -> None:
        supervisor = Supervisor(log, os.environ)
        supervisor.keep([Program("ghost", ("/nowhere/ghost",), Rank.WEB)])
        await _until(lambda: log.has("starting again"))
        await supervisor.stop()

    _run(scene())
    assert log.has("ghost cannot be started")


def test_pauses_grow_with_quick_deaths_stay_below_five_seconds_and_start_over_after_a_steady_life():
    pause = Pause()
    assert [pause.after(1.0) for _ in range(7)] == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0]
    assert pause.after(60.0) == 0.25
    assert pause.quick_deaths == 0


def test_the_kernel_ends_every_group_when_the_supervisor_is_killed(tmp_path):
    code = f"""
import asyncio, os, sys
from ingest.supervisor.programs import Program, Rank
from ingest.supervisor.watch import Supervisor
async def scene():
    supervisor = Supervisor(lambda line: print(line, flush=True), os.environ)
    supervisor.keep([Program("probe", (sys.executable, "-S", "-c", {PARENT_WITH_CHILD!r}), Rank.WORKER)])
    await asyncio.sleep(60)
asyncio.run(scene())
"""
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as supervisor:
        child = int(supervisor.stdout.readline().split()[-1])
        head = os.getpgid(child)
        supervisor.kill()
        supervisor.wait(5)

    async def gone() -> None:
        await _until(lambda: not _alive(child) and not _alive(head), 3)

    _run(gone())
