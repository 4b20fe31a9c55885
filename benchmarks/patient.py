"""`manage.py` with time for everything: quality is measured on busy machines too, where deadlines would measure the load.

python -m benchmarks.patient parse --jsonl FILE…
"""

from __future__ import annotations

import os
import sys
from typing import Any

_DEADLINE_S = 900.0


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings.development")
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    from ingest.attempt import StageTools
    from ingest.sandbox.pool import sandbox_for

    def call(_tools: StageTools, kind: str, function: str, payload: dict[str, Any], *, deadline_s: float) -> Any:
        return sandbox_for(kind).call(function, payload, deadline_s=max(deadline_s, _DEADLINE_S))

    StageTools.call = call  # type: ignore[method-assign, assignment]
    execute_from_command_line(["manage.py", *sys.argv[1:]])


if __name__ == "__main__":
    main()
