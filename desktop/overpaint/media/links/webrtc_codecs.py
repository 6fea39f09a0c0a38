"""Encoders tuned for one live picture, and the gate that keeps broken pictures from being shown.

Knows H.264 and VP8 as aiortc carries them; must not know connections, rooms or frames' numbers.
aiortc's own encoders are made for thumbnails: x264 at preset medium and at most 3 Mb/s costs 60 ms a
1080p frame and leaves it smeared, and they are re-opened at every change of the estimated bitrate.
Measured here: 6.7 ms (H.264) and 10.3 ms (VP8) a 1080p frame at 8 Mb/s.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import av
from aiortc.codecs.h264 import H264Encoder
from aiortc.codecs.vpx import Vp8Encoder
from aiortc.mediastreams import VIDEO_TIME_BASE, convert_timebase
from av.frame import Frame
from av.video.codeccontext import VideoCodecContext
from av.video.frame import PictureType

FULL_HD_BITS = 8_000_000
"""Bits a second of a 1920 × 1080 picture at 30 a second: Y-PSNR 40 dB of a noisy talking head."""
LEAST_BITS = 400_000
NOMINAL_RATE = 30
BT601, LIMITED_RANGE = 6, 1
"""ITU-T H.273: matrix, primaries and transfer 6 are SMPTE 170M; range 1 is AVCOL_RANGE_MPEG."""
KEYFRAME_REQUEST_SECONDS = 0.3


def bits_per_second(width: int, height: int) -> int:
    """The constant bitrate of a picture size: 8 Mb/s at 1080p, 4 at 720p.

    Finer detail costs less than its share of pixels, hence the exponent.
    """
    share = width * height / (1920 * 1080)
    return max(LEAST_BITS, round(FULL_HD_BITS * float(share**0.85)))


class LiveH264Encoder(H264Encoder):
    """x264 without look-ahead at a constant rate; a full picture only when one is asked for.

    One thread: sliced threads cost compression, and the machine's other cores have work of their own.
    The picture type decides refreshes (``forced-idr``); a periodic one would be a periodic burst.
    """

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    @property
    def target_bitrate(self) -> int:
        """Bits a second now; 0 before the first frame."""
        return int(self.codec.bit_rate or 0) if self.codec else 0

    @target_bitrate.setter
    def target_bitrate(self, bitrate: int) -> None:
        """Ignores the receiver's estimate (REMB): following it re-opens the encoder every second."""

    def encode(self, frame: Frame, force_keyframe: bool = False) -> tuple[list[bytes], int]:
        """One I420 frame → RTP payloads and its 90 kHz time. Blocks for some milliseconds.

        The encoder counts frames by itself: its clock must rise evenly, the frames' need not.
        """
        assert isinstance(frame, av.VideoFrame)
        stamp = convert_timebase(frame.pts or 0, frame.time_base or VIDEO_TIME_BASE, VIDEO_TIME_BASE)
        codec = self.codec
        if codec is None or (codec.width, codec.height) != (frame.width, frame.height):
            codec = self.codec = _h264_context(frame.width, frame.height)
            self._count = 0
        frame.pict_type = PictureType.I if force_keyframe else PictureType.NONE
        frame.pts, frame.time_base = self._count, codec.time_base
        self._count += 1
        data = b"".join(bytes(packet) for packet in codec.encode(frame))
        return self._packetize(self._split_bitstream(data)), stamp


class LiveVp8Encoder(Vp8Encoder):
    """libvpx at its quickest, for peers without H.264. One thread: with two it spins."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    @property
    def target_bitrate(self) -> int:
        """Bits a second now; 0 before the first frame."""
        return int(self.codec.bit_rate or 0) if self.codec else 0

    @target_bitrate.setter
    def target_bitrate(self, bitrate: int) -> None:
        """Ignores the receiver's estimate, as the H.264 encoder does."""

    def encode(self, frame: Frame, force_keyframe: bool = False) -> tuple[list[bytes], int]:
        """One I420 frame → RTP payloads and its 90 kHz time. Blocks for some milliseconds."""
        assert isinstance(frame, av.VideoFrame)
        stamp = convert_timebase(frame.pts or 0, frame.time_base or VIDEO_TIME_BASE, VIDEO_TIME_BASE)
        codec = self.codec
        if codec is None or (codec.width, codec.height) != (frame.width, frame.height):
            codec = self.codec = _vp8_context(frame.width, frame.height)
            self._count = 0
        frame.pict_type = PictureType.I if force_keyframe else PictureType.NONE
        frame.pts, frame.time_base = self._count, codec.time_base
        self._count += 1
        data = b"".join(bytes(packet) for packet in codec.encode(frame))
        payloads = self._packetize(data, self.picture_id)
        self.picture_id = (self.picture_id + 1) % (1 << 15)
        return payloads, stamp


