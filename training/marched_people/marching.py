"""Sphere tracing (Hart 1996) of a person made of signed distance functions. Knows numbers, not who they describe.

Lengths are metres. The person looks along +z, y is up, the neck's upper end is near the origin; the camera looks along
-z. Distances of ellipsoids are first-order approximations, so steps are shortened.
"""

import math

import numpy as np
from numba import njit

NOTHING, SKIN, HAIR, CLOTHES, THING, ROOM, BEARD = range(7)
"""What a ray hits. ``THING``: headphones, glasses, hats. ``ROOM``: the chair, which is no part of the person."""

BALD, SHORT, LONG, BOB, AFRO, BUN, TAIL, CURLY = range(8)
"""Kinds of hair."""

PLAIN, STRIPES, CHECKS, SPECKLES = range(4)
"""Patterns of clothes."""

NO_HAT, BEANIE, CAP, BRIMMED, SCARF = range(5)
"""Kinds of hats. ``SCARF``: a hood or a headscarf, of the clothes' cloth."""

(
    NECK, SHOULDER_L, SHOULDER_R, ELBOW_L, ELBOW_R, WRIST_L, WRIST_R, TIP_L, TIP_R, CHEST, CHAIR
) = range(11)  # fmt: skip
"""Rows of the joints."""

(
    HAIR_KIND, HAIR_LENGTH, HAIR_VOLUME, BEARD_LENGTH, HEADPHONES, GLASSES, HOOD, SLEEVES, CHAIR_HEIGHT, BUILD, PATTERN,
    SEED, OPEN_L, OPEN_R, HAT, HAIRLINE, FRINGE, FORWARD
) = range(18)  # fmt: skip
"""Entries of the traits; 0 where there is none of it. ``HAIRLINE``: metres by which it lies higher than usual.
``FRINGE``: metres by which hair hangs down the forehead. ``FORWARD``: metres by which long hair lies before the
shoulders."""

TRAITS = 18

FAR, STEPS, SHORTENED = 4.0, 72, 0.85
TILE = 8
"""Side of the square of rays that begin together (cone marching)."""

fast = njit(cache=True, fastmath=True, nogil=True)


@fast
def _ellipsoid(x, y, z, a, b, c):
    inner = math.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2)
    slope = math.sqrt((x / a**2) ** 2 + (y / b**2) ** 2 + (z / c**2) ** 2)
    return inner * (inner - 1) / max(slope, 1e-9)


@fast
def _capsule(x, y, z, a, b, ra, rb):
    """Distance to a line from ``a`` to ``b`` whose radius goes from ``ra`` to ``rb``."""
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    px, py, pz = x - a[0], y - a[1], z - a[2]
    t = (px * dx + py * dy + pz * dz) / max(dx * dx + dy * dy + dz * dz, 1e-9)
    t = min(max(t, 0.0), 1.0)
    px, py, pz = px - dx * t, py - dy * t, pz - dz * t
    return math.sqrt(px * px + py * py + pz * pz) - (ra + (rb - ra) * t)


@fast
def _line(x, y, z, ax, ay, az, bx, by, bz, radius):
    dx, dy, dz = bx - ax, by - ay, bz - az
    px, py, pz = x - ax, y - ay, z - az
    t = min(max((px * dx + py * dy + pz * dz) / max(dx * dx + dy * dy + dz * dz, 1e-9), 0.0), 1.0)
    px, py, pz = px - dx * t, py - dy * t, pz - dz * t
    return math.sqrt(px * px + py * py + pz * pz) - radius


@fast
def _blend(a, b, k):
    """Smooth union (Quilez)."""
    h = max(k - abs(a - b), 0.0) / k
    return min(a, b) - h * h * k * 0.25


@fast
def _hash(x, y, z):
    n = (x * 374761393 + y * 668265263 + z * 1274126177) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 65535.0


@fast
def noise(x, y, z):
    """Value noise, 0..1."""
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    u, v, w = x - i, y - j, z - k
    u, v, w = u * u * (3 - 2 * u), v * v * (3 - 2 * v), w * w * (3 - 2 * w)
    i, j, k = int(i), int(j), int(k)
    total = 0.0
    for a in range(2):
        for b in range(2):
            for c in range(2):
                share = (u if a else 1 - u) * (v if b else 1 - v) * (w if c else 1 - w)
                total += share * _hash(i + a, j + b, k + c)
    return total


