"""The path tracer: unidirectional, with next-event estimation, a thin lens, sun, sky map and air.

Follows Kajiya (1986) and Pharr, Jakob, Humphreys (PBRT, 2023); one path a sample, russian roulette by depth.
Indirect light is clamped, so that no single path makes a bright dot. Must not know scenes.
"""

from __future__ import annotations

import math

import numpy as np
from bvh import FAR, blocked, nearest
from noise import compiled
from surfaces import relief, surface

PI = math.pi


@compiled
def draw(state):
    """The next random number 0..1 (PCG hash)."""
    s = np.uint32(state[0] * np.uint32(747796405) + np.uint32(2891336453))
    state[0] = s
    w = np.uint32(((s >> np.uint32((s >> np.uint32(28)) + np.uint32(4))) ^ s) * np.uint32(277803737))
    w = np.uint32((w >> np.uint32(22)) ^ w)
    return float(w) * (1.0 / 4294967296.0)


@compiled
def seen_sky(sky, dx, dy, dz):
    """Bilinear look-up in the sky map (latitude and longitude, zenith in the first row)."""
    h, w = sky.shape[0], sky.shape[1]
    y = math.acos(min(max(dy, -1.0), 1.0)) / PI * h - 0.5
    x = (math.atan2(dx, dz) / (2 * PI) + 0.5) * w - 0.5
    y = min(max(y, 0.0), h - 1.001)
    j = int(y)
    fy = y - j
    i = math.floor(x)
    fx = x - i
    i0, i1 = i % w, (i + 1) % w
    r = g = b = 0.0
    for jj, ii, k in (
        (j, i0, (1 - fx) * (1 - fy)),
        (j, i1, fx * (1 - fy)),
        (j + 1, i0, (1 - fx) * fy),
        (j + 1, i1, fx * fy),
    ):
        r += sky[jj, ii, 0] * k
        g += sky[jj, ii, 1] * k
        b += sky[jj, ii, 2] * k
    return r, g, b


@compiled
def about(nx, ny, nz, a, b, c):
    """The vector (a, b, c), given about the axis n, in the world."""
    s = 1.0 if nz >= 0 else -1.0
    k = -1.0 / (s + nz)
    m = nx * ny * k
    ux, uy, uz = 1.0 + s * nx * nx * k, s * m, -s * nx
    vx, vy, vz = m, s + ny * ny * k, -ny
    return a * ux + b * vx + c * nx, a * uy + b * vy + c * ny, a * uz + b * vz + c * nz


@compiled
def fogged(air, length, oy, dy, cosine):
    """Air along a ray: the share of light that is left, and how much of the sun's glow it has."""
    density, fall = air[0], air[1]
    if density <= 0:
        return 1.0, 0.0
    if fall > 0:
        k = dy / fall
        start = math.exp(-max(oy - air[2], -3 * fall) / fall)
        path = length if abs(k * length) < 1e-4 else (1 - math.exp(-min(max(k * length, -20.0), 60.0))) / k
        depth = density * start * path
    else:
        depth = density * length
    return math.exp(-depth), max(cosine, 0.0) ** air[3]


