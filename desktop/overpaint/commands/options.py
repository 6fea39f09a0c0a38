"""What several commands have in common: options, and the ledger of a data folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overpaint.settings import data_dir

if TYPE_CHECKING:
    from overpaint.ledger import Ledger

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Where keys, credits and settings live.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of words.")]


@contextmanager
def open_ledger(data: Path | None) -> Iterator[Ledger]:
    """The ledger of a data folder, for one command."""
    from overpaint.ledger import Ledger, ledger_url

    ledger = Ledger(ledger_url(data_dir(data)))
    try:
        yield ledger
    finally:
        ledger.close()
