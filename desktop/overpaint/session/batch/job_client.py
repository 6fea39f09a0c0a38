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
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from overpaint.client.file_transfers import unwritable
from overpaint.client.http import PATIENCE_S, Restyled, ServiceClient, Stage, model_for
from overpaint.errors import (
    InvalidRequestError,
    MediaError,
    NotFoundError,
    SinkError,
    UnreachableError,
    UpstreamError,
)
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.media.opener.picture_conversion import ClipForm, ResultForm, convert
from overpaint.session.backend.service_access import ServiceAccess
from overpaint.session.batch.photo_uploads import PhotoUploads
from overpaint.transforms.pool import WorkerPool
from overpaint.wire.media_limits import Kind
from overpaint.wire.service import KINDS, TransformJob, TransformModel

log = logging.getLogger(__name__)

AS_SENT = ResultForm()
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
        photo_url: Address of the uploaded reference photo; empty for none.
        job_id: Id of the job; empty until the purchase was answered.
        at: Time of the upload.
    """

    model_config = ConfigDict(frozen=True)

    order_key: str
    model: TransformModel
    input_url: str
    photo_url: str = ""
    job_id: str = ""
    at: datetime


@dataclass(frozen=True, slots=True)
class Converters:
    """The converters of results that are saved in another form, in sandboxed processes."""

    pictures: PictureDecoder
    clips: WorkerPool


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
        photo: The reference photo; None for none.
        photos: Uploads the photo, once for all journeys that share this.
        converters: Convert what is saved in another form; None where nothing is.
        form: The form in which the result is saved.
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
        photo: Path | None = None,
        photos: PhotoUploads | None = None,
        converters: Converters | None = None,
        form: ResultForm = AS_SENT,
    ) -> None:
        self._access = access
        self._source = source
        self._prompt = prompt
        self._name = functools.cache(name)
        self._tell_on = tell
        self._voucher = voucher
        self._keep_on = keep
        self._kind = kind
        self._photo = photo
        self._photos = photos or PhotoUploads()
        self._converters = converters
        self._form = form if converters is not None else AS_SENT
        self._sent: tuple[Path, str] | None = None
        """A result that is still to be converted, and its content type."""
        self._heard_at: float | None = None

    async def run(self) -> Restyled:
        """Uploads, buys, waits and saves.

        Raises:
            ServiceError: The service refused, the job failed (nothing is charged), or nobody answers.
            SourceError: The file cannot be read.
            SinkError: The result cannot be written, or not in its form.
            OverpaintError: The service cannot be found.
        """
        job: TransformJob | None = None
        while True:
            try:
                async with _client(self._access) as client:
                    if job is None:
                        job = await self._bought(client)
                    done = await client.collect(job, self._target, self._tell, patience_s=RETURN_S)
                    return await self._converted(done)
            except UnreachableError:
                # A job outlives its core: the next core resumes it, at another address. A service that was
                # never reached is not waited for.
                if self._heard_at is None or time.monotonic() - self._heard_at > PATIENCE_S:
                    raise
                job = job and _unsettled(job)
                await asyncio.sleep(RETURN_S)

    def _target(self, content_type: str) -> Path:
        """The file to download to: the result, or one beside it that is to be converted."""
        self._sent = None
        form = self._form.of(content_type)
        final = self._name(form.content_type(content_type))
        if not form.converts(content_type):
            return final
        sent = final.with_name(f".{final.name}.sent")
        self._sent = sent, content_type
        return sent

    async def _converted(self, done: Restyled) -> Restyled:
        if self._sent is None or self._converters is None:
            return done
        sent, content_type = self._sent
        form = self._form.of(content_type)
        said = form.content_type(content_type)
        final = self._name(said)
        if isinstance(form, ClipForm):
            clip = self._converters.clips.convert(
                sent, final, said, form.side, lambda part: self._tell("saving", part)
            )
            work = asyncio.ensure_future(clip)
        else:
            pictures = self._converters.pictures
            work = asyncio.ensure_future(
                asyncio.to_thread(convert, pictures, sent, content_type, final, form)
            )
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            if isinstance(form, ClipForm):
                work.cancel()
            raise
        except (MediaError, InvalidRequestError, UpstreamError) as error:
            raise SinkError("result_not_converted", file=final.name, sentence=str(error)) from error
        except OSError as error:
            raise unwritable(final, error) from error
        finally:
            await asyncio.wait([work])  # a thread cannot be interrupted, and would leave files
            sent.unlink(missing_ok=True)
        return replace(done, path=final)

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
        photo_url = ""
        if self._photo is not None:
            photo_url = await self._photos.url(client, self._photo, anew=former is not None)
        file = await client.upload(self._source, lambda part: self._tell("uploading", part))
        voucher = Voucher(
            order_key=str(uuid.uuid4()),
            model=self._model(file.content_type),
            input_url=file.url,
            photo_url=photo_url,
            at=datetime.now(UTC),
        )
        await self._keep(voucher)
        return await self._redeemed(client, voucher)

    async def _redeemed(self, client: ServiceClient, voucher: Voucher) -> TransformJob:
        self._tell("restyling", 0.0)
        if voucher.job_id:
            return (await client.job(voucher.job_id)).job
        job = await client.transform(
            voucher.model,
            self._prompt,
            voucher.input_url,
            idempotency_key=voucher.order_key,
            reference_image_url=voucher.photo_url or None,
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
        yield client
