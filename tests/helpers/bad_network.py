"""What a bad network does to packets: loses, delays and jumbles them, and holds them in a queue.

``Way`` decides for one direction and is told the time, so that it serves simulations, sockets of this
process (``on_sockets``) and packets between two network namespaces (``namespaces``) alike.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from overpaint.media.webrtc.ice_sockets import RoomyStunProtocol

OVERHEAD_BYTES = 28
"""IPv4 and UDP headers."""


@dataclass(frozen=True, slots=True)
class Impairment:
    """What happens to packets in each direction.

    Attributes:
        loss: Share of packets that vanish, by chance.
        delay_s: Of every packet.
        jitter_s: Standard deviation of the delay; packets overtake each other, as with netem.
        bits_per_s: Of the bottleneck; 0: none.
        queue_s: What its queue holds; the rest is dropped.
    """

    loss: float = 0.0
    delay_s: float = 0.0
    jitter_s: float = 0.0
    bits_per_s: float = 0.0
    queue_s: float = 0.2


class Way:
    """One direction of a bad network.

    Args:
        impairment: What it does.
        seed: Of its chance.
    """

    def __init__(self, impairment: Impairment, seed: int = 1) -> None:
        self.impairment = impairment
        self._chance = random.Random(seed)
        self._free_s = 0.0

    def arrival(self, now_s: float, size: int) -> float | None:
        """When a packet of so many bytes that is sent now arrives; None: never."""
        way = self.impairment
        if self._chance.random() < way.loss:
            return None
        leaves = now_s
        if way.bits_per_s:
            begins = max(now_s, self._free_s)
            if begins - now_s > way.queue_s:
                return None
            leaves = self._free_s = begins + size * 8 / way.bits_per_s
        jitter = self._chance.gauss(0, way.jitter_s) if way.jitter_s else 0.0
        return leaves + max(0.0, way.delay_s + jitter)


@contextmanager
def on_sockets(monkeypatch: pytest.MonkeyPatch, impairment: Impairment) -> Iterator[None]:
    """Brings what the WebRTC sockets of this process receive through a bad network, each for itself."""
    arrive = RoomyStunProtocol.datagram_received
    ways: dict[object, Way] = {}

    def received(protocol: RoomyStunProtocol, data: bytes, address: tuple[str, int]) -> None:
        loop = asyncio.get_running_loop()
        way = ways.setdefault(protocol, Way(impairment, seed=len(ways)))
        at = way.arrival(loop.time(), len(data) + OVERHEAD_BYTES)
        if at is not None:
            loop.call_at(at, arrive, protocol, data, address)

    with monkeypatch.context() as patch:
        patch.setattr(RoomyStunProtocol, "datagram_received", received)
        yield
