"""A whole live process's head on a machine whose edges are scripted: source, service, camera device, page.

Real are ``Live`` with its runner, hub, outputs and recorder, the way to the camera (``HeldCamera`` and
``CameraHolder``, a channel and rings between them), and the files. Every picture is of one level, so that
each output tells what it shows: RAW, STYLED or SLATE.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from helpers.scripted_service import RAW, SLATE, STYLED, Service, Source, level, make_link, script_service
from helpers.scripted_sound import SoundInputs
from overpaint.errors import SinkError
from overpaint.media import pictures, sinks
from overpaint.media.frames import StyledFrame
from overpaint.media.sinks import Sink
from overpaint.media.sinks.recording import RecordingSink
from overpaint.media.sinks.recording_format import RecordingFormat
from overpaint.media.sinks.replay_buffer import ReplaySink
from overpaint.media.virtual_camera import camera_process
from overpaint.media.virtual_camera.camera_client import HeldCamera
from overpaint.media.virtual_camera.camera_process import CameraHolder
from overpaint.processes.channel import Channel, connect
from overpaint.session.backend.service_access import NoFallback
from overpaint.session.live import live_process
from overpaint.session.live.intent_dispatcher import IntentDispatcher
from overpaint.session.live.live_process import Live
from overpaint.session.live.machine import Machine
from overpaint.session.output import camera_stage, recorder, sink_stage
from overpaint.session.output.output_files import OutputFiles
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.wire.camera import CameraListing

TOLERANCE_S = 0.02
"""A write that has begun before a choice is not called back."""


class Device:
    """The camera's device.

    Attributes:
        seen: What a call sees: each picture's time and level.
        closed: Whether it was closed.
    """

    title, written, read, listing = "Scripted camera", 0, False, CameraListing()

    def __init__(self) -> None:
        self.seen: list[tuple[float, int]] = []
        self.closed = False
        self._write = threading.Condition()

    def open(self, width: int, height: int, fps: float) -> None: ...

    def write(self, frame: StyledFrame) -> None:
        with self._write:
            self.seen.append((time.monotonic(), int(frame.image[0, 0])))
            self._write.notify_all()

    def wait_beyond(self, written: int) -> None:
        """Returns when it has seen more pictures than that."""
        with self._write:
            assert self._write.wait_for(lambda: len(self.seen) > written, 10)

    def close(self) -> None:
        self.closed = True


class ScriptedCamera(HeldCamera):
    """The camera as the live process has it; the process that holds it is this one."""

    def __init__(self, head: Head, folder: Path) -> None:
        super().__init__(folder)
        self._head = head

    def _holder_channel(self) -> Channel:
        if self._head.dead:
            raise SinkError("camera_holder_does_not_stay")
        server = self._head.machine.holder.server
        return connect(server.address, server.secret)

    def write(self, frame: StyledFrame) -> None:
        self._head.note("camera", frame)
        super().write(frame)

    def _await_end(self) -> None:
        self._head.machine.holding.join(5)

    def die(self) -> None:
        """As a process is killed: without a word."""
        if self._port is not None:
            self._port.close()


class PageServer:
    """The page's server."""

    address, viewers = "http://127.0.0.1/", 0

    def __init__(self, head: Head) -> None:
        self._head = head

    def publish(self, frame: StyledFrame) -> None:
        self._head.note("page", frame)
        self._head.paged = nearest(int(frame.image[0, 0]))

    async def close(self) -> None: ...


class PageDoor:
    """The page's files."""

    def note(self, original: bool) -> None: ...

    def shut(self) -> None: ...


class NotedRecording(RecordingSink):
    """A real recording that notes what it is given."""

    def __init__(self, head: Head, path: Path, format: RecordingFormat) -> None:
        super().__init__(path, format, lambda _: head.machine.free_bytes)
        self._head = head

    def write(self, frame: StyledFrame) -> None:
        self._head.note("recording", frame)
        super().write(frame)


