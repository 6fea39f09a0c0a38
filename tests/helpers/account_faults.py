"""Sessions end, keys are revoked, credits run out: what it costs, and what the user has to do."""

from __future__ import annotations

from websockets.sync.client import connect

from helpers.faults import ELSEWHERE, HERE, HERE_RTC, Fault
from helpers.network_faults import PARTS
from helpers.on_air import OnAir
from helpers.processes import until
from helpers.served import say
from overpaint.wire.live import SetStyle, StartSession
from overpaint.wire.servers import UseServer

SHORT_S = 60
"""The least lifetime there is; the next session is bought in good time before its end."""


def top_up(call: OnAir) -> None:
    assert call.server is not None
    say("credits", "add", "100", "--key-name", "caller", *call.server.place)


def failed(call: OnAir, kind: str) -> None:
    call.wait(lambda now: now.state == "failed" and now.trouble is not None and now.trouble.kind == kind, 90)


def next_session(call: OnAir, seconds: float = 75) -> None:
    """Waits until another session is the present one."""
    first = call.seen.snapshots[-1].session
    assert first is not None
    call.wait(lambda now: now.session is not None and now.session.id != first.id, seconds)


def renewed(call: OnAir) -> None:
    with call.fault():
        next_session(call)


def core_killed_in_renewal(call: OnAir) -> None:
    call.wait(lambda now: now.state == "renewing", 60)
    core = call.core
    call.kill(core)
    call.new_core(core)


def no_service_at_renewal(call: OnAir) -> None:
    """From before the renewal until after the end of the session nobody answers HTTP."""
    session = call.seen.snapshots[-1].session
    assert session is not None
    with call.fault(), call.net.trouble("http", silent=True):
        call.wait(lambda now: now.state in ("connecting", "reconnecting"), 75)


def look_in_renewal(call: OnAir) -> None:
    call.wait(lambda now: now.state == "renewing", 60)
    with call.fault():
        call.seen.intend(SetStyle(prompt="black and white, brighter"))
        next_session(call)


def all_silent_in_renewal(call: OnAir) -> None:
    call.wait(lambda now: now.state == "renewing", 60)
    with call.fault(), call.net.trouble(*PARTS, silent=True):
        call.pause(4)


def no_credits_in_time(call: OnAir) -> None:
    """The renewal is refused; the user tops up before the session ends."""
    with call.fault():
        call.wait(lambda now: now.trouble is not None and now.trouble.kind == "insufficient_credits", 60)
        top_up(call)
        next_session(call)


def no_credits_at_all(call: OnAir) -> None:
    """The session ends unpaid; the user tops up and starts again."""
    with call.fault():
        failed(call, "insufficient_credits")
        top_up(call)
    call.seen.intend(StartSession())


def another_key(call: OnAir) -> None:
    assert call.server is not None
    failed(call, "authentication_error")
    key = call.server.key("another", 0, account="caller")
    call.seen.intend(UseServer(address=call.net.url, key=key))
    call.wait(lambda now: now.balance is not None and now.balance.key_name == "another")


def revoke(call: OnAir) -> None:
    assert call.server is not None
    say("keys", "revoke", "--name", "caller", *call.server.place)


def revoked(call: OnAir) -> None:
    """The key is revoked; the user enters another one and starts again."""
    with call.fault():
        revoke(call)
        another_key(call)
    call.seen.intend(StartSession())


def revoked_and_cut(call: OnAir) -> None:
    """The same while nothing can be reached."""
    with call.fault():
        with call.net.trouble(*PARTS, cut=True):
            revoke(call)
            call.pause(2)
        another_key(call)
    call.seen.intend(StartSession())


def taken_over(call: OnAir) -> None:
    """Somebody else opens the session's socket: the service closes ours (4003)."""
    assert call.server is not None
    url = f"{call.server.url.replace('http', 'ws', 1)}/v1/realtime/stream?token={call.net.tokens[-1]}"
    with call.fault(), connect(url, proxy=None, compression=None):
        first = len(call.net.tokens)
        until(lambda: len(call.net.tokens) > first, 20, "another socket of the desktop")


FAULTS = [
    Fault("session renewed", HERE, renewed, sessions=2, ttl_seconds=SHORT_S),
    Fault("session renewed", HERE_RTC, renewed, sessions=2, ttl_seconds=SHORT_S),
    Fault("session renewed", ELSEWHERE, renewed, sessions=2, ttl_seconds=SHORT_S),
    Fault("renewal: core killed", HERE, core_killed_in_renewal, sessions=2, ttl_seconds=SHORT_S),
    Fault(
        "renewal: another look meanwhile",
        HERE,
        look_in_renewal,
        sessions=2,
        ttl_seconds=SHORT_S,
        understood="Black and white, bright",
    ),
    Fault("renewal: all silent 4 s", ELSEWHERE, all_silent_in_renewal, sessions=2, ttl_seconds=SHORT_S),
    Fault(
        "session expired, HTTP silent till then",
        ELSEWHERE,
        no_service_at_renewal,
        sessions=2,
        ttl_seconds=SHORT_S,
    ),
    Fault(
        "no credits, added in time",
        ELSEWHERE,
        no_credits_in_time,
        sessions=2,
        ttl_seconds=SHORT_S,
        credits=25,
    ),
    Fault(
        "no credits, added after the end",
        ELSEWHERE,
        no_credits_at_all,
        sessions=2,
        ttl_seconds=SHORT_S,
        credits=25,
    ),
    Fault("key revoked, another one entered", ELSEWHERE, revoked, sessions=2),
    Fault("key revoked while all is cut, another one entered", ELSEWHERE, revoked_and_cut, sessions=2),
    Fault("session taken over by another client", ELSEWHERE, taken_over),
]
