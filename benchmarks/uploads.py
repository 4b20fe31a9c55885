"""How quickly uploads are answered while the workers are busy: open loop, 10 a second of 200 kB for 60 s.

Against a running Gleaner (`GLEANER_THROTTLE=1000000/min make run`): `URL` (http://localhost:8000) and `TOKEN`, or the home
folder of the installation in `GLEANER_HOME`. Requests leave on the clock whether earlier ones were answered or not, and an
answer's time counts from when its request was due. Before that, one a second for `IDLE_S` seconds shows the system at rest.
Targets: 95th percentile below 400 ms, 99th below 1 s, no error.
"""

from __future__ import annotations

import io
import json
import os
import random
import sys
import threading
import time
import zipfile
from pathlib import Path

import httpx

RATE = float(os.environ.get("RATE", "10"))
SECONDS = float(os.environ.get("SECONDS", "60"))
IDLE_S = float(os.environ.get("IDLE_S", "15"))
SIZE_BYTES = 200_000
P95_S, P99_S = 0.4, 1.0
_SAMPLE = Path(__file__).parents[1] / "samples" / "su-wanqing.docx"


def main() -> int:
    url = os.environ.get("URL", "http://localhost:8000").rstrip("/")
    token = os.environ.get("TOKEN") or _demo_token()
    if not token:
        sys.stderr.write("Set TOKEN, or GLEANER_HOME to the home folder of the running installation.\n")
        return 2
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=50)
    headers = {"Authorization": f"Token {token}"}
    with httpx.Client(base_url=url, headers=headers, timeout=60, limits=limits) as client:
        idle, errors_idle = open_loop(client, 1.0, IDLE_S)
        before = time.time()
        busy, errors = open_loop(client, RATE, SECONDS)
        took = time.time() - before
    show("at rest", idle, errors_idle)
    show("busy", busy, errors)
    print(f"sent over {took:.1f} s; the 95th percentile is {at(busy, 0.95) / max(at(idle, 0.95), 1e-6):.1f} times that at rest")
    return int(bool(errors) or at(busy, 0.95) > P95_S or at(busy, 0.99) > P99_S)


def open_loop(client: httpx.Client, rate: float, seconds: float) -> tuple[list[float], list[str]]:
    """Send on the clock; seconds from due to answered, sorted, and what went wrong."""
    times: list[float] = []
    errors: list[str] = []
    files = [packed(number) for number in range(int(rate * seconds))]
    began = time.monotonic() + 0.5

    def send(number: int, content: bytes) -> None:
        due = began + number / rate
        try:
            answer = client.post("/api/v1/resumes/", files={"file": (f"{number}.docx", content)})
            if answer.status_code != 202:
                errors.append(str(answer.status_code))
        except httpx.HTTPError as exc:
            errors.append(type(exc).__name__)
        times.append(time.monotonic() - due)

    threads = []
    for number, content in enumerate(files):
        wait = began + number / rate - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        thread = threading.Thread(target=send, args=(number, content))
        thread.start()
        threads.append(thread)
    for thread in threads:
        thread.join()
    return sorted(times), errors


def packed(number: int) -> bytes:
    """A resume of its own in Word with a picture's worth of noise: 200 kB."""
    content = io.BytesIO(_SAMPLE.read_bytes())
    with zipfile.ZipFile(content, "a", zipfile.ZIP_STORED) as file:
        noise = random.Random(f"{number}-{time.time_ns()}").randbytes(max(0, SIZE_BYTES - len(content.getvalue()) - 300))
        file.writestr("word/media/noise.bin", noise)
    return content.getvalue()


def at(times: list[float], share: float) -> float:
    return times[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def show(name: str, times: list[float], errors: list[str]) -> None:
    figures = "  ".join(f"p{round(share * 100)} {at(times, share) * 1000:.0f} ms" for share in (0.5, 0.95, 0.99))
    print(
        f"{name:<8} {len(times)} uploads  {figures}  most {times[-1] * 1000:.0f} ms  errors {len(errors)} {sorted(set(errors))}"
    )


def _demo_token() -> str:
    home = Path(os.environ.get("GLEANER_HOME", "var"))
    try:
        users = json.loads((home / "demo-users.json").read_text())
    except FileNotFoundError:
        return ""
    return str(users["recruiter"]["token"])
