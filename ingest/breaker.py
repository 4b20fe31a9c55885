"""Circuit breakers, one a channel (an OCR engine, the model), shared by all workers through Redis.

A breaker opens at 30 % errors or slow calls among at least 10 calls in a sliding minute. While it is open no call is
made and the next channel or level takes over. After a rest it lets a few probes through, fleet-wide, and closes in
steps as they succeed. All of it happens in two atomic scripts on the server's clock. What operators force stands in the
database (`ingest.switches`), not here. A Redis that does not answer opens nothing: calls go on, and it is said so.
"""

from __future__ import annotations

import datetime as dt
import enum
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import redis
import structlog
from django.conf import settings
from django.utils import timezone

from ingest import switches
from ingest.models import BreakerFlip, Switch
from resumes.taxonomy import OURS, FailureClass, ResumeError

log = structlog.get_logger(__name__)


class BreakerState(enum.StrEnum):
    CLOSED = "closed"
    HALF_OPEN = "half_open"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Limits:
    """When a breaker opens and how it closes again."""

    window_s: int = 60
    min_calls: int = 10
    bad_share: float = 0.3
    rest_s: int = 30
    """How long an open breaker lets nothing through."""
    probe_window_s: int = 10
    """A half-open breaker grants its probes anew this often: one whose worker died must not count for ever."""
    probes: int = 3
    """Calls let through in the first half-open step; each good step doubles them."""
    steps: int = 3
    """Good steps until it is closed."""
    refused_s: int = 900
    """How long a channel that refused our credentials gets no call."""
    slow_factor: float = 4.0
    """A call this many times slower than usual counts as bad."""


LIMITS = Limits()
_BUCKET_S = 10

# KEYS: the breaker's hash. ARGV: rest, probe window, probes. → 1 let through, 0 not, and the state.
_ACQUIRE = """
local now = tonumber(redis.call('TIME')[1])
local state = redis.call('HGET', KEYS[1], 'state') or 'closed'
if state == 'closed' then return {1, state} end
if state == 'open' then
  if now - tonumber(redis.call('HGET', KEYS[1], 'since')) < tonumber(ARGV[1]) then return {0, state} end
  redis.call('HSET', KEYS[1], 'state', 'half_open', 'since', now, 'step', 0, 'granted', 0, 'good', 0)
  state = 'half_open'
end
local step = tonumber(redis.call('HGET', KEYS[1], 'step'))
local allowed = tonumber(ARGV[3]) * 2 ^ step
if now - tonumber(redis.call('HGET', KEYS[1], 'since')) >= tonumber(ARGV[2]) then
  redis.call('HSET', KEYS[1], 'since', now, 'granted', 0)
end
if tonumber(redis.call('HGET', KEYS[1], 'granted')) >= allowed then return {0, state} end
redis.call('HINCRBY', KEYS[1], 'granted', 1)
redis.call('EXPIRE', KEYS[1], 86400)
return {1, state}
"""
# KEYS: the breaker's hash. ARGV: bad (0 or 1), window, bucket, min calls, share, rest, probes, steps. → state before, after.
_RECORD = """
local now = tonumber(redis.call('TIME')[1])
local state = redis.call('HGET', KEYS[1], 'state') or 'closed'
local bad, bucket = tonumber(ARGV[1]), tonumber(ARGV[3])
if state == 'open' then return {state, state} end
if state == 'half_open' then
  if bad == 1 then
    redis.call('HSET', KEYS[1], 'state', 'open', 'since', now)
    return {state, 'open'}
  end
  local good = redis.call('HINCRBY', KEYS[1], 'good', 1)
  local step = tonumber(redis.call('HGET', KEYS[1], 'step'))
  if good >= tonumber(ARGV[7]) * 2 ^ step then
    if step + 1 >= tonumber(ARGV[8]) then
      redis.call('DEL', KEYS[1])
      return {state, 'closed'}
    end
    redis.call('HSET', KEYS[1], 'step', step + 1, 'granted', 0, 'good', 0, 'since', now)
  end
  return {state, state}
end
local slot = math.floor(now / bucket)
redis.call('HINCRBY', KEYS[1], 'calls:' .. slot, 1)
redis.call('HINCRBY', KEYS[1], 'bad:' .. slot, bad)
redis.call('EXPIRE', KEYS[1], 86400)
local calls, failed, oldest = 0, 0, slot - math.floor(tonumber(ARGV[2]) / bucket) + 1
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local kind, number = string.match(all[i], '^(%a+):(%d+)$')
  if kind then
    if tonumber(number) < oldest then redis.call('HDEL', KEYS[1], all[i])
    elseif kind == 'calls' then calls = calls + tonumber(all[i + 1])
    else failed = failed + tonumber(all[i + 1]) end
  end
end
if calls >= tonumber(ARGV[4]) and failed >= tonumber(ARGV[5]) * calls then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'state', 'open', 'since', now)
  redis.call('EXPIRE', KEYS[1], 86400)
  return {'closed', 'open'}
end
return {'closed', 'closed'}
"""


# KEYS: the breaker's hash. A probe that told nothing is granted anew.
_RELEASE = """
if redis.call('HGET', KEYS[1], 'state') == 'half_open' and tonumber(redis.call('HGET', KEYS[1], 'granted')) > 0 then
  redis.call('HINCRBY', KEYS[1], 'granted', -1)
end
"""


