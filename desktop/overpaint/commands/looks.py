"""``overpaint looks``: what the engine can do, and the looks that the user makes of nets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from overpaint.commands.options import AsJson
from overpaint.folders import looks_dir

looks_app = typer.Typer(help="What the engine can do.")


@looks_app.callback(invoke_without_command=True)
def list_looks(context: typer.Context, as_json: AsJson = False) -> None:
    """List the looks, your own among them, and the scenes, materials and cloths that go with them."""
    if context.invoked_subcommand is not None:
        return
    rows = [*_looks(), *_entries()]
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False))
        return
    width = max(len(str(row["name"])) for row in rows)
    for kind, head in _HEADS.items():
        listed = [row for row in rows if row["kind"] == kind]
        if listed and head:
            typer.echo(f"\n{head}")
        for row in listed:
            typer.echo(f"{row['name']:<{width}}  {row['description'] or row['title']}")


_HEADS = {
    "look": "",
    "scene": "Scenes: places behind people",
    "material": "Materials: what people, or everything, can be made of",
    "cloth": "Cloths: what clothes can be made of",
}
"""Kinds of rows, and the headings of their sections."""


def _looks() -> Iterator[dict[str, Any]]:
    from overpaint.engine import looks
    from overpaint.engine.library import own_looks

    own = own_looks(looks_dir())
    for look in (*looks(), *own):
        yield {
            "kind": "look",
            "name": look.name,
            "title": look.title,
            "description": look.description,
            "group": look.group,
            "needs": [] if look.needs == "none" else [look.needs],
            "own": look in own,
            "live": look.live,
        }


def _entries() -> Iterator[dict[str, Any]]:
    from overpaint.engine.catalogue import Kind, entries

    kinds: dict[Kind, str] = {"scenes": "scene", "materials": "material", "cloths": "cloth"}
    for kind, name in kinds.items():
        for entry in entries(kind):
            yield {
                "kind": name,
                "name": entry.name,
                "title": entry.title,
                "description": "",
                "group": name,
                "needs": [],
                "own": False,
                "live": True,
            }


@looks_app.command("add")
def add_look(
    model: Annotated[Path, typer.Argument(help="An ONNX file that takes a colour picture and gives one.")],
    name: Annotated[str, typer.Option(help="What to call it; the file's name when left out.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make a look of a net of your own: it is examined and timed on this machine, and copied."""
    import os

    from overpaint.commands.net_examination import examined
    from overpaint.engine.nets import custom_looks

    title = name or model.stem.replace("_", " ").replace("-", " ").capitalize()
    found = examined(model, os.cpu_count() or 1)
    look = custom_looks.add_look(looks_dir(), model, found, title)
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "name": look.name,
                    "title": look.title,
                    "live": found.live,
                    "milliseconds": round(found.seconds * 1e3, 1),
                    "rows": found.rows,
                    "device": found.device,
                },
                ensure_ascii=False,
            )
        )
        return
    typer.echo(f"{look.title} is a look now: say its name in a prompt. {found.verdict}")


@looks_app.command("remove")
def remove_look(name: Annotated[str, typer.Argument(help="As overpaint looks shows it.")]) -> None:
    """Remove a look of your own, and its net."""
    from overpaint.engine.nets import custom_looks

    custom_looks.remove_look(looks_dir(), name)
    typer.echo(f"{name} is removed.")
