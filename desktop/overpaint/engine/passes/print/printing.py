"""Halftone printing with a few inks through screens (CMYK separation, newspaper, risograph, engraving).

Each ink has a plane of coverage at half size, a full-size screen of thresholds, and a colour; inks multiply
the light that the paper reflects. Computed for blocks of 2×2 pixels, because they share one chroma sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

LEVELS = np.arange(256, dtype=np.float32)


@kernel
def _press(
    first: int, end: int, cover: Any, detail: Any, follows: Any, screens: Any, inks: Any, paper: Any,
    hardness: Any, y: Any, u: Any, v: Any,
) -> None:  # fmt: skip
    """Prints pairs of rows.

    Args:
        first: First half-size row.
        end: Half-size row after the last.
        cover: uint8 (n, h, w), coverage of each ink.
        detail: uint8 (2h, 2w), luma at full size less the half-size luma, around 128.
        follows: float32 (n,), weight of detail in an ink's coverage.
        screens: uint8 (n, 2h, 2w), thresholds.
        inks: float32 (n, 3), 1 - reflectance of each ink in red, green, blue.
        paper: float32 (3,), the paper's red, green, blue, 0..255.
        hardness: Sharpness of a dot's edge, for each level.
        y: uint8 (2h, 2w), written.
        u: uint8 (h, w), written.
        v: uint8 (h, w), written.
    """
    count, _, half = cover.shape
    through = np.empty((4, 3, half), np.float32)
    for row in range(first, end):
        for k in range(4):
            for c in range(3):
                through[k, c, :] = paper[c]
        for n in range(count):
            covers, follow = cover[n, row], follows[n]
            r, g, b = inks[n, 0], inks[n, 1], inks[n, 2]
            for k in range(4):
                screen, details = screens[n, 2 * row + (k >> 1)], detail[2 * row + (k >> 1)]
                reds, greens, blues, side = through[k, 0], through[k, 1], through[k, 2], k & 1
                for x in range(half):
                    at = 2 * x + side
                    level = f32(covers[x]) - (f32(details[at]) - f32(128)) * follow
                    dot = (level - f32(screen[at])) * hardness + f32(0.5)
                    dot = min(max(dot, f32(0)), f32(1))
                    reds[x] *= f32(1) - dot * r
                    greens[x] *= f32(1) - dot * g
                    blues[x] *= f32(1) - dot * b
        us, vs = u[row], v[row]
        for k in range(4):
            lumas, side = y[2 * row + (k >> 1)], k & 1
            reds, greens, blues = through[k, 0], through[k, 1], through[k, 2]
            for x in range(half):
                luma = reds[x] * f32(0.299) + greens[x] * f32(0.587) + blues[x] * f32(0.114)
                lumas[2 * x + side] = np.uint8(luma + f32(0.5))
        for x in range(half):
            red = through[0, 0, x] + through[1, 0, x] + through[2, 0, x] + through[3, 0, x]
            green = through[0, 1, x] + through[1, 1, x] + through[2, 1, x] + through[3, 1, x]
            blue = through[0, 2, x] + through[1, 2, x] + through[2, 2, x] + through[3, 2, x]
            us[x] = np.uint8(f32(128.5) + red * f32(-0.037) + green * f32(-0.07275) + blue * f32(0.10975))
            vs[x] = np.uint8(f32(128.5) + red * f32(0.10975) + green * f32(-0.092) + blue * f32(-0.01775))


@kernel
def _separate(first: int, end: int, low: Any, u: Any, v: Any, black: Any, out: Any) -> None:
    """Colour separation: coverage (0..255) of cyan, magenta, yellow, black; ``black`` is the share of grey
    that black replaces (grey component replacement).
    """
    width = low.shape[1]
    for row in range(first, end):
        lumas, us, vs = low[row], u[row], v[row]
        cyans, magentas, yellows, blacks = out[0, row], out[1, row], out[2, row], out[3, row]
        for x in range(width):
            luma, b, r = f32(lumas[x]), f32(us[x]) - f32(128), f32(vs[x]) - f32(128)
            red = min(max(luma + f32(1.596) * r, f32(0)), f32(255))
            green = min(max(luma - f32(0.392) * b - f32(0.813) * r, f32(0)), f32(255))
            blue = min(max(luma + f32(2.017) * b, f32(0)), f32(255))
            grey = f32(255) - max(red, green, blue)
            key = grey * black
            left = f32(255) / (f32(255) - key + f32(1e-3))
            cyans[x] = np.uint8(min(max((f32(255) - red - key) * left, f32(0)), f32(255)))
            magentas[x] = np.uint8(min(max((f32(255) - green - key) * left, f32(0)), f32(255)))
            yellows[x] = np.uint8(min(max((f32(255) - blue - key) * left, f32(0)), f32(255)))
            blacks[x] = np.uint8(min(key, f32(255)))


def _rgb(colour: str) -> NDArray[np.float32]:
    """The colour ``#rrggbb`` as float32 (3,), RGB 0..255."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], np.float32)


def _photo_rgb(stage: Stage, at: float) -> NDArray[np.float32]:
    """A colour of the photo's palette, from 0 (darkest) to 1 (lightest), as float32 (3,), RGB 0..255."""
    assert stage.photo is not None
    y, u, v = stage.photo.colourful(at)
    u, v = u - 128, v - 128
    rgb = np.array([y + 1.596 * v, y - 0.392 * u - 0.813 * v, y + 2.017 * u], np.float32)
    return np.clip(rgb, 0, 255)


