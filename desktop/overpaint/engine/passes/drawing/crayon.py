"""Dry media on a toothed ground: coloured pencil, pastel, chalk on a board.

A stick leaves pigment only where the pressure exceeds the threshold of the ground's tooth, so that the ground
shows between grains. The pressure follows from the difference between the picture's colour and that of the
ground. Must not know which medium it draws.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.passes.flow import Flow
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane, half_sides


@kernel
def _lay(
    first: int,
    end: int,
    y: Any,
    tooth: Any,
    layers: Any,
    marks: Any,
    ground: Any,
    press: Any,
    u: Any,
    v: Any,
    out: Any,
) -> None:
    """Draws pairs of rows.

    Args:
        first: First half-size row.
        end: Half-size row after the last.
        y: uint8 (2h, 2w), luma to draw.
        tooth: uint8 (2h, 2w), thresholds, uniformly distributed: 0 catches pigment first, 255 never.
        layers: uint8 (h, w), factor on the chroma of the stick, 128 for 1.
        marks: float32 (h, w), pressure that is added by single strokes.
        ground: float32 (3,), luma, u and v of the ground.
        press: float32 (8,): pressure (0..255) at the ground's own colour; pressure added for each level
            darker, lighter and more colourful than the ground; greatest pressure; sharpness of grains;
            share of pigment that is rubbed into the tooth; whiteness of the sticks that draw light tones.
        u: uint8 (h, w), written in place.
        v: uint8 (h, w), written in place.
        out: uint8 (2h, 2w), written.
    """
    half = u.shape[1]
    level, blue, red = ground[0], ground[1], ground[2]
    base, darker, lighter, colourful = press[0], press[1], press[2], press[3]
    most, edge, smudge, pure = press[4], press[5], press[6], press[7]
    white = f32(242) - level
    lean = np.empty(2 * half, np.float32)
    cover = np.empty(2 * half, np.float32)
    total = np.empty(half, np.float32)
    for row in range(first, end):
        us, vs, sticks, hands = u[row], v[row], layers[row], marks[row]
        for x in range(half):
            strong = base + (abs(f32(us[x]) - blue) + abs(f32(vs[x]) - red)) * colourful + hands[x]
            lean[2 * x] = strong
            lean[2 * x + 1] = strong
            total[x] = f32(0)
        for k in range(2):
            lumas, bumps, result = y[2 * row + k], tooth[2 * row + k], out[2 * row + k]
            for x in range(2 * half):
                away, bump = f32(lumas[x]) - level, f32(bumps[x])
                hand = lean[x] + max(away, f32(0)) * lighter - min(away, f32(0)) * darker
                hand = min(max(hand, f32(0)), most)
                grain = min(max((hand - bump) * edge + f32(0.5), f32(0)), f32(1))
                rubbed = hand * f32(1 / 255)
                share = grain + (rubbed - grain) * smudge
                share *= min(f32(255) - bump, f32(1))
                cover[x] = share
                stick = away + max(white - away, f32(0)) * (pure if away > f32(0) else f32(0))
                result[x] = np.uint8(min(max(level + stick * share + f32(0.5), f32(0)), f32(255)))
            for x in range(half):
                total[x] += cover[2 * x] + cover[2 * x + 1]
        for x in range(half):
            share = total[x] * f32(sticks[x]) * f32(0.25 / 128)
            us[x] = np.uint8(min(max(blue + (f32(us[x]) - blue) * share + f32(0.5), f32(0)), f32(255)))
            vs[x] = np.uint8(min(max(red + (f32(vs[x]) - red) * share + f32(0.5), f32(0)), f32(255)))


def ground_colour(colour: str) -> NDArray[np.float32]:
    """The colour ``#rrggbb`` as float32 (3,): luma in full range, u, v."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    y = 0.299 * red + 0.587 * green + 0.114 * blue
    return np.array([y, 128 + (blue - y) * (0.439 / 0.886), 128 + (red - y) * (0.439 / 0.701)], np.float32)