@fast
def hair(x, y, z, traits):
    """Distance to the hair, in the head's own axes."""
    kind = int(traits[HAIR_KIND])
    length, volume, seed = traits[HAIR_LENGTH], traits[HAIR_VOLUME], traits[SEED]
    found = 9.0
    if kind != BALD:
        found = _ellipsoid(x, y - 0.02, z + 0.008, 0.08 + volume, 0.109 + volume, 0.102 + volume)
        if kind == AFRO:
            found = _blend(found, _ellipsoid(x, y - 0.045, z + 0.025, 0.135 + volume, 0.13 + volume, 0.12), 0.03)
        # The hairline: a plane that rises from the nape over the ears to the forehead.
        line = -0.75 * y + 0.66 * z + 0.006 + traits[HAIRLINE] + 0.012 * math.sin(40 * x + seed)
        if traits[FRINGE] > 0:
            end = 0.078 - traits[FRINGE] + 0.2 * math.sin(seed) * x + 0.004 * math.sin(90 * x + seed)
            line = min(line, max(end - y, abs(x) - 0.068))
        found = max(found, line)
        if kind == LONG or kind == BOB:
            wave = 0.008 * math.sin(28 * y + 5 * x + seed)
            side = abs(x) + wave
            found = _blend(found, _line(side, y, z, 0.07, 0.06, -0.01, 0.083, -length, 0.012 + traits[FORWARD], 0.022 + volume), 0.03)
            found = _blend(
                found, _ellipsoid(x, y + length * 0.5 - 0.02, z + 0.06, 0.085 + volume, length * 0.5 + 0.05, 0.05), 0.04
            )
        elif kind == BUN:
            found = _blend(found, _ellipsoid(x, y - 0.145, z + 0.03, 0.048, 0.042, 0.045), 0.02)
        elif kind == TAIL:
            found = _blend(
                found, _line(x, y, z, 0.03, 0.06, -0.11, 0.1, -length, -0.09, 0.026 + volume), 0.03
            )
        if kind == AFRO or kind == CURLY:
            found -= 0.012 * (noise(x * 55 + seed, y * 55, z * 55) - 0.3)
        elif found < 0.05:
            found -= 0.004 * (noise(x * 130 + seed, y * 20, z * 60) - 0.3)
    return found


@fast
def _hat(x, y, z, traits):
    """Distance to what covers the crown, in the head's own axes."""
    kind, wide = int(traits[HAT]), 0.006 + traits[HAIR_VOLUME]
    if kind == SCARF:
        around = _ellipsoid(x, y + 0.01, z + 0.015, 0.1 + wide, 0.135 + wide, 0.115 + wide)
        return max(around, z - 0.04 - 0.3 * max(0.0, -y - 0.06))
    crown = _ellipsoid(x, y - 0.03, z + 0.008, 0.085 + wide, 0.112 + wide, 0.108 + wide)
    if kind == BRIMMED:
        crown = max(crown - 0.012, 0.05 - y)
        return min(crown, _ellipsoid(x, y - 0.058, z, 0.17, 0.012, 0.18))
    crown = max(crown, 0.035 + 0.25 * z - y)
    if kind == CAP:
        crown = min(crown, _ellipsoid(x, y - 0.066 + 0.2 * (z - 0.12), z - 0.12, 0.075, 0.01, 0.075))
    return crown


@fast
def _head(x, y, z, traits):
    """Distance to the head and what is on it, in its own axes; and what it is."""
    skin = _ellipsoid(x, y - 0.015, z, 0.076, 0.104, 0.096)
    skin = _blend(skin, _ellipsoid(x, y + 0.05, z - 0.022, 0.057, 0.07, 0.064), 0.03)
    skin = _blend(skin, _ellipsoid(x, y + 0.016, z - 0.092, 0.012, 0.024, 0.016), 0.014)
    skin = _blend(skin, _ellipsoid(abs(x) - 0.079, y + 0.004, z + 0.004, 0.012, 0.03, 0.019), 0.008)
    found, what = skin, SKIN
    other = hair(x, y, z, traits)
    if other < found:
        found, what = other, HAIR
    if traits[BEARD_LENGTH] > 0:
        other = _ellipsoid(x, y + 0.072, z - 0.03, 0.061, 0.05 + 0.02 * traits[BEARD_LENGTH], 0.062)
        other = max(other, y + 0.045 - 0.3 * abs(x))
        if other < found:
            found, what = other, BEARD
    if traits[HAT] > 0:
        other = _hat(x, y, z, traits)
        if other < found:
            found, what = other, CLOTHES if traits[HAT] == SCARF else THING
    if traits[HEADPHONES] > 0:
        reach = 0.105 + traits[HAIR_VOLUME]
        ring = math.sqrt(x * x + max(y - 0.012, 0.0) ** 2) - reach
        other = math.sqrt(ring * ring + (z + 0.004) ** 2 + min(y - 0.012, 0.0) ** 2) - 0.008 * traits[HEADPHONES]
        cup = _ellipsoid(abs(x) - reach + 0.008, y + 0.004, z + 0.002, 0.024, 0.042, 0.038)
        other = _blend(other, cup, 0.01)
        if traits[HEADPHONES] > 1.2:
            other = min(other, _line(x, y, z, 0.1, -0.03, 0.02, 0.045, -0.085, 0.105, 0.004))
        if other < found:
            found, what = other, THING
    if traits[GLASSES] > 0:
        side = abs(x)
        ring = math.sqrt((side - 0.034) ** 2 + (y - 0.012) ** 2) - 0.025
        other = math.sqrt(ring * ring + (z - 0.1 + side * 0.25) ** 2) - 0.003 * traits[GLASSES]
        other = min(other, _line(side, y, z, 0.0, 0.016, 0.105, 0.01, 0.016, 0.1, 0.002 * traits[GLASSES]))
        other = min(other, _line(side, y, z, 0.06, 0.016, 0.083, 0.082, 0.014, -0.005, 0.002 * traits[GLASSES]))
        if other < found:
            found, what = other, THING
    return found, what


