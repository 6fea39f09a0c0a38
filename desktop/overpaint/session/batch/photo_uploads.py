"""Uploads of reference photos: each photo once to a service, for all files that use it.

Must not know jobs, queues or windows.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from overpaint.client.http import ServiceClient

REUSED_S = 3600.0
"""Age up to which an upload is used for further files. The service keeps it for a day, in which an order that
was interrupted can be repeated (``item_runner.VOUCHER_LIFE``)."""


class PhotoUploads:
    """The uploaded reference photos of this process. Runs on one event loop."""

    def __init__(self) -> None:
        self._urls: dict[tuple[str, Path], tuple[str, float]] = {}
        self._turn = asyncio.Lock()

    async def url(self, client: ServiceClient, photo: Path, *, anew: bool = False) -> str:
        """The address of a photo at a service, uploaded if it is not there.

        Args:
            client: Client of the service.
            photo: A picture file of at most 8 MB.
            anew: Uploads it in any case, because the service no longer has it.

        Raises:
            ServiceError: The service refused, or there is no answer.
            SourceError: The file cannot be read.
        """
        place = (client.base_url, photo)
        async with self._turn:  # files that start at once wait for one upload
            url, at = self._urls.get(place, ("", 0.0))
            if anew or not url or time.monotonic() - at > REUSED_S:
                url = (await client.upload(photo)).url
                self._urls[place] = (url, time.monotonic())
            return url
