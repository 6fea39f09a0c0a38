"""Sales of transform jobs: each request is checked, paid for once, and has its input before it is sold.

Nothing is fetched or decoded for an account that cannot pay. Must not know HTTP, nor how jobs are run.
"""

from __future__ import annotations

import asyncio

from overpaint.core.jobs.admission import Admission
from overpaint.core.jobs.inputs import INPUT_NAME, PHOTO_NAME, Inputs
from overpaint.core.jobs.transform_jobs import Jobs
from overpaint.core.jobs.webhooks import Webhooks
from overpaint.core.names import JOB_PREFIX, new_id
from overpaint.ledger import Idempotency, KeyRecord, Ledger
from overpaint.ledger.records import Job, JobOrder
from overpaint.wire.service import KINDS, PRICES, CreateTransform


class JobSales:
    """The sales of one service.

    Args:
        ledger: Stores the jobs.
        jobs: Sells and runs them.
        inputs: Stores their inputs.
        webhooks: Announces their end.
        admission: Admission control.
    """

    def __init__(
        self, ledger: Ledger, jobs: Jobs, inputs: Inputs, webhooks: Webhooks, admission: Admission
    ) -> None:
        self._ledger = ledger
        self._jobs = jobs
        self._inputs = inputs
        self._webhooks = webhooks
        self._admission = admission

    def check(self, order: CreateTransform, base_url: str) -> None:
        """Checks the addresses of an order without any look-up or download.

        Raises:
            InvalidRequestError: One of them is not allowed.
        """
        self._inputs.check("input_url", order.input_url, base_url)
        if order.reference_image_url is not None:
            self._inputs.check("reference_image_url", order.reference_image_url, base_url)
        self._webhooks.check_literal(order.webhook_url)

    async def buy(
        self, key: KeyRecord, order: CreateTransform, base_url: str, repeat: Idempotency | None
    ) -> Job:
        """Returns the job of a request: a new one, or that of the request which it repeats.

        Args:
            key: The key that pays.
            order: The order.
            base_url: This service's address as the caller reached it.
            repeat: Recognises a repeated request.

        Raises:
            InsufficientCreditsError: The account cannot pay. Nothing was charged, here and below.
            InvalidRequestError: Input, photo or webhook cannot be used, or the Idempotency-Key came with
                another body.
            RateLimitedError: The account, or all together, have too much under way.
            UpstreamError: The input cannot be stored or examined, or the service is ending.
        """
        if repeat is None:
            return await self._make(key, order, base_url, None)
        return await self._admission.repeats.once(
            repeat, lambda: self._first_or_made(key, order, base_url, repeat)
        )

    async def _first_or_made(
        self, key: KeyRecord, order: CreateTransform, base_url: str, repeat: Idempotency
    ) -> Job:
        first = await asyncio.to_thread(self._ledger.first_answer, repeat)
        former = None if first is None else await asyncio.to_thread(self._ledger.job, first)
        if former is not None:
            return await self._jobs.repeated(former)
        return await self._make(key, order, base_url, repeat)

    async def _make(
        self, key: KeyRecord, order: CreateTransform, base_url: str, repeat: Idempotency | None
    ) -> Job:
        purse, price, kind = key.purse, PRICES[order.model], KINDS[order.model]
        sold = JobOrder(
            id=new_id(JOB_PREFIX),
            key_id=key.id,
            purse=purse,
            home=self._jobs.home,
            model=order.model,
            kind=kind,
            prompt=order.prompt,
            input_name=INPUT_NAME,
            base_url=base_url,
            webhook_url=order.webhook_url,
            photo_name=PHOTO_NAME if order.reference_image_url is not None else None,
        )
        await self._admission.funds.check(purse, price)  # first: 402 also when the limits are reached
        with self._jobs.place(kind, purse.account):
            async with self._admission.funds.hold(purse, price) as hold:
                await self._webhooks.check(order.webhook_url, purse.account)
                await self._inputs.bring(
                    sold.id, order.input_url, order.reference_image_url, kind, base_url, purse.account
                )
                return await self._jobs.sell(sold, repeat, hold)
