"""The composition root: the only module that sees every room of the desktop side.

It chooses the parts (sources, links, camera, service) and starts the processes: ``run_stream`` and
``run_live`` are a live process without and with a window, ``run_app`` is the window itself, and each
finds or starts the next. What the parts do is not decided here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

import psutil

from overpaint import settings
from overpaint.client.http import ServiceClient
from overpaint.engine import looks
from overpaint.engine.library import own_looks
from overpaint.errors import ProcessError, SourceError
from overpaint.media.links import FrameLink, LinkRequest
from overpaint.media.links.shared_memory import SCHEME, SharedMemoryLink
from overpaint.media.sinks import Sink
from overpaint.media.sinks.recording import RecordingSink
from overpaint.media.sinks.virtual_camera import VirtualCameraSink
from overpaint.media.sources.opening import available_sources, make_source
from overpaint.media.sources.qt_loop import MainThread
from overpaint.processes import children
from overpaint.processes.roles import Role
from overpaint.session.connection import SessionOptions
from overpaint.session.core_lease import CoreLease
from overpaint.session.live import Live, Machine
from overpaint.session.remote_access import RemoteAccess
from overpaint.session.runner import ServiceAccess
from overpaint.session.streaming import Progress, StreamOrder, stream
from overpaint.session.transform_history import TransformHistory
from overpaint.session.transform_queue import TransformQueue
from overpaint.session.transforming import Outcome, Show, TransformOrder, transform
from overpaint.session.windows import WindowServer
from overpaint.settings import Settings, load_settings, save_settings
from overpaint.wire.control import Transport
from overpaint.wire.live import AnyIntent, LookChoice, Quit
from overpaint.wire.service import RealtimeModel
from overpaint.wire.transforms import TransformIntent

log = logging.getLogger(__name__)

LinkChoice = Literal["auto", "shared_memory", "webrtc"]
SNAPSHOT_S = 0.25
LONELY_S = 60.0
"""A live process that is not on air and has no window ends itself after this long."""

Result = TypeVar("Result")


# ---- the parts ---------------------------------------------------------------------------------------


def transports(choice: LinkChoice) -> tuple[Transport, ...]:
    """What is offered to the service for a choice of the user."""
    return ("shared_memory", "webrtc") if choice == "auto" else (choice,)


def make_link(request: LinkRequest, client: ServiceClient) -> FrameLink:
    """The desktop's end for a room."""
    if request.url.startswith(SCHEME):
        return SharedMemoryLink(request)
    # aiortc takes 0.3 s to load: only for those who use it.
    from overpaint.media.links.webrtc import WebRtcLink

    return WebRtcLink(request, client)


def machine(
    main_thread: MainThread, access: ServiceAccess, make_camera: Callable[[], Sink] | None
) -> Machine:
    """This machine, for a live process."""
    return Machine(
        access=access,
        make_link=make_link,
        make_source=lambda spec: make_source(spec, main_thread),
        list_sources=lambda: available_sources(main_thread),
        make_camera=make_camera,
        make_recording=RecordingSink,
        new_recording=_new_recording,
        looks=lambda: [
            LookChoice(name=look.name, title=look.title, description=look.description)
            for look in (*looks(), *own_looks(settings.looks_dir()))
            if look.live
        ],
    )


def _new_recording() -> Path:
    folder = settings.pictures_dir()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"Overpaint {datetime.now().astimezone():%Y-%m-%d %H-%M-%S}.mp4"