@fast
def _hand(x, y, z, wrist, tip, spread):
    """Palm and fingers; ``tip`` is the end of the middle finger, ``spread`` how far apart fingers are."""
    dx, dy, dz = tip[0] - wrist[0], tip[1] - wrist[1], tip[2] - wrist[2]
    mx, my, mz = wrist[0] + dx * 0.5, wrist[1] + dy * 0.5, wrist[2] + dz * 0.5
    found = _line(x, y, z, wrist[0], wrist[1], wrist[2], mx, my, mz, 0.03)
    sx, sy = dy, -dx
    for finger in range(4):
        off = (finger - 1.5) * 0.12
        wide = off * (1 + 0.4 * spread)
        reach = 1.0 - 0.12 * abs(finger - 1.6)
        found = _blend(
            found,
            _line(
                x, y, z, mx + sx * off * 1.5, my + sy * off * 1.5, mz,
                wrist[0] + dx * reach + sx * wide * 2.2, wrist[1] + dy * reach + sy * wide * 2.2, wrist[2] + dz * reach,
                0.0095,
            ),
            0.01,
        )  # fmt: skip
    return _blend(
        found,
        _line(
            x, y, z, wrist[0] + dx * 0.2 - sx * 0.1, wrist[1] + dy * 0.2 - sy * 0.1, mz,
            wrist[0] + dx * 0.55 - sx * (0.25 + 0.2 * spread), wrist[1] + dy * 0.55 - sy * (0.25 + 0.2 * spread), mz,
            0.011,
        ),
        0.012,
    )  # fmt: skip


@fast
def scene(x, y, z, joints, turn, traits):
    """Distance to the nearest surface of a person and their chair, and what it is."""
    hx, hy, hz = x - joints[NECK, 0], y - joints[NECK, 1], z - joints[NECK, 2]
    qx = turn[0, 0] * hx + turn[1, 0] * hy + turn[2, 0] * hz
    qy = turn[0, 1] * hx + turn[1, 1] * hy + turn[2, 1] * hz - 0.1
    qz = turn[0, 2] * hx + turn[1, 2] * hy + turn[2, 2] * hz
    away = math.sqrt(qx * qx + (qy + 0.04) ** 2 + qz * qz)
    reach = 0.24 + traits[HAIR_LENGTH]
    if away > reach + 0.1:
        found, what = away - reach, HAIR
    else:
        found, what = _head(qx, qy, qz, traits)
    build = traits[BUILD]
    chest = joints[CHEST]
    neck = _capsule(x, y, z, joints[NECK], chest, 0.052 * build, 0.06 * build)
    if what == SKIN:
        found = _blend(found, neck, 0.03)
    elif neck < found:
        found, what = neck, SKIN
    cloth = _capsule(x, y, z, joints[SHOULDER_L], joints[SHOULDER_R], 0.062 * build, 0.062 * build)
    trunk = _ellipsoid(x - chest[0], y - chest[1] + 0.26, z - chest[2] + 0.02, 0.185 * build, 0.36, 0.115 * build)
    cloth = _blend(cloth, trunk, 0.08)
    if traits[HOOD] > 0:
        hood = _ellipsoid(x - chest[0], y - chest[1] - 0.045, z - chest[2] + 0.06, 0.13, 0.06 * traits[HOOD], 0.08)
        cloth = _blend(cloth, hood, 0.03)
    bare = 9.0
    for side in range(2):
        shoulder, elbow = joints[SHOULDER_L + side], joints[ELBOW_L + side]
        wrist, tip = joints[WRIST_L + side], joints[TIP_L + side]
        cloth = _blend(cloth, _capsule(x, y, z, shoulder, elbow, 0.058 * build, 0.046 * build), 0.04)
        fore = _capsule(x, y, z, elbow, wrist, 0.042 * build, 0.029)
        if traits[SLEEVES] > 0:
            cloth = _blend(cloth, fore - 0.007, 0.03)
        else:
            bare = min(bare, fore)
        mx, my, mz = wrist[0] - x, wrist[1] - y, wrist[2] - z
        off = math.sqrt(mx * mx + my * my + mz * mz)
        hand = _hand(x, y, z, wrist, tip, traits[OPEN_L + side]) if off < 0.4 else off - 0.25
        bare = min(bare, hand)
    if bare < found:
        found, what = bare, SKIN
    if cloth < found:
        found, what = cloth, CLOTHES
    if traits[CHAIR_HEIGHT] > 0:
        half = traits[CHAIR_HEIGHT]
        bx, by = abs(x - joints[CHAIR, 0]) - 0.19, abs(y - joints[CHAIR, 1]) - half
        bz = abs(z - joints[CHAIR, 2]) - 0.015
        ox, oy, oz = max(bx, 0.0), max(by, 0.0), max(bz, 0.0)
        chair = math.sqrt(ox * ox + oy * oy + oz * oz) + min(max(bx, max(by, bz)), 0.0) - 0.04
        if chair < found:
            found, what = chair, ROOM
    return found, what


