"""``overpaint transform``: pictures and clips in, restyled ones out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overpaint.commands.options import AllowHttp, AsJson, DataDir
from overpaint.folders import data_dir

if TYPE_CHECKING:
    from overpaint.session.batch.batch_order import Outcome, Show


def transform(
    inputs: Annotated[list[Path], typer.Argument(help="Pictures, clips, and folders with some in them.")],
    prompt: Annotated[str, typer.Option(help="What they should look like.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="A file for one input, else a folder.")],
    server: Annotated[str, typer.Option(help="Address of a remote service.")] = "",
    allow_http: AllowHttp = False,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Restyle pictures and clips.

    In a folder, cat.jpg becomes cat.look.jpg, or cat.look-2.jpg when that is taken; no file is ever
    overwritten. What lies in folders of a folder goes into such folders of the results. A result takes the
    suffix of what it is (PNG or JPEG, MP4), whatever --output says. Ctrl+C says what was charged; what the
    service had not begun costs nothing.
    """
    from overpaint.app import run_transform
    from overpaint.session.batch.batch_order import TransformOrder

    order = TransformOrder([each.expanduser() for each in inputs], prompt, output.expanduser())
    with _progress() as show:
        outcomes = run_transform(
            data_dir(data),
            order,
            server,
            show,
            lambda stopped: typer.echo(stopped.words, err=True),
            allow_http,
        )
    for outcome in outcomes:
        if outcome.error is not None:
            typer.echo(f"{outcome.source}: {outcome.error.line}", err=True)
        elif outcome.result is not None and not as_json:
            typer.echo(f"{outcome.source} → {outcome.result.path}")
    if as_json:
        typer.echo(json.dumps({"files": [_row(each) for each in outcomes]}, ensure_ascii=False))
    if any(outcome.error is not None for outcome in outcomes):
        raise typer.Exit(1)


def _row(outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {"input": str(outcome.source), "output": None, "job": None, "error": None}
    if outcome.result is not None:
        row |= {"output": str(outcome.result.path), "job": outcome.result.job.model_dump(mode="json")}
    if outcome.error is not None:
        row |= {"error": {"type": outcome.error.kind, "message": str(outcome.error)}}
    return row


@contextmanager
def _progress() -> Iterator[Show]:
    """A bar for each file on a terminal; elsewhere a line for each stage of each file."""
    if not sys.stderr.isatty():
        stages: dict[Path, str] = {}

        def say(source: Path, stage: str, part: float) -> None:
            if stages.get(source) != stage:
                stages[source] = stage
                typer.echo(f"{source}: {stage}", err=True)

        yield say
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
        known: dict[Path, Any] = {}

        def draw(source: Path, stage: str, part: float) -> None:
            if source not in known:
                known[source] = bars.add_task(stage, total=1.0, name=source.name)
            # Nobody hears how far a picture is, nor a clip before its turn: the bar runs to and fro.
            unknown = stage == "restyling" and part == 0
            bars.update(known[source], description=stage, completed=part, total=None if unknown else 1.0)

        yield draw
