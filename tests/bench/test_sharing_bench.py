"""Four 720p sessions on one core at once: does each get its share, and how long does each wait? Prints only.

The core is a process of its own with the real engine; the four callers are plain clients in this one.
"""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.control_client import JOIN, open_socket, order
from helpers.numbered_pictures import stamped
from helpers.served import served
from overpaint.media.frames import FrameKind, RawFrame, now_ns
from overpaint.media.links import FrameLink, LinkRequest
from overpaint.media.links.shared_memory import SharedMemoryLink

WIDTH, HEIGHT, FPS = 1280, 720, 30
SECONDS, WARM_UP_S = float(os.environ.get("OVERPAINT_SECONDS", "10")), 4.0
MIXES = {
    "one alone": ("watercolour",),
    "four alike": ("watercolour",) * 4,
    "four light": ("black and white",) * 4,
    "one heavy, three light": ("van gogh", *("black and white",) * 3),
}


@dataclass(slots=True)
class Share:
    """What one session got.

    Attributes:
        fps: Frames a second.
        p50_ms: Delay of the median frame, there and back.
        p95_ms: The same of the slowest twentieth.
        longest_ms: Longest time without a frame.
    """

    fps: float
    p50_ms: float
    p95_ms: float
    longest_ms: float


def take(link: FrameLink, since: float, until: float) -> list[tuple[float, float]]:
    """(arrival, delay in ms) of what comes back in that time."""
    came = []
    while (now := time.monotonic()) < until:
        frame = link.received.take(until - now)
        if frame is not None and time.monotonic() >= since:
            came.append((time.monotonic(), (now_ns() - frame.captured_ns) / 1e6))
    return came


async def publish(link: FrameLink, pictures: list[NDArray[np.uint8]], until: float) -> None:
    began, number = time.monotonic(), 0
    while time.monotonic() < until:
        link.send(RawFrame(pictures[number % len(pictures)], number, now_ns()))
        number += 1
        await asyncio.sleep(max(0.0, began + number / FPS - time.monotonic()))


async def session(
    url: str, key: str, look: str, pictures: list[NDArray[np.uint8]], ready: asyncio.Barrier
) -> Share:
    bought = await asyncio.to_thread(order, url, key, prompt=look)
    async with open_socket(bought["websocket_url"]) as socket:
        info = await socket.ask("rtc_room_info", **JOIN)
        link = SharedMemoryLink(
            LinkRequest(
                info["rtc_url"], info["token"], info["room_name"], WIDTH, HEIGHT, FPS, FrameKind.STYLED
            )
        )
        await link.open(print)
        try:
            await ready.wait()
            since = time.monotonic() + WARM_UP_S
            until = since + SECONDS
            _, came = await asyncio.gather(
                publish(link, pictures, until), asyncio.to_thread(take, link, since, until)
            )
        finally:
            await link.close()
    delays = np.array([delay for _, delay in came])
    arrivals = np.diff([since, *(at for at, _ in came), until])
    return Share(
        len(came) / SECONDS,
        float(np.percentile(delays, 50)) if came else float("nan"),
        float(np.percentile(delays, 95)) if came else float("nan"),
        float(arrivals.max() * 1e3),
    )


@pytest.mark.timeout(600)
def test_four_sessions_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = [stamped(number, WIDTH, HEIGHT) for number in range(30)]
    with capsys.disabled():
        print("\n| sessions | look | frames/s | p50 ms | p95 ms | longest without one, ms | fairness |")
        print("| --- " * 7 + "|")
    with served(tmp_path / "data") as service:
        key = service.key("four", 1000)

        async def all_of(looks: tuple[str, ...]) -> list[Share]:
            ready = asyncio.Barrier(len(looks))
            return await asyncio.gather(*(session(service.url, key, look, pictures, ready) for look in looks))

        for name, looks in MIXES.items():
            shares = asyncio.run(all_of(looks))
            rates = np.array([share.fps for share in shares])
            jain = rates.sum() ** 2 / (len(rates) * (rates**2).sum()) if rates.any() else 0.0
            with capsys.disabled():
                for look, share in zip(looks, shares, strict=True):
                    print(
                        f"| {name} | {look} | {share.fps:.1f} | {share.p50_ms:.0f} | {share.p95_ms:.0f} |"
                        f" {share.longest_ms:.0f} | {jain:.2f} |",
                        flush=True,
                    )
