"""What a call sees: the holder of the virtual camera, whatever becomes of the live process that feeds it.

The writing loop's steps are taken one by one, so that each test has its moment between two of them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
import pytest

from helpers.processes import until
from overpaint.errors import LinkError
from overpaint.media import hold_policy
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.links.frame_ring import RingPort
from overpaint.media.virtual_camera import camera_process
from overpaint.media.virtual_camera.camera_process import CameraHolder
from overpaint.processes.channel import connect
from overpaint.wire.camera import CameraListing, CameraOpened, OpenCamera, parse_answer

WIDTH, HEIGHT = 64, 36
RAW, STYLED, SLATE = 200, 100, 50
LEVELS = {
    FrameKind.ORIGINAL: RAW,
    FrameKind.STYLED: STYLED,
    FrameKind.SLATE: SLATE,
    FrameKind.KEPT_SLATE: SLATE,
}


class Device:
    """A camera's device."""

    title, written, read = "Test Camera", 0, False
    listing = CameraListing()

    def __init__(self) -> None:
        self.seen: list[int] = []

    def open(self, width: int, height: int, fps: float) -> None: ...

    def write(self, frame: StyledFrame) -> None:
        self.seen.append(int(frame.image[0, 0]))

    def close(self) -> None: ...


class Writer:
    """A live process, as the holder has it."""

    def __init__(self, holder: CameraHolder, width: int = WIDTH, patience_s: float = 60.0) -> None:
        channel = connect(holder.server.address, holder.server.secret)
        wish = OpenCamera(device="", width=width, height=HEIGHT, fps=30, patience_s=patience_s)
        channel.send(wish.model_dump_json().encode())
        said = channel.receive(10)
        assert said is not None
        self.opened = parse_answer(said)
        assert isinstance(self.opened, CameraOpened)
        self._image = (HEIGHT * 3 // 2, width)
        self._port = RingPort(channel, HEIGHT * 3 // 2 * width)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with suppress(LinkError):
            self._port.run()

    def send(self, *kinds: FrameKind) -> None:
        for kind in kinds:
            assert self._port.send(np.full(self._image, LEVELS[kind], np.uint8), 1, 1, kind)

    def die(self) -> None:
        self._port.close()
        self._reader.join(10)


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def holder(device: Device) -> Iterator[CameraHolder]:
    holder = CameraHolder(lambda _: device)  # type: ignore[arg-type,return-value]
    yield holder
    holder.end()
    holder.close()


@pytest.fixture
def running(holder: CameraHolder) -> Iterator[CameraHolder]:
    loop = threading.Thread(target=holder.run, daemon=True)
    loop.start()
    yield holder
    holder.end()
    loop.join(10)


def arrived(holder: CameraHolder) -> StyledFrame:
    """The newest picture that was sent, taken from where the writing loop takes it."""
    frame = holder._slot.take(10)
    assert frame is not None
    return frame


def alone(holder: CameraHolder) -> Callable[[], bool]:
    return lambda: holder._writer is None


def test_an_original_without_a_slate_to_follow_it_is_not_shown(holder: CameraHolder, device: Device) -> None:
    writer = Writer(holder)
    writer.send(FrameKind.ORIGINAL)
    holder._show(arrived(holder))
    assert device.seen == []
    writer.send(FrameKind.KEPT_SLATE, FrameKind.ORIGINAL)
    holder._show(arrived(holder))
    assert device.seen == [RAW]
    writer.die()


def test_an_original_that_is_on_its_way_when_its_writer_dies_is_not_shown(
    holder: CameraHolder, device: Device
) -> None:
    writer = Writer(holder)
    writer.send(FrameKind.KEPT_SLATE, FrameKind.ORIGINAL)
    late = arrived(holder)
    writer.die()
    until(alone(holder), 10)
    holder._show(late)
    assert device.seen == [SLATE]


def test_an_original_does_not_stand_for_the_next_writer(holder: CameraHolder, device: Device) -> None:
    """Who comes at once, before the writing loop has noticed anything."""
    writer = Writer(holder)
    writer.send(FrameKind.KEPT_SLATE, FrameKind.ORIGINAL)
    holder._show(arrived(holder))
    writer.die()
    other = Writer(holder)
    holder._show(None)
    assert device.seen == [RAW, SLATE]
    other.die()


def test_what_waited_from_the_former_writer_is_not_shown(holder: CameraHolder, device: Device) -> None:
    writer = Writer(holder)
    writer.send(FrameKind.SLATE)
    holder._show(arrived(holder))
    writer.send(FrameKind.ORIGINAL)
    until(lambda: holder._slot._frame is not None, 10)
    writer.die()
    other = Writer(holder)
    holder._show(holder._slot.take(0))
    assert device.seen == [SLATE, SLATE]
    other.die()


def test_a_restyled_picture_stands_for_the_next_writer_of_that_size_alone(
    holder: CameraHolder, device: Device
) -> None:
    writer = Writer(holder)
    writer.send(FrameKind.KEPT_SLATE, FrameKind.STYLED)
    holder._show(arrived(holder))
    writer.die()
    same = Writer(holder)
    assert isinstance(same.opened, CameraOpened) and same.opened.standing
    holder._show(None)
    assert device.seen == [STYLED, STYLED]
    same.die()
    larger = Writer(holder, width=2 * WIDTH)
    assert isinstance(larger.opened, CameraOpened) and not larger.opened.standing
    holder._show(None)
    assert device.seen == [STYLED, STYLED], "a picture of another size"
    larger.die()


def test_an_original_of_a_silent_writer_ends_soon_and_a_restyled_picture_stands(
    running: CameraHolder, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hold_policy, "ORIGINAL_PATIENCE_S", 0.3)
    writer = Writer(running)
    writer.send(FrameKind.KEPT_SLATE, FrameKind.ORIGINAL)
    until(lambda: RAW in device.seen, 10)
    until(lambda: device.seen[-1] == SLATE, 10)
    writer.send(FrameKind.STYLED)
    until(lambda: device.seen[-1] == STYLED, 10)
    time.sleep(0.6)
    assert device.seen[-1] == STYLED
    writer.die()


def test_the_slate_takes_the_place_of_an_original_at_once(
    running: CameraHolder, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_process, "REPEAT_AFTER_S", 60.0)
    writer = Writer(running)
    writer.send(FrameKind.KEPT_SLATE, FrameKind.ORIGINAL)
    until(lambda: device.seen and device.seen[-1] == RAW, 10)
    writer.die()
    until(lambda: device.seen[-1] == SLATE, 10)


def test_a_slate_to_keep_is_not_shown_now(running: CameraHolder, device: Device) -> None:
    writer = Writer(running)
    writer.send(FrameKind.STYLED)
    until(lambda: STYLED in device.seen, 10)
    writer.send(FrameKind.KEPT_SLATE)
    until(lambda: running._slate is not None, 10)
    time.sleep(0.3)
    assert set(device.seen) == {STYLED}
    writer.die()


def test_what_a_reader_sees_after_the_end_is_the_slate(holder: CameraHolder, device: Device) -> None:
    writer = Writer(holder)
    writer.send(FrameKind.KEPT_SLATE, FrameKind.STYLED)
    holder._show(arrived(holder))
    holder.close()
    assert device.seen == [STYLED, SLATE]
    writer.die()
