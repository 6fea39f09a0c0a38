"""Tone curves and colour lookup tables: contrast, warmth, posterisation, split toning, tints."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

LEVELS = np.arange(256, dtype=np.float32)


def _table(values: Any) -> Plane:
    return np.asarray(np.clip(np.asarray(values) + 0.5, 0, 255), np.uint8)


def curve(contrast: float, brightness: float, black: float, white: float) -> NDArray[np.float32]:
    """A tone curve: gamma for brightness, an S-curve around the middle, then black and white points.

    Args:
        contrast: 0 for none, 1 for a strong S-curve; negative values flatten.
        brightness: -1..1; 0.5 lifts the middle from 128 to about 157.
        black: Output level of black, 0..255.
        white: Output level of white, 0..255.

    Returns:
        float32 (256,): output level of each input level.
    """
    tone = (LEVELS / 255) ** (2.0 ** (-brightness))
    smooth = tone * tone * (3 - 2 * tone)
    tone = tone + contrast * (smooth - tone)
    return np.asarray(black + np.clip(tone, 0, 1) * (white - black), np.float32)


@kernel
def _vivify(first: int, end: int, u: Any, v: Any, gain: Any) -> None:
    """Multiplies chroma by a factor that depends on how strong the stronger of its two parts is."""
    width = u.shape[1]
    for row in range(first, end):
        us, vs = u[row], v[row]
        for x in range(width):
            blue, red = np.int32(us[x]) - 128, np.int32(vs[x]) - 128
            factor = gain[max(abs(blue), abs(red))]
            us[x] = np.uint8(min(max(f32(blue) * factor + f32(128.5), f32(0)), f32(255)))
            vs[x] = np.uint8(min(max(f32(red) * factor + f32(128.5), f32(0)), f32(255)))


class Tone:
    """A tone pass: lookup tables on luma and chroma, and split toning.

    Args:
        stage: Canvas, threads and inputs.
        contrast: See ``curve``.
        brightness: See ``curve``.
        black: See ``curve``.
        white: See ``curve``.
        saturation: Factor on chroma.
        vivid: Chroma up to which weak colours are raised, the weakest to twice their own (vibrance), levels;
            what is stronger stays. 0 for nothing of it.
        warmth: Shift towards orange (positive) or blue (negative), levels of chroma.
        tint: Shift (u, v), levels of chroma.
        split: Split toning: (u, v) of shadows, then of highlights, levels of chroma.
        half: Whether luma is changed in ``low`` instead of ``y``.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        contrast: float = 0.0,
        brightness: float = 0.0,
        black: float = 0.0,
        white: float = 255.0,
        saturation: float = 1.0,
        vivid: float = 0.0,
        warmth: float = 0.0,
        tint: tuple[float, float] = (0.0, 0.0),
        split: tuple[float, float, float, float] | None = None,
        half: bool = False,
    ) -> None:
        self._half, self._bands = half, stage.bands
        # Both planes by one factor, since the hue would turn otherwise.
        self._vivid: NDArray[np.float32] | None = None
        if vivid:
            strength = np.maximum(LEVELS[:129], 1)
            self._vivid = np.maximum(1, np.tanh(2 * strength / vivid) * vivid / strength).astype(np.float32)
        luma = curve(contrast, brightness, black, white)
        self._luma = None if np.allclose(luma, LEVELS, atol=0.3) else _table(luma)
        centred = (LEVELS - 128) * saturation
        u, v = 128 + centred - warmth * 0.8 + tint[0], 128 + centred + warmth * 0.7 + tint[1]
        self._chroma = [None if np.allclose(plane, LEVELS, atol=0.3) else _table(plane) for plane in (u, v)]
        self._split: tuple[Plane, Plane] | None = None
        self._shift = np.zeros_like(stage.canvas.low)
        if split is not None:
            x = LEVELS[:, None] / 255
            shadows, lights = np.array(split[:2], np.float32), np.array(split[2:], np.float32)
            shift = 128 + (1 - x) ** 1.5 * shadows + x**1.5 * lights
            self._split = (_table(shift[:, 0]), _table(shift[:, 1]))
        self._low = np.zeros_like(stage.canvas.low)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y`` (or ``low``), ``u`` and ``v``."""
        if self._luma is not None:
            if self._half:
                cv2.LUT(canvas.low, self._luma, dst=canvas.low)
            else:
                out = canvas.fresh()
                cv2.LUT(canvas.y, self._luma, dst=out)
                canvas.y = out
        if self._vivid is not None:
            self._bands.run(_vivify, canvas.half[0], canvas.u, canvas.v, self._vivid)
        for chroma, plane in zip(self._chroma, (canvas.u, canvas.v), strict=True):
            if chroma is not None:
                cv2.LUT(plane, chroma, dst=plane)
        if self._split is not None:
            low: Any = canvas.low
            if not self._half:
                low = cv2.resize(
                    canvas.y, self._low.shape[::-1], dst=self._low, interpolation=cv2.INTER_LINEAR
                )
            for table, plane in zip(self._split, (canvas.u, canvas.v), strict=True):
                cv2.LUT(low, table, dst=self._shift)
                cv2.addWeighted(plane, 1, self._shift, 1, -128, dst=plane)


class Steps:
    """A posterisation pass: luma in a few soft steps, as in a print or a cel.

    Args:
        stage: Canvas, threads and inputs.
        count: Number of steps from black to white.
        hardness: 1 (a hint of steps) to 10 (hard edges).
        lift: Brightness before the steps, as that of ``curve``.
        half: Whether luma is changed in ``low`` instead of ``y``, where edges of steps are sharper.
    """

    def __init__(
        self, stage: Stage, *, count: int = 6, hardness: float = 4.0, lift: float = 0.0, half: bool = True
    ) -> None:
        self._half = half
        x = (LEVELS / 255) ** (2.0 ** (-lift)) * count
        whole = np.floor(x)
        edge = np.tanh((x - whole - 0.5) * hardness) / np.tanh(0.5 * hardness) / 2 + 0.5
        self._table = _table((whole + edge) / count * 255)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low`` (or ``y``)."""
        if self._half:
            cv2.LUT(canvas.low, self._table, dst=canvas.low)
            return
        out = canvas.fresh()
        cv2.LUT(canvas.y, self._table, dst=out)
        canvas.y = out


