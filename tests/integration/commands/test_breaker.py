from __future__ import annotations

import pytest
from django.core.management import CommandError, ManagementUtility, call_command

from ingest import switches
from ingest.models import Switch

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


@pytest.mark.parametrize("given", ["0", "-1", "nan", "inf", "1e300", "soon", ""])
@pytest.mark.parametrize("command", [["breaker", "open", "rapidocr", "--hours"], ["intake", "pause", "--minutes"]])
def test_a_time_that_makes_no_sense_ends_with_two_and_turns_nothing(command, given, capsys):
    with pytest.raises(SystemExit) as ended:
        ManagementUtility(["manage.py", *command[:-1], f"{command[-1]}={given}"]).execute()
    assert ended.value.code == 2
    assert "above 0" in capsys.readouterr().err
    assert not Switch.objects.exists()


@pytest.mark.parametrize("name", ["queue:cpu", "ocr", "structure"])
def test_what_makes_no_calls_can_be_off_and_not_forced_closed(name):
    with pytest.raises(CommandError) as told:
        call_command("breaker", "close", name)
    assert told.value.returncode == 2
    assert not Switch.objects.exists()
    call_command("breaker", "open", name)
    assert Switch.objects.get(name=name).position in switches.positions_of(name)


def test_without_a_name_whatever_is_not_automatic_is_listed(capsys):
    for name in ("queue:cpu", "structure"):
        call_command("breaker", "open", name)
    capsys.readouterr()
    call_command("breaker")
    shown = dict(line.split()[:2] for line in capsys.readouterr().out.splitlines())
    assert (shown["queue:cpu"], shown["structure"]) == ("off", "off")
    assert "rapidocr" in shown
    assert "queue:ocr" not in shown
