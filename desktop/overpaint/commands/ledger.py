"""``overpaint ledger``: backups of the service's data, and its tables' migration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from overpaint.commands.options import AsJson, Database, DataDir
from overpaint.errors import UsageError
from overpaint.folders import data_dir

ledger_app = typer.Typer(
    help="Backups of keys, credits, jobs and files of the service on this machine.", no_args_is_help=True
)


@ledger_app.command("backup")
def back_up(
    folder: Annotated[Path, typer.Argument(help="Folder to make for the backup.")],
    as_json: AsJson = False,
    data: DataDir = None,
    database: Database = "",
) -> None:
    """Back up the data folder, while the service runs."""
    from overpaint.core import data_backup

    _refuse_elsewhere(database, UsageError("ledger_elsewhere_backup"))
    data_backup.back_up(data_dir(data), folder)
    typer.echo(json.dumps({"backup": str(folder)}) if as_json else f"The backup is {folder}.")


@ledger_app.command("restore")
def restore(
    backup: Annotated[Path, typer.Argument(help="Folder of a backup, or a file of the folder “backups”.")],
    as_json: AsJson = False,
    data: DataDir = None,
    database: Database = "",
) -> None:
    """Restore a backup into the data folder; the service must not run."""
    from overpaint.core import data_backup

    _refuse_elsewhere(database, UsageError("ledger_elsewhere_restore"))
    done = data_backup.restore(data_dir(data), backup)
    if as_json:
        former = str(done.former) if done.former is not None else None
        typer.echo(json.dumps({"ledger": str(done.ledger), "former": former, "files": done.files}))
        return
    typer.echo(f"Restored {done.ledger} and {done.files} files.")
    if done.former is not None:
        typer.echo(f"The ledger that was there before is {done.former}.")


@ledger_app.command("migrate")
def migrate(data: DataDir = None, database: Database = "") -> None:
    """Bring the ledger's tables to the form of this version; a PostgreSQL database is not copied before."""
    from overpaint.ledger import Ledger, ledger_url

    Ledger(database or ledger_url(data_dir(data)), migrates=True).close()
    typer.echo("The ledger has the form of this version.")


def _refuse_elsewhere(database: str, refusal: UsageError) -> None:
    """A ledger that is named by an address does not lie in the data folder."""
    if database.startswith("sqlite"):
        raise UsageError("ledger_elsewhere_sqlite")
    if database:
        raise refusal
