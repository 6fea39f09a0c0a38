"""Pictures of 64 megapixels and clips of 720p through the workers: time, processor time and memory.

Measures and prints; asserts nothing about speed. The workers are those of the service, watched from outside.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import av
import cv2
import psutil
import pytest

from helpers.clips import person_clip, portrait
from helpers.small_media import clip
from overpaint.transforms.pool import WorkerPool
from overpaint.wire.media_limits import Kind

PICTURE = (9248, 6936)
LOOKS = ("ink comic", "oil painting", "pencil sketch", "watercolour", "halftone print", "mosaic")


class Watch:
    """Asks again and again what the worker takes, until it is told to stop."""

    def __init__(self) -> None:
        self.most_mb = self.cpu_s = 0.0

    async def run(self) -> None:
        while True:
            for child in psutil.Process().children():
                try:
                    if "work" in child.cmdline():
                        times = child.cpu_times()
                        self.cpu_s = times.user + times.system
                        self.most_mb = max(self.most_mb, child.memory_info().rss / 1e6)
                except psutil.NoSuchProcess:
                    continue
            await asyncio.sleep(0.05)


async def spent(source: Path, kind: Kind, look: str, target: Path) -> tuple[float, float, float]:
    """Seconds, processor seconds and most megabytes of one transform in a worker that is warm."""
    pool, watch = WorkerPool(target.parent / "workers"), Watch()
    watching = asyncio.create_task(watch.run())
    try:
        # Whatever is loaded and compiled once is there after the first.
        await pool.transform(source.with_name("small"), kind, look, target, lambda _: None)
        before = watch.cpu_s
        since = time.monotonic()
        await pool.transform(source, kind, look, target, lambda _: None)
        took = time.monotonic() - since
        await asyncio.sleep(0.1)
        return took, watch.cpu_s - before, watch.most_mb
    finally:
        watching.cancel()
        await pool.close()


async def test_a_picture_of_64_megapixels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "large"
    scene = portrait(1920, 1440)
    cv2.imwrite(str(tmp_path / "small.jpg"), scene)
    cv2.imwrite(str(tmp_path / "large.jpg"), cv2.resize(scene, PICTURE, interpolation=cv2.INTER_CUBIC))
    for name in ("small", "large"):
        (tmp_path / f"{name}.jpg").rename(tmp_path / name)
    rows = [(look, *await spent(source, "image", look, tmp_path / "out")) for look in LOOKS]
    with capsys.disabled():
        print(f"\n{PICTURE[0]}×{PICTURE[1]}, JPEG to JPEG      s   CPU s      MB")
        for look, seconds, cpu_s, most_mb in rows:
            print(f"{look:28}{seconds:6.1f}{cpu_s:8.1f}{most_mb:8.0f}")


async def test_a_clip_of_720p(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "clip"
    source.write_bytes(person_clip().read_bytes())
    (tmp_path / "small").write_bytes(clip(width=320, height=180, frames=4))
    with av.open(str(source)) as container:
        video = container.streams.video[0]
        seconds = float((container.duration or 0) / av.time_base)
        size, frames = f"{video.width}×{video.height}", video.frames
    rows = [(look, *await spent(source, "video", look, tmp_path / "out")) for look in LOOKS]
    with capsys.disabled():
        print(f"\na clip of {size}, {frames} frames, {seconds:.1f} s    × real time  CPU ms/frame      MB")
        for look, took, cpu_s, most_mb in rows:
            print(f"{look:44}{seconds / took:12.2f}{cpu_s / frames * 1e3:14.1f}{most_mb:8.0f}")
