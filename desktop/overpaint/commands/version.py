"""``overpaint version``: this version, and on request the newest one."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated

import typer

from overpaint import __version__
from overpaint.commands.options import AsJson, DataDir
from overpaint.errors import UsageError
from overpaint.folders import data_dir

if TYPE_CHECKING:
    from overpaint.wire.preferences import Release


def version(
    check: Annotated[
        bool, typer.Option("--check", help="Ask for the newest version; nothing is downloaded or installed.")
    ] = False,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Say the version, and with --check whether there is a newer one."""
    if not check:
        typer.echo(json.dumps({"version": __version__}) if as_json else f"overpaint {__version__}")
        return
    from overpaint.settings import load_settings
    from overpaint.updates.newest_release import address_of, is_newer, newest_release

    address = address_of(load_settings(data_dir(data)).releases_address)
    if not address:
        raise UsageError("releases_address_missing")
    newest = asyncio.run(newest_release(address))
    newer = is_newer(newest.version)
    if as_json:
        facts = {"version": __version__, "newest": newest.version, "newer": newer, "page": newest.page}
        typer.echo(json.dumps(facts | {"new": newest.new}, ensure_ascii=False))
    else:
        typer.echo(
            "\n".join(_lines(newest) if newer else [f"overpaint {__version__} is the newest version."])
        )


def _lines(newest: Release) -> list[str]:
    """What there is to say about a newer release; only printable text, since a stranger wrote it."""
    new = [f"  - {each}" for each in newest.new_in("en")]
    lines = [f"Version {newest.version} is there; this is {__version__}.", *new, newest.page]
    return ["".join(letter for letter in line if letter.isprintable()) for line in lines]
