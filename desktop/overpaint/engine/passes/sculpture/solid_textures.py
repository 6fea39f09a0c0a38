"""Solid textures (Perlin, An Image Synthesizer, 1985): veins, rings, grit, cracks, as seamless tiles.

A tile holds the value of a texture, which the palette colours, and the slope of its relief. It repeats in
both directions, so that it can be looked up anywhere. Made from fixed seeds. Must not know frames.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

SIDE = 1024
"""Side of a tile, pixels at 1080 rows."""

Made = tuple[NDArray[np.floating], NDArray[np.floating]]
"""Value 0..1, and relief, whose unit is the pixel."""


STEEPEST = 99.5
"""Percentile of the slopes of a relief that counts as its steepest."""


def tile(name: str, side: int) -> Bytes:
    """The tile of a texture.

    Args:
        name: Generator, see ``TEXTURES``.
        side: Rows and columns, a power of two; ``SIDE`` pixels at 1080 rows.

    Returns:
        uint8 (side, side, 4): value; slopes of the relief to the right and down, 128 for none, 0 and 255 for
        the steepest; 0.
    """
    value, relief = TEXTURES[name](side)
    across = np.roll(relief, -1, 1) - np.roll(relief, 1, 1)
    down = np.roll(relief, -1, 0) - np.roll(relief, 1, 0)
    steepest = float(np.percentile(np.abs(across[::2, ::2]) + np.abs(down[::2, ::2]), STEEPEST)) or 1.0
    planes = [value * 255, across * (127 / steepest) + 128, down * (127 / steepest) + 128, value * 0]
    return np.ascontiguousarray(np.clip(np.stack(planes, -1) + 0.5, 0, 255).astype(np.uint8))


def noise(side: int, cell: float, roughness: float, seed: int, stretch: float = 1.0) -> Floats:
    """Fractal noise (spectral synthesis), periodic, mean 0 and standard deviation 1.

    Args:
        side: Rows and columns.
        cell: Size of the largest bumps, pixels at 1080 rows.
        roughness: Slope of the amplitude spectrum: 1 is rough, 3 smooth.
        seed: Seed of the random numbers.
        stretch: How much longer bumps are downwards than across.
    """
    down = np.fft.fftfreq(side)[:, None] * side * stretch
    across = np.fft.rfftfreq(side)[None] * side
    frequency = np.hypot(down, across) * cell / SIDE
    amplitude = np.maximum(frequency, 1) ** -roughness * np.minimum(frequency, 1)
    # Finer than two pixels at this size nothing can be shown; finer than that at full size nothing is made.
    rng = np.random.default_rng(seed)
    waves = amplitude * np.exp(2j * np.pi * _phases(rng, side))
    made = np.fft.irfft2(waves, (side, side)).astype(np.float32)
    return np.asarray(made / (made.std() or 1), np.float32)


def _phases(rng: np.random.Generator, side: int) -> NDArray[np.float64]:
    """Random phases that are the same for low frequencies at every size of a tile."""
    whole = rng.random((SIDE, SIDE // 2 + 1))
    half = side // 2
    return np.concatenate([whole[:half], whole[-half:]])[:, : half + 1]


def warped(values: Floats, across: Floats, down: Floats) -> Floats:
    """A periodic picture shifted by (across, down) pixels at 1080 rows, another shift at each place."""
    side = values.shape[0]
    y, x = np.mgrid[:side, :side].astype(np.float32)
    unit = side / SIDE
    xs, ys = np.mod(x + across * unit, side), np.mod(y + down * unit, side)
    padded = cv2.copyMakeBorder(values, 0, 1, 0, 1, cv2.BORDER_WRAP)
    return np.asarray(cv2.remap(padded, xs, ys, cv2.INTER_LINEAR), np.float32)


def cells(side: int, count: int, seed: int) -> tuple[Floats, Floats, NDArray[np.int32]]:
    """Cellular noise (Worley 1996), periodic: distances of the two nearest points, and the number of one.

    Args:
        side: Rows and columns.
        count: Cells along a side, one point in each.
        seed: Seed of the random numbers.

    Returns:
        Distances in cells, float32, and numbers, int32; each (side, side).
    """
    jitter = np.random.default_rng(seed).random((2, count, count), np.float32)
    line = np.arange(side, dtype=np.float32) * (count / side)
    cell = line.astype(np.int32)
    near = np.full((side, side), 9, np.float32)
    second, number = near.copy(), np.zeros((side, side), np.int32)
    for below in (-1, 0, 1):
        for right in (-1, 0, 1):
            rows, columns = (cell + below) % count, (cell + right) % count
            at = np.ix_(rows, columns)
            dy = (cell + below)[:, None] + jitter[0][at] - line[:, None]
            dx = (cell + right)[None] + jitter[1][at] - line[None]
            away = np.sqrt(dx * dx + dy * dy)
            closer = away < near
            second = np.where(closer, near, np.minimum(second, away))
            number = np.where(closer, rows[:, None] * count + columns[None], number)
            near = np.minimum(near, away)
    return near, second, number.astype(np.int32)


def _spread(values: NDArray[np.floating], low: float = 1.0, high: float = 99.0) -> Floats:
    """Values from one percentile to another as 0..1."""
    least, most = np.percentile(values[::4, ::4], (low, high))
    return np.asarray(np.clip((values - least) / (most - least), 0, 1), np.float32)


def _veins(side: int) -> Made:
    """Marble: pale ground with clouds, long grey veins, few of them dark, along one direction."""
    clouds = _spread(noise(side, 420, 1.7, 1))
    bend_x, bend_y = noise(side, 420, 2.1, 2) * 60, noise(side, 420, 2.1, 3) * 60
    value = clouds * 0.3
    for seed, cell, width, weight in ((4, 560, 0.06, 0.9), (5, 380, 0.04, 0.6), (6, 240, 0.05, 0.3)):
        ridge = np.abs(warped(noise(side, cell, 3.6, seed), bend_x, bend_y))
        strength = _spread(noise(side, 420, 1.8, seed + 20), 25, 95)
        value = value + weight * strength * (
            0.6 * np.exp(-ridge / width) + 0.4 * np.exp(-ridge / (7 * width))
        )
    return np.clip(value, 0, 1), noise(side, 8, 1.0, 9) * 0.1


def _clouds(side: int) -> Made:
    """Cloudy stone: soft patches with some wisps, as of jade."""
    bend = noise(side, 480, 2.2, 12) * 65
    clouds = warped(noise(side, 420, 2.0, 11), bend, -bend)
    wisps = np.exp(-np.abs(warped(noise(side, 390, 2.4, 13), bend, bend)) / 0.1)
    return _spread(clouds + 0.8 * wisps), noise(side, 60, 2.0, 14)


def _rings(side: int) -> Made:
    """Wood: annual rings of a board cut along the grain, fibres and pores."""
    line = np.arange(side, dtype=np.float32)[None] / side
    bend = noise(side, 700, 2.6, 21, 3) * 1.3 + noise(side, 260, 2.4, 22, 5) * 0.1
    turns = line * 11 + bend
    phase = turns - np.floor(turns)
    late = phase**2.4 * np.clip((1 - phase) * 7, 0, 1)
    fibres = noise(side, 9, 0.5, 23, 30)
    pores = np.clip(noise(side, 6, 0.4, 24, 14) - 1.5, 0, 1)
    value = 0.24 + 0.5 * late + 0.06 * fibres + 0.25 * pores + 0.07 * noise(side, 500, 1.8, 25, 3)
    return np.clip(value, 0, 1), -0.7 * late - 0.6 * pores + 0.12 * fibres


def _grit(side: int) -> Made:
    """Rough stone: speckles of grains over weathered patches, chipped."""
    patches = _spread(noise(side, 240, 1.4, 31))
    grains = noise(side, 11, 0.8, 32)
    chips = np.minimum(noise(side, 70, 1.6, 33), 0.2)
    value = 0.2 + 0.42 * patches + 0.13 * grains + 0.12 * chips
    return np.clip(value, 0, 1), chips * 4.5 + grains * 0.75


def _concrete(side: int) -> Made:
    """Concrete: nearly even grey, water stains, pores left by air."""
    near, _, number = cells(side, 34, 41)
    size = np.random.default_rng(42).random(34 * 34, np.float32) ** 6 * 0.24
    pores = np.clip((size[number] - near) * 14, 0, 1)
    value = 0.6 + 0.12 * noise(side, 300, 1.5, 43) + 0.06 * noise(side, 11, 0.8, 44) - 0.4 * pores
    return np.clip(value, 0, 1), -3.0 * pores + noise(side, 14, 1.0, 45) * 0.45


def _sand(side: int) -> Made:
    """Wet sand: grains of several colours, crumbs."""
    grains = noise(side, 9, 0.8, 51)
    crumbs = np.maximum(noise(side, 30, 1.2, 52), -0.3)
    value = 0.5 + 0.15 * grains + 0.07 * noise(side, 200, 1.5, 53)
    return np.clip(value, 0, 1), grains * 0.9 + crumbs * 1.2


def _crumple(side: int) -> Made:
    """Crumpled paper: flat facets of several sizes that meet in sharp creases."""
    relief = np.zeros((side, side), np.float32)
    bend = noise(side, 300, 2.6, 60) * 18
    for seed, count, height in ((61, 5, 1.0), (62, 11, 0.5)):
        near, second, _ = cells(side, count, seed)
        relief += warped(np.asarray(second - near, np.float32), bend, -bend) * (height * 60 / count)
    fibres = noise(side, 5, 0.5, 64)
    return np.clip(0.55 + 0.1 * fibres + 0.12 * noise(side, 300, 1.7, 65), 0, 1), relief + fibres * 0.03


def _cracks(side: int) -> Made:
    """A crust broken into plates: value high in the cracks between them, and low on the plates."""
    bend_x, bend_y = noise(side, 240, 2.0, 70) * 26, noise(side, 240, 2.0, 71) * 26
    value, relief = np.zeros((side, side), np.float32), np.zeros((side, side), np.float32)
    for seed, count, width, weight in ((72, 4, 0.1, 1.0), (73, 8, 0.07, 0.4)):
        near, second, _ = cells(side, count, seed)
        gap = np.maximum(warped(np.asarray(second - near, np.float32), bend_x, bend_y), 0)
        value = np.maximum(value, weight * np.exp(-gap / width))
        relief += np.minimum(gap, 0.25) * (120 / count)
    value = value * (0.62 + 0.38 * _spread(noise(side, 260, 1.6, 74)))
    return np.clip(value, 0, 1), relief + noise(side, 24, 1.2, 75) * 0.5


def _frost(side: int) -> Made:
    """Ice: clear depth, white fractures as thin sheets, small bubbles."""
    bend = noise(side, 240, 2.3, 80) * 30
    value = 0.3 * _spread(noise(side, 300, 1.7, 81))
    relief = noise(side, 150, 2.2, 82) * 3
    for seed, count, width in ((83, 3, 0.02), (84, 5, 0.015)):
        near, second, _ = cells(side, count, seed)
        gap = np.maximum(warped(np.asarray(second - near, np.float32), bend, -bend), 0)
        sheet = _spread(noise(side, 240, 1.8, seed + 10), 45, 97)
        value = value + sheet * (0.5 * np.exp(-gap / width) + 0.3 * np.exp(-gap / (10 * width)))
        relief = relief + np.minimum(gap, 0.2) * 40
    near, _, number = cells(side, 40, 85)
    bubbles = np.clip(
        (np.random.default_rng(86).random(1600, np.float32) ** 6 * 0.24)[number] - near, 0, 0.05
    )
    return np.clip(value + 8 * bubbles, 0, 1), relief


def _fibres(side: int) -> Made:
    """Plush: tufts of short fur, combed down and to both sides."""
    lean = noise(side, 500, 3.2, 90) * 18
    tufts = warped(noise(side, 30, 1.3, 91, 1.6), lean, lean * 0)
    hairs = warped(noise(side, 10, 0.7, 92, 5), lean, lean * 0)
    value = 0.5 + 0.12 * tufts + 0.1 * hairs + 0.06 * noise(side, 200, 1.8, 93)
    return np.clip(value, 0, 1), tufts * 2.4 + hairs * 0.5


def _patina(side: int) -> Made:
    """Cast metal: clouds of oxide with drips, a slightly uneven skin."""
    bend = noise(side, 340, 1.6, 100) * 60
    drips = warped(noise(side, 210, 1.3, 101, 3), bend, bend)
    value = _spread(0.8 * noise(side, 340, 1.2, 102) + 0.7 * drips)
    return value, noise(side, 60, 1.6, 103) * 1.3 + noise(side, 7, 0.6, 104) * 0.16


def _kneaded(side: int) -> Made:
    """Modelling clay: dents of fingers and the fine grooves of their prints."""
    dents = noise(side, 130, 2.4, 110) * 7
    bend = noise(side, 110, 2.2, 111)
    grooves = np.sin(bend * 15 + noise(side, 400, 2.2, 112) * 4)
    pressed = _spread(noise(side, 150, 1.8, 113), 55, 95)
    value = (
        0.5 + 0.12 * noise(side, 220, 1.6, 114) - 0.1 * grooves * pressed + 0.05 * noise(side, 5, 0.5, 115)
    )
    return np.clip(value, 0, 1), dents + grooves * pressed * 0.8 + noise(side, 9, 0.8, 116) * 0.3


def _ripples(side: int) -> Made:
    """A smooth skin with long, shallow waves: glass, jelly, polished metal."""
    return _spread(noise(side, 260, 1.9, 121)), noise(side, 240, 2.6, 122) * 9


TEXTURES: Mapping[str, Callable[[int], Made]] = {
    "clouds": _clouds,
    "concrete": _concrete,
    "cracks": _cracks,
    "crumple": _crumple,
    "fibres": _fibres,
    "frost": _frost,
    "grit": _grit,
    "kneaded": _kneaded,
    "patina": _patina,
    "rings": _rings,
    "ripples": _ripples,
    "sand": _sand,
    "veins": _veins,
}
"""Generators of textures by name."""
