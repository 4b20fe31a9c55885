"""The same few people act in all tests, and send the same kind of resumes. All of them are invented."""

from __future__ import annotations

import io

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, User

from ingest import runner
from resumes import intake
from resumes.models import Resume
from resumes.states import ACTIVE, SUCCEEDED
from tests.texts import ADA

POOR = "Shopping list\n\nflour\nbutter\nsalt\n"


def person(name: str, role: str = "", **attributes: object) -> User:
    """A user with a role (the name of its group), or a superuser for `admin`."""
    if role == "admin":
        return get_user_model().objects.create_superuser(name, password="secret")
    user: User = get_user_model().objects.create_user(name, password="secret", is_staff=True, **attributes)
    if role:
        user.groups.add(Group.objects.get(name=role))
    return user


def text_file(text: str, name: str = "cv.txt") -> io.BytesIO:
    file = io.BytesIO(text.encode())
    file.name = name
    return file


def sent(owner: User | None, text: str = ADA, name: str = "cv.txt") -> Resume:
    """A resume that waits for a worker."""
    return intake.receive(text_file(text), name, intake.Sender(owner=owner, node="test"))


def worked_off(resume: Resume) -> Resume:
    """Run every stage that is due in this process, as workers would."""
    for _ in range(20):
        resume.refresh_from_db()
        if not resume.next_stage or (resume.state not in ACTIVE and resume.state not in SUCCEEDED):
            return resume
        runner.run_stages(resume.next_stage, resume.pk, resume.run)
    raise AssertionError(f"still at {resume.next_stage} in {resume.state}")
