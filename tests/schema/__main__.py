"""schemathesis against the API's own schema: a running Gleaner with something of everything in it, asked all kinds of things.

    python -m tests.schema [SCHEMATHESIS] [options of `st run` …]

Ends with schemathesis's own exit code: 0 if no answer was a 5xx and every answer is as the schema says.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.acceptance.house import ROOT, House
from tests.texts import ADA

EXAMPLES = 25
COPIES = 20
SECONDS = 240
EXCLUDED = (
    # The schema cannot say that an address must be public, a batch open or a resume ended: refusing well-formed data is right.
    "positive_data_acceptance",
    # Django's form parsers take a number for a text and an empty field for an absent one; JSON is as strict as the schema.
    "negative_data_rejection",
)


def main() -> int:
    program, options = (sys.argv[1], sys.argv[2:]) if sys.argv[1:] else ("st", [])
    with tempfile.TemporaryDirectory(prefix="gleaner-schema-") as folder:
        house = House(Path(folder))
        house.extra_env["GLEANER_THROTTLE"] = "1000000/min"
        try:
            house.set_up()
            house.start_broker()
            house.start_web()
            house.start_worker("worker", "cpu,io,default,notify,llm")
            config = Path(folder) / "schemathesis.toml"
            config.write_text(_parameters(_something_of_everything(house, Path(folder))))
            code = subprocess.run(
                [
                    program,
                    *("--config-file", str(config), "run", f"{house.url}/api/schema/"),
                    *("--header", f"Authorization:Token {house._token}"),
                    *("--checks", "all", "--exclude-checks", ",".join(EXCLUDED)),
                    *("--max-examples", str(EXAMPLES), "--max-time", str(SECONDS), "--workers", "1", "--continue-on-failure"),
                    *options,
                ],
                cwd=folder,
                env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.schema.bounds", "PYTHONPATH": str(ROOT)},
                check=False,
            ).returncode
            house.get("resumes/")  # had it revoked the token it goes by, it would have been told 401 all along
            return code
        finally:
            house.stop()


def _something_of_everything(house: House, folder: Path) -> dict[str, list[str]]:
    """Ids of things that are there, by the first part of their address."""
    texts = [ADA, "Shopping list\n\nflour\nbutter\n", ""]
    batch = house.call("POST", "batches/", json={"name": "Autumn", "expected": 4}).json()["id"]
    for number, text in enumerate(texts):
        path = folder / f"{number}.txt"
        path.write_text(text)
        house.call("POST", f"batches/{batch}/resumes/", files={"files": (path.name, path.read_bytes())})
    items = house.get(f"batches/{batch}/items/")["results"]
    resumes = [item["resume"] for item in items if item["resume"]]
    for resume in resumes:
        house.settled(resume)
    webhooks, exports, tokens = [], [], []
    for number in range(COPIES):  # they are deleted on the way
        house.call("POST", "vacancies/", json={"title": "Engineer", "skills": ["Python"]})
        webhooks.append(house.call("POST", "webhooks/", json={"url": f"https://ats.example.com/{number}"}).json()["id"])
        exports.append(house.call("POST", "exports/", json={"batch": batch, "format": "csv"}).json()["id"])
        tokens.append(house.call("POST", "tokens/", json={}).json()["id"])
    return {
        "batches": [batch],
        "resumes": resumes,
        "failures": resumes,
        "cases": [row["id"] for row in house.get("cases/")["results"]],
        "candidates": [row["id"] for row in house.get("candidates/")["results"]],
        "vacancies": [str(row["id"]) for row in house.get("vacancies/")["results"]],
        "webhooks": webhooks,
        "exports": exports,
        "tokens": tokens,
    }


def _parameters(ids: dict[str, list[str]]) -> str:
    """A configuration that mostly fills paths with what is there."""
    lines = []
    for kind, known in ids.items():
        lines += [f"[dictionaries.{kind}]", f"values = {known!r}"]
    lines += ["[[operations]]", 'include-path = "/api/v1/exports/"']
    lines += ['parameters = { "body.batch" = { dictionary = "batches", probability = 0.9 } }']
    for kind in ids:
        lines += ["[[operations]]", f'include-path-regex = "^/api/v1/{kind}/{{id}}/"']
        lines.append(f'parameters = {{ "path.id" = {{ dictionary = "{kind}", probability = 0.9 }} }}')
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
