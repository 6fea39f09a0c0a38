"""The colours of the person's skin, eyes, mouth and hands: albedo, linear RGB, as functions of place.

Must not know light.
"""

from __future__ import annotations

import math

from person import (
    BROW,
    EYE_R,
    EYE_X,
    EYE_Y,
    EYE_Z,
    GAZE_X,
    GAZE_Y,
    LID,
    MOUTH,
    MOUTH_W,
    SMILE,
    Pose,
    brow_mask,
    lid_opening,
    lips,
    mouth_frame,
)
from shapes import Triple, compiled, fractal, hashed, mix, noise, step


@compiled
def skin_colour(x: float, y: float, z: float, pose: Pose) -> Triple:
    """Albedo (linear RGB) of the face: blush, freckles, lips, brows, lashes. Head coordinates."""
    ax = abs(x)
    mottle = fractal(x * 3.0, y * 3.0, z * 3.0) - 0.5
    r, g, b = 0.78 + 0.05 * mottle, 0.43 + 0.06 * mottle, 0.285 + 0.05 * mottle
    if z > 0.2 and y > -1.1:
        blush = 0.75 * math.exp(-(((ax - 0.44) / 0.20) ** 2) - ((y + 0.20) / 0.14) ** 2)
        blush += 0.55 * math.exp(-((x / 0.13) ** 2) - ((y + 0.19) / 0.11) ** 2)
        blush += 0.25 * math.exp(-((x / 0.2) ** 2) - ((y + 0.85) / 0.12) ** 2)
        r, g, b = mix(r, 0.80, blush * 0.5), mix(g, 0.27, blush * 0.5), mix(b, 0.20, blush * 0.5)
        zone = math.exp(-(((ax - 0.30) / 0.22) ** 2) - ((y + 0.15) / 0.10) ** 2)
        i, j = math.floor(x * 19.0), math.floor(y * 19.0)
        px = x * 19.0 - i - 0.25 - 0.5 * hashed(int(i), int(j), 5)
        py = y * 19.0 - j - 0.25 - 0.5 * hashed(int(i), int(j), 9)
        size = 0.10 + 0.14 * hashed(int(i), int(j), 2)
        spot = zone * step(size, size * 0.4, math.sqrt(px * px + py * py)) * 0.55
        r, g, b = mix(r, 0.47, spot), mix(g, 0.22, spot), mix(b, 0.12, spot)
        lip = step(0.007, -0.007, lips(x, y, z, pose, 0.0)) if z > 0.4 else 0.0
        r, g, b = mix(r, 0.56, lip), mix(g, 0.155, lip), mix(b, 0.14, lip)
        if lip > 0.0:
            v, _w = mouth_frame(x, y, z, pose)
            line = (1.0 - 0.75 * step(0.0, 0.016, abs(v + 0.004))) * step(0.03, 0.0, pose[MOUTH])
            line *= lip
            r, g, b = mix(r, 0.18, line), mix(g, 0.04, line), mix(b, 0.04, line)
        nostril = 0.75 * math.exp(
            -(((ax - 0.046) / 0.020) ** 2) - ((y + 0.236 - 0.12 * (ax - 0.046)) / 0.013) ** 2
        )
        r, g, b = mix(r, 0.16, nostril), mix(g, 0.05, nostril), mix(b, 0.035, nostril)
        brow = brow_mask(ax, y, pose[BROW])
        if brow > 0.0:
            hairs = 0.75 + 0.5 * noise(ax * 16.0 + y * 12.0, y * 80.0 - ax * 34.0, 2.0)
            brow = min(brow * hairs, 1.0)
            r, g, b = mix(r, 0.060, brow), mix(g, 0.024, brow), mix(b, 0.013, brow)
        ex, ey, ez = ax - EYE_X, y - EYE_Y, z - EYE_Z
        radius = math.sqrt(ex * ex + ey * ey + ez * ez)
        if radius < EYE_R + 0.06:
            opening = lid_opening(ex, ey, ez, pose[LID], pose[SMILE])
            rim = step(0.050, 0.030, opening) * step(EYE_R + 0.055, EYE_R + 0.04, radius)
            az = math.atan2(ex, ez)
            upper = max(step(-0.05, 0.03, ey - 0.06 * az), 1.0 - pose[LID])
            lash = rim * (0.22 + 0.78 * upper) * step(-0.80, -0.42, az)
            shade = 0.35 * step(0.15, 0.03, opening) * upper
            r, g, b = r * (1 - 0.35 * shade), g * (1 - 0.6 * shade), b * (1 - 0.6 * shade)
            r, g, b = mix(r, 0.035, lash), mix(g, 0.016, lash), mix(b, 0.012, lash)
    return r, g, b


@compiled
def crease(x: float, y: float, ax: float, ay: float, bx: float, by: float, bow: float) -> float:
    """1 on a curved line from a to b in the palm, fading beside it and at its ends."""
    lx, ly = bx - ax, by - ay
    h = ((x - ax) * lx + (y - ay) * ly) / (lx * lx + ly * ly)
    side = ((x - ax) * ly - (y - ay) * lx) / math.sqrt(lx * lx + ly * ly) - bow * 4.0 * h * (1.0 - h)
    return math.exp(-((side / 0.013) ** 2)) * step(-0.05, 0.15, h) * step(1.05, 0.8, h)


