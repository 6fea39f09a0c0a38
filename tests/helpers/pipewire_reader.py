"""A program that reads a camera from PipeWire, as a browser does: it takes a layout, and gets pictures."""

from __future__ import annotations

import ctypes
import threading
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from helpers.processes import until
from overpaint.media.virtual_camera.pipewire import client_library as library
from overpaint.media.virtual_camera.pipewire import layouts, pods
from overpaint.media.virtual_camera.pipewire.layouts import Layout, LayoutName

CAMERA = "overpaint_camera"
_OFFER, _ENUM_FORMAT = 0x40003, 3


@dataclass(frozen=True)
class Taken:
    """A picture that has arrived.

    Attributes:
        data: Its bytes.
        number: Counted by the camera.
        pts: Its time in nanoseconds, by the camera.
        seconds: When it arrived, by the monotonic clock.
    """

    data: NDArray[np.uint8]
    number: int
    pts: int
    seconds: float


class PipeWireReader:
    """A reader that takes one layout alone; it reads from ``open`` until ``close``.

    Attributes:
        layout: What was agreed on; None before that.
        taken: The pictures so far, only the last eight with their bytes kept.
    """

    def __init__(
        self, name: LayoutName = "I420", size: tuple[int, int] = (1920, 1080), fps: int = 30
    ) -> None:
        found = library.pipewire_library()
        assert found is not None
        self._library = found
        self.layout: Layout | None = None
        self.taken: list[Taken] = []
        self._guard = threading.Lock()
        self._events = library.StreamEvents.of(
            param_changed=library.ParamChanged(self._param_changed), process=library.Process(self._process)
        )
        wanted = pods.item(
            _OFFER,
            _ENUM_FORMAT,
            {
                1: pods.identifier(2),
                2: pods.identifier(1),
                0x20001: pods.identifier({"I420": 2, "NV12": 23, "YUY2": 4}[name]),
                0x20003: pods.rectangle(*size),
                0x20004: pods.fraction(fps, 1),
            },
        )
        properties = (
            "media.type=Video media.category=Capture media.role=Camera node.name=test_reader"
            f" target.object={CAMERA}"
        )
        self._loop = found.pw_thread_loop_new(b"reader", None)
        self._stream = found.pw_stream_new_simple(
            found.pw_thread_loop_get_loop(self._loop),
            b"test reader",
            found.pw_properties_new_string(properties.encode()),
            ctypes.byref(self._events),
            None,
        )
        pointers, _memory = library.pointers_to((wanted,))
        flags = library.FLAG_AUTOCONNECT | library.FLAG_MAP_BUFFERS
        result = found.pw_stream_connect(
            self._stream, library.DIRECTION_INPUT, library.ANY_ID, flags, pointers, len(pointers)
        )
        assert result >= 0, result
        found.pw_thread_loop_start(self._loop)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def wait_for(self, count: int, seconds: float = 30) -> list[Taken]:
        """Waits for so many pictures; returns all so far."""
        until(lambda: len(self.taken) >= count, seconds)
        with self._guard:
            return list(self.taken)

    def newest(self) -> NDArray[np.uint8]:
        """The next picture that arrives from now on."""
        count = len(self.taken)
        return self.wait_for(count + 1)[-1].data

    def close(self) -> None:
        """Ends it; idempotent."""
        loop, self._loop = self._loop, None
        if loop is not None:
            self._library.pw_thread_loop_stop(loop)
            self._library.pw_stream_destroy(self._stream)
            self._library.pw_thread_loop_destroy(loop)

    def _param_changed(self, _data: int | None, kind: int, pod: int | None) -> None:
        if kind != layouts.PARAM_FORMAT or not pod:
            return
        self.layout = layouts.agreed(ctypes.string_at(pod, pods.size_of(ctypes.string_at(pod, 8))))
        assert self.layout is not None
        pointers, _memory = library.pointers_to(
            layouts.buffers(self.layout, ctypes.sizeof(library.MetaHeader))
        )
        self._library.pw_stream_update_params(self._stream, pointers, len(pointers))

    def _process(self, _data: int | None) -> None:
        buffer = self._library.pw_stream_dequeue_buffer(self._stream)
        if not buffer:
            return
        spa = buffer.contents.buffer.contents
        data = spa.datas[0]
        chunk = data.chunk.contents
        if data.data and chunk.size:
            size = min(chunk.size, data.maxsize)
            copy = np.frombuffer(ctypes.string_at(data.data + chunk.offset, size), np.uint8)
            headers = [spa.metas[i] for i in range(spa.n_metas) if spa.metas[i].type == library.META_HEADER]
            header = library.MetaHeader.from_address(headers[0].data) if headers else None
            taken = Taken(copy, header.seq if header else -1, header.pts if header else 0, time.monotonic())
            with self._guard:
                self.taken.append(taken)
                if len(self.taken) > 8:
                    old = self.taken[-9]
                    self.taken[-9] = Taken(old.data[:0], old.number, old.pts, old.seconds)
        self._library.pw_stream_queue_buffer(self._stream, buffer)
