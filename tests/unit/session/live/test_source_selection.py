"""A camera is remembered, lost and found as itself, whatever number the system gives it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from helpers.plugs import FORMATS, Plugs
from overpaint.errors import SourceError
from overpaint.media.frames import StyledFrame
from overpaint.media.sources import Source, SourceListener, SourceSpec, Wishes
from overpaint.session.live import source_selection
from overpaint.session.live.persistence import remembered_source
from overpaint.session.live.source_selection import SourceStage
from overpaint.session.output.frame_router import FrameHub
from overpaint.settings import Settings
from overpaint.wire.framing import Framing
from overpaint.wire.sources import SourceOptions

ALMA, BERT = "camera:alma at 1-1", "camera:bert at 1-2"
MIRRORED = Framing(mirror=True)


class Nobody:
    def deliver(self, frame: StyledFrame) -> None: ...


def stage_of(plugs: Plugs) -> SourceStage:
    hub = FrameHub(Nobody(), lambda error: stage.lost(error))
    stage = SourceStage(plugs.make, plugs.list, hub, (64, 36), lambda: None)
    return stage


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - it waits for the stage's own tries
            await asyncio.sleep(0.01)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_selection, "RETRY_S", 0.02)


async def test_a_camera_that_takes_anothers_number_gets_neither_its_place_nor_its_framing() -> None:
    plugs = Plugs([ALMA, BERT])
    stage = stage_of(plugs)
    await stage.find()
    await stage.choose("camera:0")
    stage.frame(MIRRORED)
    plugs.pull(ALMA)  # Bert is camera 0 now
    await until(lambda: stage.error is not None)
    await stage.find()
    assert not plugs.running, "nobody asked for Bert"
    with pytest.raises(SourceError):
        await stage.choose("camera:7")
    assert not plugs.running, "what fails does not bring Bert in, either"
    await stage.choose("camera:0")
    assert plugs.running == BERT and stage.framing == Framing() and stage.error is None
    await stage.close()


async def test_a_camera_is_taken_again_under_the_number_that_it_comes_back_with() -> None:
    plugs = Plugs([ALMA])
    stage = stage_of(plugs)
    await stage.find()
    await stage.choose("camera:0")
    stage.frame(MIRRORED)
    plugs.pull(ALMA)
    await until(lambda: stage.error is not None)
    plugs.cameras = [BERT, ALMA]
    await until(lambda: plugs.running)
    await until(lambda: stage.error is None)
    assert (plugs.running, stage.text, stage.framing) == (ALMA, "camera:1", MIRRORED)
    await stage.close()


async def test_a_camera_that_comes_back_on_another_port_is_the_same() -> None:
    plugs = Plugs([ALMA])
    stage = stage_of(plugs)
    await stage.find()
    await stage.choose("camera")
    stage.frame(MIRRORED)
    plugs.pull(ALMA)
    await until(lambda: stage.error is not None)
    plugs.cameras = ["camera:alma at 2-4"]
    await until(lambda: plugs.running)
    await until(lambda: stage.error is None)
    assert stage.framing == MIRRORED
    stage.frame(Framing(zoom=2))
    assert stage.framings == {ALMA: Framing(zoom=2)}
    await stage.close()


async def test_a_twin_that_was_there_all_the_while_is_not_the_one_that_was_lost() -> None:
    twin = "camera:alma at 1-2"
    plugs = Plugs([ALMA, twin])
    stage = stage_of(plugs)
    await stage.find()
    await stage.choose("camera:0")
    plugs.pull(ALMA)
    await until(lambda: stage.error is not None)
    for _ in range(3):
        await stage.find()
    assert not plugs.running and stage.error is not None
    plugs.cameras.append(ALMA)
    await until(lambda: plugs.running)
    assert plugs.running == ALMA
    await until(lambda: stage.text == "camera:1")
    await stage.close()


async def test_the_words_for_a_running_camera_follow_its_number() -> None:
    plugs = Plugs([BERT, ALMA])
    stage = stage_of(plugs)
    await stage.find()
    await stage.choose("camera:1")
    plugs.pull(BERT)
    await stage.find()
    assert (stage.text, plugs.running) == ("camera:0", ALMA)
    await stage.close()


async def test_a_source_that_cannot_be_used_leaves_the_one_before_running() -> None:
    plugs = Plugs([BERT, ALMA])
    stage = stage_of(plugs)
    await stage.find()
    await stage.choose("camera:1")
    plugs.cameras.remove(BERT)  # Alma is camera 0 now, and goes on
    with pytest.raises(SourceError):
        await stage.choose("camera:1")
    assert plugs.running == ALMA and stage.error is None
    await stage.close()


async def test_the_first_picture_is_framed_already() -> None:
    plugs = Plugs([ALMA])
    seen: list[np.ndarray] = []

    class Hub(FrameHub):
        def frame(self, frame):  # type: ignore[no-untyped-def]
            super().frame(frame)
            assert self.originals.newest is not None
            seen.append(self.originals.newest.image)

    hub = Hub(Nobody(), lambda error: None)
    stage = SourceStage(plugs.make, plugs.list, hub, (64, 36), lambda: None)
    stage.framings = {ALMA: Framing(quarter_turns=1)}
    await stage.choose("camera")
    assert len(seen) == 1 and hub.framer is not None and hub.framer.framing.quarter_turns == 1
    await stage.close()


async def test_a_camera_that_is_plugged_in_is_on_offer_at_once_and_one_that_is_missed_is_taken_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source_selection, "RETRY_S", 3600.0)
    plugs = Plugs([ALMA])
    stage = stage_of(plugs)
    await stage.find()
    await stage.choose("camera:0")
    plugs.cameras.append(BERT)
    stage.plugged()
    await until(lambda: [choice.source for choice in stage.choices] == ["camera:0", "camera:1"])
    plugs.pull(ALMA)
    await until(lambda: stage.error is not None)
    plugs.cameras.append(ALMA)
    stage.plugged()
    await until(lambda: plugs.running == ALMA and stage.text == "camera:1")
    await stage.close()


async def test_a_network_camera_that_refused_the_password_is_not_asked_again_by_a_plug() -> None:
    """Cameras lock themselves after some wrong passwords. What was plugged in is on offer."""
    address, asked = "rtsp://10.0.0.5/live", list[str]()
    plugs = Plugs([address])

    def make(spec: SourceSpec, wishes: Wishes) -> Source:
        asked.append(spec.name)
        return plugs.make(spec, wishes)

    stage = SourceStage(make, plugs.list, FrameHub(Nobody(), lambda _: None), (64, 36), lambda: None)
    await stage.choose(address)
    stage.lost(SourceError("network_camera_denied", camera="10.0.0.5"))
    await until(lambda: stage.error is not None)
    plugs.cameras.append(ALMA)
    stage.plugged()
    await until(lambda: "camera:1" in [choice.source for choice in stage.choices])
    assert asked == [address] and stage.error is not None
    await stage.close()


async def test_a_source_chosen_while_a_lost_one_comes_back_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_selection, "RETRY_S", 3600.0)
    plugs, opening, go = Plugs([ALMA, BERT]), threading.Event(), threading.Event()
    begun: list[str] = []

    def make(spec: SourceSpec, wishes: Wishes) -> Source:
        source = plugs.make(spec, wishes)
        begin = source.start

        def start(width: int, height: int, listener: SourceListener) -> None:
            begin(width, height, listener)
            begun.append(source.identity)
            opening.set()
            assert go.wait(10)

        source.start = start  # type: ignore[method-assign]
        return source

    hub = FrameHub(Nobody(), lambda error: stage.lost(error))
    stage = SourceStage(make, plugs.list, hub, (64, 36), lambda: None)
    go.set()
    await stage.find()
    await stage.choose("camera:0")
    plugs.pull(ALMA)
    await until(lambda: stage.error is not None)
    go.clear()
    opening.clear()
    chosen = asyncio.ensure_future(stage.choose("camera:0"))  # Bert, meanwhile
    await until(opening.is_set)
    plugs.cameras = [ALMA, BERT]
    stage.plugged()
    await asyncio.sleep(0.1)
    go.set()
    await chosen
    await until(lambda: not stage._work)
    assert (plugs.running, begun) == (BERT, [ALMA, BERT])
    await stage.close()


def test_the_camera_of_the_last_time_is_found_by_what_it_is(tmp_path: Path) -> None:
    last = Settings(source="camera:0", source_identity=ALMA)
    assert remembered_source(last, Plugs([BERT, ALMA]).list()) == "camera:1"
    assert remembered_source(last, Plugs([BERT]).list()) == "camera", "its number is another's now"
    assert remembered_source(Settings(source="window:Notes", source_identity="window:Notes"), []) == (
        "window:Notes"
    )


async def test_each_camera_runs_in_the_format_that_was_chosen_for_it() -> None:
    plugs = Plugs([ALMA, BERT])
    stage = stage_of(plugs)
    await stage.find()
    await stage.choose("camera:0")
    assert plugs.format == FORMATS[0] and stage.offer.formats == FORMATS
    await stage.run_so(SourceOptions(format=FORMATS[1]))
    assert plugs.format == FORMATS[1] and stage.error is None
    await stage.choose("camera:1")
    assert plugs.format == FORMATS[0]
    plugs.cameras = [BERT, ALMA]
    await stage.choose("camera:1")
    assert (plugs.running, plugs.format) == (ALMA, FORMATS[1])
    await stage.close()


async def test_a_format_that_does_not_work_leaves_the_camera_as_it_was() -> None:
    plugs = Plugs([ALMA], refused=FORMATS[2])
    stage = stage_of(plugs)
    await stage.choose("camera:0")
    with pytest.raises(SourceError, match="does not open: no such format"):
        await stage.run_so(SourceOptions(format=FORMATS[2]))
    assert (plugs.running, plugs.format, stage.error) == (ALMA, FORMATS[0], None)
    assert stage.wish == SourceOptions()
    await stage.close()


@pytest.mark.parametrize("options", [SourceOptions(pointer=False), SourceOptions(fps=60)])
async def test_the_pointer_and_another_rate_need_no_new_start(options: SourceOptions) -> None:
    """They are read with each picture."""
    plugs = Plugs([ALMA])
    stage = stage_of(plugs)
    await stage.choose("camera:0")
    before = plugs.opened
    await stage.run_so(options)
    assert plugs.opened is before and stage.wish == options
    await stage.close()
