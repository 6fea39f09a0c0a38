"""Leases end with their holders, and the core with the last of them."""

from __future__ import annotations

import json
import threading

from overpaint.core.leases import Grant, Leases
from overpaint.processes.channel import connect
from overpaint.wire.credits import BOOKS_CHANGED

GRANT = Grant(url="http://127.0.0.1:1", key="ovp_live_secret")


def test_idle_comes_after_the_last_lease_and_not_before() -> None:
    idle = threading.Event()
    leases = Leases(GRANT, 0.3, 30, idle.set, lambda: None)
    one, two = (connect(leases.address, leases.secret) for _ in range(2))
    assert json.loads(one.receive(5) or b"") == {"url": "http://127.0.0.1:1", "key": "ovp_live_secret"}
    one.close()
    assert not idle.wait(0.5)
    two.close()
    assert idle.wait(5)
    leases.close()


def test_a_new_lease_in_time_keeps_the_core() -> None:
    idle = threading.Event()
    leases = Leases(GRANT, 1.5, 30, idle.set, lambda: None)
    connect(leases.address, leases.secret).close()
    kept = connect(leases.address, leases.secret)
    assert kept.receive(5)
    assert not idle.wait(1.8)
    kept.close()
    leases.close()


def test_idle_comes_when_nobody_ever_came() -> None:
    idle = threading.Event()
    leases = Leases(GRANT, 30, 0.1, idle.set, lambda: None)
    assert idle.wait(5)
    leases.close()


def test_a_core_of_serve_never_ends_by_its_leases() -> None:
    idle = threading.Event()
    leases = Leases(GRANT, None, 0.0, idle.set, lambda: None)
    connect(leases.address, leases.secret).close()
    assert not idle.wait(0.3)
    leases.close()


def test_a_closed_one_calls_nobody() -> None:
    idle = threading.Event()
    leases = Leases(GRANT, 0.1, 0.2, idle.set, lambda: None)
    held = connect(leases.address, leases.secret)
    assert held.receive(5)
    leases.close()
    assert not idle.wait(0.5)
    held.close()


def test_every_holder_is_told_that_the_books_changed_whoever_changed_them() -> None:
    leases = Leases(GRANT, None, 0.0, lambda: None, lambda: None)
    one, two = (connect(leases.address, leases.secret) for _ in range(2))
    assert one.receive(5) and two.receive(5)
    leases.books_changed()
    assert one.receive(5) == two.receive(5) == BOOKS_CHANGED
    two.send(BOOKS_CHANGED)  # as the command line, which changed them beside the core
    assert one.receive(5) == BOOKS_CHANGED
    assert one.receive(0.2) is None, "once for each change"
    for held in (one, two):
        held.close()
    leases.close()
    assert not [each for each in threading.enumerate() if each.name == "lease-news" and each.join(5)]


def test_a_holder_that_does_not_read_holds_up_nobody() -> None:
    leases = Leases(GRANT, None, 0.0, lambda: None, lambda: None)
    deaf, other = (connect(leases.address, leases.secret) for _ in range(2))
    assert other.receive(5)
    for _ in range(5_000):
        leases.books_changed()
    assert other.receive(5) == BOOKS_CHANGED
    deaf.close()
    other.close()
    leases.close()


def test_the_key_is_in_no_repr() -> None:
    assert "secret" not in repr(GRANT)
