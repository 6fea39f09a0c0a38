"""The kernels that light a surface: normal mapping, lit spheres, texture, refraction, reflection, glow.

All light is computed at half size; full-size luma adds its fine lines to it. Must not know how parameters are
named (``material``) or tables made (``sculpt``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.sculpture.texture_lookup import between, place, quieten

FACE_OPACITY = f32(0.75)
"""How much less of the room is seen through a plain face."""


@kernel
def _dealt(index: int, rows: int) -> Any:
    """Rows dealt in turn to the bands: even ones to the first half, odd ones to the second.

    A person is wider below than above, and bands of neighbouring rows would have unequal work.
    """
    return 2 * index if 2 * index < rows else 2 * (index - (rows + 1) // 2) + 1


@kernel
def spans_of(first: int, end: int, alpha: Any, spans: Any) -> None:
    """Columns of the figure in each row: the first one, and the one after the last; 0, 0 where it is not.

    Args:
        first: First row.
        end: Row after the last.
        alpha: uint8 (h, w).
        spans: int32 (2, h), written.
    """
    width = alpha.shape[1]
    for row in range(first, end):
        line = alpha[row]
        begin = 0
        while begin < width and line[begin] == 0:
            begin += 1
        stop = width
        while stop > begin and line[stop - 1] == 0:
            stop -= 1
        if begin == stop:
            begin, stop = 0, 0
        spans[0, row], spans[1, row] = begin, stop


@kernel
def vacate(first: int, end: int, plane: Any, hole: Any, room: Any) -> None:
    """Puts a picture's plane around what was filled in for a hole (255) in it; ``room`` is painted over."""
    for row in range(first, end):
        planes, holes, result = plane[row], hole[row], room[row]
        for x in range(holes.shape[0]):
            old = f32(planes[x])
            result[x] = np.uint8(old + (f32(result[x]) - old) * (f32(holes[x]) * f32(1 / 255)) + f32(0.5))


@kernel
def _carve(row: int, begin: int, flat: Any, carving: Any, gx: Any, gy: Any) -> None:
    """Adds the slopes of fine lines."""
    height, width = flat.shape
    upper, lower = flat[max(row - 1, 0), begin:], flat[min(row + 1, height - 1), begin:]
    count = gx.shape[0]
    for x in range(count):
        gy[x] += (f32(lower[x]) - f32(upper[x])) * carving
    start = 1 if begin == 0 else 0
    count -= 1 if begin + count == width else 0
    back, front = flat[row, begin + start - 1 :], flat[row, begin + start + 1 :]
    inner = gx[start:count]
    for x in range(inner.shape[0]):
        inner[x] += (f32(front[x]) - f32(back[x])) * carving


@kernel
def _face(spots: Any, slope: Any, half: Any, gx: Any, gy: Any, values: Any, turns: Any) -> None:
    """Adds the texture's relief to the slopes, and turns these into normals and places on the lit sphere."""
    # Loops of one kind of work each, and places counted in floats, so that the compiler can vectorise them.
    count = spots.shape[0]
    for x in range(count):
        gx[x] += (f32(np.int32((spots[x] >> 8) & 255)) - f32(128)) * slope
    for x in range(count):
        gy[x] += (f32(np.int32((spots[x] >> 16) & 255)) - f32(128)) * slope
    for x in range(count):
        values[x] = spots[x] & 255
    side = half * f32(2) + f32(1)
    for x in range(count):
        z = f32(1) / np.sqrt(f32(1) + gx[x] * gx[x] + gy[x] * gy[x])
        gx[x] *= -z
        gy[x] *= -z
    for x in range(count):
        line = f32(np.int32(gy[x] * half + half + f32(0.5)))
        turns[x] = np.int32(line * side + f32(np.int32(gx[x] * half + half + f32(0.5))))


@kernel
def _shade(
    flats: Any, values: Any, turns: Any, sphere: Any, palette: Any, tables: Any, cavity: Any, bright: Any,
    paint: Any,
) -> None:  # fmt: skip
    """Diffuse light on the texture's colours, and on those of cavities."""
    deep_luma, deep_blue, deep_red = cavity[0] * bright, cavity[1], cavity[2]
    lumas, blues, reds = paint[0], paint[1], paint[2]
    for x in range(flats.shape[0]):
        f, value = flats[x], values[x]
        light = sphere[np.uintp(turns[x]), 0]
        deep = tables[f, 2]
        shade = light * tables[f, 0] * bright
        colour = min(shade, f32(1)) * (f32(1) - deep)
        lumas[x] = palette[value, 0] * shade * (f32(1) - deep) + deep_luma * light * deep
        blues[x] = palette[value, 1] * colour + deep_blue * deep
        reds[x] = palette[value, 2] * colour + deep_red * deep


