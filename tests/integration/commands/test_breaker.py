from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from ingest import switches

pytestmark = pytest.mark.django_db


def test_a_name_alone_shows_that_breaker(capsys):
    call_command("breaker", "rapidocr")
    shown = capsys.readouterr().out
    assert shown.startswith("rapidocr")
    assert len(shown.splitlines()) == 1


@pytest.mark.parametrize("words", [["open"], ["open", "nothing"], ["nothing"], ["push", "rapidocr"], ["open", "rapidocr", "x"]])
def test_what_makes_no_sense_ends_with_two_and_turns_nothing(words):
    with pytest.raises(CommandError) as told:
        call_command("breaker", *words)
    assert told.value.returncode == 2
    assert switches.position("rapidocr") is switches.Position.AUTO