# ---- the live process, without a window --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """``overpaint stream``.

    Attributes:
        order: Source, style, output, time.
        model: Realtime model.
        link: Which links to offer.
        server: Address of a remote service; "" for the local core.
        camera: Device of the virtual camera when it is the output.
    """

    order: StreamOrder
    model: RealtimeModel
    link: LinkChoice
    server: str
    camera: str


def run_stream(folder: Path, request: StreamRequest, show: Callable[[Progress], None]) -> dict[str, Any]:
    """Streams to the end. Returns the report; raises ``OverpaintError``."""
    children.set_priority("raised")
    main_thread = MainThread()
    lease = CoreLease(folder) if not request.server else None
    access: ServiceAccess = lease or RemoteAccess(request.server)
    options = SessionOptions(model=request.model, transports=transports(request.link))
    camera = (lambda: VirtualCameraSink(request.camera)) if request.order.sink is None else None

    def cpu_seconds() -> float:
        return _cpu_seconds([os.getpid(), *([lease.pid] if lease and lease.pid else [])])

    async def work(stop: asyncio.Event) -> dict[str, Any]:
        try:
            live = Live(machine(main_thread, access, camera), options, lambda: None)
            return await stream(live, request.order, stop, show, cpu_seconds)
        finally:
            if lease is not None:
                lease.release()

    return _run_beside_main_thread(main_thread, work)


def run_transform(folder: Path, order: TransformOrder, server: str, show: Show) -> list[Outcome]:
    """Restyles files to the end, or until Ctrl+C, which leaves no half file.

    Args:
        folder: The data folder.
        order: Files, prompt, place.
        server: Address of a remote service; "" for the local core.
        show: Told how far each file is.

    Raises:
        OverpaintError: The order is wrong, or there is no service.
        KeyboardInterrupt: It was cancelled.
    """
    lease = CoreLease(folder) if not server else None

    async def work() -> list[Outcome]:
        # asyncio turns Ctrl+C into the cancelling of this task; being ended is the same.
        signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
        return await transform(lease or RemoteAccess(server), order, show)

    try:
        return asyncio.run(work())
    finally:
        if lease is not None:
            lease.release()


def _cpu_seconds(pids: Sequence[int]) -> float:
    total = 0.0
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            times = psutil.Process(pid).cpu_times()
            total += times.user + times.system
    return total


# ---- the live process, for a window ------------------------------------------------------------------


def run_live(folder: Path, ready: Callable[[], None]) -> None:
    """Serves windows until one of them says quit, or nobody needs it any more.

    Raises:
        ProcessError: A live process already serves this data folder (``already_running``).
    """
    role = Role(folder, "live")
    role.take()
    children.set_priority("raised")
    main_thread = MainThread()
    try:
        _run_beside_main_thread(
            main_thread, lambda stop: _serve_windows(folder, role, main_thread, stop, ready)
        )
    finally:
        role.leave()


async def _serve_windows(
    folder: Path, role: Role, main_thread: MainThread, stop: asyncio.Event, ready: Callable[[], None]
) -> None:
    loop = asyncio.get_running_loop()
    wishes = load_settings(folder)
    news = asyncio.Event()
    work: set[asyncio.Task[None]] = set()
    lease = CoreLease(folder) if not wishes.server else None
    access: ServiceAccess = lease or RemoteAccess(wishes.server)
    options = SessionOptions(model=_model(wishes.model), ttl_seconds=wishes.ttl_seconds)
    live = Live(
        machine(main_thread, access, lambda: VirtualCameraSink(wishes.camera_device)), options, news.set
    )

    def intend(intent: AnyIntent) -> None:
        loop.call_soon_threadsafe(obey, intent)

    def obey(intent: AnyIntent) -> None:
        if isinstance(intent, Quit):
            stop.set()
            return
        task = loop.create_task(
            queue.obey(intent) if isinstance(intent, TransformIntent) else live.obey(intent)
        )
        work.add(task)
        task.add_done_callback(work.discard)

    def window_came_or_went() -> None:
        loop.call_soon_threadsafe(news.set)

    windows = WindowServer(intend, window_came_or_went)
    history = TransformHistory(folder / "transforms.db")
    queue = TransformQueue(
        access, history, settings.results_dir(), windows.publish, live.runner.expect_charge
    )
    live.add_viewer(windows.put)
    live.set_style(wishes.prompt, True)
    role.announce(windows.address, windows.secret)
    ready()
    # A window is told at once where things stand, however long devices and the core take.
    preparing = asyncio.gather(_prepare(live, wishes.source), queue.open())
    try:
        await _tell(live, queue, windows, stop, news)
    finally:
        preparing.cancel()
        await asyncio.wait([preparing])
        await queue.close()
        save_settings(folder, wishes.model_copy(update=_remembered(live)))
        windows.close()
        await live.close()
        if lease is not None:
            lease.release()


async def _tell(
    live: Live, queue: TransformQueue, windows: WindowServer, stop: asyncio.Event, news: asyncio.Event
) -> None:
    """Sends snapshots while somebody looks, until the end."""
    loop = asyncio.get_running_loop()
    needed_at = loop.time()
    while not stop.is_set():
        news.clear()
        windows.publish(live.snapshot())
        if windows.windows or queue.busy or (live.camera is not None and live.camera.on_air):
            needed_at = loop.time()
        elif loop.time() - needed_at > LONELY_S:
            log.info("nobody needs this process any more")
            return
        waits = [asyncio.ensure_future(stop.wait()), asyncio.ensure_future(news.wait())]
        await asyncio.wait(waits, timeout=SNAPSHOT_S, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()


async def _prepare(live: Live, wanted: str) -> None:
    """Devices, balance, and the last source, else a camera, else the demo: there is always a picture."""
    await live.prepare()
    for source in dict.fromkeys((wanted, "camera", "demo")):
        if live.source_asked:
            return  # the user was quicker
        try:
            await live.set_source(source)
        except SourceError as error:
            log.info("source %s: %s", source, error)
        else:
            return


def _remembered(live: Live) -> dict[str, Any]:
    snapshot = live.snapshot()
    return {"source": snapshot.source or Settings().source, "prompt": snapshot.prompt}


def _model(name: str) -> RealtimeModel:
    return "service-realtime-720p" if name == "service-realtime-720p" else "service-realtime-1080p"


# ---- the window --------------------------------------------------------------------------------------


def run_app(folder: Path) -> int:
    """Opens the window; the live process is started when there is none.

    Raises:
        ProcessError: There is no display (``no_display``).
    """
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM")
    ):
        raise ProcessError(
            "There is no display to open a window on.",
            kind="no_display",
            mend="Use a virtual one (xvfb-run -a overpaint), or stream without a window (overpaint stream).",
        )
    from overpaint.gui.main import run_window

    return run_window(folder, lambda: start_live(folder))


def start_live(folder: Path) -> None:
    """Starts the live process and returns when it can be connected to.

    Raises:
        ProcessError: It does not start.
    """
    children.start("The live process", ["live", "--data-dir", str(folder)], folder / "live.log")


# ---- main thread and event loop ----------------------------------------------------------------------


def _run_beside_main_thread(
    main_thread: MainThread, work: Callable[[asyncio.Event], Awaitable[Result]]
) -> Result:
    """Runs the event loop in a thread of its own while this one, the main one, serves Qt and signals."""
    result: list[Result] = []
    failure: list[BaseException] = []

    async def guarded() -> None:
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        handlers.append(lambda: loop.call_soon_threadsafe(stop.set))
        result.append(await work(stop))

    def run() -> None:
        try:
            asyncio.run(guarded())
        except BaseException as error:  # noqa: BLE001 - passed on to the main thread
            failure.append(error)
        finally:
            main_thread.stop()

    handlers: list[Callable[[], object]] = []

    def end(_number: int, _frame: object) -> None:
        for handler in handlers:
            handler()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    thread = threading.Thread(target=run, name="live")
    thread.start()
    main_thread.run()
    thread.join()
    if failure:
        raise failure[0]
    return result[0]
