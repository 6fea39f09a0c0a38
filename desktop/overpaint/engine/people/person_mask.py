"""The person mask (segmentation, alpha matting): soft, following hair, steady in time and without trails.

A small net (``resources/models/person_mask.onnx``, trained in ``training/person_mask``) sees the whole
frame at about 256×144 pixels. Its output is averaged over time where the picture does not change, and fitted
to the edges of luma and chroma by a guided filter (He et al. 2010; fitted at that size and applied at half
size, the fast guided filter of He and Sun 2015). Must not know what is done with the mask.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.assets import asset_dir
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.nets.runtime import Net, open_net
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

SEEN = 256 * 144
"""Pixels of the small picture that the net sees, and in which its output is fitted to edges."""

MULTIPLE, LEAST = 16, 48
"""Number that the small picture's sides are multiples of, and their lower limit, pixels."""

ABOVE = 16
"""Copies of the picture's first row that the net is shown above it (padding), a multiple of ``MULTIPLE``.
Else the net takes what is between a head and the picture's border for a part of the head, if it has the
colour of skin."""

WHITE, BRIGHTEST, MOST_GAIN, GAIN_STEP = 150.0, 0.98, 5.0, 0.1
"""Level to which the brightest part of a dark picture is raised for the net, the share of pixels that are
darker than it, the largest gain, and the share of a change of the gain that is followed in a frame. In a
picture as dark as a room without a lamp the net finds nobody; in the same picture brightened, everybody."""

STILL, MOVING = 2.5, 9.0
"""Change of the small picture, in levels, up to which a place is still, and from which it is new."""

STILL_SHARE = 0.25
"""Weight of a new output of the net where nothing moves."""

LIKELY, SURE, SMALLEST = 0.4, 0.85, 0.006
"""Probability from which a pixel may be a person, probability from which it surely is, and share of the
picture that must be sure in one patch for the patch to be kept: plants and lamps are rarely sure."""

REACH, SOFTNESS = 3, 14.0
"""Radius of the guided filter in pixels of the small picture, and its regulariser: the variance, in squared
levels, below which a place counts as flat."""

CONTRAST, MIDDLE = 1.7, 0.56
"""Factor on the steepness of the fitted edge, since the fit never quite reaches 0 and 1, and the value that
becomes one half. It lies above 0.5 because a rim of background beside a person is more visible than a little
sleeve that is missing."""


def small_size(half: tuple[int, int], area: int) -> tuple[int, int]:
    """Rows and columns of a reduced copy with about ``area`` pixels, in the shape of ``half``."""
    rows, columns = half
    wanted = np.array([np.sqrt(area * rows / columns), np.sqrt(area * columns / rows)])
    found = np.maximum(np.round(wanted / MULTIPLE) * MULTIPLE, LEAST).astype(int)
    return int(found[0]), int(found[1])


@cache
def _net(threads: int) -> Net:
    return open_net(asset_dir("models") / "person_mask.onnx", threads)


