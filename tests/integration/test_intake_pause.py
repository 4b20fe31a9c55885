"""Intake paused by operators: every door says so, what is inside goes on."""

from __future__ import annotations

import datetime as dt
import io

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ingest import switches
from ingest.models import Batch
from ingest.switches import INTAKE, Position
from resumes import intake
from resumes.models import Resume
from resumes.states import State

from .people import worked_off

pytestmark = pytest.mark.django_db


def test_the_door_is_shut_while_intake_is_paused_and_what_is_inside_goes_on(receive):
    inside = receive()
    switches.turn(INTAKE, Position.OFF, why="the disk is moved")
    with pytest.raises(intake.IntakePaused):
        receive("another")
    assert worked_off(inside).state == State.COMPLETED
    switches.turn(INTAKE, Position.AUTO, why="")
    assert receive("another").state == State.PENDING


def test_members_of_an_archive_that_is_inside_are_work_in_progress():
    import zipfile

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a.txt", "Alice Archer\nalice.archer@example.com\n")
    resume = intake.receive(io.BytesIO(content.getvalue()), "one.zip", intake.Sender())
    switches.turn(INTAKE, Position.OFF, why="test")
    worked_off(resume)
    assert Resume.objects.exclude(pk=resume.pk).count() == 1


@pytest.mark.parametrize(("minutes", "least", "most"), [(None, 300, 300), (10, 590, 600), (600, 3600, 3600)])
def test_callers_are_told_when_to_ask_again(minutes, least, most):
    until = timezone.now() + dt.timedelta(minutes=minutes) if minutes else None
    switches.turn(INTAKE, Position.OFF, why="test", until=until)
    with pytest.raises(intake.IntakePaused) as paused:
        intake.ensure_open()
    assert least <= paused.value.retry_after_s <= most


def test_a_pause_ends_at_its_time():
    switches.turn(INTAKE, Position.OFF, why="test", until=timezone.now() - dt.timedelta(seconds=1))
    intake.ensure_open()


def test_the_import_command_says_so_and_opens_no_batch(tmp_path):
    (tmp_path / "a.txt").write_text("Alice Archer")
    switches.turn(INTAKE, Position.OFF, why="test")
    with pytest.raises(CommandError, match="paused"):
        call_command("ingest", str(tmp_path))
    assert not Batch.objects.exists()


def test_operators_pause_and_resume_by_command(capsys):
    call_command("intake", "pause", "--why", "the disk is moved", "--minutes", "5")
    assert "paused" in capsys.readouterr().out
    with pytest.raises(intake.IntakePaused):
        intake.ensure_open()
    call_command("intake", "resume")
    intake.ensure_open()
    assert "open" in capsys.readouterr().out
