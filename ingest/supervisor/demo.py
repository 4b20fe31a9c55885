"""The demo: one user for each role with a random password and a token, and the sample resumes as a batch. Each once."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import transaction
from knox.models import AuthToken

from ingest import batches
from ingest.batches import Declared
from ingest.models import Batch
from resumes.roles import Role

ADMIN = "admin"
NAMES = (ADMIN, *(role.value for role in Role))
_BATCH = "Samples"
_NO_RESUMES = frozenset({".py", ".md"})


@dataclass(frozen=True, slots=True)
class SignIn:
    """How a demo user gets in."""

    password: str
    token: str


def sign_ins(file: Path) -> Mapping[str, SignIn]:
    """The demo users of this installation by name; empty before the first start."""
    try:
        return {name: SignIn(**values) for name, values in json.loads(file.read_text()).items()}
    except FileNotFoundError:
        return {}


def make_users(file: Path) -> Mapping[str, SignIn]:
    """Make the demo users and leave their sign-in in a file for its owner only; where it exists, that is the answer.

    Users of these names who are in the database already are left alone: they are not ours to open.
    """
    if known := sign_ins(file):
        return known
    users = get_user_model().objects
    taken = set(users.filter(username__in=NAMES).values_list("username", flat=True))
    with transaction.atomic():
        made = {name: _make_user(name) for name in NAMES if name not in taken}
        if made:
            _write_private(file, {name: asdict(sign_in) for name, sign_in in made.items()})
    return made


def _make_user(name: str) -> SignIn:
    password = secrets.token_urlsafe(12)
    user = get_user_model()(username=name, email=f"{name}@example.com", is_staff=True, is_superuser=name == ADMIN)
    user.set_password(password)
    user.save()
    if name != ADMIN:
        user.groups.add(Group.objects.get_or_create(name=name)[0])
    _, token = AuthToken.objects.create(user=user, expiry=None)
    return SignIn(password, token)


def import_samples(folder: Path, *, again: bool = False) -> Batch | None:
    """Import the sample resumes as a batch of the demo recruiter; None where that was done before or there are none.

    An import that was cut short goes on where it stopped: the batch declares its files.
    """
    files = sorted(path for path in folder.glob("*") if path.is_file() and path.suffix not in _NO_RESUMES and path.name[0] != ".")
    batch = Batch.objects.filter(name=_BATCH).order_by("created_at").last()
    if not files or (batch is not None and batch.sealed_at is not None and not again):
        return None
    if batch is None or batch.sealed_at is not None:
        owner = get_user_model().objects.filter(username=Role.RECRUITER.value).first()
        batch = batches.open_batch(owner, _BATCH, expected=[Declared(path.name, _sha256(path)) for path in files])
    waiting = set(batch.entries.filter(archive=None, received_at=None).values_list("filename", flat=True))
    for path in files:
        if path.name in waiting:
            with path.open("rb") as source:
                batches.add_file(batch, source, path.name, node="demo")
    batches.seal(batch)
    return batch


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_private(path: Path, content: object) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
