"""Try the shipped monitoring on a running installation: Debian's Prometheus, every target, rule and panel.

    make run &                 # with the same PORT and FLOWER_PORT
    make monitoring

Prints what it found; exit code 1 where a target is down, a rule did not load or a panel has no data.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

HERE = Path(__file__).parent
WINDOW = "2m"
"""What Grafana would put for `$__rate_interval` at this scrape interval, made longer for the first minutes."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Try the shipped monitoring on a running installation.")
    parser.add_argument("--prometheus", default=shutil.which("prometheus"), help="the program")
    parser.add_argument("--listen", default="127.0.0.1:9090")
    parser.add_argument("--wait", type=float, default=75.0, help="seconds to gather before the panels are tried")
    options = parser.parse_args()
    if not options.prometheus:
        print("Prometheus is not here; on Debian: apt-get install prometheus", file=sys.stderr)
        return 2
    with running(options.prometheus, options.listen) as ask:
        bad = not targets_up(ask)
        bad |= not rules_load(ask)
        print(f"gathering for {options.wait:g} s")
        time.sleep(options.wait)  # rates need several scrapes
        bad |= not rules_work(ask)
        bad |= not panels_have_data(ask)
    print("not everything is well" if bad else "everything is well")
    return int(bad)


Ask = Callable[..., Any]


@contextmanager
def running(program: str, listen: str) -> Iterator[Ask]:
    """Prometheus on the shipped configuration, with the ports of this environment; a function that asks it."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "prometheus.yml"
        text = (HERE / "prometheus.yml").read_text().replace("rules/*.yml", f"{HERE.resolve()}/rules/*.yml")
        ports = {"8000": os.environ.get("PORT") or "8000", "5555": os.environ.get("FLOWER_PORT") or "5555"}
        for shipped, real in ports.items():
            text = text.replace(f'"127.0.0.1:{shipped}"', f'"127.0.0.1:{real}"')
        config.write_text(text.replace('"127.0.0.1:9090"', f'"{listen}"'))
        process = subprocess.Popen(
            [
                program,
                f"--config.file={config}",
                f"--storage.tsdb.path={folder}/data",
                f"--web.listen-address={listen}",
                "--log.level=error",
            ]
        )
        try:

            def ask(path: str, **parameters: str) -> Any:
                return httpx.get(f"http://{listen}/api/v1/{path}", params=parameters, timeout=10).json()["data"]

            until(lambda: httpx.get(f"http://{listen}/-/ready", timeout=2).is_success, 30)
            yield ask
        finally:
            process.terminate()
            process.wait(20)


def until(true: Callable[[], Any], timeout_s: float) -> bool:
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        try:
            if true():
                return True
        except httpx.TransportError:
            pass  # it is still starting
        time.sleep(0.5)
    return False


def targets_up(ask: Ask) -> bool:
    def states() -> dict[str, str]:
        return {f"{one['labels']['job']} {one['scrapeUrl']}": one["health"] for one in ask("targets")["activeTargets"]}

    up = until(lambda: (found := states()) and set(found.values()) == {"up"}, 60)
    for name, state in states().items():
        print(f"target {name}: {state}")
    return up


def rules_load(ask: Ask) -> bool:
    groups = ask("rules")["groups"]
    for group in groups:
        print(f"rules {group['name']}: {len(group['rules'])} loaded")
    return len(groups) == len(list((HERE / "rules").glob("*.yml")))


def rules_work(ask: Ask) -> bool:
    rules = [rule for group in ask("rules")["groups"] for rule in group["rules"]]
    broken = [rule for rule in rules if rule["health"] != "ok"]
    for rule in broken:
        print(f"rule {rule['name']}: {rule['health']} {rule.get('lastError', '')}")
    firing = sorted(rule["name"] for rule in rules if rule.get("state") == "firing")
    print(f"rules evaluated: {len(rules) - len(broken)} of {len(rules)}; firing: {', '.join(firing) or 'none'}")
    return not broken


def panels_have_data(ask: Ask) -> bool:
    dashboard = json.loads((HERE / "grafana" / "dashboards" / "gleaner.json").read_text())
    empty, tried = [], 0
    for panel in dashboard["panels"]:
        for target in panel.get("targets", ()):
            query = target["expr"].replace("$job", "gleaner").replace("$__rate_interval", WINDOW)
            tried += 1
            if not ask("query", query=query)["result"]:
                empty.append(f"{panel['title']}: {query}")
    for one in empty:
        print(f"no data: {one}")
    print(f"panels: {tried - len(empty)} of {tried} queries return data")
    return not empty


if __name__ == "__main__":
    sys.exit(main())
