"""A batch order of ``overpaint transform``: its files, two at a time, the names of results, the outcomes.

A file that fails does not stop the others. A result gets the suffix of its type, and an existing file is
never overwritten. Must not know windows, codecs or how the service is found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from overpaint.client.file_transfers import unwritable
from overpaint.client.http import Restyled, Stage
from overpaint.errors import InvalidRequestError, OverpaintError, SourceError, UpstreamError, UsageError
from overpaint.media.opener.picture_conversion import ResultForm
from overpaint.session.backend.service_access import ServiceAccess
from overpaint.session.batch.cancellation import given_back
from overpaint.session.batch.job_client import AS_SENT, Converters, Journey, Voucher
from overpaint.session.batch.media_files import SUFFIXES, expand, kind_of
from overpaint.session.batch.photo_uploads import PhotoUploads
from overpaint.wire.credits import ChargeOutcome
from overpaint.wire.service import PRICES

AT_ONCE = 2
_UNPAID = (UpstreamError, InvalidRequestError, SourceError)
"""Errors after which nothing was charged, or it was refunded."""
Note = Callable[[Path, Voucher, int, ChargeOutcome], None]
"""Receives each charge: the input, its order, the credits, what came of it."""


@dataclass(frozen=True, slots=True)
class TransformOrder:
    """A batch order.

    Attributes:
        inputs: Files, and folders with media in them.
        prompt: What they should look like.
        output: The file for the one input, or the folder for all results.
        photo: Reference photo for all files; None for none.
        form: Form in which results are saved.
    """

    inputs: Sequence[Path]
    prompt: str
    output: Path
    photo: Path | None = None
    form: ResultForm = AS_SENT


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one file: ``result``, or ``error``."""

    source: Path
    result: Restyled | None
    error: OverpaintError | None


@dataclass(frozen=True, slots=True)
class Stopped:
    """The cost of a cancelled order.

    Attributes:
        done: Files that were finished; they are kept.
        spent: Credits for the finished files.
        returned: Files that were ordered and then refunded.
        kept: Files that the service had begun, and charges.
        lost: Credits for the begun files.
        free: Whether nothing is paid for, because the service is this computer's own.
    """

    done: int
    spent: int
    returned: int
    kept: tuple[Path, ...]
    lost: int
    free: bool

    @property
    def words(self) -> str:
        """Returns one line for the user."""
        if self.free:
            return f"Cancelled: {_files(self.done)} {_is(self.done)} finished." if self.done else "Cancelled."
        parts = [f"Cancelled. {self.spent + self.lost} credits were charged"]
        if self.done:
            parts.append(f"{self.spent} for {_files(self.done)} that {_is(self.done)} finished")
        if self.kept:
            parts.append(f"{self.lost} for {_files(len(self.kept))} that the service had begun")
        if self.returned:
            parts.append(f"nothing for {_files(self.returned)} that it had not begun")
        return f"{': '.join((parts[0], ', '.join(parts[1:])))}." if parts[1:] else f"{parts[0]}."


def is_unpaid(error: OverpaintError) -> bool:
    """Whether nothing is paid for a file that failed so: nothing was charged, or it was refunded."""
    return isinstance(error, _UNPAID)


def what_came(voucher: Voucher, error: OverpaintError) -> ChargeOutcome | None:
    """What came of the charge of a file that failed; None where nothing was charged, or none is known.

    A picture's job is never told by its id: 502 says that it was charged and refunded (specification,
    "States and transitions").
    """
    if not voucher.job_id and not isinstance(error, UpstreamError):
        return None
    return "refunded" if is_unpaid(error) else ""


def charge_of(voucher: Voucher, done: Restyled) -> tuple[int, ChargeOutcome]:
    """What a file that is done was charged, credits, and what came of it."""
    if done.unchanged:
        return PRICES[voucher.model], "refunded"
    return done.job.credits_charged, ""


class Watcher(Protocol):
    """Receives what becomes of an order."""

    def planned(self, sources: Sequence[Path]) -> None:
        """All files of the order are known; nothing is sent yet."""

    def advanced(self, source: Path, stage: Stage, part: float) -> None:
        """A file has a stage, and progress in it, 0..1."""

    def ended(self, outcome: Outcome) -> None:
        """A file is done, or has failed."""

    def stopped(self, stopped: Stopped) -> None:
        """The order was cancelled."""


