"""Colour transfer from a reference photo, by one 3×4 matrix.

The Monge-Kantorovich linear transport between two Gaussians (Pitié & Kokaram 2007), solved in YUV with
full-range luma, so that I420 needs no conversion to RGB: luma at full size, chroma at half.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage

Doubles = NDArray[np.float64]

FOLLOW = 0.03
"""Weight of a new frame in the moving averages of the stream's statistics: about a second at 30 frames."""

FLOOR = 30.0
"""Variance added to both covariances (regularisation), so that a grey wall does not get strong colours."""


def transport(source: Doubles, target: Doubles) -> Doubles:
    """The optimal transport matrix: maps one covariance onto another with the least change of colours.

    Args:
        source: (3, 3) covariance of the frames.
        target: (3, 3) covariance of the photo.

    Returns:
        float64 (3, 3), symmetric, positive definite.
    """
    values, vectors = np.linalg.eigh(source)
    root = (vectors * np.sqrt(values)) @ vectors.T
    inverse = (vectors / np.sqrt(values)) @ vectors.T
    inner_values, inner_vectors = np.linalg.eigh(root @ target @ root)
    inner = (inner_vectors * np.sqrt(np.maximum(inner_values, 0))) @ inner_vectors.T
    return np.asarray(inverse @ inner @ inverse, np.float64)


class Match:
    """A colour-transfer pass; does nothing without a photo.

    Args:
        stage: Canvas, threads and inputs; the photo is the target.
        share: Share of the transfer of chroma, 0..1.
        luma_share: Share of the transfer of luma's mean and contrast, 0..1; small values keep faces lit.
        half: Whether ``y`` is left alone, for looks that make it from ``low`` later.
    """

    def __init__(
        self, stage: Stage, *, share: float = 0.85, luma_share: float = 0.4, half: bool = False
    ) -> None:
        self._half = half
        self._bands = stage.bands
        self._photo = stage.photo
        self._share, self._luma_share = share, luma_share
        self._mean: Doubles | None = None
        self._covariance: Doubles = np.zeros((3, 3))
        self._from_chroma: NDArray[np.float32] = np.zeros(stage.canvas.half, np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``low``, ``u`` and ``v``."""
        if self._photo is None:
            return
        self._observe(canvas)
        matrix = self._matrix()
        self._bands.run(_colours, canvas.half[0], matrix, canvas.low, canvas.u, canvas.v, self._from_chroma)
        if self._half:
            return
        out = canvas.fresh()
        self._bands.run(_lumas, canvas.height, matrix[0, 0], canvas.y, self._from_chroma, out)
        canvas.y = out

    def _observe(self, canvas: Canvas) -> None:
        """Updates the moving averages of mean and covariance, so that colours do not jump with movements."""
        size = (max(2, canvas.width // 16), max(2, canvas.height // 16))
        planes = [
            cv2.resize(plane, size, interpolation=cv2.INTER_AREA)
            for plane in (canvas.low, canvas.u, canvas.v)
        ]
        pixels = np.stack(planes, -1).reshape(-1, 3).astype(np.float64)
        mean, covariance = pixels.mean(0), np.cov(pixels.T)
        if self._mean is None:
            self._mean, self._covariance = mean, covariance
        else:
            self._mean = self._mean + FOLLOW * (mean - self._mean)
            self._covariance = self._covariance + FOLLOW * (covariance - self._covariance)

    def _matrix(self) -> NDArray[np.float32]:
        """The affine colour transform, float32 (3, 4): from (luma, u, v, 1) to (luma, u, v)."""
        assert self._photo is not None and self._mean is not None
        floor = np.eye(3) * FLOOR
        target = self._photo.covariance.astype(np.float64)
        full = transport(self._covariance + floor, target + floor)
        share = np.array([self._luma_share, self._share, self._share])
        linear = np.eye(3) + share[:, None] * (full - np.eye(3))
        # Limited, because more contrast would show noise and compression blocks.
        linear[0, 0] = min(max(linear[0, 0], 0.55), 1.6)
        goal = self._mean + share * (self._photo.mean - self._mean)
        offset = goal - linear @ self._mean
        return np.hstack([linear, offset[:, None]]).astype(np.float32)


@kernel
def _colours(first: int, end: int, matrix: Any, low: Any, u: Any, v: Any, from_chroma: Any) -> None:
    """Applies the matrix at half size; writes what chroma and offset add to luma to ``from_chroma``."""
    width = low.shape[1]
    a0, a1, a2, a3 = matrix[0, 0], matrix[0, 1], matrix[0, 2], matrix[0, 3]
    b0, b1, b2, b3 = matrix[1, 0], matrix[1, 1], matrix[1, 2], matrix[1, 3] + f32(0.5)
    c0, c1, c2, c3 = matrix[2, 0], matrix[2, 1], matrix[2, 2], matrix[2, 3] + f32(0.5)
    for row in range(first, end):
        lumas, us, vs, extras = low[row], u[row], v[row], from_chroma[row]
        for x in range(width):
            y, b, r = f32(lumas[x]), f32(us[x]), f32(vs[x])
            extra = a1 * b + a2 * r + a3
            extras[x] = extra
            lumas[x] = np.uint8(min(max(a0 * y + extra + f32(0.5), f32(0)), f32(255)))
            us[x] = np.uint8(min(max(b0 * y + b1 * b + b2 * r + b3, f32(16)), f32(240)))
            vs[x] = np.uint8(min(max(c0 * y + c1 * b + c2 * r + c3, f32(16)), f32(240)))


@kernel
def _lumas(first: int, end: int, slope: Any, y: Any, extra: Any, out: Any) -> None:
    """Sets out = slope * y + extra, with extra at half size."""
    half = extra.shape[1]
    for row in range(first, end):
        extras, lumas, result = extra[row >> 1], y[row], out[row]
        for x in range(half):
            add = extras[x] + f32(0.5)
            result[2 * x] = np.uint8(min(max(slope * f32(lumas[2 * x]) + add, f32(0)), f32(255)))
            result[2 * x + 1] = np.uint8(min(max(slope * f32(lumas[2 * x + 1]) + add, f32(0)), f32(255)))
