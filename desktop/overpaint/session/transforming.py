"""Has files restyled by the service, two at a time: which files, under which names, and what came of it.

One file that fails does not stop the others. A result takes the suffix of what it is, and no file that
is there already is ever overwritten. Must not know windows, codecs or how the service is found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from overpaint.client.files import unwritable
from overpaint.client.http import Restyled, Stage
from overpaint.errors import OverpaintError, UsageError
from overpaint.session.access import ServiceAccess
from overpaint.session.journey import Journey
from overpaint.session.media_files import SUFFIXES, expand, kind_of

AT_ONCE = 2
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
        is_file = not output.is_dir() and kind_of(output) is not None
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
        suffixes = SUFFIXES.get(content_type, (source.suffix,))
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
    kind = kind_of(sources[0])
    if kind is not None and kind != kind_of(file):
        words = {"image": "a picture", "video": "a clip"}
        raise UsageError(
            f"{sources[0].name} is {words[kind]}, and {file.name} would not be one.",
            mend=f"Name a file ending in {'.png' if kind == 'image' else '.mp4'}.",
        )


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
                journey = Journey(
                    access,
                    source,
                    order.prompt,
                    lambda content_type: naming.name(source, content_type),
                    lambda stage, part: show(source, stage, part),
                )
                return Outcome(source, await journey.run(), None)
            except OverpaintError as error:
                return Outcome(source, None, error)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(source)) for source in sources]
    finally:
        naming.release()
    return [task.result() for task in tasks]
