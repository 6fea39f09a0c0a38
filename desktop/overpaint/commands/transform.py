"""``overpaint transform``: pictures and clips in, restyled ones out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overpaint.commands.options import AllowHttp, AsJson, DataDir, LightShare
from overpaint.commands.photo_option import chosen_photo, photo_bytes
from overpaint.commands.understand import hint_of, read_here, warnings_of
from overpaint.errors import UsageError
from overpaint.folders import data_dir
from overpaint.light_words import FULL, with_light
from overpaint.wire.looks import spoken
from overpaint.wire.preferences import PICTURE_SIDE_MAX

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from overpaint.session.batch.batch_order import Outcome, Stopped


class ClipType(StrEnum):
    """Containers in which restyled clips are saved."""

    KEEP = "keep"
    MP4 = "mp4"
    MKV = "mkv"


class PictureType(StrEnum):
    """Formats in which restyled pictures are saved."""

    KEEP = "keep"
    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"


def transform(
    inputs: Annotated[list[Path], typer.Argument(help="Pictures, clips, and folders with some in them.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="A file for one input, else a folder.")],
    prompt: Annotated[str, typer.Option(help="What they should look like.")] = "",
    reference: Annotated[
        Path | None,
        typer.Option(help="Photo: its style without --prompt; else what the prompt uses of it."),
    ] = None,
    backdrop: Annotated[Path | None, typer.Option(help="Photo to put behind people.")] = None,
    format: Annotated[
        PictureType,
        typer.Option(help="Format of restyled pictures; keep: PNG or JPEG, as the service sends."),
    ] = PictureType.KEEP,
    clip_format: Annotated[
        ClipType, typer.Option(help="Container of restyled clips; keep: MP4, as the service sends.")
    ] = ClipType.KEEP,
    longest_side: Annotated[
        int,
        typer.Option(
            min=0,
            max=PICTURE_SIDE_MAX,
            help="Shrinks larger results to it, pixels (1920, 1280); 0: no limit.",
        ),
    ] = 0,
    light: LightShare = FULL,
    server: Annotated[str, typer.Option(help="Address of a remote service.")] = "",
    allow_http: AllowHttp = False,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Restyle pictures, clips, and folders of them.

    In a folder, cat.jpg becomes cat.look.jpg, or cat.look-2.jpg when that is taken; no file is ever
    overwritten. What lies in folders of a folder goes into such folders of the results. A result takes the
    suffix of what it is (see --format, --clip-format), whatever --output says. With --backdrop, the photo
    stands behind people, in the prompt's look or as it is. With --reference, the prompt "colour grade" takes
    only the photo's colours, and any other look is painted in them. With --server, the price is told before
    anything is sent, and Ctrl+C says what was charged; what the service had not begun costs nothing. Words
    of the prompt that nothing can be done with are named first; a prompt of nothing else orders nothing.
    """
    from overpaint.app import run_transform
    from overpaint.media.opener.picture_conversion import ClipForm, PictureForm, ResultForm
    from overpaint.session.batch.batch_order import TransformOrder

    prompt, photo = chosen_photo(prompt, reference, backdrop)
    photo = None if photo is None else photo.expanduser()
    if photo is not None:
        photo_bytes(photo)  # so that a photo that will not do is one error, before anything is sent
    # A remote service may understand more than this computer.
    reading = None if server else read_here(prompt, photo is not None)
    if reading is not None:
        for line in warnings_of(prompt, reading)[1 if reading.nothing and photo is None else 0 :]:
            typer.echo(line, err=True)
        if reading.nothing and photo is None:
            raise UsageError("prompt_beyond_every_look", words=spoken(prompt, reading.not_understood))
    order = TransformOrder(
        [each.expanduser() for each in inputs],
        with_light(prompt or PHOTO_STYLE, light),
        output.expanduser(),
        photo,
        ResultForm(PictureForm(format.value, longest_side), ClipForm(clip_format.value, longest_side)),
    )
    with _watcher(priced=bool(server)) as watcher:
        outcomes = run_transform(data_dir(data), order, server, watcher, allow_http)
    for outcome in outcomes:
        if outcome.error is not None:
            typer.echo(f"{outcome.source}: {outcome.error.line}", err=True)
        elif outcome.result is not None and not as_json:
            typer.echo(f"{outcome.source} → {outcome.result.path}")
            if outcome.result.unchanged:
                typer.echo(f"{outcome.source}: {_UNCHANGED}", err=True)
    if as_json:
        words = [] if reading is None else list(reading.not_understood)
        hint = None if reading is None else hint_of(reading)
        rows = [_row(each) for each in outcomes]
        typer.echo(json.dumps({"files": rows, "not_understood": words, "hint": hint}, ensure_ascii=False))
    if any(outcome.error is not None for outcome in outcomes):
        raise typer.Exit(1)


