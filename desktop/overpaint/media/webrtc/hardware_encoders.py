"""Hardware encoders of H.264, where this machine has one that fits a live picture.

Each is tested: it must open, and encode without delay in a form that every peer can decode; names and drivers
prove nothing. VAAPI needs frames in graphics memory, which PyAV cannot make: left out. Must not know aiortc,
rates or connections.
"""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

import av
import numpy as np
from av.video.codeccontext import VideoCodecContext
from av.video.frame import PictureType

from overpaint.media.webrtc.rate_control import NOMINAL_FPS, Plan

CHOICE_VARIABLE = "OVERPAINT_H264"
"""Environment variable; ``software`` disables hardware encoders, for bad drivers."""
PROBE = Plan(1280, 720, 2_000_000, 0.0)
PROBE_FRAMES, PROBE_FULL = 6, (0, 4)
BASELINE = 66
"""profile_idc of (constrained) baseline, as in the link's SDP (H.264, A.2.1)."""
SLICE_IDR, PARAMETERS, PICTURE_PARAMETERS = 5, 7, 8

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HardwareEncoder:
    """A hardware encoder of FFmpeg.

    Attributes:
        name: FFmpeg's name.
        pixels: Its pixel layout.
        steps: Whether it can change its rate while it runs.
        options: Options for a live picture.
    """

    name: str
    pixels: str = "yuv420p"
    steps: bool = False
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def open(self, plan: Plan) -> VideoCodecContext:
        """Opens the encoder for a plan. Raises ``av.FFmpegError`` or ``ValueError``: not available."""
        codec = av.CodecContext.create(self.name, "w")
        assert isinstance(codec, VideoCodecContext)
        codec.width, codec.height, codec.pix_fmt = plan.width, plan.height, self.pixels
        codec.bit_rate = plan.bits
        codec.framerate, codec.time_base = Fraction(NOMINAL_FPS, 1), Fraction(1, NOMINAL_FPS)
        codec.gop_size, codec.max_b_frames = 1 << 20, 0
        codec.options = dict(self.options)
        codec.open()
        return codec

    def works(self) -> bool:
        """Tests that it encodes without delay, makes key frames only on request, and baseline."""
        try:
            codec = self.open(PROBE)
            for number in range(PROBE_FRAMES):
                units = _units(self._encode(codec, number))
                types = {unit[0] & 0x1F for unit in units}
                full = {SLICE_IDR, PARAMETERS, PICTURE_PARAMETERS} <= types
                if not units or full is not (number in PROBE_FULL) or _profile(units) not in (None, BASELINE):
                    return False
        except (av.FFmpegError, ValueError, OSError) as error:
            log.debug("%s is not to be had: %s", self.name, error)
            return False
        return True

    def _encode(self, codec: VideoCodecContext, number: int) -> bytes:
        image = np.full((PROBE.height * 3 // 2, PROBE.width), 40 * number + 20, np.uint8)
        frame = av.VideoFrame.from_ndarray(image, format="yuv420p")
        if self.pixels != "yuv420p":
            frame = frame.reformat(format=self.pixels)
        frame.pict_type = PictureType.I if number in PROBE_FULL else PictureType.NONE
        frame.pts, frame.time_base = number, codec.time_base
        return b"".join(bytes(packet) for packet in codec.encode(frame))


CANDIDATES = (
    HardwareEncoder(
        "h264_nvenc",
        steps=True,
        options={
            "preset": "p1",
            "tune": "ull",
            "profile": "baseline",
            "rc": "cbr",
            "zerolatency": "1",
            "delay": "0",
            "forced-idr": "1",
        },
    ),
    HardwareEncoder(
        "h264_videotoolbox", options={"profile": "constrained_baseline", "realtime": "1", "allow_sw": "0"}
    ),
    HardwareEncoder(
        "h264_qsv",
        pixels="nv12",
        options={
            "preset": "veryfast",
            "profile": "baseline",
            "async_depth": "1",
            "forced_idr": "1",
            "look_ahead": "0",
        },
    ),
    HardwareEncoder(
        "h264_amf",
        options={
            "usage": "ultralowlatency",
            "profile": "constrained_baseline",
            "rc": "cbr",
            "forced_idr": "1",
        },
    ),
)


@functools.cache
def hardware_encoder(candidates: tuple[HardwareEncoder, ...] = CANDIDATES) -> HardwareEncoder | None:
    """Returns the first working one; None without one, or where disabled."""
    if os.environ.get(CHOICE_VARIABLE) == "software":
        return None
    found = next((each for each in candidates if each.works()), None)
    if found is not None:
        log.info("H.264 is encoded by %s", found.name)
    return found


def _units(data: bytes) -> list[bytes]:
    """Splits an Annex B picture into its NAL units (H.264, annex B)."""
    return [
        part for part in data.replace(b"\x00\x00\x00\x01", b"\x00\x00\x01").split(b"\x00\x00\x01")[1:] if part
    ]


def _profile(units: list[bytes]) -> int | None:
    """Returns profile_idc of the sequence parameters among units; None without any."""
    return next((unit[1] for unit in units if unit[0] & 0x1F == PARAMETERS and len(unit) > 1), None)
