"""Gleaner's own knobs: limits, deadlines, engines, and the places where the apps meet.

The apps name each other by dotted string here and nowhere else, so that imports run one way.
"""

from __future__ import annotations

from settings import env

# Limits at the door and in the readers.
GLEANER_MAX_FILE_MB = env.number("GLEANER_MAX_FILE_MB", 20, least=1)
GLEANER_MAX_ARCHIVE_MB = env.number("GLEANER_MAX_ARCHIVE_MB", 500, least=1)
GLEANER_MAX_PAGES = env.number("GLEANER_MAX_PAGES", 200, least=1)
GLEANER_RETENTION_DAYS = env.number("GLEANER_RETENTION_DAYS", 0)
"""Days after which a settled resume is erased; 0 keeps it."""

# How people's data is read.
GLEANER_PROTECTED_ATTRIBUTES = env.flag("GLEANER_PROTECTED_ATTRIBUTES")
GLEANER_QUALITY_THRESHOLD = 0.6

# Engines.
OCR_CHANNELS = env.words("OCR_CHANNELS", "rapidocr,tesseract")
LLM_BASE_URL = env.text("LLM_BASE_URL")
LLM_API_KEY = env.text("LLM_API_KEY")
LLM_MODEL = env.text("LLM_MODEL")
# Asked where the first model fails, is open or off.
LLM_BACKUP_BASE_URL = env.text("LLM_BACKUP_BASE_URL")
LLM_BACKUP_API_KEY = env.text("LLM_BACKUP_API_KEY")
LLM_BACKUP_MODEL = env.text("LLM_BACKUP_MODEL")
LLM_LOCAL_ONLY = env.flag("LLM_LOCAL_ONLY")
"""No text of a resume leaves the own network: a model elsewhere is never asked."""
LLM_SEND_CONTACT = env.flag("LLM_SEND_CONTACT")
"""Addresses and phone numbers are shown to a model elsewhere as well."""
LLM_PARALLEL = env.number("LLM_PARALLEL", 1, least=1, most=16)
"""Questions about one resume at the same time; more than one asks for each section apart."""
LLM_WINDOW_CHARACTERS = env.number("LLM_WINDOW_CHARACTERS", 24_000, least=1_000)
"""Of a resume in one question; what a model with a small context can hold."""
LLM_DAILY_TOKENS = env.number("LLM_DAILY_TOKENS", 0)
"""Spent so many on a day, resumes are read by rules until midnight; 0 is no limit."""
LLM_SUMMARY_LANGUAGE = env.choice("LLM_SUMMARY_LANGUAGE", ("en", "zh", "ru"))
"""`en`, `zh` or `ru`; empty for the resume's own."""

# Claims: a worker that stops renewing its lease is taken for dead.
GLEANER_LEASE_S = 20
GLEANER_LEASE_RENEW_S = 5
# The whole of a resume, over all its attempts, waiting not counted.
GLEANER_WORK_BUDGET_S = 60
GLEANER_WORK_BUDGET_OCR_PAGE_S = 30
GLEANER_WORK_BUDGET_MODEL_S = 120
# The relay looks for what is due this often.
GLEANER_RELAY_S = env.number("GLEANER_RELAY_S", 5, least=1)
GLEANER_RESEND_AFTER_S = env.number("GLEANER_RESEND_AFTER_S", 30, least=1)
"""A message that nobody has taken after this long is compared with what the broker holds and sent again if lost."""
GLEANER_DRAIN_PER_S = env.number("GLEANER_DRAIN_PER_S", 20, least=1)
"""After an outage so many waiting resumes go on each second: what has just come back is not run over."""
GLEANER_DEAF_S = env.number("GLEANER_DEAF_S", 60, least=5)
"""A worker with a free process that takes nothing for this long while messages wait for it is started again."""
GLEANER_SILENT_S = env.number("GLEANER_SILENT_S", 90, least=20)
"""So is one that gives no sign of life for this long. A worker is not judged before it has lived as long itself."""
GLEANER_AUTO_SEAL_S = 24 * 3600

# Where the apps meet.
RESUMES_ENTRY_STAGE = "extract"
RESUMES_SENDER = "ingest.outbox.send"
RESUMES_FOLLOW_UPS = [
    "resumes.candidates.join_pool",
    "ingest.batches.record_outcome",
    "ingest.webhooks.events.announce_move",
    "review.cases.follow_resume",
    "ingest.dead_letters.follow_resume",
]
RESUMES_FORGETTERS = ["ingest.forgetting.forget", "review.forgetting.forget"]
"""Who else holds data of a person, and lets go of it when a resume is erased."""
GLEANER_COUNTED = ["ingest.figures.TRANSITIONS", "ingest.figures.ATTEMPTS"]
"""The logs whose rows add up to counters."""
GLEANER_METRICS = ["ingest.metrics.collect", "ingest.webhooks.metrics.collect", "review.metrics.collect"]
"""Who has something to tell when Prometheus asks."""

RESUMES_PROGRESS = "ingest.progress.progress_of"
"""Tells where a resume in process is."""
RESUMES_HELD = "review.cases.is_held"
"""Tells whether somebody is at work on a resume that waits for a person."""
RESUMES_UNDECIDED = "review.cases.undecided"
"""Which resumes a person has yet to decide about."""
RESUMES_INTAKE_GATE = "ingest.switches.check_intake"
"""Asked by every door before it takes a file in."""

# Webhooks.
GLEANER_WEBHOOK_PRIVATE = env.flag("GLEANER_WEBHOOK_PRIVATE")
"""Whether webhooks may go to private, link-local and loopback addresses."""

# Alerts: told in groups, see `ingest.alerts`.
GLEANER_ALERT_EMAIL = env.text("GLEANER_ALERT_EMAIL")
GLEANER_ALERT_WEBHOOK = env.text("GLEANER_ALERT_WEBHOOK")
GLEANER_ALERT_WAIT_S = env.number("GLEANER_ALERT_WAIT_S", 60)
"""How long an alert waits for its like before it is sent."""
GLEANER_ALERT_QUIET_S = env.number("GLEANER_ALERT_QUIET_S", 1800)
"""After an alert was sent, more of the same kind and subject are gathered at least this long."""
GLEANER_ALERT_RETRIES = env.number("GLEANER_ALERT_RETRIES", 50, least=1)
"""So many retries of one stage for one reason within five minutes are told."""
