"""The routing table and the switches in the admin: read, tried out, changed as versions, by operators alone."""

from __future__ import annotations

import io

import pytest
from django.utils import timezone

from ingest import switches
from ingest.models import RoutingTable, Switch
from ingest.route_table import DEFAULT, show
from resumes import intake
from resumes.states import State
from tests.integration.people import worked_off

pytestmark = pytest.mark.django_db

ADD = "/admin/ingest/routingtable/add/"
TURN = "/admin/ingest/switch/turn/"
PAGES = ("/admin/ingest/routingtable/", ADD, "/admin/ingest/switch/", "/admin/ingest/alert/")


def form(rows: str = show(DEFAULT.rows), *, press: str = "save", based_on: int = 0, **changes: str) -> dict[str, str]:
    return {
        "rows": rows,
        "delays_s": "2, 8, 30",
        "spread": "0.3",
        "most_retries": "timeout: 1",
        "note": "tried out",
        "based_on": str(based_on),
        press: "1",
    } | changes


def broken():
    return intake.receive(io.BytesIO(b"%PDF-1.7\n" + bytes(range(256)) * 20), "a.pdf", intake.Sender())


def test_only_operators_and_admins_come_here(signed_in):
    for role, code in {"recruiter": 403, "reviewer": 403, "operator": 200, "admin": 200}.items():
        client = signed_in(role)
        for page in PAGES:
            assert client.get(page).status_code == code, (role, page)
        assert client.post(ADD, form()).status_code == (302 if code == 200 else 403)
        answer = client.post(TURN, {"name": "ocr", "position": "off", "why": "test"})
        assert answer.status_code == (302 if code == 200 else 403)
        assert RoutingTable.objects.exists() == Switch.objects.exists() == (code == 200)
        RoutingTable.objects.all().delete()
        Switch.objects.all().delete()


@pytest.mark.parametrize("language", ["en", "zh-hans", "ru"])
def test_the_pages_open_in_every_language_without_anything_inline(signed_in, language):
    client = signed_in("operator")
    client.cookies["django_language"] = language
    client.post(ADD, form())
    worked_off(broken())
    version = f"/admin/ingest/routingtable/{RoutingTable.objects.get().pk}/change/"
    tried = client.post(ADD, form(press="try", based_on=RoutingTable.objects.get().pk))
    for answer in [tried, *(client.get(page) for page in (*PAGES, version))]:
        assert answer.status_code == 200
        assert b"<script>" not in answer.content
        assert b'style="' not in answer.content


def test_the_version_in_force_is_shown_row_by_row(signed_in):
    page = signed_in("operator").get("/admin/ingest/routingtable/").content.decode()
    for row in DEFAULT.rows:
        assert f"<code>{row.failure}</code>" in page
    assert "2, 8, 30" in page


def test_a_table_saved_here_changes_the_next_resumes_way_and_names_who_and_why(signed_in, people):
    first = worked_off(broken())
    answer = signed_in("operator").post(ADD, form("extract | corrupt | | review\n" + show(DEFAULT.rows)))
    assert answer.status_code == 302
    version = RoutingTable.objects.get()
    assert (version.created_by, version.note) == (people["operator"], "tried out")
    assert (version.delays_s, version.most_retries) == ([2.0, 8.0, 30.0], {"timeout": 1})
    second = worked_off(broken())
    assert (first.state, second.state) == (State.REJECTED, State.REVIEW_NEEDED)
    assert second.routed_by == version.pk


def test_a_dry_run_shows_what_would_go_another_way_and_saves_nothing(signed_in):
    resume = worked_off(broken())
    answer = signed_in("operator").post(ADD, form("extract | corrupt | | review\n" + show(DEFAULT.rows), press="try"))
    tried = answer.context["tried"]
    assert tried.ways == [("extract", "corrupt", "reject", "review", 1)]
    assert str(resume.pk) in answer.content.decode()
    assert not RoutingTable.objects.exists()
    resume.refresh_from_db()
    assert resume.state == State.REJECTED


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"rows": "extract | * | | review"}, "rows"),
        ({"rows": "extract | corrupt"}, "rows"),
        ({"rows": "* | * | | go:ocr"}, "rows"),
        ({"delays_s": "soon"}, "delays_s"),
        ({"delays_s": "0"}, "delays_s"),
        ({"delays_s": ", ".join(["1"] * 11)}, "delays_s"),
        ({"spread": "1.5"}, "spread"),
        ({"most_retries": "timeout"}, "most_retries"),
        ({"most_retries": "no_such_code: 1"}, "most_retries"),
    ],
)
@pytest.mark.parametrize("press", ["save", "try"])
def test_a_table_that_cannot_be_used_is_refused_with_the_reason_beside_the_field(signed_in, changes, field, press):
    answer = signed_in("operator").post(ADD, form(press=press) | changes)
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [field]
    assert "errorlist" in answer.content.decode()
    assert not RoutingTable.objects.exists()


def test_a_version_saved_meanwhile_is_not_overwritten_unseen(signed_in):
    client = signed_in("operator")
    client.post(ADD, form())
    answer = client.post(ADD, form(based_on=0))
    assert list(answer.context["form"].errors) == ["based_on"]
    assert RoutingTable.objects.count() == 1


def test_an_older_version_can_be_taken_up_again(signed_in):
    client = signed_in("operator")
    client.post(ADD, form("extract | corrupt | | review\n" + show(DEFAULT.rows)))
    old = RoutingTable.objects.get()
    client.post(ADD, form(based_on=old.pk))
    page = client.get(f"{ADD}?from={old.pk}")
    assert page.context["form"].initial["rows"].startswith("extract | corrupt | ")
    assert page.context["form"].initial["based_on"] == RoutingTable.objects.order_by("-id").first().pk


def test_versions_are_neither_changed_nor_deleted(signed_in):
    client = signed_in("admin")
    client.post(ADD, form())
    pk = RoutingTable.objects.get().pk
    client.post(f"/admin/ingest/routingtable/{pk}/change/", form("x"))
    assert client.post(f"/admin/ingest/routingtable/{pk}/delete/", {"post": "yes"}).status_code == 403
    assert RoutingTable.objects.get().rows == show(DEFAULT.rows)


def test_a_switch_is_set_with_who_why_and_until_and_taken_back(signed_in, people):
    client = signed_in("operator")
    client.post(TURN, {"name": "rapidocr", "position": "open", "why": "new version fails", "minutes": "30"})
    row = Switch.objects.get()
    assert (row.name, row.position, row.why, row.set_by) == ("rapidocr", "open", "new version fails", people["operator"])
    assert 29 * 60 < (row.until - timezone.now()).total_seconds() <= 30 * 60
    assert switches.position("rapidocr") is switches.Position.FORCED_OPEN
    page = client.get("/admin/ingest/switch/").content.decode()
    assert "new version fails" in page
    assert "operator-one" in page
    client.post(TURN, {"name": "rapidocr", "position": "auto"})
    assert not Switch.objects.exists()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": "ocr", "position": "closed", "why": "x"}, "position"),
        ({"name": "intake", "position": "open", "why": "x"}, "position"),
        ({"name": "model", "position": "off"}, "why"),
        ({"name": "model", "position": "off", "why": "x", "minutes": "0"}, "minutes"),
        ({"name": "extract", "position": "off", "why": "x"}, "name"),
    ],
)
def test_a_switch_that_makes_no_sense_is_not_set(signed_in, given, field):
    answer = signed_in("operator").post(TURN, given)
    assert list(answer.context["form"].errors) == [field]
    assert not Switch.objects.exists()
