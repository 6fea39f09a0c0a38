"""The preview sender: styled frames at a window's size, with the original while the user compares.

A raw frame that gets here goes only to the user's window. A slate is sent again until the window has it,
since it replaces a picture that may no longer be shown. Must not know windows or outputs.
"""

from __future__ import annotations

import threading

import numpy as np

from overpaint.errors import LinkError
from overpaint.media import pictures
from overpaint.media.frames import Frame, FrameSlot, Picture, StyledFrame
from overpaint.media.links.frame_ring import RingPort
from overpaint.session.output.original_frames import Originals

_AGAIN_S = 0.05
"""Delay before a slate is sent again for which the ring had no room."""


class PreviewStage:
    """The preview thread of one window.

    A picture is sent as (height, width, 4), a picture with its original as (2, height, width * 4), because a
    ring carries three dimensions.

    Args:
        port: Ring to the window; closed here.
        originals: Recent raw frames.
    """

    def __init__(self, port: RingPort, originals: Originals) -> None:
        self._port = port
        self._originals = originals
        self._slot: FrameSlot[StyledFrame] = FrameSlot()
        self._size = (0, 0)
        self._buffer = np.empty((0, 0, 0, 4), np.uint8)
        self.shown = 0
        threading.Thread(target=self._run, name="preview", daemon=True).start()

    def put(self, frame: StyledFrame) -> None:
        """A new styled frame; never blocks."""
        if self._size != (0, 0) or frame.kind.is_slate:
            self._slot.put(frame)

    def set_size(self, width: int, height: int) -> None:
        """Sets the size of the window's picture, in physical pixels; (0, 0) for no preview."""
        self._size = (width, height)
        self._slot.wake()

    def close(self) -> None:
        """Ends the thread; idempotent."""
        self._slot.close()
        self._port.close()

    def _run(self) -> None:
        owed: StyledFrame | None = None
        while not self._slot.closed:
            waits = owed is not None and self._size != (0, 0)
            frame = self._slot.take(_AGAIN_S if waits else None) or owed
            if frame is None:
                continue
            if frame.kind.is_slate:
                owed = frame
            try:
                if self._send(frame):
                    self.shown += 1
                    owed = None
            except LinkError:
                return

    def _send(self, frame: StyledFrame) -> bool:
        """Sends a frame; returns whether the ring had room. Raises ``LinkError``."""
        width, height = preview_size(self._size, frame.width, frame.height)
        if width < 2 or height < 2:
            return False
        original = self._originals.of(frame)
        shown = self._drawn((frame,) if original is None else (frame, original), width, height)
        picture = shown[0] if original is None else shown.reshape(2, height, width * 4)
        return self._port.send(picture, frame.number, frame.captured_ns, frame.kind)

    def _drawn(self, frames: tuple[Frame, ...], width: int, height: int) -> Picture:
        shape = (len(frames), height, width, 4)
        if self._buffer.shape != shape:
            self._buffer = np.empty(shape, np.uint8)
        for frame, target in zip(frames, self._buffer, strict=True):
            # Scaled before the colour conversion: a quarter of the work at half the size.
            pictures.to_bgrx(pictures.resize(frame.image, width, height), target)
        return self._buffer


def preview_size(wanted: tuple[int, int], width: int, height: int) -> tuple[int, int]:
    """Returns the largest even size of the frame's aspect inside the wanted one, at most the frame's own.

    A size within two pixels of the wanted one becomes the wanted one: otherwise a window that rounds
    differently would scale every picture.
    """
    scale = min(wanted[0] / width, wanted[1] / height, 1.0)
    size = int(width * scale) // 2 * 2, int(height * scale) // 2 * 2
    near = all(0 <= most - side <= 2 for most, side in zip(wanted, size, strict=True))
    return wanted if near and not (wanted[0] % 2 or wanted[1] % 2) else size
