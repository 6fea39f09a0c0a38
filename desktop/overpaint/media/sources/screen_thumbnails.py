"""Thumbnails of screens and windows, for a chooser.

Must not know the chooser.
"""

from __future__ import annotations

import threading

import cv2

from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import RawFrame
from overpaint.media.sources import parse_source
from overpaint.media.sources.qt_loop import MainThread
from overpaint.portal import is_wayland
from overpaint.wire.sources import SourceOptions

SIZE = (320, 180)
PATIENCE_S = 1.0
"""Time limit for a window's picture; a minimised window has none."""
JPEG_QUALITY = 80


class _First:
    """A listener that keeps the first frame."""

    def __init__(self) -> None:
        self.frame_kept: RawFrame | None = None
        self.arrived = threading.Event()

    def frame(self, frame: RawFrame) -> None:
        """A frame of the source."""
        if self.frame_kept is None:
            self.frame_kept = frame
            self.arrived.set()

    def lost(self, error: SourceError) -> None:
        """The source ended by itself."""
        self.arrived.set()


def thumbnail(text: str, main_thread: MainThread) -> bytes | None:
    """Makes a JPEG of at most ``SIZE``, letterboxed.

    Args:
        text: The source as ``--source`` takes it: a screen or a window.
        main_thread: Qt's thread; this waits for it, so call it from another thread.

    Returns:
        None where there is no picture, and on Wayland, where each would ask the user.
    """
    from overpaint.media.sources.screen_source import ScreenSource, WindowSource

    if is_wayland():
        return None
    spec = parse_source(text)
    source = (
        ScreenSource(spec.index, main_thread, wishes=_without_pointer)
        if spec.kind == "screen"
        else WindowSource(spec.name, main_thread, _without_pointer)
    )
    source.first_frame_seconds = PATIENCE_S
    first = _First()
    try:
        source.start(*SIZE, first)
    except SourceError:
        return None
    finally:
        source.stop()
    if first.frame_kept is None:
        return None
    bgr = pictures.to_bgr(first.frame_kept.image)
    done, jpeg = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return jpeg.tobytes() if done else None


def _without_pointer(_identity: str) -> SourceOptions:
    return SourceOptions(pointer=False)
