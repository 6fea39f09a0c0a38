"""The stream's thread: number and time are kept, looks change between frames, no end is silent."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from helpers.running_service import ScriptedEngine, ScriptedLook
from overpaint.core.hosts.engine_host import LocalEngineHost
from overpaint.core.hosts.stream_thread import Original, StreamThread
from overpaint.engine.interface import LookRequest
from overpaint.errors import EngineError, UpstreamError
from overpaint.media.frames import FrameKind, FrameSlot, RawFrame, StyledFrame

WIDTH, HEIGHT = 16, 8


class FakeRoom:
    url, token, name, transport = "shm://x", "t", "room_x", "shared_memory"

    def __init__(self) -> None:
        self.incoming: FrameSlot[RawFrame] = FrameSlot()
        self.published: list[StyledFrame] = []
        self.came = threading.Semaphore(0)

    @property
    def dropped(self) -> int:
        return 0

    def publish(self, frame: StyledFrame) -> None:
        self.published.append(frame)
        self.came.release()

    async def close(self) -> None:
        self.incoming.close()

    def send(self, number: int, captured_ns: int | None = None) -> None:
        """Sends one frame and waits for its styled one."""
        at = 1000 + number if captured_ns is None else captured_ns
        self.incoming.put(RawFrame(np.zeros((HEIGHT * 3 // 2, WIDTH), np.uint8), number, at))
        assert self.came.acquire(timeout=5)


class Listener:
    def __init__(self) -> None:
        self.starts = 0
        self.ends: list[str | None] = []
        self.over = threading.Event()

    def started(self) -> None:
        self.starts += 1

    def ended(self, sentence: str | None) -> None:
        self.ends.append(sentence)
        self.over.set()


def look(prompt: str) -> ScriptedLook:
    return ScriptedLook(LookRequest(prompt), WIDTH, HEIGHT)


def test_a_frame_keeps_its_number_and_time() -> None:
    room, listener = FakeRoom(), Listener()
    stream = StreamThread(room, look("level 50"), listener)
    stream.start()
    for number in (7, 9):
        room.send(number)
    stream.stop()
    assert [(each.number, each.captured_ns) for each in room.published] == [(7, 1007), (9, 1009)]
    assert all(each.kind is FrameKind.STYLED and each.image[0, 0] == 50 for each in room.published)
    assert (stream.frames, listener.starts, listener.ends) == (2, 1, [])


def test_a_look_fades_into_the_next_over_a_third_of_a_second() -> None:
    room, frame_ns = FakeRoom(), 33_333_333
    stream = StreamThread(room, look("level 50"), Listener())
    stream.start()
    room.send(0, 0)
    stream.show(look("level 90"))
    for number in range(1, 15):
        room.send(number, number * frame_ns)
    stream.stop()
    levels = [int(each.image[0, 0]) for each in room.published]
    assert levels[0] == levels[1] == 50  # no jump
    assert levels == sorted(levels)
    assert 60 < levels[5] < 80
    assert levels[10:] == [90] * 5


def test_a_look_that_changes_again_fades_from_what_is_seen() -> None:
    room, frame_ns = FakeRoom(), 33_333_333
    stream = StreamThread(room, look("level 50"), Listener())
    stream.start()
    room.send(0, 0)
    stream.show(look("level 90"))
    for number in range(1, 6):
        room.send(number, number * frame_ns)
    stream.show(look("level 20"))
    room.send(6, 6 * frame_ns)
    stream.stop()
    levels = [int(each.image[0, 0]) for each in room.published]
    assert levels[6] == levels[5]


def test_an_original_is_called_one_and_shines_through_no_look() -> None:
    room, frame_ns = FakeRoom(), 33_333_333
    stream = StreamThread(room, Original(), Listener())
    stream.start()
    room.send(0, 0)
    stream.show(look("level 50"))
    for number in range(1, 4):
        room.send(number, number * frame_ns)
    stream.stop()
    assert {each.kind for each in room.published} == {FrameKind.ORIGINAL}
    assert [int(each.image[0, 0]) for each in room.published] == [0, 50, 50, 50]


def test_the_end_of_the_room_is_told() -> None:
    room, listener = FakeRoom(), Listener()
    StreamThread(room, Original(), listener).start()
    room.incoming.close()
    assert listener.over.wait(5) and listener.ends == [None]


@pytest.mark.expect_log("the engine failed on a frame")
@pytest.mark.parametrize("kind", ["raises", "wrong size"])
def test_a_look_that_fails_publishes_nothing_and_is_told(kind: str) -> None:
    room, listener = FakeRoom(), Listener()
    broken = look("broken frame") if kind == "raises" else ScriptedLook(LookRequest(), WIDTH, HEIGHT * 2)
    stream = StreamThread(room, broken, listener)
    stream.start()
    room.incoming.put(RawFrame(np.zeros((HEIGHT * 3 // 2, WIDTH), np.uint8), 0, 0))
    assert listener.over.wait(5)
    assert room.published == [] and listener.ends == ["The engine failed on a frame."]
    stream.stop()


async def test_no_frame_can_pass_before_there_is_a_look() -> None:
    stream = await LocalEngineHost(ScriptedEngine()).open(WIDTH, HEIGHT)
    await stream.take_place(lambda position, size: None)
    with pytest.raises(UpstreamError):
        await stream.enter(FakeRoom(), Listener(), passthrough=False)


async def test_a_stream_keeps_its_look_and_its_count_from_room_to_room() -> None:
    stream = await LocalEngineHost(ScriptedEngine()).open(WIDTH, HEIGHT)
    assert (await stream.style(LookRequest("level 50"))).understood.effective == "level 50, expanded"
    for _ in range(2):
        room = FakeRoom()
        await stream.take_place(lambda position, size: None)
        await stream.enter(room, Listener(), passthrough=False)
        room.send(0)
        await stream.leave()
        await stream.leave()
        assert int(room.published[0].image[0, 0]) == 50
    assert stream.frames == 2
    await stream.close()
    await stream.close()
    assert stream.understood is None


async def test_a_prompt_of_which_nothing_can_be_done_keeps_the_look() -> None:
    stream = await LocalEngineHost(ScriptedEngine()).open(WIDTH, HEIGHT)
    first = await stream.style(LookRequest("nonsense"))
    assert not first.kept, "what shows nothing yet gets the engine's default look"
    await stream.style(LookRequest("level 50"))
    refused = await stream.style(LookRequest("nonsense"))
    assert refused.kept and refused.understood.not_understood == ("nonsense",)
    assert refused.understood.effective == "level 50, expanded"
    assert stream.understood is not None and stream.understood.effective == "level 50, expanded"
    photo = np.zeros((16, 16, 3), np.uint8)
    assert not (await stream.style(LookRequest("nonsense", photo))).kept, "a photo is a wish of its own"


@pytest.mark.expect_log("the engine cannot make a look")
async def test_what_an_engine_raises_is_an_error_of_the_tree() -> None:
    stream = await LocalEngineHost(ScriptedEngine()).open(WIDTH, HEIGHT)
    with pytest.raises(UpstreamError):
        await stream.style(LookRequest("no engine"))
    with pytest.raises(EngineError, match="too small"):
        await stream.style(LookRequest(reference=np.zeros((2, 2, 3), np.uint8)))
