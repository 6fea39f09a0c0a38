"""The window server: receives intents, publishes snapshots, and sends each window its preview.

A window may hang, crash or disappear: each has its own threads and slot here, so none can block the stream
or another window. Must not know what the intents mean.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

from pydantic import ValidationError

from overpaint.errors import LinkError
from overpaint.media.frames import StyledFrame
from overpaint.media.links.frame_ring import RingPort
from overpaint.processes.channel import Channel, ChannelServer
from overpaint.processes.supervision.heartbeat import PING, PONG
from overpaint.session.output.original_frames import Originals
from overpaint.session.output.preview_sender import PreviewStage
from overpaint.wire.course import Course
from overpaint.wire.live import AnyIntent, AnyNews, Hello, Intent, SetPreview, parse_intent, topic

log = logging.getLogger(__name__)

PREVIEW_BYTES = 2 * 1920 * 1080 * 4
"""Size of the ring for a picture and its original; memory is used only as it is written to."""
PREVIEW_SLOTS = 3
COURSE = topic(Course())


class WindowServer:
    """The server of all windows.

    Args:
        intend: Receives each intent, on a window's thread.
        changed: Called, from any thread, when the number of windows or their previews change.
        originals: Raw frames for a window that compares.
        pulse: Returns once the live process's event loop has advanced; the heartbeat.
    """

    def __init__(
        self,
        intend: Callable[[Intent], None],
        changed: Callable[[], None],
        originals: Originals,
        pulse: Callable[[], None],
    ) -> None:
        self._intend = intend
        self._pulse = pulse
        self._changed = changed
        self._originals = originals
        self._guard = threading.Condition()
        self._news: dict[str, tuple[int, bytes]] = {}
        self._version = 0
        self._closed = False
        self._size = (0, 0)
        self._previews: tuple[PreviewStage, ...] = ()
        self.windows = 0
        self._guards = 0
        self._watchers: tuple[Channel, ...] = ()
        self._server = ChannelServer(self._serve, "window")

    @property
    def address(self) -> str:
        """Of the channel server."""
        return self._server.address

    @property
    def secret(self) -> str:
        """Of the channel server."""
        return self._server.secret

    def publish(self, news: AnyNews) -> None:
        """Sends a message to every window, now and on connecting; only the newest of each topic counts,
        and a slow window gets only that.
        """
        message = news.model_dump_json().encode()
        with self._guard:
            self._version += 1
            self._news[topic(news)] = (self._version, message)
            self._guard.notify_all()

    @property
    def guarded(self) -> bool:
        """Whether a window watches this process, by heartbeat."""
        return self._guards > 0

    def release(self) -> None:
        """Tells watchers that this process ends on request, so that none starts a successor."""
        with self._guard:
            watchers = self._watchers
        for channel in watchers:
            with suppress(LinkError):
                channel.send(Course(ends=True).model_dump_json().encode())

    def forget(self, kind: str) -> None:
        """Drops the kept message of a type: later connections get none."""
        with self._guard:
            self._news = {about: news for about, news in self._news.items() if about.split()[0] != kind}

    def put(self, frame: StyledFrame) -> None:
        """Sends a styled frame to every preview; never blocks."""
        for preview in self._previews:
            preview.put(frame)

    @property
    def previewed(self) -> bool:
        """Whether a window shows the picture."""
        with self._guard:
            return bool(self._previews) and self._size != (0, 0) and self.windows > 0

    def close(self) -> None:
        """Ends every connection."""
        with self._guard:
            self._closed = True
            self._guard.notify_all()
        self._server.close()

    def _serve(self, channel: Channel) -> None:
        message = channel.receive(timeout=5.0)
        hello = _parsed(message) if message is not None else None
        if not isinstance(hello, Hello):
            return
        match hello.role:
            case "preview":
                self._serve_preview(channel)
            case "watcher":
                self._serve_watcher(channel)
            case "window":
                self._serve_window(channel)

    def _serve_window(self, channel: Channel) -> None:
        with self._guard:
            self.windows += 1
        self._changed()
        guards = 0
        try:
            for said in self._heard(channel):
                match said:
                    case SetPreview():
                        self._resize(said)
                    case Hello():
                        pass  # only its first message counts
                    case None if not guards:
                        guards = 1
                        with self._guard:
                            self._guards += 1
                        self._changed()
                    case None:
                        pass
                    case _:
                        self._intend(said)
        finally:
            with self._guard:
                self.windows -= 1
                self._guards -= guards
                if not self.windows:
                    self._originals.keep(False)
            self._changed()

    def _serve_watcher(self, channel: Channel) -> None:
        with self._guard:
            self._watchers = (*self._watchers, channel)
        try:
            for said in self._heard(channel):
                if not isinstance(said, Hello | SetPreview | None):
                    self._intend(said)
        finally:
            with self._guard:
                self._watchers = tuple(other for other in self._watchers if other is not channel)

    def _heard(self, channel: Channel) -> Iterator[AnyIntent | None]:
        """Yields the other end's intents until it is gone, and None for each ping, which is answered.

        A thread sends it the news meanwhile.
        """
        watches = channel in self._watchers
        threading.Thread(
            target=self._tell, args=(channel, watches), name="window-snapshots", daemon=True
        ).start()
        while True:
            message = channel.receive()
            if message == PING:
                self._pulse()
                channel.send(PONG)
                yield None
            elif message is not None and (intent := _parsed(message)) is not None:
                yield intent

    def _serve_preview(self, channel: Channel) -> None:
        port = RingPort(channel, PREVIEW_BYTES, slots=PREVIEW_SLOTS)
        preview = PreviewStage(port, self._originals)
        with self._guard:
            preview.set_size(*self._size)
            self._previews = (*self._previews, preview)
        self._changed()
        try:
            port.run()
        finally:
            with self._guard:
                self._previews = tuple(other for other in self._previews if other is not preview)
            preview.close()
            self._changed()

    def _resize(self, wanted: SetPreview) -> None:
        self._originals.keep(wanted.original)
        with self._guard:
            self._size = (wanted.width, wanted.height)
            previews = self._previews
        for preview in previews:
            preview.set_size(wanted.width, wanted.height)
        self._changed()

    def _tell(self, channel: Channel, watches: bool) -> None:
        """Sends the course to watchers, everything else to windows."""
        told = 0
        while True:
            with self._guard:
                self._guard.wait_for(lambda seen=told: self._version != seen or self._closed)  # type: ignore[misc]
                if self._closed:
                    return
                messages = [
                    message
                    for about, (version, message) in self._news.items()
                    if version > told and (about == COURSE) is watches
                ]
                told = self._version
            try:
                for message in messages:
                    channel.send(message)
            except LinkError:
                return


def _parsed(message: bytes) -> AnyIntent | None:
    try:
        return parse_intent(message)
    except ValidationError as error:
        log.warning("a window said something unknown: %s", error)
        return None
