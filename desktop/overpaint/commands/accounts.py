"""``overpaint keys`` and ``overpaint credits``: the books of the service on this machine."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from overpaint.commands.options import AsJson, Database, DataDir, open_ledger
from overpaint.wire.service import Environment

keys_app = typer.Typer(help="API keys of the service on this machine.", no_args_is_help=True)
credits_app = typer.Typer(help="Credits of the service on this machine.", no_args_is_help=True)


class KeyKind(StrEnum):
    """The environments of keys."""

    LIVE = "live"
    TEST = "test"


@keys_app.command("create")
def create_key(
    name: Annotated[str, typer.Option(help="Label of the key.")],
    environment: Annotated[KeyKind, typer.Option(help="live or test.")],
    account: Annotated[
        str | None, typer.Option(help="Whose key it is; its own name's when left out.")
    ] = None,
    amount: Annotated[int, typer.Option("--credits", min=0, help="Credits to start with.")] = 0,
    as_json: AsJson = False,
    data: DataDir = None,
    database: Database = "",
) -> None:
    """Create a key. It is shown this once."""
    kind: Environment = environment.value
    with open_ledger(data, database) as ledger:
        created = ledger.create_key(name, kind, account, amount)
    record = created.record
    if as_json:
        fields = {"key": created.key, "masked": record.masked, "name": record.name}
        typer.echo(json.dumps({**fields, "environment": record.environment, "account": record.account}))
        return
    typer.echo(created.key)
    typer.echo("Keep it: it is not shown again.", err=True)


@keys_app.command("list")
def list_keys(as_json: AsJson = False, data: DataDir = None, database: Database = "") -> None:
    """List keys, in masked form."""
    with open_ledger(data, database) as ledger:
        rows = [
            {
                "name": record.name,
                "environment": record.environment,
                "account": record.account,
                "masked": record.masked,
                "credits": ledger.balance(record.purse),
                "created_at": record.created_at.isoformat(),
                "revoked_at": record.revoked_at.isoformat() if record.revoked_at else None,
            }
            for record in ledger.list_keys()
        ]
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False))
        return
    from overpaint.ledger import LOCAL_KEY_NAME

    for row in rows:
        balance = "free" if row["name"] == LOCAL_KEY_NAME else f"{row['credits']} credits"
        state = "revoked" if row["revoked_at"] else balance
        typer.echo(f"{row['name']}  {row['masked']}  {row['environment']}  {row['account']}  {state}")


@keys_app.command("revoke")
def revoke_key(
    name: Annotated[str, typer.Option(help="Label of the key.")],
    as_json: AsJson = False,
    data: DataDir = None,
    database: Database = "",
) -> None:
    """Revoke a key: it stops working at once."""
    with open_ledger(data, database) as ledger:
        record = ledger.revoke_key(name)
    if as_json:
        typer.echo(json.dumps({"name": record.name, "masked": record.masked, "revoked": True}))
        return
    typer.echo(f"{record.name} ({record.masked}) does not work any more.")


@credits_app.command("add")
def add_credits(
    amount: Annotated[int, typer.Argument(min=1, help="How many.")],
    key_name: Annotated[str, typer.Option(help="Key whose account and environment get them.")],
    data: DataDir = None,
    database: Database = "",
) -> None:
    """Add credits."""
    with open_ledger(data, database) as ledger:
        balance = ledger.add_credits(key_name, amount)
    typer.echo(f"{balance} credits")


@credits_app.command("list")
def list_credits(
    key_name: Annotated[
        str, typer.Option(help="Key whose account it is; this computer's own when left out.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, help="How many of the newest.")] = 50,
    as_json: AsJson = False,
    data: DataDir = None,
    database: Database = "",
) -> None:
    """List what an account was charged and granted, newest first, and its balance."""
    from overpaint.ledger import TOPPED_UP

    with open_ledger(data, database) as ledger:
        purse = ledger.purse(key_name)
        entries, balance = ledger.history(purse, limit), ledger.balance(purse)
    if as_json:
        rows = [
            {
                "at": entry.at.isoformat(),
                "credits": entry.credits,
                "reason": entry.reason,
                "reference": entry.reference,
            }
            for entry in entries
        ]
        typer.echo(json.dumps({"credits_remaining": balance, "entries": rows}, ensure_ascii=False))
        return
    for entry in entries:
        when = entry.at.astimezone().strftime("%Y-%m-%d %H:%M")
        topped = entry.reason == TOPPED_UP
        words = "Free on this computer: topped up" if topped else f"{entry.reason}  {entry.reference}"
        typer.echo(f"{when}  {entry.credits:+d}  {words}")
    typer.echo(f"{balance} credits")
