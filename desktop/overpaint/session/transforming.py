"""Has files restyled by the service, two at a time: which files, under which names, and what came of it.

One file that fails does not stop the others. A result takes the suffix of what it is, and no file that
is there already is ever overwritten. Must not know windows, codecs or how the service is found.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from overpaint.client.files import unreadable, unwritable
from overpaint.client.http import PATIENCE_S, Restyled, ServiceClient, Stage
from overpaint.errors import InsufficientCreditsError, OverpaintError, UnreachableError, UsageError
from overpaint.session.runner import ServiceAccess, with_a_way_out
from overpaint.wire.service import Kind, TransformJob

AT_ONCE = 2
RETURN_S = 2.0
"""How soon a service that went away during a job is looked for at another address."""

_SUFFIXES: dict[str, tuple[str, ...]] = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/webp": (".webp",),
    "image/avif": (".avif",),
    "image/heic": (".heic", ".heif"),
    "image/gif": (".gif",),
    "image/tiff": (".tif", ".tiff"),
    "image/bmp": (".bmp",),
    "video/mp4": (".mp4", ".m4v"),
    "video/quicktime": (".mov",),
    "video/x-matroska": (".mkv",),
    "video/webm": (".webm",),
    "video/x-msvideo": (".avi",),
}
"""Content type → suffixes, its usual one first. In folders, files with these are taken for media; what a
file really is, the service says."""

Show = Callable[[Path, Stage, float], None]
"""Told of each input its stage and how much of it is done, 0..1."""


@dataclass(frozen=True, slots=True)
class TransformOrder:
    """What is to be done.

    Attributes:
        inputs: Files, and folders with media in them.
        prompt: What they should look like.
        output: The file for the one input, or the folder for all results.
    """

    inputs: Sequence[Path]
    prompt: str
    output: Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one file: ``result``, or ``error``."""

    source: Path
    result: Restyled | None
    error: OverpaintError | None


class Naming:
    """Names for results.

    A name is taken by creating an empty file under it, which no two can do; the result replaces it.

    Args:
        output: As the user named it.
        sources: All inputs.

    Raises:
        UsageError: One file is named for several results, or for a result of another kind, or it is
            there already.
        SinkError: The folder cannot be made.
    """

    def __init__(self, output: Path, sources: Sequence[Path]) -> None:
        is_file = not output.is_dir() and _kind(output) is not None
        self._file = output if is_file else None
        self._folder = output.parent if is_file else output
        self._taken: set[Path] = set()
        if self._file is not None:
            _check_named(self._file, sources)
        elif output.exists() and not output.is_dir():
            raise UsageError(f"{output} is not a folder.", mend="Name a folder, or a file with a suffix.")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(self._folder, error) from error

    def name(self, source: Path, content_type: str) -> Path:
        """Takes a name for the result of one input. Raises ``SinkError``."""
        suffixes = _SUFFIXES.get(content_type, (source.suffix,))
        if self._file is not None:
            suffix = self._file.suffix if self._file.suffix.lower() in suffixes else suffixes[0]
            return self._take(self._file.stem, suffix)
        return self._take(f"{source.stem}.look", suffixes[0])

    def release(self) -> None:
        """Removes the names that no result came to."""
        for path in self._taken:
            if path.is_file() and path.stat().st_size == 0:
                path.unlink()

    def _take(self, stem: str, suffix: str) -> Path:
        number = 1
        while True:
            path = self._folder / (f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}")
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                number += 1
            except OSError as error:
                raise unwritable(path, error) from error
            else:
                self._taken.add(path)
                return path


def _check_named(file: Path, sources: Sequence[Path]) -> None:
    if len(sources) != 1:
        raise UsageError(f"{file} cannot hold {len(sources)} results.", mend="Name a folder instead.")
    if file.exists():
        raise UsageError(f"There is already a file {file}.", mend="Name another one, or delete it first.")
    kind = _kind(sources[0])
    if kind is not None and kind != _kind(file):
        words = {"image": "a picture", "video": "a clip"}
        raise UsageError(
            f"{sources[0].name} is {words[kind]}, and {file.name} would not be one.",
            mend=f"Name a file ending in {'.png' if kind == 'image' else '.mp4'}.",
        )


def _kind(path: Path) -> Kind | None:
    for content_type, suffixes in _SUFFIXES.items():
        if path.suffix.lower() in suffixes:
            return "image" if content_type.startswith("image/") else "video"
    return None


def expand(inputs: Sequence[Path]) -> list[Path]:
    """The files of an order: each once, those of a folder sorted by name.

    Raises:
        UsageError: There is none.
        SourceError: A folder cannot be read.
    """
    files: dict[Path, None] = {}
    for path in inputs:
        if not path.is_dir():
            files[path] = None
            continue
        try:
            inside = sorted(path.iterdir())
        except OSError as error:
            raise unreadable(path, error) from error
        for each in inside:
            if each.is_file() and not each.name.startswith(".") and _kind(each) is not None:
                files[each] = None
    if not files:
        raise UsageError("There is no picture or clip to restyle.", mend="Name files, or a folder with some.")
    return list(files)


async def transform(access: ServiceAccess, order: TransformOrder, show: Show) -> list[Outcome]:
    """Restyles all files of an order. To stop, cancel the task: no part of a file is left behind.

    Returns:
        What came of each, in the order of the inputs.

    Raises:
        UsageError: The order itself is wrong.
        OverpaintError: The service cannot be found.
    """
    sources = await asyncio.to_thread(expand, order.inputs)
    naming = Naming(order.output, sources)
    await access.endpoint()  # a service that is not there is one error, not one for each file
    places = asyncio.Semaphore(AT_ONCE)

    async def one(source: Path) -> Outcome:
        async with places:
            try:
                return Outcome(source, await _restyle(access, source, order.prompt, naming, show), None)
            except OverpaintError as error:
                return Outcome(source, None, error)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(source)) for source in sources]
    finally:
        naming.release()
    return [task.result() for task in tasks]


async def _restyle(access: ServiceAccess, source: Path, prompt: str, naming: Naming, show: Show) -> Restyled:
    heard_at = time.monotonic()

    def tell(stage: Stage, part: float) -> None:
        nonlocal heard_at
        heard_at = time.monotonic()
        show(source, stage, part)

    @functools.cache
    def name(content_type: str) -> Path:
        return naming.name(source, content_type)

    async with _client(access) as client:
        job = await client.submit(source, prompt, tell)
    while True:
        try:
            async with _client(access) as client:
                return await client.collect(job, name, tell, patience_s=RETURN_S)
        except UnreachableError:
            # A job outlives the core that took it: the core that is started next goes on with it, at
            # another address.
            if time.monotonic() - heard_at > PATIENCE_S:
                raise
            job = _unsettled(job)
            await asyncio.sleep(RETURN_S)


def _unsettled(job: TransformJob) -> TransformJob:
    """The job, to be asked for again: its output's address was one of the core that is gone."""
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
