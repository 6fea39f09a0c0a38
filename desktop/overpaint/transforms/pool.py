"""The pool of worker processes: started when there is work, watched, killed over a limit, ended when idle.

One worker looks at files and does pictures, ``videos`` others do clips, so that a long clip holds up no
picture. Must not know codecs, jobs or HTTP.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from overpaint.errors import InvalidRequestError, UpstreamError
from overpaint.processes.children import command as own_command
from overpaint.transforms.guard import Limits
from overpaint.transforms.messages import Done, Order
from overpaint.transforms.process import WorkerProcess
from overpaint.transforms.targets import part_of
from overpaint.transforms.task import Inspection, Progress, Transformed
from overpaint.wire.media_limits import Kind

log = logging.getLogger(__name__)

_GIB = 1024**3
INSPECT = Limits(cpu_s=20, memory_bytes=4 * _GIB, blames_input=True)
PICTURE = Limits(cpu_s=180, memory_bytes=4 * _GIB)
CLIP = Limits(cpu_s=120, memory_bytes=4 * _GIB)


class WorkerPool:
    """Runs transforms in child processes; a ``Transformer``.

    Args:
        videos: Clips that are worked on at once.
        idle_s: A worker without work for so long is ended, seconds.
        command: Command line of a worker; this program's own when left out.
        inspect_limits, picture_limits, clip_limits: What a task may take before its worker is killed.
    """

    def __init__(
        self,
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
        self._pictures = _Bench([WorkerProcess(words, idle_s)])
        self._clips = _Bench([WorkerProcess(words, idle_s) for _ in range(videos)])

    async def inspect(self, source: Path, kind: Kind) -> Inspection:
        """See ``Transformer.inspect``."""
        order = Order(task="inspect", source=str(source), kind=kind)
        done = await self._pictures.do(order, self._limits["inspect"])
        return Inspection(kind, done.content_type, done.width, done.height, done.seconds, done.frames)

    async def transform(
        self, source: Path, kind: Kind, prompt: str, target: Path, progress: Progress
    ) -> Transformed:
        """See ``Transformer.transform``."""
        order = Order(task="transform", source=str(source), kind=kind, prompt=prompt, target=str(target))
        bench = self._pictures if kind == "image" else self._clips
        try:
            done = await bench.do(order, self._limits[kind], progress)
        finally:
            # A killed worker cannot tidy up; a finished one has left nothing of this name.
            await asyncio.to_thread(part_of(target).unlink, missing_ok=True)
        return Transformed(Path(done.path), done.content_type, done.size)

    async def photo(self, source: Path) -> Path:
        """See ``Transformer.photo``."""
        done = await self._pictures.do(Order(task="photo", source=str(source)), self._limits["inspect"])
        return Path(done.path)

    async def close(self) -> None:
        """Ends every worker; idempotent. Work that is under way fails with ``UpstreamError``."""
        await self._pictures.close()
        await self._clips.close()


class _Bench:
    """Equal workers; whoever asks first is served first."""

    def __init__(self, workers: list[WorkerProcess]) -> None:
        self._workers = workers
        self._free: asyncio.LifoQueue[WorkerProcess] = asyncio.LifoQueue()
        for worker in workers:
            self._free.put_nowait(worker)
        self._closed = False

    async def do(self, order: Order, limits: Limits, progress: Progress | None = None) -> Done:
        async with self._one() as worker:
            answer = await worker.do(order, limits, progress or (lambda _: None))
        if isinstance(answer, Done):
            return answer
        if answer.detail:
            log.error("a worker failed at %s:\n%s", order.task, answer.detail)
        if answer.input_is_wrong:
            raise InvalidRequestError(answer.sentence)
        raise UpstreamError(answer.sentence)

    @asynccontextmanager
    async def _one(self) -> AsyncIterator[WorkerProcess]:
        worker = await self._free.get()
        try:
            if self._closed:
                raise UpstreamError("The service is ending.")
            yield worker
        finally:
            self._free.put_nowait(worker)

    async def close(self) -> None:
        self._closed = True
        for worker in self._workers:
            await worker.end()
        # Whoever had one, or was starting one, has heard of it when all are back.
        back = [await self._free.get() for _ in self._workers]
        for worker in back:
            await worker.end()
            self._free.put_nowait(worker)
