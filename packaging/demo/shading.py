"""Lighting and ray marching of the person: one function renders one pose as RGBA.

Light comes from a large window to the left in front (key, soft shadow), the sky, the warm floor, the
window behind (cool rim) and the lamp on the right (warm rim). Colours are linear until ``tone``.
"""

from __future__ import annotations

import math

import complexion
import numba
import numpy as np
import person as p
from numpy.typing import NDArray
from person import Pose
from shapes import Triple, clamp, compiled, fractal, mix, noise, step

EYE_HEIGHT, EYE_DISTANCE, HALF_VIEW = -0.42, 8.5, 0.268
KEY = (-0.56, 0.52, 0.645)
RIM_LEFT = (-0.80, 0.25, -0.545)
RIM_RIGHT = (0.84, 0.10, -0.53)


@compiled
def tone(v: float) -> float:
    """Linear light → display value 0…1: a filmic shoulder, then the sRGB-like gamma."""
    v = max(v, 0.0) * 0.60
    v = (v * (2.51 * v + 0.03)) / (v * (2.43 * v + 0.59) + 0.14)
    return math.pow(min(v, 1.0), 1.0 / 2.2)


@compiled
def normal(x: float, y: float, z: float, eps: float, pose: Pose) -> Triple:
    """The outward unit normal, from four samples (tetrahedron) ``eps`` away."""
    a = p.dist(x + eps, y - eps, z - eps, pose, True)
    b = p.dist(x - eps, y - eps, z + eps, pose, True)
    c = p.dist(x - eps, y + eps, z - eps, pose, True)
    d = p.dist(x + eps, y + eps, z + eps, pose, True)
    nx, ny, nz = a - b - c + d, -a - b + c + d, -a + b - c + d
    length = math.sqrt(nx * nx + ny * ny + nz * nz) + 1e-12
    return nx / length, ny / length, nz / length


@compiled
def key_shadow(x: float, y: float, z: float, pose: Pose) -> float:
    """How much of the key light arrives, 0…1, with a wide penumbra."""
    lit, t = 1.0, 0.06
    for _ in range(18):
        d = p.dist(x + KEY[0] * t, y + KEY[1] * t, z + KEY[2] * t, pose, False)
        lit = min(lit, 0.5 + 0.5 * d / (0.16 * t))
        if lit <= 0.0:
            return 0.0
        t += clamp(d, 0.05, 0.30)
        if t > 2.6:
            break
    return lit * lit * (3.0 - 2.0 * lit)


@compiled
def occlusion(x: float, y: float, z: float, nx: float, ny: float, nz: float, pose: Pose) -> float:
    """How open the surface is to the sky, 0…1, from four samples along the normal."""
    sum_, weight = 0.0, 1.0
    for i in range(4):
        h = 0.03 + 0.13 * i
        d = p.dist(x + nx * h, y + ny * h, z + nz * h, pose, False)
        sum_ += max(h - d, 0.0) * weight
        weight *= 0.72
    return clamp(1.0 - 1.35 * sum_, 0.0, 1.0)


@compiled
def hair_shine(
    x: float, y: float, z: float, nx: float, ny: float, nz: float, vx: float, vy: float, vz: float, pose: Pose
) -> tuple[float, float]:
    """Two shifted strand highlights (Kajiya–Kay) of the key light, and the strand's own brightness."""
    hx, hy, hz = p.to_head(x, y, z, pose)
    az, far = p.strand(hx, hy, hz)
    wave = az + 0.10 * math.sin(far * 3.0 + 1.0)
    fine = noise(wave * 60.0, far * 1.6, 4.0) - 0.5
    # the strand's direction: away from the parting, along the surface
    tx, ty, tz = -0.26, -0.86, -0.44
    # head → scene is the transposed rotation
    sx = pose[0] * tx + pose[3] * ty + pose[6] * tz
    sy = pose[1] * tx + pose[4] * ty + pose[7] * tz
    sz = pose[2] * tx + pose[5] * ty + pose[8] * tz
    along = sx * nx + sy * ny + sz * nz
    sx, sy, sz = sx - along * nx, sy - along * ny, sz - along * nz
    length = math.sqrt(sx * sx + sy * sy + sz * sz) + 1e-6
    shift = 0.10 + 0.55 * fine
    sx, sy, sz = sx / length + nx * shift, sy / length + ny * shift, sz / length + nz * shift
    length = math.sqrt(sx * sx + sy * sy + sz * sz) + 1e-6
    bx, by, bz = KEY[0] + vx, KEY[1] + vy + 0.35, KEY[2] + vz
    half = math.sqrt(bx * bx + by * by + bz * bz)
    dot = (sx * bx + sy * by + sz * bz) / (length * half)
    across = math.sqrt(max(1.0 - dot * dot, 0.0))
    broad = noise(wave * 9.0, far * 0.7, 1.0)
    return across**60 * 0.22 + across**14 * 0.07, 0.62 + 0.55 * fine + 0.55 * broad


