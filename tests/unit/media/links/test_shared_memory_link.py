"""Frames cross between processes whole, in order, newest first, and never hold anybody up."""

from __future__ import annotations

import asyncio
import queue
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from multiprocessing.shared_memory import SharedMemory

import numpy as np
import pytest

from helpers.processes import until
from overpaint.errors import LinkError
from overpaint.media.frames import FrameKind, RawFrame, StyledFrame, now_ns
from overpaint.media.links import LinkRequest
from overpaint.media.links.frame_ring import RingPort
from overpaint.media.links.shared_memory import SharedMemoryLink, SharedMemoryRoom
from overpaint.processes.channel import Channel, ChannelServer, connect

pytestmark = pytest.mark.process


WIDTH, HEIGHT = 320, 180


def picture(value: int) -> np.ndarray:
    return np.full((HEIGHT * 3 // 2, WIDTH), value % 256, np.uint8)


def request(room: SharedMemoryRoom) -> LinkRequest:
    return LinkRequest(room.url, room.token, room.name, WIDTH, HEIGHT, 30.0, FrameKind.STYLED)


async def test_a_frame_comes_back_with_its_number_and_its_time() -> None:
    room = SharedMemoryRoom("there", WIDTH, HEIGHT)
    link = SharedMemoryLink(request(room))
    await link.open(lambda _: None)
    stamp = now_ns()
    link.send(RawFrame(picture(7), 42, stamp))
    raw = await asyncio.to_thread(room.incoming.take, 5)
    assert raw is not None and (raw.number, raw.captured_ns) == (42, stamp)
    assert (raw.image == 7).all()
    room.publish(StyledFrame(picture(9), raw.number, raw.captured_ns, FrameKind.STYLED))
    styled = await asyncio.to_thread(link.received.take, 5)
    assert styled is not None and (styled.number, styled.captured_ns) == (42, stamp)
    assert (styled.image == 9).all()
    await link.close()
    await room.close()


@pytest.mark.parametrize("kind", [FrameKind.STYLED, FrameKind.ORIGINAL])
async def test_what_comes_back_is_what_the_link_was_opened_for_whatever_the_room_calls_it(
    kind: FrameKind,
) -> None:
    room = SharedMemoryRoom("kind", WIDTH, HEIGHT)
    link = SharedMemoryLink(replace(request(room), kind=kind))
    await link.open(lambda _: None)
    link.send(RawFrame(picture(7), 42, now_ns()))
    assert await asyncio.to_thread(room.incoming.take, 5) is not None
    for called in (FrameKind.STYLED, FrameKind.ORIGINAL, FrameKind.SLATE):
        room.publish(StyledFrame(picture(9), 42, 1, called))
        found = await asyncio.to_thread(link.received.take, 5)
        assert found is not None and found.kind is kind
    await link.close()
    await room.close()


async def test_a_frame_of_another_size_ends_the_link_with_a_sentence() -> None:
    room = SharedMemoryRoom("size", WIDTH, HEIGHT)
    link = SharedMemoryLink(LinkRequest(room.url, room.token, room.name, 640, 360, 30.0, FrameKind.STYLED))
    said: list[str] = []
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    await link.open(lambda error: (said.append(str(error)), loop.call_soon_threadsafe(ended.set)))
    link.send(RawFrame(np.zeros((540, 640), np.uint8), 0, 0))
    await asyncio.wait_for(ended.wait(), 5)
    assert said
    await link.close()
    await room.close()


async def test_a_wrong_token_is_refused() -> None:
    room = SharedMemoryRoom("locked", WIDTH, HEIGHT)
    link = SharedMemoryLink(LinkRequest(room.url, "wrong", room.name, WIDTH, HEIGHT, 30.0, FrameKind.STYLED))
    with pytest.raises(LinkError):
        await link.open(lambda _: None)
    await link.close()
    await room.close()


async def test_the_desktop_learns_that_the_room_is_gone() -> None:
    room = SharedMemoryRoom("gone", WIDTH, HEIGHT)
    link = SharedMemoryLink(request(room))
    lost = asyncio.Event()
    loop = asyncio.get_running_loop()
    await link.open(lambda _: loop.call_soon_threadsafe(lost.set))
    await room.close()
    await asyncio.wait_for(lost.wait(), 5)
    link.send(RawFrame(picture(0), 0, 0))
    await link.close()


def connected_ports(**reader: object) -> tuple[RingPort, Channel, ChannelServer]:
    """A sending port, and the raw channel of a reader that does nothing by itself."""
    ready = threading.Event()
    theirs: list[Channel] = []

    def hold(channel: Channel) -> None:
        theirs.append(channel)
        ready.set()
        threading.Event().wait(10)

    server = ChannelServer(hold, "ports")
    port = RingPort(connect(server.address, server.secret), WIDTH * HEIGHT * 3 // 2, slots=3)
    assert ready.wait(5)
    return port, theirs[0], server


def test_a_reader_that_stopped_costs_frames_but_never_time() -> None:
    port, _, server = connected_ports()
    went = [port.send(picture(n), n, 0, FrameKind.STYLED) for n in range(50)]
    assert went == [True] * 3 + [False] * 47
    assert port.dropped == 47
    port.close()
    server.close()


def test_a_slow_reader_passes_over_pictures_but_over_no_slate() -> None:
    """A slate takes away what may not be shown any longer; each picture keeps its kind."""
    seen: list[tuple[FrameKind, int]] = []
    may_read = threading.Event()
    over = threading.Event()

    def keep(_picture: np.ndarray, number: int, _captured_ns: int, kind: FrameKind) -> None:
        seen.append((kind, number))

    def read(channel: Channel) -> None:
        assert may_read.wait(10)
        with suppress(LinkError):
            RingPort(channel, 0, keep).run()
        over.set()

    server = ChannelServer(read, "slow")
    port = RingPort(connect(server.address, server.secret), WIDTH * HEIGHT * 3 // 2, slots=6)
    kinds = [FrameKind.ORIGINAL, FrameKind.SLATE, FrameKind.STYLED, FrameKind.KEPT_SLATE, FrameKind.STYLED]
    for number, kind in enumerate([*kinds, FrameKind.ORIGINAL]):
        assert port.send(picture(number), number, 0, kind)
    may_read.set()
    until(lambda: len(seen) >= 3, 10)
    port.close()
    assert over.wait(10)
    assert seen == [(FrameKind.SLATE, 1), (FrameKind.KEPT_SLATE, 3), (FrameKind.ORIGINAL, 5)]
    server.close()


def test_no_frame_is_torn_repeated_or_out_of_order_between_two_processes() -> None:
    """A reader in another process, a writer that never waits: each picture is of one colour, its number."""
    reader = """
import sys, threading
from overpaint.processes.channel import connect
from overpaint.media.links.frame_ring import RingPort
seen = []
def picture(image, number, captured_ns, kind):
    assert image.min() == image.max() == number % 256, "torn"
    seen.append(number)
port = RingPort(connect(sys.argv[1], sys.argv[2]), 0, picture)
try:
    port.run()
except Exception as error:
    if type(error).__name__ != "LinkError": raise
assert seen == sorted(set(seen)), "repeated or out of order"
print(len(seen))
"""
    done = threading.Event()

    def write(channel: Channel) -> None:
        port = RingPort(channel, 1920 * 1080 * 3 // 2)
        threading.Thread(target=lambda: contextless(port), daemon=True).start()
        for number in range(400):
            image = np.full((1620, 1920), number % 256, np.uint8)
            port.send(image, number, now_ns(), FrameKind.STYLED)
            time.sleep(0.001)
        time.sleep(0.2)
        port.close()
        done.set()

    def contextless(port: RingPort) -> None:
        try:
            port.run()
        except LinkError:
            pass

    server = ChannelServer(write, "torn")
    result = subprocess.run(
        [sys.executable, "-c", reader, server.address, server.secret],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    assert done.wait(5)
    assert int(result.stdout) > 100
    assert "leaked" not in result.stderr and "resource_tracker" not in result.stderr
    server.close()


def test_the_memory_is_gone_after_close() -> None:
    port, channel, server = connected_ports()
    message = channel.receive(timeout=5)
    assert message is not None
    name = message[13:].decode()
    SharedMemory(name).close()
    port.close()
    with pytest.raises(FileNotFoundError):
        SharedMemory(name)
    server.close()


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"no message of a ring",
        struct.pack("<BIBqq3I", 5, 9, 0, 0, 0, 8, 8, 0),
        struct.pack("<BIBqq3I", 5, 0, 0, 0, 0, 1 << 31, 1 << 31, 0),
        struct.pack("<BIBqq3I", 5, 0, 9, 0, 0, 8, 8, 0),  # a kind that there is not: perhaps an original
        struct.pack("<BIQ", 1, 4, 64) + b"another_ring",
        struct.pack("<BIQ", 1, 4, 64) + b"\xff",
        struct.pack("<BI", 3, 0),
        struct.pack("<BI", 3, 4),
    ],
)
def test_an_end_that_breaks_the_rules_is_left(message: bytes) -> None:
    """Whatever it says: nothing is read or written beside its own memory, and it ends as a lost link."""
    ended: queue.Queue[Exception | None] = queue.Queue()

    def handle(channel: Channel) -> None:
        try:
            RingPort(channel, 64, lambda *_: None).run()
        except Exception as error:
            ended.put(error)

    server = ChannelServer(handle, "rules")
    channel = connect(server.address, server.secret)
    with suppress(LinkError):
        port = RingPort(channel, 64)
        channel.send(message)
    assert isinstance(ended.get(timeout=10), LinkError)
    port.close()
    server.close()


@pytest.mark.parametrize("name", [b"", b"..", b"a/b", b"../../etc/passwd", b"x" * 300, b"not_there", b"a\0b"])
def test_memory_that_cannot_be_opened_ends_the_link(name: bytes) -> None:
    ended: queue.Queue[Exception | None] = queue.Queue()

    def handle(channel: Channel) -> None:
        try:
            RingPort(channel, 0, lambda *_: None).run()
        except Exception as error:
            ended.put(error)

    server = ChannelServer(handle, "names")
    channel = connect(server.address, server.secret)
    channel.send(struct.pack("<BIQ", 1, 4, 64) + name)
    assert isinstance(ended.get(timeout=10), LinkError)
    channel.close()
    server.close()
