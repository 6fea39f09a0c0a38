"""Preview receiver: pictures from the live process for the stage, through shared memory.

A thread copies pictures out of the frame ring and keeps only the newest. Qt's thread gets one signal,
however many pictures arrive before it takes one. Must not know what is painted where.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from overpaint.errors import LinkError
from overpaint.media.frames import FrameKind
from overpaint.media.links.frame_ring import RingPort
from overpaint.processes import roles
from overpaint.wire.live import Hello

log = logging.getLogger(__name__)

_AGAIN_S = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture for the stage: BGRX uint8 (height, width, 4), copied out of shared memory.

    Attributes:
        styled: The styled picture.
        original: The source's picture of the same size, while the user compares; else None.
    """

    styled: NDArray[np.uint8]
    original: NDArray[np.uint8] | None = None


class PreviewReceiver(QObject):
    """Receiver of preview pictures, while connected.

    Args:
        data_dir: The data folder, in which the live process announces its address.
    """

    picture_arrived = Signal()
    """A picture can be taken (``take``); not emitted again before that."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__()
        self._data_dir = data_dir
        self._guard = threading.Lock()
        self._picture: Shown | None = None
        self._port: RingPort | None = None
        self._wanted = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._receive, name="preview-receiver", daemon=True)

    def start(self) -> None:
        """Starts the thread, which waits until ``follow`` reports a connection."""
        self._thread.start()

    def follow(self, connected: bool) -> None:
        """Starts or stops receiving; a slot for ``LiveBridge.connection_changed``."""
        if connected:
            self._wanted.set()
        else:
            self._wanted.clear()

    def take(self) -> Shown | None:
        """Returns the newest picture, once; None if there is no new one."""
        with self._guard:
            picture, self._picture = self._picture, None
            return picture

    def close(self) -> None:
        """Ends the thread; no signal is emitted afterwards. Idempotent."""
        with self._guard:
            self._ended.set()
            port = self._port
        self._wanted.set()
        if port is not None:
            port.close()
        if self._thread.is_alive():
            self._thread.join(timeout=0.5)

    def _receive(self) -> None:
        try:
            while True:
                self._wanted.wait()
                if self._ended.is_set():
                    return
                self._run_port()
                self._ended.wait(_AGAIN_S)
        except Exception:
            log.exception("the preview ended for an unknown reason")

    def _run_port(self) -> None:
        channel = roles.call(self._data_dir, "live")
        if channel is None:
            return
        try:
            channel.send(Hello(role="preview").model_dump_json().encode())
            port = RingPort(channel, capacity_bytes=0, on_picture=self._keep)
            with self._guard:
                self._port = port
                if self._ended.is_set():
                    return
            port.run()
        except LinkError:
            pass
        finally:
            channel.close()
            with self._guard:
                self._port = None

    def _keep(self, picture: NDArray[np.uint8], number: int, captured_ns: int, kind: FrameKind) -> None:
        with self._guard:
            waiting = self._picture is not None
            self._picture = _parted(picture)
            if not waiting and not self._ended.is_set():
                self.picture_arrived.emit()


def _parted(picture: NDArray[np.uint8]) -> Shown:
    """Splits what the ring carries: (2, height, width * 4) with the original, (height, width, 4) without."""
    if picture.shape[2] == 4:
        return Shown(picture)
    both = picture.reshape(2, picture.shape[1], -1, 4)
    return Shown(both[0], both[1])