@kernel
def _see_through(
    row: int, begin: int, flats: Any, values: Any, nx: Any, ny: Any, palette: Any, tables: Any, room: Any,
    clear: Any, bend: Any, shares: Any, paint: Any,
) -> None:  # fmt: skip
    """Lets the room through, refracted: more from the front than at the rim, less in faces and lines."""
    height, width = room.shape[1:]
    lumas, blues, reds = paint[0], paint[1], paint[2]
    for x in range(flats.shape[0]):
        facing = np.sqrt(max(f32(1) - nx[x] * nx[x] - ny[x] * ny[x], f32(0)))
        seen = (
            clear
            * (f32(1) - FACE_OPACITY * shares[x])
            * (f32(0.35) + f32(0.65) * facing)
            * min(tables[flats[x], 0], f32(1))
        )
        column = np.uintp(np.int32(min(max(f32(begin + x) + nx[x] * bend, f32(0)), f32(width - 1))))
        line = np.uintp(np.int32(min(max(f32(row) + ny[x] * bend, f32(0)), f32(height - 1))))
        # Coloured glass takes light away, and adds a little of its own.
        through = f32(room[0, line, column]) * (f32(0.35) + palette[values[x], 0] * f32(0.65 / 200))
        lumas[x] += (through - lumas[x]) * seen
        blues[x] += (f32(room[1, line, column]) - f32(128)) * seen * f32(0.7)
        reds[x] += (f32(room[2, line, column]) - f32(128)) * seen * f32(0.7)


@kernel
def _reflect(
    flats: Any, values: Any, turns: Any, sphere: Any, palette: Any, tables: Any, bright: Any, paint: Any
) -> None:
    """Adds reflections, less in cavities, and the light that the texture gives off."""
    lumas, blues, reds = paint[0], paint[1], paint[2]
    for x in range(flats.shape[0]):
        value, turn = values[x], np.uintp(turns[x])
        shine = tables[flats[x], 1] * bright
        lumas[x] += sphere[turn, 1] * shine + palette[value, 3]
        blues[x] += sphere[turn, 2] * shine + palette[value, 4]
        reds[x] += sphere[turn, 3] * shine + palette[value, 5]


@kernel
def _cover(alphas: Any, values: Any, tables: Any, ragged: Any, covers: Any) -> None:
    """Share of the figure: the mask with firmer edges, which the texture makes ragged."""
    for x in range(alphas.shape[0]):
        covers[x] = np.uint8(tables[alphas[x], 3] * f32(255) + f32(0.5))
    if ragged > f32(0):
        for x in range(alphas.shape[0]):
            a = f32(covers[x]) * f32(1 / 255)
            a += (f32(values[x]) * f32(1 / 128) - f32(1)) * ragged * f32(4) * a * (f32(1) - a)
            a = (a - f32(0.5)) * (f32(1) + ragged) + f32(0.5)
            covers[x] = np.uint8(min(max(a, f32(0)), f32(1)) * f32(255) + f32(0.5))


@kernel
def _blend(colours: Any, alphas: Any, covers: Any, rooms: Any, plane: Any) -> None:
    """Lays chroma over the picture; where the mask is soft, over the room instead."""
    for x in range(covers.shape[0]):
        a, hole = f32(covers[x]) * f32(1 / 255), min(f32(alphas[x]) * f32(4 / 255), f32(1))
        under = f32(plane[x]) + (f32(rooms[x]) - f32(plane[x])) * hole
        under += (f32(128) + colours[x] - under) * a + f32(0.5)
        plane[x] = np.uint8(min(max(under, f32(16)), f32(240)))


