"""``overpaint processes``: what runs for a data folder."""

from __future__ import annotations

import json

import typer

from overpaint.commands.options import AsJson, DataDir
from overpaint.folders import data_dir
from overpaint.processes.census import census


def processes(as_json: AsJson = False, data: DataDir = None) -> None:
    """What runs for this data folder: role, process id, since when."""
    running = census(data_dir(data))
    if as_json:
        said = [
            {"role": each.role, "pid": each.pid, "since": f"{each.since:%Y-%m-%dT%H:%M:%SZ}"}
            for each in running
        ]
        typer.echo(json.dumps(said))
        return
    if not running:
        typer.echo("Nothing runs.")
    for each in running:
        typer.echo(f"{each.role:<8} {each.pid:>8}  since {each.since.astimezone():%Y-%m-%d %H:%M:%S}")
