"""Brushwork: the picture in single strokes of a brush, each of one colour (stroke-based rendering).

Strokes lie at fixed places of a jittered grid, run along forms, and take the colour of the picture in their
middle (after Haeberli 1990; Litwinowicz 1997). Each leaves out what differs much from its colour, so that
outlines, eyes and mouths stay; fine strokes are laid over coarse ones where there is detail. The thickness of
the paint is lit from one side (impasto). Strokes never move, so a still scene stands still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.flow import EDDIES, Flow
from overpaint.engine.passes.paint.abstraction import Rise
from overpaint.engine.passes.paint.strokes import light_relief
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

STAMPS, ACROSS, ALONG = 7, 24, 96
"""Number of different marks of the brush, and the resolution of one, across and along."""

COVERAGE = 1.8, 1.3
"""How many coarse, and fine, strokes lie over each other on average, so that the picture is covered."""

FINE = 0.45
"""Size of fine strokes relative to coarse ones."""

DETAIL = 120.0
"""Edge energy, in squared levels, at which fine strokes begin; they are opaque at three times as much."""

TOGETHER = 32
"""Rows whose strokes are laid after each other, so that the processor's cache holds them."""

OTHER = 18
"""Difference in luma, levels, up to which a stroke covers the picture; from twice as much on it does not."""

SAMPLE = 5
"""Side of the window whose mean is a stroke's colour, pixels of the half-size picture."""

STILL, CALM = 3.5, 0.15
"""Change of a stroke's colour, levels, up to which it is noise (from twice as much on the new colour is taken
at once), and the weight of a new frame then."""

NOISE = 5
"""Change of a pixel below strokes, levels, that does not change them until they are laid anew."""

TURNED = 0.94
"""Cosine of the angle by which the picture's direction must turn until a stroke turns with it."""

FIXED = 1 << 16
"""Fixed-point one, for places in a mark."""


