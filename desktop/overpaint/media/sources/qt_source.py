"""The base class of sources captured through Qt: opening, pace, numbering, end.

Must not know which device it is.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import Picture, RawFrame, now_ns
from overpaint.media.sources import SourceListener, Wishes
from overpaint.media.sources.qt_frames import to_i420
from overpaint.media.sources.qt_loop import MainThread
from overpaint.wire.sources import SourceOffer, SourceOptions

if TYPE_CHECKING:
    from PySide6.QtCore import QTimer
    from PySide6.QtMultimedia import QVideoFrame, QVideoSink

MOST_FPS = 60.0
"""Most frames a second of any source."""


def as_it_comes(_identity: str) -> SourceOptions:
    """Returns the default options."""
    return SourceOptions()


class Pace:
    """A limiter of the frame rate that passes frames evenly, with a tolerance of a quarter of an interval."""

    def __init__(self) -> None:
        self._due_ns = 0

    def admits(self, time_ns: int, fps: float) -> bool:
        """Returns whether the frame of this time passes, of at most so many a second."""
        step_ns = round(1e9 / fps)
        if time_ns < self._due_ns - step_ns // 4:
            return False
        if time_ns > self._due_ns + step_ns:
            self._due_ns = time_ns
        self._due_ns += step_ns
        return True


class QtSource(ABC):
    """A source captured by Qt. Callbacks come from the main thread, in ``MainThread.run``.

    Args:
        main_thread: Qt's thread. ``start`` and ``stop`` are called from other threads.
        wishes: Returns the user's options.

    Attributes:
        title: Its name for the user; exact once started.
        identity: See ``Source``.
        aspect: See ``Source``.
        offer: See ``Source``.
        trouble: See ``Source``.
    """

    first_frame_seconds = 5.0
    silence_ms = 5000

    def __init__(self, main_thread: MainThread, wishes: Wishes = as_it_comes) -> None:
        self.title = ""
        self.identity = ""
        self.aspect = 0.0
        self.offer = SourceOffer()
        self.trouble: SourceError | None = None
        self._wishes = wishes
        self._main = main_thread
        self._listener: SourceListener | None = None
        self._size = (0, 0)
        self._number = 0
        self._pace = Pace()
        self._last: Picture | None = None
        self._first = threading.Event()
        self._failure: SourceError | None = None
        self._sink: QVideoSink | None = None
        self._silence: QTimer | None = None

    @property
    def fps(self) -> float:
        """Most frames a second that are passed on."""
        return float(self._wishes(self.identity).fps)

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        """Opens the input and waits for its first picture (at most ``first_frame_seconds``).

        Raises:
            SourceError: It is missing, busy, denied or unreadable.
        """
        self.stop()
        self._size = (width, height)
        self._number, self._last, self._failure = 0, None, None
        self._pace = Pace()
        self._first.clear()
        self._listener = listener
        try:
            self._main.call(self._begin)
            arrived = self._first.wait(self.first_frame_seconds)
            if self._failure is not None:
                raise self._failure
            if not arrived:
                self.stop()  # first, so that the check for other users of the device does not find us
                raise self._no_picture()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Ends delivery and frees the device; no callback comes after it. Idempotent."""
        self._main.free(self._finish)

    @abstractmethod
    def _open(self, sink: QVideoSink) -> None:
        """Opens the device so that it feeds the sink; on the main thread. Raises ``SourceError``."""

    @abstractmethod
    def _shut(self) -> None:
        """Frees the device, opened or not; on the main thread."""

    @abstractmethod
    def _no_picture(self) -> SourceError:
        """Returns the error when nothing came after opening succeeded; on the starting thread."""

    @abstractmethod
    def _silent(self) -> None:
        """Called on the main thread when nothing has come for ``silence_ms``."""

    def _begin(self) -> None:
        from PySide6.QtCore import QTimer
        from PySide6.QtMultimedia import QVideoSink

        self._sink = QVideoSink()
        self._sink.videoFrameChanged.connect(self._received)
        self._silence = QTimer()
        self._silence.setSingleShot(True)
        self._silence.setInterval(self.silence_ms)
        self._silence.timeout.connect(self._silent)
        self._open(self._sink)

    def _finish(self) -> None:
        self._listener = None
        if self._sink is not None:
            self._sink.videoFrameChanged.disconnect(self._received)
            self._shut()
            self._sink = None
        if self._silence is not None:
            self._silence.stop()
            self._silence = None

    def _received(self, frame: QVideoFrame) -> None:
        time_ns = now_ns()
        if self._listener is None or not frame.isValid() or not self._pace.admits(time_ns, self.fps):
            return
        try:
            image = to_i420(frame)
        except SourceError as error:
            self._fail(error)
            return
        if image is not None:
            image = self._part(image)
            self.aspect = image.shape[1] / (image.shape[0] * 2 // 3)
            self._last = pictures.fit(image, *self._size)
            self._deliver(self._last, time_ns)

    def _part(self, image: Picture) -> Picture:
        """Returns the wanted part of a captured picture: all of it."""
        return image

    def _deliver(self, image: Picture, time_ns: int) -> None:
        listener = self._listener
        if listener is None:
            return
        if self._silence is not None:
            self._silence.start()
        frame = RawFrame(image, self._number, time_ns)
        self._number += 1
        self._first.set()
        listener.frame(frame)

    def _fail(self, error: SourceError) -> None:
        """Ends delivery with an error: raised by ``start`` while that waits, else passed to ``lost``."""
        listener, self._listener = self._listener, None
        if listener is None:
            return
        if self._silence is not None:
            self._silence.stop()
        if self._first.is_set():
            listener.lost(error)
        else:
            self._failure = error
            self._first.set()