class Person:
    """The person mask of one stream.

    All attributes are valid until the next ``find``.

    Args:
        half: Rows and columns of the input planes and of the mask.
        bands: Thread pool for kernels.

    Attributes:
        alpha: uint8 ``half``, 255 where a person is.
        u: uint8 ``half``, the frame's own chroma, before anything is painted.
        v: uint8 ``half``, as ``u``.
        small: uint8 (3, rows, columns), luma and chroma of the small picture that the net sees.
        small_alpha: uint8 (rows, columns), the mask at that size.
        moved: float32 (rows, columns), weight of a new frame in averages over time: 1 where the picture
            moves.
    """

    def __init__(self, half: tuple[int, int], bands: Bands) -> None:
        self._bands = bands
        self._net = _net(bands.threads)
        self._half = half
        self._small = rows, columns = small_size(half, SEEN)
        self._shown: Plane = np.zeros((1, 3, ABOVE + rows, columns), np.uint8)
        self._gain = 0.0
        self._seen: Plane | None = None
        self._answer: Floats = np.zeros(self._small, np.float32)
        self._sums: Floats = np.zeros((13, rows, columns), np.float32)
        self._fit: Floats = np.zeros((4, rows, columns), np.float32)
        self._wide: Floats = np.zeros((4, rows, half[1]), np.float32)
        self.small: Plane = np.zeros((3, rows, columns), np.uint8)
        self.small_alpha: Plane = np.zeros(self._small, np.uint8)
        self.alpha: Plane = np.zeros(half, np.uint8)
        self.moved: Floats = np.ones(self._small, np.float32)
        self.u: Plane = np.full(half, 128, np.uint8)
        self.v: Plane = np.full(half, 128, np.uint8)

    def find(self, low: Plane, u: Plane, v: Plane) -> None:
        """Sets ``alpha`` from a frame.

        Args:
            low: uint8 ``half``, luma in full range.
            u: uint8 ``half``, chroma around 128.
            v: uint8 ``half``, chroma around 128.
        """
        self._take(low, u, v, quick=False)
        self._brighten()
        (found,) = self._net.run(yuv=self._shown)
        answer = _whole(np.ascontiguousarray(found[0, 0, ABOVE:]))
        self.moved = self._moved()
        self._bands.run(_follow, len(answer), answer, self.moved, self._answer)
        self._draw(low, u, v)

    def see(self, low: Plane, u: Plane, v: Plane) -> None:
        """Takes a frame's planes, and keeps the mask: the same people, in other clothes or another place.

        Args:
            low: As of ``find``.
            u: As of ``find``.
            v: As of ``find``.
        """
        self._take(low, u, v, quick=True)

    def _take(self, low: Plane, u: Plane, v: Plane, quick: bool) -> None:
        np.copyto(self.u, u)
        np.copyto(self.v, v)
        for plane, small in zip((low, u, v), self.small, strict=True):
            shrink(plane, small, quick)

    def _brighten(self) -> None:
        """Sets the picture that the net is shown: the small one, brighter if it is dark (gain control)."""
        counts = np.bincount(self.small[0, ::2, ::2].reshape(-1), minlength=256).cumsum()
        brightest = int(np.searchsorted(counts, BRIGHTEST * counts[-1]))
        wanted = min(max(WHITE / max(brightest, 1), 1.0), MOST_GAIN)
        self._gain = wanted if self._seen is None else self._gain + GAIN_STEP * (wanted - self._gain)
        for plane, shown, middle in zip(self.small, self._shown[0], (0, 128, 128), strict=True):
            cv2.convertScaleAbs(plane, dst=shown[ABOVE:], alpha=self._gain, beta=middle * (1 - self._gain))
            shown[:ABOVE] = shown[ABOVE]

    def _moved(self) -> Floats:
        """Weight of the net's new output at each pixel, by the change of the picture there (motion)."""
        planes = self.small
        if self._seen is None:
            self._seen = planes.copy()
            return np.ones(self._answer.shape, np.float32)
        change = cv2.absdiff(planes, self._seen)
        largest = cv2.max(change[0], cv2.add(change[1], change[2]))
        largest = cv2.dilate(cv2.blur(largest, (5, 5)), np.ones((7, 7), np.uint8))
        share = (largest.astype(np.float32) - STILL) * (1 / (MOVING - STILL))
        share = cv2.blur(np.clip(share, STILL_SHARE, 1), (5, 5))
        # The reference picture follows with the same weights, so that slow changes add up until they count.
        self._seen = np.asarray(self._seen + (planes.astype(np.float32) - self._seen) * share + 0.5, np.uint8)
        return np.asarray(share, np.float32)

    def _draw(self, low: Plane, u: Plane, v: Plane) -> None:
        rows = self._small[0]
        side = (2 * REACH + 1, 2 * REACH + 1)
        self._bands.run(_multiply, rows, self.small, self._answer, self._sums)
        for plane in self._sums:
            cv2.blur(plane, side, dst=plane)
        # A dark picture has fainter edges, but no fainter noise.
        self._bands.run(_solve, rows, self._sums, f32(SOFTNESS / max(self._gain, 1.0)), self._fit)
        for plane, wide in zip(self._fit, self._wide, strict=True):
            cv2.blur(plane, (REACH, REACH), dst=plane)
            cv2.resize(plane, wide.shape[::-1], dst=wide, interpolation=cv2.INTER_LINEAR)
        self._bands.run(_apply, self._half[0], self._wide, low, u, v, f32(CONTRAST), f32(MIDDLE), self.alpha)
        shrink(self.alpha, self.small_alpha)


