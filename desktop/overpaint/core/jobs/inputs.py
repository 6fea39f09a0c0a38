"""Inputs of transform jobs, and their reference photos: fetched before a job is sold, kept until it is final.

Each job has its own folder, named by its id, with input, photo and output. Bytes go from the network to the
disk and are never parsed here: a worker decodes the photo. Must not know credits, queues or HTTP requests.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from overpaint.core.fetching import Fetcher
from overpaint.core.http.stored_files import FileStore, is_own
from overpaint.core.jobs.admission import INPUT_MAX_BYTES, Admission
from overpaint.errors import InvalidRequestError, UpstreamError
from overpaint.ledger.records import StoredFile
from overpaint.transforms.task import PHOTO_MAX_SIDE, Transformer
from overpaint.wire.media_limits import REFERENCE_MAX_BYTES, Kind

log = logging.getLogger(__name__)

JOBS = "jobs"
"""Folder in the data folder, with a folder for each job."""
INPUT_NAME, PHOTO_NAME = "input", "photo.npy"
_OUTPUT_NAME, _SENT_PHOTO_NAME = "output", "photo"
PHOTO_MAX_BYTES = REFERENCE_MAX_BYTES + PHOTO_MAX_SIDE**2 * 3
"""What a reference photo takes at most while it is decoded, with its array."""
_PHOTO_FETCH_SECONDS = 10.0
_FETCH_SECONDS: dict[Kind, float] = {"image": 30.0, "video": 300.0}
"""Time limit of a download, since the caller waits for our answer meanwhile."""


class Inputs:
    """The inputs of one service's jobs.

    Args:
        folder: Parent of the jobs' folders; created when missing.
        fetcher: Downloads from callers' URLs.
        files: Store of uploads.
        transformer: Recognises files.
        admission: Admission control.
    """

    def __init__(
        self, folder: Path, fetcher: Fetcher, files: FileStore, transformer: Transformer, admission: Admission
    ) -> None:
        self._folder = folder
        self._admission = admission
        self._fetcher = fetcher
        self._files = files
        self._transformer = transformer
        folder.mkdir(parents=True, exist_ok=True)

    def source(self, job: str) -> Path:
        """Returns the path of a job's input."""
        return self._folder / job / INPUT_NAME

    def target(self, job: str) -> Path:
        """Returns the path of a job's output."""
        return self._folder / job / _OUTPUT_NAME

    def photo(self, job: str) -> Path:
        """Returns the path of a job's decoded reference photo, where the job has one."""
        return self._folder / job / PHOTO_NAME

    def check(self, field: str, url: str, base_url: str) -> None:
        """Checks an address without any look-up or download.

        Args:
            field: Its field in the request.
            url: The address.
            base_url: This service's address as the caller reached it; urls below it are its own files.

        Raises:
            InvalidRequestError: It is no http(s) address, or a literal address that is not allowed.
        """
        if is_own(url, base_url):
            return
        try:
            self._fetcher.check_literal(url)
        except InvalidRequestError as error:
            raise InvalidRequestError("field_breaks_rule", field=field, sentence=str(error)) from error

    async def bring(
        self, job: str, url: str, photo_url: str | None, kind: Kind, base_url: str, account: str
    ) -> None:
        """Fetches the input and the photo of a job, and checks that the job's model accepts them.

        Args:
            job: Id of the future job.
            url: ``input_url``.
            photo_url: ``reference_image_url``; None for no photo.
            kind: Kind of file that the model takes.
            base_url: This service's address as the caller reached it; urls below it are its own files.
            account: Account of the job.

        Raises:
            InvalidRequestError: It cannot be fetched or used; the sentence says why. Nothing is kept.
            RateLimitedError: The account has too much under way. Nothing is kept.
            UpstreamError: It cannot be stored or examined. Nothing is kept.
        """
        source = self.source(job)
        photo_bytes = 0 if photo_url is None else PHOTO_MAX_BYTES
        try:
            self._admission.store(job, account, INPUT_MAX_BYTES[kind] + photo_bytes)
            source.parent.mkdir()
            with _blaming("input_url"):
                most, seconds = INPUT_MAX_BYTES[kind], _FETCH_SECONDS[kind]
                await self._fetch(url, source, most, seconds, base_url, account)
                self._admission.settle(job, account, source.stat().st_size + photo_bytes)
                await self._transformer.inspect(source, kind, tenant=account)
            if photo_url is not None:
                with _blaming("reference_image_url"):
                    await self._bring_photo(job, photo_url, base_url, account)
                size = source.stat().st_size + self.photo(job).stat().st_size
                self._admission.settle(job, account, size)
        except OSError as error:
            await self.drop(job)
            log.error("the input of %s cannot be stored: %s", job, error)
            raise UpstreamError("input_not_stored") from error
        except BaseException:
            await self.drop(job)
            raise

    async def drop(self, job: str) -> None:
        """Deletes a job's folder, in a thread: a disk takes time to free a gigabyte."""
        await asyncio.to_thread(shutil.rmtree, self._folder / job, ignore_errors=True)
        self._admission.drop(job)

    async def drop_all_but(self, jobs: Mapping[str, str]) -> None:
        """Deletes the folders of interrupted requests and of final jobs.

        Args:
            jobs: Ids of the jobs to keep → their accounts.
        """
        for job, size in (await asyncio.to_thread(self._sweep, set(jobs))).items():
            self._admission.settle(job, jobs[job], size)

    def _sweep(self, kept: set[str]) -> dict[str, int]:
        """Deletes the other jobs' folders; returns the sizes of the kept inputs."""
        sizes = {}
        for folder in self._folder.iterdir():
            if folder.name not in kept:
                shutil.rmtree(folder, ignore_errors=True)
                continue
            kept_files = [folder / name for name in (INPUT_NAME, PHOTO_NAME)]
            sizes[folder.name] = sum(file.stat().st_size for file in kept_files if file.is_file())
        return sizes

    async def _bring_photo(self, job: str, url: str, base_url: str, account: str) -> None:
        """Fetches and decodes a job's photo; only its array is kept."""
        sent = self._folder / job / _SENT_PHOTO_NAME
        await self._fetch(url, sent, REFERENCE_MAX_BYTES, _PHOTO_FETCH_SECONDS, base_url, account)
        decoded = await self._transformer.photo(sent, tenant=account)
        await asyncio.to_thread(decoded.replace, self.photo(job))
        await asyncio.to_thread(sent.unlink, missing_ok=True)

    async def _fetch(
        self, url: str, target: Path, most: int, seconds: float, base_url: str, account: str
    ) -> None:
        """Fetches a file of at most ``most`` bytes."""
        own = await asyncio.to_thread(self._files.own, url, base_url)
        if own is not None:
            await asyncio.to_thread(self._take_own, own, target, most)
            return
        async with self._admission.fetches.place(account):
            await self._fetcher.download(url, target, most, seconds=seconds, tenant=account)

    def _take_own(self, file: StoredFile, source: Path, most: int) -> None:
        """Links an uploaded file to a job, because the upload may expire before the job's turn."""
        if file.size > most:
            raise InvalidRequestError("address_file_too_large", megabytes=most // (1 << 20))
        held = self._files.path(file)
        try:
            os.link(held, source)
        except FileNotFoundError as error:  # swept between the two
            raise InvalidRequestError("input_file_expired") from error
        except OSError:  # a file system without hard links
            shutil.copyfile(held, source)


@contextmanager
def _blaming(field: str) -> Iterator[None]:
    """Names the request's field in errors about what its address leads to."""
    try:
        yield
    except InvalidRequestError as error:
        raise InvalidRequestError("field_breaks_rule", field=field, sentence=str(error)) from error
