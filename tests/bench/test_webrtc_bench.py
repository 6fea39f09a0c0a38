"""The WebRTC link, 1080p30 there and back between two processes: rate, delay, CPU. Prints only."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
import time

import av
import numpy as np
from numpy.typing import NDArray

from helpers.clips import person_clip
from helpers.media_rooms import HttpSignalling, serve_echo
from overpaint.media.frames import FrameKind, RawFrame, now_ns
from overpaint.media.links import LinkRequest
from overpaint.media.webrtc.desktop_link import WebRtcLink

WIDTH, HEIGHT, FPS, SECONDS, WARM_UP = 1920, 1080, 30, 8.0, 2.0


def pictures(count: int) -> list[NDArray[np.uint8]]:
    """I420 pictures of a moving person, to and fro, with the noise of a webcam."""
    noise = np.random.default_rng(1)
    frames = []
    with av.open(str(person_clip())) as clip:
        for frame in clip.decode(video=0):
            image = frame.reformat(WIDTH, HEIGHT, "yuv420p").to_ndarray()
            grain = noise.normal(0, 3, (HEIGHT, WIDTH)).astype(np.int16)
            image[:HEIGHT] = np.clip(image[:HEIGHT] + grain, 16, 235)
            frames.append(image)
            if len(frames) == count:
                break
    return frames + frames[-2:0:-1]


async def drive(link: WebRtcLink, pipe: object, images: list[NDArray[np.uint8]]) -> dict[str, float]:
    delays: list[tuple[int, float]] = []

    def read() -> None:
        while (frame := link.received.take(5)) is not None:
            delays.append((frame.number, (now_ns() - frame.captured_ns) / 1e6))

    await link.open(print)
    reader = threading.Thread(target=read)
    reader.start()
    loop = asyncio.get_running_loop()
    started = loop.time()
    total = round((SECONDS + WARM_UP) * FPS)
    first = round(WARM_UP * FPS)
    for number in range(total):
        await asyncio.sleep(max(0.0, started + number / FPS - loop.time()))
        if number == first:
            pipe.send(1)  # type: ignore[attr-defined]
            core_before, mine_before, since = pipe.recv(), time.process_time(), loop.time()  # type: ignore[attr-defined]
        link.send(RawFrame(images[number % len(images)], number, now_ns()))
    await asyncio.sleep(0.2)
    pipe.send(1)  # type: ignore[attr-defined]
    core, mine, seconds = pipe.recv() - core_before, time.process_time() - mine_before, loop.time() - since  # type: ignore[attr-defined]
    await link.close()
    reader.join()
    counted = sorted(delay for number, delay in delays if number >= first)
    frames = total - first
    return {
        "fps": len(counted) / frames * FPS,
        "p50": counted[len(counted) // 2],
        "p95": counted[int(len(counted) * 0.95)],
        "desktop": mine * 1000 / frames,
        "core": core * 1000 / frames,
        "cores": (mine + core) / seconds,
    }


def test_1080p30_there_and_back() -> None:
    images = pictures(24)
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    core = context.Process(target=serve_echo, args=(theirs, WIDTH, HEIGHT, FPS))
    core.start()
    base_url, token = pipe.recv()
    request = LinkRequest(f"{base_url}/v1/rtc/echo", token, "echo", WIDTH, HEIGHT, FPS, FrameKind.STYLED)
    result = asyncio.run(drive(WebRtcLink(request, HttpSignalling()), pipe, images))
    pipe.send(None)
    core.join(20)
    print(
        f"\nwebrtc 1080p30 there and back: {result['fps']:.1f} fps, delay {result['p50']:.0f} ms median,"
        f" {result['p95']:.0f} ms p95; CPU ms a frame: desktop {result['desktop']:.1f},"
        f" core {result['core']:.1f} ({result['cores']:.2f} cores; load {os.getloadavg()[0]:.1f})"
    )
    assert core.exitcode == 0
