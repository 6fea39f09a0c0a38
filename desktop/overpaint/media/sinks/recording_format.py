"""The format of recordings: named qualities with their rate control, size, frame rate.

The rate control is capped CRF: a quiet picture takes what it needs, a lively one (hatching, grain, foliage)
at most the ceiling, so that a minute has a largest size. Why these presets: ``docs/measurements.md``. Must
not know the encoder, which takes a while to load.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from overpaint.wire.preferences import Preferences, RecordingQuality

MOST_FPS = 60.0
"""Most frames a second that are reckoned with."""
SOUND_BITS = 160_000
"""Bits a second of the AAC track."""


@dataclass(frozen=True, slots=True)
class RateControl:
    """The rate control of a quality.

    Attributes:
        preset: x264's preset; a slower one takes processor time and saves bits.
        more: Further parameters of x264.
        factor: Constant rate factor; 6 less is about twice the bits.
        ceiling: Most bits a second, over any second.
    """

    preset: str
    more: str
    factor: int
    ceiling: int


# What ultrafast leaves out and is worth its time: without adaptive quantisation a ceiling takes the tint from
# flat areas (paper turns grey), without CABAC the same picture takes a fifth more bits.
_QUICK = "ultrafast", "aq-mode=1:cabac=1:no-deblock=0"
RATE_CONTROLS: Mapping[RecordingQuality, RateControl] = {
    "standard": RateControl(*_QUICK, 23, 12_000_000),
    "high": RateControl(*_QUICK, 19, 24_000_000),
    "small": RateControl("superfast", "chroma-qp-offset=-3", 27, 4_000_000),
}


@dataclass(frozen=True, slots=True)
class RecordingFormat:
    """The format of a recording.

    Attributes:
        quality: Name of its rate control.
        height: Most rows of its pictures; larger frames are scaled down.
        fps: Most frames a second; 0 keeps all that come.
        with_sound: Whether there is a sound track.
    """

    quality: RecordingQuality = "standard"
    height: int = 1080
    fps: int = 0
    with_sound: bool = False

    @classmethod
    def preferred(cls, preferences: Preferences, *, with_sound: bool) -> RecordingFormat:
        """Returns the format that the user chose."""
        return cls(
            preferences.recording_quality,
            preferences.recording_height,
            preferences.recording_fps,
            with_sound,
        )

    @property
    def most_bits(self) -> int:
        """Most bits a second of picture and sound."""
        return RATE_CONTROLS[self.quality].ceiling + (SOUND_BITS if self.with_sound else 0)

    def rate(self, fps: float) -> float:
        """Returns the nominal frames a second of a recording, by which its ceiling is kept.

        Args:
            fps: That of the source.
        """
        return min(fps, self.fps or MOST_FPS)

    def copies(self, fps: float) -> bool:
        """Returns whether received H.264 goes into the file as it is, where frames come at a nominal rate.

        A small file is worth the encoding, and no frame can be left out.
        """
        return self.quality != "small" and (not self.fps or fps <= self.fps)

    def size_of(self, width: int, height: int) -> tuple[int, int]:
        """Returns width and height of the recorded pictures for those of the frames."""
        if height <= self.height:
            return width, height
        return round(width * self.height / height / 2) * 2, self.height


SILENT = RecordingFormat()
"""The usual format, without sound."""
