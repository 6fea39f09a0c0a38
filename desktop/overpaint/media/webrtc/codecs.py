"""Encoders tuned for one live picture, and the gate that keeps broken pictures from being shown.

Knows H.264 and VP8 as aiortc carries them; must not know connections, rooms or frames' numbers.
aiortc's own encoders are made for thumbnails: x264 at preset medium and at most 3 Mb/s costs 60 ms a
1080p frame and leaves it smeared, and they are re-opened at every change of the estimated bitrate.
Measured here: 6.7 ms (H.264) and 10.3 ms (VP8) a 1080p frame at 8 Mb/s.
"""

from __future__ import annotations

import logging
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

from overpaint.media import pictures
from overpaint.media.webrtc.av_frames import to_picture, to_video_frame
from overpaint.media.webrtc.hardware_encoders import hardware_encoder
from overpaint.media.webrtc.rate_control import NOMINAL_FPS, Plan, SizeLadder

FULL_HD_BITS = 8_000_000
"""Bits a second of a 1920 × 1080 picture at 30 a second: Y-PSNR 40 dB of a noisy talking head."""
LEAST_BITS = 400_000
RATE_STEP, COSTLY_RATE_STEP = 0.05, 0.3
"""Smaller changes of the rate are not handed on."""
BT601, LIMITED_RANGE = 6, 1
"""ITU-T H.273: matrix, primaries and transfer 6 are SMPTE 170M; range 1 is AVCOL_RANGE_MPEG."""
KEYFRAME_REQUEST_SECONDS = 0.3

log = logging.getLogger(__name__)


def bits_per_second(width: int, height: int) -> int:
    """The full bitrate of a picture size at 30 a second: 8 Mb/s at 1080p, 4 at 720p.

    Finer detail costs less than its share of pixels, hence the exponent.
    """
    share = width * height / (1920 * 1080)
    return max(LEAST_BITS, round(FULL_HD_BITS * float(share**0.85)))


class Steered:
    """What both encoders share: a rate that can be stepped, and a picture that becomes smaller with it.

    Attributes:
        share: Of the full rate of the pictures' size, set by the sender before each picture.
        interval_s: Least time between two pictures at that share.
    """

    codec: VideoCodecContext | None

    def __init__(self) -> None:
        super().__init__()
        self.share = 1.0
        self.interval_s = 0.0
        self._ladder = SizeLadder(bits_per_second)
        self._count = 0

    @property
    def target_bitrate(self) -> int:
        """Bits a second now; 0 before the first frame."""
        return int(self.codec.bit_rate or 0) if self.codec else 0

    @target_bitrate.setter
    def target_bitrate(self, bitrate: int) -> None:
        """Ignores what aiortc makes of the receiver's estimate (REMB): ``rate_control`` weighs it."""

    def _packets(self, frame: Frame, force_keyframe: bool) -> tuple[bytes, int]:
        """One I420 frame → an encoded picture and its 90 kHz time.

        The encoder counts frames by itself: its clock must rise evenly, the frames' need not.
        """
        assert isinstance(frame, av.VideoFrame)
        stamp = convert_timebase(frame.pts or 0, frame.time_base or VIDEO_TIME_BASE, VIDEO_TIME_BASE)
        plan = self._ladder.plan(frame.width, frame.height, self.share)
        self.interval_s = plan.interval_s
        codec = self.codec
        if codec is None or (codec.width, codec.height) != (plan.width, plan.height):
            codec = self.codec = self._open(plan)
            self._count = 0
        elif abs(plan.bits / (codec.bit_rate or 1) - 1) > RATE_STEP:
            codec = self.codec = self._step(codec, plan)
        if (frame.width, frame.height) != (plan.width, plan.height):
            frame = to_video_frame(pictures.resize(to_picture(frame), plan.width, plan.height), stamp)
        if codec.pix_fmt != frame.format.name:
            frame = frame.reformat(format=codec.pix_fmt)
        frame.pict_type = PictureType.I if force_keyframe else PictureType.NONE
        frame.pts, frame.time_base = self._count, codec.time_base
        self._count += 1
        return b"".join(bytes(packet) for packet in codec.encode(frame)), stamp

    def _open(self, plan: Plan) -> VideoCodecContext:
        raise NotImplementedError

    def _step(self, codec: VideoCodecContext, plan: Plan) -> VideoCodecContext:
        """The encoder at another rate: the same one, or one opened anew."""
        raise NotImplementedError

    def _opened_anew(self, codec: VideoCodecContext, plan: Plan) -> VideoCodecContext:
        """For an encoder that takes no other rate while it runs: it costs a full picture, so seldom."""
        if abs(plan.bits / (codec.bit_rate or 1) - 1) < COSTLY_RATE_STEP:
            return codec
        self._count = 0
        return self._open(plan)


