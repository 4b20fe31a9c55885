"""Make an API token for a user, and print it: it is not shown again."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from resumes import tokens
from resumes.models import ApiToken


class Command(BaseCommand):
    help = "Make an API token for a user. It acts as the user, and ends."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", help="name the user signs in with")
        parser.add_argument("--days", type=int, default=tokens.usual_days(), help="how long it lives (default: %(default)s)")

    def handle(self, **options: Any) -> None:
        if not 1 <= options["days"] <= tokens.MOST_DAYS:
            raise CommandError(f"--days: between 1 and {tokens.MOST_DAYS}", returncode=2)
        user = User.objects.filter(username=options["user"], is_active=True).first()
        if user is None:
            raise CommandError(f"No such user: {options['user']}", returncode=2)
        row = ApiToken()
        self.stdout.write(tokens.issue(row, user, options["days"]))
        self.stderr.write(f"ends {row.expiry:%Y-%m-%d}")
