"""PipeWire node of the virtual camera: a video source that every program which uses PipeWire's cameras lists.

The node drives its own graph: each picture is one cycle of it, so that a reader has a picture as soon as it
is written, and while nobody reads, nothing is copied. The loop of the library runs in a thread of its own;
all calls happen under its lock. A node whose daemon has ended stays lost: its owner makes another one. Must
not know sessions, slates or how often the last picture is repeated.

Source: PipeWire's documentation, "pw_stream" (driver streams).
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from overpaint.errors import SinkError
from overpaint.media.frames import Picture, now_ns
from overpaint.media.virtual_camera.pipewire import client_library as library
from overpaint.media.virtual_camera.pipewire import layouts, pods
from overpaint.media.virtual_camera.pipewire.daemon import daemon_listens
from overpaint.media.virtual_camera.pipewire.layouts import Layout

log = logging.getLogger(__name__)

TITLE = "Overpaint Camera"
_PROPERTIES = (
    "media.class=Video/Source media.role=Camera node.name=overpaint_camera"
    f' node.description="{TITLE}" node.nick="{TITLE}" media.name="{TITLE}" device.icon-name=camera-web'
)
"""By ``media.role=Camera`` the portal for cameras, and so browsers and sandboxed apps, list it."""
_EARLY_NS = 4_000_000
"""A picture that comes so much before its time is still taken: pictures do not come on the nanosecond."""


def node_problem() -> SinkError | None:
    """Returns why this machine can have no node; None where one can be made, as far as that can be told."""
    if library.pipewire_library() is None:
        return SinkError("pipewire_library_missing")
    return None if daemon_listens() else SinkError("pipewire_not_running")


class PipeWireNode:
    """A camera in PipeWire, from when it is made until ``close``.

    Args:
        width: Pixels of every picture.
        height: Pixels of every picture.

    Raises:
        SinkError: The library is not there, no daemon answers (``missing``), or it refuses (``denied``).

    Attributes:
        title: Its name in other programs.
    """

    title = TITLE

    def __init__(self, width: int, height: int) -> None:
        found = library.pipewire_library()
        if found is None:
            raise SinkError("pipewire_library_missing")
        self._library = found
        self._state, self._reason = library.STREAM_CONNECTING, ""
        self._settled = threading.Event()
        self._layout: Layout | None = None
        self._due_ns = self._count = 0
        self._events = library.StreamEvents.of(
            state_changed=library.StateChanged(self._state_changed),
            param_changed=library.ParamChanged(self._param_changed),
        )
        self._stream: int | None = None
        self._loop: int | None = found.pw_thread_loop_new(b"pipewire-camera", None)
        if self._loop is None:
            raise SinkError("pipewire_refused", reason=os.strerror(errno.ENOMEM))
        try:
            self._connect(layouts.offers(width, height))
        except SinkError:
            self.close()
            raise

    def wait_until_listed(self, seconds: float) -> None:
        """Waits until other programs can list it.

        Raises:
            SinkError: The daemon refuses it, or does not answer in this time.
        """
        if not self._settled.wait(seconds):
            raise SinkError("pipewire_silent")
        if self._state == library.STREAM_ERROR:
            raise SinkError("pipewire_refused", reason=self._reason)

    @property
    def read(self) -> bool:
        """Whether a program reads it."""
        return self._state == library.STREAM_STREAMING

    def send(self, image: Picture) -> None:
        """Hands a picture to those that read it; while nobody does, and before a reader's time, nothing.

        Args:
            image: I420, uint8 (H * 3 // 2, W).

        Raises:
            SinkError: The daemon has ended, or has taken the node away (``lost``).
        """
        if self._state in (library.STREAM_ERROR, library.STREAM_UNCONNECTED):
            raise SinkError("pipewire_gone")
        if self._state != library.STREAM_STREAMING:
            return
        with self._locked() as stream:
            if self._layout is None or not self._is_time(self._layout.fps):
                return
            buffer = self._library.pw_stream_dequeue_buffer(stream)
            if buffer:
                self._fill(buffer, self._layout, image)
                self._library.pw_stream_queue_buffer(stream, buffer)
            # Without a free buffer, too: a cycle is how readers give theirs back.
            self._library.pw_stream_trigger_process(stream)

    def close(self) -> None:
        """Takes it from every list; idempotent."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        self._library.pw_thread_loop_stop(loop)
        if self._stream is not None:
            self._library.pw_stream_destroy(self._stream)
        self._library.pw_thread_loop_destroy(loop)
        self._stream, self._state = None, library.STREAM_UNCONNECTED

    # ---- inside

    def _connect(self, offered: tuple[bytes, ...]) -> None:
        """Raises ``SinkError``."""
        found, loop = self._library, self._loop
        self._stream = found.pw_stream_new_simple(
            found.pw_thread_loop_get_loop(loop),
            TITLE.encode(),
            found.pw_properties_new_string(_PROPERTIES.encode()),
            ctypes.byref(self._events),
            None,
        )
        if self._stream is None:
            raise SinkError("pipewire_refused", reason=os.strerror(errno.ENOMEM))
        pointers, _memory = library.pointers_to(offered)
        result = found.pw_stream_connect(
            self._stream,
            library.DIRECTION_OUTPUT,
            library.ANY_ID,
            library.FLAG_MAP_BUFFERS | library.FLAG_DRIVER,
            pointers,
            len(pointers),
        )
        if result in (-errno.EHOSTDOWN, -errno.ECONNREFUSED, -errno.ENOENT):
            raise SinkError("pipewire_not_running")
        if result < 0:
            raise SinkError("pipewire_refused", reason=os.strerror(-result))
        found.pw_thread_loop_start(loop)

    @contextmanager
    def _locked(self) -> Iterator[int | None]:
        self._library.pw_thread_loop_lock(self._loop)
        try:
            yield self._stream
        finally:
            self._library.pw_thread_loop_unlock(self._loop)

    def _is_time(self, fps: float) -> bool:
        """Returns whether a picture at this moment keeps the rate that the reader asked for."""
        now, interval_ns = now_ns(), int(1e9 / fps)
        if now < self._due_ns - _EARLY_NS:
            return False
        # One that is a little late does not put off the next one.
        self._due_ns = (self._due_ns if now - self._due_ns < interval_ns else now) + interval_ns
        return True

    def _fill(self, buffer: library.BufferPointer, layout: Layout, image: Picture) -> None:
        spa = buffer.contents.buffer.contents
        data = spa.datas[0]
        chunk = data.chunk.contents
        chunk.offset, chunk.stride, chunk.flags = 0, layout.stride, 0
        chunk.size = layout.size if data.data and data.maxsize >= layout.size else 0
        if chunk.size:
            memory = (ctypes.c_uint8 * layout.size).from_address(data.data)
            layout.write(image, np.ctypeslib.as_array(memory))
        for index in range(spa.n_metas):
            meta = spa.metas[index]
            if meta.type == library.META_HEADER and meta.size >= ctypes.sizeof(library.MetaHeader):
                header = library.MetaHeader.from_address(meta.data)
                header.flags, header.pts, header.seq = 0, now_ns(), self._count
        self._count += 1

    # ---- called by the library, in its thread and under its lock

    def _state_changed(self, _data: int | None, _old: int, new: int, error: bytes | None) -> None:
        self._state, self._reason = new, (error or b"").decode("utf-8", "replace")
        log.info("PipeWire camera: state %d %s", new, self._reason)
        if new not in (library.STREAM_UNCONNECTED, library.STREAM_CONNECTING):
            self._settled.set()

    def _param_changed(self, _data: int | None, kind: int, pod: int | None) -> None:
        if kind != layouts.PARAM_FORMAT:
            return
        self._layout = None
        if not pod:
            return
        try:
            layout = layouts.agreed(ctypes.string_at(pod, pods.size_of(ctypes.string_at(pod, 8))))
        except ValueError as error:
            log.info("PipeWire camera: %s", error)
            return
        if layout is None:
            return
        self._layout = layout
        # A former reader may have been slower.
        self._due_ns = min(self._due_ns, now_ns() + int(1e9 / layout.fps))
        log.info("PipeWire camera: %s", layout)
        pointers, _memory = library.pointers_to(layouts.buffers(layout, ctypes.sizeof(library.MetaHeader)))
        self._library.pw_stream_update_params(self._stream, pointers, len(pointers))
