"""Moving background of the demo clip: sky, clouds and trees outside, dappled sun on the wall, the plants.

Takes the room's layers once, softens them as a lens focused on the person would, and recombines them
for any moment. All motion repeats after ``SECONDS``. Must not know the person.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from motion import SECONDS
from numpy.typing import NDArray
from room import WALL_Z, WINDOW
from roomlight import SUN, render_room

Layer = NDArray[np.float32]
TILE = 512


def _soft(image: Layer, sigma: float) -> Layer:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.float32)


def _ramp(low: float, high: float, x: Layer) -> Layer:
    """Smooth step, as ``shapes.step``, over arrays."""
    t = np.clip((x - np.float32(low)) / np.float32(high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def _tile(seed: int, coarsest: float) -> Layer:
    """A seamless (TILE, TILE) cloud of noise in 0…1 whose largest features are ``coarsest`` pixels wide."""
    rng = np.random.default_rng(seed)
    total = np.zeros((TILE, TILE), np.float32)
    for octave in range(5):
        sigma = max(coarsest / 2**octave / 3, 0.6)
        field = rng.standard_normal((TILE, TILE)).astype(np.float32)
        margin = int(3 * sigma) + 1
        field = _soft(np.pad(field, margin, mode="wrap"), sigma)[margin:-margin, margin:-margin]
        total += field / field.std() * 0.55**octave
    return np.asarray(np.clip(0.5 + 0.25 * total / total.std(), 0, 1), np.float32)


def _look(tile: Layer, x: Layer, y: Layer) -> Layer:
    """The tile's value at (x, y), in tiles; repeats for ever."""
    mx = np.asarray(np.mod(x, 1) * TILE, np.float32)
    my = np.asarray(np.mod(y, 1) * TILE, np.float32)
    padded = np.pad(tile, ((0, 1), (0, 1)), mode="wrap")
    return np.asarray(cv2.remap(padded, mx, my, cv2.INTER_LINEAR), np.float32)


def _turn(seconds: float, turns: int, phase: float = 0.0) -> float:
    return math.sin(2 * math.pi * turns * seconds / SECONDS + phase)


