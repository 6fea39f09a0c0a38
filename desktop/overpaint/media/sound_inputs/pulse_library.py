"""PulseAudio's client library (libpulse), as far as recording needs it: declarations for ``ctypes``.

Its interface (libpulse.so.0) has been the same since 2008, and PipeWire serves it, too. Names and values are
those of its headers (pulse/introspect.h, pulse/def.h). Must not know what is recorded.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from ctypes import POINTER, Structure, c_char_p, c_int, c_size_t, c_uint8, c_uint32, c_void_p
from typing import TYPE_CHECKING, TypeAlias

CONTEXT_READY, CONTEXT_FAILED, CONTEXT_TERMINATED = 4, 5, 6
STREAM_READY, STREAM_FAILED, STREAM_TERMINATED = 2, 3, 4
DONT_MOVE, ADJUST_LATENCY = 0x0200, 0x2000
MASK_SERVER = 0x0080
S16LE = 3
NO_INDEX = 0xFFFFFFFF
DEFAULT_MONITOR = b"@DEFAULT_MONITOR@"
_CHANNELS_MAX = 32


class SampleSpec(Structure):
    """``pa_sample_spec``."""

    _fields_ = (("format", c_int), ("rate", c_uint32), ("channels", c_uint8))


class BufferAttributes(Structure):
    """``pa_buffer_attr``."""

    _fields_ = tuple((name, c_uint32) for name in ("maxlength", "tlength", "prebuf", "minreq", "fragsize"))


class _ChannelMap(Structure):
    _fields_ = (("channels", c_uint8), ("map", c_int * _CHANNELS_MAX))


class _Volume(Structure):
    _fields_ = (("channels", c_uint8), ("values", c_uint32 * _CHANNELS_MAX))


class SourceInfo(Structure):
    """The beginning of ``pa_source_info``."""

    _fields_ = (
        ("name", c_char_p),
        ("index", c_uint32),
        ("description", c_char_p),
        ("sample_spec", SampleSpec),
        ("channel_map", _ChannelMap),
        ("owner_module", c_uint32),
        ("volume", _Volume),
        ("mute", c_int),
        ("monitor_of_sink", c_uint32),
    )


class ServerInfo(Structure):
    """The beginning of ``pa_server_info``."""

    _fields_ = (
        ("user_name", c_char_p),
        ("host_name", c_char_p),
        ("server_version", c_char_p),
        ("server_name", c_char_p),
        ("sample_spec", SampleSpec),
        ("default_sink_name", c_char_p),
        ("default_source_name", c_char_p),
    )


ContextNotify = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
StreamNotify = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
StreamRequest = ctypes.CFUNCTYPE(None, c_void_p, c_size_t, c_void_p)
Subscription = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_uint32, c_void_p)
SourceListed = ctypes.CFUNCTYPE(None, c_void_p, POINTER(SourceInfo), c_int, c_void_p)
ServerTold = ctypes.CFUNCTYPE(None, c_void_p, POINTER(ServerInfo), c_void_p)
if TYPE_CHECKING:
    SourcePointer: TypeAlias = ctypes._Pointer[SourceInfo]
    ServerPointer: TypeAlias = ctypes._Pointer[ServerInfo]

_FUNCTIONS: dict[str, tuple[object, tuple[object, ...]]] = {
    "threaded_mainloop_new": (c_void_p, ()),
    "threaded_mainloop_start": (c_int, (c_void_p,)),
    "threaded_mainloop_stop": (None, (c_void_p,)),
    "threaded_mainloop_free": (None, (c_void_p,)),
    "threaded_mainloop_lock": (None, (c_void_p,)),
    "threaded_mainloop_unlock": (None, (c_void_p,)),
    "threaded_mainloop_get_api": (c_void_p, (c_void_p,)),
    "context_new": (c_void_p, (c_void_p, c_char_p)),
    "context_connect": (c_int, (c_void_p, c_char_p, c_int, c_void_p)),
    "context_disconnect": (None, (c_void_p,)),
    "context_unref": (None, (c_void_p,)),
    "context_get_state": (c_int, (c_void_p,)),
    "context_set_state_callback": (None, (c_void_p, ContextNotify, c_void_p)),
    "context_set_subscribe_callback": (None, (c_void_p, Subscription, c_void_p)),
    "context_subscribe": (c_void_p, (c_void_p, c_int, c_void_p, c_void_p)),
    "context_get_source_info_list": (c_void_p, (c_void_p, SourceListed, c_void_p)),
    "context_get_server_info": (c_void_p, (c_void_p, ServerTold, c_void_p)),
    "operation_unref": (None, (c_void_p,)),
    "stream_new": (c_void_p, (c_void_p, c_char_p, POINTER(SampleSpec), c_void_p)),
    "stream_connect_record": (c_int, (c_void_p, c_char_p, POINTER(BufferAttributes), c_int)),
    "stream_disconnect": (c_int, (c_void_p,)),
    "stream_unref": (None, (c_void_p,)),
    "stream_get_state": (c_int, (c_void_p,)),
    "stream_set_state_callback": (None, (c_void_p, StreamNotify, c_void_p)),
    "stream_set_read_callback": (None, (c_void_p, StreamRequest, c_void_p)),
    "stream_peek": (c_int, (c_void_p, POINTER(c_void_p), POINTER(c_size_t))),
    "stream_drop": (c_int, (c_void_p,)),
}


@functools.cache
def pulse_library() -> ctypes.CDLL | None:
    """Returns the library with its functions declared; None where this system has none."""
    if sys.platform != "linux":
        return None
    try:
        library = ctypes.CDLL("libpulse.so.0")
    except OSError:
        return None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, f"pa_{name}")
        function.restype, function.argtypes = result, arguments
    return library
