"""The user's picture in each look: asked for, in order, only when there is time, anew for another source."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable

import numpy as np
import pytest

from overpaint.errors import UpstreamError
from overpaint.light_words import with_light
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
        self.moving: list[bool] = []
        self.fails = False
        self.closed = False
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def paint(self, prompt: str, image: Picture, photo: bytes | None, moving: bool = False) -> bytes:
        self.moving.append(moving)
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
        self.light = 100
        self.runs = False
        """Whether each look at it finds a new frame."""

    def newest_frame(self) -> RawFrame | None:
        if self.runs:
            self.frame = RawFrame(FRAME.image, self.frame.number + 1, 0)
        return self.frame

    def in_light(self, prompt: str) -> str:
        return with_light(prompt, self.light)

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
async def test_looks_are_painted_in_the_light_of_the_stream() -> None:
    painter, told, stream = Scripted(), list[LookPicture](), Script()
    stream.light = 0
    work = LookPictures(painter, stream, told.append, leisure_s=0)
    work.want(wanted("one"))
    await until(lambda: bool(told))
    await work.close()
    assert painter.prompts == ["One, without light correction"] and told[0].name == "one"


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


# ---- the look that the user points at


def pointed(work: LookPictures, name: str | None, *others: str) -> None:
    work.want(wanted(*others), None if name is None else wanted(name)[0])


@pytest.mark.asyncio
async def test_a_look_with_a_photo_of_its_own_is_painted_with_that_and_one_with_none_without() -> None:
    painter, told, stream = Scripted(), list[LookPicture](), Script()
    stream.photo, stream.runs = b"beach", True
    work = LookPictures(painter, stream, told.append, leisure_s=0)
    looks = [WantedLook(name=name, prompt=name, photo=photo) for name, photo in PRESETS]
    work.want(tuple(looks))
    await until(lambda: len(told) == 4)
    assert painter.photos == [b"beach", None, b"photo", None]
    for _ in range(2):  # a window asks again with each look that comes into sight
        work.want(tuple(looks), looks[2].model_copy())
        count = len(told)
        await until(lambda count=count: len(told) >= count + 2)
    await work.close()
    assert len({id(photo) for photo in painter.photos[4:]}) == 1, "for which the painter keeps one look"
    assert painter.photos[4] == b"photo" and all(painter.moving[4:])


PRESETS = (("shipped", None), ("bare", ""), ("own", "cGhvdG8="), ("broken", "cGhvdG8"))


@pytest.mark.asyncio
async def test_the_look_that_is_pointed_at_moves_before_others_are_painted() -> None:
    painter, told, stream = Scripted(), list[LookPicture](), Script()
    stream.runs = True
    work = LookPictures(painter, stream, told.append, leisure_s=0)
    pointed(work, "two", "one", "two", "three")
    await until(lambda: len(told) == 4)
    assert painter.prompts == ["Two"] * 4 and all(painter.moving)
    pointed(work, None, "one", "two", "three")
    await until(lambda: len(told) == 6)
    await work.close()
    assert painter.prompts[4:] == ["One", "Three"], "its last picture is its preview"
    assert painter.moving[4:] == [False, False]


@pytest.mark.asyncio
async def test_it_ends_at_once_when_the_pointer_leaves() -> None:
    painter, told, stream = Scripted(), list[LookPicture](), Script()
    stream.runs = True
    work = LookPictures(painter, stream, told.append, leisure_s=0)
    pointed(work, "one")
    await until(lambda: bool(told))
    painter.may_go_on.clear()
    asked = len(painter.prompts)
    await until(lambda: len(painter.prompts) > asked)
    shown = len(told)
    pointed(work, None)
    painter.may_go_on.set()
    await asyncio.sleep(0.2)
    await work.close()
    assert len(told) == shown and len(painter.prompts) == asked + 1, "what was under way is not shown either"


@pytest.mark.asyncio
async def test_a_window_that_goes_ends_it_too() -> None:
    painter, told, stream = Scripted(), list[LookPicture](), Script()
    stream.runs = True
    work = LookPictures(painter, stream, told.append, leisure_s=0)
    pointed(work, "one")
    await until(lambda: bool(told))
    work.follow(watched=False)
    shown = len(painter.prompts)
    await asyncio.sleep(0.2)
    await work.close()
    assert len(painter.prompts) == shown


@pytest.mark.asyncio
async def test_a_picture_that_stands_is_painted_once() -> None:
    painter, told = Scripted(), list[LookPicture]()
    work = LookPictures(painter, Script(), told.append, leisure_s=0)
    pointed(work, "one")
    await asyncio.sleep(0.3)
    await work.close()
    assert painter.prompts == ["One"]


@pytest.mark.asyncio
async def test_a_stream_below_its_rate_comes_before_what_moves() -> None:
    painter, told, stream = Scripted(), list[LookPicture](), Script()
    stream.runs, stream.busy_for = True, 5
    work = LookPictures(painter, stream, told.append, leisure_s=0)
    pointed(work, "one")
    await until(lambda: bool(told))
    await work.close()
    assert stream.busy_for <= -1


@pytest.mark.asyncio
async def test_a_slow_look_moves_slowly() -> None:
    class Slow(Scripted):
        async def paint(self, *what: object, **how: object) -> bytes:
            await asyncio.sleep(0.1)
            return await super().paint(*what, **how)  # type: ignore[arg-type]

    painter, stream = Slow(), Script()
    stream.runs = True
    work = LookPictures(painter, stream, lambda _: None, leisure_s=0)
    pointed(work, "one")
    await until(lambda: bool(painter.prompts))
    began = asyncio.get_running_loop().time()
    await until(lambda: len(painter.prompts) == 4)
    took = asyncio.get_running_loop().time() - began
    await work.close()
    assert took > 2 * 0.1 / look_previews.MOVING_SHARE, "it takes a share of the time, not all of it"
