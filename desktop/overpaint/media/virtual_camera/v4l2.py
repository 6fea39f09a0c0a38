"""v4l2loopback devices of a Linux machine: list, check for use, write.

Reads sysfs and asks each device node for its capabilities. Must not know sessions or frames, only arrays.
On other systems there is nothing to find.

Sources: the V4L2 API (``VIDIOC_QUERYCAP``, ``VIDIOC_S_FMT``, ``VIDIOC_STREAMON``, "read/write" output) and
v4l2loopback 0.12.7's behaviour.
"""

from __future__ import annotations

import errno
import os
import re
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

DeviceState = Literal["free", "stuck", "busy", "denied"]
"""free: accepts a producer. stuck: would, after ``unstick``. busy: in use. denied: no permission."""

OWN_TITLE = "Overpaint"
"""Prefix of the titles of devices meant for Overpaint."""

_QUERYCAP, _STREAMON = 0x80685600, 0x40045612
_CAPABILITY = struct.Struct("=16s32s32s6I")
_CAPTURE, _OUTPUT = 0x1, 0x2
_FORMAT_AT = struct.calcsize("P")
"""Offset of the format's union after its type; aligned as the pointers in it."""
_FORMAT_BYTES = _FORMAT_AT + 200
_SET_FORMAT = 3 << 30 | _FORMAT_BYTES << 16 | ord("V") << 8 | 5
_BUFFER_TYPE_OUTPUT = 2
_LOOK_AGAIN_S = 0.01
_FED_SECONDS, _PICTURES_KEPT, _PICTURE_MAX_BYTES = 0.5, 3, 1 << 24
_FORMAT = re.compile(r"(?P<fourcc>.{4}):(?P<width>\d+)x(?P<height>\d+)")


@dataclass(frozen=True, slots=True)
class SettledFormat:
    """The settled format of a device, which cannot change while a producer or consumer holds the device.

    Attributes:
        fourcc: V4L2's four letters ("YU12" is I420).
        width: Pixels.
        height: Pixels.
    """

    fourcc: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class LoopbackDevice:
    """A v4l2loopback device.

    Attributes:
        path: Its node.
        title: Its name in other programs.
        state: Whether a producer can open it.
        exclusive: Whether it was made with ``exclusive_caps=1``, without which Chrome lists no loopback; None
        where unknown.
        settled: Its present format; None where nothing has settled it.
    """

    path: str
    title: str
    state: DeviceState
    exclusive: bool | None
    settled: SettledFormat | None

    @property
    def own(self) -> bool:
        """Whether it is meant for Overpaint."""
        return self.title.startswith(OWN_TITLE)


class LoopbackDevices:
    """The loopback devices of this machine.

    Args:
        sysfs: Mount point of sysfs.
        dev: Folder of the device nodes.
    """

    def __init__(self, sysfs: Path = Path("/sys"), dev: Path = Path("/dev")) -> None:
        self._sysfs = sysfs
        self._dev = dev

    @property
    def module_loaded(self) -> bool:
        """Returns whether the kernel module is loaded."""
        return (self._sysfs / "module" / "v4l2loopback").is_dir()

    def all(self) -> tuple[LoopbackDevice, ...]:
        """Lists the loopback devices, by number."""
        if sys.platform != "linux":
            return ()
        folder = self._sysfs / "class" / "video4linux"
        names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
        # Only v4l2loopback's entries have this attribute: so webcams need not be opened.
        loopbacks = [name for name in names if (folder / name / "max_openers").exists()]
        found = [self._look_at(name) for name in sorted(loopbacks, key=_number)]
        return tuple(device for device in found if device is not None)

    def settled(self, path: str) -> SettledFormat | None:
        """Returns a device's present format; None where nothing has settled it."""
        try:
            text = self._attribute(Path(path).name, "format")
        except OSError:
            return None
        match = _FORMAT.match(text)
        if match is None:
            return None
        return SettledFormat(match["fourcc"], int(match["width"]), int(match["height"]))

    def unstick(self, path: str) -> None:
        """Makes a stuck device usable, which v4l2loopback 0.12.7 left without input and output after a close.

        That version does not offer the output again when its producer only wrote and never called
        ``VIDIOC_STREAMON``; a producer that calls it and closes repairs that. The call itself is refused
        (EINVAL) while the device has no format, but still has its effect.

        Raises:
            OSError: The device cannot be opened or refuses.
        """
        if sys.platform != "linux":
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        import fcntl

        with _opened(path) as descriptor:
            try:
                fcntl.ioctl(descriptor, _STREAMON, struct.pack("=i", _BUFFER_TYPE_OUTPUT))
            except OSError as error:
                if error.errno != errno.EINVAL:
                    raise

    def is_fed(self, path: str) -> bool:
        """Returns whether a producer writes: new pictures arrive within half a second.

        A device that is only read looks like one that is fed: it keeps its format, and after the defect
        above it offers no output either. A new reader gets the last picture at once, the next one only from
        a producer.

        Raises:
            OSError: The device cannot be opened.
        """
        with _opened(path) as descriptor:
            for _ in range(_PICTURES_KEPT):
                _next_picture(descriptor)
            time.sleep(_FED_SECONDS)
            return _next_picture(descriptor)

    def pictures(self, path: str, seconds: float) -> Iterator[bytes]:
        """Yields the pictures that any reader of a device gets, for a time.

        Raises:
            OSError: The device cannot be opened.
        """
        ends = time.monotonic() + seconds
        with _opened(path) as descriptor:
            while time.monotonic() < ends:
                try:
                    picture = os.read(descriptor, _PICTURE_MAX_BYTES)
                except BlockingIOError:
                    picture = b""
                if picture:
                    yield picture
                else:
                    time.sleep(_LOOK_AGAIN_S)

    def _look_at(self, name: str) -> LoopbackDevice | None:
        path = str(self._dev / name)
        settled = self.settled(path)
        try:
            title = self._attribute(name, "name")
        except OSError:  # it went away meanwhile
            return None
        try:
            capability = _capability(path)
        except PermissionError:
            return LoopbackDevice(path, title, "denied", None, settled)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
                return None
            return LoopbackDevice(path, title, "busy", None, settled)
        return LoopbackDevice(
            path,
            capability.card or title,
            _state(capability.offers),
            self._exclusive(capability.bus),
            settled,
        )

    def _exclusive(self, bus: str) -> bool | None:
        """Returns the module's parameter for one device; its bus ends with its number in the module."""
        try:
            text = (self._sysfs / "module" / "v4l2loopback" / "parameters" / "exclusive_caps").read_text()
            return text.strip().split(",")[int(bus.rpartition("-")[2])] == "Y"
        except (OSError, ValueError, IndexError):
            return None

    def _attribute(self, name: str, attribute: str) -> str:
        return (self._sysfs / "class" / "video4linux" / name / attribute).read_text("utf-8").strip()