@fast
def _albedo(x, y, z, what, joints, turn, traits, palette, out):
    """Colour of a surface before light falls on it."""
    out[:] = palette[what]
    if what == SKIN:
        hx, hy, hz = x - joints[NECK, 0], y - joints[NECK, 1], z - joints[NECK, 2]
        qx = turn[0, 0] * hx + turn[1, 0] * hy + turn[2, 0] * hz
        qy = turn[0, 1] * hx + turn[1, 1] * hy + turn[2, 1] * hz - 0.1
        qz = turn[0, 2] * hx + turn[1, 2] * hy + turn[2, 2] * hz
        mottle = 0.94 + 0.12 * noise(x * 70, y * 70, z * 70)
        out *= mottle
        if qz > 0.045 and abs(qx) < 0.08 and abs(qy) < 0.12:
            side = abs(qx)
            eye = ((side - 0.033) / 0.016) ** 2 + ((qy - 0.012) / 0.008) ** 2
            if eye < 1:
                iris = (side - 0.033) ** 2 + (qy - 0.012) ** 2
                for c in range(3):
                    out[c] = 0.08 if iris < 0.0065**2 else 0.75
            brow = ((side - 0.034) / 0.022) ** 2 + ((qy - 0.034 + 0.15 * abs(side - 0.036)) / 0.005) ** 2
            if brow < 1:
                for c in range(3):
                    out[c] = out[c] * 0.4 + palette[HAIR, c] * 0.4
            lips = (qx / 0.026) ** 2 + ((qy + 0.058) / 0.009) ** 2
            if lips < 1:
                out[1] *= 0.66
                out[2] *= 0.72
            cheek = ((side - 0.045) / 0.03) ** 2 + ((qy + 0.025) / 0.03) ** 2
            out[0] *= 1 + 0.1 * math.exp(-cheek)
    elif what == HAIR or what == BEARD:
        angle = math.atan2(x - joints[NECK, 0], -(z - joints[NECK, 2]))
        streak = noise(angle * 40 + traits[SEED], y * 9, 0.0) * 0.6 + noise(angle * 130, y * 25, 7.0) * 0.4
        out *= 0.55 + 0.9 * streak
    elif what == CLOTHES:
        u, v = x - joints[CHEST, 0], y - joints[CHEST, 1]
        pattern = int(traits[PATTERN])
        dark = False
        if pattern == STRIPES:
            dark = math.sin(v * 130) > 0.2
        elif pattern == CHECKS:
            dark = (math.sin(v * 90) > 0.3) != (math.sin(u * 90) > 0.3)
        elif pattern == SPECKLES:
            dark = noise(u * 90, v * 90, z * 90) > 0.62
        if dark:
            out[:] = palette[NOTHING]
        out *= 0.9 + 0.2 * noise(x * 260, y * 260, z * 260)


