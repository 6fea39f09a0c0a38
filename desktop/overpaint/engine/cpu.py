"""The CPU engine, which runs on every machine: looks made of passes.

Connects the prompt reader, the library of looks and the passes. Must not know where frames come from or
go to.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, get_args

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import Kind, entries
from overpaint.engine.governed_look import CLIP, STILL, Detail, FixedLook, GovernedLook
from overpaint.engine.interface import CompiledLook, LookRequest, Picture, Quality, Understanding
from overpaint.engine.kernels import shipped_kernels
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.library import looks, names_of, own_looks
from overpaint.engine.look import CpuLook, Step
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.nets.guarded_look import GuardedLook
from overpaint.engine.prompt.edits import prompt_of
from overpaint.engine.prompt.reader import Reading, read_prompt
from overpaint.errors import EngineError

if TYPE_CHECKING:
    from overpaint.engine.light.auto_exposure import AutoExposure
    from overpaint.engine.photo import Photo

SMALLEST = 64
"""Least width and height in pixels."""

REHEARSED = 256, 144
"""Width and height at which edits are rehearsed: a head is found there."""

_NOTE = "warm.txt"

_WITH_KERNELS = (
    "kernels/*.py",
    "light/*.py",
    "materials/*.py",
    "passes/**/*.py",
    "people/*.py",
    "planes.py",
    "scenes/*.py",
)
"""Files that define kernels or constants used in kernels, below the engine's folder."""

FORGOTTEN_S = 14 * 24 * 3600.0
"""Age, seconds, from which cached kernels of other versions of the sources are removed.

The start of an engine sets the age of its own folder to 0."""


def is_warm(cache_dir: Path) -> bool:
    """Returns whether ``CpuEngine.warm`` has filled this cache with kernels of the present sources."""
    return (kernels_of(cache_dir) / _NOTE).exists()


def has_shipped(cache_dir: Path) -> bool:
    """Returns whether a package's kernels of the present sources are in this cache."""
    return (kernels_of(cache_dir) / shipped_kernels.NOTE).exists()


def kernels_of(cache_dir: Path) -> Path:
    """The cache folder for kernels of the present sources, named by their hash.

    Two versions of the sources may run at once, and must not overwrite each other's kernels. Numba's own
    cache also does not notice when a function that a kernel calls in another file has changed.
    """
    stated = [f"{path} {path.stat().st_mtime_ns} {path.stat().st_size}" for path in sources_of_kernels()]
    names = [sys.version, importlib.metadata.version("numba"), *stated]
    return cache_dir / hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]


def sources_of_kernels() -> list[Path]:
    """The source files that a compiled kernel may depend on."""
    return sorted(path for pattern in _WITH_KERNELS for path in Path(__file__).parent.glob(pattern))


def _forget_old_kernels(cache_dir: Path) -> None:
    """Removes kernels of other versions of the sources once they are older than ``FORGOTTEN_S``."""
    own = kernels_of(cache_dir)
    for folder in cache_dir.iterdir():
        with suppress(FileNotFoundError):
            if folder.is_dir() and folder != own and time.time() - folder.stat().st_mtime > FORGOTTEN_S:
                shutil.rmtree(folder, ignore_errors=True)


def _edit_prompts() -> Iterator[str]:
    """A prompt for each scene, material and cloth, and for every other edit."""
    yield from (prompt_of(entry) for kind in get_args(Kind) for entry in entries(kind))
    yield from ("everything made of ice", "pink hair", "clothes in red", "green screen")


