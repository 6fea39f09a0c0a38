"""The HTTP API client: account, sessions, transforms, files, WHIP/WHEP signalling.

    async with ServiceClient("https://example.org", key) as client:
        await client.restyle(Path("cat.jpg"), "ink comic", Path("cat-in-ink.jpg"))

Every failure is an ``OverpaintError``: a ``ServiceError`` of the service, a ``SourceError`` or ``SinkError``
of a file. Keys and tokens are in no ``repr`` and no log. Retries are in ``transport``.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, urljoin

from pydantic import BaseModel

from overpaint.client.addresses import service_address
from overpaint.client.file_transfers import Progress
from overpaint.client.transport import PATIENT, QUICK, Retries, Target, Transport, resource
from overpaint.errors import (
    InternalError,
    InvalidRequestError,
    NotFoundError,
    RateLimitedError,
    UnreachableError,
    UpstreamError,
)
from overpaint.wire.service import (
    KINDS,
    TTL_DEFAULT_SECONDS,
    Account,
    CreateRealtimeSession,
    CreateTransform,
    CreditGrant,
    CreditGrants,
    File,
    RealtimeModel,
    RealtimeSession,
    TransformJob,
    TransformModel,
)

if TYPE_CHECKING:
    import httpx

POLL_S = 2.0
"""Polling interval of a job (specification, "Limits": every few seconds)."""
PATIENCE_S = 120.0
"""How long ``wait`` tolerates a service that does not answer, such as one that is being restarted."""

Stage = Literal["uploading", "restyling", "saving"]
JourneyProgress = Callable[[Stage, float], None]
"""Callback with the stage, and the share of it that is done, 0..1."""


@dataclass(frozen=True, slots=True)
class JobProgress:
    """The state of a job.

    Attributes:
        job: The job's resource.
        progress: Share that is done, 0..1; None when the service does not report it.
        failure: Why it failed; None otherwise.
    """

    job: TransformJob
    progress: float | None
    failure: str | None


@dataclass(frozen=True, slots=True)
class Restyled:
    """The result of ``restyle``.

    Attributes:
        path: The file that was written.
        job: The job that made it.
    """

    path: Path
    job: TransformJob

    @property
    def unchanged(self) -> bool:
        """Whether nothing of the prompt could be done: the file is as it was, and refunded."""
        return self.job.credits_charged == 0


class ServiceClient:
    """A client of one service with one key. Use as ``async with``, or ``close`` it.

    Args:
        base_url: Address of the service, with or without ``/v1``.
        key: API key.
        transport: Replaces the network (tests).
        retries: Retry policy.

    Raises:
        UsageError: The address is not valid.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        transport: httpx.AsyncBaseTransport | None = None,
        retries: Retries | None = None,
    ) -> None:
        self.base_url = service_address(base_url)
        self._key = key
        self._transport = Transport(self.base_url, retries or Retries(), transport)

    def __repr__(self) -> str:
        return f"ServiceClient({self.base_url!r})"

    async def __aenter__(self) -> ServiceClient:
        """Opens no connection: the first request does."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the connections."""
        await self.close()

    async def close(self) -> None:
        """Closes the connections; idempotent."""
        await self._transport.close()

    # ---- account and sessions --------------------------------------------------------------------

    async def account(self) -> Account:
        """The balance of the key. Raises ``ServiceError``."""
        return resource(Account, await self._get("/v1/account"))

    async def grants(self) -> list[CreditGrant]:
        """The newest credits that were granted to the key's account. An extension of the specification.

        Raises:
            NotFoundError: The service does not tell.
            ServiceError: The service refused, or there is no answer.
        """
        return resource(CreditGrants, await self._get("/v1/account/grants")).data

    async def create_session(
        self,
        model: RealtimeModel,
        prompt: str | None = None,
        reference_image_url: str | None = None,
        enhance_prompt: bool = True,
        ttl_seconds: int = TTL_DEFAULT_SECONDS,
        idempotency_key: str | None = None,
    ) -> RealtimeSession:
        """Buys a realtime session, or returns the one that was bought with the same idempotency key.

        A request whose connection breaks before the answer is retried with the same ``Idempotency-Key``, so
        that a session is never charged twice.

        Raises:
            ServiceError: The service refused, or there is no answer.
        """
        # Not validated here, so that the service's own message says what is wrong.
        order = CreateRealtimeSession.model_construct(
            model=model,
            prompt=prompt,
            reference_image_url=reference_image_url,
            enhance_prompt=enhance_prompt,
            ttl_seconds=ttl_seconds,
        )
        answer = await self._order("/v1/realtime/sessions", order, idempotency_key, QUICK)
        return resource(RealtimeSession, answer)

    # ---- files and transforms --------------------------------------------------------------------

    async def upload(self, path: Path, progress: Progress | None = None) -> File:
        """Uploads a picture or a clip; its ``url`` is a valid input for a day.

        Raises:
            ServiceError: The service refused (another kind of file, or damaged), or there is no answer.
            SourceError: The file cannot be read, is empty or too large.
        """
        url = f"{self.base_url}/v1/files"
        return resource(File, await self._transport.put_up(url, self._key, path, progress))

    async def transform(
        self,
        model: TransformModel,
        prompt: str,
        input_url: str,
        webhook_url: str | None = None,
        idempotency_key: str | None = None,
        reference_image_url: str | None = None,
    ) -> TransformJob:
        """Orders a transform. A picture's is finished in the answer; for a clip's, call ``wait``.

        ``reference_image_url`` is an extension of the specification.

        Raises:
            ServiceError: The service refused, or there is no answer. A retry is not charged twice.
        """
        order = CreateTransform.model_construct(
            model=model,
            prompt=prompt,
            input_url=input_url,
            reference_image_url=reference_image_url,
            webhook_url=webhook_url,
        )
        answer = await self._order("/v1/transforms", order, idempotency_key, PATIENT)
        return resource(TransformJob, answer)

    async def job(self, id: str) -> JobProgress:
        """The state of a job. Raises ``ServiceError``."""
        answer = await self._get(f"/v1/transforms/{quote(id, safe='')}")
        try:
            progress = float(answer.headers["x-progress"])
        except (KeyError, ValueError):
            progress = None
        return JobProgress(resource(TransformJob, answer), progress, answer.headers.get("x-failure"))

    async def cancel(self, id: str) -> TransformJob:
        """Cancels a clip's job that was not begun, with a refund. An extension of the specification.

        Returns:
            The failed job. A job that had begun or ended is returned unchanged, without a refund.

        Raises:
            NotFoundError: There is no such job, or the service cannot cancel.
            ServiceError: The service refused, or there is no answer.
        """
        url = f"{self.base_url}/v1/transforms/{quote(id, safe='')}/cancel"
        return resource(TransformJob, await self._transport.send("POST", url, self._key, repeatable=True))

    async def wait(
        self,
        id: str,
        progress: Progress | None = None,
        *,
        poll_s: float = POLL_S,
        patience_s: float = PATIENCE_S,
    ) -> TransformJob:
        """Waits until a job has succeeded or failed. To stop waiting, cancel the task.

        Args:
            id: Id of the job.
            progress: Receives the share that is done.
            poll_s: Polling interval, seconds.
            patience_s: Longest time without an answer of the service, seconds.

        Raises:
            ServiceError: The service refused, or gave no answer for too long. The job itself goes on.
        """
        loop = asyncio.get_running_loop()
        heard_at = loop.time()
        while True:
            try:
                state = await self.job(id)
            except (UnreachableError, RateLimitedError, UpstreamError, InternalError):
                if loop.time() - heard_at > patience_s:
                    raise
            else:
                heard_at = loop.time()
                if state.job.status != "processing":
                    return state.job
                if progress is not None and state.progress is not None:
                    progress(state.progress)
            await asyncio.sleep(poll_s)

    async def download(self, url: str, target: Target, progress: Progress | None = None) -> Path:
        """Downloads a finished output; an existing file is replaced atomically.

        Args:
            url: ``output_url`` of a job.
            target: The file, or a function from its content type to the file.
            progress: Receives the share that was received.

        Returns:
            The file that was written.

        Raises:
            ServiceError: The URL is wrong or has expired, or there is no answer.
            SinkError: The file cannot be written.
        """
        return await self._transport.take_down(url, target, progress)

    # ---- upload, transform, download -------------------------------------------------------------

    async def restyle(
        self,
        path: Path,
        prompt: str,
        target: Target,
        progress: JourneyProgress | None = None,
        reference: Path | None = None,
    ) -> Restyled:
        """Uploads a picture or a clip, orders its transform, and downloads the result.

        Args:
            path: A picture or a clip.
            prompt: What it should look like.
            target: The file to write, or a function from its content type to the file.
            progress: Receives the stage and its progress.
            reference: A photo whose style, scene or colours the prompt uses.

        Raises:
            ServiceError: The service refused, the job failed (it is refunded), or there is no answer.
            SourceError: The file cannot be read.
            SinkError: The result cannot be written.
        """
        return await self.collect(await self.submit(path, prompt, progress, reference), target, progress)

    async def submit(
        self, path: Path, prompt: str, progress: JourneyProgress | None = None, reference: Path | None = None
    ) -> TransformJob:
        """The first half of ``restyle``: uploads the files and orders the transform."""
        tell = progress or _silent
        tell("uploading", 0.0)
        file = await self.upload(path, lambda part: tell("uploading", part))
        photo = None if reference is None else (await self.upload(reference)).url
        tell("restyling", 0.0)
        model = model_for(file.content_type, path)
        return await self.transform(model, prompt, file.url, reference_image_url=photo)

    async def collect(
        self,
        job: TransformJob,
        target: Target,
        progress: JourneyProgress | None = None,
        *,
        patience_s: float = PATIENCE_S,
    ) -> Restyled:
        """The second half of ``restyle``: waits for a job (``patience_s`` as in ``wait``), downloads it."""
        tell = progress or _silent
        if job.status == "processing":
            job = await self.wait(job.id, lambda part: tell("restyling", part), patience_s=patience_s)
        if job.output_url is None:
            failure = (await self.job(job.id)).failure
            if failure:
                raise UpstreamError("transform_failed_at_service", sentence=failure)
            raise UpstreamError("transform_failed_without_reason")
        tell("saving", 0.0)
        path = await self.download(job.output_url, target, lambda part: tell("saving", part))
        return Restyled(path, job)

    # ---- WHIP and WHEP ---------------------------------------------------------------------------

    async def post_sdp(self, url: str, sdp: str, token: str) -> tuple[str, str, list[str]]:
        """Sends an SDP offer to a WHIP or WHEP endpoint.

        Args:
            url: Address of the endpoint.
            sdp: The offer.
            token: Token of the room.

        Returns:
            The SDP answer, the URL of the new resource, and the values of ``Link`` headers.

        Raises:
            ServiceError: The offer was refused, or there is no answer.
        """
        headers = {"Content-Type": "application/sdp"}
        answer = await self._transport.send("POST", url, token, sdp.encode(), headers, repeatable=False)
        if answer.status_code != HTTPStatus.CREATED or "location" not in answer.headers:
            raise InternalError("offer_answer_unusable")
        links = answer.headers.get_list("link")
        return answer.text, urljoin(url, answer.headers["location"]), links

    async def delete_resource(self, url: str, token: str) -> None:
        """Deletes a WHIP or WHEP resource. A missing one is no error. Raises ``ServiceError``."""
        try:
            await self._transport.send("DELETE", url, token, repeatable=False)
        except NotFoundError:
            pass

    # ---- inside ----------------------------------------------------------------------------------

    async def _get(self, path: str) -> httpx.Response:
        return await self._transport.send("GET", self.base_url + path, self._key, repeatable=True)

    async def _order(
        self, path: str, order: BaseModel, idempotency_key: str | None, timeout: httpx.Timeout
    ) -> httpx.Response:
        """Sends an order with an idempotency key, so that retries are charged once."""
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": idempotency_key or str(uuid.uuid4()),
        }
        body = order.model_dump_json(exclude_none=True).encode()
        url = self.base_url + path
        return await self._transport.send(
            "POST", url, self._key, body, headers, timeout=timeout, repeatable=True
        )


def _silent(stage: Stage, part: float) -> None:
    """Ignores progress."""


def model_for(content_type: str, path: Path) -> TransformModel:
    """The model for a content type. Raises ``InvalidRequestError`` if it is neither picture nor clip."""
    for model, kind in KINDS.items():
        if content_type.startswith(f"{kind}/"):
            return model
    raise InvalidRequestError("upload_not_media", file=path.name, type=content_type)
