"""The picture in letters: each cell shows the character whose ink lies most like the picture's light.

Characters are matched by where their ink is within the cell, not by how much of it there is alone, so
edges come out as strokes that run along them. A cell keeps its character until its light has clearly
changed: a still scene does not twinkle.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

CHARACTERS = " .'`,:;-_~^\"!|/\\()<>+*=?iltjcvxyozsneaTYLJFVXUOZSEAKHDPBRQGM0123456789#%&@$"
PARTS = (3, 4)
"""Columns and rows of a cell's parts that are compared."""

CHANGE = 9.0
"""Levels by which a part's light must change before another character is looked for."""

OVERSAMPLING = 8


def _drawn(character: str, columns: int, rows: int) -> Plane:
    """One character's ink, several times as large as its cell, from OpenCV's stroke font."""
    wide, tall = columns * OVERSAMPLING, rows * OVERSAMPLING
    scale = tall * 0.7 / 21  # capitals of this font are 21 units high
    thick = max(1, round(tall * 0.1))
    (long, _), _ = cv2.getTextSize(character, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    sheet = np.zeros((tall, max(wide, long + 2 * thick)), np.uint8)
    at = ((sheet.shape[1] - long) // 2, round(tall * 0.82))
    cv2.putText(sheet, character, at, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
    if long > wide * 0.96:
        return np.asarray(cv2.resize(sheet, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
    left = (sheet.shape[1] - wide) // 2
    return np.ascontiguousarray(sheet[:, left : left + wide])


def atlas(columns: int, rows: int) -> tuple[Plane, Floats]:
    """All characters.

    Args:
        columns: Width of a cell in pixels.
        rows: Height of a cell in pixels.

    Returns:
        Ink, uint8 (n, rows, columns), and how much ink each part has, float32 (12, n), 0..255, where 255
        is as dense as the densest character is as a whole.
    """
    drawn = [_drawn(character, columns, rows) for character in CHARACTERS]
    ink = np.stack([cv2.resize(ink, (columns, rows), interpolation=cv2.INTER_AREA) for ink in drawn])
    parts = np.stack([cv2.resize(ink, PARTS, interpolation=cv2.INTER_AREA) for ink in drawn])
    flat = parts.reshape(len(CHARACTERS), -1).astype(np.float32)
    densest = float(flat.mean(1).max())
    return np.asarray(ink, np.uint8), np.ascontiguousarray((flat * (255 / densest)).T, np.float32)


@kernel
def _choose(
    first: int, end: int, parts: Any, shapes: Any, contrast: Any, variety: Any, seen: Any, chosen: Any
) -> None:
    """Sets changed cells' characters: the least distance between a cell's parts and a character's.

    Args:
        first: First row of cells.
        end: Row of cells after the last.
        parts: float32 (cells down * 4, cells across * 3), light of each part.
        shapes: float32 (12, n), ink of each character's parts.
        contrast: Factor on a part's distance from its cell's mean.
        variety: How much worse than the best fit a character may be, as a share.
        seen: As ``parts``, the light by which the characters that are there were chosen; updated.
        chosen: int16 (cells down, cells across), written.
    """
    count = shapes.shape[1]
    distance = np.empty(count, np.float32)
    for row in range(first, end):
        for column in range(chosen.shape[1]):
            mean, change = f32(0), f32(0)
            for k in range(12):
                at_row, at = 4 * row + k // 3, 3 * column + k % 3
                mean += parts[at_row, at]
                change = max(change, abs(parts[at_row, at] - seen[at_row, at]))
            if change < f32(CHANGE):
                continue
            mean *= f32(1 / 12)
            distance[:] = f32(0)
            for k in range(12):
                at_row, at = 4 * row + k // 3, 3 * column + k % 3
                seen[at_row, at] = parts[at_row, at]
                wanted = mean + (parts[at_row, at] - mean) * contrast
                shape = shapes[k]
                for n in range(count):
                    apart = shape[n] - wanted
                    distance[n] += apart * apart
            # Of characters that fit about as well each cell likes others best, or walls would be all Ls.
            best, least = 0, f32(1e9)
            taste = (row * 7919 + column * 104729) & 0xFFFF
            for n in range(count):
                taste = (taste * 25173 + 13849) & 0xFFFF
                fit = (distance[n] + f32(2500)) * (f32(1) + variety * f32(taste) * f32(1 / 65536))
                if fit < least:
                    best, least = n, fit
            chosen[row, column] = best


@kernel
def _print(first: int, end: int, chosen: Any, ink: Any, bright: Any, ground: Any, out: Any) -> None:
    """Draws rows of the picture: a cell's ink at the cell's brightness over its ground."""
    width = out.shape[1]
    rows, columns = ink.shape[1], ink.shape[2]
    for row in range(first, end):
        cell_row, inner, result = row // rows, row % rows, out[row]
        for column in range(chosen.shape[1]):
            letter = ink[chosen[cell_row, column], inner]
            light, dark = bright[cell_row, column], ground[cell_row, column]
            left = column * columns
            for x in range(min(columns, width - left)):
                share = f32(letter[x]) * f32(1 / 255)
                result[left + x] = np.uint8(dark + (light - dark) * share + f32(0.5))


class Glyphs:
    """Writes the picture.

    Args:
        stage: Where it works.
        cell: Width and height of a cell, pixels at 1080 rows.
        contrast: How much shapes within a cell count.
        variety: How freely characters that fit about as well take turns, 0..1.
        colour: Of the letters; their chroma is mixed with the picture's.
        own: How much of the picture's chroma they keep, 0..1.
        glow: How much of a cell's light shines behind its letter, 0..1.
        floor: Brightness of the darkest letter, 0..255.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        cell: tuple[float, float] = (8.0, 14.0),
        contrast: float = 1.6,
        variety: float = 0.6,
        colour: str = "#b9ffd0",
        own: float = 0.7,
        glow: float = 0.2,
        floor: float = 40.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        # Even, so that a cell never shares a chroma sample with its neighbour.
        columns, rows = (
            max(least, round(side * canvas.scale / 2) * 2) for side, least in zip(cell, (4, 6), strict=True)
        )
        self._cells = (-(-canvas.width // columns), -(-canvas.height // rows))
        self._cell = (columns, rows)
        self._ink, self._shapes = stage.shelf.get(atlas, columns, rows)
        self._chosen: NDArray[np.int16] = np.zeros(self._cells[::-1], np.int16)
        # Far from any light, so that the first frame chooses everywhere.
        seen = (self._cells[1] * PARTS[1], self._cells[0] * PARTS[0])
        self._seen: Floats = np.full(seen, -1000, np.float32)
        self._contrast, self._variety = f32(contrast), f32(variety)
        self._chroma = yuv([colour])[0, 1:]
        self._own, self._glow, self._floor = own, glow, floor

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        (across, down), (columns, rows) = self._cells, self._cell
        # The cells at the right and lower edge may reach beyond the picture.
        beyond = (down * rows - canvas.height, across * columns - canvas.width)
        whole = cv2.copyMakeBorder(canvas.y, 0, beyond[0], 0, beyond[1], cv2.BORDER_REPLICATE)
        size = (across * PARTS[0], down * PARTS[1])
        parts: Any = cv2.resize(whole, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        self._bands.run(
            _choose, down, parts, self._shapes, self._contrast, self._variety, self._seen, self._chosen
        )
        light: Any = cv2.resize(parts, (across, down), interpolation=cv2.INTER_AREA)
        bright = np.asarray(self._floor + light * ((255 - self._floor) / 255), np.float32)
        ground = np.asarray(light * self._glow, np.float32)
        out = canvas.fresh()
        self._bands.run(_print, canvas.height, self._chosen, self._ink, bright, ground, out)
        canvas.y = out
        for plane, own in ((canvas.u, self._chroma[0]), (canvas.v, self._chroma[1])):
            self._tint(plane, float(own), (rows // 2, columns // 2))

    def _tint(self, plane: Plane, own: float, cell: tuple[int, int]) -> None:
        """One chroma for each cell."""
        height, width = plane.shape
        across, down = self._cells
        beyond = (down * cell[0] - height, across * cell[1] - width)
        whole = cv2.copyMakeBorder(plane, 0, beyond[0], 0, beyond[1], cv2.BORDER_REPLICATE)
        small = cv2.resize(whole, self._cells, interpolation=cv2.INTER_AREA)
        mixed: Any = cv2.addWeighted(small, self._own, small, 0, own - 128 * self._own)
        big = cv2.resize(mixed, (across * cell[1], down * cell[0]), interpolation=cv2.INTER_NEAREST)
        np.copyto(plane, big[:height, :width])
