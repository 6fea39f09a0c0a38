"""A mouse for a Wayland compositor of the wlroots family: zwlr_virtual_pointer_v1, spoken by hand.

Source: the Wayland protocol's wire format, and wlr-virtual-pointer-unstable-v1. There is no xdotool for
Wayland, and a tool that is started for each move takes its mouse away again, which ends a drag.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from pathlib import Path

LEFT = 0x110
"""``BTN_LEFT`` of Linux's input-event-codes.h."""
_DISPLAY, _REGISTRY, _MANAGER, _POINTER = 1, 2, 4, 5
_FIRST_CALLBACK, _NEXT_CALLBACK = 3, 6
"""A compositor wants the numbers of objects to follow each other."""


class VirtualPointer:
    """A mouse on a screen of that size, pixels."""

    def __init__(self, width: int = 1920, height: int = 1080) -> None:
        self._extent = width, height
        self._next = _FIRST_CALLBACK
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(Path(os.environ["XDG_RUNTIME_DIR"]) / os.environ["WAYLAND_DISPLAY"]))
        self._send(_DISPLAY, 1, struct.pack("=I", _REGISTRY))
        number = self._sync()["zwlr_virtual_pointer_manager_v1"]
        name = b"zwlr_virtual_pointer_manager_v1\0"
        self._send(
            _REGISTRY, 0, struct.pack("=II", number, len(name)) + name + struct.pack("=II", 1, _MANAGER)
        )
        self._send(_MANAGER, 0, struct.pack("=II", 0, _POINTER))
        self._sync()

    def move(self, x: int, y: int) -> None:
        """Moves to a place on the screen."""
        self._send(_POINTER, 1, struct.pack("=5I", _now(), x, y, *self._extent))
        self._frame()

    def press(self, down: bool) -> None:
        """Presses the left button, or releases it."""
        self._send(_POINTER, 2, struct.pack("=3I", _now(), LEFT, down))
        self._frame()

    def click(self, x: int, y: int) -> None:
        """Clicks at a place."""
        self.move(x, y)
        time.sleep(0.1)
        self.press(True)
        time.sleep(0.05)
        self.press(False)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Drags from one place to another, slowly enough for programs to follow."""
        self.move(*start)
        time.sleep(0.2)
        self.press(True)
        for step in range(1, 21):
            self.move(*(round(a + (b - a) * step / 20) for a, b in zip(start, end, strict=True)))
            time.sleep(0.04)
        time.sleep(0.4)
        self.press(False)

    def wheel(self, x: int, y: int, steps: int) -> None:
        """Turns the wheel at a place, downwards."""
        self.move(x, y)
        for _ in range(steps):
            self._send(_POINTER, 5, struct.pack("=I", 0))  # a wheel
            self._send(_POINTER, 7, struct.pack("=IIii", _now(), 0, 15 << 8, 1))
            self._frame()
            time.sleep(0.05)

    def close(self) -> None:
        """Takes the mouse away."""
        self._socket.close()

    def _frame(self) -> None:
        self._send(_POINTER, 4, b"")
        self._sync()

    def _send(self, target: int, request: int, arguments: bytes) -> None:
        self._socket.sendall(struct.pack("=II", target, (8 + len(arguments)) << 16 | request) + arguments)

    def _sync(self) -> dict[str, int]:
        """Waits until all is done; returns the numbers of the globals that were announced meanwhile."""
        callback, self._next = self._next, max(_NEXT_CALLBACK, self._next + 1)
        self._send(_DISPLAY, 0, struct.pack("=I", callback))
        found: dict[str, int] = {}
        while True:
            target, word = struct.unpack("=II", self._exactly(8))
            body = self._exactly((word >> 16) - 8)
            if target == _REGISTRY and word & 0xFFFF == 0:
                number, length = struct.unpack_from("=II", body)
                found[body[8 : 8 + length - 1].decode()] = number
            elif target == _DISPLAY and word & 0xFFFF == 0:
                raise RuntimeError(f"the compositor refuses: {body!r}")
            elif target == callback:
                return found

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._socket.recv(count - len(data))
            assert more, "the compositor is gone"
            data += more
        return data


def _now() -> int:
    return int(time.monotonic() * 1000) & 0xFFFFFFFF
