"""Cancellation of clips at the service, with a refund for those that it has not begun.

A picture is restyled within its order's request, so it cannot be cancelled. Must not know queues or windows.
"""

from __future__ import annotations

import asyncio
import logging

from overpaint.client.http import ServiceClient
from overpaint.client.transport import ONCE_MORE
from overpaint.errors import OverpaintError
from overpaint.session.backend.service_access import ServiceAccess
from overpaint.session.batch.job_client import Voucher
from overpaint.wire.service import KINDS

log = logging.getLogger(__name__)

WAIT_S = 5.0
"""Time limit for a service that does not answer: the user who cancels should not wait."""


async def given_back(access: ServiceAccess, voucher: Voucher | None) -> bool:
    """Cancels the job of a voucher where the service has not begun it.

    Args:
        access: Finds the service.
        voucher: The order's voucher; None where nothing was ordered.

    Returns:
        Whether nothing is charged: there was no order, or it was refunded. False also where the service
        cannot cancel, or does not answer.
    """
    if voucher is None:
        return True
    if KINDS[voucher.model] != "video" or not voucher.job_id:
        return False
    try:
        async with asyncio.timeout(WAIT_S):
            endpoint = await access.endpoint()
            async with ServiceClient(endpoint.url, endpoint.key, retries=ONCE_MORE) as client:
                job = await client.cancel(voucher.job_id)
    except (OverpaintError, TimeoutError) as error:
        log.info("job %s keeps its price: %s", voucher.job_id, error)
        return False
    return job.credits_charged == 0