@compiled
def trace_rows(
    first,
    end,
    out,
    aux,
    camera,
    spp,
    bounces,
    bounds,
    links,
    tris,
    normals,
    of,
    tint,
    clear,
    mats,
    lights,
    power,
    sun,
    sky,
    air,
    seed,
    clamp,
):
    """Renders rows.

    Args:
        out: float32 (H, W, 4), mean radiance and coverage (0 where the sky is seen).
        aux: float32 (H, W, 8), mean albedo, normal, 1 / (1 + distance), and the squared luminance.
        camera: position (3), right (3), up (3), forward (3), half height of view, aspect, lens radius, focus
            distance, vertical shift.
        sun: direction (3), radiance (3), angular radius.
        air: density per metre, scale height (0 for even air), ground level, exponent, colour (3), colour
            towards the sun (3).
    """
    height, width = out.shape[0], out.shape[1]
    state = np.empty(1, np.uint32)
    stack = np.empty(128, np.int64)
    half, aspect, lens, focus, lift = camera[12], camera[13], camera[14], camera[15], camera[16]
    n_lights = lights.shape[0]
    root = int(math.sqrt(spp))
    for row in range(first, end):
        for column in range(width):
            state[0] = np.uint32((row * 9781 + column * 6271 + seed * 26699) & 0xFFFFFFFF)
            draw(state)
            draw(state)
            for sample in range(spp):
                jx, jy = draw(state), draw(state)
                if sample < root * root:
                    jx, jy = (sample % root + jx) / root, (sample // root + jy) / root
                px = (2 * (column + jx) / width - 1) * half * aspect
                py = (1 - 2 * (row + jy) / height) * half + lift
                ox, oy, oz = camera[0], camera[1], camera[2]
                dx = camera[9] + px * camera[3] + py * camera[6]
                dy = camera[10] + px * camera[4] + py * camera[7]
                dz = camera[11] + px * camera[5] + py * camera[8]
                if lens > 0:
                    fx, fy, fz = ox + dx * focus, oy + dy * focus, oz + dz * focus
                    rr, an = lens * math.sqrt(draw(state)), 2 * PI * draw(state)
                    lx, ly = rr * math.cos(an), rr * math.sin(an)
                    ox += lx * camera[3] + ly * camera[6]
                    oy += lx * camera[4] + ly * camera[7]
                    oz += lx * camera[5] + ly * camera[8]
                    dx, dy, dz = fx - ox, fy - oy, fz - oz
                norm = 1 / math.sqrt(dx * dx + dy * dy + dz * dz)
                dx, dy, dz = dx * norm, dy * norm, dz * norm
                r = g = b = 0.0
                tr = tg = tb = 1.0
                direct = True  # whether light that is hit counts: it was not sampled before
                for bounce in range(bounces + 1):
                    d, t, hu, hv = nearest(bounds, links, tris, ox, oy, oz, dx, dy, dz, FAR, stack)
                    if t < 0:
                        if bounce > 0:
                            cr, cg, cb = seen_sky(sky, dx, dy, dz)
                            limit = clamp if bounce > 0 else 1e9
                            r += min(tr * cr, limit)
                            g += min(tg * cg, limit)
                            b += min(tb * cb, limit)
                            if direct and sun[6] > 0:
                                c = dx * sun[0] + dy * sun[1] + dz * sun[2]
                                if c > math.cos(sun[6] * 1.5):
                                    k = 6.0 / (PI * sun[6] * sun[6])
                                    r += min(tr * sun[3] * k, clamp * 3)
                                    g += min(tg * sun[4] * k, clamp * 3)
                                    b += min(tb * sun[5] * k, clamp * 3)
                        break
                    x, y, z = ox + dx * d, oy + dy * d, oz + dz * d
                    m = mats[of[t]]
                    nx = normals[t, 0] * (1 - hu - hv) + normals[t, 3] * hu + normals[t, 6] * hv
                    ny = normals[t, 1] * (1 - hu - hv) + normals[t, 4] * hu + normals[t, 7] * hv
                    nz = normals[t, 2] * (1 - hu - hv) + normals[t, 5] * hu + normals[t, 8] * hv
                    k = 1 / math.sqrt(nx * nx + ny * ny + nz * nz + 1e-20)
                    nx, ny, nz = nx * k, ny * k, nz * k
                    if nx * dx + ny * dy + nz * dz > 0:
                        nx, ny, nz = -nx, -ny, -nz
                    ar, ag, ab, rough, _, er, eg, eb = surface(m, tint[t], x, y, z, nx, ny, nz)
                    if m[15] > 0 and bounce == 0:
                        nx, ny, nz = relief(m, tint[t], x, y, z, nx, ny, nz, max(0.002 * m[14], 0.0006 * d))
                    keep, toward = 1.0, 0.0
                    if bounce == 0:
                        keep, toward = fogged(air, d, oy, dy, dx * sun[0] + dy * sun[1] + dz * sun[2])
                        if keep < 1:
                            r += (1 - keep) * (air[4] + air[7] * toward)
                            g += (1 - keep) * (air[5] + air[8] * toward)
                            b += (1 - keep) * (air[6] + air[9] * toward)
                        a = aux[row, column]
                        a[0] += ar * keep + (1 - keep)
                        a[1] += ag * keep + (1 - keep)
                        a[2] += ab * keep + (1 - keep)
                        a[3] += nx
                        a[4] += ny
                        a[5] += nz
                        a[6] += 1 / (1 + d)
                        out[row, column, 3] += 1
                        tr, tg, tb = keep, keep, keep
                    if er + eg + eb > 0 and (direct or m[0] == 7):
                        limit = clamp if bounce > 0 else 1e9
                        r += min(tr * er, limit)
                        g += min(tg * eg, limit)
                        b += min(tb * eb, limit)
                        if m[0] != 7:
                            break
                    if bounce == bounces:
                        break
                    cosine = -(nx * dx + ny * dy + nz * dz)
                    if cosine < 0.02:
                        cosine = 0.02
                    grazing = (1 - cosine) ** 5
                    metal = m[9]
                    f0 = m[8]
                    fresnel = f0 + (max(1 - rough, f0) - f0) * grazing
                    if m[16] > 0:  # thin glass
                        if draw(state) < fresnel:
                            k = 2 * cosine
                            dx, dy, dz = dx + k * nx, dy + k * ny, dz + k * nz
                            ox, oy, oz = x + nx * 1e-3, y + ny * 1e-3, z + nz * 1e-3
                        else:
                            tr, tg, tb = tr * ar, tg * ag, tb * ab
                            ox, oy, oz = x + dx * 2e-3, y + dy * 2e-3, z + dz * 2e-3
                        continue
                    if metal > 0 or draw(state) < fresnel:
                        # Glossy reflection: a facet's normal by GGX (Walter et al. 2007).
                        alpha = max(rough * rough, 1e-3)
                        u = draw(state)
                        c2 = (1 - u) / (1 + (alpha * alpha - 1) * u)
                        c, s = math.sqrt(c2), math.sqrt(max(1 - c2, 0.0))
                        an = 2 * PI * draw(state)
                        hx, hy, hz = about(nx, ny, nz, s * math.cos(an), s * math.sin(an), c)
                        dot = dx * hx + dy * hy + dz * hz
                        qx, qy, qz = dx - 2 * dot * hx, dy - 2 * dot * hy, dz - 2 * dot * hz
                        if qx * nx + qy * ny + qz * nz <= 1e-3:
                            dot = dx * nx + dy * ny + dz * nz
                            qx, qy, qz = dx - 2 * dot * nx, dy - 2 * dot * ny, dz - 2 * dot * nz
                        if metal > 0:
                            tr *= ar + (1 - ar) * grazing
                            tg *= ag + (1 - ag) * grazing
                            tb *= ab + (1 - ab) * grazing
                        dx, dy, dz = qx, qy, qz
                        ox, oy, oz = x + nx * 1e-3, y + ny * 1e-3, z + nz * 1e-3
                        direct = True
                        continue
                    # Diffuse: the sun, one of the lights, and on in a random direction.
                    through = m[10]
                    tr, tg, tb = tr * ar, tg * ag, tb * ab
                    off = 1e-3 + 2e-5 * d
                    if sun[6] > 0:
                        an, c = 2 * PI * draw(state), 1 - draw(state) * (1 - math.cos(sun[6]))
                        s = math.sqrt(max(1 - c * c, 0.0))
                        lx, ly, lz = about(sun[0], sun[1], sun[2], s * math.cos(an), s * math.sin(an), c)
                        dot = nx * lx + ny * ly + nz * lz
                        side = 1.0 if dot > 0 else -1.0
                        w = dot * (1 - through) if dot > 0 else -dot * through
                        if w > 1e-4 and not blocked(
                            bounds,
                            links,
                            tris,
                            clear,
                            x + side * nx * off,
                            y + side * ny * off,
                            z + side * nz * off,
                            lx,
                            ly,
                            lz,
                            FAR,
                            stack,
                        ):
                            r += tr * sun[3] * w
                            g += tg * sun[4] * w
                            b += tb * sun[5] * w
                    if n_lights > 0:
                        u = draw(state)
                        lo, hi = 0, n_lights - 1
                        while lo < hi:
                            mid = (lo + hi) // 2
                            if power[mid] < u:
                                lo = mid + 1
                            else:
                                hi = mid
                        lamp = lights[lo]
                        u1, u2 = math.sqrt(draw(state)), draw(state)
                        w1, w2 = u1 * (1 - u2), u1 * u2
                        lx = lamp[0] + lamp[3] * w1 + lamp[6] * w2 - x
                        ly = lamp[1] + lamp[4] * w1 + lamp[7] * w2 - y
                        lz = lamp[2] + lamp[5] * w1 + lamp[8] * w2 - z
                        d2 = lx * lx + ly * ly + lz * lz
                        dl = math.sqrt(d2)
                        lx, ly, lz = lx / dl, ly / dl, lz / dl
                        dot = nx * lx + ny * ly + nz * lz
                        side = 1.0 if dot > 0 else -1.0
                        w = dot * (1 - through) if dot > 0 else -dot * through
                        away = abs(lamp[9] * lx + lamp[10] * ly + lamp[11] * lz)
                        if w > 1e-4 and away > 1e-4:
                            k = (
                                w * away * lamp[15] / (PI * max(d2, 0.01))
                            )  # area over the chance to choose it
                            if not blocked(
                                bounds,
                                links,
                                tris,
                                clear,
                                x + side * nx * off,
                                y + side * ny * off,
                                z + side * nz * off,
                                lx,
                                ly,
                                lz,
                                dl - 3e-3,
                                stack,
                            ):
                                limit = clamp if bounce > 0 else clamp * 4
                                r += min(tr * lamp[12] * k, limit)
                                g += min(tg * lamp[13] * k, limit)
                                b += min(tb * lamp[14] * k, limit)
                    if bounce >= 2:
                        live = min(max(tr, max(tg, tb)) * 1.2, 0.95)
                        if draw(state) > live:
                            break
                        tr, tg, tb = tr / live, tg / live, tb / live
                    side = 1.0
                    if through > 0 and draw(state) < through:
                        side = -1.0
                    u, an = draw(state), 2 * PI * draw(state)
                    s = math.sqrt(u)
                    dx, dy, dz = about(
                        side * nx, side * ny, side * nz, s * math.cos(an), s * math.sin(an), math.sqrt(1 - u)
                    )
                    ox, oy, oz = x + side * nx * off, y + side * ny * off, z + side * nz * off
                    direct = False
                o = out[row, column]
                o[0] += r
                o[1] += g
                o[2] += b
                lum = 0.3 * r + 0.6 * g + 0.1 * b
                aux[row, column, 7] += lum * lum
            inverse = 1.0 / spp
            for c in range(4):
                out[row, column, c] *= inverse
            for c in range(8):
                aux[row, column, c] *= inverse


@compiled
def smooth_once(image, aux, weight_sum, gap, strength, out):
    """One pass of an edge-avoiding à-trous wavelet filter (Dammertz et al. 2010) on irradiance."""
    h, w = image.shape[0], image.shape[1]
    kernel = (0.375, 0.25, 0.0625)
    for y in range(h):
        for x in range(w):
            p, a = image[y, x], aux[y, x]
            lum = 0.3 * p[0] + 0.6 * p[1] + 0.1 * p[2]
            sr = sg = sb = total = sv = 0.0
            spread = strength * math.sqrt(max(p[3], 0.0)) + 0.02 * lum + 1e-4
            for j in range(-2, 3):
                yy = y + j * gap
                if yy < 0 or yy >= h:
                    continue
                for i in range(-2, 3):
                    xx = x + i * gap
                    if xx < 0 or xx >= w:
                        continue
                    q, c = image[yy, xx], aux[yy, xx]
                    k = kernel[abs(i)] * kernel[abs(j)]
                    dn = (a[3] - c[3]) ** 2 + (a[4] - c[4]) ** 2 + (a[5] - c[5]) ** 2
                    dd = abs(a[6] - c[6]) / (0.02 * gap * (a[6] + 1e-4) + 1e-4)
                    da = (a[0] - c[0]) ** 2 + (a[1] - c[1]) ** 2 + (a[2] - c[2]) ** 2
                    dl = abs(lum - (0.3 * q[0] + 0.6 * q[1] + 0.1 * q[2])) / spread
                    k = k * math.exp(-dn * 8 - dd - da * 30 - dl)
                    sr += q[0] * k
                    sg += q[1] * k
                    sb += q[2] * k
                    sv += q[3] * k * k
                    total += k
            o = out[y, x]
            o[0], o[1], o[2] = sr / total, sg / total, sb / total
            o[3] = sv / (total * total)


def denoised(
    out: np.ndarray, aux: np.ndarray, spp: int, strength: float = 3.0, passes: int = 4
) -> np.ndarray:
    """Radiance without its noise: irradiance is smoothed where surfaces are alike, then coloured again.

    Args:
        out: float32 (H, W, 4) of ``trace_rows``. aux: float32 (H, W, 8). spp: Samples a pixel.
        strength: Standard deviations within which brightness counts as alike.
    """
    if passes == 0:
        return out[..., :3].copy()
    import cv2

    albedo = np.maximum(aux[..., :3] + (1 - out[..., 3:]), 0.02)
    light = np.empty((*out.shape[:2], 4), np.float32)
    light[..., :3] = out[..., :3] / albedo
    lum = out[..., :3] @ np.array([0.3, 0.6, 0.1], np.float32)
    variance = np.maximum(aux[..., 7] - lum * lum, 0) / spp / np.maximum(albedo.mean(-1), 0.05) ** 2
    light[..., 3] = cv2.blur(variance, (5, 5))
    # Fireflies: no pixel is brighter than all but one of those around it.
    ranks = np.sort(
        np.stack(
            [
                np.roll(light[..., :3].sum(-1), (j, i), (0, 1))
                for j in (-1, 0, 1)
                for i in (-1, 0, 1)
                if i or j
            ]
        ),
        0,
    )
    light[..., :3] *= np.minimum(1, ranks[-2] / np.maximum(light[..., :3].sum(-1), 1e-6))[..., None]
    other = np.empty_like(light)
    for level in range(passes):
        smooth_once(light, aux, 0.0, 1 << level, strength, other)
        light, other = other, light
    return light[..., :3] * albedo
