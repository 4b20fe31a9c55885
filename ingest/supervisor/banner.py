"""What people read once everything runs: where to go and how to sign in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ingest.supervisor.demo import SignIn


def banner(*, port: int, flower_port: int, users: Mapping[str, SignIn], users_file: Path, home: Path, seconds: float) -> str:
    """Addresses, sign-in of the demo users, where the data lie."""
    base = f"http://127.0.0.1:{port}"
    places = {
        "Workbench": f"{base}/admin/",
        "REST API": f"{base}/api/docs/",
        "Health": f"{base}/readyz",
        "Metrics": f"{base}/metrics",
        "Queues": f"http://127.0.0.1:{flower_port}/   (user operator)",
        "Data": str(home),
    }
    lines = [f"Gleaner runs ({seconds:.1f} s).", *(f"  {name:<10} {place}" for name, place in places.items())]
    if users:
        lines += ["  Sign in as", *(f"    {name:<10} {user.password}" for name, user in users.items())]
        lines += [f"  API tokens are in {users_file}"]
    lines += ["  Ctrl-C stops everything."]
    width = max(map(len, lines)) + 2
    return "\n".join(["", "=" * width, *lines, "=" * width, ""])
