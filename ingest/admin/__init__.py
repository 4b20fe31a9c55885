"""The pipeline in the admin. Each module registers its pages."""

from __future__ import annotations

from ingest.admin import batches, exports, failures, logs, operations, policy, switches, webhooks

__all__ = ["batches", "exports", "failures", "logs", "operations", "policy", "switches", "webhooks"]
