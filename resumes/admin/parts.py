"""What the pages of the admin are put together from: labels, bars, chips."""

from __future__ import annotations

from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from resumes.states import ACTIVE, SUCCEEDED, State


def badge(text: Any, kind: str) -> SafeString:
    """A coloured label: `good`, `bad`, `wait`, `busy` or `quiet`."""
    return format_html('<span class="badge {}">{}</span>', kind, text)


def state_badge(state: str) -> SafeString:
    known = State(state)
    kind = "quiet"
    if known in SUCCEEDED:
        kind = "good"
    elif known in ACTIVE:
        kind = "busy"
    elif known is State.REJECTED:
        kind = "bad"
    elif known in (State.REVIEW_NEEDED, State.DEAD_LETTER):
        kind = "wait"
    return badge(known.label, kind)


def meter(share: float | None) -> SafeString:
    """A share as a bar with its figure."""
    if share is None:
        return SafeString("–")
    return format_html(
        '<span class="meter"><meter value="{}" min="0" max="1" low="0.6" high="0.8" optimum="1"></meter> {} %</span>',
        share,
        round(share * 100),
    )


def chips(words: list[str]) -> SafeString:
    return format_html_join(" ", '<span class="chip">{}</span>', ((word,) for word in words)) or SafeString("–")
