"""The person of the demo clip: the shape, as compiled functions of a pose.

A pose is a float64 array laid out by the constants below. Axes: x to the right of the picture, y up,
z towards the camera. The head is modelled round the origin, at rest looking along +z.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from shapes import (
    Triple,
    box,
    capsule,
    clamp,
    compiled,
    ellipsoid,
    mix,
    noise,
    smax,
    smin,
    sphere,
    step,
    torus,
)

Pose = NDArray[np.float64]

# The pose: rotation of the head (9 numbers, row by row, scene → head), then single values.
HEAD = 0
SHIFT_X, SHIFT_Y, BREATH, SMILE, MOUTH, LID, GAZE_X, GAZE_Y, BROW = range(9, 18)
WRIST_X, WRIST_Y, WRIST_Z, WAVE_COS, WAVE_SIN, ELBOW_X, ELBOW_Y = range(18, 25)
SUN, POSE_SIZE = 25, 26

SKIN, HAIR, EYE, CLOTH, MOUTH_INSIDE, HAND = range(6)
PIVOT_Y, PIVOT_Z = -1.0, -0.2
EYE_X, EYE_Y, EYE_Z, EYE_R = 0.33, 0.02, 0.545, 0.288
MOUTH_Y, MOUTH_Z, MOUTH_W = -0.50, 0.740, 0.295


@compiled
def to_head(x: float, y: float, z: float, pose: Pose) -> Triple:
    """Scene → head coordinates."""
    x, y, z = x - pose[SHIFT_X], y - PIVOT_Y - pose[SHIFT_Y], z - PIVOT_Z
    return (
        pose[0] * x + pose[1] * y + pose[2] * z,
        pose[3] * x + pose[4] * y + pose[5] * z + PIVOT_Y,
        pose[6] * x + pose[7] * y + pose[8] * z + PIVOT_Z,
    )


@compiled
def brow_mask(x: float, y: float, raised: float) -> float:
    """1 in the middle of an eyebrow, 0 outside; ``x`` ≥ 0 (the face is mirrored)."""
    t = clamp((x - 0.13) / 0.45, 0.0, 1.0)
    arc = 0.368 + raised * 0.10 + 0.075 * math.sin(t * 2.6) - 0.055 * t
    dx = x - (0.13 + 0.45 * t)
    d = math.sqrt(dx * dx + (y - arc) ** 2)
    width = 0.056 * (1.0 - 0.62 * t) * min(1.0, 0.7 + 2.0 * t)
    return step(width, width * 0.45, d)


@compiled
def mouth_frame(x: float, y: float, z: float, pose: Pose) -> tuple[float, float]:
    """Coordinates that follow the curve of the lips and the bend of the face."""
    smile = pose[SMILE]
    return y - MOUTH_Y - (
        0.30 + 1.25 * smile
    ) * x * x - 0.02 * smile, z - MOUTH_Z + 0.62 * x * x - 0.02 * smile


@compiled
def lips(x: float, y: float, z: float, pose: Pose, depth: float) -> float:
    """Distance to both lips; ``depth`` 0 leaves out how far in front of the face the point is."""
    v, w = mouth_frame(x, y, z, pose)
    w *= depth
    half = MOUTH_W * (0.86 + 0.24 * pose[SMILE])
    u = clamp(x, -half, half)
    taper = 1.0 - (u / half) ** 2
    gap = pose[MOUTH] * taper
    dx = x - u
    bow = 0.016 * math.exp(-((x / 0.05) ** 2))
    a = v - gap - 0.024 * taper + bow
    b = v + gap + 0.026 * taper
    upper = math.sqrt(dx * dx + a * a + w * w) - 0.035 * (0.22 + 0.78 * taper)
    lower = math.sqrt(dx * dx + b * b + w * w) - 0.042 * (0.15 + 0.85 * taper)
    return float(min(upper, lower))


@compiled
def cavity(x: float, y: float, z: float, pose: Pose) -> tuple[float, float]:
    """Distance, in the plane of the face, to the opening between the lips."""
    v, w = mouth_frame(x, y, z, pose)
    half = MOUTH_W * (0.80 + 0.24 * pose[SMILE])
    u = clamp(x, -half, half)
    gap = pose[MOUTH] * (1.0 - (u / half) ** 2)
    dv = max(abs(v) - gap, 0.0)
    inside = min(gap - abs(v), 0.05) if dv == 0.0 else 0.0
    return math.sqrt((x - u) ** 2 + dv * dv) - max(inside, 0.0), w


@compiled
def lid_opening(x: float, y: float, z: float, lid: float, smile: float) -> float:
    """Signed distance to the rim between the lids (negative between them), in eye coordinates."""
    az = math.atan2(x, z)
    el = math.atan2(y, math.sqrt(x * x + z * z))
    s = 1.0 - ((az - 0.03) / 0.90) ** 2
    low = -(0.50 - 0.14 * smile) * s - 0.02 + 0.06 * az
    top = mix(low - 0.03, 0.58 * s - 0.04 + 0.10 * az, lid)
    return max(el - top, low - el) * EYE_R


@compiled
def eyes(ax: float, y: float, z: float, lid: float, smile: float) -> float:
    """Lids of both eyes (mirrored): a shell round the eyeball with an almond cut out."""
    x, y, z = ax - EYE_X, y - EYE_Y, z - EYE_Z
    shell = math.sqrt(x * x + y * y + z * z) - EYE_R - 0.015
    if shell > 0.07:
        return shell
    opening = lid_opening(x, y, z, lid, smile)
    rim = 0.008 * step(0.05, 0.0, opening)
    return smax((shell - rim) * 0.9, -opening * 0.75, 0.016)


@compiled
def face(x: float, y: float, z: float, pose: Pose) -> float:
    """The skin of head and lids."""
    smile = pose[SMILE]
    ax = math.sqrt(x * x + 0.0004)
    d = ellipsoid(x, y - 0.15, z + 0.03, 0.80, 0.92, 0.85)
    d = smin(d, ellipsoid(x, y + 0.36, z - 0.12, 0.57, 0.55, 0.585), 0.28)
    d = smin(d, sphere(ax - 0.34, y + 0.20 - 0.05 * smile, z - 0.455, 0.27 + 0.018 * smile), 0.26)
    d = smin(d, sphere(x, y + 0.80, z - 0.42, 0.16), 0.30)
    d = smax(d, -sphere(ax - 0.34, y - 0.03, z - 1.03, 0.26), 0.18)
    bridge = capsule(x, y, z, 0.0, 0.14, 0.73, 0.0, -0.14, 0.84, 0.035, 0.06)
    d = smin(d, bridge, 0.18)
    d = smin(d, ellipsoid(x, y + 0.165, z - 0.86, 0.092, 0.080, 0.095), 0.08)
    d = smin(d, ellipsoid(ax - 0.080, y + 0.185, z - 0.815, 0.052, 0.045, 0.06), 0.05)
    if z > 0.3 and y < -0.22:
        d = smin(d, lips(x, y, z, pose, 1.0), 0.050)
        if pose[MOUTH] > 0.004:
            c, w = cavity(x, y, z, pose)
            d = smax(d, min(0.018 - c, w + 0.075), 0.02)
    elif z > 0.3 and d < 0.1 and y > 0.2 and y < 0.65:
        d -= 0.010 * brow_mask(ax, y, pose[BROW])
    return smin(d, eyes(ax, y, z, pose[LID], smile), 0.035)


@compiled
def strand(x: float, y: float, z: float) -> tuple[float, float]:
    """Azimuth round the parting and distance from it along the head: where a hair grows, how far along."""
    y -= 0.12
    length = math.sqrt(x * x + y * y + z * z) + 1e-9
    c = (x * 0.26 + y * 0.86 + z * 0.44) / length
    u = x * 0.957 - y * 0.291
    v = x * 0.128 + y * 0.421 - z * 0.898
    return math.atan2(v, u), math.acos(clamp(c, -1.0, 1.0))


@compiled
def hair(x: float, y: float, z: float, fine: bool) -> float:
    """The bob: a cap cut out round the face, curtains at the sides, a fringe; strands where ``fine``."""
    ax = abs(x)
    d = ellipsoid(x, y - 0.20, z + 0.10, 0.97, 1.06, 0.99)
    d = smin(d, ellipsoid(x, y + 0.18, z + 0.32, 0.97, 0.96, 0.62), 0.15)
    d = smax(d, -ellipsoid(x, y + 0.30, z - 1.0, 0.70, 1.04, 0.86), 0.10)
    d = smax(d, -ellipsoid(x, y + 1.05, z - 0.15, 0.52, 0.75, 0.75), 0.15)
    # the side curtains, curling in at the jaw
    side = capsule(ax, y, z, 0.74, 0.60, 0.28, 0.89, 0.05, 0.20, 0.19, 0.22)
    side = smin(side, capsule(ax, y, z, 0.89, 0.05, 0.20, 0.89, -0.50, 0.14, 0.22, 0.25), 0.12)
    side = smin(side, capsule(ax, y, z, 0.89, -0.50, 0.14, 0.79, -0.80, 0.04, 0.25, 0.21), 0.14)
    d = smin(d, side, 0.16)
    # the fringe: a wide sweep to the left of the picture, a short one to the right
    left = capsule(x, y, z, 0.26, 1.02, 0.42, -0.16, 0.92, 0.66, 0.16, 0.20)
    left = smin(left, capsule(x, y, z, -0.16, 0.92, 0.66, -0.58, 0.62, 0.60, 0.20, 0.18), 0.12)
    left = smin(left, capsule(x, y, z, -0.58, 0.62, 0.60, -0.86, 0.05, 0.36, 0.18, 0.13), 0.12)
    right = capsule(x, y, z, 0.28, 1.02, 0.40, 0.62, 0.78, 0.50, 0.16, 0.17)
    right = smin(right, capsule(x, y, z, 0.62, 0.78, 0.50, 0.88, 0.15, 0.34, 0.17, 0.13), 0.12)
    d = smin(d, min(left, right), 0.09)
    if fine and d < 0.07:
        az, far = strand(x, y, z)
        wave = az + 0.10 * math.sin(far * 3.0 + 1.0) + 0.05 * math.sin(far * 6.5)
        fade = math.sin(min(far, 1.57)) ** 0.7
        lock = math.sin(wave * 11.0 + 1.7 * math.sin(wave * 3.0))
        thin = math.sin(wave * 37.0 + 2.0 * math.sin(wave * 9.0)) + 0.6 * math.sin(wave * 83.0)
        d -= fade * (0.022 * lock + 0.008 * thin)
    return d * 0.8


@compiled
def head_dist(x: float, y: float, z: float, pose: Pose, fine: bool) -> float:
    """Face, eyeballs and hair, in head coordinates; far away only a bound."""
    far = sphere(x, y - 0.05, z, 1.42)
    if far > 0.35:
        return far
    d = face(x, y, z, pose)
    ball = sphere(abs(x) - EYE_X, y - EYE_Y, z - EYE_Z, EYE_R)
    return min(min(d, ball), hair(x, y, z, fine))


@compiled
def neck(x: float, y: float, z: float, pose: Pose) -> float:
    """Reaches from under the collar into the head and follows its sway."""
    return capsule(x, y, z, pose[SHIFT_X] * 0.9, -0.72, -0.16, 0.0, -1.85, -0.22, 0.35, 0.43)


@compiled
def torso(x: float, y: float, z: float, pose: Pose, fine: bool) -> float:
    """The jumper: shoulders, chest, upper arms, a rolled collar; with folds and stitches near the surface."""
    b = pose[BREATH]
    y -= 0.20 + b * 0.02
    ax = abs(x)
    d = capsule(ax, y, z, 0.0, -1.90, -0.24, 1.36, -2.46, -0.16, 0.50, 0.42)
    d = smin(d, ellipsoid(x, y + 3.05, z + 0.05, 1.42, 1.2, 0.74 + 0.015 * b), 0.40)
    arm_x = 1.95
    d = smin(d, capsule(ax, y, z, 1.38, -2.48, -0.16, arm_x, -3.7, 0.05, 0.42, 0.36), 0.16)
    if fine and d < 0.14:
        swell = math.sin(y * 5.0 - ax * 4.2 + 3.0 * noise(x * 1.5, y * 1.5, z * 1.5 + 3.0))
        pit = math.exp(-(((ax - 1.18) / 0.42) ** 2) - ((y + 2.9) / 0.5) ** 2)
        pull = math.sin(ax * 7.0 + y * 8.0 + 2.0 * noise(x * 2.2, y * 2.2, 1.0))
        d -= 0.034 * swell + 0.06 * pit * pull
        d -= stitches(x, y, z)
    collar = torus(x, y + 1.50 + 0.10 * z, z + 0.20, 0.47, 0.47, 0.17)
    collar = smin(collar, torus(x, y + 1.70 + 0.14 * z, z + 0.22, 0.54, 0.52, 0.15), 0.05)
    if fine and collar < 0.06:
        az = math.atan2(x, z + 0.2)
        collar -= 0.016 * math.sin(az * 46.0) + 0.012 * math.sin(az * 5.0 + y * 6.0)
    return smin(d, collar, 0.05) * 0.8


@compiled
def stitches(x: float, y: float, z: float) -> float:
    """The relief of knitting: columns of small slanted stitches, every ninth column sunk to a rib."""
    u = x * 13.0
    column = math.floor(u)
    f = u - column - 0.5
    row = y * 15.0 + abs(f) * 1.3
    stitch = 0.55 + 0.45 * math.cos(6.2832 * row)
    rib = 0.5 + 0.5 * math.cos(6.2832 * u / 8.0)
    return 0.013 * stitch * (1.0 - 4.0 * f * f) + 0.016 * rib * rib


@compiled
def to_hand(x: float, y: float, z: float, pose: Pose) -> Triple:
    """Scene → hand coordinates: wrist at the origin, fingers along +y, palm facing +z."""
    x, y, z = (x - pose[WRIST_X]) / 1.12, (y - pose[WRIST_Y]) / 1.12, (z - pose[WRIST_Z]) / 1.12
    c, s = pose[WAVE_COS], pose[WAVE_SIN]
    return c * x - s * y, s * x + c * y, z


@compiled
def hand(x: float, y: float, z: float) -> float:
    """An open right-sized hand in its own coordinates."""
    bend = 0.16 * max(y - 0.45, 0.0) ** 2
    z -= bend
    d = box(x, y - 0.34, z, 0.25 + 0.04 * y, 0.27, 0.095, 0.09)
    d = smin(d, capsule(x, y, z, 0.0, -0.12, -0.03, 0.0, 0.12, 0.0, 0.15, 0.165), 0.12)
    f = capsule(x, y, z, -0.200, 0.55, 0.0, -0.290, 0.97, 0.02, 0.080, 0.062)
    f = min(f, capsule(x, y, z, -0.068, 0.58, 0.0, -0.085, 1.08, 0.0, 0.082, 0.064))
    f = min(f, capsule(x, y, z, 0.068, 0.56, 0.0, 0.120, 1.03, 0.0, 0.080, 0.062))
    f = min(f, capsule(x, y, z, 0.195, 0.50, 0.0, 0.310, 0.85, 0.02, 0.074, 0.055))
    d = smin(d, f, 0.055)
    thumb = capsule(x, y, z, -0.18, 0.14, 0.06, -0.36, 0.38, 0.09, 0.11, 0.085)
    thumb = smin(thumb, capsule(x, y, z, -0.36, 0.38, 0.09, -0.45, 0.60, 0.07, 0.082, 0.062), 0.04)
    d = smin(d, thumb, 0.08)
    return smin(d, ellipsoid(x + 0.12, y - 0.20, z - 0.07, 0.13, 0.17, 0.06), 0.06)


@compiled
def sleeve(x: float, y: float, z: float, pose: Pose, fine: bool) -> float:
    """The raised forearm in its sleeve, with a ribbed cuff."""
    wx, wy, wz = pose[WRIST_X], pose[WRIST_Y], pose[WRIST_Z]
    ex, ey, ez = pose[ELBOW_X], pose[ELBOW_Y], 0.45
    lx, ly, lz = wx - ex, wy - ey, wz - ez
    length = math.sqrt(lx * lx + ly * ly + lz * lz)
    h = ((x - ex) * lx + (y - ey) * ly + (z - ez) * lz) / (length * length)
    cuff_at = 0.95
    d = capsule(x, y, z, ex, ey, ez, ex + lx * 0.93, ey + ly * 0.93, ez + lz * 0.93, 0.38, 0.235)
    if fine and d < 0.12:
        ring = math.sin(h * length * 6.5 + 2.0 * noise(x * 2.0, y * 2.0, z * 2.0))
        d -= 0.022 * ring + stitches(x - lx * h, y, z)
    hc = clamp(h, cuff_at - 0.10, cuff_at)
    cx, cy, cz = x - ex - lx * hc, y - ey - ly * hc, z - ez - lz * hc
    cuff = math.sqrt(cx * cx + cy * cy + cz * cz) - 0.215
    if fine and cuff < 0.05:
        cuff -= 0.010 * math.sin(math.atan2(cx, cz) * 22.0)
    return smin(d, cuff, 0.04) * 0.75


@compiled
def arm_dist(x: float, y: float, z: float, pose: Pose, fine: bool) -> tuple[float, float]:
    """Sleeve and hand; the distances of both, far away only a bound."""
    aside = min(pose[WRIST_X], pose[ELBOW_X]) - 0.75 - x
    if aside > 0.25:
        return aside, aside
    hx, hy, hz = to_hand(x, y, z, pose)
    far = sphere(hx, hy - 0.45, hz, 0.85)
    h = far * 1.12 if far > 0.3 else hand(hx, hy, hz) * 1.12
    return sleeve(x, y, z, pose, fine), h


@compiled
def dist(x: float, y: float, z: float, pose: Pose, fine: bool) -> float:
    """Distance of a point to the person; ``fine`` with strands, folds and stitches."""
    hx, hy, hz = to_head(x, y, z, pose)
    d = head_dist(hx, hy, hz, pose, fine)
    d = min(d, neck(x, y, z, pose))
    below = y + 1.0
    d = min(d, below) if below > 0.4 else min(d, torso(x, y, z, pose, fine))
    if pose[WRIST_Y] > -4.2:
        s, h = arm_dist(x, y, z, pose, fine)
        d = min(d, min(s, h))
    return d


@compiled
def material(x: float, y: float, z: float, pose: Pose) -> int:
    """Which surface is nearest."""
    hx, hy, hz = to_head(x, y, z, pose)
    best, kind = neck(x, y, z, pose), SKIN
    if sphere(hx, hy - 0.05, hz, 1.42) < 0.3:
        d = face(hx, hy, hz, pose)
        if d < best:
            best = d
            if pose[MOUTH] > 0.004 and hz > 0.3:
                c, w = cavity(hx, hy, hz, pose)
                if c < 0.02 and w < -0.035:
                    kind = MOUTH_INSIDE
        ball = sphere(abs(hx) - EYE_X, hy - EYE_Y, hz - EYE_Z, EYE_R)
        if ball < best:
            best, kind = ball, EYE
        d = hair(hx, hy, hz, True)
        if d < best:
            best, kind = d, HAIR
    d = torso(x, y, z, pose, True)
    if d < best:
        best, kind = d, CLOTH
    if pose[WRIST_Y] > -4.2:
        s, h = arm_dist(x, y, z, pose, True)
        if s < best:
            best, kind = s, CLOTH
        if h < best:
            best, kind = h, HAND
    return kind
