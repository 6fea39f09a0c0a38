"""The bounding volume hierarchy over triangles: build, nearest hit, and any hit.

Binned surface-area heuristic (Wald 2007); triangles after Möller and Trumbore (1997). Nodes lie in one array,
children side by side. Must not know materials, but for which triangles let light through.
"""

from __future__ import annotations

import numpy as np
from noise import compiled

LEAF = 4
BINS = 12
FAR = 1e9


@compiled
def build(low, high, centre):
    """Builds the hierarchy.

    Args:
        low, high, centre: float32 (N, 3), bounds and centres of the triangles.

    Returns:
        Nodes: float32 (M, 6), their bounds; int32 (M, 2), first child or first triangle, and number of
        triangles, 0 for inner nodes. And the order of the triangles.
    """
    n = low.shape[0]
    order = np.arange(n).astype(np.int32)
    bounds = np.empty((2 * n + 2, 6), np.float32)
    links = np.zeros((2 * n + 2, 2), np.int32)
    stack = np.empty((256, 3), np.int32)
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, 0, n
    top, used = 1, 2  # children begin at even places
    count = np.empty(BINS, np.int32)
    blow, bhigh = np.empty((BINS, 3)), np.empty((BINS, 3))
    right_area = np.empty(BINS)
    while top > 0:
        top -= 1
        node, first, end = stack[top, 0], stack[top, 1], stack[top, 2]
        clow, chigh = np.full(3, 1e30), np.full(3, -1e30)
        for a in range(3):
            mn, mx = 1e30, -1e30
            for i in range(first, end):
                t = order[i]
                mn, mx = min(mn, low[t, a]), max(mx, high[t, a])
                clow[a], chigh[a] = min(clow[a], centre[t, a]), max(chigh[a], centre[t, a])
            bounds[node, a], bounds[node, 3 + a] = mn, mx
        size = end - first
        best_cost, best_axis, best_bin = 1e30, -1, 0
        if size > LEAF:
            for a in range(3):
                extent = chigh[a] - clow[a]
                if extent < 1e-7:
                    continue
                count[:] = 0
                blow[:], bhigh[:] = 1e30, -1e30
                for i in range(first, end):
                    t = order[i]
                    b = min(BINS - 1, int((centre[t, a] - clow[a]) / extent * BINS))
                    count[b] += 1
                    for c in range(3):
                        blow[b, c], bhigh[b, c] = min(blow[b, c], low[t, c]), max(bhigh[b, c], high[t, c])
                l0, l1, l2, h0, h1, h2 = 1e30, 1e30, 1e30, -1e30, -1e30, -1e30
                many = 0
                for b in range(BINS - 1, 0, -1):
                    l0, l1, l2 = min(l0, blow[b, 0]), min(l1, blow[b, 1]), min(l2, blow[b, 2])
                    h0, h1, h2 = max(h0, bhigh[b, 0]), max(h1, bhigh[b, 1]), max(h2, bhigh[b, 2])
                    many += count[b]
                    x, y, z = max(h0 - l0, 0.0), max(h1 - l1, 0.0), max(h2 - l2, 0.0)
                    right_area[b] = (x * y + y * z + z * x) * many
                l0, l1, l2, h0, h1, h2 = 1e30, 1e30, 1e30, -1e30, -1e30, -1e30
                many = 0
                for b in range(BINS - 1):
                    l0, l1, l2 = min(l0, blow[b, 0]), min(l1, blow[b, 1]), min(l2, blow[b, 2])
                    h0, h1, h2 = max(h0, bhigh[b, 0]), max(h1, bhigh[b, 1]), max(h2, bhigh[b, 2])
                    many += count[b]
                    if many == 0 or many == size:
                        continue
                    x, y, z = max(h0 - l0, 0.0), max(h1 - l1, 0.0), max(h2 - l2, 0.0)
                    cost = (x * y + y * z + z * x) * many + right_area[b + 1]
                    if cost < best_cost:
                        best_cost, best_axis, best_bin = cost, a, b
        if best_axis < 0:
            links[node, 0], links[node, 1] = first, size
            continue
        a = best_axis
        extent = chigh[a] - clow[a]
        i, j = first, end - 1
        while i <= j:
            b = min(BINS - 1, int((centre[order[i], a] - clow[a]) / extent * BINS))
            if b <= best_bin:
                i += 1
            else:
                order[i], order[j] = order[j], order[i]
                j -= 1
        links[node, 0], links[node, 1] = used, 0
        stack[top, 0], stack[top, 1], stack[top, 2] = used, first, i
        stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = used + 1, i, end
        top += 2
        used += 2
    return bounds[:used].copy(), links[:used].copy(), order