@kernel
def _keep(lumas: Any, flats: Any, lows: Any, alphas: Any, detail: Any, lit: Any, gain: Any) -> None:
    """Keeps luma, and the share of its fine lines, for full size."""
    for x in range(flats.shape[0]):
        # Bright colours fade to white, as on film, instead of being cut off.
        over = max(lumas[x] - f32(210), f32(0))
        luma = max(lumas[x] - over * over / (over + f32(50)), f32(0))
        lit[x] = luma
        inner = max(f32(alphas[x]) * f32(2 / 255) - f32(1), f32(0))
        gain[x] = detail * inner * luma * f32(flats[x]) / (f32(128) * (f32(lows[x]) + f32(22)))


@kernel
def light(
    first: int, end: int, low: Any, alpha: Any, spans: Any, flat: Any, slopes: Any, where: Any, texels: Any,
    faces: Any, face_rows: Any, quiet: Any, sphere: Any, palette: Any, tables: Any, cavity: Any, room: Any,
    optics: Any, lines: Any, lit: Any, gain: Any, cover: Any, u: Any, v: Any,
) -> None:  # fmt: skip
    """Lights the figure at half size.

    Args:
        first: First row.
        end: Row after the last.
        low: uint8 (h, w), luma.
        alpha: uint8 (h, w), the figure.
        spans: int32 (2, h), see ``spans_of``.
        flat: uint8 (h, w), flattened luma.
        slopes: float32 (2, rows, w), slopes of the surface without fine lines.
        where: float32 (2, other rows, w), texture coordinates, in the tile's pixels.
        texels: int32 (side * side,), see ``solid_textures.tile``; its side is a power of two.
        faces: float32 (third rows, w), see ``features``.
        face_rows: int32 (2,), first row with a face, and the one after the last.
        quiet: float32 (2,), the texture's usual value, and how far it fades to that in a face.
        sphere: float32 (n * n, 4), see ``lit_sphere.sphere``.
        palette: float32 (256, 6): luma, u and v of the texture's colours, and of the light they give off.
        tables: float32 (256, 4), by flattened luma: factor on diffuse light, factor on reflections, share of
            the cavities' colour; by alpha: share of the figure.
        cavity: float32 (3,), luma, u and v of cavities.
        room: uint8 (3, h, w), the picture without the figure.
        optics: float32 (6,): factor on carving; slope of a level of the tile's relief; detail; clearness;
            refraction, pixels; raggedness of the edge.
        lines: float32 (h,), factor on light by row.
        lit: float32 (h, w), luma, written.
        gain: float32 (h, w), factor on fine luma, written.
        cover: uint8 (h, w), share of the figure, written.
        u: uint8 (h, w), painted over.
        v: uint8 (h, w), painted over.
    """
    height, width = low.shape
    turn = np.int32(np.sqrt(f32(texels.shape[0])) + f32(0.5)) - np.int32(1)
    half = (np.sqrt(f32(sphere.shape[0])) - f32(1)) * f32(0.5)
    floats = np.empty((8, width), np.float32)
    numbers = np.empty((2, width), np.int32)
    bytes_ = np.empty(width, np.uint8)
    for index in range(first, end):
        row = _dealt(index, height)
        begin, stop = spans[0, row], spans[1, row]
        count = stop - begin
        if count <= 0:
            continue
        nx, ny, right, below = floats[0, :count], floats[1, :count], floats[2, :count], floats[3, :count]
        spots, turns, values, paint = (
            numbers[0, :count],
            numbers[1, :count],
            bytes_[:count],
            floats[4:7, :count],
        )
        flats, alphas, covers = flat[row, begin:stop], alpha[row, begin:stop], cover[row, begin:stop]
        bright = lines[row]
        between(row, height, slopes, begin, nx, ny)
        between(row, height, where, begin, right, below)
        place(right, below, turn, texels, spots)
        shares = floats[7, :count]
        if face_rows[0] <= row < face_rows[1]:
            quieten(row, height, faces, begin, quiet, spots, shares)
        else:
            shares[:] = f32(0)
        _carve(row, begin, flat, optics[0], nx, ny)
        _face(spots, optics[1], half, nx, ny, values, turns)
        _shade(flats, values, turns, sphere, palette, tables, cavity, bright, paint)
        if optics[3] > f32(0):
            clear, bend = optics[3], optics[4]
            _see_through(row, begin, flats, values, nx, ny, palette, tables, room, clear, bend, shares, paint)
        _reflect(flats, values, turns, sphere, palette, tables, bright, paint)
        _cover(alphas, values, tables, optics[5], covers)
        _blend(paint[1], alphas, covers, room[1, row, begin:stop], u[row, begin:stop])
        _blend(paint[2], alphas, covers, room[2, row, begin:stop], v[row, begin:stop])
        _keep(
            paint[0],
            flats,
            low[row, begin:stop],
            alphas,
            optics[2],
            lit[row, begin:stop],
            gain[row, begin:stop],
        )


