"""A reader of one video stream of PipeWire: its pictures as views of memory, on PipeWire's own thread.

Source: PipeWire, "Tutorial - Part 5: Capturing Video Frames". Buffers in a graphics card's memory (DMA-BUF)
are not asked for: the picture is needed by the processor, and a compositor copies it there at less cost.
Must not know where the stream comes from.
"""

from __future__ import annotations

import ctypes
import logging
import os
from collections.abc import Callable
from ctypes import POINTER, byref, cast

import numpy as np
from numpy.typing import NDArray

from overpaint.media.pipewire import pipewire_library as pw
from overpaint.media.pipewire import screen_formats

log = logging.getLogger(__name__)

BYTES = 4
"""Bytes a pixel in each layout."""

Received = Callable[[NDArray[np.uint8], str], None]
"""Receives a picture on PipeWire's thread: uint8 (H, W, 4), strided, valid during the call; its layout."""


class VideoReader:
    """A running reader.

    Args:
        descriptor: File descriptor of a connection to PipeWire; closed with the reader.
        node: Number of the stream.
        most_fps: Most frames a second that are wanted.
        received: Receives the pictures.
        ended: Called on PipeWire's thread when the stream or PipeWire ends; not by ``close``.

    Raises:
        OSError: There is no PipeWire, or it refuses.
    """

    def __init__(
        self, descriptor: int, node: int, most_fps: int, received: Received, ended: Callable[[], None]
    ) -> None:
        library = pw.pipewire_library()
        if library is None:
            os.close(descriptor)
            raise OSError("there is no libpipewire")
        self._library = library
        self._received, self._ended = received, ended
        self._format: screen_formats.VideoFormat | None = None
        self._began = False
        self._stream: int | None = None
        self._core: int | None = None
        self._hook = pw.Hook()
        self._events = pw.StreamEvents.of(
            state_changed=pw.StateChanged(self._on_state),
            param_changed=pw.ParamChanged(self._on_parameter),
            process=pw.Process(self._on_picture),
        )
        self._loop = library.pw_thread_loop_new(b"overpaint-screen", None)
        self._context = library.pw_context_new(library.pw_thread_loop_get_loop(self._loop), None, 0)
        library.pw_thread_loop_start(self._loop)
        try:
            self._connect(descriptor, node, most_fps)
        except BaseException:
            self.close()
            raise

    @property
    def agreed(self) -> bool:
        """Whether the format is agreed on, so that pictures may come."""
        return self._format is not None

    def close(self) -> None:
        """Ends it; nothing calls back after it. Not on PipeWire's thread; idempotent."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        library = self._library
        library.pw_thread_loop_stop(loop)
        self._began = False  # what ends from here on ends by this
        if self._stream:
            library.pw_stream_destroy(self._stream)
        if self._core:
            library.pw_core_disconnect(self._core)
        library.pw_context_destroy(self._context)
        library.pw_thread_loop_destroy(loop)

    def _connect(self, descriptor: int, node: int, most_fps: int) -> None:
        library = self._library
        library.pw_thread_loop_lock(self._loop)
        try:
            # The library closes the descriptor, also where it fails.
            self._core = library.pw_context_connect_fd(self._context, descriptor, None, 0)
            if not self._core:
                raise OSError("PipeWire does not answer")
            properties = library.pw_properties_new_string(
                b"media.type=Video media.category=Capture media.role=Screen"
            )
            self._stream = library.pw_stream_new(self._core, b"Overpaint", properties)
            library.pw_stream_add_listener(self._stream, byref(self._hook), byref(self._events), None)
            wanted, _memory = pw.pointers_to((screen_formats.wanted_formats(most_fps),))
            flags = pw.FLAG_AUTOCONNECT | pw.FLAG_MAP_BUFFERS
            direction = pw.DIRECTION_INPUT
            if library.pw_stream_connect(self._stream, direction, node, flags, wanted, len(wanted)) < 0:
                raise OSError("PipeWire refuses the stream")
        finally:
            library.pw_thread_loop_unlock(self._loop)

    def _on_state(self, _data: int | None, _former: int, state: int, error: bytes | None) -> None:
        if state > pw.STREAM_UNCONNECTED:
            self._began = True
        elif self._began or state == pw.STREAM_ERROR:
            self._began = False
            log.info("the stream ended: %s", (error or b"").decode(errors="replace"))
            self._ended()

    def _on_parameter(self, _data: int | None, kind: int, value: int | None) -> None:
        if kind != screen_formats.FORMAT or not value:
            return
        size = ctypes.c_uint32.from_address(value).value
        self._format = screen_formats.read_format(ctypes.string_at(value, 8 + size))
        wanted, _memory = pw.pointers_to((screen_formats.wanted_buffers(), screen_formats.wanted_crop()))
        self._library.pw_stream_update_params(self._stream, wanted, len(wanted))

    def _on_picture(self, _data: int | None) -> None:
        newest = None
        while taken := self._library.pw_stream_dequeue_buffer(self._stream):
            if newest is not None:
                self._library.pw_stream_queue_buffer(self._stream, newest)
            newest = taken
        if newest is None:
            return
        try:
            picture = self._view(newest.contents.buffer.contents)
            if picture is not None and self._format is not None:
                self._received(picture, self._format.layout)
        except Exception:
            log.exception("a picture of PipeWire cannot be read")
        finally:
            self._library.pw_stream_queue_buffer(self._stream, newest)

    def _view(self, buffer: pw.SpaBuffer) -> NDArray[np.uint8] | None:
        """Returns the picture in a buffer; None where it has none."""
        shape = self._format
        if shape is None or not buffer.n_datas:
            return None
        data = buffer.datas[0]
        chunk = data.chunk.contents
        row = shape.width * BYTES
        stride = chunk.stride or row
        needed = chunk.offset + stride * (shape.height - 1) + row
        broken = chunk.flags & pw.CHUNK_CORRUPTED
        if not data.data or not chunk.size or broken or stride < row or needed > data.maxsize:
            return None
        memory = (ctypes.c_uint8 * needed).from_address(data.data)
        picture: NDArray[np.uint8] = np.ndarray(
            (shape.height, shape.width, BYTES), np.uint8, memory, chunk.offset, (stride, BYTES, 1)
        )
        crop = self._crop(buffer)
        if crop is None:
            return picture
        return picture[crop.top : crop.top + crop.height, crop.left : crop.left + crop.width]

    def _crop(self, buffer: pw.SpaBuffer) -> pw.Region | None:
        for number in range(buffer.n_metas):
            meta = buffer.metas[number]
            if meta.type == screen_formats.VIDEO_CROP and meta.data and meta.size >= screen_formats.CROP_SIZE:
                region = cast(meta.data, POINTER(pw.Region)).contents
                if region.width and region.height and region.left >= 0 and region.top >= 0:
                    return region
        return None


__all__ = ["VideoReader"]