def _stamps(seed: int) -> Plane:
    """Marks of a bristle brush: opacity and thickness of the paint, uint8 (STAMPS, ACROSS, ALONG, 2)."""
    rng = np.random.default_rng(seed)
    across = ((np.arange(ACROSS) + 0.5) / ACROSS * 2 - 1)[None, :, None]
    along = ((np.arange(ALONG) + 0.5) / ALONG * 2 - 1)[None, None]
    bristles = cv2.GaussianBlur(rng.normal(0, 1, (STAMPS, ACROSS)), (3, 1), 0.7)[:, :, None]
    ends = cv2.GaussianBlur(rng.normal(0, 1, (2, STAMPS * ACROSS)), (3, 1), 0.8).reshape(2, STAMPS, ACROSS, 1)
    begin, end = (0.9 - 0.22 * across**2 - 0.09 * np.abs(edge) for edge in ends)
    cover = np.clip((begin + along) * 14, 0, 1) * np.clip((end - along) * 10, 0, 1)
    cover *= np.clip((0.96 - np.abs(across)) * ACROSS / 4, 0, 1)
    # The brush runs dry: towards the end of a stroke paint is left by some bristles only.
    dry = np.clip(1.15 + 0.5 * bristles - 0.55 * np.clip(along, 0, 1), 0.35, 1)
    ridge = 0.55 + 0.22 * bristles + 0.25 * np.abs(across) ** 3
    thick = ridge * (1 - 0.25 * along) + 0.3 * np.exp(-(((along + 0.86) / 0.12) ** 2))
    marks = np.stack([cover * dry, cover * thick], -1)
    return np.asarray(np.clip(marks * 255 + 0.5, 0, 255), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Strokes of one size, in the order in which they are laid.

    Attributes:
        places: int32 (n, 2), column and row of their middles.
        offsets: float32 (n, 3), differences of their colours from the picture's: luma, u, v.
        stamps: int32 (n,), their marks.
        size: float32 (2,), length and breadth, pixels of the half-size picture.
    """

    places: NDArray[np.int32]
    offsets: Floats
    stamps: NDArray[np.int32]
    size: Floats


def _layer(
    height: int, width: int, length: float, breadth: float, coverage: float, offsets: tuple[float, ...],
    seed: int,
) -> Layer:  # fmt: skip
    rng = np.random.default_rng(seed)
    length, breadth = max(5.0, length), max(2.0, breadth)
    pitch = (length * breadth / coverage) ** 0.5
    rows, columns = int(height / pitch) + 2, int(width / pitch) + 2
    row, column = np.mgrid[:rows, :columns]
    places = np.stack([column + 0.5 * (row % 2), row], -1).reshape(-1, 2) - 0.25
    places = (places + rng.uniform(-0.38, 0.38, places.shape)) * pitch
    places = np.clip(places, 0, (width - 1, height - 1)).astype(np.int32)
    count = len(places)
    hue = rng.normal(0, 1, (count, 1))
    spread = np.hstack([rng.normal(0, 1, (count, 1)), hue, hue]) * offsets
    order = np.lexsort((rng.random(count), places[:, 1] // TOGETHER))
    return Layer(
        np.ascontiguousarray(places[order]),
        spread.astype(np.float32),
        rng.integers(0, STAMPS, count, np.int32),
        np.array([length, breadth], np.float32),
    )


@kernel
def _paint(
    first: int, end: int, places: Any, headings: Any, colours: Any, opacity: Any, stamps: Any, size: Any,
    guide: Any, marks: Any, paint: Any,
) -> None:  # fmt: skip
    """Lays strokes on rows.

    Args:
        first: First row.
        end: Row after the last.
        places: int32 (n, 2), see ``Layer``.
        headings: float32 (n, 2), unit vectors along the strokes.
        colours: int32 (n, 4): luma, u and v of each stroke, and luma of the picture in its middle.
        opacity: int32 (n,), 0..256.
        stamps: int32 (n,), see ``Layer``.
        size: float32 (2,), see ``Layer``.
        guide: uint8 (h, w), the picture's luma.
        marks: uint8 (STAMPS, ACROSS, ALONG, 2), see ``_stamps``.
        paint: uint8 (h, w, 4), painted: luma, u, v, thickness of the paint.
    """
    width = paint.shape[1]
    half_long, half_wide = size[0] * f32(0.5), size[1] * f32(0.5)
    to_along, to_across = f32(ALONG) / size[0] * f32(FIXED), f32(ACROSS) / size[1] * f32(FIXED)
    radius = int(half_long + half_wide) + 1
    for index in range(places.shape[0]):
        middle_x, middle_y, opaque = places[index, 0], places[index, 1], opacity[index]
        if opaque <= 16 or middle_y + radius < first or middle_y - radius >= end:
            continue
        dx, dy = headings[index, 0], headings[index, 1]
        luma, blue, red, own = (
            colours[index, 0], colours[index, 1], colours[index, 2], colours[index, 3],
        )  # fmt: skip
        stamp = marks[stamps[index]]
        reach_y = int(half_long * abs(dy) + half_wide * abs(dx))
        steep = f32(1) / max(dx, f32(1e-3))
        flat = f32(1) / (max(dy, f32(1e-3)) if dy >= f32(0) else min(dy, f32(-1e-3)))
        step_i, step_j = np.int32(dx * to_along), np.int32(-dy * to_across)
        for row in range(max(first, middle_y - reach_y), min(end, middle_y + reach_y + 1)):
            away = f32(row - middle_y)
            # The columns where |x dx + y dy| < half the length and |y dx - x dy| < half the breadth.
            a, b = (-half_long - away * dy) * steep, (half_long - away * dy) * steep
            c, d = (away * dx - half_wide) * flat, (away * dx + half_wide) * flat
            begin = max(np.int32(np.ceil(max(a, min(c, d)))) + middle_x, 0)
            stop = min(np.int32(np.floor(min(b, max(c, d)))) + middle_x + 1, width)
            beside = f32(begin - middle_x)
            i = np.int32((beside * dx + away * dy + half_long) * to_along)
            j = np.int32((away * dx - beside * dy + half_wide) * to_across)
            guides, pixels = guide[row], paint[row]
            for x in range(begin, stop):
                column, line = min(max(i >> 16, 0), ALONG - 1), min(max(j >> 16, 0), ACROSS - 1)
                i, j = i + step_i, j + step_j
                alike = min(np.int32(512) - abs(np.int32(guides[x]) - own) * np.int32(256 // OTHER), 256)
                share = np.int32(stamp[line, column, 0]) * alike * opaque >> 16
                if share <= 0:
                    continue
                value = np.int32(pixels[x, 0])
                pixels[x, 0] = np.uint8(value + ((luma - value) * share >> 8))
                value = np.int32(pixels[x, 1])
                pixels[x, 1] = np.uint8(value + ((blue - value) * share >> 8))
                value = np.int32(pixels[x, 2])
                pixels[x, 2] = np.uint8(value + ((red - value) * share >> 8))
                value = np.int32(pixels[x, 3])
                pixels[x, 3] = np.uint8(value + ((np.int32(stamp[line, column, 1]) - value) * share >> 8))


def _carry(before: Plane, strokes: Plane, plane: Plane) -> None:
    """Carries strokes on to the next frame: they change as the picture below has, but for its noise.

    Args:
        before: The picture on which the strokes were laid, uint8 (h, w).
        strokes: What became of it.
        plane: The picture of the next frame; written.
    """
    change = np.asarray(cv2.subtract(plane, before, dtype=cv2.CV_16S))
    change -= np.clip(change, -NOISE, NOISE)
    cv2.add(strokes, change, dst=plane, dtype=cv2.CV_8U)


class Hand:
    """The strokes of one layer in successive frames: noise neither turns nor colours a stroke anew.

    Args:
        layer: The strokes.
        detail: Energy of edges at which strokes begin to be opaque; 0 for strokes everywhere.

    Attributes:
        headings: float32 (n, 2), see ``_paint``; set by ``follow``, as the others.
        colours: int32 (n, 4), see ``_paint``.
        opacity: int32 (n,), see ``_paint``.
    """

    def __init__(self, layer: Layer, detail: float) -> None:
        self._offsets, self._detail = layer.offsets, detail
        self._at = (layer.places[:, 1], layer.places[:, 0])
        self._own: Floats | None = None
        self._energy: Floats = np.zeros(len(layer.places), np.float32)
        self.headings: Floats = np.zeros((len(layer.places), 2), np.float32)
        self.colours = np.zeros((len(layer.places), 4), np.int32)
        self.opacity = np.full(len(layer.places), 256, np.int32)

    def follow(self, planes: Sequence[cv2.typing.MatLike], flow: Flow) -> None:
        """Takes colours, directions and opacity of a frame.

        Args:
            planes: Luma, u and v at half size, blurred; uint8.
            flow: Its directions are those of the same frame.
        """
        rows, columns = flow.along.shape
        at = (np.minimum(self._at[0] >> 1, rows - 1), np.minimum(self._at[1] >> 1, columns - 1))
        own = np.stack([plane[self._at] for plane in planes], -1).astype(np.float32)
        headings = np.stack([flow.along[at], flow.down[at]], -1)
        energy = flow.energy[at]
        if self._own is None:
            self._own, self.headings, self._energy = own, headings, energy
        else:
            change = np.abs(own - self._own).max(-1)
            share = np.clip((change - STILL) / STILL, CALM, 1)
            self._own += (own - self._own) * share[:, None]
            self._energy += (energy - self._energy) * share
            turned = np.abs((headings * self.headings).sum(-1)) < TURNED
            self.headings[turned] = headings[turned]
        # Dark strokes vary less, since a light stroke in a shadow would stand out.
        vary = 0.35 + self._own[:, :1] * (0.65 / 255)
        self.colours[:, :3] = np.clip(self._own + self._offsets * vary + 0.5, 0, 255)
        self.colours[:, 3] = self._own[:, 0]
        if self._detail:
            opaque = (self._energy - self._detail) * (128 / self._detail)
            self.opacity = np.clip(opaque, 0, 256).astype(np.int32)


class Brushwork:
    """A brushwork pass on ``low``, ``u`` and ``v``, which it enlarges to ``y`` along the frame's edges.

    Args:
        stage: Canvas, threads and inputs.
        length: Length of a coarse stroke, pixels at 1080 rows.
        breadth: Breadth of a coarse stroke, pixels at 1080 rows.
        depth: Strength of the lit relief of the paint, levels.
        luma: Standard deviation of strokes in lightness, levels.
        hues: Standard deviation of strokes in colour, levels of (u, v): from this hue to its opposite.
        crispness: See ``Rise``.
        smoothness: See ``Flow``.
        swirl: See ``Flow``.
        eddies: See ``Flow``.
        seed: Seed of the random numbers.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        length: float = 80.0,
        breadth: float = 20.0,
        depth: float = 14.0,
        luma: float = 6.0,
        hues: tuple[float, float] = (0.0, 0.0),
        crispness: float = 0.7,
        smoothness: float = 28.0,
        swirl: float = 0.0,
        eddies: int = EDDIES,
        seed: int = 63,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._flow = Flow(stage, smoothness=smoothness, swirl=swirl, eddies=eddies)
        self._rise = Rise(stage, crispness=crispness, reach=5, softness=30)
        self._marks = stage.shelf.get(_stamps, seed)
        scale = canvas.scale / 2
        offsets = np.array([luma, *hues])
        self._layers: list[Layer] = [
            stage.shelf.get(
                _layer, *canvas.half, length * scale * part, breadth * scale * part, coverage,
                tuple(offsets * share), seed + number,
            )
            for number, (part, share, coverage) in enumerate(zip((1, FINE), (1, 0.6), COVERAGE, strict=True))
        ]  # fmt: skip
        self._hands = [Hand(layer, detail) for layer, detail in zip(self._layers, (0, DETAIL), strict=True)]
        self._depth = float(depth) / 40
        self._before: Plane = np.zeros((3, *canvas.half), np.uint8)
        self._strokes: Plane = np.zeros_like(self._before)
        self._bare: Plane = np.full(canvas.half, 120, np.uint8)
        self._thick: Plane = np.zeros(canvas.half, np.uint8)
        self._paint: Plane = np.zeros((*canvas.half, 4), np.uint8)
        self._relief: Floats = np.zeros(canvas.half, np.float32)
        self._sparing, self._frames = stage.sparing, 0

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``low``, ``u`` and ``v``."""
        planes = (canvas.low, canvas.u, canvas.v)
        # In a stream strokes are renewed on the frames on which a painting is not, to spread the cost.
        if not self._sparing or self._frames % 2 or not self._frames:
            for plane, before in zip(planes, self._before, strict=True):
                np.copyto(before, plane)
            self._lay(canvas)
            for plane, strokes in zip(planes, self._strokes if self._sparing else (), strict=self._sparing):
                np.copyto(strokes, plane)
        else:
            for plane, before, strokes in zip(planes, self._before, self._strokes, strict=True):
                _carry(before, strokes, plane)
        self._frames += 1
        self._rise.apply(canvas)
        out = canvas.fresh()
        self._bands.run(light_relief, canvas.height, canvas.y, self._relief, out)
        canvas.y = out

    def _lay(self, canvas: Canvas) -> None:
        """Lays all strokes, and computes the relief of their paint."""
        self._flow.follow(canvas)
        planes = (canvas.low, canvas.u, canvas.v)
        soft = [cv2.blur(plane, (SAMPLE, SAMPLE)) for plane in planes]
        cv2.merge([*planes, self._bare], dst=self._paint)
        for layer, hand in zip(self._layers, self._hands, strict=True):
            hand.follow(soft, self._flow)
            self._bands.run(
                _paint, canvas.half[0], layer.places, hand.headings, hand.colours, hand.opacity,
                layer.stamps, layer.size, self._before[0], self._marks, self._paint,
            )  # fmt: skip
        cv2.split(self._paint, [canvas.low, canvas.u, canvas.v, self._thick])
        # Light from the upper left: the derivative of the thickness along that diagonal.
        lamp = np.array([[-1, -1, 0], [-1, 0, 1], [0, 1, 1]], np.float32) / 4 * self._depth
        cv2.filter2D(self._thick, cv2.CV_32F, lamp, dst=self._relief, borderType=cv2.BORDER_REPLICATE)
