"""The engine that every machine can run: looks made of passes, on the processor.

Joins the library, the matcher and the passes; must not know where frames come from or go to.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from overpaint.engine.bands import Bands
from overpaint.engine.canvas import LIMITED_FROM_FULL, Canvas, split
from overpaint.engine.engine import LookRequest, Picture, Quality
from overpaint.engine.library import looks
from overpaint.engine.prompts import Reading, read_prompt

if TYPE_CHECKING:
    from overpaint.engine.passes.settle import Settle
    from overpaint.engine.passes.stage import Pass

SMALLEST = 64
"""Least width and height in pixels."""

_NOTE = "warm.txt"


def is_warm(cache_dir: Path) -> bool:
    """Whether ``CpuEngine.warm`` has filled this cache with the kernels of these very sources."""
    try:
        return (cache_dir / _NOTE).read_text("utf-8") == _kernels()
    except OSError:
        return False


def _kernels() -> str:
    """Names what compiled kernels depend on; numba looks at the same (sources by path and time)."""
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    stated = [f"{source} {source.stat().st_mtime_ns} {source.stat().st_size}" for source in sources]
    names = [sys.version, importlib.metadata.version("numba"), *stated]
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


class CpuEngine:
    """Compiles looks for the processor. Thread-safe.

    Args:
        threads: Threads that may work at once on one frame.
        cache_dir: Where compiled kernels are kept between starts; beside the sources when None. Must be
            writable. Takes effect for the first engine of a process: kernels are loaded once.
    """

    name = "cpu"

    def __init__(self, threads: int, cache_dir: Path | None = None) -> None:
        if cache_dir is not None:
            import numba

            cache_dir.mkdir(parents=True, exist_ok=True)
            setattr(numba.config, "CACHE_DIR", str(cache_dir))  # noqa: B010 - numba makes it at run time
        self._cache_dir = cache_dir
        # Here and not at the top: this loads numba, and whoever only lists looks must not wait for it.
        self._registry = importlib.import_module("overpaint.engine.passes.registry")
        self._settle = importlib.import_module("overpaint.engine.passes.settle")
        cv2.setNumThreads(threads)
        self._bands = Bands(threads)

    def warm(self) -> None:
        """Runs every look once on a tiny picture, so that every kernel is compiled or loaded."""
        picture = np.full((96, 64), 128, np.uint8)
        photo = np.full((8, 8, 3), 128, np.uint8)
        for look in looks():
            for reference in (None, photo):
                request = LookRequest(look.name, reference, strength=0.5)
                self.compile(request, 64, 64).apply(picture)
        if self._cache_dir is not None:
            (self._cache_dir / _NOTE).write_text(_kernels(), "utf-8")

    def compile(self, request: LookRequest, width: int, height: int, quality: Quality = "live") -> CpuLook:
        """Finds the look for a request and prepares it for one size.

        Args:
            request: Prompt, photo and strength.
            width: Pixels, even, at least 64.
            height: Pixels, even, at least 64.
            quality: ``still`` leaves out the averaging over time.

        Raises:
            EngineError: The photo cannot be used (``bad_reference``).
            ValueError: The size is odd or too small.
        """
        if width % 2 or height % 2 or min(width, height) < SMALLEST:
            raise ValueError(f"a look needs an even size of at least {SMALLEST}, not {width}x{height}")
        from overpaint.engine.passes.stage import Stage
        from overpaint.engine.photo import measure

        photo = None if request.reference is None else measure(request.reference)
        reading = read_prompt(request.prompt, photo is not None, request.enhance_prompt)
        canvas = Canvas(width, height)
        stage = Stage(canvas, self._bands, photo, reading.line_scale)
        steps = reading.steps(with_photo=photo is not None)
        passes = self._registry.prepare(stage, steps)
        steadiness = reading.look.steadiness if quality == "live" else 0.0
        intake = self._settle.Settle(canvas, self._bands, steadiness)
        strength = min(1.0, max(0.0, request.strength)) * reading.strength
        return CpuLook(reading, canvas, intake, passes, strength)


class CpuLook:
    """One look at one size, with its state. One stream, one thread at a time.

    Attributes:
        name: Name of the look in the library.
        understood: What the prompt was taken to mean.
        strength: How much of the look is shown, 0..1.
    """

    def __init__(
        self, reading: Reading, canvas: Canvas, intake: Settle, passes: list[Pass], strength: float
    ) -> None:
        self.name = reading.look.name
        self.understood = reading.understood
        self.strength = strength
        self._canvas, self._intake, self._passes = canvas, intake, passes
        self._chroma = np.clip(np.arange(256), 16, 240).astype(np.uint8)

    def apply(self, image: Picture) -> Picture:
        """Restyles one frame.

        Args:
            image: I420 uint8 (H * 3 // 2, W), BT.601 limited range; not written to.

        Returns:
            A new I420 picture of the same shape.

        Raises:
            ValueError: The frame is not of the size that the look was compiled for.
        """
        canvas = self._canvas
        if image.shape != (canvas.height * 3 // 2, canvas.width) or image.dtype != np.uint8:
            raise ValueError(f"the look expects frames of {canvas.width}x{canvas.height}")
        # Always a read-only view: kernels are compiled for a writable or for a read-only array, and a
        # frame out of shared memory may be either.
        image = np.ascontiguousarray(image).view()
        image.flags.writeable = False
        self._intake.take(image, canvas)
        for step in self._passes:
            step.apply(canvas)
        out = np.empty_like(image)
        y, u, v = split(out)
        cv2.LUT(canvas.y, LIMITED_FROM_FULL, dst=y)
        cv2.LUT(canvas.u, self._chroma, dst=u)
        cv2.LUT(canvas.v, self._chroma, dst=v)
        if self.strength < 1:
            cv2.addWeighted(out, self.strength, image, 1 - self.strength, 0, dst=out)
        return out
