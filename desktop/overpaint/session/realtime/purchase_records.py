"""Records of session orders, kept so that paid sessions are resumed, not bought again.

A request with the same ``Idempotency-Key`` gives the same session free of charge (protocol decisions,
"retries"): so an order is kept from the moment it is sent, with or without an answer. Must not know how
sessions are joined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from overpaint.session.realtime import state as machine
from overpaint.wire.control import Transport
from overpaint.wire.service import OUTPUT_SIZES, RealtimeModel


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Options of sessions.

    Attributes:
        model: Realtime model.
        transports: Offered links, preferred first.
        ttl_seconds: Requested lifetime.
        fps: Frames a second to be sent.
    """

    model: RealtimeModel = "service-realtime-1080p"
    transports: tuple[Transport, ...] = ("shared_memory", "webrtc")
    ttl_seconds: int = 1800
    fps: float = 30.0

    @property
    def size(self) -> tuple[int, int]:
        """Output (width, height)."""
        return OUTPUT_SIZES[self.model]


@dataclass(frozen=True, slots=True)
class Order:
    """An order of a session.

    Attributes:
        server: Address of the service; empty for the local core.
        options: Options of the session.
        prompt: Prompt of the purchase; later ones are sent to the session.
        enhance_prompt: Sent with the purchase.
        idempotency_key: Sent with the purchase.
    """

    server: str
    options: SessionOptions
    prompt: str
    enhance_prompt: bool
    idempotency_key: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The record of an order whose session may still exist.

    Attributes:
        order: The order, sent and not refused.
        until: End of its session by this computer's clock, which may differ from the service's.
        answered: Whether the service has ever confirmed it.
    """

    order: Order
    until: datetime
    answered: bool


class Orders:
    """The records of orders whose sessions may still exist, in use or put by for later.

    Args:
        now: Returns the time, UTC.
    """

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._kept: list[Kept] = []
        self._used: dict[Order, Kept] = {}

    def use(self, used: Kept) -> None:
        """Records an order that is sent now, or was answered."""
        self._used[used.order] = used

    def keep(self, kept: Kept) -> None:
        """Puts an order by that is not in use now."""
        self._used.pop(kept.order, None)
        self._kept.append(kept)

    def drop(self, order: Order) -> None:
        """Deletes an order whose session is over, or never existed."""
        self._used.pop(order, None)

    def take(self, server: str, options: SessionOptions) -> Kept | None:
        """Returns the order whose session lasts longest, if long enough, and marks it as used; else None."""
        kept = self._best(server, options)
        if kept is not None:
            self._kept.remove(kept)
            self.use(kept)
        return kept

    def has(self, server: str, options: SessionOptions) -> bool:
        """Returns whether there is one to ``take``."""
        return self._best(server, options) is not None

    @property
    def all(self) -> tuple[Kept, ...]:
        """Returns all that are not over, those in use first."""
        now = self._now()
        return tuple(kept for kept in (*self._used.values(), *self._kept) if kept.until > now)

    def _best(self, server: str, options: SessionOptions) -> Kept | None:
        soon = self._now() + timedelta(seconds=machine.RENEW_BEFORE_S)
        self._kept = [kept for kept in self._kept if kept.until > soon]
        fitting = [
            kept for kept in self._kept if (kept.order.server, kept.order.options) == (server, options)
        ]
        return max(fitting, key=lambda kept: kept.until, default=None)
