"""The user's picture in each look: asked for, in order, only when there is time, anew for another source."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable

import numpy as np
import pytest

from overpaint.errors import UpstreamError
from overpaint.media.frames import Picture, RawFrame
from overpaint.session.live import look_previews
from overpaint.session.live.look_previews import LookPictures
from overpaint.wire.looks import LookPicture, WantedLook

pytestmark = pytest.mark.process


FRAME = RawFrame(np.zeros((12, 8), np.uint8), 0, 0)


class Scripted:
    """Paints nothing, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.photos: list[bytes | None] = []
        self.frames: list[Picture] = []
        self.fails = False
        self.closed = False
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def paint(self, prompt: str, image: Picture, photo: bytes | None) -> bytes:
        self.photos.append(photo)
        self.prompts.append(prompt)
        self.frames.append(image)
        await self.may_go_on.wait()
        if self.fails:
            raise UpstreamError("session_notice", sentence="No.")
        return prompt.encode()

    async def close(self) -> None:
        self.closed = True


class Script:
    """A stream that stands as the test says."""

    def __init__(self) -> None:
        self.source = "demo"
        self.photo: bytes | None = None
        self.frame = FRAME
        self.busy_for = 0

    def newest_frame(self) -> RawFrame | None:
        return self.frame

    def has_time(self) -> bool:
        self.busy_for -= 1
        return self.busy_for < 0


def wanted(*names: str) -> tuple[WantedLook, ...]:
    return tuple(WantedLook(name=name, prompt=name.title()) for name in names)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - the state of what is tested has no event
            await asyncio.sleep(0.005)


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_previews, "PATIENCE_S", 0.01)


@pytest.mark.asyncio
async def test_looks_are_painted_in_order_and_only_once() -> None:
    painter, told = Scripted(), list[LookPicture]()
    work = LookPictures(painter, Script(), told.append, leisure_s=0)
    work.want(wanted("one", "two"))
    await until(lambda: len(told) == 2)
    work.want(wanted("two", "three", "one"))
    await until(lambda: len(told) == 3)
    await work.close()
    assert painter.prompts == ["One", "Two", "Three"]
    assert [(item.name, base64.b64decode(item.picture)) for item in told][2] == ("three", b"Three")
    assert painter.closed


@pytest.mark.asyncio
async def test_nothing_is_painted_while_the_stream_needs_the_machine() -> None:
    painter, told, stream = Scripted(), list[LookPicture](), Script()
    stream.busy_for = 5
    work = LookPictures(painter, stream, told.append, leisure_s=0)
    work.want(wanted("one"))
    await until(lambda: bool(told))
    await work.close()
    assert stream.busy_for == -1


@pytest.mark.asyncio
async def test_another_source_is_painted_anew_and_the_former_one_not_shown() -> None:
    painter, told, stream = Scripted(), list[LookPicture](), Script()
    work = LookPictures(painter, stream, told.append, leisure_s=0)
    painter.may_go_on.clear()
    work.want(wanted("one"))
    await until(lambda: painter.prompts == ["One"])
    stream.frame = RawFrame(np.ones((12, 8), np.uint8), 0, 0)
    stream.source = "screen"
    work.follow(watched=True)
    painter.may_go_on.set()
    await until(lambda: bool(told))
    await work.close()
    assert len(told) == 1 and painter.frames[-1] is stream.frame.image


@pytest.mark.asyncio
async def test_without_a_window_nothing_is_painted_any_more() -> None:
    painter, told = Scripted(), list[LookPicture]()
    work = LookPictures(painter, Script(), told.append, leisure_s=0)
    painter.may_go_on.clear()
    work.want(wanted("one", "two"))
    await until(lambda: bool(painter.prompts))
    work.follow(watched=False)
    painter.may_go_on.set()
    await until(lambda: bool(told))
    for _ in range(5):
        await asyncio.sleep(0)
    await work.close()
    assert painter.prompts == ["One"]


@pytest.mark.asyncio
async def test_a_look_that_cannot_be_painted_stops_no_other() -> None:
    painter, told = Scripted(), list[LookPicture]()
    painter.fails = True
    work = LookPictures(painter, Script(), told.append, leisure_s=0)
    work.want(wanted("one", "two"))
    await until(lambda: len(painter.prompts) == 2)
    painter.fails = False
    work.want(wanted("three"))
    await until(lambda: bool(told))
    await work.close()
    assert [item.name for item in told] == ["three"]


@pytest.mark.parametrize("steps", range(6))
async def test_it_ends_though_the_last_window_goes_at_that_very_moment(steps: int) -> None:
    told: list[LookPicture] = []
    pictures = LookPictures(Scripted(), Script(), told.append, leisure_s=0)
    pictures.want(wanted("one"))
    await until(lambda: bool(told))
    await asyncio.sleep(0.01)
    pictures.follow(False)
    for _ in range(steps):
        await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await pictures.close()


@pytest.mark.asyncio
async def test_another_photo_is_painted_with_anew_and_what_was_under_way_not_shown() -> None:
    painter, told, stream = Scripted(), list[LookPicture](), Script()
    work = LookPictures(painter, stream, told.append, leisure_s=0)
    work.want(wanted("one"))
    await until(lambda: len(told) == 1)
    painter.may_go_on.clear()
    stream.photo = b"sunset"
    work.follow(watched=True)
    await until(lambda: painter.photos == [None, b"sunset"])
    stream.photo = b"forest"
    painter.may_go_on.set()
    await until(lambda: len(told) == 2)
    stream.photo = None
    work.follow(watched=True)
    await until(lambda: len(told) == 3)
    await work.close()
    assert painter.photos == [None, b"sunset", b"forest", None]
