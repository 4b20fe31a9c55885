"""What `make run` uses: safe defaults, everything on this machine."""

from settings.base import *
from settings.faults import SENTRY_DSN  # noqa: F401
from settings.log import GLEANER_JSON_LOG, LOGGING  # noqa: F401
from settings.pipeline import *
from settings.review import *
from settings.running import *
from settings.third_party import *
