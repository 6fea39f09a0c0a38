"""Auto exposure: the correction of each frame of a stream, by what was metered, in steps that nobody sees.

One for all canvases of a stream, so that a change of detail changes no light. Must not know looks or prompts,
nor how a correction is applied.
"""

from __future__ import annotations

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.light.exposure import DRIFT, FOLLOW, NEUTRAL, Exposure
from overpaint.engine.light.metering import Meter, noise_of
from overpaint.engine.people.person_mask import shrink
from overpaint.engine.planes import Plane

METERED, LOOKED, LOOKED_CALM = 5, 30, 60
"""Frames from one metering to the next, and from one search for people to the next: it costs ten times as
much, and people move slowly beside lamps. In good light that stays, the longer distance."""

SWITCHED, SWITCHING = 0.1, 30
"""Change of a picture's mean, as a share, that is a change of the room's light, and frames that it takes."""

HELD = 0.03
"""Change of a target, as a share of white, up to which the former one stands: faces talk, lamps do not."""


class AutoExposure:
    """The automatic exposure of one stream.

    Args:
        size: Width and height of the stream's frames, pixels.
        bands: Thread pool for kernels.
        strength: Share of the correction that is applied, 0..1.

    Attributes:
        exposure: The present correction.
        noise: Standard deviation of the noise of a canvas's luma, levels.
        sensor_noise: Standard deviation of the frames' own noise, levels.
    """

    def __init__(self, size: tuple[int, int], bands: Bands, strength: float = 1.0) -> None:
        self._meter = Meter((size[1] // 2, size[0] // 2), bands)
        self._strength = strength
        self._frame = 0
        self._next_look = 0
        self._target: Exposure | None = None
        self._level = 0.0
        self._switched = -SWITCHING
        self.noise = 0.0
        self.sensor_noise = 0.0
        self.exposure = NEUTRAL

    @property
    def growth(self) -> float:
        """Factor by which the present exposure amplifies the noise of dark places."""
        exposure = self.exposure
        return max(1.0, exposure.scale * float(exposure.curve[64] - exposure.curve[8]) * 255 / 56)

    def follow(self, canvas: Canvas, frame: Plane) -> Exposure:
        """Takes in a frame.

        Args:
            canvas: A canvas that was begun with it.
            frame: The luma of the frame itself, uint8 (height, width).

        Returns:
            Its correction; ``NEUTRAL`` where it shall stay as it is.
        """
        target = self._target
        if target is None or self._frame % METERED == 0:
            target = self._metered(canvas, frame)
        self._frame += 1
        switching = self._frame < self._switched + SWITCHING
        self.exposure = self.exposure.towards(target, FOLLOW if switching else DRIFT)
        if target.neutral and self.exposure.neutral:
            self.exposure = NEUTRAL
        return self.exposure

    def _metered(self, canvas: Canvas, frame: Plane) -> Exposure:
        meter, former = self._meter, self._target
        planes = (canvas.low_source, canvas.u, canvas.v)
        for plane, tiny in zip(planes, meter.tiny, strict=True):
            shrink(plane, tiny)
        level = float(meter.tiny[0].mean()) + 4
        if former is None:
            self._level = level
        elif abs(level - self._level) > SWITCHED * self._level:
            self._switched = self._frame
            self._next_look = min(self._next_look, self._frame + METERED)
        self._level += (level - self._level) * 0.25
        if self._frame >= self._next_look:
            for plane, small in zip(planes, meter.small, strict=True):
                shrink(plane, small)
            meter.look()
            self.noise += (noise_of(canvas.source) - self.noise) * (1.0 if former is None else 0.3)
            self.sensor_noise = noise_of(frame)
            self._next_look = self._frame + LOOKED
        found = NEUTRAL.towards(meter.target(), self._strength)
        if found.neutral and self._next_look == self._frame + LOOKED:
            self._next_look = self._frame + LOOKED_CALM
        if former is None:
            self._target = self.exposure = found
        elif found.neutral or found.differs(former) > HELD:
            self._target = found
        assert self._target is not None
        return self._target
