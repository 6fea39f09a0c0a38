"""Encoders tuned for one live picture, and the gate against broken pictures.

H.264 and VP8 as aiortc carries them. aiortc's own encoders are made for thumbnails: x264 at preset medium
and at most 3 Mb/s costs 60 ms a 1080p frame and leaves it smeared, and they are reopened at every change of
the estimated bitrate. Measured here: 6.7 ms (H.264) and 10.3 ms (VP8) a 1080p frame at 8 Mb/s. Must not know
connections, rooms or frame numbers.
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
"""Least changes of the rate that are applied."""
BT601, LIMITED_RANGE = 6, 1
"""ITU-T H.273: matrix, primaries and transfer 6 are SMPTE 170M; range 1 is AVCOL_RANGE_MPEG."""
KEYFRAME_REQUEST_SECONDS = 0.3

log = logging.getLogger(__name__)


def bits_per_second(width: int, height: int) -> int:
    """Returns the full bitrate of a picture size at 30 a second: 8 Mb/s at 1080p, 4 at 720p.

    Finer detail costs less than its share of pixels, hence the exponent.
    """
    share = width * height / (1920 * 1080)
    return max(LEAST_BITS, round(FULL_HD_BITS * float(share**0.85)))


class Steered:
    """The base of both encoders: an adjustable rate, and a picture that becomes smaller with it.

    Attributes:
        share: Share of the full rate of the pictures' size, set by the sender before each picture.
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
        """The present bits a second; 0 before the first frame."""
        return int(self.codec.bit_rate or 0) if self.codec else 0

    @target_bitrate.setter
    def target_bitrate(self, bitrate: int) -> None:
        """Ignores aiortc's use of the receiver's estimate (REMB), which ``rate_control`` weighs."""

    def _packets(self, frame: Frame, force_keyframe: bool) -> tuple[bytes, int]:
        """Encodes one I420 frame; returns it with its 90 kHz time.

        The encoder counts frames itself: its clock must advance evenly, unlike the frames'.
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
        """Returns the encoder at another rate: the same one, or a new one."""
        raise NotImplementedError

    def _opened_anew(self, codec: VideoCodecContext, plan: Plan) -> VideoCodecContext:
        """Reopens an encoder that cannot change its rate; rarely, since it costs a key frame."""
        if abs(plan.bits / (codec.bit_rate or 1) - 1) < COSTLY_RATE_STEP:
            return codec
        self._count = 0
        return self._open(plan)


class LiveH264Encoder(Steered, H264Encoder):
    """An H.264 encoder: in hardware where possible (``hardware_encoders``), else x264 without look-ahead.

    Constant rate; key frames only on request. One thread: sliced threads reduce compression, and the other
    cores have other work. The picture type decides refreshes (``forced-idr``); periodic ones would be
    periodic bursts.
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
        # FFmpeg passes a new rate to a running x264, which needs no key frame for it.
        codec.bit_rate = plan.bits
        return codec


class LiveVp8Encoder(Steered, Vp8Encoder):
    """A VP8 encoder, libvpx at its fastest, for peers without H.264. One thread: with two it spins."""

    def encode(self, frame: Frame, force_keyframe: bool = False) -> tuple[list[bytes], int]:
        """One I420 frame → RTP payloads and its 90 kHz time. Blocks for some milliseconds."""
        data, stamp = self._packets(frame, force_keyframe)
        payloads = self._packetize(data, self.picture_id)
        self.picture_id = (self.picture_id + 1) % (1 << 15)
        return payloads, stamp

    def _open(self, plan: Plan) -> VideoCodecContext:
        return _vp8_context(plan)

    def _step(self, codec: VideoCodecContext, plan: Plan) -> VideoCodecContext:
        return self._opened_anew(codec, plan)  # FFmpeg never passes a new rate to a running libvpx


class KeyframeGate:
    """A gate that, after a loss, blocks pictures until a key frame comes.

    A decoder conceals losses by guessing, which shows torn blocks; a still picture for a moment is better.

    Args:
        codec: "H264" or "VP8".
        ask: Called, at a limited rate, while a key frame is missing.
    """

    def __init__(self, codec: str, ask: Callable[[], None]) -> None:
        self._has_keyframe = _is_vp8_keyframe if codec.upper() == "VP8" else _is_h264_keyframe
        self._ask = ask
        self._asked_at: float | None = None
        self._open = False

    def shut(self) -> None:
        """Shuts the gate after a loss."""
        self._open = False

    def passes(self, data: bytes) -> bool:
        """Returns whether this encoded picture may be decoded."""
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
        # A fixed bound; the rate below it can change.
        "maxrate": str(full),
        # An eighth of a second: a key frame stays a small burst on the wire.
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
    """Returns whether a picture's first packet, in either codec, begins a key frame.

    H.264 has start codes after aiortc's depacketizing, and its parameter sets (types 7 and 8) or IDR slice
    (5) first; VP8 has its start code in the fourth byte (RFC 6386, section 9.1).
    """
    if data.startswith(b"\x00\x00\x00\x01"):
        return len(data) > 4 and data[4] & 0x1F in (5, 7)
    return data[3:6] == b"\x9d\x01\x2a" and data[0] & 1 == 0


def vp8_pixels(data: bytes) -> int:
    """Returns the declared pixels of a VP8 key frame (RFC 6386, section 9.1); 0 for other frames.

    FFmpeg's own limit comes too late for VP8: libvpx has decoded by then.
    """
    if not _is_vp8_keyframe(data) or len(data) < 10:
        return 0
    width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (6, 8))
    return width * height


def _is_h264_keyframe(data: bytes) -> bool:
    """Returns whether an Annex B picture contains an IDR slice (NAL unit type 5; H.264 table 7-1)."""
    at = data.find(b"\x00\x00\x01")
    while 0 <= at < len(data) - 3:
        if data[at + 3] & 0x1F == 5:
            return True
        at = data.find(b"\x00\x00\x01", at + 3)
    return False


def _is_vp8_keyframe(data: bytes) -> bool:
    """Returns whether the lowest bit of the frame tag is 0 (RFC 6386, section 9.1)."""
    return bool(data) and data[0] & 1 == 0
