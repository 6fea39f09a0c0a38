"""The worker process: orders on standard input, answers on standard output.

It exits at the end of its input, even in the middle of an order, so that it does not outlive a core that was
killed. It enters the sandbox before its first order: it can access its workspace, and no network. Must not
know network, database or jobs.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import shutil
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import cv2

from overpaint.engine.cpu import CpuEngine, kernels_of
from overpaint.engine.interface import Engine, LookRequest
from overpaint.errors import EngineError, InvalidRequestError, UpstreamError
from overpaint.folders import cache_dir, kernel_dir, looks_dir
from overpaint.processes.children import set_priority
from overpaint.processes.sandbox import sandbox
from overpaint.transforms import clip_transform, picture_transform
from overpaint.transforms.look_pictures import Easel
from overpaint.transforms.photo_files import read_photo
from overpaint.transforms.process import WORKSPACE
from overpaint.transforms.task import Progress
from overpaint.transforms.worker_messages import Advanced, Begun, Done, Order, Refused, line, read_order
from overpaint.transforms.workspace import process_folder

log = logging.getLogger(__name__)

MEMORY_BYTES = 6 * 1024**3
"""Hard limit of private memory, where the system has one. The pool's limit is lower, but only polled."""

THREADS = 4
"""Threads of one look. More would gain little; these have low priority and slow down no other program."""

_STEP = 0.002
"""Smallest increase of progress that is reported."""


def run_worker() -> None:
    """Runs orders until the end of standard input."""
    answers = _own_standard_output()
    set_priority("background")
    cv2.setNumThreads(1)
    kernels, looks = _own_kernels(), looks_dir()
    workspace = [Path(each) for each in json.loads(os.environ.get(WORKSPACE, "[]"))]
    sandbox.enter([looks, *workspace[:1]], [kernels, *workspace[1:]], memory_bytes=MEMORY_BYTES)
    orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(orders,), name="orders", daemon=True).start()
    work = _Work(answers, kernels, looks)
    while True:
        answers.write(line(work.answer(orders.get())))
        answers.flush()


class _Work:
    """The work of a worker; the engine is loaded with the first order that needs it."""

    def __init__(self, answers: BinaryIO, kernels: Path, looks: Path) -> None:
        self._answers = answers
        self._kernels = kernels
        self._looks = looks
        self._engine: Engine | None = None
        self._easel = Easel()

    def answer(self, order: Order) -> Done | Refused:
        """Runs one order. Every error becomes an answer."""
        try:
            return self._do(order)
        except (InvalidRequestError, EngineError) as error:
            return Refused.of(error)
        except MemoryError:
            return Refused.of(InvalidRequestError("transform_takes_memory"))
        except Exception:  # noqa: BLE001 - the root of the worker: the pool logs it
            return Refused.of(UpstreamError("transformation_failed"), traceback.format_exc(limit=12))

    def _do(self, order: Order) -> Done:
        if order.task == "look":
            return self._easel.painted(order, self._loaded())
        source = Path(order.source)
        if order.task == "photo":
            return Done(path=str(picture_transform.photo(source, Path(order.target))))
        if order.task == "inspect":
            seen = (
                picture_transform.inspect(source) if order.kind == "image" else clip_transform.inspect(source)
            )
            return Done(
                content_type=seen.content_type,
                width=seen.width,
                height=seen.height,
                seconds=seen.seconds,
                frames=seen.frames,
            )
        target = Path(order.target)
        if order.task == "convert":
            made = clip_transform.convert(
                source, target, order.content_type, order.side, self._progress(), self._begun
            )
            return Done(path=str(made.path), content_type=made.content_type, size=made.size)
        request = LookRequest(order.prompt, read_photo(Path(order.reference)) if order.reference else None)
        if order.kind == "image":
            made = picture_transform.transform(source, request, target, self._loaded())
        else:
            made = clip_transform.transform(
                source, request, target, self._loaded(), self._progress(), self._begun
            )
        unchanged = request.reference is None and self._loaded().understand(request).nothing
        return Done(path=str(made.path), content_type=made.content_type, size=made.size, unchanged=unchanged)

    def _loaded(self) -> Engine:
        if self._engine is None:
            threads = min(THREADS, os.cpu_count() or 1)
            self._engine = CpuEngine(threads=threads, cache_dir=self._kernels, looks_dir=self._looks)
        return self._engine

    def _begun(self, pixels: int) -> None:
        self._answers.write(line(Begun(pixels=pixels)))
        self._answers.flush()

    def _progress(self) -> Progress:
        told = -1.0

        def tell(share: float) -> None:
            nonlocal told
            if share - told >= _STEP or share >= 1:
                told = share
                self._answers.write(line(Advanced(share=min(1.0, max(0.0, share)))))
                self._answers.flush()

        return tell


def _own_standard_output() -> BinaryIO:
    """Reserves standard output for answers; output of libraries goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return answers


def _read(orders: queue.SimpleQueue[Order]) -> None:
    end: Callable[[int], None] = os._exit
    try:
        for words in sys.stdin.buffer:
            orders.put(read_order(words))
    except (OSError, ValueError):
        end(1)
    # The core has exited or closed the pipe, so nobody waits for the running order.
    end(0)


def _own_kernels() -> Path:
    """A private cache of compiled kernels for this process, filled from the engine's cache.

    Cached kernels are unpickled when they are loaded, so the core and other workers must not load files that
    a compromised worker may have written. The folders of workers that have ended are removed.
    """
    own, shared = process_folder(cache_dir() / "worker-kernels"), kernels_of(kernel_dir())
    kernels_of(own).mkdir(parents=True)
    # Numba keeps a folder for each folder of sources.
    for file in shared.rglob("*") if shared.is_dir() else ():
        with suppress(OSError):  # another process may be tidying up
            if file.is_file():
                copy = kernels_of(own) / file.relative_to(shared)
                copy.parent.mkdir(exist_ok=True)
                shutil.copy2(file, copy)
    return own
