"""Options that several commands share, and the ledger of a data folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overpaint.commands.secret_options import secret_option
from overpaint.errors import LinkError
from overpaint.folders import data_dir
from overpaint.light_words import FULL
from overpaint.private_folder import private_umask
from overpaint.processes import roles
from overpaint.wire.credits import BOOKS_CHANGED

if TYPE_CHECKING:
    from overpaint.ledger import Ledger

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Where keys, credits and settings live.")]
Database = Annotated[
    str,
    typer.Option(
        envvar="OVERPAINT_DATABASE",
        callback=secret_option,
        help="Database of keys and credits, as postgresql://USER:PASSWORD@HOST/NAME; the data folder's own "
        "when left out. @FILE reads it from a file: other users see options.",
    ),
]
AllowHttp = Annotated[
    bool,
    typer.Option(
        "--allow-http",
        help="Send key and pictures to http:// elsewhere too: everybody on the way can read them.",
    ),
]
LightShare = Annotated[
    int,
    typer.Option(
        min=0,
        max=FULL,
        help="Light correction of dark, back-lit and badly lit pictures, percent; 0: their own light.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of words.")]


@contextmanager
def open_ledger(data: Path | None, database: str = "") -> Iterator[Ledger]:
    """The ledger of a data folder, or of the database that is named, for one command.

    Where the command changes a balance, the core of that folder is told, and tells those who show it.
    """
    from overpaint.ledger import Ledger, ledger_url

    folder = data_dir(data)
    private_umask()
    ledger = Ledger(database or ledger_url(folder))
    changed: list[None] = []
    ledger.watch(lambda: changed.append(None))
    try:
        yield ledger
    finally:
        ledger.close()
    if changed:
        _tell_core(folder)


def _tell_core(folder: Path) -> None:
    core = roles.call(folder, "core")
    if core is not None:
        with suppress(LinkError):
            core.receive(timeout=5.0)  # its grant; a core that is ending has none
            core.send(BOOKS_CHANGED)
        core.close()
