"""Confinement: what the sandbox's child gives up before it looks at the first file. Linux, by plain system calls.

Every step is best effort and named in what it returns, so that `manage.py doctor` and the tests know what this
machine's kernel really granted. Nothing here needs root; in a container without user namespaces the system call
filter still forbids the network.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import resource
import select
import signal
import struct
from collections.abc import Mapping
from pathlib import Path

NETWORK = "network"
"""No sockets, or none that lead anywhere."""
WRITES = "writes"
"""No file can be written or removed outside the scratch folder."""
LIFE = "life"
"""The kernel kills the child and all it started when its parent ends, however that ends."""
CALLS = "calls"
"""No file's mode, owner, times or attributes can be changed, no process can leave the group or look into another."""
LIMITS = "limits"
"""Ceilings on core dumps, file size, open files and memory."""

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000

_PR_SET_CHILD_SUBREAPER = 36

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""As the kernel's audit names them."""
_FORBIDDEN: Mapping[str, tuple[int | None, int | None]] = {
    # the network, and the way around
    "socket": (41, 198), "io_uring_setup": (425, 425),
    # leaving the process group, and so the reach of the kill that ends it
    "setpgid": (109, 154), "setsid": (112, 157),
    # what Landlock leaves open: changing files without writing to them
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    # other processes, other namespaces, the kernel's larger doors
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
}  # fmt: skip
"""System calls that reading a file does not need: their numbers on x86-64 and on ARM64."""

_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_WRITE_FILE, _TRUNCATE, _REFER = 1 << 1, 1 << 14, 1 << 13
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))
_PATH_BENEATH = 1
_SCOPES = 0b11  # abstract sockets, signals to processes outside


def confine(scratch: Path, memory_bytes: int, life_fd: int) -> list[str]:
    """Give up all that reading a file does not need; returns the names of what was achieved. Call it before threads start."""
    libc = ctypes.CDLL(None, use_errno=True)
    achieved = []
    # The order matters: signals from the life pipe are set up before signals are scoped, and the filter comes last.
    if die_with_parent(life_fd):
        achieved.append(LIFE)
    _limit(memory_bytes)
    achieved.append(LIMITS)
    _be_killed_first()
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    # What a helper leaves behind becomes this process's child: still counted, still in the group.
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if _forbid_writes(libc, scratch):
        achieved.append(WRITES)
    if _forbid_calls(libc):
        achieved += [NETWORK, CALLS]
    elif _leave_network(libc):
        achieved.append(NETWORK)
    return achieved


def die_with_parent(life_fd: int) -> bool:
    """Have the kernel send SIGKILL to the whole group when the last writer of the life pipe is gone.

    PR_SET_PDEATHSIG is tied to the parent's thread, not its process, and reaches only the child itself.
    """
    set_signal = getattr(fcntl, "F_SETSIG", 10)
    try:
        fcntl.fcntl(life_fd, set_signal, signal.SIGKILL)
        fcntl.fcntl(life_fd, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(life_fd, fcntl.F_SETFL, fcntl.fcntl(life_fd, fcntl.F_GETFL) | os.O_ASYNC)
    except OSError:
        return False
    if select.select([life_fd], [], [], 0)[0]:  # the parent went before the signal was armed
        os._exit(1)
    return True


def _limit(memory_bytes: int) -> None:
    # Data counts reserved memory too, of which thread stacks and arenas take more than they use; the parent watches what
    # is really used. This ceiling stops the single huge allocation the parent would be too slow for.
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 1 << 30),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_DATA, memory_bytes + (memory_bytes >> 1) + (256 << 20)),
    ):
        hard = resource.getrlimit(kind)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)  # noqa: PLW2901 - the limit granted, not the one wished
        resource.setrlimit(kind, (value, value))


def limit_cpu(seconds: float) -> None:
    """Let the kernel end the child after this much more CPU time: the backstop for a parent that is stopped."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(usage.ru_utime + usage.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _be_killed_first() -> None:
    """Where the machine runs out of memory, the kernel shall take this process and not the worker."""
    try:
        Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")
    except OSError:
        return


def _forbid_writes(libc: ctypes.CDLL, scratch: Path) -> bool:
    """Landlock (Linux 5.13): writing only below the scratch folder."""
    abi = libc.syscall(_LANDLOCK_CREATE_RULESET, None, 0, 1)
    if abi < 1:
        return False
    rights = _WRITE_FILE | _REMOVE_AND_MAKE | (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0)
    attributes = struct.pack("=Q", rights)
    if abi >= 6:
        attributes = struct.pack("=QQQ", rights, 0, _SCOPES)
    ruleset = libc.syscall(_LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return False
    try:
        for path, allowed in ((scratch, rights), (Path(os.devnull), rights & (_WRITE_FILE | _TRUNCATE))):
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
            rule = struct.pack("=Qi", allowed, fd)
            added = libc.syscall(_LANDLOCK_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
            os.close(fd)
            if added != 0:
                return False
        return bool(libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _forbid_calls(libc: ctypes.CDLL) -> bool:
    """A system call filter under which the forbidden calls fail; programs started later inherit it."""
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        return False
    column = list(_ARCHITECTURES).index(machine)
    numbers = [number for pair in _FORBIDDEN.values() if (number := pair[column]) is not None]
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.EACCES
    end = len(numbers) + 4  # where the refusal stands; a jump counts from the step after it
    program = [
        (load, 0, 0, 4),  # the architecture of the call
        (equal, 0, end - 2, _ARCHITECTURES[machine]),  # another one: numbers mean other things there, refuse
        (load, 0, 0, 0),  # the number of the call
        (at_least, end - 4, 0, 0x40000000),  # x32 numbers of x86_64
        *((equal, end - 4 - step, 0, number) for step, number in enumerate(numbers)),
        (answer, 0, 0, allow),
        (answer, 0, 0, refuse),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    header = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(header), 0, 0) == 0)


def _leave_network(libc: ctypes.CDLL) -> bool:
    """A network namespace of its own, in which not even loopback is up."""
    return bool(libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0 or libc.unshare(_CLONE_NEWNET) == 0)
