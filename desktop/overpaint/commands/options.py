"""What several commands have in common: options, and the ledger of a data folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overpaint.folders import data_dir

if TYPE_CHECKING:
    from overpaint.ledger import Ledger

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Where keys, credits and settings live.")]
Database = Annotated[
    str,
    typer.Option(
        envvar="OVERPAINT_DATABASE",
        help="Database of keys and credits, as postgresql://USER:PASSWORD@HOST/NAME; the data folder's own "
        "when left out. Give it in the environment: other users see options.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of words.")]


@contextmanager
def open_ledger(data: Path | None, database: str = "") -> Iterator[Ledger]:
    """The ledger of a data folder, or of the database that is named, for one command."""
    from overpaint.ledger import Ledger, ledger_url

    ledger = Ledger(database or ledger_url(data_dir(data)))
    try:
        yield ledger
    finally:
        ledger.close()
