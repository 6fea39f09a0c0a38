"""What is paid for is gone on with: one order, one session, one charge."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from overpaint.session.orders import Order, Orders, SessionOptions

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
OPTIONS = SessionOptions(ttl_seconds=600)


class Shelf:
    def __init__(self) -> None:
        self.now = NOON
        self.orders = Orders(lambda: self.now)

    def pass_s(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def order(name: str, server: str = "", options: SessionOptions = OPTIONS) -> Order:
    return Order(server, options, "ink", True, name)


def test_an_order_is_taken_once_and_the_one_that_lasts_longest_first() -> None:
    shelf = Shelf()
    shelf.orders.keep(order("short"), NOON + timedelta(seconds=100))
    shelf.orders.keep(order("long"), NOON + timedelta(seconds=500))
    assert shelf.orders.take("", OPTIONS) == order("long")
    assert shelf.orders.has("", OPTIONS)
    assert shelf.orders.take("", OPTIONS) == order("short")
    assert not shelf.orders.has("", OPTIONS) and shelf.orders.take("", OPTIONS) is None


def test_an_order_whose_answer_was_lost_is_asked_for_again() -> None:
    shelf = Shelf()
    shelf.orders.keep(order("unanswered"))
    shelf.pass_s(500)
    assert shelf.orders.take("", OPTIONS) == order("unanswered")


def test_what_is_over_or_for_something_else_is_not_taken() -> None:
    shelf = Shelf()
    shelf.orders.keep(order("ours", server="https://api.example.org"), NOON + timedelta(seconds=600))
    assert shelf.orders.take("", OPTIONS) is None, "another service"
    assert shelf.orders.take("https://api.example.org", SessionOptions(ttl_seconds=60)) is None
    shelf.pass_s(585)
    assert shelf.orders.take("https://api.example.org", OPTIONS) is None, "it would be renewed at once"
