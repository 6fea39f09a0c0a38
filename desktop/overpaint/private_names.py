"""Private APIs of libraries that Overpaint uses, and checks of their versions at the start.

A library may change them in any release, so each has a range of tested versions, the same here and in
pyproject.toml. Programs that cannot stream without them check the versions when they start, and the names
before they use them. A test compares this list with the package's source code. Must not know what the names
are used for.
"""

from __future__ import annotations

import dis
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from overpaint.errors import ProcessError


@dataclass(frozen=True, slots=True)
class PrivateUse:
    """The private names that are used of one library.

    Attributes:
        library: Name of its distribution; "python" for the standard library.
        tested: Tested versions, as in pyproject.toml: comparisons with "==", ">=" or "<".
        names: Names as ``module:Class.member``, which may be attributes of instances.
        needed: Whether a stream fails without them; otherwise their use is an optional optimisation.
    """

    library: str
    tested: str
    names: tuple[str, ...]
    needed: bool = True


def _in(module: str, *members: str) -> tuple[str, ...]:
    return tuple(f"{module}:{member}" for member in members)


def _of(cls: str, members: str) -> tuple[str, ...]:
    return (cls, *(f"{cls}.{member}" for member in members.split()))


USES = (
    PrivateUse(
        "aiortc",
        "==1.16.0",
        (
            *_of("aiortc.codecs.h264:H264Encoder", "_packetize _split_bitstream codec encode"),
            "aiortc.codecs.h264:H264Decoder.codec",
            "aiortc.codecs.vpx:Vp8Decoder.codec",
            *_of("aiortc.codecs.vpx:Vp8Encoder", "_packetize encode picture_id"),
            *_in("aiortc.codecs", "CODECS", "H264Encoder", "Vp8Encoder"),
            *_of(
                "aiortc.jitterbuffer:JitterBuffer",
                "_capacity _is_video _origin _packets _remove_frame add remove",
            ),
            "aiortc.jitterbuffer:JitterFrame",
            "aiortc.rtcdtlstransport:RTCDtlsTransport._send_rtp",
            *_in("aiortc.rtcpeerconnection", "RTCRtpReceiver", "RTCRtpSender"),
            *_in("aiortc.rtcrtpreceiver", "JitterBuffer", "NackGenerator", "RTP_HISTORY_SIZE"),
            *_in("aiortc.rtcrtpreceiver", "TimestampMapper", "decoder_worker", "random"),
            "aiortc.rtcrtpreceiver:RemoteStreamTrack._queue",
            *_of(
                "aiortc.rtcrtpreceiver:RTCRtpReceiver",
                "_RTCRtpReceiver__codecs _RTCRtpReceiver__decoder_queue _RTCRtpReceiver__decoder_thread"
                " _RTCRtpReceiver__jitter_buffer _RTCRtpReceiver__nack_generator _handle_rtp_packet"
                " _send_rtcp_nack stop",
            ),
            *_of(
                "aiortc.rtcrtpsender:RTCRtpSender",
                "_RTCRtpSender__encoder _RTCRtpSender__force_keyframe _handle_rtcp_packet _next_encoded_frame"
                " _retransmit _run_rtp _send_keyframe _ssrc transport",
            ),
            *_in("aiortc.rtcrtpsender", "RTP_HISTORY_SIZE", "random", "random32"),
            "aiortc.utils:random32",
        ),
    ),
    PrivateUse(
        "aioice",
        ">=0.12,<0.14",
        (
            *_of("aioice.ice:StunProtocol", "connection_made request send_data transport"),
            "aioice.ice:get_host_addresses",
            *_of("aioice.turn:TurnTransport", "get_extra_info"),
            "aioice.turn:UDP_SOCKET_BUFFER_SIZE",
        ),
    ),
    PrivateUse(
        "uvicorn",
        ">=0.53,<0.55",
        (
            *_of(
                "uvicorn.protocols.http.h11_impl:H11Protocol",
                "conn connection_lost connection_made connections cycle data_received loop"
                " on_response_complete pause_writing resume_writing send_400_response"
                " timeout_keep_alive_handler transport",
            ),
            *_of(
                "uvicorn.server:Server",
                "capture_signals config force_exit lifespan server_state servers should_exit shutdown"
                " startup",
            ),
            "uvicorn.server:ServerState",
            *_of(
                "uvicorn.protocols.websockets.websockets_sansio_impl:WebSocketsSansIOProtocol",
                "conn connection_lost connection_made data_received loop pause_writing receive resume_writing"
                " send transport",
            ),
        ),
    ),
    PrivateUse("h11", ">=0.16,<0.17", _of("h11._connection:Connection", "next_event our_state their_state")),
    PrivateUse(
        "numba",
        ">=0.65,<0.69",
        # Only for faster loading: see ``engine/kernels/slim_numba``.
        ("numba.np.arraymath", "numba.core.typing.cffi_utils", "numba:config"),
        needed=False,
    ),
    PrivateUse("httpx", ">=0.28,<0.29", ("httpx._main",), needed=False),
    PrivateUse(
        "python",
        ">=3.11,<3.14",
        (
            *_in("multiprocessing.resource_tracker", "register", "unregister"),
            "multiprocessing.util:_args_from_interpreter_flags",
        ),
    ),
)