@fast
def march(rows, columns, camera, light, joints, turn, traits, palette, rgb, what, depth):
    """Traces one ray a pixel.

    Args:
        rows: First row and the one after the last.
        columns: The same.
        camera: x, y, z, focal length in pixels, column and row of the picture's middle.
        light: (4, 3): direction to the key light, its colour, colour from above, colour from below.
        joints: (11, 3), see ``NECK``...
        turn: (3, 3), the head's axes in its columns.
        traits: See ``HAIR_KIND``...
        palette: (7, 3), colour of each thing that can be hit; of ``NOTHING``: the clothes' second colour.
        rgb: float32 (H, W, 3), written where something is hit.
        what: uint8 (H, W), the same.
        depth: float32 (H, W), the same.
    """
    colour, shade = np.empty(3), np.empty(3)
    focal = camera[3]
    for top in range(rows[0], rows[1], TILE):
        for left in range(columns[0], columns[1], TILE):
            # The tile's middle ray, until something may lie within the tile's cone.
            dx, dy = (left + TILE / 2 - camera[4]) / focal, -(top + TILE / 2 - camera[5]) / focal
            norm = 1 / math.sqrt(dx * dx + dy * dy + 1)
            dx, dy, dz = dx * norm, dy * norm, -norm
            wide = TILE * 0.75 / focal
            start = 0.1
            for _ in range(STEPS):
                away, _w = scene(
                    camera[0] + dx * start, camera[1] + dy * start, camera[2] + dz * start, joints, turn, traits
                )
                if away < wide * start or start > FAR:
                    break
                start += (away - wide * start) * SHORTENED + 1e-4
            if start > FAR:
                continue
            start = max(0.1, start - 0.02)
            for row in range(top, min(top + TILE, rows[1])):
                for column in range(left, min(left + TILE, columns[1])):
                    _ray(
                        row, column, start, camera, light, joints, turn, traits, palette, colour, shade, rgb, what,
                        depth,
                    )  # fmt: skip


@fast
def _ray(row, column, start, camera, light, joints, turn, traits, palette, colour, shade, rgb, what, depth):
    dx, dy = (column + 0.5 - camera[4]) / camera[3], -(row + 0.5 - camera[5]) / camera[3]
    norm = 1 / math.sqrt(dx * dx + dy * dy + 1)
    dx, dy, dz = dx * norm, dy * norm, -norm
    t, near, hit = start, 9.0, 0
    for _ in range(STEPS):
        near, hit = scene(camera[0] + dx * t, camera[1] + dy * t, camera[2] + dz * t, joints, turn, traits)
        if near < 0.25 * t / camera[3] or t > FAR:
            break
        t += near * SHORTENED
    if t > FAR or near > t / camera[3]:
        return
    x, y, z = camera[0] + dx * t, camera[1] + dy * t, camera[2] + dz * t
    e = 0.0015
    nx = scene(x + e, y, z, joints, turn, traits)[0] - near
    ny = scene(x, y + e, z, joints, turn, traits)[0] - near
    nz = scene(x, y, z + e, joints, turn, traits)[0] - near
    if hit == CLOTHES:
        # Folds.
        nx += e * 0.9 * (noise(x * 16, y * 9, z * 16 + traits[SEED]) - 0.5)
        ny += e * 0.9 * (noise(x * 11 + 5, y * 16, z * 11) - 0.5)
    size = 1 / max(math.sqrt(nx * nx + ny * ny + nz * nz), 1e-9)
    nx, ny, nz = nx * size, ny * size, nz * size
    open_ = scene(x + nx * 0.03, y + ny * 0.03, z + nz * 0.03, joints, turn, traits)[0] / 0.03
    open_ = 0.35 + 0.65 * min(max(open_, 0.0), 1.0)
    _albedo(x, y, z, hit, joints, turn, traits, palette, colour)
    facing = nx * light[0, 0] + ny * light[0, 1] + nz * light[0, 2]
    soft = max(0.0, (facing + 0.25) / 1.25)
    up = 0.5 + 0.5 * ny
    # Mirrored key light: skin and plastic shine, hair a little.
    shine = 2 * facing
    mirrored = (shine * nx - light[0, 0]) * -dx + (shine * ny - light[0, 1]) * -dy + (shine * nz - light[0, 2]) * -dz
    gloss = max(0.0, mirrored) ** 24 * (0.25 if hit == THING else 0.08 if hit != CLOTHES else 0.0)
    for c in range(3):
        shade[c] = light[1, c] * soft * (0.4 + 0.6 * open_) + (light[2, c] * up + light[3, c] * (1 - up)) * open_
        rgb[row, column, c] = colour[c] * shade[c] + gloss * light[1, c]
    what[row, column] = hit
    depth[row, column] = t
