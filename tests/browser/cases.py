"""Resumes that wait for a person, and how a test puts them there."""

from __future__ import annotations

import io

from django.contrib.auth.models import User

from resumes import intake, reruns
from resumes.models import Resume
from review.models import Case
from tests.integration.people import worked_off
from tests.texts import ADA

NOTES = """{name}
{email}

Experience
Northwind Instruments, Engineer
March 2019 - June 2023
"""
"""A resume with too little in it: no phone, no education, no skills."""


def received(text: str, owner: User, name: str = "cv.txt") -> Resume:
    return worked_off(intake.receive(io.BytesIO(text.encode()), name, intake.Sender(owner=owner, node="test")))


def poor(owner: User, number: int = 0) -> Case:
    """A case with half of the core fields."""
    names = ("Ada Quillfeather", "Boris Lanternman", "Chloe Marrowby", "Dorian Thistlewood", "Edith Farrowgate", "Felix Amberley")
    name = names[number % len(names)]
    text = NOTES.format(name=name, email=f"{name.split()[0].lower()}{number}@example.org")
    return Case.objects.get(resume=received(text, owner, f"{name}.txt"))


def flagged(owner: User, fields: tuple[str, ...] = ("basics.phone",), text: str = ADA) -> Case:
    """A complete resume somebody has sent back."""
    resume = received(text, owner)
    reruns.flag(resume, owner, fields, "moved last year", node="test")
    return Case.objects.get(resume=resume, run=resume.run)
