"""The client of one job: a file uploaded, bought, waited for, saved.

Its state so far is a voucher: with a saved voucher the result can be requested again, even after a crash,
and nothing is bought twice. Must not know queues, windows or how the service is found.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from overpaint.client.http import PATIENCE_S, Restyled, ServiceClient, Stage, model_for
from overpaint.errors import InsufficientCreditsError, InvalidRequestError, NotFoundError, UnreachableError
from overpaint.session.backend.service_access import ServiceAccess, with_a_way_out
from overpaint.wire.media_limits import Kind
from overpaint.wire.service import KINDS, TransformJob, TransformModel

log = logging.getLogger(__name__)

RETURN_S = 2.0
"""Delay before a service that went away during a job is looked for at another address."""

Tell = Callable[[Stage, float], None]
"""Receives the stage and its progress, 0..1."""


class Voucher(BaseModel):
    """The purchase of one file so far, to go on with after a crash.

    Attributes:
        order_key: Idempotency-Key of the purchase.
        model: Model that was bought.
        input_url: Address of the uploaded file.
        job_id: Id of the job; empty until the purchase was answered.
        at: Time of the upload.
    """

    model_config = ConfigDict(frozen=True)

    order_key: str
    model: TransformModel
    input_url: str
    job_id: str = ""
    at: datetime


class Journey:
    """The transform of one file. Call ``run`` once; cancelling its task leaves no partial file.

    Args:
        access: Finds the service.
        source: A picture or a clip.
        prompt: What it should look like.
        name: Names the result by its content type; called once.
        tell: Receives the progress.
        voucher: Voucher of an earlier run for the same order.
        keep: Saves each new voucher before it is used; None when the former one is void.
        kind: The type of file for which the user saw the price; another type is refused, not bought.
    """

    def __init__(
        self,
        access: ServiceAccess,
        source: Path,
        prompt: str,
        name: Callable[[str], Path],
        tell: Tell,
        voucher: Voucher | None = None,
        keep: Callable[[Voucher | None], Awaitable[None]] | None = None,
        kind: Kind | None = None,
    ) -> None:
        self._access = access
        self._source = source
        self._prompt = prompt
        self._name = functools.cache(name)
        self._tell_on = tell
        self._voucher = voucher
        self._keep_on = keep
        self._kind = kind
        self._heard_at: float | None = None

    async def run(self) -> Restyled:
        """Uploads, buys, waits and saves.

        Raises:
            ServiceError: The service refused, the job failed (nothing is charged), or nobody answers.
            SourceError: The file cannot be read.
            SinkError: The result cannot be written.
            OverpaintError: The service cannot be found.
        """
        job: TransformJob | None = None
        while True:
            try:
                async with _client(self._access) as client:
                    if job is None:
                        job = await self._bought(client)
                    return await client.collect(job, self._name, self._tell, patience_s=RETURN_S)
            except UnreachableError:
                # A job outlives its core: the next core resumes it, at another address. A service that was
                # never reached is not waited for.
                if self._heard_at is None or time.monotonic() - self._heard_at > PATIENCE_S:
                    raise
                job = job and _unsettled(job)
                await asyncio.sleep(RETURN_S)

    async def _bought(self, client: ServiceClient) -> TransformJob:
        former = self._voucher
        if former is not None:
            try:
                return await self._redeemed(client, former)
            except (InvalidRequestError, NotFoundError) as error:
                # Nothing was bought (or the job is gone), and the upload is gone with its address.
                log.info("%s starts anew: %s", self._source.name, error)
                await self._keep(None)
        self._tell("uploading", 0.0)
        file = await client.upload(self._source, lambda part: self._tell("uploading", part))
        voucher = Voucher(
            order_key=str(uuid.uuid4()),
            model=self._model(file.content_type),
            input_url=file.url,
            at=datetime.now(UTC),
        )
        await self._keep(voucher)
        return await self._redeemed(client, voucher)

    async def _redeemed(self, client: ServiceClient, voucher: Voucher) -> TransformJob:
        self._tell("restyling", 0.0)
        if voucher.job_id:
            return (await client.job(voucher.job_id)).job
        job = await client.transform(
            voucher.model, self._prompt, voucher.input_url, idempotency_key=voucher.order_key
        )
        await self._keep(voucher.model_copy(update={"job_id": job.id}))
        return job

    def _tell(self, stage: Stage, part: float) -> None:
        if stage != "uploading" or part > 0:
            self._heard_at = time.monotonic()
        self._tell_on(stage, part)

    async def _keep(self, voucher: Voucher | None) -> None:
        self._voucher = voucher
        if self._keep_on is not None:
            await self._keep_on(voucher)

    def _model(self, content_type: str) -> TransformModel:
        """Returns the model for the content type that the service recognised."""
        model = model_for(content_type, self._source)
        if self._kind is not None and KINDS[model] != self._kind:
            raise InvalidRequestError(
                "picture_named_like_clip" if self._kind == "video" else "clip_named_like_picture",
                file=self._source.name,
            )
        return model


def _unsettled(job: TransformJob) -> TransformJob:
    """Returns the job as unfinished, because its output's address belongs to a core that is gone."""
    return job.model_copy(update={"status": "processing", "output_url": None})


@asynccontextmanager
async def _client(access: ServiceAccess) -> AsyncIterator[ServiceClient]:
    endpoint = await access.endpoint()
    async with ServiceClient(endpoint.url, endpoint.key) as client:
        try:
            yield client
        except InsufficientCreditsError as error:
            name = (await client.account()).key.name
            raise with_a_way_out(error, endpoint, name) from error
