"""How people work off the review: deadlines, office hours, spot checks, blind review."""

from __future__ import annotations

from settings import env

GLEANER_REVIEW_DUE_H = env.number("GLEANER_REVIEW_DUE_H", 24, least=1)
"""Hours after which a case nobody has touched is escalated."""
GLEANER_REVIEW_FOLD_H = env.number("GLEANER_REVIEW_FOLD_H", 72, least=1)
"""Hours after which it is folded away: last in the queue."""
GLEANER_OFFICE_DAYS = env.weekdays("GLEANER_OFFICE_DAYS", "1-7")
GLEANER_OFFICE_HOURS = env.hours("GLEANER_OFFICE_HOURS", "09:00-18:00")
GLEANER_HOLIDAYS = env.dates("GLEANER_HOLIDAYS")
GLEANER_SPOT_CHECK_PERCENT = env.number("GLEANER_SPOT_CHECK_PERCENT", 0, most=100)
"""Share of the automatically completed resumes that a person looks over."""
GLEANER_BLIND_REVIEW = env.flag("GLEANER_BLIND_REVIEW")
"""Name, photo, gender, age and birthplace are masked before whoever may review, until the decision."""
