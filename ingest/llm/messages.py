"""Messages: the turns of a talk with a model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: `role` is `system`, `user` or `assistant`."""

    role: str
    content: str
