"""A live process at the edge of the window: it speaks the real messages over the real channel, and does
only what a test tells it to."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import LinkError
from overpaint.media.frames import FrameKind
from overpaint.media.links.frame_ring import RingPort
from overpaint.processes.channel import Channel, ChannelServer
from overpaint.processes.roles import Role
from overpaint.processes.supervision.heartbeat import PING, PONG
from overpaint.wire.camera import CameraListing
from overpaint.wire.live import (
    AnyIntent,
    AnyNews,
    Balance,
    Camera,
    Delays,
    Figures,
    Hello,
    LiveSnapshot,
    LookChoice,
    SessionFacts,
    SetPreview,
    SourceChoice,
    parse_intent,
)
from overpaint.wire.looks import WantLooks
from overpaint.wire.sources import MicrophoneChoice, SoundState, SystemSound
from overpaint.wire.transforms import WantTransformPreview

CAPACITY = 2 * 1920 * 1080 * 4

SOURCES = [
    SourceChoice(source="camera:0", title="Logitech C920", kind="camera"),
    SourceChoice(source="screen:0", title="Screen 1 · 1920×1080", kind="screen"),
    SourceChoice(source="demo", title="Demo", kind="demo"),
]
LOOKS = [
    LookChoice(name=name, title=title, description=description)
    for name, title, description in (
        ("ink-comic", "Ink comic", "Bold ink lines over flat, printed colour"),
        ("pencil-sketch", "Pencil sketch", "Graphite lines and hatching on warm paper"),
        ("watercolour", "Watercolour", "Soft washes that bleed at the edges"),
        ("oil-painting", "Oil painting", "Thick strokes that follow the form"),
        ("halftone-print", "Halftone print", "Newspaper dots at an angle"),
        ("pixel-art", "Pixel art", "Large blocks in a small palette"),
        ("film-noir", "Film noir", "High contrast black and white with grain"),
        ("colour-grade", "Colour grade", "The colours of your reference photo"),
    )
]
BALANCE = Balance(
    credits_remaining=1840, key_name="desktop", environment="live", masked="ovp_live_…4f2a", server=""
)
ELSEWHERE = "https://studio.example"
SESSION = SessionFacts(
    id="rts_1",
    model="service-realtime-1080p",
    engine="classic",
    link="shared_memory",
    seconds=872,
    billed_seconds=870,
    expires_in_seconds=395,
    renews_in_seconds=375,
)
FIGURES = Figures(
    fps_in=30.0, fps_out=29.9, delay_ms_p50=38.2, delay_ms_p95=52.4, dropped=3, width=1920, height=1080
)
DELAYS = Delays(
    median_ms=38.4,
    p95_ms=61.0,
    seconds_ms=tuple(
        None if second in (20, 21) else 36 + 6 * (second % 7 == 3) + 21 * (second == 41) + second % 3
        for second in range(60)
    ),
)
SLATE = Camera(
    state="slate", listing=CameraListing(path="/dev/video10"), title="Overpaint Camera", read=False
)

MICROPHONES = (
    MicrophoneChoice(microphone="alsa_input.usb-yeti", title="Blue Yeti"),
    MicrophoneChoice(microphone="alsa_input.pci", title="Built-in Audio Analog Stereo"),
)
SOUND = SoundState(choices=MICROPHONES, system=SystemSound(offered=True))

_STOPPED = LiveSnapshot(
    state="stopped",
    on_air=False,
    on_air_seconds=0,
    server="",
    source="camera:0",
    source_title="Logitech C920",
    prompt="ink comic",
    understood="",
    reading=None,
    has_reference=False,
    camera=SLATE,
    figures=Figures(),
    session=None,
    balance=BALANCE,
    recording=None,
    recording_seconds=0,
    recorded=None,
    sound=SOUND,
    sources=SOURCES,
    looks=LOOKS,
)


def stopped(**changes: Any) -> LiveSnapshot:
    """No session, everything at hand."""
    return _STOPPED.model_copy(update=changes)


def previewing(**changes: Any) -> LiveSnapshot:
    """A session that only the user sees."""
    running = {
        "state": "live",
        "understood": "Ink comic",
        "figures": FIGURES,
        "delays": DELAYS,
        "session": SESSION,
    }
    return stopped(**(running | changes))


def on_air(**changes: Any) -> LiveSnapshot:
    """A session that others see."""
    shown = {"on_air": True, "on_air_seconds": 611, "camera": SLATE.model_copy(update={"state": "live"})}
    return previewing(**(shown | changes))


def elsewhere(snapshot: LiveSnapshot, credits: int = 1840, server: str = ELSEWHERE) -> LiveSnapshot:
    """The same with another service, which is paid."""
    balance = BALANCE.model_copy(update={"server": server, "credits_remaining": credits})
    return snapshot.model_copy(update={"server": server, "balance": balance})


class ScriptedLive:
    """Announces itself in a data folder, answers a hello with the snapshot it was given, keeps intents.

    Attributes:
        intents: What the window sent, but for hellos, preview sizes and what is below.
        wanted: Names of the looks that the window wants painted.
        moving: Name of the look that it wanted to move with each of them; empty for none.
        asked: Each of these wishes whole.
        previews: The previews of files that it wants.
        sizes: The preview sizes that the window asked for.
        originals_wanted: Whether it wanted the originals with each of them.
        windows: Connections of windows so far.
    """

    def __init__(self, folder: Path, snapshot: LiveSnapshot | None = None, reads: bool = True) -> None:
        self.intents: queue.Queue[AnyIntent] = queue.Queue()
        self.sizes: list[tuple[int, int]] = []
        self.originals_wanted: list[bool] = []
        self.wanted: list[tuple[str, ...]] = []
        self.moving: list[str] = []
        self.asked: list[WantLooks] = []
        self.previews: list[WantTransformPreview] = []
        self.windows = 0
        self._news: dict[str, AnyNews] = {"snapshot": snapshot or stopped()}
        self._reads = reads
        self._guard = threading.Lock()
        self._channels: list[Channel] = []
        self._port: RingPort | None = None
        self._ended = threading.Event()
        self._role = Role(folder, "live")
        self._role.take()
        self._server = ChannelServer(self._serve, "scripted-live")
        self._role.announce(self._server.address, self._server.secret)

    def say(self, news: AnyNews) -> None:
        """Sends a snapshot, or other news, to every window, now and on connecting."""
        with self._guard:
            self._news[news.type] = news
            channels = list(self._channels)
        for channel in channels:
            channel.send(news.model_dump_json().encode())

    def show(self, picture: NDArray[np.uint8], number: int = 0) -> bool:
        """Sends a BGRX picture to the preview; False while no preview is connected or it is slow."""
        port = self._port
        return port is not None and port.send(picture, number, 0, FrameKind.STYLED)

    def next_intent(self, timeout_s: float = 5.0) -> AnyIntent:
        """Waits for the next intent."""
        return self.intents.get(timeout=timeout_s)

    def end(self) -> None:
        """Ends like a process that dies."""
        self._ended.set()
        self._server.close()
        self._role.leave()

    def _serve(self, channel: Channel) -> None:
        message = channel.receive()
        assert message is not None
        hello = parse_intent(message)
        assert isinstance(hello, Hello)
        if hello.role == "preview":
            self._serve_preview(channel)
        else:
            self._serve_window(channel)

    def _serve_preview(self, channel: Channel) -> None:
        port = self._port = RingPort(channel, CAPACITY)
        try:
            port.run()
        except LinkError:
            pass
        finally:
            self._port = None

    def _serve_window(self, channel: Channel) -> None:
        with self._guard:
            for news in self._news.values():
                channel.send(news.model_dump_json().encode())
            self.windows += 1
            self._channels.append(channel)
        try:
            while self._reads:
                message = channel.receive()
                assert message is not None
                if message == PING:
                    channel.send(PONG)
                    continue
                intent = parse_intent(message)
                if isinstance(intent, SetPreview):
                    self.sizes.append((intent.width, intent.height))
                    self.originals_wanted.append(intent.original)
                elif isinstance(intent, WantLooks):
                    self.asked.append(intent)
                    self.wanted.append(tuple(look.name for look in intent.looks))
                    self.moving.append(intent.moving.name if intent.moving is not None else "")
                elif isinstance(intent, WantTransformPreview):
                    self.previews.append(intent)
                else:
                    self.intents.put(intent)
            self._ended.wait()
        except LinkError:
            pass
        finally:
            with self._guard:
                self._channels.remove(channel)
