"""The routes of transform jobs: ``POST /v1/transforms`` and ``GET /v1/transforms/{id}``.

Source: specification, "Transform job" and "POST /transforms"; protocol decisions, "HTTP". The body has the
specification's fields and, as an extension, ``reference_image_url``. Headers add ``X-Progress`` (0.00 to
1.00) of a processing job, and ``X-Failure`` (one sentence) of a failed one. A prompt of which nothing can be
done is no malformed request: its job succeeds with the input as it was, is refunded (``credits_charged`` 0)
and has the header ``X-Unchanged: true``. A job is visible to every key of
its account and environment: test and live have separate balances, so neither sees the other's jobs. Once its
output has expired, a succeeded job's ``output_url`` is null. ``POST /v1/transforms/{id}/cancel``, another
extension, fails and refunds a job that was not begun; a begun job stays charged, since most of the work may
be done, also when the service was stopped meanwhile and begins it anew. Must not know how jobs are run.
"""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from overpaint.core.configuration import ServiceConfig
from overpaint.core.http.callers import ERRORS, Caller, authentication, described, idempotency, read_body
from overpaint.core.http.rate_limits import Limits
from overpaint.core.jobs.job_sales import JobSales
from overpaint.core.jobs.transform_jobs import Jobs
from overpaint.errors import InvalidRequestError, NotFoundError, UpstreamError
from overpaint.ledger import Ledger
from overpaint.ledger.records import Job
from overpaint.wire.service import CreateTransform, TransformJob

_ROUTE = "POST /v1/transforms"
_HEADERS: dict[str, Any] = {
    "X-Progress": {
        "description": "How much is done, 0.00 to 1.00, while the job is processing",
        "schema": {"type": "string"},
    },
    "X-Unchanged": {
        "description": "true where nothing of the prompt could be done: the output shows the input, free",
        "schema": {"type": "string"},
    },
    "X-Failure": {"description": "Why the job failed, one sentence", "schema": {"type": "string"}},
}


def transforms_router(
    ledger: Ledger, jobs: Jobs, sales: JobSales, config: ServiceConfig, limits: Limits
) -> APIRouter:
    """Makes the routes, on a ledger, a queue of jobs and their sales."""
    router = APIRouter()
    authenticated_caller = Depends(authentication(ledger, limits))

    async def shown(job: Job, request: Request, response: Response) -> TransformJob:
        if job.status == "succeeded" and job.credits_charged == 0:
            response.headers["X-Unchanged"] = "true"
        output = None if job.output is None else await asyncio.to_thread(ledger.file, job.output)
        return jobs.resource(job, output, _base_url(request, config))

    @router.post(
        "/v1/transforms",
        response_model=TransformJob,
        responses={
            200: {"headers": {"X-Unchanged": _HEADERS["X-Unchanged"]}},
            202: {"model": TransformJob, "description": "A clip's job, to be polled"},
            **{status: ERRORS[status] for status in (400, 401, 402, 502)},
        },
        openapi_extra=described(CreateTransform),
    )
    async def create_transform(
        request: Request, response: Response, caller: Caller = authenticated_caller
    ) -> TransformJob:
        """Transforms a picture at once, or queues a clip; charges the price of the model."""
        order = await read_body(request, CreateTransform)
        base_url = _base_url(request, config)
        sales.check(order, base_url)
        repeat = idempotency(request, caller, _ROUTE, order)
        job = await sales.buy(caller.record, order, base_url, repeat)
        if job.order.kind == "video":
            response.status_code = 202
        elif job.status == "failed":
            raise _refusal(job)
        return await shown(job, request, response)

    @router.get(
        "/v1/transforms/{id}",
        responses={
            200: {"headers": _HEADERS},
            **{status: ERRORS[status] for status in (401, 404)},
        },
        openapi_extra={"security": [{"apiKey": []}]},
    )
    async def transform(
        id: str, request: Request, response: Response, caller: Caller = authenticated_caller
    ) -> TransformJob:
        """The job as it stands."""
        job = await asyncio.to_thread(ledger.job, id)
        if job is None or job.order.purse != caller.record.purse:
            raise NotFoundError("job_unknown")
        if job.status == "processing":
            response.headers["X-Progress"] = f"{jobs.progress(job):.2f}"
        elif job.failure is not None:
            response.headers["X-Failure"] = _header_text(job.failure)
        return await shown(job, request, response)

    @router.post(
        "/v1/transforms/{id}/cancel",
        responses={status: ERRORS[status] for status in (401, 404)},
        openapi_extra={"security": [{"apiKey": []}]},
    )
    async def cancel_transform(
        id: str, request: Request, response: Response, caller: Caller = authenticated_caller
    ) -> TransformJob:
        """Cancels a clip's job that was not begun, and gives its credits back; any other goes on."""
        job = await asyncio.to_thread(ledger.job, id)
        if job is None or job.order.purse != caller.record.purse:
            raise NotFoundError("job_unknown")
        return await shown(await jobs.cancel(job), request, response)

    return router


def _base_url(request: Request, config: ServiceConfig) -> str:
    return config.base_url(request.url.scheme, request.url.netloc)


def _refusal(job: Job) -> InvalidRequestError | UpstreamError:
    """Returns the answer for a failed image: an error, not a job, since it was refunded."""
    failure = job.failure or ""
    if failure.startswith("input_url: "):  # the file proved to be damaged during the work
        return InvalidRequestError("transform_input_failed", sentence=failure)
    return UpstreamError("transform_failed", sentence=failure)


def _header_text(sentence: str) -> str:
    """Encodes a sentence as a header's value (RFC 9110, 5.5)."""
    plain = " ".join(sentence.split()).translate(str.maketrans("“”‘’–—…×", "\"\"''--.x"))
    return plain.encode("ascii", "replace").decode()[:500]
