"""Previews of files: the newest wish is painted, what nobody wants any more is given up."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from overpaint.errors import MediaError, UpstreamError
from overpaint.media.frames import Picture
from overpaint.session.batch.file_previews import SIDE, FilePreviews
from overpaint.wire.media_limits import Kind
from overpaint.wire.transforms import TransformPreview, WantTransformPreview


class Painter:
    """Paints nothing, once it may."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[int, ...], Kind, bytes | None]] = []
        self.cancelled = 0
        self.closed = self.fails = False
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def paint_file(
        self, prompt: str, image: Picture, kind: Kind, photo: bytes | None = None
    ) -> tuple[bytes, bool]:
        self.asked.append((prompt, image.shape, kind, photo))
        try:
            await self.may_go_on.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.fails:
            raise UpstreamError("transformation_failed")
        return prompt.encode(), prompt == "nonsense"

    async def close(self) -> None:
        self.closed = True


class Decoder:
    """Gives a red picture with a transparent half, of the size that the test says."""

    def __init__(self) -> None:
        self.size = (361, 641)
        self.asked: list[tuple[str, tuple[int, int], str, bool]] = []
        self.closed = False

    def file(self, path: Path, room: tuple[int, int], way: str = "cover", *, clips: bool = False) -> Picture:
        self.asked.append((path.name, room, way, clips))
        if path.name == "broken.png":
            raise MediaError("media_file_damaged")
        return np.full((*self.size, 4), (0, 0, 255, 128), np.uint8)

    def close(self) -> None:
        self.closed = True


class Desk:
    """Previews over a scripted painter and decoder."""

    def __init__(self) -> None:
        self.painter, self.decoder = Painter(), Decoder()
        self.told: list[TransformPreview] = []
        self.previews = FilePreviews(self.painter, self.decoder, self.told.append)

    def want(self, serial: int, source: str = "a.png", prompt: str = "oil", kind: Kind = "image") -> None:
        wish = WantTransformPreview(serial=serial, source=source, prompt=prompt, kind=kind)
        self.previews.want(wish, b"photo")


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - the state of what is tested has no event
            await asyncio.sleep(0.005)


async def test_a_file_is_painted_small_with_its_photo_and_decoded_once_for_all_looks() -> None:
    desk = Desk()
    for serial, prompt in enumerate(("oil", "nonsense")):
        desk.want(serial, prompt=prompt, kind="video")
        await until(lambda serial=serial: len(desk.told) == serial + 1)
    assert desk.decoder.asked == [("a.png", (SIDE, SIDE), "inside", True)]
    assert desk.painter.asked[0] == ("oil", (360 * 3 // 2, 640), "video", b"photo"), "I420, even sides"
    assert [(each.serial, base64.b64decode(each.picture), each.unchanged) for each in desk.told] == [
        (0, b"oil", False),
        (1, b"nonsense", True),
    ]
    await desk.previews.close()
    assert desk.painter.closed and desk.decoder.closed


async def test_of_what_is_asked_for_meanwhile_only_the_newest_is_painted() -> None:
    desk = Desk()
    desk.painter.may_go_on.clear()
    desk.want(0)
    await until(lambda: len(desk.painter.asked) == 1)
    for serial in (1, 2, 3):
        desk.want(serial)
    desk.painter.may_go_on.set()
    await until(lambda: len(desk.told) == 2)
    assert [each.serial for each in desk.told] == [0, 3] and desk.painter.cancelled == 0
    await desk.previews.close()


@pytest.mark.parametrize("no_window", [False, True])
async def test_what_nobody_wants_any_more_is_given_up_and_another_wish_is_fulfilled(no_window: bool) -> None:
    desk = Desk()
    desk.painter.may_go_on.clear()
    desk.want(0)
    await until(lambda: len(desk.painter.asked) == 1)
    if no_window:
        desk.previews.follow(False)
    else:
        desk.want(1, source="")
    desk.want(2)
    desk.painter.may_go_on.set()
    await until(lambda: bool(desk.told))
    assert [each.serial for each in desk.told] == [2] and desk.painter.cancelled == 1
    await desk.previews.close()


async def test_a_file_that_cannot_be_decoded_or_painted_says_why() -> None:
    desk = Desk()
    desk.want(0, source="broken.png")
    await until(lambda: len(desk.told) == 1)
    desk.painter.fails = True
    desk.want(1)
    await until(lambda: len(desk.told) == 2)
    codes = [each.trouble and each.trouble.code for each in desk.told]
    assert codes == ["media_file_damaged", "transformation_failed"]
    assert [each.picture for each in desk.told] == ["", ""]
    await desk.previews.close()


async def test_a_tiny_picture_is_as_large_as_a_look_needs() -> None:
    desk = Desk()
    desk.decoder.size = (9, 300)
    desk.want(0)
    await until(lambda: bool(desk.told))
    assert desk.painter.asked[0][1] == (64 * 3 // 2, 300)
    await desk.previews.close()