class LoopbackWriter:
    """A loopback device opened for writing pictures of one size (Linux).

    Args:
        path: Node of a device that offers output.
        format: Format to be written.

    Raises:
        OSError: It cannot be opened, offers no output, or refuses the format.
    """

    _descriptor: int

    def __init__(self, path: str, format: SettledFormat) -> None:
        if sys.platform != "linux":
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        # For writing only: ``written_here`` recognises this process's own device by that.
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            _set_format(self._descriptor, path, format)
        except OSError:
            self.close()
            raise

    def send(self, image: NDArray[np.uint8]) -> None:
        """Writes one picture whole.

        Args:
            image: I420, uint8 of (height × 3/2, width), of the format's size.

        Raises:
            OSError: The device is gone, or accepted only a part.
        """
        written = os.write(self._descriptor, np.ascontiguousarray(image).data)
        if written != image.nbytes:
            raise OSError(errno.EIO, f"{written} of {image.nbytes} bytes were taken")

    def close(self) -> None:
        """Closes the device. Idempotent."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def _set_format(descriptor: int, path: str, format: SettledFormat) -> None:
    if sys.platform != "linux":
        return
    import fcntl

    if not _offers(descriptor).offers & _OUTPUT:
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), path)
    asked = bytearray(_FORMAT_BYTES)
    struct.pack_into("=I", asked, 0, _BUFFER_TYPE_OUTPUT)
    # The driver fills in zero fields (bytes per line, size, colours).
    struct.pack_into("=II4s", asked, _FORMAT_AT, format.width, format.height, format.fourcc.encode())
    fcntl.ioctl(descriptor, _SET_FORMAT, asked)


@dataclass(frozen=True, slots=True)
class _Capability:
    card: str
    bus: str
    offers: int


def _capability(path: str) -> _Capability:
    with _opened(path) as descriptor:
        return _offers(descriptor)


def _offers(descriptor: int) -> _Capability:
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    import fcntl

    answer = fcntl.ioctl(descriptor, _QUERYCAP, bytes(_CAPABILITY.size))
    _, card, bus, _, _, device_caps, *_ = _CAPABILITY.unpack(answer)
    return _Capability(_text(card), _text(bus), device_caps)


def _state(offers: int) -> DeviceState:
    """Returns a device's state: with exclusive_caps it offers output until its first frame, then capture."""
    if offers & _OUTPUT:
        return "free"
    return "busy" if offers & _CAPTURE else "stuck"


@contextmanager
def _opened(path: str) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def written_here(path: str) -> bool:
    """Returns whether this process has a device open for writing only, as ``LoopbackWriter`` (Linux)."""
    if sys.platform != "linux":
        return False
    for link in Path("/proc/self/fd").glob("*"):
        with suppress(OSError, ValueError):
            if str(link.readlink()) != path:
                continue
            info = (link.parent.parent / "fdinfo" / link.name).read_text()
            flags = int(re.findall(r"^flags:\s*(\d+)", info, re.MULTILINE)[0], 8)
            if flags & os.O_ACCMODE == os.O_WRONLY:
                return True
    return False


def _next_picture(descriptor: int) -> bool:
    """Reads a picture from a device opened without blocking; False when there is none."""
    try:
        return len(os.read(descriptor, _PICTURE_MAX_BYTES)) > 0
    except BlockingIOError:
        return False


def _text(raw: bytes) -> str:
    return raw.partition(b"\0")[0].decode("utf-8", "replace")


def _number(name: str) -> int:
    digits = re.sub(r"\D", "", name)
    return int(digits or 0)
