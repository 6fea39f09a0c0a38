"""The pool of worker processes: started on demand, watched, killed over a limit, ended when idle.

One group of workers validates files and restyles pictures, another restyles clips, so that a long clip
delays no picture. Tenants share each group by fair queueing: no tenant may hold every worker of a group, and
more tenants than workers are served in turns. Must not know codecs, jobs or HTTP.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from overpaint.errors import UpstreamError
from overpaint.processes.children import command as own_command
from overpaint.transforms.fair_queue import FairQueue
from overpaint.transforms.process import WorkerHungError, WorkerProcess
from overpaint.transforms.targets import photo_of
from overpaint.transforms.task import Inspection, Progress, Transformed
from overpaint.transforms.worker_messages import Done, Order, Refused
from overpaint.transforms.worker_watchdog import Limits
from overpaint.transforms.workspace import Workspace, process_folder
from overpaint.wire.media_limits import VIDEO_MAX_PIXELS, Kind

log = logging.getLogger(__name__)

PICTURE_WORKERS = 3
"""Workers for validation and pictures; one tenant may hold one at a time."""
YIELDS_AFTER_S = 1.0
"""CPU seconds after which the worker of a picture gets the lowest priority, when there are other tenants."""
HANGS_MAX = 3
"""Attempts: an order fails when this many workers have hung at it."""
_GIB = 1024**3
INSPECT = Limits(cpu_s=20, memory_bytes=4 * _GIB, blames_input=True)
PICTURE = Limits(cpu_s=180, memory_bytes=4 * _GIB)
CLIP = Limits(
    cpu_s=120,
    memory_bytes=4 * _GIB,
    whole_cpu_s=300,
    cpu_ns_per_pixel=200,  # four times the measured time of the slowest looks
    pixels_max=VIDEO_MAX_PIXELS,
)


_OUTPUT_TYPES = frozenset({"image/png", "image/jpeg", "video/mp4", "video/x-matroska"})


class WorkerPool:
    """The pool of worker processes; a ``Transformer``.

    Args:
        folder: Folder of the workspaces, emptied now; on the same disk as sources and targets.
        videos: Most clips of one tenant at the same time; there is one more worker for other tenants.
        idle_s: Seconds after which an idle worker is ended.
        command: Command line of a worker; by default this program's own.
        inspect_limits, picture_limits, clip_limits: Limits of each kind of task.
    """

    def __init__(
        self,
        folder: Path,
        videos: int = 1,
        idle_s: float = 60.0,
        command: Sequence[str] | None = None,
        *,
        inspect_limits: Limits = INSPECT,
        picture_limits: Limits = PICTURE,
        clip_limits: Limits = CLIP,
    ) -> None:
        self._limits = {"inspect": inspect_limits, "image": picture_limits, "video": clip_limits}
        words = list(command or own_command("work"))
        shutil.rmtree(folder, ignore_errors=True)  # files of a core that was killed
        workspaces = [Workspace(folder / str(number)) for number in range(PICTURE_WORKERS + videos + 1)]
        workers = [(WorkerProcess(words, idle_s, workspace), workspace) for workspace in workspaces]
        self._pictures = _WorkerGroup(dict(workers[:PICTURE_WORKERS]), 1, quick=True)
        self._clips = _WorkerGroup(dict(workers[PICTURE_WORKERS:]), videos, quick=False)

    async def inspect(self, source: Path, kind: Kind, *, tenant: str = "") -> Inspection:
        """See ``Transformer.inspect``."""
        order = Order(task="inspect", source=str(source), kind=kind)
        done, _ = await self._pictures.do(tenant, order, self._limits["inspect"])
        return Inspection(kind, done.content_type, done.width, done.height, done.seconds, done.frames)

    async def transform(
        self,
        source: Path,
        kind: Kind,
        prompt: str,
        target: Path,
        progress: Progress,
        *,
        photo: Path | None = None,
        tenant: str = "",
    ) -> Transformed:
        """See ``Transformer.transform``."""
        order = Order(
            task="transform",
            source=str(source),
            kind=kind,
            prompt=prompt,
            target=str(target),
            reference="" if photo is None else str(photo),
        )
        group = self._pictures if kind == "image" else self._clips
        done, size = await group.do(tenant, order, self._limits[kind], progress)
        return Transformed(target, done.content_type, size, done.unchanged)

    async def photo(self, source: Path, *, tenant: str = "") -> Path:
        """See ``Transformer.photo``."""
        decoded = photo_of(source)
        order = Order(task="photo", source=str(source), target=str(decoded))
        await self._pictures.do(tenant, order, self._limits["inspect"])
        return decoded

    async def convert(
        self, source: Path, target: Path, content_type: str, side: int, progress: Progress
    ) -> None:
        """Writes a clip in another container or size; see ``clip_transform.convert``."""
        order = Order(
            task="convert",
            source=str(source),
            kind="video",
            target=str(target),
            content_type=content_type,
            side=side,
        )
        await self._clips.do("", order, self._limits["video"], progress)

    async def close(self) -> None:
        """Kills every worker; idempotent. Running orders fail with ``UpstreamError``."""
        await self._pictures.close()
        await self._clips.close()


def clip_workers(folder: Path) -> WorkerPool:
    """The workers of one desktop process, for conversions, started with the first. Close them.

    Args:
        folder: Folder of the workspaces of all such processes; those of processes that are gone are removed.
    """
    return WorkerPool(process_folder(folder))


class _WorkerGroup:
    """A group of interchangeable workers that tenants share by fair queueing.

    Args:
        workers: The workers and their workspaces.
        per_tenant: Most workers that one tenant may hold.
        quick: Whether long orders lose priority to short ones, once there is more than one tenant.
    """

    def __init__(self, workers: dict[WorkerProcess, Workspace], per_tenant: int, *, quick: bool) -> None:
        self._workers = workers
        self._turns = FairQueue(len(workers), per_tenant)
        self._free = list(workers)
        """Idle workers, the longest idle first."""
        self._last: dict[WorkerProcess, str] = {}
        self._quick = quick
        self._tenants: set[str] = set()
        self._closed = False

    async def do(
        self, tenant: str, order: Order, limits: Limits, progress: Progress | None = None
    ) -> tuple[Done, int]:
        """Runs an order in a worker and moves its output to its target.

        Returns:
            The worker's answer, and the size of the output in bytes; 0 where there is none.
        """
        self._tenants.add(tenant)
        if self._quick and len(self._tenants) > 1:
            limits = replace(limits, yields_after_s=YIELDS_AFTER_S)
        async with (
            self._turns.place(tenant),
            self._one(tenant) as worker,
            _staged(self._workers[worker], order) as staged,
        ):
            answer = await self._done(worker, staged, limits, _growing(progress or (lambda _: None)))
            if isinstance(answer, Done):
                return answer, await _collected(self._workers[worker], order, staged, answer)
        if answer.detail:
            log.warning("a worker failed at %s: %s", order.task, answer.detail)
        raise answer.error()

    async def _done(
        self, worker: WorkerProcess, order: Order, limits: Limits, progress: Progress
    ) -> Done | Refused:
        """Runs an order, with a retry in a new process after each hang, up to ``HANGS_MAX`` attempts."""
        for _ in range(HANGS_MAX):
            try:
                return await worker.do(order, limits, progress)
            except WorkerHungError as error:
                log.warning("a worker hangs at %s, and is replaced", order.task)
                failure = error
        raise failure

    @asynccontextmanager
    async def _one(self, tenant: str) -> AsyncIterator[WorkerProcess]:
        if self._closed:
            raise UpstreamError("service_ending")
        worker = self._chosen(tenant)
        self._free.remove(worker)
        if worker.yields and self._last.get(worker) != tenant:
            worker.renew()
        self._last[worker] = tenant
        try:
            yield worker
        finally:
            self._free.append(worker)

    def _chosen(self, tenant: str) -> WorkerProcess:
        """The tenant's last worker, which is warm; else one without a process; else the longest idle one.

        So a tenant that begins to send many orders does not take the warm workers of the others.
        """
        for worker in reversed(self._free):
            if self._last.get(worker) == tenant:
                return worker
        return next((worker for worker in self._free if worker.pid is None), self._free[0])

    async def close(self) -> None:
        self._closed = True
        for worker in self._workers:
            await worker.end()
        # Wait until every caller that held, started or waited for a worker has got its error.
        while self._turns.held or self._turns.waiting:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        for worker in self._workers:
            await worker.end()


@asynccontextmanager
async def _staged(workspace: Workspace, order: Order) -> AsyncIterator[Order]:
    """The order with its files in a workspace while the block runs. Raises ``UpstreamError``."""
    staging = asyncio.ensure_future(asyncio.to_thread(workspace.stage_input, order))
    try:
        try:
            staged = await asyncio.shield(staging)
        except OSError as error:
            log.warning("a worker cannot be given its %s: %s", order.task, error)
            raise UpstreamError("transformation_failed") from error
        yield staged
    finally:
        await asyncio.wait([staging])  # a thread cannot be cancelled
        await asyncio.to_thread(workspace.clear)


async def _collected(workspace: Workspace, order: Order, staged: Order, done: Done) -> int:
    """Moves the output of an order to its target, and returns its size in bytes.

    A worker is not trusted. The path in its answer is compared but never used: otherwise it could have any
    file of this user moved and served.

    Raises:
        UpstreamError: The worker did not make what was ordered.
    """
    if not order.target:
        return 0
    typed = order.task == "photo" or done.content_type in _OUTPUT_TYPES
    try:
        if not typed or done.path != staged.target:
            raise OSError("another was ordered")
        return await asyncio.to_thread(workspace.collect_output, staged, Path(order.target))
    except OSError as error:
        log.warning(
            "a worker says that it has made %r (%r), which was not ordered: %s",
            done.path,
            done.content_type,
            error,
        )
        raise UpstreamError("transformation_failed") from error


def _growing(progress: Progress) -> Progress:
    """Monotonic progress: values below the highest so far are dropped, as after a retry."""
    most = 0.0

    def told(share: float) -> None:
        nonlocal most
        if share >= most:
            most = share
            progress(share)

    return told
