"""What is paid for is gone on with: one order, one session, one charge."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from overpaint.session.realtime.purchase_records import Kept, Order, Orders, SessionOptions

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
OPTIONS = SessionOptions(ttl_seconds=600)


class Shelf:
    def __init__(self) -> None:
        self.now = NOON
        self.orders = Orders(lambda: self.now)

    def pass_s(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def keep(self, kept: str, seconds: float, server: str = "") -> Kept:
        order = Order(server, OPTIONS, "ink", True, kept)
        self.orders.keep(one := Kept(order, self.now + timedelta(seconds=seconds), True))
        return one


def test_an_order_is_taken_once_and_the_one_that_lasts_longest_first() -> None:
    shelf = Shelf()
    short, long = shelf.keep("short", 100), shelf.keep("long", 500)
    assert shelf.orders.take("", OPTIONS) == long
    assert shelf.orders.has("", OPTIONS)
    assert shelf.orders.take("", OPTIONS) == short
    assert not shelf.orders.has("", OPTIONS) and shelf.orders.take("", OPTIONS) is None


def test_what_is_over_or_for_something_else_is_not_taken() -> None:
    shelf = Shelf()
    shelf.keep("ours", 600, "https://api.example.org")
    assert shelf.orders.take("", OPTIONS) is None, "another service"
    assert shelf.orders.take("https://api.example.org", SessionOptions(ttl_seconds=60)) is None
    shelf.pass_s(585)
    assert shelf.orders.take("https://api.example.org", OPTIONS) is None, "it would be renewed at once"


def test_what_is_in_use_is_told_too_and_what_was_refused_or_is_over_is_not() -> None:
    shelf = Shelf()
    sent, refused = (
        Kept(Order("", OPTIONS, "ink", True, name), NOON + timedelta(seconds=600), False)
        for name in ("sent", "refused")
    )
    shelf.orders.use(sent)
    shelf.orders.use(refused)
    answered = Kept(sent.order, NOON + timedelta(seconds=300), True)
    shelf.orders.use(answered)
    shelf.orders.drop(refused.order)
    put_by = shelf.keep("put by", 200)
    assert shelf.orders.all == (answered, put_by)
    assert shelf.orders.take("", OPTIONS) == put_by, "what is in use is nobody else's"
    assert shelf.orders.take("", OPTIONS) is None and len(shelf.orders.all) == 2
    shelf.pass_s(250)
    assert shelf.orders.all == (answered,)
    shelf.orders.keep(answered)
    assert shelf.orders.all == (answered,), "put by, and no longer in use"
