"""What the pipeline keeps on record: attempts, batches and their entries, the ledger of outcomes, reports, heartbeats, alerts."""

from ingest.models.alert import Alert, Watch
from ingest.models.attempt import Attempt
from ingest.models.batch import Batch, BatchEntry
from ingest.models.dead_letter import DeadLetter
from ingest.models.export import Export
from ingest.models.figure import Figure
from ingest.models.heartbeat import Heartbeat
from ingest.models.ledger import Outcome, ReconciliationReport
from ingest.models.policy import RoutingTable
from ingest.models.switch import BreakerFlip, Switch
from ingest.models.webhook import Delivery, Webhook

__all__ = [
    "Alert",
    "Attempt",
    "Batch",
    "BatchEntry",
    "BreakerFlip",
    "DeadLetter",
    "Delivery",
    "Export",
    "Figure",
    "Heartbeat",
    "Outcome",
    "ReconciliationReport",
    "RoutingTable",
    "Switch",
    "Watch",
    "Webhook",
]