class Print:
    """A halftone-printing pass.

    Args:
        stage: Canvas, threads and inputs; with a photo, inks with ``photo`` take a colour of its palette.
        inks: A table for each ink: ``colour`` (#rrggbb), ``photo`` (place in a photo's palette, 0..1),
            ``of`` (cyan, magenta, yellow, black: that part of the picture's colour; tone: its darkness
            through a curve), ``screen`` (dots, lines, grain), ``angle``, ``period`` (pixels at 1080 rows),
            for lines ``wander`` (deviation from straight, pixels at 1080 rows). For tone also ``begin`` and
            ``full`` (luma at which the ink begins and is solid), ``gamma`` (exponent of the curve between
            them), ``red`` and ``blue`` (coverage added for such colours) and ``shift`` (misregistration,
            pixels at 1080 rows).
        paper: Colour of the paper, #rrggbb.
        hardness: Sharpness of dots, 1 (soft) to 10.
        black: Share of grey that black ink replaces.
        detail: Weight of full-size detail in the coverage, 0..1.5.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        inks: Sequence[Mapping[str, Any]],
        paper: str = "#fbf6ea",
        hardness: float = 4.0,
        black: float = 0.8,
        detail: float = 1.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._inks = [dict(ink) for ink in inks]
        count = len(self._inks)
        self._cover = np.zeros((count, *canvas.half), np.uint8)
        self._process = np.zeros((4, *canvas.half), np.uint8)
        self._uses_process = any(ink["of"] != "tone" for ink in self._inks)
        self._screens = np.stack([self._screen(stage, ink) for ink in self._inks])
        self._colours = np.stack([1 - self._colour(stage, ink) / 255 for ink in self._inks]).astype(
            np.float32
        )
        self._follows = np.array(
            [detail * (1.0 if ink["of"] in ("tone", "black") else 0.5) for ink in self._inks], np.float32
        )
        self._tables = [self._curve(ink) for ink in self._inks]
        self._paper = _rgb(paper)
        self._hardness = f32(hardness / 255)
        self._black = f32(black)
        self._detail: Plane = np.zeros_like(canvas.source)
        self._scale = canvas.scale

    @staticmethod
    def _colour(stage: Stage, ink: Mapping[str, Any]) -> NDArray[np.float32]:
        if stage.photo is not None and "photo" in ink:
            return _photo_rgb(stage, float(ink["photo"]))
        return _rgb(str(ink["colour"]))

    @staticmethod
    def _screen(stage: Stage, ink: Mapping[str, Any]) -> Plane:
        size = (stage.canvas.height, stage.canvas.width)
        period, angle = float(ink.get("period", 9.0)), float(ink.get("angle", 15.0))
        kind = ink.get("screen", "dots")
        if kind == "grain":
            return stage.shelf.get(
                textures.screen, stage.shelf, *size, (textures.Grain(period / 4),), round(angle)
            )
        if kind == "lines":
            wander = float(ink.get("wander", 14.0))
            return stage.shelf.get(textures.strokes, *size, angle, period, wander, 50)
        return stage.shelf.get(textures.dots, *size, angle, period)

    @staticmethod
    def _curve(ink: Mapping[str, Any]) -> Plane:
        begin, full = float(ink.get("begin", 230)), float(ink.get("full", 20))
        gamma = float(ink.get("gamma", 1.0))
        return np.asarray(np.clip((begin - LEVELS) / (begin - full), 0, 1) ** gamma * 255 + 0.5, np.uint8)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v`` from ``low``, ``u``, ``v`` and the frame's detail."""
        if self._uses_process:
            self._bands.run(
                _separate, canvas.half[0], canvas.low, canvas.u, canvas.v, self._black, self._process
            )
        for index, ink in enumerate(self._inks):
            self._ink_plane(index, ink, canvas)
        cv2.resize(canvas.low_source, self._detail.shape[::-1], dst=self._detail)
        cv2.addWeighted(canvas.source, 1, self._detail, -1, 128, dst=self._detail)
        out = canvas.fresh()
        self._bands.run(
            _press, canvas.half[0], self._cover, self._detail, self._follows, self._screens,
            self._colours, self._paper, self._hardness, out, canvas.u, canvas.v,
        )  # fmt: skip
        canvas.y = out

    def _ink_plane(self, index: int, ink: Mapping[str, Any], canvas: Canvas) -> None:
        cover = self._cover[index]
        place = {"cyan": 0, "magenta": 1, "yellow": 2, "black": 3}.get(str(ink["of"]))
        if place is not None:
            np.copyto(cover, self._process[place])
            return
        cv2.LUT(canvas.low, self._tables[index], dst=cover)
        for chroma, share in (
            (canvas.v, float(ink.get("red", 0.0))),
            (canvas.u, float(ink.get("blue", 0.0))),
        ):
            if share:
                cv2.addWeighted(cover, 1, chroma, share, -128 * share, dst=cover)
        shift = float(ink.get("shift", 0.0)) * self._scale / 2
        if shift:
            move = np.array([[1, 0, shift], [0, 1, shift * 0.6]], np.float32)
            moved = cv2.warpAffine(cover, move, cover.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
            np.copyto(cover, moved)