@compiled
def shade(x: float, y: float, z: float, dx: float, dy: float, dz: float, pose: Pose) -> Triple:
    """Colour (linear RGB) of the surface point seen along the direction d."""
    kind = p.material(x, y, z, pose)
    eps = 0.004 if kind == p.HAIR or kind == p.CLOTH else 0.0025
    nx, ny, nz = normal(x, y, z, eps, pose)
    hx, hy, hz = p.to_head(x, y, z, pose)
    vx, vy, vz = -dx, -dy, -dz
    soft, gloss, power, bright = 0.0, 0.0, 10.0, 1.0
    if kind == p.SKIN:
        r, g, b = complexion.skin_colour(hx, hy, hz, pose)
        soft, gloss, power = 1.0, 0.10, 16.0
        if r < 0.1:
            soft, gloss = 0.0, 0.03
        if hz > 0.4 and abs(hx) < 0.4 and hy < -0.40 and hy > -0.66:
            gloss, power = 0.09, 26.0
    elif kind == p.HAND:
        r, g, b = complexion.hand_colour(*p.to_hand(x, y, z, pose))
        soft, gloss, power = 1.0, 0.08, 16.0
    elif kind == p.EYE:
        r, g, b = complexion.eye_colour(hx, hy, hz, pose)
        soft, gloss = 0.35, 0.0
    elif kind == p.MOUTH_INSIDE:
        r, g, b = complexion.inside_colour(hx, hy, hz, pose)
        gloss, power = 0.1, 30.0
    elif kind == p.HAIR:
        gloss, bright = hair_shine(x, y, z, nx, ny, nz, vx, vy, vz, pose)
        r, g, b = 0.165 * bright, 0.058 * bright, 0.028 * bright
    else:
        fleck = fractal(x * 9.0, y * 9.0, z * 9.0)
        fuzz = noise(x * 55.0, y * 55.0, z * 55.0)
        r, g, b = 0.62, 0.315, 0.070
        scale = 0.72 + 0.32 * fleck + 0.16 * fuzz
        r, g, b = r * scale, g * scale, b * scale
        soft = 0.25

    ao = occlusion(x, y, z, nx, ny, nz, pose)
    facing = nx * KEY[0] + ny * KEY[1] + nz * KEY[2]
    lit = 0.0
    if facing > -0.35:
        lit = key_shadow(x + nx * 0.02, y + ny * 0.02, z + nz * 0.02, pose)
    # soft surfaces scatter light past the terminator, the red furthest
    wr, wg, wb = 0.34 * soft, 0.16 * soft, 0.10 * soft
    shadow_r = mix(lit, math.sqrt(lit), soft)
    kr = max((facing + wr) / (1.0 + wr), 0.0) * shadow_r
    kg = max((facing + wg) / (1.0 + wg), 0.0) * lit
    kb = max((facing + wb) / (1.0 + wb), 0.0) * lit
    sky = 0.5 + 0.5 * ny
    side = 0.5 - 0.5 * nx
    ao_r = mix(ao, math.sqrt(ao), 0.5 * soft)
    sun = pose[p.SUN]
    fill = ao * (0.10 + 0.26 * sky + 0.16 * side)
    fill_r = ao_r * (0.10 + 0.26 * sky + 0.16 * side)
    floor = ao * 0.20 * (1.0 - sky)
    lr = 1.55 * sun * kr + 0.86 * fill_r + 1.25 * floor
    lg = 1.42 * sun * kg + 0.98 * fill + 0.85 * floor
    lb = 1.22 * sun * kb + 1.14 * fill + 0.55 * floor
    edge = clamp(1.0 - (nx * vx + ny * vy + nz * vz), 0.0, 1.0)
    left = max(nx * RIM_LEFT[0] + ny * RIM_LEFT[1] + nz * RIM_LEFT[2] + 0.30, 0.0) * edge**2.2 * ao
    right = max(nx * RIM_RIGHT[0] + ny * RIM_RIGHT[1] + nz * RIM_RIGHT[2] + 0.25, 0.0) * edge**2.0 * ao
    tint = 0.35 if kind == p.EYE else 1.0
    lr, lg, lb = (
        lr + tint * (1.2 * left + 2.6 * right),
        lg + tint * (1.5 * left + 1.25 * right),
        lb + tint * (1.9 * left + 0.45 * right),
    )
    r, g, b = r * lr, g * lg, b * lb
    if kind == p.CLOTH:
        halo = 0.10 * edge**3 * ao
        r, g, b = r + 0.9 * halo, g + 0.6 * halo, b + 0.3 * halo
    if kind == p.HAIR:
        s = gloss * lit * sun + 0.5 * gloss * (left + right)
        r, g, b = r + 0.95 * s, g + 0.58 * s, b + 0.38 * s
        back = 0.10 * (left + 1.4 * right)
        r, g, b = r + back, g + 0.5 * back, b + 0.28 * back
    elif gloss > 0.0:
        bx, by, bz = KEY[0] + vx, KEY[1] + vy, KEY[2] + vz
        length = math.sqrt(bx * bx + by * by + bz * bz)
        s = max((nx * bx + ny * by + nz * bz) / length, 0.0) ** power * gloss * lit * sun
        s += 0.05 * gloss * edge**3
        r, g, b = r + s, g + s * 0.95, b + s * 0.9
    if kind == p.EYE:
        r, g, b = glint(hx, hy, hz, r, g, b, pose)
    return r, g, b


