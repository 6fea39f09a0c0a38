"""Writer of OBS's virtual camera on Windows: three NV12 pictures in shared memory.

OBS's DirectShow filter, loaded by every program that shows the camera, reads them. The filter is installed
with OBS Studio; OBS itself need not run. While a writer has the queue, no other may. Must not know what the
pictures show.

Source: the interface of OBS Studio's virtual camera (obs-studio, plugins/win-dshow): names of the shared
memory and of the filter's class, layout and states of the queue.
"""

from __future__ import annotations

import mmap
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.media.frames import now_ns

QUEUE = "OBSVirtualCamVideo"
"""Name of the shared memory, in the user's session."""
TITLE = "OBS Virtual Camera"
FILTER = r"SOFTWARE\Classes\CLSID\{A3FCE0F5-3493-419F-958A-ABA1250EC20B}\InprocServer32"
"""Registry key of the filter's library, of the machine or of the user."""

STARTING, READY, STOPPING = 1, 2, 3
_PICTURES = 3
_HEADER = struct.Struct("<III 3I III 4x Q 32x")
"""Numbers of the written and readable picture, state, places of the pictures, kind (0: video), width, height,
and interval in 100 ns."""
_STAMP_BYTES = 32
"""Room before each picture, which begins with its time in ns."""
_ALIGNMENT = 32


@dataclass(frozen=True, slots=True)
class QueueLayout:
    """Layout of the queue for one size of pictures.

    Attributes:
        width: Pixels, even.
        height: Pixels, even.
    """

    width: int
    height: int

    @property
    def picture_bytes(self) -> int:
        """Bytes of a picture, NV12."""
        return self.width * self.height * 3 // 2

    @property
    def places(self) -> tuple[int, ...]:
        """Places of the pictures' time stamps, bytes from the beginning."""
        first = _aligned(_HEADER.size)
        return tuple(first + number * self._step for number in range(_PICTURES))

    @property
    def bytes(self) -> int:
        """Size of the shared memory."""
        return _aligned(_HEADER.size) + _PICTURES * self._step

    @property
    def _step(self) -> int:
        return _aligned(_STAMP_BYTES + self.picture_bytes)


class ObsQueueWriter:
    """The queue, from its making to ``close``.

    Args:
        width: Pixels of each picture, even.
        height: Pixels of each picture, even.
        fps: Frames a second, as told to readers.

    Raises:
        FileExistsError: OBS or another program feeds the camera, or a reader still has a former queue.
    """

    device = TITLE

    def __init__(self, width: int, height: int, fps: float) -> None:
        self._layout = layout = QueueLayout(width, height)
        self._written = 0
        self._memory = _shared_memory(layout.bytes)
        self._pictures = np.frombuffer(self._memory, np.uint8)
        interval = round(10_000_000 / fps)
        _HEADER.pack_into(self._memory, 0, 0, 0, STARTING, *layout.places, 0, width, height, interval)

    def send(self, image: NDArray[np.uint8]) -> None:
        """Writes one picture, I420, uint8 of (height × 3/2, width), of the queue's size."""
        layout, number = self._layout, self._written + 1
        place = layout.places[number % _PICTURES]
        struct.pack_into("<Q", self._memory, place, now_ns())
        start = place + _STAMP_BYTES
        picture = self._pictures[start : start + layout.picture_bytes].reshape(-1, layout.width)
        rows = layout.height
        picture[:rows] = image[:rows]
        half = rows // 2, layout.width // 2
        blue, red = image[rows:].reshape(2, *half)
        cv2.merge((blue, red), picture[rows:].reshape(*half, 2))
        self._written = number
        # The number last: until it changes, readers take the picture before.
        struct.pack_into("<III", self._memory, 0, number & 0xFFFFFFFF, number & 0xFFFFFFFF, READY)

    def close(self) -> None:
        """Tells readers that there are no more pictures, and gives the queue up. Idempotent."""
        if self._memory.closed:
            return
        struct.pack_into("<I", self._memory, 8, STOPPING)
        del self._pictures
        self._memory.close()


def is_installed() -> bool:
    """Returns whether OBS's camera is registered with Windows, and its library there."""
    found: list[str] = []
    if sys.platform == "win32":
        import winreg

        for root in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
            with suppress(OSError):
                found.append(winreg.QueryValue(root, FILTER))
    return any(Path(library).is_file() for library in found)


def _shared_memory(size: int) -> mmap.mmap:
    """Makes the shared memory. Raises ``FileExistsError`` where there is one of this name."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenFileMappingW.restype = ctypes.c_void_p
        found = kernel.OpenFileMappingW(4, False, QUEUE)  # FILE_MAP_READ
        if found:
            kernel.CloseHandle(ctypes.c_void_p(found))
            raise FileExistsError(QUEUE)
        return mmap.mmap(-1, size, tagname=QUEUE)
    raise NotImplementedError


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