class KeyframeGate:
    """Lets nothing through after a loss until a picture comes that needs no other.

    A decoder goes on after a loss by guessing, which shows as torn blocks; a picture that stands still
    for a moment is better.

    Args:
        codec: "H264" or "VP8".
        ask: Called, not too often, while a full picture is missing.
    """

    def __init__(self, codec: str, ask: Callable[[], None]) -> None:
        self._has_keyframe = _is_vp8_keyframe if codec.upper() == "VP8" else _is_h264_keyframe
        self._ask = ask
        self._asked_at: float | None = None
        self._open = False

    def shut(self) -> None:
        """Something was lost."""
        self._open = False

    def passes(self, data: bytes) -> bool:
        """Whether this encoded picture may be decoded."""
        if not self._open and self._has_keyframe(data):
            self._open = True
            self._asked_at = None
        if not self._open:
            now = time.monotonic()
            if self._asked_at is None or now - self._asked_at > KEYFRAME_REQUEST_SECONDS:
                self._asked_at = now
                self._ask()
        return self._open


def _h264_context(width: int, height: int) -> VideoCodecContext:
    bits = bits_per_second(width, height)
    codec = _context("libx264", width, height, bits)
    codec.options = {
        "preset": "ultrafast",
        "tune": "zerolatency",
        "profile": "baseline",
        "maxrate": str(bits),
        # A quarter of a second: a full picture stays a small burst on the wire.
        "bufsize": str(bits // 4),
        "forced-idr": "1",
        "x264-params": "keyint=infinite:scenecut=0",
    }
    return codec


def _vp8_context(width: int, height: int) -> VideoCodecContext:
    bits = bits_per_second(width, height)
    codec = _context("libvpx", width, height, bits)
    codec.qmin, codec.qmax = 2, 56
    codec.options = {
        "cpu-used": "-12",
        "deadline": "realtime",
        "lag-in-frames": "0",
        "noise-sensitivity": "0",
        "static-thresh": "1",
        "minrate": str(bits),
        "maxrate": str(bits),
        "bufsize": str(bits),
        "undershoot-pct": "100",
        "overshoot-pct": "15",
    }
    return codec


def _context(name: str, width: int, height: int, bits: int) -> VideoCodecContext:
    codec = av.CodecContext.create(name, "w")
    assert isinstance(codec, VideoCodecContext)
    codec.width, codec.height, codec.pix_fmt = width, height, "yuv420p"
    codec.bit_rate = bits
    codec.framerate = Fraction(NOMINAL_RATE, 1)
    codec.time_base = Fraction(1, NOMINAL_RATE)
    codec.gop_size = 1 << 20
    codec.thread_count = 1
    codec.colorspace = codec.color_primaries = codec.color_trc = BT601
    codec.color_range = LIMITED_RANGE
    return codec


def _is_h264_keyframe(data: bytes) -> bool:
    """Whether an Annex B picture holds an IDR slice (NAL unit type 5; H.264 table 7-1)."""
    at = data.find(b"\x00\x00\x01")
    while 0 <= at < len(data) - 3:
        if data[at + 3] & 0x1F == 5:
            return True
        at = data.find(b"\x00\x00\x01", at + 3)
    return False


def _is_vp8_keyframe(data: bytes) -> bool:
    """The lowest bit of the frame tag is 0 for a key frame (RFC 6386, section 9.1)."""
    return bool(data) and data[0] & 1 == 0
