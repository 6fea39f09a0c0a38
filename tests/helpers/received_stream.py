"""A service that sends H.264, and what a link makes of it: real encoder, real decoder, no network."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import av
import numpy as np
from av.video.codeccontext import VideoCodecContext
from av.video.frame import PictureType
from numpy.typing import NDArray

from helpers.numbered_pictures import read_stamps, stamped
from overpaint.media.access_units import UnitReader
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.webrtc.av_frames import to_picture

WIDTH, HEIGHT = 320, 180
BEGIN_NS, FRAME_NS = 5_000_000_000, 33_333_333


class Received:
    """A received stream of stamped pictures.

    Args:
        size: Of its pictures.
        parameters: Further parameters of x264.
        obeys: Whether it makes the key frames that are requested.

    Attributes:
        asked: How often a key frame was requested; the next picture is one then, as from a service.
        shown: The pictures of all frames, by their numbers.
    """

    def __init__(
        self, size: tuple[int, int] = (WIDTH, HEIGHT), parameters: str = "", *, obeys: bool = True
    ) -> None:
        self.asked = 0
        self.shown: dict[int, NDArray[np.uint8]] = {}
        self._size, self._obeys = size, obeys
        self._wanted = True
        self._units = UnitReader(self._want_key)
        self._decoder = av.CodecContext.create("h264", "r")
        self._encoder = _encoder(size, parameters)

    def frame(self, number: int, *, key: bool = False, image: NDArray[np.uint8] | None = None) -> StyledFrame:
        """The next picture; it shows its number, or ``image``."""
        data = self._encode(stamped(number, *self._size) if image is None else image, key)
        unit = self._units.read(data)
        (picture,) = self._decoder.decode(av.Packet(data))
        assert isinstance(picture, av.VideoFrame)
        self.shown[number] = to_picture(picture)
        return StyledFrame(self.shown[number], number, BEGIN_NS + number * FRAME_NS, FrameKind.STYLED, unit)

    def _want_key(self) -> None:
        self.asked += 1
        self._wanted = self._obeys

    def _encode(self, image: NDArray[np.uint8], key: bool) -> bytes:
        picture = av.VideoFrame.from_ndarray(image, format="yuv420p")
        picture.pict_type = PictureType.I if key or self._wanted else PictureType.NONE
        self._wanted = False
        return b"".join(bytes(packet) for packet in self._encoder.encode(picture))


def without_unit(frame: StyledFrame) -> StyledFrame:
    """The same frame as from a service on this computer."""
    return replace(frame, unit=None)


def _encoder(size: tuple[int, int], parameters: str) -> VideoCodecContext:
    encoder = av.CodecContext.create("libx264", "w")
    assert isinstance(encoder, VideoCodecContext)
    encoder.width, encoder.height, encoder.pix_fmt = *size, "yuv420p"
    encoder.framerate, encoder.time_base = Fraction(30), Fraction(1, 30)
    encoder.gop_size, encoder.bit_rate, encoder.thread_count = 1 << 20, 1_000_000, 1
    more = f"keyint=infinite:scenecut=0{parameters and ':' + parameters}"
    encoder.options = {
        "preset": "ultrafast",
        "tune": "zerolatency",
        "profile": "baseline",
        "forced-idr": "1",
        "x264-params": more,
    }
    return encoder


def file_pictures(path: str) -> list[tuple[float, NDArray[np.uint8]]]:
    """Time and picture of each frame of a file; an error of the decoder fails the test."""
    with av.open(path) as container:
        container.streams.video[0].codec_context.options = {"err_detect": "explode"}
        return [(float(frame.time), to_picture(frame)) for frame in container.decode(video=0)]


def file_numbers(path: str) -> list[int]:
    """The numbers that a file's pictures show, each the same at the top and at the bottom: none is torn."""
    read = [read_stamps(image) for _, image in file_pictures(path)]
    assert all(top == bottom for top, bottom in read), read
    return [top for top, _ in read]
