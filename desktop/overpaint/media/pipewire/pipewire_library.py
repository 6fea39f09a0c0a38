"""PipeWire's client library (libpipewire), as far as reading video needs it: declarations for ``ctypes``.

Its interface (libpipewire-0.3.so.0) has been the same since 2020. Names and values are those of its headers
(pipewire/stream.h, spa/buffer/buffer.h). Must not know what is read.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from ctypes import (
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)

INPUT = 0
AUTOCONNECT, MAP_BUFFERS = 1 << 0, 1 << 2
STATE_ERROR, STATE_UNCONNECTED = -1, 0
CHUNK_CORRUPTED = 1 << 0


class Data(Structure):
    """``spa_data``."""

    _fields_ = (
        ("type", c_uint32),
        ("flags", c_uint32),
        ("fd", c_int64),
        ("mapoffset", c_uint32),
        ("maxsize", c_uint32),
        ("data", c_void_p),
        ("chunk", c_void_p),
    )


class Chunk(Structure):
    """``spa_chunk``."""

    _fields_ = (("offset", c_uint32), ("size", c_uint32), ("stride", c_int32), ("flags", c_int32))


class Meta(Structure):
    """``spa_meta``."""

    _fields_ = (("type", c_uint32), ("size", c_uint32), ("data", c_void_p))


class Region(Structure):
    """``spa_meta_region``."""

    _fields_ = (("left", c_int32), ("top", c_int32), ("width", c_uint32), ("height", c_uint32))


class Buffer(Structure):
    """``spa_buffer``."""

    _fields_ = (
        ("n_metas", c_uint32),
        ("n_datas", c_uint32),
        ("metas", POINTER(Meta)),
        ("datas", POINTER(Data)),
    )


class StreamBuffer(Structure):
    """``pw_buffer``."""

    _fields_ = (("buffer", POINTER(Buffer)), ("user_data", c_void_p), ("size", c_uint64))


class Hook(Structure):
    """``spa_hook``: the library's own, six pointers."""

    _fields_ = (("inside", c_void_p * 6),)


Process = ctypes.CFUNCTYPE(None, c_void_p)
StateChanged = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_int, c_char_p)
ParamChanged = ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_void_p)


class StreamEvents(Structure):
    """``pw_stream_events``, version 0."""

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
    )


_FUNCTIONS: dict[str, tuple[object, tuple[object, ...]]] = {
    "init": (None, (c_void_p, c_void_p)),
    "thread_loop_new": (c_void_p, (c_char_p, c_void_p)),
    "thread_loop_start": (c_int, (c_void_p,)),
    "thread_loop_stop": (None, (c_void_p,)),
    "thread_loop_lock": (None, (c_void_p,)),
    "thread_loop_unlock": (None, (c_void_p,)),
    "thread_loop_get_loop": (c_void_p, (c_void_p,)),
    "thread_loop_destroy": (None, (c_void_p,)),
    "context_new": (c_void_p, (c_void_p, c_void_p, c_size_t)),
    "context_connect_fd": (c_void_p, (c_void_p, c_int, c_void_p, c_size_t)),
    "context_destroy": (None, (c_void_p,)),
    "core_disconnect": (c_int, (c_void_p,)),
    "properties_new_string": (c_void_p, (c_char_p,)),
    "stream_new": (c_void_p, (c_void_p, c_char_p, c_void_p)),
    "stream_add_listener": (None, (c_void_p, POINTER(Hook), POINTER(StreamEvents), c_void_p)),
    "stream_connect": (c_int, (c_void_p, c_int, c_uint32, c_int, POINTER(c_void_p), c_uint32)),
    "stream_update_params": (c_int, (c_void_p, POINTER(c_void_p), c_uint32)),
    "stream_dequeue_buffer": (POINTER(StreamBuffer), (c_void_p,)),
    "stream_queue_buffer": (c_int, (c_void_p, POINTER(StreamBuffer))),
    "stream_destroy": (None, (c_void_p,)),
}


@functools.cache
def pipewire_library() -> ctypes.CDLL | None:
    """Returns the library with its functions declared, ready to be used; None where this system has none."""
    if sys.platform != "linux":
        return None
    try:
        library = ctypes.CDLL("libpipewire-0.3.so.0")
    except OSError:
        return None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, f"pw_{name}")
        function.restype, function.argtypes = result, arguments
    library.pw_init(None, None)
    return library