@kernel
def _raised(row: int, plane: Any, begin: int, line: Any) -> None:
    """One row of a plane at twice its height, from a column on, with a column added on both sides."""
    height = plane.shape[0]
    near = row >> 1
    far = min(max(near + (1 if row & 1 else -1), 0), height - 1)
    close, distant = plane[near, begin:], plane[far, begin:]
    count = line.shape[0] - 2
    inner = line[1:]
    for x in range(count):
        inner[x] = f32(close[x]) * f32(0.75) + f32(distant[x]) * f32(0.25)
    line[0], line[count + 1] = line[1], line[count]


@kernel
def _doubled(line: Any, out: Any) -> None:
    """A row of ``_raised`` doubled: its left pixels in ``out[0]``, its right ones in ``out[1]``."""
    middle, after = line[1:], line[2:]
    left, right = out[0], out[1]
    for x in range(left.shape[0]):
        near = middle[x] * f32(0.75)
        left[x] = near + line[x] * f32(0.25)
        right[x] = near + after[x] * f32(0.25)


@kernel
def _laid(
    lumas: Any, lows: Any, tones: Any, fines: Any, covers: Any, noise: Any, rooms: Any, alphas: Any
) -> None:
    """Turns ``lumas`` into the figure's tone with their fine lines, over what is behind."""
    for x in range(lumas.shape[0]):
        hole, behind = min(f32(alphas[x]) * f32(4 / 255), f32(1)), f32(rooms[x])
        line = lumas[x] - lows[x]
        line *= abs(line) / (abs(line) + noise)
        under = lumas[x] + (behind - lumas[x]) * hole
        value = under + (tones[x] + line * fines[x] - under) * covers[x] * f32(1 / 255) + f32(0.5)
        lumas[x] = min(max(value, f32(0)), f32(255))


@kernel
def finish(
    first: int, end: int, spans: Any, alpha: Any, low: Any, lit: Any, gain: Any, cover: Any, room: Any,
    noise: Any, pairs: Any,
) -> None:  # fmt: skip
    """Lays the lit figure over full-size luma, with the fine lines of that.

    Args:
        first: First row of full size.
        end: Row after the last.
        spans: int32 (2, h), see ``spans_of``.
        alpha: uint8 (h, w), the figure as found.
        low: uint8 (h, w), luma.
        lit: float32 (h, w), see ``light``.
        gain: float32 (h, w), see ``light``.
        cover: uint8 (h, w), see ``light``.
        room: uint8 (h, w), luma without the figure.
        noise: Size of fine luma, levels, below which it is taken for noise.
        pairs: uint16 (2h, w), full-size luma, two pixels in each, the left one in the low byte; painted over.
    """
    width = low.shape[1]
    lines = np.empty(width + 2, np.float32)
    buffer = np.empty((10, width), np.float32)
    for index in range(first, end):
        row = _dealt(index, pairs.shape[0])
        half = row >> 1
        begin, stop = spans[0, half], spans[1, half]
        count = stop - begin
        if count <= 0:
            continue
        line, parts = lines[: count + 2], buffer[:, :count]
        _raised(row, low, begin, line)
        _doubled(line, parts[2:4])
        _raised(row, lit, begin, line)
        _doubled(line, parts[4:6])
        _raised(row, gain, begin, line)
        _doubled(line, parts[6:8])
        _raised(row, cover, begin, line)
        _doubled(line, parts[8:10])
        result, rooms, alphas = pairs[row, begin:stop], room[half, begin:stop], alpha[half, begin:stop]
        left, right = parts[0], parts[1]
        for x in range(count):
            pair = np.int32(result[x])
            left[x], right[x] = f32(np.int32(pair & 255)), f32(np.int32(pair >> 8))
        for side in range(2):
            _laid(
                parts[side],
                parts[2 + side],
                parts[4 + side],
                parts[6 + side],
                parts[8 + side],
                noise,
                rooms,
                alphas,
            )
        for x in range(count):
            result[x] = np.uint16(np.int32(left[x]) | (np.int32(right[x]) << 8))