@compiled
def glint(hx: float, hy: float, hz: float, r: float, g: float, b: float, pose: Pose) -> Triple:
    """The window and a small second light mirrored in the cornea."""
    side = 1.0 if hx > 0 else -1.0
    x, y = hx - side * p.EYE_X - 0.5 * p.EYE_R * pose[p.GAZE_X], hy - p.EYE_Y - 0.5 * p.EYE_R * pose[p.GAZE_Y]
    dx, dy = x + 0.052, y - 0.058
    window = step(0.040, 0.028, abs(dx + 0.15 * dy)) * step(0.042, 0.030, abs(dy))
    window *= 1.0 - 0.6 * step(0.007, 0.002, abs(dx + 0.15 * dy))
    ex, ey = x - 0.060, y + 0.062
    spot = step(0.026, 0.010, math.sqrt(ex * ex + ey * ey)) * 0.30
    w = window * 0.95
    return r + 1.6 * w + spot, g + 1.6 * w + 0.85 * spot, b + 1.6 * w + 0.7 * spot


@compiled
def cast(sx: float, sy: float, pose: Pose) -> tuple[float, float, float, float]:
    """One camera ray through the picture point (sx, sy), y up, ±1 high: linear RGB and 1, or zeros."""
    dx, dy, dz = sx * HALF_VIEW, sy * HALF_VIEW, -1.0
    length = math.sqrt(dx * dx + dy * dy + 1.0)
    dx, dy, dz = dx / length, dy / length, dz / length
    t = (EYE_DISTANCE - 1.75) * length
    end = (EYE_DISTANCE + 1.1) * length
    for _ in range(110):
        x, y, z = dx * t, EYE_HEIGHT + dy * t, EYE_DISTANCE + dz * t
        d = p.dist(x, y, z, pose, True)
        if d < 0.0009:
            r, g, b = shade(x, y, z, dx, dy, dz, pose)
            return r, g, b, 1.0
        t += d * 0.92
        if t > end:
            break
    return 0.0, 0.0, 0.0, 0.0


@numba.njit(fastmath=True, parallel=True, error_model="numpy")
def _first(out: NDArray[np.float32], pose: Pose) -> None:
    """Casts one ray through the middle of every pixel."""
    height, width = out.shape[0], out.shape[1]
    for row in numba.prange(height):
        for col in range(width):
            r, g, b, a = cast((2.0 * col + 1.0 - width) / height, 1.0 - (2.0 * row + 1.0) / height, pose)
            out[row, col, 0], out[row, col, 1], out[row, col, 2], out[row, col, 3] = (
                tone(r),
                tone(g),
                tone(b),
                a,
            )


@numba.njit(fastmath=True, parallel=True, error_model="numpy")
def _refine(out: NDArray[np.float32], rough: NDArray[np.bool_], pose: Pose) -> None:
    """Casts four more rays where ``rough`` says that a pixel sees an edge, and averages."""
    height, width = out.shape[0], out.shape[1]
    for row in numba.prange(height):
        for col in range(width):
            if not rough[row, col]:
                continue
            sr, sg, sb, sa = 0.0, 0.0, 0.0, 0.0
            for k in range(4):
                ox = (0.125, 0.375, -0.125, -0.375)[k]
                oy = (-0.375, 0.125, 0.375, -0.125)[k]
                r, g, b, a = cast(
                    (2.0 * (col + ox) + 1.0 - width) / height,
                    1.0 - (2.0 * (row + oy) + 1.0) / height,
                    pose,
                )
                sr, sg, sb, sa = sr + tone(r) * a, sg + tone(g) * a, sb + tone(b) * a, sa + a
            if sa > 0.0:
                out[row, col, 0], out[row, col, 1], out[row, col, 2] = sr / sa, sg / sa, sb / sa
            out[row, col, 3] = sa / 4.0


def render_person(pose: Pose, width: int, height: int, threshold: float = 0.09) -> NDArray[np.float32]:
    """Renders the person.

    Args:
        pose: See ``person``.
        width: Pixels.
        height: Pixels.
        threshold: Contrast between neighbours (0…1) from which a pixel is cast four times.

    Returns:
        float32 (height, width, 4): display-referred RGB (0…1, not premultiplied) and coverage.
    """
    out = np.zeros((height, width, 4), np.float32)
    _first(out, pose)
    rough = np.zeros((height, width), np.bool_)
    mark = out[..., :3].max(2) * out[..., 3] + out[..., 3]
    for axis in (0, 1):
        jump = np.abs(np.diff(mark, axis=axis)) > threshold
        if axis == 0:
            rough[1:] |= jump
            rough[:-1] |= jump
        else:
            rough[:, 1:] |= jump
            rough[:, :-1] |= jump
    _refine(out, rough, pose)
    return out
