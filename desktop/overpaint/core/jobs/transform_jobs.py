"""Transform jobs from sale to end: queue, runners, refunds, recovery after a crash.

The ledger is the queue; only ids are in memory. A job's failure never stops the queue. A job that is
processing when the core ends by a signal is kept for the next start without counting an attempt; a job that
a crash interrupted is run again, or failed and refunded where nobody can request it any more. Source:
specification, "Transform job status". Must not know HTTP, codecs or processes.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from overpaint.core.http.metrics import Metrics
from overpaint.core.http.stored_files import FileStore
from overpaint.core.jobs.admission import Admission, Hold
from overpaint.core.jobs.inputs import Inputs
from overpaint.core.jobs.webhooks import Webhooks
from overpaint.errors import (
    InternalError,
    InvalidRequestError,
    OverpaintError,
    RateLimitedError,
    UpstreamError,
)
from overpaint.ledger import Idempotency, Ledger
from overpaint.ledger.records import Delivery, Job, JobOrder, StoredFile
from overpaint.private_folder import write_private
from overpaint.transforms.fair_queue import FairQueue
from overpaint.transforms.task import Transformed, Transformer
from overpaint.wire.media_limits import Kind
from overpaint.wire.service import PRICES, TransformJob

log = logging.getLogger(__name__)

ATTEMPTS_MAX = 3
OUTPUT_DAYS = 7
_IMAGES_PATIENCE_S = 2.0
_AGAIN_AFTER_S = 5.0
"""Delay before a job is tried again after a failure of ledger or disk."""


def home_id(data_dir: Path) -> str:
    """Returns the id of a data folder's core, drawn at its first start.

    Jobs carry it, so that of two cores on one database each runs only the jobs whose inputs it has.
    """
    note = data_dir / "home.txt"
    if not note.exists():
        write_private(note, secrets.token_hex(16).encode("ascii"))
    return note.read_text(encoding="ascii").strip()


class Jobs:
    """The transform jobs of one core.

    Args:
        ledger: Stores them.
        transformer: Runs them.
        files: Stores their outputs.
        inputs: Stores their inputs.
        webhooks: Announces their end.
        metrics: Counts credits, and waiting clips.
        admission: Admission control.
        home: Id of this core (``home_id``).
        videos: Number of one account's clips run at the same time; there is one place more for others.
    """

    def __init__(
        self,
        ledger: Ledger,
        transformer: Transformer,
        files: FileStore,
        inputs: Inputs,
        webhooks: Webhooks,
        metrics: Metrics,
        admission: Admission,
        *,
        home: str,
        videos: int = 1,
    ) -> None:
        self._ledger = ledger
        self._transformer = transformer
        self._files = files
        self._inputs = inputs
        self._webhooks = webhooks
        self._metrics = metrics
        self._home = home
        self._admission = admission
        self._clips = FairQueue(videos + 1, videos)
        self._queued: set[asyncio.Task[None]] = set()
        self._ends: dict[str, asyncio.Future[Job]] = {}
        self._work: dict[str, asyncio.Future[Transformed]] = {}
        self._progress: dict[str, float] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._taken: set[str] = set()
        """Ids of the jobs being run or cancelled."""
        self._closing = False
        metrics.watch("overpaint_videos_queued", "Clips that wait for a worker.", lambda: self._clips.waiting)

    @property
    def home(self) -> str:
        """Id of the core that runs them."""
        return self._home

    async def start(self) -> None:
        """Resumes the former core's jobs, and begins to run jobs."""
        left = await asyncio.to_thread(self._ledger.open_jobs, self._home)
        await self._inputs.drop_all_but({job.order.id: job.order.purse.account for job in left})
        for job in left:
            self._resume(job)

    async def close(self) -> None:
        """Stops; clips are kept for the next start, images get a moment to finish, or are refunded."""
        self._closing = True
        for waiting in list(self._queued):
            waiting.cancel()
        for id, work in list(self._work.items()):
            if id not in self._ends:
                work.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_IMAGES_PATIENCE_S)
        for work in list(self._work.values()):
            work.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @contextmanager
    def place(self, kind: Kind, account: str) -> Iterator[None]:
        """Serves a request for as long as the block takes.

        Raises:
            RateLimitedError: The account, or all together, have as many as may be.
            UpstreamError: The service is ending.
        """
        if self._closing:
            raise UpstreamError("service_stopping")
        with self._admission.request(kind, account):
            yield

    async def sell(self, order: JobOrder, repeat: Idempotency | None, hold: Hold) -> Job:
        """Sells a job whose input is stored, and runs or queues it.

        Args:
            order: The order.
            repeat: Recognises a repeated request.
            hold: Its credits on hold; released at the sale.

        Returns:
            An image job at its end, a clip as sold. For a repeated request, the first one's job.

        Raises:
            InsufficientCreditsError: Nothing was charged or kept.
            InvalidRequestError: The same Idempotency-Key came with another body.
        """
        # In its own task: a paid job is run even if its caller has disconnected.
        job, is_new = await asyncio.shield(self._spawn(self._sell(order, repeat, hold)))
        return await self.awaited(job) if is_new else await self.repeated(job)

    async def awaited(self, job: Job) -> Job:
        """Returns an image job at its end; a clip at once."""
        end = self._ends.get(job.order.id)
        return job if end is None else await asyncio.shield(end)

    async def repeated(self, job: Job) -> Job:
        """Returns the job of an earlier request with the same Idempotency-Key.

        Raises:
            RateLimitedError: Another core is still making it.
        """
        job = await self.awaited(job)
        if job.order.kind == "image" and job.status == "processing":
            found = await asyncio.to_thread(self._ledger.job, job.order.id)
            if found is not None and found.status != "processing":
                return found
            raise RateLimitedError("first_request_not_answered")
        return job

    async def cancel(self, job: Job) -> Job:
        """Cancels and refunds a clip's job that was not begun.

        Returns:
            The job's present state; one that was begun, or is over, stays charged and goes on.
        """
        id, order = job.order.id, job.order
        waits = job.status == "processing" and job.attempts == 0 and order.home == self._home
        if order.kind != "video" or not waits or id in self._taken:
            return job
        self._taken.add(id)
        try:
            now = await asyncio.to_thread(self._ledger.job, id)  # another call may have cancelled it
            if now is None or now.status != "processing" or now.attempts:
                return now or job
            await self._fail(now, UpstreamError("job_cancelled"))
        except Exception:
            # It may have run meanwhile.
            asyncio.get_running_loop().call_later(_AGAIN_AFTER_S, self._spawn_again, id)
            raise
        finally:
            self._taken.discard(id)
        for waiting in [task for task in self._queued if task.get_name() == id]:
            waiting.cancel()  # frees its account's place
        return await asyncio.to_thread(self._ledger.job, id) or job

    def progress(self, job: Job) -> float:
        """Returns a job's progress, 0..1."""
        return self._progress.get(job.order.id, 0.0)

    def resource(self, job: Job, output: StoredFile | None, base_url: str) -> TransformJob:
        """Returns a job as the published resource."""
        order = job.order
        return TransformJob(
            id=order.id,
            model=order.model,
            kind=order.kind,
            status=job.status,
            output_url=None if output is None else self._files.url(output, base_url),
            credits_charged=job.credits_charged,
            credits_remaining=job.credits_remaining,
        )

    # ---- one job ---------------------------------------------------------------------------------

    async def _sell(self, order: JobOrder, repeat: Idempotency | None, hold: Hold) -> tuple[Job, bool]:
        # Registered before it is charged, so that an immediate repetition can wait for it.
        if order.kind == "image":
            self._ends[order.id] = asyncio.get_running_loop().create_future()
        is_new = False
        try:
            job, is_new = await asyncio.to_thread(self._ledger.sell_job, order, PRICES[order.model], repeat)
        finally:
            hold.release()
            if not is_new:
                self._ends.pop(order.id, None)
                await self._inputs.drop(order.id)
        if is_new:
            self._metrics.charged.labels(order.model).inc(job.credits_charged)
            self._take_up(job)
        return job, is_new

    def _take_up(self, job: Job) -> None:
        if job.order.kind == "image":
            self._spawn(self._run(job.order.id))
        elif not self._closing:
            queued = self._spawn(self._run_clip(job))
            queued.set_name(job.order.id)
            self._queued.add(queued)
            queued.add_done_callback(self._queued.discard)

    def _resume(self, job: Job) -> None:
        """Resumes a job that a former core sold or began."""
        if job.order.kind == "image" and job.order.id not in self._ends:
            self._ends[job.order.id] = asyncio.get_running_loop().create_future()
        if job.order.kind == "image" and not job.retried:
            # Its caller is gone and does not know its id: nobody could ever request the picture.
            self._spawn(self._guarded(job.order.id, self._fail(job, UpstreamError("job_interrupted"))))
        else:
            self._take_up(job)

    async def _run_clip(self, job: Job) -> None:
        """Runs a clip in its account's turn; if cancelled before, it is kept for the next start."""
        account = job.order.purse.account
        with self._admission.clip(account):
            async with self._clips.place(account):
                task = asyncio.current_task()
                assert task is not None
                self._queued.discard(task)
                if not self._closing:
                    await self._run(job.order.id)

    async def _run(self, id: str) -> None:
        if id in self._taken:
            return  # it is being cancelled
        self._taken.add(id)
        try:
            await self._guarded(id, self._attempt(id))
        finally:
            self._taken.discard(id)

    async def _guarded(self, id: str, deed: Coroutine[Any, Any, None]) -> None:
        """Runs a job's task; its errors never stop the queue."""
        try:
            await deed
        except Exception:  # the root of a task: logged in full, and tried again
            log.exception("job %s could not be brought to an end", id)
            self._forget(id)
            asyncio.get_running_loop().call_later(_AGAIN_AFTER_S, self._spawn_again, id)

    def _spawn_again(self, id: str) -> None:
        if not self._closing:
            self._spawn(self._guarded(id, self._look_again(id)))

    async def _look_again(self, id: str) -> None:
        job = await asyncio.to_thread(self._ledger.job, id)
        if job is not None and job.status == "processing":
            self._resume(job)

    async def _attempt(self, id: str) -> None:
        job = await asyncio.to_thread(self._ledger.job, id)
        if job is None or job.status != "processing":
            return
        if job.attempts >= ATTEMPTS_MAX:
            await self._fail(job, UpstreamError("job_interrupted_too_often", times=ATTEMPTS_MAX))
            return
        await asyncio.to_thread(self._ledger.begin_job, id)
        work = asyncio.ensure_future(
            self._transformer.transform(
                self._inputs.source(id),
                job.order.kind,
                job.order.prompt,
                self._inputs.target(id),
                lambda done: self._advance(id, done),
                photo=None if job.order.photo_name is None else self._inputs.photo(id),
                tenant=job.order.purse.account,
            )
        )
        self._work[id] = work
        if self._closing:
            work.cancel()
        try:
            await asyncio.wait([work])
        finally:
            self._progress.pop(id, None)
            del self._work[id]
        if not work.cancelled():
            await self._settle(job, work)
        elif job.order.kind == "video":
            await asyncio.to_thread(self._ledger.pause_job, id)
        else:
            await self._fail(job, UpstreamError("job_stopped"))

    async def _settle(self, job: Job, work: asyncio.Future[Transformed]) -> None:
        """Ends a job by its work's outcome."""
        error = work.exception()
        if error is None:
            await self._finish(job, work.result())
        elif isinstance(error, InvalidRequestError):
            refused = InvalidRequestError("field_breaks_rule", field="input_url", sentence=str(error))
            await self._fail(job, refused)
        elif isinstance(error, OverpaintError):
            await self._fail(job, error)
        else:
            log.error("job %s failed", job.order.id, exc_info=error)
            await self._fail(job, InternalError("service_failed"))

    async def _finish(self, job: Job, made: Transformed) -> None:
        output = await asyncio.to_thread(
            self._files.adopt, made.path, job.order.purse, made.content_type, OUTPUT_DAYS
        )
        told, free = self._told_of(job, output), made.unchanged
        final = await asyncio.to_thread(self._ledger.finish_job, job.order.id, output, told, free)
        if free:
            self._metrics.refunded.labels(job.order.model).inc(job.credits_charged)
        await self._end(final)

    async def _fail(self, job: Job, error: OverpaintError) -> None:
        """Fails and refunds a job. A failed image's job is never shown to its caller."""
        failure = str(error)
        log.info("job %s failed: %s", job.order.id, failure)
        delivery = self._told_of(job, None) if job.order.kind == "video" else None
        final = await asyncio.to_thread(self._ledger.fail_job, job.order.id, failure, delivery)
        self._metrics.refunded.labels(job.order.model).inc(job.credits_charged)
        await self._end(final)

    def _told_of(self, job: Job, output: StoredFile | None) -> Callable[[Job], Delivery]:
        """Returns the maker of the webhook call that announces the end."""

        def told(final: Job) -> Delivery:
            return self._webhooks.message(final, self.resource(final, output, job.order.base_url))

        return told

    async def _end(self, job: Job) -> None:
        end = self._ends.pop(job.order.id, None)
        if end is not None and not end.done():
            end.set_result(job)
        self._webhooks.wake()
        await self._inputs.drop(job.order.id)

    def _forget(self, id: str) -> None:
        """Ends the wait for a job that cannot be finished now."""
        end = self._ends.pop(id, None)
        if end is not None and not end.done():
            end.set_exception(InternalError("service_failed"))
            end.exception()  # perhaps nobody waits for it

    def _advance(self, id: str, done: float) -> None:
        if id in self._work:
            self._progress[id] = done

    def _spawn(self, deed: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(deed)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