PHOTO_STYLE = "photo style"
"""The prompt of a photo that comes without one: the interface asks for a prompt of at least a character."""


_UNCHANGED = "it is as it was, and costs nothing: the service can do nothing of the prompt."


def _row(outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {"input": str(outcome.source), "output": None, "job": None, "error": None}
    if outcome.result is not None:
        row |= {"output": str(outcome.result.path), "job": outcome.result.job.model_dump(mode="json")}
    if outcome.error is not None:
        row |= {"error": {"type": outcome.error.kind, "message": str(outcome.error)}}
    return row


class _Lines:
    """Progress as lines on standard error: one for each stage of each file.

    Args:
        priced: Whether to tell the price: not for the service of this computer.
    """

    def __init__(self, priced: bool) -> None:
        self._priced = priced
        self._stages: dict[Path, str] = {}
        self._ended = self._all = 0

    def planned(self, sources: Sequence[Path]) -> None:
        """Says how many files there are, and what they cost."""
        self._all = len(sources)
        typer.echo(plan_words(sources, self._priced), err=True)

    def advanced(self, source: Path, stage: str, part: float) -> None:
        """Says each new stage."""
        if self._stages.get(source) != stage:
            self._stages[source] = stage
            typer.echo(f"{source}: {stage}", err=True)

    def ended(self, outcome: Outcome) -> None:
        """Says how many files are through."""
        self._ended += 1
        word = "done" if outcome.error is None else "failed"
        typer.echo(f"{outcome.source}: {word} ({self._ended} of {self._all})", err=True)

    def stopped(self, stopped: Stopped) -> None:
        """Says what was charged."""
        typer.echo(stopped.words, err=True)


class _Bars(_Lines):
    """Progress as bars on a terminal: one for all files, and one for each file under way."""

    def __init__(self, priced: bool, bars: Progress) -> None:
        super().__init__(priced)
        self._bars = bars
        self._whole: TaskID | None = None
        self._known: dict[Path, TaskID] = {}

    def planned(self, sources: Sequence[Path]) -> None:
        """See ``_Lines``."""
        super().planned(sources)
        if len(sources) > 1:
            self._whole = self._bars.add_task(f"0 of {len(sources)}", total=len(sources), name="")

    def advanced(self, source: Path, stage: str, part: float) -> None:
        """Moves a file's bar."""
        if source not in self._known:
            self._known[source] = self._bars.add_task(stage, total=1.0, name=source.name)
        # Nobody hears how far a picture is, nor a clip before its turn: the bar runs to and fro.
        unknown = stage == "restyling" and part == 0
        self._bars.update(
            self._known[source], description=stage, completed=part, total=None if unknown else 1.0
        )

    def ended(self, outcome: Outcome) -> None:
        """Takes a file's bar away: of a thousand files, only those under way are shown."""
        self._ended += 1
        if outcome.source in self._known:
            self._bars.remove_task(self._known.pop(outcome.source))
        if self._whole is not None:
            self._bars.update(self._whole, completed=self._ended, description=f"{self._ended} of {self._all}")


def plan_words(sources: Sequence[Path], priced: bool) -> str:
    """What is about to be ordered: "12 pictures and 1 clip: 44 credits"; the price where there is one."""
    from overpaint.session.batch.media_files import kind_of
    from overpaint.wire.service import KINDS, PRICES

    clips = sum(kind_of(path) == "video" for path in sources)
    prices = {kind: PRICES[model] for model, kind in KINDS.items()}
    counts = [(len(sources) - clips, "picture"), (clips, "clip")]
    words = " and ".join(f"{count} {name}{'s'[: count != 1]}" for count, name in counts if count)
    credits = (len(sources) - clips) * prices["image"] + clips * prices["video"]
    return f"{words}: {credits} credits" if priced else words


@contextmanager
def _watcher(priced: bool) -> Iterator[_Lines]:
    """Bars on a terminal, else lines."""
    if not sys.stderr.isatty():
        yield _Lines(priced)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.fields[name]}", markup=False),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bars:
        yield _Bars(priced, bars)
