"""Screens and windows are pictured while somebody chooses, and no longer."""

from __future__ import annotations

import asyncio
import base64

import pytest

from overpaint.session.live import source_previews
from overpaint.session.live.source_previews import SourcePictures
from overpaint.wire.live import SourceChoice
from overpaint.wire.sources import SourcePicture

SOURCES = [
    SourceChoice(source="camera:0", title="Camera", kind="camera"),
    SourceChoice(source="screen:0", title="Screen", kind="screen"),
    SourceChoice(source="window:Gone", title="Gone", kind="window"),
    SourceChoice(source="window:Notes", title="Notes", kind="window"),
]


async def test_screens_and_windows_are_pictured_until_it_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_previews, "AGAIN_S", 0.01)
    told: asyncio.Queue[SourcePicture] = asyncio.Queue()
    looked = 0

    async def look_again() -> None:
        nonlocal looked
        looked += 1

    def picture(source: str) -> bytes | None:
        return None if "Gone" in source else source.encode()

    forgotten: list[bool] = []
    work = SourcePictures(
        look_again, lambda: SOURCES, picture, told.put_nowait, lambda: forgotten.append(True)
    )
    work.want(True)
    work.want(True)  # a second wish is the same one
    async with asyncio.timeout(10):
        seen = [await told.get() for _ in range(4)]
    assert [each.source for each in seen] == ["screen:0", "window:Notes"] * 2
    assert base64.b64decode(seen[1].picture) == b"window:Notes"
    assert looked >= 2 and not forgotten
    work.follow(watched=True)
    assert not forgotten
    work.follow(watched=False)
    assert forgotten, "what windows were told is out of date"
    await work.close()
    so_far = looked
    await asyncio.sleep(0.05)
    assert looked == so_far
    work.want(True)
    async with asyncio.timeout(10):
        await told.get()
    await work.close()
