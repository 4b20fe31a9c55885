"""The sandbox's allow-list in a child in which the disasters are registered too."""

from __future__ import annotations

from ingest import ocr
from ingest.sandbox.work import FUNCTIONS, WARM_UPS
from tests import disasters

__all__ = ["FUNCTIONS", "WARM_UPS"]

ocr.ENGINES = disasters.ENGINES
