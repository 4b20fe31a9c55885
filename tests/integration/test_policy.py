import io

import pytest
from django.core.exceptions import ValidationError

from ingest import policy
from ingest.models import RoutingTable
from ingest.route_table import DEFAULT
from ingest.runner import run_stages
from resumes import intake
from resumes.states import State
from resumes.taxonomy import CODES

pytestmark = pytest.mark.django_db


def broken_pdf():
    return intake.receive(io.BytesIO(b"%PDF-1.7\n" + bytes(range(256)) * 20), "a.pdf", intake.Sender())


def test_without_a_saved_table_the_programs_own_is_in_force():
    assert policy.current_table() == DEFAULT


def test_a_saved_table_changes_the_way_of_the_next_resume_and_is_named_by_it():
    before = broken_pdf()
    run_stages("extract", before.pk, 1)
    table = RoutingTable(rows="extract | corrupt | | review\n" + RoutingTable().rows, note="people look at broken files")
    table.full_clean()
    table.save()
    policy.forget()
    after = broken_pdf()
    run_stages("extract", after.pk, 1)
    before.refresh_from_db()
    after.refresh_from_db()
    assert (before.state, before.routed_by) == (State.REJECTED, 0)
    assert (after.state, after.routed_by) == (State.REVIEW_NEEDED, table.pk)


def test_a_table_that_would_leave_a_failure_without_a_destination_cannot_be_saved():
    with pytest.raises(ValidationError) as refusal:
        RoutingTable(rows="extract | * | | review").full_clean()
    assert "no destination" in str(refusal.value)


@pytest.mark.parametrize("delays", [[0], [-1], ["soon"], 7, [4000]])
def test_delays_that_make_no_sense_cannot_be_saved(delays):
    with pytest.raises(ValidationError):
        RoutingTable(delays_s=delays).full_clean()


@pytest.mark.parametrize("code", [*sorted(code for code, entry in CODES.items() if not entry.retryable), "breaker_open"])
def test_caps_that_have_no_effect_or_no_sense_cannot_be_saved(code):
    with pytest.raises(ValidationError) as refusal:
        RoutingTable(most_retries={code: 1}).full_clean()
    assert code in str(refusal.value)


@pytest.mark.parametrize("code", sorted(code for code, entry in CODES.items() if entry.retryable))
@pytest.mark.parametrize("count", [0, 1, 10])
def test_every_code_that_may_pass_can_be_capped(code, count):
    if count and code == "breaker_open":
        return
    RoutingTable(most_retries={code: count}).full_clean()