class Tint:
    """A toning pass: replaces chroma by one that depends on luma (sepia, blueprint, a photo's own tints).

    Args:
        stage: Canvas, threads and inputs; with a photo, its chroma by luma replaces ``dark`` and ``light``.
        dark: (u, v) of black, levels around 0.
        light: (u, v) of white, levels around 0.
        photo_share: Factor on a photo's chroma, 0..1.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        dark: tuple[float, float] = (0.0, 0.0),
        light: tuple[float, float] = (0.0, 0.0),
        photo_share: float = 0.8,
    ) -> None:
        self._low = np.zeros_like(stage.canvas.low)
        x = LEVELS / 255
        planes: list[Any] = [128 + (1 - x) * dark[i] + x * light[i] for i in (0, 1)]
        if stage.photo is not None:
            planes = [128 + stage.photo.tint[:, i] * photo_share for i in (0, 1)]
        self._u, self._v = _table(planes[0]), _table(planes[1])
        self._flat = all(float(np.ptp(plane)) < 0.5 for plane in planes)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``u`` and ``v`` from ``y``."""
        if self._flat:
            canvas.u.fill(self._u[0])
            canvas.v.fill(self._v[0])
            return
        low = cv2.resize(canvas.y, self._low.shape[::-1], dst=self._low, interpolation=cv2.INTER_LINEAR)
        cv2.LUT(low, self._u, dst=canvas.u)
        cv2.LUT(low, self._v, dst=canvas.v)