class Backdrop:
    """The moving room, without the person.

    Args:
        width: Pixels.
        height: Pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        self._size = (width, height)
        self._scale = height / 1080
        bare, full = render_room(width, height, False), render_room(width, height, True)
        blur = 2.3 * self._scale
        self._soft = _soft(bare.soft, blur)
        self._sunny = _soft(bare.sunny, blur)
        self._glass = _soft(bare.place[..., 3], blur)
        leaf_blur = 1.5 * self._scale
        mask = full.place[..., 4]
        self._leaves = _soft(
            np.dstack([full.soft * mask[..., None], full.sunny * mask[..., None], mask]), leaf_blur
        )
        rows, columns = np.nonzero(self._leaves[..., 6] > 0.002)
        margin = round(30 * self._scale)
        self._leaf_rows = slice(max(rows.min() - margin, 0), rows.max() + margin)
        self._leaf_columns = slice(max(columns.min() - margin, 0), columns.max() + margin)
        self._prepare_sun(bare.place)
        self._prepare_window(bare.place)
        self._tiles = [_tile(seed, coarsest) for seed, coarsest in ((1, 130), (2, 60), (3, 90))]

    def _prepare_sun(self, place: Layer) -> None:
        """Where on the wall's plane the sun's rays that light each pixel would land."""
        depth = place[..., 2] - WALL_Z
        self._beam_x = cv2.resize(place[..., 0] - SUN[0] / SUN[2] * depth, None, fx=0.25, fy=0.25)
        self._beam_y = cv2.resize(place[..., 1] - SUN[1] / SUN[2] * depth, None, fx=0.25, fy=0.25)
        u, v = self._beam_x + 0.30 * self._beam_y + 0.15, self._beam_y - 0.9
        panes = _ramp(0.07, 0.17, np.abs(u)) * _ramp(0.06, 0.16, np.abs(v - 0.4))
        self._panes = panes * _ramp(2.25, 2.0, np.abs(u)) * _ramp(2.75, 2.45, np.abs(v))

    def _prepare_window(self, place: Layer) -> None:
        rows, columns = np.nonzero(self._glass > 0.002)
        self._out_rows = slice(rows.min(), rows.max() + 1)
        self._out_columns = slice(columns.min(), columns.max() + 1)
        high, wide = (rows.max() + 1 - rows.min()) // 2, (columns.max() + 1 - columns.min()) // 2
        # the view outside is far away: coordinates in window halves, whatever the perspective
        inside = place[..., 3] > 0
        xs, ys = place[..., 0][inside], place[..., 1][inside]
        u = np.linspace(xs.min() - WINDOW[0], xs.max() - WINDOW[0], wide, dtype=np.float32) / WINDOW[3]
        v = np.linspace(ys.max() - WINDOW[1], ys.min() - WINDOW[1], high, dtype=np.float32) / WINDOW[3]
        self._out_x, self._out_y = np.meshgrid(u, v)

    def _sky(self, seconds: float) -> Layer:
        """Sky and clouds: two passes of the same drift, cross-faded, so that the loop has no seam."""
        u, v = self._out_x, self._out_y
        share = seconds / SECONDS
        clouds = np.zeros_like(u)
        for at, weight in ((share, 1 - share), (share - 1, share)):
            drift = 0.10 * at
            n = _look(self._tiles[0], u * 0.26 + drift + 0.1, v * 0.42 + 0.3)
            n = n + 0.25 * (_look(self._tiles[1], u * 0.6 + drift * 1.5, v * 0.9) - 0.5)
            clouds += np.float32(weight) * _ramp(0.46, 0.70, n)
        light = _look(self._tiles[0], u * 0.26 + 0.14, v * 0.42 + 0.26)
        t = np.clip((v + 0.4) / 1.4, 0, 1)[..., None]
        blue = (1 - t) * np.array([1.25, 1.32, 1.35], np.float32) + t * np.array(
            [0.42, 0.78, 1.30], np.float32
        )
        white = np.array([1.75, 1.70, 1.62], np.float32) * (0.78 + 0.4 * light[..., None])
        c = clouds[..., None]
        return np.asarray(blue * (1 - c) + white * c, np.float32)

    def _outside(self, seconds: float) -> Layer:
        """The view through the glass, linear RGB, blurred by distance, at half size."""
        u, v = self._out_x, self._out_y
        view = self._sky(seconds)
        for layer, (base, green, sway) in enumerate(
            ((-0.22, (0.34, 0.50, 0.36), 0.006), (-0.50, (0.16, 0.34, 0.10), 0.014))
        ):
            gust = sway * (_turn(seconds, 2, layer) + 0.6 * _turn(seconds, 5, 2 * layer))
            bend = gust * (v - base + 1.0)
            leafy = _look(self._tiles[2], (u + bend) * 0.55 + 0.37 * layer, v * 0.55 + 0.2 * layer)
            fine = _look(self._tiles[1], (u + 2.2 * bend) * 1.1, v * 1.1 + 0.012 * _turn(seconds, 3, layer))
            top = (
                base + 0.20 * np.sin(u * 3.1 + 1.3 * layer + 0.6) + 0.9 * (leafy - 0.5) + 0.25 * (fine - 0.5)
            )
            mask = _ramp(0.04, -0.04, v - top)[..., None]
            tone = 0.45 + 1.1 * fine + 0.35 * np.clip(v - base + 0.4, -0.5, 0.5)
            view = view * (1 - mask) + np.array(green, np.float32) * tone[..., None] * 1.2 * mask
        return _soft(np.asarray(view, np.float32), 2.2 * self._scale)

    def _sunlight(self, seconds: float) -> Layer:
        """How much sun passes the panes and the moving leaves outside, (H, W), 0…1."""
        x, y = self._beam_x, self._beam_y
        sway_x = 0.010 * _turn(seconds, 2) + 0.006 * _turn(seconds, 5, 1.0)
        sway_y = 0.006 * _turn(seconds, 3, 0.5)
        a = _look(self._tiles[2], x * 0.16 + sway_x, y * 0.16 + sway_y)
        b = _look(self._tiles[1], x * 0.23 - 1.6 * sway_x, y * 0.23 + 1.8 * sway_y)
        dapple = 0.30 + 0.70 * _ramp(0.30, 0.62, 0.55 * a + 0.45 * b)
        sun = 0.92 + 0.14 * _turn(seconds, 1, 0.9) + 0.05 * _turn(seconds, 2, 2.0)
        return np.asarray(cv2.resize(self._panes * dapple * np.float32(sun), self._size), np.float32)

    def _blown_leaves(self, seconds: float) -> Layer:
        """The plants' layer, each part of it moved by its own breath of air."""
        part = self._leaves[self._leaf_rows, self._leaf_columns]
        high, wide = part.shape[:2]
        y, x = np.mgrid[:high, :wide].astype(np.float32)
        s = self._scale
        up = np.clip(1.15 - (y + self._leaf_rows.start) / (1080 * s), 0, 1)
        phase = x / (95 * s) + y / (130 * s)
        omega = 2 * math.pi * seconds / SECONDS
        dx = up * (5.0 * np.sin(phase + 2 * omega) + 2.2 * np.sin(2.3 * phase + 5 * omega)) * s
        dy = (
            (2.6 * np.sin(1.7 * phase + 3 * omega + 1) + 1.6 * np.sin(3.1 * phase + 4 * omega))
            * s
            * (0.3 + up)
        )
        moved = [
            cv2.remap(np.ascontiguousarray(part[..., i : i + k]), x + dx, y + dy, cv2.INTER_LINEAR)
            for i, k in ((0, 3), (3, 3), (6, 1))
        ]
        return np.dstack(moved)

    def at(self, seconds: float) -> Layer:
        """The room at a moment.

        Args:
            seconds: Time in the loop, 0 … ``SECONDS``.

        Returns:
            float32 (H, W, 3), linear RGB.
        """
        sun = self._sunlight(seconds)[..., None]
        sky = np.float32(1 + 0.035 * _turn(seconds, 1, 0.9))
        picture = self._soft * sky + self._sunny * sun
        rows, columns = self._out_rows, self._out_columns
        area = picture[rows, columns]
        view = cv2.resize(self._outside(seconds), (area.shape[1], area.shape[0]))
        glass = self._glass[rows, columns, None]
        picture[rows, columns] = area + view * glass
        rows, columns = self._leaf_rows, self._leaf_columns
        leaves = self._blown_leaves(seconds)
        lit = leaves[..., :3] * sky + leaves[..., 3:6] * sun[rows, columns] * 0.8
        picture[rows, columns] = picture[rows, columns] * (1 - leaves[..., 6:]) + lit
        return np.asarray(picture, np.float32)