class LiveH264Encoder(Steered, H264Encoder):
    """The machine's own encoder where it has one (``hardware_encoders``), else x264 without look-ahead.

    A constant rate; a full picture only when one is asked for. One thread: sliced threads cost compression,
    and the machine's other cores have work of their own. The picture type decides refreshes
    (``forced-idr``); a periodic one would be a periodic burst.
    """

    def __init__(self) -> None:
        super().__init__()
        self._hardware = hardware_encoder()

    def encode(self, frame: Frame, force_keyframe: bool = False) -> tuple[list[bytes], int]:
        """One I420 frame → RTP payloads and its 90 kHz time. Blocks for some milliseconds."""
        try:
            data, stamp = self._packets(frame, force_keyframe)
        except (av.FFmpegError, ValueError) as error:
            if self._hardware is None:
                raise
            log.warning("%s failed (%s); software encodes from now on", self._hardware.name, error)
            self._hardware = self.codec = None
            data, stamp = self._packets(frame, True)
        return self._packetize(self._split_bitstream(data)), stamp

    def _open(self, plan: Plan) -> VideoCodecContext:
        return _h264_context(plan) if self._hardware is None else self._hardware.open(plan)

    def _step(self, codec: VideoCodecContext, plan: Plan) -> VideoCodecContext:
        if self._hardware is not None and not self._hardware.steps:
            return self._opened_anew(codec, plan)
        # FFmpeg tells a running x264 of a new rate; it goes on without a full picture.
        codec.bit_rate = plan.bits
        return codec


class LiveVp8Encoder(Steered, Vp8Encoder):
    """libvpx at its quickest, for peers without H.264. One thread: with two it spins."""

    def encode(self, frame: Frame, force_keyframe: bool = False) -> tuple[list[bytes], int]:
        """One I420 frame → RTP payloads and its 90 kHz time. Blocks for some milliseconds."""
        data, stamp = self._packets(frame, force_keyframe)
        payloads = self._packetize(data, self.picture_id)
        self.picture_id = (self.picture_id + 1) % (1 << 15)
        return payloads, stamp

    def _open(self, plan: Plan) -> VideoCodecContext:
        return _vp8_context(plan)

    def _step(self, codec: VideoCodecContext, plan: Plan) -> VideoCodecContext:
        return self._opened_anew(codec, plan)  # FFmpeg never tells a running libvpx


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


def _h264_context(plan: Plan) -> VideoCodecContext:
    codec = _context("libx264", plan)
    full = bits_per_second(plan.width, plan.height)
    codec.options = {
        "preset": "ultrafast",
        "tune": "zerolatency",
        "profile": "baseline",
        # Cannot be changed later; the rate inside of it can.
        "maxrate": str(full),
        # An eighth of a second: a full picture stays a small burst on the wire.
        "bufsize": str(full // 8),
        "forced-idr": "1",
        "x264-params": "keyint=infinite:scenecut=0",
    }
    return codec


def _vp8_context(plan: Plan) -> VideoCodecContext:
    codec = _context("libvpx", plan)
    codec.qmin, codec.qmax = 2, 56
    codec.options = {
        "cpu-used": "-12",
        "deadline": "realtime",
        "lag-in-frames": "0",
        "noise-sensitivity": "0",
        "static-thresh": "1",
        "minrate": str(plan.bits),
        "maxrate": str(plan.bits),
        "bufsize": str(plan.bits),
        "undershoot-pct": "100",
        "overshoot-pct": "15",
    }
    return codec


def _context(name: str, plan: Plan) -> VideoCodecContext:
    codec = av.CodecContext.create(name, "w")
    assert isinstance(codec, VideoCodecContext)
    codec.width, codec.height, codec.pix_fmt = plan.width, plan.height, "yuv420p"
    codec.bit_rate = plan.bits
    codec.framerate = Fraction(NOMINAL_FPS, 1)
    codec.time_base = Fraction(1, NOMINAL_FPS)
    codec.gop_size = 1 << 20
    codec.thread_count = 1
    codec.colorspace = codec.color_primaries = codec.color_trc = BT601
    codec.color_range = LIMITED_RANGE
    return codec


def begins_full_picture(data: bytes) -> bool:
    """Whether the first packet's part of a picture, in either codec, begins one that needs no other.

    H.264 comes with start codes out of aiortc's packets, and its parameter sets (types 7 and 8) or IDR slice
    (5) first; VP8 has its start code in the fourth byte (RFC 6386, section 9.1).
    """
    if data.startswith(b"\x00\x00\x00\x01"):
        return len(data) > 4 and data[4] & 0x1F in (5, 7)
    return data[3:6] == b"\x9d\x01\x2a" and data[0] & 1 == 0


def vp8_pixels(data: bytes) -> int:
    """How large a full VP8 picture says that it is (RFC 6386, section 9.1); 0 for one that needs another.

    FFmpeg's own bound comes too late for VP8: libvpx has decoded by then.
    """
    if not _is_vp8_keyframe(data) or len(data) < 10:
        return 0
    width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (6, 8))
    return width * height


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
