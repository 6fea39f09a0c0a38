"""Frames go on only forwards in time, from the current link, whoever else delivers."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from helpers.processes import until
from overpaint.errors import LinkError
from overpaint.media.frames import FrameKind, FrameSlot, RawFrame, StyledFrame
from overpaint.session.output.frame_router import FrameHub

IMAGE = np.zeros((6, 4), np.uint8)


class Link:
    """A link whose other end is the test."""

    name = "test"

    def __init__(self) -> None:
        self.received: FrameSlot[StyledFrame] = FrameSlot()
        self.sent: list[int] = []
        self.dropped = 0

    async def open(self, lost: Callable[[LinkError], None]) -> None: ...

    def send(self, frame: RawFrame) -> None:
        self.sent.append(frame.number)

    async def close(self) -> None:
        self.received.close()


class Taker:
    def __init__(self) -> None:
        self.frames: list[int] = []
        self.arrived = threading.Semaphore(0)

    def deliver(self, frame: StyledFrame) -> None:
        self.frames.append(frame.number)
        self.arrived.release()


def make() -> tuple[FrameHub, Taker]:
    taker = Taker()
    return FrameHub(taker, lambda _: None), taker


def styled(number: int) -> StyledFrame:
    return StyledFrame(IMAGE, number, 1000 + number, FrameKind.STYLED)


def at_once(_: StyledFrame) -> bool:
    return True


def test_a_swap_of_links_neither_repeats_nor_shows_an_older_frame() -> None:
    hub, taker = make()
    old, new = Link(), Link()
    first = threading.Event()
    hub.attach(old, at_once)
    hub.promote(old)
    hub.attach(new, lambda _: first.set() or True)
    hub.frame(RawFrame(IMAGE, 0, 1000))
    assert old.sent == new.sent == [0], "while a session is renewed both links get every frame"
    for number in (0, 1):
        old.received.put(styled(number))
        assert taker.arrived.acquire(timeout=5)
    new.received.put(styled(1))
    assert first.wait(5)
    hub.promote(new)
    hub.detach(old)
    old.received.put(styled(2))  # late, from the link that is not current any more
    new.received.put(styled(3))
    assert taker.arrived.acquire(timeout=5)
    assert taker.frames == [0, 1, 3]
    old.received.close()
    new.received.close()


@pytest.mark.parametrize("ahead", [0, 1, 3])
@pytest.mark.parametrize("behind", [0, 2])
def test_a_swap_at_any_moment_misses_no_frame(ahead: int, behind: int) -> None:
    """Whichever link is quicker at the moment of the swap, the numbers go on without a gap."""
    hub, taker = make()
    old, new = Link(), Link()
    hub.attach(old, at_once)
    hub.promote(old)
    hub.attach(new, at_once)
    for number in range(4):
        old.received.put(styled(number))
        assert taker.arrived.acquire(timeout=5)
    for number in range(4 - behind, 4 + ahead):
        new.received.put(styled(number))
        until(lambda number=number: hub._early[new] and hub._early[new][-1].number == number)
    assert taker.frames == [0, 1, 2, 3]
    hub.promote(new)
    hub.detach(old)
    old.received.put(styled(4 + ahead))
    for number in range(4 + ahead, 7):
        new.received.put(styled(number))
        until(lambda number=number: taker.frames[-1] == number)
    assert taker.frames == list(range(7))
    assert hub.lost_frames == 0
    old.received.close()
    new.received.close()


def test_nothing_goes_on_before_a_link_is_current_and_ready() -> None:
    hub, taker = make()
    link = Link()
    asked: list[int] = []

    def from_two_on(frame: StyledFrame) -> bool:
        asked.append(frame.number)
        return frame.number >= 2

    hub.attach(link, from_two_on)
    hub.promote(link)
    for number in range(3):
        link.received.put(styled(number))
        until(lambda number=number: number in asked)
    assert taker.arrived.acquire(timeout=5)
    link.received.put(styled(3))
    assert taker.arrived.acquire(timeout=5)
    assert taker.frames == [2, 3] and asked == [0, 1, 2], "once it is ready it is not asked again"
    link.received.close()


def test_nothing_of_a_link_that_was_left_goes_on() -> None:
    hub, taker = make()
    former, current = Link(), Link()
    hub.attach(former, at_once)
    hub.promote(former)
    former.received.put(styled(1))
    assert taker.arrived.acquire(timeout=5)
    hub.detach(former)
    former.received.put(styled(2))
    hub.frame(RawFrame(IMAGE, 3, 1003))
    hub.attach(current, at_once)
    hub.promote(current)
    current.received.put(styled(4))
    assert taker.arrived.acquire(timeout=5)
    assert taker.frames == [1, 4] and former.sent == []
    for link in (former, current):
        link.received.close()


def test_what_was_lost_on_the_way_is_counted_by_frame_numbers() -> None:
    hub, taker = make()
    link = Link()
    hub.attach(link, at_once)
    hub.promote(link)
    for number in (3, 4, 7, 8):
        link.received.put(styled(number))
        assert taker.arrived.acquire(timeout=5)
    assert hub.lost_frames == 2, "5 and 6; what was before the first frame was never asked for"
    link.received.put(StyledFrame(IMAGE, 0, 9000, FrameKind.STYLED))
    assert taker.arrived.acquire(timeout=5)
    assert hub.lost_frames == 2, "a new source counts from 0 again"
    link.received.close()