class Naming:
    """Unique names for results.

    A name is reserved by creating an empty file, which is atomic; the result replaces it.

    Args:
        output: As the user named it.
        sources: All inputs, each with its folder below the results' folder.

    Raises:
        UsageError: The output is one file for several results, has the suffix of another type, or exists.
        SinkError: The folder cannot be created.
    """

    def __init__(self, output: Path, sources: Sequence[Path] | Mapping[Path, Path]) -> None:
        self._places = sources if isinstance(sources, Mapping) else {}
        is_file = not output.is_dir() and kind_of(output) is not None
        self._file = output if is_file else None
        self._folder = output.parent if is_file else output
        self._taken: set[Path] = set()
        if self._file is not None:
            _check_named(self._file, list(sources))
        elif output.exists() and not output.is_dir():
            raise UsageError("results_folder_is_none", path=str(output))
        _make(self._folder)

    def name(self, source: Path, content_type: str) -> Path:
        """Reserves a name for the result of one input. Raises ``SinkError``."""
        suffixes = SUFFIXES.get(content_type, (source.suffix,))
        if self._file is not None:
            suffix = self._file.suffix if self._file.suffix.lower() in suffixes else suffixes[0]
            return self._take(self._folder, self._file.stem, suffix)
        folder = self._folder / self._places.get(source, Path())
        _make(folder)
        return self._take(folder, f"{source.stem}.look", suffixes[0])

    def release(self) -> None:
        """Releases reserved names that got no result."""
        for path in self._taken:
            if path.is_file() and path.stat().st_size == 0:
                path.unlink()

    def _take(self, folder: Path, stem: str, suffix: str) -> Path:
        number = 1
        while True:
            path = folder / (f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}")
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                number += 1
            except OSError as error:
                raise unwritable(path, error) from error
            else:
                self._taken.add(path)
                return path


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _check_named(file: Path, sources: Sequence[Path]) -> None:
    if len(sources) != 1:
        raise UsageError("results_need_a_folder", file=str(file), count=len(sources))
    if file.exists():
        raise UsageError("result_exists", file=str(file))
    kind = kind_of(sources[0])
    if kind is not None and kind != kind_of(file):
        raise UsageError(
            "result_of_picture_misnamed" if kind == "image" else "result_of_clip_misnamed",
            file=sources[0].name,
            result=file.name,
        )


async def transform(
    access: ServiceAccess,
    order: TransformOrder,
    watcher: Watcher,
    note: Note = lambda source, voucher, credits, outcome: None,
    converters: Converters | None = None,
) -> list[Outcome]:
    """Restyles all files of an order. Cancelling the task stops it and leaves no partial files.

    Args:
        access: Finds the service.
        order: What is to be done.
        watcher: Receives the progress.
        note: Receives each charge.
        converters: Convert what is saved in another form; None where nothing is.

    Returns:
        The outcome of each file, in the order of the inputs.

    Raises:
        UsageError: The order itself is wrong.
        OverpaintError: The service cannot be found.
    """
    sources = await asyncio.to_thread(expand, order.inputs, order.output)
    naming = Naming(order.output, sources)
    await access.endpoint()  # a missing service is one error, not one for each file
    watcher.planned(list(sources))
    photos = PhotoUploads()
    places = asyncio.Semaphore(AT_ONCE)
    ordered: dict[Path, Voucher] = {}
    finished: list[Restyled] = []

    async def one(source: Path) -> Outcome:
        async def keep(voucher: Voucher | None) -> None:
            ordered.pop(source, None)
            if voucher is not None:
                ordered[source] = voucher

        async with places:
            try:
                journey = Journey(
                    access,
                    source,
                    order.prompt,
                    lambda content_type: naming.name(source, content_type),
                    lambda stage, part: watcher.advanced(source, stage, part),
                    keep=keep,
                    photo=order.photo,
                    photos=photos,
                    converters=converters,
                    form=order.form,
                )
                done = await journey.run()
                finished.append(done)
                voucher = ordered.pop(source)
                note(source, voucher, *charge_of(voucher, done))
                outcome = Outcome(source, done, None)
            except OverpaintError as error:
                failed = ordered.pop(source, None)
                if failed is not None and (came := what_came(failed, error)) is not None:
                    note(source, failed, PRICES[failed.model], came)
                outcome = Outcome(source, None, error)
            watcher.ended(outcome)
            return outcome

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(source)) for source in sources]
    except asyncio.CancelledError:
        watcher.stopped(await _given_up(access, finished, ordered, note))
        raise
    finally:
        naming.release()
    return [task.result() for task in tasks]


async def _given_up(
    access: ServiceAccess, finished: Sequence[Restyled], ordered: Mapping[Path, Voucher], note: Note
) -> Stopped:
    """Cancels the jobs that the service has not begun, and counts what was charged."""
    free = await asyncio.gather(*(given_back(access, voucher) for voucher in ordered.values()))
    kept = []
    for (source, voucher), back in zip(ordered.items(), free, strict=True):
        note(source, voucher, PRICES[voucher.model], "refunded" if back else "cancelled")
        if not back:
            kept.append((source, voucher))
    return Stopped(
        done=len(finished),
        spent=sum(each.job.credits_charged for each in finished),
        returned=sum(free),
        kept=tuple(source for source, _ in kept),
        lost=sum(PRICES[voucher.model] for _, voucher in kept),
        free=not access.server,
    )