class Head:
    """One live process's head, on an event loop of its own thread.

    Attributes:
        leaks: Raw pictures that an output was given although "Original" was not chosen.
        off_s: When "Original" was left the last time.
        previewed: What the user's own windows show.
        paged: What the page shows.
    """

    def __init__(self, machine: ScriptedMachine) -> None:
        self.machine = machine
        self.dead = False
        self.leaks: list[str] = []
        self.off_s = 0.0
        self.previewed = self.paged = SLATE
        self.source = Source()
        self.cameras: list[ScriptedCamera] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.live: Live = self.run(self._begin())

    def note(self, output: str, frame: StyledFrame) -> None:
        """What an output is about to show."""
        if int(frame.image[0, 0]) != RAW or self.live.runner.style.passthrough:
            return
        if self.dead or time.monotonic() - self.off_s > TOLERANCE_S:
            self.leaks.append(output)

    def run(self, work: Coroutine[Any, Any, Any], seconds: float = 20.0) -> Any:
        return self.begin(work).result(seconds)

    def call(self, work: Callable[[], Any]) -> Any:
        """Runs it on the event loop."""

        async def within() -> Any:
            return work()

        return self.run(within())

    def obey(self, *intents: Any) -> None:
        for intent in intents:
            self.run(self.dispatcher.dispatch(intent))

    def begin(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Runs it on the event loop, and does not wait for its end."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run_beside(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Runs it while frames come."""
        done = self.begin(work)
        while not done.done():
            self.send(1)
        return done.result()

    def obey_beside(self, intent: Any) -> None:
        """Obeys while frames come."""
        self.run_beside(self.dispatcher.dispatch(intent))

    def send(self, frames: int = 3) -> None:
        """So many frames of the source, and a moment for what becomes of them."""
        for _ in range(frames):
            self.source.send()
            time.sleep(0.003)

    def settle(self) -> None:
        """Every output has shown something since."""
        stages = [each for each in (self.live.camera, self.live.page.stage) if each is not None]
        # One that has joined the camera's holder shows nothing of its own before there is something to show.
        stages = [each for each in stages if not each._inherits]
        before = [each.written for each in stages]
        until(lambda: all(each.written > was + 1 for each, was in zip(stages, before, strict=True)))

    def until_live(self) -> None:
        """Sends frames until they come back."""

        def flows() -> bool:
            self.source.send()
            return self.live.snapshot().state in ("live", "held")

        until(flows)

    def close(self) -> None:
        self.run(self.live.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def die(self) -> None:
        """The process is killed: nobody hears from it any more. What its threads hold is let go of after."""
        self.dead = True
        for camera in self.cameras:
            camera.die()

    async def _begin(self) -> Live:
        def make_camera() -> ScriptedCamera:
            self.cameras.append(ScriptedCamera(self, self.machine.folder))
            return self.cameras[-1]

        self.live = Live(
            self.machine.parts(self, make_camera),
            SessionOptions(),
            lambda: None,
            lambda session, server: None,
            lambda: False,
        )

        nobody: Any = None  # the parts beside the live picture
        self.dispatcher = IntentDispatcher(self.live, nobody, nobody, nobody, nobody, nobody, nobody)

        async def open_page() -> tuple[PageServer, PageDoor]:
            return PageServer(self), PageDoor()

        def preview(frame: StyledFrame) -> None:
            self.previewed = nearest(int(frame.image[0, 0]))

        self.live.viewers.add(preview)
        self.live.page._open = open_page  # type: ignore[method-assign,assignment]
        await self.live.prepare()
        await self.live.source.choose("demo")
        return self.live


class _Watch:
    def close(self) -> None: ...


def machine_parts(
    service: Service,
    source: Source,
    make_camera: Callable[[], Sink] | None,
    sound_inputs: SoundInputs | None = None,
) -> Machine:
    """A machine with this service, source and camera, and no folder for recordings."""
    nowhere: Any = None
    return Machine(
        access=service,
        fallback=NoFallback(),
        make_link=make_link,
        make_source=lambda _spec, _wishes: source,
        list_sources=list,
        watch_sources=lambda _: _Watch(),
        make_camera=make_camera,
        sound_inputs=sound_inputs or SoundInputs(),
        output_files=nowhere,
        set_priority=lambda _: None,
        looks=list,
        network=lambda: None,
    )


class ScriptedMachine:
    """What outlives a live process: the camera's holder and its device, the service, the disk.

    Args:
        folder: For recordings and snapshots.

    Attributes:
        free_bytes: What a reading of the disk says.
        holding: The thread of the camera's holder, whose end is that process's.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.free_bytes = 10**12
        self.service = Service()
        self.sound_inputs = SoundInputs()
        self.device = Device()
        self.holder = CameraHolder(lambda _: self.device)  # type: ignore[arg-type,return-value]
        self.holding = threading.Thread(target=self.holder.run, daemon=True)
        self.holding.start()
        self._files = itertools.count()

    def parts(self, head: Head, make_camera: Callable[[], ScriptedCamera]) -> Machine:
        files = OutputFiles(
            make_replay=lambda format: ReplaySink(format, free=lambda _: self.free_bytes),
            make_recording=lambda path, format: NotedRecording(head, path, format),
            new_recording=lambda _, kind: self.folder / f"{next(self._files)}.{kind}",
            new_still=lambda _: self.folder / f"{next(self._files)}.png",
        )
        parts = machine_parts(self.service, head.source, make_camera, self.sound_inputs)
        return replace(parts, output_files=files)

    def close(self) -> None:
        self.holder.end()
        self.holding.join(5)
        self.holder.close()


def script(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the scripted edges in the place of the real ones, and small pictures in quick succession."""
    script_service(monkeypatch)
    monkeypatch.setattr(live_process, "slate", lambda *_: level(SLATE))
    for module in (sinks, camera_process, camera_stage, sink_stage):
        monkeypatch.setattr(module, "REPEAT_AFTER_S", 0.005)
    monkeypatch.setattr(sink_stage, "STILL_EVERY_S", 0.02)
    monkeypatch.setattr(recorder, "STILL_S", 0.1)


def still_level(path: str) -> int:
    """What a snapshot shows."""
    return nearest(int(pictures.from_bgr(cv2.imread(path))[0, 0]))


def nearest(luma: int) -> int:
    """Which of the three a picture shows that went through a codec."""
    return min((RAW, STYLED, SLATE), key=lambda value: abs(value - luma))


def until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it did not come about"
        time.sleep(0.002)


__all__ = [
    "RAW",
    "SLATE",
    "STYLED",
    "Head",
    "ScriptedMachine",
    "level",
    "machine_parts",
    "nearest",
    "script",
    "still_level",
    "until",
]