@contextmanager
def guarded(channel: str, usual_s: float | None = None, *, refusal_opens: bool = True) -> Iterator[None]:
    """Make a call through the breaker of a channel. Raises ResumeError(breaker_open) without making it.

    What the block raises counts as bad where it speaks of the channel (passing faults, refused credentials). Where it speaks
    of the file, or is a bug, it says nothing and does not count: a probe is given back. A refusal forces the channel open
    for a while, unless `refusal_opens` is off: more calls would be refused as well. `usual_s` is what a call usually takes.
    """
    if not admits(channel):
        raise ResumeError("breaker_open", channel=channel)
    started = time.monotonic()
    bad: bool | None = None
    try:
        yield
        bad = False
    except ResumeError as error:
        bad = True if error.entry.failure_class in OURS else None
        if refusal_opens and error.entry.failure_class is FailureClass.PERMISSION:
            _force_open(channel, error.code)
        raise
    finally:
        slow = usual_s is not None and time.monotonic() - started > usual_s * LIMITS.slow_factor
        if bad is None:
            _give_back(channel)
        else:
            record(channel, bad=bad or slow)


def _force_open(channel: str, code: str) -> None:
    """Make no more calls until operators have mended it, or for the time being. What they have set themselves stands."""
    if switches.position(channel) is switches.Position.AUTO:
        until = timezone.now() + dt.timedelta(seconds=LIMITS.refused_s)
        turn(channel, switches.Position.FORCED_OPEN, why=code, until=until)


def turn(
    name: str, position: switches.Position, *, why: str, until: dt.datetime | None = None, user_id: int | None = None
) -> None:
    """Set a switch (`ingest.switches`). Where that flips a channel's breaker, the flip goes on record like any other."""
    switches.forget()
    before = _standing(name)
    switches.turn(name, position, why=why, until=until, user_id=user_id)
    _flipped(name, before, _standing(name))


def end_expired() -> int:
    """Take away the switches whose time is over, their flips on record; how many. They have had no effect since."""
    ended = 0
    for row in Switch.objects.filter(until__lte=timezone.now()):
        if not Switch.objects.filter(pk=row.pk, until__lte=timezone.now()).delete()[0]:
            continue  # somebody has just set it anew
        switches.forget()
        log.warning("switch_expired", switch=row.name, position=row.position)
        if row.name in _channels():
            forced = BreakerState.CLOSED if row.position == Switch.Position.CLOSED else BreakerState.OPEN
            _flipped(row.name, forced, _standing(row.name))
        ended += 1
    return ended


def _channels() -> set[str]:
    """The names of switches that make calls, and so have a breaker."""
    return {name for name in switches.names() if switches.Position.FORCED_OPEN in switches.positions_of(name)}


def _standing(name: str) -> BreakerState:
    """How a breaker stands for whoever calls: what has none, or cannot be asked, lets calls through."""
    return (state(name) if name in _channels() else None) or BreakerState.CLOSED


def _flipped(channel: str, before: str, after: str) -> None:
    if before != after:
        log.warning("breaker_flipped", channel=channel, origin=str(before), to=str(after))
        BreakerFlip.objects.create(channel=channel, from_state=before, to_state=after)


def admits(channel: str) -> bool:
    """Whether a call may be made now. In the half-open state each yes is one of the few probes."""
    match switches.position(channel):
        case switches.Position.OFF | switches.Position.FORCED_OPEN:
            return False
        case switches.Position.FORCED_CLOSED:
            return True
    try:
        granted, _ = _acquire()(keys=[_key(channel)], args=[LIMITS.rest_s, LIMITS.probe_window_s, LIMITS.probes])
    except redis.RedisError as exc:
        log.warning("breaker_blind", channel=channel, error=type(exc).__name__)
        return True
    return bool(granted)


def _give_back(channel: str) -> None:
    """Let another call be the probe that this one was, where it was one."""
    if switches.position(channel) is switches.Position.AUTO:
        try:
            _release()(keys=[_key(channel)])
        except redis.RedisError as exc:
            log.warning("breaker_blind", channel=channel, error=type(exc).__name__)


def record(channel: str, *, bad: bool) -> None:
    """Count a call that was made; flips are logged and kept on record."""
    if switches.position(channel) is not switches.Position.AUTO:
        return
    arguments = (
        int(bad),
        LIMITS.window_s,
        _BUCKET_S,
        LIMITS.min_calls,
        LIMITS.bad_share,
        LIMITS.rest_s,
        LIMITS.probes,
        LIMITS.steps,
    )
    try:
        before, after = (value.decode() for value in _record()(keys=[_key(channel)], args=list(arguments)))
    except redis.RedisError as exc:
        log.warning("breaker_blind", channel=channel, error=type(exc).__name__)
        return
    _flipped(channel, before, after)


def state(channel: str) -> BreakerState | None:
    """Where the breaker stands, what operators force included; None where Redis does not answer."""
    match switches.position(channel):
        case switches.Position.OFF | switches.Position.FORCED_OPEN:
            return BreakerState.OPEN
        case switches.Position.FORCED_CLOSED:
            return BreakerState.CLOSED
    try:
        found = _client().hget(_key(channel), "state")
    except redis.RedisError:
        return None
    return BreakerState(found.decode()) if isinstance(found, bytes) else BreakerState.CLOSED


def _key(channel: str) -> str:
    return f"{settings.REDIS_PREFIX}breaker:{channel}"


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1.0, socket_connect_timeout=1.0)


@cache
def _acquire() -> redis.commands.core.Script:
    return _client().register_script(_ACQUIRE)


@cache
def _record() -> redis.commands.core.Script:
    return _client().register_script(_RECORD)


@cache
def _release() -> redis.commands.core.Script:
    return _client().register_script(_RELEASE)
