"""The headless stream: runs until its time is over, its source ends, or an error is final.

``overpaint stream`` without its command line. Must not know the command line's options.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from overpaint.errors import OverpaintError, UnreachableError
from overpaint.media.frames import now_ns
from overpaint.media.sinks import Sink
from overpaint.session.live.live_process import Live
from overpaint.session.output.sink_stage import SinkStage
from overpaint.session.realtime.events import Style
from overpaint.session.realtime.state import Phase
from overpaint.session.realtime.stream_status import StreamFacts
from overpaint.wire.sources import NO_MICROPHONE, SourceOptions

PATIENCE_S = 30.0
LOOK_EVERY_S = 0.1
USUAL_OPTIONS = SourceOptions()


@dataclass(frozen=True, slots=True)
class StreamOrder:
    """The order of a headless stream.

    Attributes:
        source: The source, as ``--source`` names it.
        style: Prompt and photo.
        sink: An unopened output, or None when the virtual camera is the output.
        seconds: Duration from the first styled frame; None until it is stopped.
        microphone: The microphone of a recording, by its name or a part of its title; empty for none.
        system_sound: Whether a recording carries what the computer plays.
        options: Options of the source.
        patience_s: Time limit for becoming live; then it fails with the reason.
    """

    source: str
    style: Style
    sink: Sink | None
    seconds: float | None
    patience_s: float = PATIENCE_S
    microphone: str = NO_MICROPHONE
    system_sound: bool = False
    options: SourceOptions = USUAL_OPTIONS


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a running stream."""

    phase: Phase
    fps: float
    delay_ms: float | None
    seconds: float


async def stream(
    live: Live,
    order: StreamOrder,
    stop: asyncio.Event,
    show: Callable[[Progress], None],
    cpu_seconds: Callable[[], float],
) -> dict[str, Any]:
    """Streams until the end and reports.

    Args:
        live: The live process, with a camera when that is the output; closed here.
        order: The order.
        stop: Ends the stream early.
        show: Called a few times a second.
        cpu_seconds: CPU time of the participating processes, so far.

    Returns:
        The report of ``overpaint stream --json``.

    Raises:
        OverpaintError: It cannot start, or it failed.
    """
    stage = await _begin(live, order)
    error: OverpaintError | None = None
    cpu_before = 0.0
    began_ns = now_ns()
    first_ns = 0
    try:
        while not stop.is_set():
            now = now_ns()
            if first_ns == 0 and live.hub.styled.count:
                first_ns, cpu_before = now, cpu_seconds()
            if error := _failure(live, stage, first_ns, (now - began_ns) / 1e9 > order.patience_s):
                break
            if first_ns and order.seconds is not None and (now - first_ns) / 1e9 >= order.seconds:
                break
            show(_progress(live, first_ns, now))
            await _wait(stop, LOOK_EVERY_S)
        cpu = cpu_seconds() - cpu_before if first_ns else 0.0
        facts = live.runner.facts  # closing resets them
    finally:
        # Before the rest is closed, which takes time: the recording ends now.
        ended = await asyncio.to_thread(stage.finish) if stage is not None else None
        await live.close()
    if error := error or ended:
        raise error
    return _report(live, stage, facts, cpu)


async def _begin(live: Live, order: StreamOrder) -> SinkStage | None:
    stage = None
    live.source.usual = order.options
    try:
        if order.sink is None and live.camera is not None:
            live.delays.keep_all = True
            live.camera.delays.keep_all = True
            live.set_on_air(True)
            live.camera.start()
            await asyncio.to_thread(live.camera.tried.wait)
            if live.camera.trouble is not None:
                raise live.camera.trouble
        await live.source.choose(order.source)
        if order.sink is not None:
            await asyncio.to_thread(order.sink.open, *live.runner.options.size, live.source.fps)
            live.sound.choose(order.microphone, system=order.system_sound)
            live.sound.use("recording", True)
            await live.sound.ready()
            sound = live.sound.reader() if live.sound.wanted else None
            stage = SinkStage(order.sink, live.standing, lambda _: None, keep_delays=True, sound=sound)
            live.add_sink(stage)
        live.runner.style = order.style
        await live.start()
    except BaseException:
        await live.close()
        if stage is not None:
            await asyncio.to_thread(stage.finish)
        raise
    return stage


def _failure(live: Live, stage: SinkStage | None, first_ns: int, impatient: bool) -> OverpaintError | None:
    state = live.runner.state
    if state.phase is Phase.FAILED:
        return state.trouble
    if stage is not None and stage.error is not None:
        return stage.error
    if first_ns == 0 and impatient:
        return live.trouble or UnreachableError("stream_without_picture")
    return None


def _progress(live: Live, first_ns: int, now: int) -> Progress:
    delays = live.delays.recent(now)
    return Progress(
        live.runner.state.phase,
        live.hub.styled.per_second(now),
        delays[0] if delays else None,
        (now - first_ns) / 1e9 if first_ns else 0.0,
    )


def _report(live: Live, stage: SinkStage | None, facts: StreamFacts, cpu_s: float) -> dict[str, Any]:
    output = stage or live.camera
    delays = output.delays if output is not None else live.delays
    total = delays.total()
    width, height = live.runner.options.size
    return {
        "frames_in": live.hub.styled.count + live.hub.lost_frames,
        "frames_out": delays.count,
        "dropped": live.dropped,
        "fps": round(delays.per_second(), 2),
        "width": width,
        "height": height,
        "latency_ms": {
            "p50": round(total[0], 1) if total else None,
            "p95": round(total[1], 1) if total else None,
        },
        "cpu_seconds": round(cpu_s, 2),
        "link": facts.link,
        "engine": facts.engine,
        "sessions": facts.sessions,
        "raw_frames_out": output.originals if output is not None else 0,
    }


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass
