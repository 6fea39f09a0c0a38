"""The composition root: the live process and the queue of files, built from their parts.

It chooses the parts (sources, links, camera, service) and connects them. ``run_stream`` is a live process
without a window, ``run_live`` one for a window; ``run_transform`` restyles files. The parts' behaviour is in
their modules.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from overpaint import folders
from overpaint.client.http import ServiceClient
from overpaint.engine import looks
from overpaint.engine.catalogue import entries
from overpaint.engine.library import own_looks
from overpaint.media.links import FrameLink, LinkRequest
from overpaint.media.links.ice_servers import IceServer
from overpaint.media.links.shared_memory import SCHEME, SharedMemoryLink
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.media.sinks import ReplayBuffer, Sink
from overpaint.media.sinks.recording_format import RecordingFormat
from overpaint.media.sound_inputs.sound_choice import SoundInputs
from overpaint.media.sources.hot_plug import PlugWatch
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.sources.screen_thumbnails import thumbnail
from overpaint.media.sources.source_factory import available_sources, make_source
from overpaint.media.virtual_camera.camera_client import HeldCamera
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink
from overpaint.private_names import check_versions
from overpaint.processes import children
from overpaint.processes.census import cpu_seconds_of, workers_of
from overpaint.processes.roles import Role
from overpaint.processes.supervision.heartbeat import EventLoopPulse
from overpaint.session.backend.local_core import CoreLease, LocalFallback
from overpaint.session.backend.network_addresses import addresses
from overpaint.session.backend.remote_service import RemoteAccess, check_encrypted
from overpaint.session.backend.service_access import Fallback, NoFallback, ServiceAccess
from overpaint.session.backend.service_selection import ServiceSwitch
from overpaint.session.batch.batch_order import Outcome, TransformOrder, Watcher, transform
from overpaint.session.batch.charge_notes import charge_notes
from overpaint.session.batch.file_previews import FilePreviews
from overpaint.session.batch.job_client import Converters, Voucher
from overpaint.session.live.headless_stream import Progress, StreamOrder, stream
from overpaint.session.live.intent_dispatcher import IntentDispatcher
from overpaint.session.live.live_loop import attend
from overpaint.session.live.live_process import Live
from overpaint.session.live.look_previews import LiveStream, LookPictures
from overpaint.session.live.machine import Machine
from overpaint.session.live.persistence import LiveMemory
from overpaint.session.live.service_coordinator import ServiceCoordinator
from overpaint.session.live.source_previews import SourcePictures
from overpaint.session.live.window_server import WindowServer
from overpaint.session.output.output_files import OutputFiles, new_file
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.session.realtime.purchases import Charged
from overpaint.transforms.look_pictures import LookPainter
from overpaint.transforms.pool import clip_workers
from overpaint.updates.newest_release import address_of
from overpaint.updates.update_check import UpdateCheck
from overpaint.wire.control import Transport
from overpaint.wire.credits import ChargeOutcome
from overpaint.wire.live import SCENES, AnyNews, LookChoice
from overpaint.wire.service import KINDS, RealtimeModel

LinkChoice = Literal["auto", "shared_memory", "webrtc"]


# ---- the parts ---------------------------------------------------------------------------------------


def transports(choice: LinkChoice) -> tuple[Transport, ...]:
    """The transports to offer to the service for the user's choice of link."""
    return ("shared_memory", "webrtc") if choice == "auto" else (choice,)


def make_link(
    request: LinkRequest, client: ServiceClient, ice_servers: tuple[IceServer, ...] = ()
) -> FrameLink:
    """The desktop's end of the link to a room; ``ice_servers`` are added to those of the service."""
    if request.url.startswith(SCHEME):
        return SharedMemoryLink(request)
    # Imported only when it is used, because aiortc takes 0.3 s to load.
    from overpaint.media.webrtc.desktop_link import WebRtcLink

    return WebRtcLink(replace(request, ice_servers=ice_servers), client)


def machine(
    folder: Path,
    main_thread: MainThread,
    access: ServiceAccess,
    fallback: Fallback,
    make_camera: Callable[[], Sink] | None,
    set_priority: Callable[[bool], None] = lambda low: None,
    ice_servers: tuple[IceServer, ...] = (),
) -> Machine:
    """The parts of this machine for a live process."""
    return Machine(
        access=access,
        fallback=fallback,
        make_link=lambda request, client: make_link(request, client, ice_servers),
        make_source=lambda spec, wishes: make_source(spec, main_thread, wishes, folder),
        list_sources=lambda: available_sources(main_thread, folder),
        watch_sources=lambda changed: PlugWatch(main_thread, changed),
        make_camera=make_camera,
        sound_inputs=SoundInputs(main_thread),
        output_files=OutputFiles(
            make_recording=_recording,
            make_replay=_replay,
            new_recording=lambda chosen, kind: new_file(chosen, folders.recordings_dir(), kind),
            new_still=lambda chosen: new_file(chosen, folders.stills_dir(), "png"),
        ),
        set_priority=set_priority,
        looks=_choices,
        network=addresses,
    )


def _choices() -> list[LookChoice]:
    """What the window offers: the looks, the user's own among them, and the scenes."""
    live = (look for look in (*looks(), *own_looks(folders.looks_dir())) if look.live)
    return [
        *(LookChoice(name=each.name, title=each.title, description=each.description, group=each.group)
          for each in live),
        *(LookChoice(name=f"{SCENES}:{each.name}", title=each.title, description="", group=SCENES)
          for each in entries("scenes")),
    ]  # fmt: skip


def _recording(path: Path, format: RecordingFormat) -> Sink:
    from overpaint.media.sinks.recording import RecordingSink  # FFmpeg takes 0.1 s to load

    return RecordingSink(path, format)


def _replay(format: RecordingFormat) -> ReplayBuffer:
    from overpaint.media.sinks.replay_buffer import ReplaySink

    return ReplaySink(format)


# ---- the live process, without a window --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """The options of ``overpaint stream``.

    Attributes:
        order: Source, style, output, duration.
        model: Realtime model.
        link: Links to offer.
        server: Address of a remote service; "" for the local core.
        camera: Device of the virtual camera when it is the output.
        ice_servers: STUN and TURN servers, in addition to those of the service.
        fall_back: Whether to fail over to the local core while the remote service is unreachable.
        allow_http: Whether the connection to the remote service may be unencrypted.
    """

    order: StreamOrder
    model: RealtimeModel
    link: LinkChoice
    server: str
    camera: str
    ice_servers: tuple[str, ...] = ()
    fall_back: bool = False
    allow_http: bool = False


def run_stream(folder: Path, request: StreamRequest, show: Callable[[Progress], None]) -> dict[str, Any]:
    """Streams until the end, and returns the report. Raises ``OverpaintError``."""
    check_versions()
    children.set_priority("raised")
    main_thread = MainThread()
    lease = _lease(folder)  # starts no core until its address is needed
    access: ServiceAccess = lease
    if request.server:
        check_encrypted(request.server, request.allow_http)
        access = RemoteAccess(request.server, allow_http=request.allow_http)
    options = SessionOptions(model=request.model, transports=transports(request.link))
    camera = (lambda: VirtualCameraSink(request.camera)) if request.order.sink is None else None
    servers = tuple(IceServer.parse(each) for each in request.ice_servers)

    def cpu_seconds() -> float:
        own = os.getpid()
        return cpu_seconds_of([own, *workers_of(own), *([lease.pid] if lease.pid else [])])

    async def work(stop: asyncio.Event) -> dict[str, Any]:
        async with charge_notes(folder) as book:
            try:
                fallback = LocalFallback(lease) if request.fall_back else NoFallback()
                parts = machine(folder, main_thread, access, fallback, camera, ice_servers=servers)
                live = Live(parts, options, lambda: None, book.note_session, lambda: False)
                return await stream(live, request.order, stop, show, cpu_seconds)
            finally:
                lease.release()

    return main_thread.run_beside(work)


def run_transform(
    folder: Path,
    order: TransformOrder,
    server: str,
    watcher: Watcher,
    allow_http: bool = False,
) -> list[Outcome]:
    """Restyles files until the end, or until Ctrl+C, which leaves no partial file.

    Args:
        folder: The data folder.
        order: Files, prompt, output folder.
        server: Address of a remote service; "" for the local core.
        watcher: Receives the progress, and what was charged after Ctrl+C.
        allow_http: Whether the connection to the remote service may be unencrypted.

    Raises:
        OverpaintError: The order is wrong, or there is no service.
        KeyboardInterrupt: Ctrl+C.
    """
    check_encrypted(server, allow_http)
    lease = _lease(folder) if not server else None

    async def work() -> list[Outcome]:
        # asyncio turns SIGINT into the cancellation of this task; SIGTERM does the same.
        signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
        access = lease or RemoteAccess(server, allow_http=allow_http)
        async with charge_notes(folder) as book:

            def note(source: Path, voucher: Voucher, credits: int, outcome: ChargeOutcome) -> None:
                kind, id = KINDS[voucher.model], voucher.order_key
                book.note(kind, credits, source.name, id, server=server, outcome=outcome)

            clips = clip_workers(folder / "conversions")
            try:
                with PictureDecoder() as decoder:
                    return await transform(access, order, watcher, note, Converters(decoder, clips))
            finally:
                await clips.close()

    try:
        return asyncio.run(work())
    finally:
        if lease is not None:
            lease.release()


def _lease(folder: Path) -> CoreLease:
    """A command's lease: it meets the loss of the core at its next request, and shows no balance."""
    return CoreLease(folder, lost=lambda: None, books_changed=lambda: None)


# ---- the live process, for a window ------------------------------------------------------------------


def run_live(
    folder: Path, start_core: Callable[[], None], ready: Callable[[], None], former_ends_s: float = 0.0
) -> None:
    """Runs the live process: serves windows until one sends ``Quit``, or until nothing needs it.

    Args:
        folder: The data folder.
        start_core: Starts the service core of that folder; may block.
        ready: Called when windows can connect.
        former_ends_s: How long to wait for the end of a former live process.

    Raises:
        ProcessError: A live process already serves this data folder (``already_running``), or a library has
            an untested version (``start_failed``).
    """
    check_versions()
    role = Role(folder, "live")
    role.take(former_ends_s)
    children.set_priority("raised")
    main_thread = MainThread()
    try:
        main_thread.run_beside(
            lambda stop: _serve_windows(folder, role, main_thread, stop, start_core, ready)
        )
    finally:
        role.leave()


async def _serve_windows(
    folder: Path,
    role: Role,
    main_thread: MainThread,
    stop: asyncio.Event,
    start_core: Callable[[], None],
    ready: Callable[[], None],
) -> None:
    loop = asyncio.get_running_loop()
    memory = LiveMemory(folder)
    wishes = memory.settings
    news = asyncio.Event()
    options = SessionOptions(model=_model(wishes.model), ttl_seconds=wishes.ttl_seconds)

    def publish(news: AnyNews) -> None:
        windows.publish(news)  # created last, because it needs the other parts

    def make_live(switch: ServiceSwitch, charged: Charged) -> Live:
        parts = machine(
            folder,
            main_thread,
            switch,
            switch,
            lambda: HeldCamera(folder, wishes.camera_device),
            lambda low: _set_priority(low, switch.lease),
        )
        return Live(parts, options, news.set, charged, lambda: windows.previewed)

    decoder, clips = PictureDecoder(), clip_workers(folder / "conversions")
    services = ServiceCoordinator(
        folder,
        memory,
        lambda changed: CoreLease(folder, changed, changed, start_core),
        folders.results_dir(),
        Converters(decoder, clips),
        publish,
        make_live,
    )
    live = services.live
    look_pictures = LookPictures(LookPainter(), LiveStream(live), publish)
    file_previews = FilePreviews(LookPainter(), decoder, publish)
    source_pictures = SourcePictures(
        live.source.find,
        lambda: live.source.choices,
        lambda source: thumbnail(source, main_thread),
        publish,
        lambda: windows.forget("source_picture"),
    )

    updates = UpdateCheck(folder, address_of(wishes.releases_address), publish)

    def follow() -> None:
        services.queue.follow()
        for pictures in (look_pictures, source_pictures, file_previews):
            pictures.follow(windows.windows > 0)
        updates.follow((live.preferences if memory.restored else wishes).check_updates)
        if not windows.windows:
            live.sound.use("test", False)  # whoever wanted to see the level is gone

    def window_came_or_went() -> None:
        for part in (live.rest.review, news.set, follow):
            loop.call_soon_threadsafe(part)

    dispatcher = IntentDispatcher(
        live, services, look_pictures, source_pictures, file_previews, stop.set, follow
    )
    windows = WindowServer(dispatcher.take, window_came_or_went, live.hub.originals, EventLoopPulse(loop))
    live.viewers.add(windows.put)
    live.sound.told = publish
    memory.restore_style(live)
    role.announce(windows.address, windows.secret)
    ready()
    opening = loop.create_task(services.open())
    try:
        await attend(live, windows, memory, stop, news, lambda: services.queue.busy)
        windows.release()
    finally:
        opening.cancel()
        await asyncio.wait([opening])
        await updates.close()
        await services.close()
        await clips.close()
        windows.close()
        await look_pictures.close()
        await source_pictures.close()
        await file_previews.close()
        await live.close()
        services.switch.close()


def _set_priority(low: bool, core: CoreLease | None) -> None:
    priority: children.Priority = "lowered" if low else "raised"
    children.set_priority(priority)
    if core is not None and core.pid is not None:
        children.set_priority(priority, core.pid)


def _model(name: str) -> RealtimeModel:
    return "service-realtime-720p" if name == "service-realtime-720p" else "service-realtime-1080p"