@compiled
def nearest(bounds, links, tris, ox, oy, oz, dx, dy, dz, far, stack):
    """The nearest triangle along a ray: (distance, triangle or -1, u, v)."""
    ix = 1.0 / dx if abs(dx) > 1e-12 else 1e12
    iy = 1.0 / dy if abs(dy) > 1e-12 else 1e12
    iz = 1.0 / dz if abs(dz) > 1e-12 else 1e12
    best, hit, hu, hv = far, -1, 0.0, 0.0
    top, node = 0, 0
    while True:
        many = links[node, 1]
        first = links[node, 0]
        if many > 0:
            for t in range(first, first + many):
                e1x, e1y, e1z = tris[t, 3], tris[t, 4], tris[t, 5]
                e2x, e2y, e2z = tris[t, 6], tris[t, 7], tris[t, 8]
                px, py, pz = dy * e2z - dz * e2y, dz * e2x - dx * e2z, dx * e2y - dy * e2x
                det = e1x * px + e1y * py + e1z * pz
                if abs(det) < 1e-14:
                    continue
                inv = 1.0 / det
                sx, sy, sz = ox - tris[t, 0], oy - tris[t, 1], oz - tris[t, 2]
                u = (sx * px + sy * py + sz * pz) * inv
                if u < 0.0 or u > 1.0:
                    continue
                qx, qy, qz = sy * e1z - sz * e1y, sz * e1x - sx * e1z, sx * e1y - sy * e1x
                v = (dx * qx + dy * qy + dz * qz) * inv
                if v < 0.0 or u + v > 1.0:
                    continue
                d = (e2x * qx + e2y * qy + e2z * qz) * inv
                if 1e-4 < d < best:
                    best, hit, hu, hv = d, t, u, v
        else:
            a0, b0 = (bounds[first, 0] - ox) * ix, (bounds[first, 3] - ox) * ix
            a1, b1 = (bounds[first, 1] - oy) * iy, (bounds[first, 4] - oy) * iy
            a2, b2 = (bounds[first, 2] - oz) * iz, (bounds[first, 5] - oz) * iz
            n1 = max(max(min(a0, b0), min(a1, b1)), max(min(a2, b2), 0.0))
            f1 = min(min(max(a0, b0), max(a1, b1)), min(max(a2, b2), best))
            s = first + 1
            a0, b0 = (bounds[s, 0] - ox) * ix, (bounds[s, 3] - ox) * ix
            a1, b1 = (bounds[s, 1] - oy) * iy, (bounds[s, 4] - oy) * iy
            a2, b2 = (bounds[s, 2] - oz) * iz, (bounds[s, 5] - oz) * iz
            n2 = max(max(min(a0, b0), min(a1, b1)), max(min(a2, b2), 0.0))
            f2 = min(min(max(a0, b0), max(a1, b1)), min(max(a2, b2), best))
            if n1 <= f1:
                if n2 <= f2:
                    if n1 <= n2:
                        stack[top] = s
                        node = first
                    else:
                        stack[top] = first
                        node = s
                    top += 1
                else:
                    node = first
                continue
            if n2 <= f2:
                node = s
                continue
        if top == 0:
            break
        top -= 1
        node = stack[top]
    return best, hit, hu, hv


@compiled
def blocked(bounds, links, tris, clear, ox, oy, oz, dx, dy, dz, far, stack):
    """Whether any triangle that lets no light through (``clear`` 0) is nearer than ``far``."""
    ix = 1.0 / dx if abs(dx) > 1e-12 else 1e12
    iy = 1.0 / dy if abs(dy) > 1e-12 else 1e12
    iz = 1.0 / dz if abs(dz) > 1e-12 else 1e12
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        a0, b0 = (bounds[node, 0] - ox) * ix, (bounds[node, 3] - ox) * ix
        a1, b1 = (bounds[node, 1] - oy) * iy, (bounds[node, 4] - oy) * iy
        a2, b2 = (bounds[node, 2] - oz) * iz, (bounds[node, 5] - oz) * iz
        n = max(max(min(a0, b0), min(a1, b1)), max(min(a2, b2), 0.0))
        f = min(min(max(a0, b0), max(a1, b1)), min(max(a2, b2), far))
        if n > f:
            continue
        many, first = links[node, 1], links[node, 0]
        if many == 0:
            stack[top], stack[top + 1] = first, first + 1
            top += 2
            continue
        for t in range(first, first + many):
            if clear[t]:
                continue
            e1x, e1y, e1z = tris[t, 3], tris[t, 4], tris[t, 5]
            e2x, e2y, e2z = tris[t, 6], tris[t, 7], tris[t, 8]
            px, py, pz = dy * e2z - dz * e2y, dz * e2x - dx * e2z, dx * e2y - dy * e2x
            det = e1x * px + e1y * py + e1z * pz
            if abs(det) < 1e-14:
                continue
            inv = 1.0 / det
            sx, sy, sz = ox - tris[t, 0], oy - tris[t, 1], oz - tris[t, 2]
            u = (sx * px + sy * py + sz * pz) * inv
            if u < 0.0 or u > 1.0:
                continue
            qx, qy, qz = sy * e1z - sz * e1y, sz * e1x - sx * e1z, sx * e1y - sy * e1x
            v = (dx * qx + dy * qy + dz * qz) * inv
            if v < 0.0 or u + v > 1.0:
                continue
            d = (e2x * qx + e2y * qy + e2z * qz) * inv
            if 1e-4 < d < far:
                return True
    return False
