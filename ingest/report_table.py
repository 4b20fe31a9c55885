"""A reconciliation report as a table for terminals."""

from __future__ import annotations

from typing import Any

_ROWS = ("declared", "files", "received", "succeeded", "reviewed", "rejected", "skipped", "open")


def report_table(data: dict[str, Any]) -> str:
    """The report of `ingest.reconcile.compare`, a line a figure, anomalies named."""
    lines = [f"{'state':<12} {data['state']}"]
    lines += [f"{name:<12} {data[name] if data[name] is not None else '-':>6}" for name in _ROWS]
    for kind, found in data["anomalies"].items():
        for item in found:
            lines.append(f"{kind.replace('_', ' ').upper()}: {item.get('filename') or ''} ({item['id']})")
    lines.append("every item is accounted for" if data["ok"] else "THE BATCH DOES NOT ADD UP")
    return "\n".join(lines)