def check_versions(*libraries: str) -> None:
    """Compares installed versions with the tested ones, without importing the libraries.

    A library without version metadata is skipped.

    Args:
        libraries: Libraries to check; by default every needed one.

    Raises:
        ProcessError: One has an untested version (``start_failed``); the message says which to install.
    """
    from importlib import metadata

    for use in _chosen(libraries):
        try:
            version = metadata.version(use.library)
        except metadata.PackageNotFoundError:
            continue
        if not fits(version, use.tested):
            raise ProcessError(
                "library_of_another_version", library=use.library, wanted=use.tested, installed=version
            )


def check_names(*libraries: str) -> None:
    """Imports libraries, and checks that they have every name that is used.

    Args:
        libraries: Libraries to check.

    Raises:
        ProcessError: A name is missing (``start_failed``); the message says which version to install.
    """
    for use in _chosen(libraries):
        for name in use.names:
            if not exists(name):
                raise ProcessError(
                    "library_incomplete", library=use.library, name=name.replace(":", "."), wanted=use.tested
                )


def fits(version: str, tested: str) -> bool:
    """Whether a version meets every comparison; of "1.2.3rc4" only the numbers before the letters count."""
    numbers = _numbers(version)
    for comparison in tested.split(","):
        operator, wanted = comparison[:2].rstrip("0123456789"), _numbers(comparison.lstrip("<>="))
        width = max(len(numbers), len(wanted))
        have, want = _padded(numbers, width), _padded(wanted, width)
        if not {"==": have == want, ">=": have >= want, "<": have < want}[operator]:
            return False
    return True


def exists(name: str) -> bool:
    """Whether a name exists: a module, a member of a module, or a member of a class or of its instances."""
    module, _, members = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
    except ImportError:
        return False
    for member in members.split(".") if members else ():
        if isinstance(found, type) and member in _assigned(found):
            return True
        if not hasattr(found, member):
            return False
        found = getattr(found, member)
    return True


def _assigned(cls: type) -> Iterator[str]:
    """The attributes that the methods of a class and its bases assign, mostly of ``self``."""
    for each in cls.__mro__:
        for member in vars(each).values():
            code = getattr(member, "__code__", None)
            if code is not None:
                yield from (step.argval for step in dis.get_instructions(code) if step.opname == "STORE_ATTR")


def _chosen(libraries: tuple[str, ...]) -> Iterator[PrivateUse]:
    for use in USES:
        if use.library in libraries if libraries else use.needed and use.library != "python":
            yield use


def _numbers(version: str) -> tuple[int, ...]:
    match = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def _padded(numbers: tuple[int, ...], width: int) -> tuple[int, ...]:
    return numbers + (0,) * (width - len(numbers))
