"""Orders of sessions, kept so that what is paid for is gone on with and never bought again.

The same ``Idempotency-Key`` gives the same session and charges nothing (protocol decisions, "retries"):
so an order is kept from the moment it is sent, whether or not its answer came. Must not know how
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
    """How sessions are opened.

    Attributes:
        model: Realtime model.
        transports: Offered links, preferred first.
        ttl_seconds: Lifetime asked for.
        fps: Frames a second that will be sent.
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
    """What a session is bought with.

    Attributes:
        server: At which service; empty for this computer's own.
        options: How it is opened.
        prompt: Of the purchase; later ones are sent to the session.
        enhance_prompt: Of the purchase.
        idempotency_key: Of the purchase.
    """

    server: str
    options: SessionOptions
    prompt: str
    enhance_prompt: bool
    idempotency_key: str


@dataclass(frozen=True, slots=True)
class Kept:
    """An order whose session may still be there.

    Attributes:
        order: Sent, and not refused for good.
        until: When its session is over, by this computer's own clock: the service's may be another.
        answered: Whether the service has ever confirmed it.
    """

    order: Order
    until: datetime
    answered: bool


class Orders:
    """Orders whose session may still be there: those that are used now, and those that were put by.

    Args:
        now: The time, UTC.
    """

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._kept: list[Kept] = []
        self._used: dict[Order, Kept] = {}

    def use(self, used: Kept) -> None:
        """Notes an order that is sent now, or was answered."""
        self._used[used.order] = used

    def keep(self, kept: Kept) -> None:
        """Puts an order by: nobody uses it now."""
        self._used.pop(kept.order, None)
        self._kept.append(kept)

    def drop(self, order: Order) -> None:
        """Its session is over, or never was."""
        self._used.pop(order, None)

    def take(self, server: str, options: SessionOptions) -> Kept | None:
        """The order whose session lasts longest, if it lasts long enough to be worth it; it is used then."""
        kept = self._best(server, options)
        if kept is not None:
            self._kept.remove(kept)
            self.use(kept)
        return kept

    def has(self, server: str, options: SessionOptions) -> bool:
        """Whether there is one to ``take``."""
        return self._best(server, options) is not None

    @property
    def all(self) -> tuple[Kept, ...]:
        """Every one that is not over, those in use first."""
        now = self._now()
        return tuple(kept for kept in (*self._used.values(), *self._kept) if kept.until > now)

    def _best(self, server: str, options: SessionOptions) -> Kept | None:
        soon = self._now() + timedelta(seconds=machine.RENEW_BEFORE_S)
        self._kept = [kept for kept in self._kept if kept.until > soon]
        fitting = [
            kept for kept in self._kept if (kept.order.server, kept.order.options) == (server, options)
        ]
        return max(fitting, key=lambda kept: kept.until, default=None)
