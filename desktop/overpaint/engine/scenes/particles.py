"""Particles: snow, rain, leaves, petals, dust, embers, bubbles, fish, twinkling stars; drawn over the plate.

Each is a soft ellipse whose place follows from its number and the time alone. It comes in and goes out beyond
the edge of where it lives, so none appears or vanishes at once. Must not know scenes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.fields import CHROMA, FPS
from overpaint.engine.scenes.hashing import chance
from overpaint.engine.scenes.plate import Window


@dataclass(frozen=True, slots=True)
class Habit:
    """Appearance and motion of a kind of particle; lengths in heights of the plate, times in seconds.

    Attributes:
        count: Particles on a plate.
        size: Radius, far and near.
        long: Length over width.
        fall: Speed down, far and near; negative rises.
        wind: Speed to the right, far and near.
        sway: How far it swings to each side, and how often a second.
        turn: Turns a second at most; where 0 it lies along its path.
        alpha: Opacity, far and near.
        soft: Share of the radius over which the edge fades.
        twinkle: Share of its opacity that comes and goes, and how often a second.
        depth: Exponent of the distribution of nearness; above 1 most are far.
        tail: Whether it has a tail that beats, as fish do.
    """

    count: int
    size: tuple[float, float]
    long: float = 1.0
    fall: tuple[float, float] = (0.0, 0.0)
    wind: tuple[float, float] = (0.0, 0.0)
    sway: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    alpha: tuple[float, float] = (0.8, 0.8)
    soft: float = 1.0
    twinkle: tuple[float, float] = (0.0, 0.0)
    depth: float = 2.0
    tail: bool = False


HABITS: Mapping[str, Habit] = {
    "snow": Habit(
        230, (0.0016, 0.0075), fall=(0.05, 0.15), wind=(0.008, 0.03), sway=(0.012, 0.16), alpha=(0.7, 0.45),
        depth=3,
    ),
    "rain": Habit(150, (0.0010, 0.0017), 34, (1.5, 2.2), (-0.10, -0.15), alpha=(0.10, 0.16), depth=1.5),
    "leaves": Habit(
        20, (0.005, 0.0125), 1.7, (0.05, 0.11), (-0.02, -0.06), (0.05, 0.18), turn=0.16, alpha=(0.9, 0.8),
        soft=0.55,
    ),
    "petals": Habit(
        46, (0.0026, 0.0068), 1.6, (0.03, 0.075), (-0.02, -0.055), (0.04, 0.16), turn=0.14, alpha=(0.9, 0.75),
        soft=0.6,
    ),
    "dust": Habit(
        70, (0.0011, 0.0046), fall=(-0.003, 0.004), wind=(0.003, 0.010), sway=(0.02, 0.05),
        alpha=(0.34, 0.16), twinkle=(0.6, 0.12),
    ),
    "embers": Habit(
        34, (0.0011, 0.0026), fall=(-0.05, -0.11), wind=(0.004, 0.02), sway=(0.016, 0.3), alpha=(0.9, 0.8),
        twinkle=(0.5, 0.8), depth=1.5,
    ),
    "bubbles": Habit(
        34, (0.0016, 0.0055), fall=(-0.05, -0.10), sway=(0.006, 0.5), alpha=(0.22, 0.30), soft=0.7, depth=1.5
    ),
    "fish": Habit(
        15, (0.006, 0.015), 2.7, wind=(0.018, 0.045), sway=(0.012, 0.06), alpha=(0.55, 0.92), soft=0.5,
        depth=1.3, tail=True,
    ),
    "stars": Habit(60, (0.0011, 0.0024), alpha=(0.55, 0.9), twinkle=(0.9, 0.16), depth=3),
    "drops": Habit(
        16, (0.0045, 0.0085), 1.35, (0.012, 0.034), sway=(0.0014, 0.3), alpha=(0.55, 0.7), soft=0.55,
        depth=1.2,
    ),
}  # fmt: skip
"""What is known of each kind."""


@kernel
def stamp(y: Any, u: Any, v: Any, mask: Any, row: Any) -> None:
    """Draws one ellipse.

    ``row``: centre x, y, half width, half length, cosine and sine of its angle, alpha, soft, y, u, v.
    """
    cx, cy, wide, long, ca, sa, alpha, soft = row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]
    # Smaller than a pixel, it is drawn as large as one, and the fainter.
    least = f32(0.9)
    if wide < least:
        alpha *= wide / least
        wide = least
    long = max(long, wide)
    across, down = abs(ca) * long + abs(sa) * wide + 1, abs(sa) * long + abs(ca) * wide + 1
    edge = f32(1) / max(soft, f32(0.05))
    for plane in range(3):
        out = y if plane == 0 else (u if plane == 1 else v)
        level = row[8 + plane]
        scale = f32(1) if plane == 0 else f32(0.5)
        height, width = out.shape
        y0, y1 = max(0, int((cy - down) * scale)), min(height, int((cy + down) * scale) + 2)
        x0, x1 = max(0, int((cx - across) * scale)), min(width, int((cx + across) * scale) + 2)
        for j in range(y0, y1):
            dy = (f32(j) + f32(0.5)) / scale - cy
            for i in range(x0, x1):
                dx = (f32(i) + f32(0.5)) / scale - cx
                a = (dx * ca + dy * sa) / long
                b = (dy * ca - dx * sa) / wide
                d = f32(1) - math.sqrt(a * a + b * b)
                if d <= 0:
                    continue
                k = min(d * edge, f32(1))
                k = k * k * (f32(3) - f32(2) * k) * alpha
                m = mask[j // 2, i // 2] if plane == 0 else mask[j, i]
                k *= f32(m) * f32(1 / 255)
                old = f32(out[j, i])
                out[j, i] = np.uint8(min(max(old + (level - old) * k + f32(0.5), f32(0)), f32(255)))


@kernel
def draw_all(
    y: Any, u: Any, v: Any, mask: Any, habit: Any, colours: Any, area: Any, seed: int, seconds: float
) -> None:
    """Draws all particles of a kind at a moment.

    ``habit``: float64 (20), the numbers of a ``Habit``; ``colours``: float32 (N, 3), y, u, v; ``area``:
    scale, left, top in pixels, and the part of the plate where they live: left, top, right, low in heights of
    the plate.
    """
    scale, left, top = area[0], area[1], area[2]
    x_first, y_first, x_last, y_last = area[3], area[4], area[5], area[6]
    row = np.empty(11, np.float32)
    for index in range(int(habit[0])):
        n = index * 31 + seed * 7919
        near = chance(n, 1) ** habit[17]
        size = habit[1] + (habit[2] - habit[1]) * near
        long = size * habit[3]
        fall = habit[4] + (habit[5] - habit[4]) * (near if habit[4] * habit[5] > 0 else chance(n, 2))
        wind = habit[6] + (habit[7] - habit[6]) * near
        if habit[18] > 0 and chance(n, 3) < 0.5:
            wind = -wind
        margin = long + 1.5 * habit[8] + 0.01
        wide, high = x_last - x_first + 2 * margin, y_last - y_first + 2 * margin
        x = (chance(n, 4) * wide + wind * seconds) % wide + x_first - margin
        y_at = (chance(n, 5) * high + fall * seconds) % high + y_first - margin
        # Where it lives in a part of the picture only, it fades in and out.
        life = 1.0
        if x_first > 0 or x_last < 1.77:
            life = min(1.0, 8 * min(x - x_first + margin, x_last + margin - x) / wide)
        if y_first > 0 or y_last < 1:
            life = min(life, 8 * min(y_at - y_first + margin, y_last + margin - y_at) / high)
        phase = chance(n, 6) * 6.2832
        pace = habit[9] * (0.6 + 0.8 * chance(n, 7)) * 6.2832
        swing = math.sin(seconds * pace + phase)
        across = habit[8] * (0.5 + chance(n, 8))
        if habit[18] > 0:
            y_at += across * swing
        else:
            x += across * swing
        if habit[10] > 0:
            angle = phase + seconds * habit[10] * 6.2832 * (2 * chance(n, 9) - 1) + 0.7 * swing
        elif habit[18] > 0:
            angle = 0.0
        else:
            angle = math.atan2(fall + 1e-9, wind)
        alpha = life * (habit[11] + (habit[12] - habit[11]) * near)
        if habit[14] > 0:
            beat = 0.5 + 0.5 * math.sin(seconds * habit[15] * (0.5 + chance(n, 10)) * 6.2832 + phase * 3)
            alpha *= 1 - habit[14] * beat
        # A leaf that turns over shows its edge.
        flat = 1.0
        if habit[10] > 0:
            flat = 0.35 + 0.65 * abs(math.cos(seconds * habit[10] * 5 + phase * 2))
        colour = colours[int(chance(n, 11) * len(colours))]
        px, py = left + x * scale, top + y_at * scale
        ca, sa = math.cos(angle), math.sin(angle)
        row[0], row[1], row[2], row[3] = px, py, size * scale * flat, long * scale
        row[4], row[5], row[6], row[7] = ca, sa, alpha, habit[13]
        row[8], row[9], row[10] = colour[0], colour[1], colour[2]
        if habit[18] > 0:
            way = 1.0 if wind > 0 else -1.0
            beat = math.sin(seconds * (3.0 + 2 * chance(n, 12)) + phase)
            row[3] = long * scale
            stamp(y, u, v, mask, row)
            row[0] = px - way * long * scale * (1.04 + 0.03 * beat)
            row[2], row[3] = size * scale * (0.5 + 0.12 * beat), size * scale * 0.95
            row[4], row[5] = 0.0, 1.0
            stamp(y, u, v, mask, row)
            # A pale belly.
            row[0], row[1] = px + way * long * scale * 0.1, py + size * scale * 0.45
            row[2], row[3], row[4], row[5] = size * scale * 0.4, long * scale * 0.7, 1.0, 0.0
            row[6] = alpha * 0.35
            row[8] = min(255.0, colour[0] + 70)
            stamp(y, u, v, mask, row)
        else:
            stamp(y, u, v, mask, row)


class Particles:
    """The particles of one kind.

    Args:
        window: The part of the plate that is shown.
        mask: uint8 (H / 2, W / 2), where they are seen.
        values: The entry's: ``kind``, and where they differ from the kind's ``count``, ``colours`` (RGB
            0..255 each), ``area`` (left, top, right, low; 0..1 of the plate), and factors: ``faster`` on all
            speeds, ``larger`` on sizes, ``alpha`` on opacity.
    """

    def __init__(self, window: Window, mask: Plane, values: Mapping[str, Any]) -> None:
        habit = HABITS[values["kind"]]
        fast = float(values.get("faster", 1.0))
        big = float(values.get("larger", 1.0))
        self._habit = np.array(
            [
                int(values.get("count", habit.count)),
                habit.size[0] * big, habit.size[1] * big, habit.long,
                habit.fall[0] * fast, habit.fall[1] * fast, habit.wind[0] * fast, habit.wind[1] * fast,
                *habit.sway, habit.turn, *habit.alpha, habit.soft, *habit.twinkle, 0.0, habit.depth,
                float(habit.tail), float(values.get("alpha", 1.0)),
            ]
        )  # fmt: skip
        self._habit[11:13] *= self._habit[19]
        rgb = np.array(values.get("colours", [[255, 255, 255]]), np.float32)
        self._colours = np.ascontiguousarray(rgb @ CHROMA.T + np.array([0, 128, 128], np.float32), np.float32)
        left, top, right, low = values.get("area", (0.0, 0.0, 1.0, 1.0))
        wide = 16 / 9
        self._area = np.array(
            [window.scale, window.left, window.top, left * wide, top, right * wide, low], np.float64
        )
        self._mask = np.ascontiguousarray(mask)
        self._seed = int(values.get("seed", 1))

    def draw(self, frame: int, planes: tuple[Plane, Plane, Plane]) -> None:
        """Draws a frame's particles over the planes."""
        draw_all(*planes, self._mask, self._habit, self._colours, self._area, self._seed, frame / FPS + 100.0)


def open_mask(half: tuple[int, int]) -> Plane:
    """A mask that hides nothing, uint8 of a shape."""
    return np.full(half, 255, np.uint8)


def half_mask(mask: Plane, half: tuple[int, int]) -> Plane:
    """A map at half the picture's size."""
    return np.asarray(cv2.resize(mask, half[::-1], interpolation=cv2.INTER_AREA), np.uint8)
