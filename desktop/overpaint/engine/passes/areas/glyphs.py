"""ASCII art: each cell shows the character whose ink is distributed most like the light of the picture.

Characters are matched by the distribution of ink within the cell, not by its amount alone, so that edges
become strokes that run along them. A cell keeps its character until its light has clearly changed, so that
a still scene does not flicker.
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
"""Columns and rows of the parts of a cell that are compared."""

CHANGE = 9.0
"""Change of a part's light, in levels, from which a cell chooses its character again."""

OVERSAMPLING = 8


def _drawn(character: str, columns: int, rows: int) -> Plane:
    """The ink of a character, ``OVERSAMPLING`` times as large as its cell, from OpenCV's stroke font."""
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
    """The glyph atlas: all characters rendered for one cell size.

    Args:
        columns: Width of a cell in pixels.
        rows: Height of a cell in pixels.

    Returns:
        Ink, uint8 (n, rows, columns), and the ink in each part, float32 (12, n), where 255 is the mean
        density of the densest character.
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
    """Chooses the characters of changed cells: the nearest by squared distance between parts.

    Args:
        first: First row of cells.
        end: Row of cells after the last.
        parts: float32 (cells down * 4, cells across * 3), light of each part.
        shapes: float32 (12, n), ink of each character's parts.
        contrast: Factor on the difference of a part from its cell's mean.
        variety: Random handicap of characters in each cell, as a share of their distance.
        seen: float32, as ``parts``: the light by which the present characters were chosen; updated.
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
            # Each cell prefers other characters of those that fit about equally well: otherwise an even
            # wall would show one letter only.
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
    """Draws rows of the picture: a cell's ink in the cell's brightness, over the cell's ground."""
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
    """An ASCII-art pass.

    Args:
        stage: Canvas, threads and inputs.
        cell: Width and height of a cell, pixels at 1080 rows.
        contrast: Factor on the contrast within a cell before characters are matched.
        variety: Randomness of the choice between characters that fit about equally well, 0..1.
        colour: Colour of the letters, #rrggbb; only its chroma is used.
        own: Factor on the picture's chroma, which is added to that of the letters, 0..1.
        glow: Brightness of a cell's ground as a share of its light, 0..1.
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
        # Even sizes, so that a cell never shares a chroma sample with its neighbour.
        columns, rows = (
            max(least, round(side * canvas.scale / 2) * 2) for side, least in zip(cell, (4, 6), strict=True)
        )
        self._cells = (-(-canvas.width // columns), -(-canvas.height // rows))
        self._cell = (columns, rows)
        self._ink, self._shapes = stage.shelf.get(atlas, columns, rows)
        self._chosen: NDArray[np.int16] = np.zeros(self._cells[::-1], np.int16)
        # Far from any real value, so that the first frame chooses every character.
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
        """Gives each cell one chroma."""
        height, width = plane.shape
        across, down = self._cells
        beyond = (down * cell[0] - height, across * cell[1] - width)
        whole = cv2.copyMakeBorder(plane, 0, beyond[0], 0, beyond[1], cv2.BORDER_REPLICATE)
        small = cv2.resize(whole, self._cells, interpolation=cv2.INTER_AREA)
        mixed: Any = cv2.addWeighted(small, self._own, small, 0, own - 128 * self._own)
        big = cv2.resize(mixed, (across * cell[1], down * cell[0]), interpolation=cv2.INTER_NEAREST)
        np.copyto(plane, big[:height, :width])
