"""What the pipeline keeps on record: attempts, batches and their entries, the ledger of outcomes, reports."""

from ingest.models.attempt import Attempt
from ingest.models.batch import Batch, BatchEntry
from ingest.models.ledger import Outcome, ReconciliationReport

__all__ = ["Attempt", "Batch", "BatchEntry", "Outcome", "ReconciliationReport"]
