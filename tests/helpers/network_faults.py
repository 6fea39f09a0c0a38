"""Faults of the network to a service elsewhere: every part cut and silenced, alone and together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from helpers.faults import BY_ADDRESS, ELSEWHERE, UNREAD, Fault
from helpers.on_air import OnAir
from helpers.relay import PARTS, Part


def trouble(*parts: Part, seconds: float, **how: Any) -> Callable[[OnAir], None]:
    """Some parts of the network are so for so long."""

    def act(call: OnAir) -> None:
        with call.fault(seconds), call.net.trouble(*parts, **how):
            call.pause(seconds)

    return act


FAULTS = [
    Fault("socket cut 1 s", ELSEWHERE, trouble("socket", seconds=1, cut=True)),
    Fault("socket cut 6 s", ELSEWHERE, trouble("socket", seconds=6, cut=True)),
    Fault("socket silent 1 s", ELSEWHERE, trouble("socket", seconds=1, silent=True)),
    Fault("socket silent 6 s", ELSEWHERE, trouble("socket", seconds=6, silent=True)),
    Fault("socket cut 1 s", BY_ADDRESS, trouble("socket", seconds=1, cut=True)),
    Fault("socket silent 6 s", BY_ADDRESS, trouble("socket", seconds=6, silent=True)),
    Fault("HTTP cut 6 s", ELSEWHERE, trouble("http", seconds=6, cut=True)),
    Fault("HTTP silent 6 s", ELSEWHERE, trouble("http", seconds=6, silent=True)),
    Fault("media silent 1 s", ELSEWHERE, trouble("media", seconds=1, silent=True)),
    Fault("media silent 6 s", ELSEWHERE, trouble("media", seconds=6, silent=True)),
    Fault("media: a tenth lost, 5 s", ELSEWHERE, trouble("media", seconds=5, loss=0.1)),
    Fault(
        "media 300 ms late each way, 5 s", ELSEWHERE, trouble("media", seconds=5, delay_s=0.3), unread=UNREAD
    ),
    Fault("socket and HTTP 1 s late, 5 s", ELSEWHERE, trouble("http", "socket", seconds=5, delay_s=1.0)),
    Fault("media and HTTP cut 6 s", ELSEWHERE, trouble("media", "http", seconds=6, cut=True)),
    Fault("socket and HTTP cut 6 s", ELSEWHERE, trouble("socket", "http", seconds=6, cut=True)),
    Fault("everything cut 1 s", ELSEWHERE, trouble(*PARTS, seconds=1, cut=True)),
    Fault("everything cut 6 s", ELSEWHERE, trouble(*PARTS, seconds=6, cut=True)),
    Fault("everything silent 1 s", ELSEWHERE, trouble(*PARTS, seconds=1, silent=True)),
    Fault("everything silent 6 s", ELSEWHERE, trouble(*PARTS, seconds=6, silent=True)),
    Fault("everything silent 20 s", ELSEWHERE, trouble(*PARTS, seconds=20, silent=True)),
]
