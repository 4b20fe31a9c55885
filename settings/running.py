"""What `manage.py run` starts on this machine: ports, the embedded broker, the demo."""

from __future__ import annotations

from pathlib import Path

from settings import env
from settings.base import GLEANER_HOME, ROOT

GLEANER_PORT = env.number("PORT", 8000, least=1, most=65_535)
GLEANER_FLOWER_PORT = env.number("FLOWER_PORT", 5555, least=1, most=65_535)

GLEANER_FLOWER_URL = env.text("GLEANER_FLOWER_URL") or f"http://127.0.0.1:{GLEANER_FLOWER_PORT}/"
"""Where the admin sends operators who want to see tasks."""

GLEANER_EMBEDDED_BROKER = not env.text("REDIS_URL")
"""Without a server of one's own, `manage.py run` starts one and leaves its address in GLEANER_HOME for other commands."""

GLEANER_DEMO = env.flag("GLEANER_DEMO", default=not env.text("DJANGO_SETTINGS_MODULE").endswith("production"))
"""Make demo users and import the samples on the first start."""
GLEANER_DEMO_USERS_FILE = GLEANER_HOME / "demo-users.json"
GLEANER_SAMPLES: Path = ROOT / "samples"