@compiled
def hand_colour(x: float, y: float, z: float) -> Triple:
    """Albedo of the hand in hand coordinates: rosy pads and fingertips, the palm's lines."""
    mottle = fractal(x * 5.0, y * 5.0, z * 5.0) - 0.5
    r, g, b = 0.78 + 0.05 * mottle, 0.43 + 0.06 * mottle, 0.285 + 0.05 * mottle
    rosy = 0.45 * step(0.80, 1.05, y) + 0.5 * math.exp(-(((x + 0.14) / 0.12) ** 2) - ((y - 0.20) / 0.15) ** 2)
    rosy += 0.35 * math.exp(-((x / 0.3) ** 2) - ((y - 0.55) / 0.06) ** 2)
    rosy = min(rosy, 0.6)
    g, b = mix(g, 0.29, rosy), mix(b, 0.20, rosy)
    if z > 0.0:
        line = crease(x, y, -0.24, 0.40, 0.20, 0.28, -0.03) + crease(x, y, -0.10, 0.54, 0.27, 0.42, -0.04)
        line += crease(x, y, -0.22, 0.42, -0.02, 0.04, 0.06)
        spread = 1.0 + 0.45 * (y - 0.5)
        for joint in range(2):
            at = 0.73 + 0.15 * joint + 0.05 * math.cos(x / spread * 5.0)
            line += 0.7 * math.exp(-(((y - at) / 0.010) ** 2)) * step(0.40, 0.34, abs(x))
        line = min(line, 1.0) * 0.45
        r, g, b = mix(r, 0.52, line), mix(g, 0.20, line), mix(b, 0.12, line)
    return r, g, b


@compiled
def eye_colour(x: float, y: float, z: float, pose: Pose) -> Triple:
    """Albedo of an eyeball and how much of its glance shows, in head coordinates."""
    side = 1.0 if x > 0 else -1.0
    x, y, z = x - side * EYE_X, y - EYE_Y, z - EYE_Z
    yaw = pose[GAZE_X] + side * 0.055
    c, s = math.cos(yaw), math.sin(yaw)
    gx, gz = c * x - s * z, s * x + c * z
    c, s = math.cos(pose[GAZE_Y]), math.sin(pose[GAZE_Y])
    gy, gz = c * y - s * gz, s * y + c * gz
    angle = math.atan2(math.sqrt(gx * gx + gy * gy), gz)
    turn = math.atan2(gy, gx)
    r, g, b = 0.80, 0.77, 0.74
    vein = step(0.65, 1.1, angle)
    g, b = g - 0.16 * vein, b - 0.18 * vein
    rim = step(0.585, 0.555, angle)
    fibre = 0.75 + 0.5 * noise(turn * 7.0 + 30.0, angle * 5.0, 1.0)
    glow = step(0.20, 0.56, angle) * (0.55 + 0.45 * step(0.3, -0.9, gy / EYE_R * 2.0))
    ir, ig, ib = (0.10 + 0.34 * glow) * fibre, (0.075 + 0.24 * glow) * fibre, (0.03 + 0.055 * glow) * fibre
    dark = step(0.44, 0.57, angle) * 0.8
    ir, ig, ib = ir * (1 - dark), ig * (1 - dark), ib * (1 - dark)
    pupil = step(0.275, 0.245, angle)
    ir, ig, ib = mix(ir, 0.006, pupil), mix(ig, 0.005, pupil), mix(ib, 0.005, pupil)
    r, g, b = mix(r, ir, rim), mix(g, ig, rim), mix(b, ib, rim)
    opening = -lid_opening(x, y, z, pose[LID], pose[SMILE])
    under = 1.0 - 0.62 * step(0.13, 0.0, opening) * step(-0.10, 0.06, y)
    return r * under, g * under, b * under


@compiled
def inside_colour(x: float, y: float, z: float, pose: Pose) -> Triple:
    """Albedo between the lips: teeth above, tongue and dark below."""
    v, _w = mouth_frame(x, y, z, pose)
    half = MOUTH_W * (0.80 + 0.24 * pose[SMILE])
    gap = pose[MOUTH] * max(1.0 - (x / half) ** 2, 0.0)
    edge = -0.30 * pose[MOUTH] - 0.002 * math.cos(x * 62.0)
    tooth = step(edge - 0.006, edge + 0.006, v) * step(0.93, 0.85, abs(x) / half)
    between = 1.0 - 0.22 * step(0.85, 1.0, math.cos(x * 62.0 + 3.1416)) * tooth
    shade = 1.0 - 0.35 * step(0.5, 1.0, abs(x) / half)
    tongue = step(0.5, 1.0, -v / (gap + 0.01)) * 0.6
    r, g, b = mix(0.10, 0.42, tongue), mix(0.016, 0.09, tongue), mix(0.016, 0.08, tongue)
    return (
        mix(r, 0.86 * between, tooth) * shade,
        mix(g, 0.82 * between, tooth) * shade,
        mix(b, 0.75 * between, tooth) * shade,
    )
