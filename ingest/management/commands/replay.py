"""Send resumes through the pipeline again."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from resumes import transitions
from resumes.models import Resume
from resumes.states import REOPENS, State


class Command(BaseCommand):
    help = "Open a new run of resumes that are settled or wait for people."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("resumes", nargs="*", metavar="RESUME", type=uuid.UUID)
        parser.add_argument(
            "--dead-letters", nargs="?", const="", metavar="CODE", help="all of them, or those with a failure code"
        )
        parser.add_argument("--reason", default="replayed by command")

    def handle(self, **options: Any) -> None:
        if options["dead_letters"] is not None:
            dead = Resume.objects.filter(state=State.DEAD_LETTER)
            code = options["dead_letters"]
            options["resumes"] += (dead.filter(failure_code=code) if code else dead).values_list("pk", flat=True)
        elif not options["resumes"]:
            raise CommandError("Name resumes, or --dead-letters.", returncode=2)
        found = {resume.pk: resume for resume in Resume.objects.filter(pk__in=options["resumes"], erased_at=None)}
        unknown = [str(key) for key in options["resumes"] if key not in found]
        if unknown:
            raise CommandError(f"No such resume: {', '.join(unknown)}", returncode=2)
        for resume in found.values():
            if State.PENDING not in REOPENS.get(State(resume.state), frozenset()):
                self.stderr.write(f"{resume.pk} is {resume.state}: still on its way, left alone")
                continue
            transitions.reopen(resume, State.PENDING, node="replay", reason=options["reason"], actor="operator")
            self.stdout.write(f"{resume.pk} run {resume.run}")
