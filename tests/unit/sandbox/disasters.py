"""What the sandbox is for: functions that go wrong in every way a parser can. The allow-list of the tests."""

from __future__ import annotations

import ctypes
import math
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from resumes.taxonomy import ResumeError


def echo(payload):
    return payload


def environment(payload):
    return dict(os.environ)


def hang(payload):
    time.sleep(600)


def hang_in_c(payload):
    """Never gives the interpreter lock back, so that no thread and no Python signal handler in the child could help."""
    ctypes.PyDLL(None).sleep(600)


def hang_with_help(payload):
    """Wait for a program it started."""
    helper = subprocess.Popen(["sleep", "600"])
    Path(payload["pid_file"]).write_text(str(helper.pid))
    helper.wait()


def eat_memory(payload):
    held = []
    while True:
        held.append(bytearray(8 << 20))
        time.sleep(0.002)


def eat_memory_by_helper(payload):
    subprocess.run([sys.executable, "-c", "import time; data = bytearray(300 << 20); time.sleep(600)"], check=False)


def ask_for_too_much(payload):
    return len(bytearray(1 << 40))


def keep_memory(payload):
    globals()["_kept"] = bytearray(payload["bytes"])
    return os.getpid()


def die(payload):
    os.kill(os.getpid(), signal.Signals[payload["signal"]])
    time.sleep(600)


def leave(payload):
    os._exit(0)


def read_nowhere(payload):
    ctypes.string_at(0)


def print_garbage(payload):
    for stream in (1, 2):
        os.write(stream, b"\xff\x00garbage\n" * 10_000)
    sys.stdout.write("garbage")
    sys.stdout.flush()
    return "clean"


def read_input(payload):
    return os.read(0, 100).decode()


def answer_hugely(payload):
    return "x" * payload["characters"]


def answer_nonsense(payload):
    return math.nan


def fail(payload):
    raise ResumeError("corrupt", "no cross-reference table", channel="reader")


def fail_by_a_bug(payload):
    try:
        {}[payload["secret"]]
    except KeyError as exc:
        raise ValueError(payload["secret"]) from exc


def connect(payload):
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client:
            client.settimeout(2)
            client.connect(("127.0.0.1", payload["port"]))
    except OSError as exc:
        return type(exc).__name__
    return "connected"


def write(payload):
    try:
        Path(payload["path"]).write_text("written")
    except OSError as exc:
        return type(exc).__name__
    return "written"


def leave_helper(payload):
    """Start a program and forget it."""
    return subprocess.Popen(["sleep", "600"]).pid


def leave_daemon(payload):
    """Start a program the way daemons do, so that it is nobody's child and in nobody's group; then hang or return."""
    code = (
        "import os, time\n"
        "if os.fork(): os._exit(0)\n"
        "try: os.setsid()\n"
        "except OSError: pass\n"
        "try: os.setpgid(0, 0)\n"
        "except OSError: pass\n"
        "if os.fork(): os._exit(0)\n"
        f"open({payload['pid_file']!r}, 'w').write(str(os.getpid()))\n"
        "time.sleep(600)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    while not (Path(payload["pid_file"]).exists() and Path(payload["pid_file"]).read_text()):
        time.sleep(0.01)
    if payload["then"] == "hang":
        time.sleep(600)
    if payload["then"] == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def start_many(payload):
    for _ in range(payload["number"]):
        subprocess.Popen(["sleep", "600"])
    time.sleep(600)


def fill_scratch(payload):
    for number in range(100):
        Path(f"part{number}").write_bytes(b"x" * (1 << 20))
    time.sleep(600)


def change(payload):
    """Change a file without writing to it; how many of the ways worked."""
    path = payload["path"]
    ways = (
        lambda: Path(path).chmod(0o700),
        lambda: os.chown(path, os.getuid(), os.getgid()),
        lambda: os.utime(path, (1, 1)),
        lambda: os.setxattr(path, "user.test", b"x"),
        lambda: os.fchmod(os.open(path, os.O_RDONLY), 0o700),
    )
    worked = 0
    for way in ways:
        try:
            way()
        except OSError:
            continue
        worked += 1
    return worked


FUNCTIONS = {
    function.__name__: function
    for function in (
        echo, environment, hang, hang_in_c, hang_with_help, eat_memory, eat_memory_by_helper, ask_for_too_much, keep_memory,
        die, leave, read_nowhere, print_garbage, read_input, answer_hugely, answer_nonsense, fail, fail_by_a_bug, connect, write,
        leave_helper, leave_daemon, start_many, fill_scratch, change,
    )
}  # fmt: skip