class Crayon:
    """A pass that draws ``y``, ``u`` and ``v`` with dry media on a ground.

    Args:
        stage: Canvas, threads and inputs.
        ground: Colour of the ground, #rrggbb.
        base: Pressure (0..1) where the picture has the ground's own colour.
        dark: Pressure added for each level by which the picture is darker than the ground.
        light: Pressure added for each level by which the picture is lighter than the ground.
        colour: Pressure added for each level of chroma by which the picture differs from the ground.
        most: Greatest pressure (0..1); the rest of the tooth always shows the ground.
        smudge: Share of pigment that is rubbed into the tooth, 0..1.
        white: Whiteness of the sticks that draw tones lighter than the ground, 0 (as the picture) to 1
            (white, as chalk: the pressure alone gives the tone).
        hardness: Sharpness of grains, 1 (soft) to 10.
        angles: Directions of the layers of strokes, degrees.
        length: Length of a stroke, pixels at 1080 rows.
        breadth: Width of a stroke, pixels at 1080 rows.
        grain: Strength of the ground's own grain, relative to that of the strokes.
        size: Size of a grain, pixels at 1080 rows.
        local: Reduction of pressure in light surroundings, 0..1, so that a bright wall is only hinted at.
            Not together with ``follow``.
        follow: Variation in pressure of strokes that follow forms, 0..1.
        layers: Variation in chroma between layers of strokes, 0..1.
        margin: Width of the ragged edge that is left undrawn, pixels at 1080 rows; 0 for none.
        seed: Seed of the random numbers.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        ground: str = "#f6f1e6",
        base: float = 0.1,
        dark: float = 1.2,
        light: float = 1.2,
        colour: float = 0.8,
        most: float = 0.95,
        smudge: float = 0.3,
        white: float = 0.0,
        hardness: float = 3.0,
        angles: tuple[float, ...] = (52.0,),
        length: float = 90.0,
        breadth: float = 2.6,
        grain: float = 0.5,
        size: float = 2.4,
        local: float = 0.0,
        follow: float = 0.0,
        layers: float = 0.0,
        margin: float = 0.0,
        seed: int = 71,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        shape = (canvas.height, canvas.width)
        main = angles[0] if angles else 45.0
        grains = (
            textures.Grain(size, grain),
            textures.Grain(2 * size, 0.6 * grain),
            *(textures.Grain(breadth, 1.0, length, angle) for angle in angles),
        )
        self._tooth = stage.shelf.get(textures.screen, stage.shelf, *shape, grains, seed)
        if margin:
            strokes = textures.Grain(5.0, 0.5 * margin, 2 * length, main)
            self._tooth = stage.shelf.get(_bared, stage.shelf, *shape, grains, margin, strokes, seed)
        self._layers = np.full(canvas.half, 128, np.uint8)
        if layers:
            over = textures.Grain(3 * breadth, 52 * layers, length, main - 14)
            self._layers = stage.shelf.get(textures.sheet, stage.shelf, *canvas.half, (over,), seed + 9)
        self._flow = Flow(stage, length=length, breadth=2 * breadth, seed=seed + 3) if follow else None
        self._follow = f32(255 * follow)
        self._local = local * light
        width, height = self._small = (max(1, canvas.width // 16), max(1, canvas.height // 16))
        self._wide = (max(1, width // 8) | 1, max(1, height // 5) | 1)
        self._marks = np.zeros(canvas.half, np.float32)
        self._ground = ground_colour(ground)
        self._press = np.array(
            [255 * base, dark, light, colour, 255 * most, hardness / 255, smudge, white], np.float32
        )

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        if self._flow is not None:
            np.multiply(self._flow.field(canvas), self._follow, out=self._marks)
        if self._local:
            small = cv2.resize(canvas.low, self._small, interpolation=cv2.INTER_AREA).astype(np.float32)
            light = np.maximum(cv2.blur(cv2.blur(small, self._wide), self._wide) - self._ground[0], 0)
            cv2.resize(light * -self._local, self._marks.shape[::-1], dst=self._marks)
        out = canvas.fresh()
        self._bands.run(
            _lay, canvas.half[0], canvas.y, self._tooth, self._layers, self._marks, self._ground, self._press,
            canvas.u, canvas.v, out,
        )  # fmt: skip
        canvas.y = out


def _bared(
    shelf: Shelf,
    height: int,
    width: int,
    grains: tuple[textures.Grain, ...],
    margin: float,
    strokes: textures.Grain,
    seed: int,
) -> Plane:
    """A tooth that catches no pigment at the sheet's rim, with single strokes that end in the rim."""
    tooth = shelf.get(textures.screen, shelf, height, width, grains, seed)
    x, y = textures.grid(height, width)
    right, low = half_sides(height, width)
    away = np.minimum(right - np.abs(x), low - np.abs(y)) - margin
    away += textures.repeated(textures.tile(shelf, min(height, width), (strokes,), seed + 5), height, width)
    bare = cv2.convertScaleAbs(np.clip(128 - away * 40, 0, 255))
    return np.asarray(np.maximum(tooth, bare), np.uint8)
