"""PipeWire's client library (libpipewire-0.3), as far as a video stream needs it: for ``ctypes``.

Its interface has been stable since 0.3.0 (2020): functions are only added, and structures only grow at their
ends. Names and values are those of its headers (pipewire/stream.h, spa/buffer/buffer.h, spa/buffer/meta.h).
Must not know pictures.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from ctypes import POINTER, Structure, c_char_p, c_int, c_int32, c_int64, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, TypeAlias

DIRECTION_INPUT, DIRECTION_OUTPUT = 0, 1
ANY_ID = 0xFFFFFFFF
STREAM_ERROR, STREAM_UNCONNECTED, STREAM_CONNECTING, STREAM_PAUSED, STREAM_STREAMING = -1, 0, 1, 2, 3
FLAG_AUTOCONNECT, FLAG_MAP_BUFFERS, FLAG_DRIVER = 1 << 0, 1 << 2, 1 << 3
META_HEADER = 1
_EVENTS_VERSION = 2
_LOG_VARIABLE = "PIPEWIRE_DEBUG"


class Chunk(Structure):
    """``spa_chunk``: the valid part of a block of memory."""

    _fields_ = (("offset", c_uint32), ("size", c_uint32), ("stride", c_int32), ("flags", c_int32))


class Data(Structure):
    """``spa_data``: a block of memory."""

    _fields_ = (
        ("type", c_uint32),
        ("flags", c_uint32),
        ("fd", c_int64),
        ("mapoffset", c_uint32),
        ("maxsize", c_uint32),
        ("data", c_void_p),
        ("chunk", POINTER(Chunk)),
    )


class MetaHeader(Structure):
    """``spa_meta_header``: when a buffer is to be shown."""

    _fields_ = (
        ("flags", c_uint32),
        ("offset", c_uint32),
        ("pts", c_int64),
        ("dts_offset", c_int64),
        ("seq", c_uint64),
    )


class Meta(Structure):
    """``spa_meta``: one kind of metadata of a buffer."""

    _fields_ = (("type", c_uint32), ("size", c_uint32), ("data", c_void_p))


class SpaBuffer(Structure):
    """``spa_buffer``."""

    _fields_ = (
        ("n_metas", c_uint32),
        ("n_datas", c_uint32),
        ("metas", POINTER(Meta)),
        ("datas", POINTER(Data)),
    )


class Buffer(Structure):
    """The beginning of ``pw_buffer``."""

    _fields_ = (("buffer", POINTER(SpaBuffer)), ("user_data", c_void_p), ("size", c_uint64))


StateChanged = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_int, c_char_p)
ParamChanged = ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_void_p)
Process = ctypes.CFUNCTYPE(None, c_void_p)
if TYPE_CHECKING:
    BufferPointer: TypeAlias = ctypes._Pointer[Buffer]


class StreamEvents(Structure):
    """``pw_stream_events``; what is left out is not called."""

    _fields_ = (
        ("version", c_uint32),
        ("destroy", c_void_p),
        ("state_changed", StateChanged),
        ("control_info", c_void_p),
        ("io_changed", c_void_p),
        ("param_changed", ParamChanged),
        ("add_buffer", c_void_p),
        ("remove_buffer", c_void_p),
        ("process", Process),
        ("drained", c_void_p),
        ("command", c_void_p),
        ("trigger_done", c_void_p),
    )

    @classmethod
    def of(cls, **callbacks: object) -> StreamEvents:
        """Makes the table of these callbacks, which live as long as it."""
        return cls(version=_EVENTS_VERSION, **callbacks)


_FUNCTIONS: dict[str, tuple[object, tuple[object, ...]]] = {
    "init": (None, (c_void_p, c_void_p)),
    "get_library_version": (c_char_p, ()),
    "log_set_level": (None, (c_int,)),
    "thread_loop_new": (c_void_p, (c_char_p, c_void_p)),
    "thread_loop_destroy": (None, (c_void_p,)),
    "thread_loop_get_loop": (c_void_p, (c_void_p,)),
    "thread_loop_start": (c_int, (c_void_p,)),
    "thread_loop_stop": (None, (c_void_p,)),
    "thread_loop_lock": (None, (c_void_p,)),
    "thread_loop_unlock": (None, (c_void_p,)),
    "properties_new_string": (c_void_p, (c_char_p,)),
    "stream_new_simple": (c_void_p, (c_void_p, c_char_p, c_void_p, POINTER(StreamEvents), c_void_p)),
    "stream_connect": (c_int, (c_void_p, c_int, c_uint32, c_int, POINTER(c_void_p), c_uint32)),
    "stream_update_params": (c_int, (c_void_p, POINTER(c_void_p), c_uint32)),
    "stream_dequeue_buffer": (POINTER(Buffer), (c_void_p,)),
    "stream_queue_buffer": (c_int, (c_void_p, POINTER(Buffer))),
    "stream_trigger_process": (c_int, (c_void_p,)),
    "stream_destroy": (None, (c_void_p,)),
}


@functools.cache
def pipewire_library() -> ctypes.CDLL | None:
    """Returns the library, initialised, with its functions declared; None where this system has none."""
    if sys.platform != "linux":
        return None
    try:
        library = ctypes.CDLL("libpipewire-0.3.so.0")
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, f"pw_{name}")
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError):  # not there, or older than 0.3.34, which cannot trigger a stream
        return None
    library.pw_init(None, None)
    if _LOG_VARIABLE not in os.environ:
        library.pw_log_set_level(0)  # it would write to our standard error that no daemon answers
    return library


def pointers_to(pods: tuple[bytes, ...]) -> tuple[ctypes.Array[c_void_p], list[ctypes.Array[ctypes.c_char]]]:
    """Returns the pointers to parameters that a function takes, and the memory that they point to."""
    memory = [ctypes.create_string_buffer(pod, len(pod)) for pod in pods]
    return (c_void_p * len(memory))(*map(ctypes.addressof, memory)), memory
