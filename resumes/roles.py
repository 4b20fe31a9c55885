"""Who may do what: three roles as groups, and the one table of what each is allowed.

A superuser may do everything. Recruiters see what they sent themselves and the whole talent pool, reviewers every
resume, operators states and failures of everything but no content.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Model, Q, QuerySet

ROLES_ATTRIBUTE = "_gleaner_roles"

Visitor = AbstractBaseUser | AnonymousUser
Owned = TypeVar("Owned", bound=Model)


class Role(enum.StrEnum):
    """Also the names of the groups."""

    RECRUITER = "recruiter"
    REVIEWER = "reviewer"
    OPERATOR = "operator"


class Act(enum.StrEnum):
    """Something a person may be allowed to do."""

    READ_RESUMES = "read_resumes"
    """States, timelines, failures."""
    READ_CONTENT = "read_content"
    """The original, its text, the profile."""
    SEND = "send"
    """Bring files in; open, fill, seal, cancel batches."""
    RETRY = "retry"
    FLAG = "flag"
    CONCLUDE = "conclude"
    """Confirm that a file has failed, or that it is left out."""
    ERASE = "erase"
    READ_BATCHES = "read_batches"
    RECONCILE = "reconcile"
    EXPORT = "export"
    POOL = "pool"
    """Candidates, vacancies, matches."""
    REVIEW = "review"
    OPERATE = "operate"
    """Queues, workers, breakers, dead letters."""
    LISTEN = "listen"
    """Have a system of one's own told of events."""
    TOKENS = "tokens"
    """API tokens, which act as oneself."""


_R, _V, _O = Role.RECRUITER, Role.REVIEWER, Role.OPERATOR

ALLOWED: Mapping[Act, frozenset[Role]] = MappingProxyType(
    {
        Act.READ_RESUMES: frozenset({_R, _V, _O}),
        Act.READ_CONTENT: frozenset({_R, _V}),
        Act.SEND: frozenset({_R}),
        Act.RETRY: frozenset({_R, _V, _O}),
        Act.FLAG: frozenset({_R, _V}),
        Act.CONCLUDE: frozenset({_R, _V, _O}),
        Act.ERASE: frozenset({_R}),
        Act.READ_BATCHES: frozenset({_R, _V, _O}),
        Act.RECONCILE: frozenset({_R, _O}),
        Act.EXPORT: frozenset({_R, _V}),
        Act.POOL: frozenset({_R}),
        Act.REVIEW: frozenset({_V}),
        Act.OPERATE: frozenset({_O}),
        Act.LISTEN: frozenset({_R, _V, _O}),
        Act.TOKENS: frozenset({_R, _V, _O}),
    }
)

_SEE_EVERYONES = frozenset({_V, _O})
"""Roles that see the resumes and batches of others."""


def roles_of(user: Visitor) -> frozenset[Role]:
    """The roles of a user; one query for each user object."""
    known: frozenset[Role] | None = getattr(user, ROLES_ATTRIBUTE, None)
    if known is None:
        names = user.groups.filter(name__in=list(Role)).values_list("name", flat=True) if isinstance(user, User) else ()
        known = frozenset(Role(name) for name in names)
        setattr(user, ROLES_ATTRIBUTE, known)
    return known


def is_admin(user: Visitor) -> bool:
    return bool(user.is_active and getattr(user, "is_superuser", False))


def may(user: Visitor, act: Act) -> bool:
    """Whether the user's roles allow an act at all; on whose things is `visible`."""
    if not user.is_active:
        return False
    return is_admin(user) or bool(ALLOWED[act] & roles_of(user))


def sees_everyones(user: Visitor) -> bool:
    """Whether the user sees resumes and batches others have sent."""
    return is_admin(user) or bool(_SEE_EVERYONES & roles_of(user))


def audience(owner_id: int | None, path: str = "owner") -> Q:
    """Of rows that belong to a user (at `path`): those whose user may see what `owner_id` has sent."""
    everyones = Q(**{f"{path}__is_superuser": True}) | Q(**{f"{path}__groups__name__in": sorted(_SEE_EVERYONES)})
    sees = everyones | Q(**{path: owner_id}) if owner_id is not None else everyones
    return sees & Q(**{f"{path}__is_active": True})


def visible(user: Visitor, rows: QuerySet[Owned], owner: str = "owner") -> QuerySet[Owned]:
    """Of rows with an owner (at the path `owner`): those the user may see."""
    return rows if sees_everyones(user) else rows.filter(**{owner: user.pk})