def _dark_picture() -> Picture:
    """The smallest picture, in I420, so dark that its light is corrected: it runs every kernel of a look."""
    picture = np.full((SMALLEST * 3 // 2, SMALLEST), 128, np.uint8)
    picture[:SMALLEST] = 40
    return picture


class CpuEngine:
    """The CPU engine, which compiles looks for the processor. Thread-safe.

    Args:
        threads: Threads that may work on one frame at once.
        cache_dir: Writable folder in which compiled kernels are kept between starts; beside the sources
            when None. Only the first engine of a process sets it, since kernels are loaded once.
        looks_dir: Folder of the user's own looks; None for no such looks.
        own_kernels: Whether it uses only kernels compiled for this very processor, never a package's.

    Attributes:
        shelf: Cache of papers, screens and layouts, shared by all looks of this engine.
    """

    name = "cpu"

    def __init__(
        self,
        threads: int,
        cache_dir: Path | None = None,
        looks_dir: Path | None = None,
        *,
        own_kernels: bool = False,
    ) -> None:
        self._looks_dir = looks_dir
        self._cache_dir = cache_dir
        self._own_kernels = own_kernels
        self._kernels = None if cache_dir is None else kernels_of(cache_dir)
        if self._kernels is not None:
            self._kernels.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):  # a sandboxed process may not set times
                os.utime(self._kernels)
        self._registry: Any = None
        self._settle: Any = None
        self._lighting: Any = None
        self._exposure: Any = None
        cv2.setNumThreads(threads)
        self._bands = Bands(threads)
        self.shelf = Shelf()
        self._loaded: set[tuple[object, ...]] = set()
        self._loading = Lock()
        self._builders = ThreadPoolExecutor(1, thread_name_prefix="overpaint-look")

    def _load(self) -> None:
        """Imports the passes, and numba with them, on first use (lazy loading).

        Listing looks and opening the service's ports need neither, and must not wait for them.
        """
        if self._registry is not None:
            return
        with self._loading:
            from overpaint.engine.kernels.slim_numba import numba

            if self._kernels is not None:
                # Must be set before the first kernel is loaded. Numba defines this attribute at run time,
                # so the type checker does not know it.
                setattr(numba.config, "CACHE_DIR", str(self._kernels))  # noqa: B010
                if not self._own_kernels and not (self._kernels / _NOTE).exists():
                    shipped_kernels.take(self._kernels)
            self._settle = importlib.import_module("overpaint.engine.passes.frame_intake")
            self._lighting = importlib.import_module("overpaint.engine.light.light_stage")
            self._exposure = importlib.import_module("overpaint.engine.light.auto_exposure")
            self._registry = importlib.import_module("overpaint.engine.passes.registry")

    def warm(self) -> None:
        """Runs every look and edit once on a tiny picture, so that every kernel is compiled or loaded."""
        picture = _dark_picture()
        photo = np.full((8, 8, 3), 128, np.uint8)
        photo[:, :4] = 64  # light from one side: a person before a photo of one colour is not relit
        for look in looks():
            for reference in (None, photo):
                request = LookRequest(look.name, reference, strength=0.5)
                self.compile(request, 64, 64).apply(picture)
        for prompt in _edit_prompts():
            self.compile(LookRequest(prompt), 64, 64).apply(picture)
        if self._cache_dir is not None:
            (kernels_of(self._cache_dir) / _NOTE).touch()
            _forget_old_kernels(self._cache_dir)

    def understand(self, request: LookRequest) -> Understanding:
        """Reads a request's prompt."""
        reading = self._read(request)
        return Understanding(reading.understood, reading.nothing, reading.not_understood, reading.suggestions)

    def _read(self, request: LookRequest) -> Reading:
        own = own_looks(self._looks_dir) if self._looks_dir else ()
        return read_prompt(request.prompt, request.reference is not None, request.enhance_prompt, own)

    def compile(
        self, request: LookRequest, width: int, height: int, quality: Quality = "live"
    ) -> CompiledLook:
        """Finds the look for a request and prepares it for one size.

        Args:
            request: Prompt, photo and strength.
            width: Pixels, even, at least 64.
            height: Pixels, even, at least 64.
            quality: ``live`` holds the frame rate; ``clip`` has no time limit; ``still`` also leaves out the
                temporal noise reduction.

        Raises:
            EngineError: The photo cannot be used (``bad_reference``), or the user's own net is too slow for a
                stream (``too_slow``) or cannot be opened (``bad_model``).
            ValueError: The size is odd or too small.
        """
        if width % 2 or height % 2 or min(width, height) < SMALLEST:
            raise ValueError(f"a look needs an even size of at least {SMALLEST}, not {width}x{height}")
        self._load()
        from overpaint.engine.photo import measure

        photo = None if request.reference is None else measure(request.reference)
        reading = self._read(request)
        unchanged = reading.nothing and photo is None and quality != "live"
        if unchanged:
            request = replace(request, strength=0.0)  # a file stays as it is
        if quality == "live" and not reading.look.live:
            raise EngineError("look_too_slow", look=reading.look.title)
        steps = [*reading.edit_steps(), *reading.steps(with_photo=photo is not None)]
        self._load_kernels(request, reading, photo, steps)
        size, light = (width, height), 0.0 if unchanged else reading.light
        # One for all levels of detail: a change of detail changes no light.
        control = self._exposure.AutoExposure(size, self._bands, light) if light > 0 else None
        build = partial(self._build, request, reading, photo, steps, size, control, quality, self.shelf)
        name, understood = reading.look.name, reading.understood
        if quality == "live":
            names = names_of(steps)
            with_net = not {"net", "model"}.isdisjoint(names)
            painted = with_net or "painting" in names
            look = GovernedLook(name, understood, build, with_net, painted, width * height, self._builders)
            if "model" not in names:
                return look
            return GuardedLook(look, self.compile(LookRequest(), width, height))
        return FixedLook(name, understood, build(CLIP if quality == "clip" else STILL))

    def _load_kernels(
        self,
        request: LookRequest,
        reading: Reading,
        photo: Photo | None,
        steps: Sequence[tuple[str, Mapping[str, object]]],
    ) -> None:
        """Runs a look once on a tiny picture, which loads or compiles its kernels before the first frame.

        The stream shows the former look meanwhile. If frames waited for the compiler, the link would count
        as dead.
        """
        own = [(name, parameters) for name, parameters in steps if name != "model"]
        # The scene decides which kernels put the person before it.
        edits = repr([(name, dict(parameters)) for name, parameters in reading.edits.steps()])
        key = (reading.look.name, photo is not None, edits, *(name for name, _ in own))
        with self._loading:
            if key not in self._loaded:
                size = (SMALLEST, SMALLEST)
                control = self._exposure.AutoExposure(size, self._bands)
                look = self._build(request, reading, photo, own, size, control, "live", Shelf(), Detail())
                look.apply(_dark_picture())
                if reading.edits:
                    self._build(
                        request, reading, photo, own, REHEARSED, None, "live", Shelf(), Detail()
                    ).rehearse()
                self._loaded.add(key)

    def _build(
        self,
        request: LookRequest,
        reading: Reading,
        photo: Photo | None,
        steps: Sequence[tuple[str, Mapping[str, object]]],
        size: tuple[int, int],
        control: AutoExposure | None,
        quality: Quality,
        shelf: Shelf,
        detail: Detail,
    ) -> CpuLook:
        from overpaint.engine.passes.pass_interface import Stage

        canvas = Canvas(*(max(SMALLEST, round(side * detail.canvas / 2) * 2) for side in size))
        stage = Stage(
            canvas,
            self._bands,
            photo,
            reading.line_scale,
            detail.net,
            shelf,
            detail.rows,
            request.reference,
            sparing=quality == "live",
            painting_rows=detail.painting,
        )
        prepared = self._registry.prepare(stage, steps)
        named = [Step(name, work) for (name, _), work in zip(steps, prepared, strict=True)]
        steadiness = 0.0 if quality == "still" else reading.look.steadiness
        intake = self._settle.Settle(canvas, self._bands, steadiness)
        strength = min(1.0, max(0.0, request.strength)) * reading.strength
        light = None if control is None else self._lighting.LightStage(canvas, self._bands, control)
        edits = len(reading.edit_steps())
        return CpuLook(canvas, size, intake, light, named[:edits], named[edits:], strength)