def shrink(plane: Plane, out: Plane, quick: bool = False) -> None:
    """Reduces a plane by area averaging, first by exact halves, which OpenCV does faster than other ratios.

    Args:
        plane: uint8 (H, W).
        out: uint8, written; where it is larger than the plane, it is filled bilinearly.
        quick: Whether what is left below a half is sampled bilinearly, which is nearly as good, too.
    """
    size = out.shape[::-1]
    while plane.shape[1] >= 2 * size[0] and plane.shape[0] >= 2 * size[1]:
        half = (plane.shape[1] // 2, plane.shape[0] // 2)
        plane = np.asarray(cv2.resize(plane, half, interpolation=cv2.INTER_AREA), np.uint8)
    how = cv2.INTER_AREA if size[0] < plane.shape[1] and not quick else cv2.INTER_LINEAR
    cv2.resize(plane, size, dst=out, interpolation=how)


def _whole(answer: Floats) -> Floats:
    """The net's output without patches that hold no sure person, and without haze far from all persons."""
    likely = (answer > LIKELY).astype(np.uint8)
    count, labels = cv2.connectedComponents(likely, ltype=cv2.CV_16U)
    large = np.bincount(labels[answer > SURE], minlength=count) >= SMALLEST * answer.size
    large[0] = False
    near = cv2.dilate(large[labels].astype(np.uint8), np.ones((15, 15), np.uint8))
    return np.asarray(answer * near, np.float32)


@kernel
def _follow(first: int, end: int, new: Any, share: Any, answer: Any) -> None:
    """Temporal average: moves ``answer`` towards ``new`` by ``share``, faster where the two differ much."""
    for row in range(first, end):
        fresh, shares, kept = new[row], share[row], answer[row]
        for x in range(fresh.shape[0]):
            change = fresh[x] - kept[x]
            sure = min(abs(change) * f32(2) - f32(0.7), f32(1))
            kept[x] += change * max(shares[x], sure)


@kernel
def _multiply(first: int, end: int, planes: Any, answer: Any, sums: Any) -> None:
    """Fills the 13 planes whose local means a guided filter with three channels needs. Levels around 128."""
    for row in range(first, end):
        lumas, us, vs, found = planes[0, row], planes[1, row], planes[2, row], answer[row]
        y, u, v, p = sums[0, row], sums[1, row], sums[2, row], sums[3, row]
        yy, yu, yv, uu, uv = sums[4, row], sums[5, row], sums[6, row], sums[7, row], sums[8, row]
        vv, yp, up, vp = sums[9, row], sums[10, row], sums[11, row], sums[12, row]
        width = found.shape[0]
        for x in range(width):
            y[x], u[x], v[x] = f32(lumas[x]) - f32(128), f32(us[x]) - f32(128), f32(vs[x]) - f32(128)
            p[x] = found[x]
        for x in range(width):
            yy[x], yu[x], yv[x] = y[x] * y[x], y[x] * u[x], y[x] * v[x]
        for x in range(width):
            uu[x], uv[x], vv[x] = u[x] * u[x], u[x] * v[x], v[x] * v[x]
        for x in range(width):
            yp[x], up[x], vp[x] = y[x] * p[x], u[x] * p[x], v[x] * p[x]


@kernel
def _solve(first: int, end: int, sums: Any, softness: Any, fit: Any) -> None:
    """Local linear fit of the mask to (luma, u, v) around each pixel: three slopes and one offset."""
    for row in range(first, end):
        for x in range(sums.shape[2]):
            y, u, v, p = sums[0, row, x], sums[1, row, x], sums[2, row, x], sums[3, row, x]
            # Chroma varies less than luma: it counts as flat only below a quarter of luma's variance.
            yy, uu = sums[4, row, x] - y * y + softness, sums[7, row, x] - u * u + softness * f32(0.25)
            vv = sums[9, row, x] - v * v + softness * f32(0.25)
            yu, yv, uv = sums[5, row, x] - y * u, sums[6, row, x] - y * v, sums[8, row, x] - u * v
            yp, up, vp = sums[10, row, x] - y * p, sums[11, row, x] - u * p, sums[12, row, x] - v * p
            # Cofactors of the symmetric covariance matrix.
            a, b, c = uu * vv - uv * uv, yv * uv - yu * vv, yu * uv - yv * uu
            d, e, f = yy * vv - yv * yv, yv * yu - yy * uv, yy * uu - yu * yu
            share = f32(1) / max(yy * a + yu * b + yv * c, f32(1))
            slope_y = (a * yp + b * up + c * vp) * share
            slope_u = (b * yp + d * up + e * vp) * share
            slope_v = (c * yp + e * up + f * vp) * share
            fit[0, row, x], fit[1, row, x], fit[2, row, x] = slope_y, slope_u, slope_v
            fit[3, row, x] = p - slope_y * y - slope_u * u - slope_v * v


@kernel
def _apply(
    first: int, end: int, fit: Any, low: Any, u: Any, v: Any, contrast: Any, middle: Any, alpha: Any
) -> None:
    """Applies the fit, interpolated between its rows, at every pixel, and raises the contrast of the mask."""
    height, small = low.shape[0], fit.shape[1]
    for row in range(first, end):
        at = (f32(row) + f32(0.5)) * f32(small) / f32(height) - f32(0.5)
        at = min(max(at, f32(0)), f32(small - 1))
        above = min(int(at), small - 1)
        below = min(above + 1, small - 1)
        t = at - f32(above)
        s = f32(1) - t
        lumas, us, vs, result = low[row], u[row], v[row], alpha[row]
        y0, y1, u0, u1 = fit[0, above], fit[0, below], fit[1, above], fit[1, below]
        v0, v1, p0, p1 = fit[2, above], fit[2, below], fit[3, above], fit[3, below]
        for x in range(lumas.shape[0]):
            value = (y0[x] * s + y1[x] * t) * (f32(lumas[x]) - f32(128))
            value += (u0[x] * s + u1[x] * t) * (f32(us[x]) - f32(128))
            value += (v0[x] * s + v1[x] * t) * (f32(vs[x]) - f32(128)) + p0[x] * s + p1[x] * t
            value = (value - middle) * contrast + f32(0.5)
            result[x] = np.uint8(min(max(value, f32(0)), f32(1)) * f32(255) + f32(0.5))
