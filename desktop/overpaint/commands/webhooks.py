"""``overpaint webhooks``: which calls were made or are owed, and the secrets that sign them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overpaint.commands.options import AsJson, Database, DataDir, open_ledger

if TYPE_CHECKING:
    from overpaint.ledger import Delivery

webhooks_app = typer.Typer(help="Webhook calls of the service on this machine.")


@webhooks_app.callback(invoke_without_command=True)
def list_webhooks(
    context: typer.Context,
    account: Annotated[str | None, typer.Option(help="Only this account's.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")] = 50,
    as_json: AsJson = False,
    data: DataDir = None,
    database: Database = "",
) -> None:
    """List webhook calls, newest first."""
    if context.invoked_subcommand is not None:
        return
    with open_ledger(data, database) as ledger:
        deliveries = ledger.deliveries(account, limit)
    if as_json:
        typer.echo(json.dumps([_fields(delivery) for delivery in deliveries], ensure_ascii=False))
        return
    for delivery in deliveries:
        typer.echo(_words(delivery))


@webhooks_app.command("secret")
def webhook_secret(
    account: Annotated[str, typer.Option(help="Whose calls it signs.")],
    rotate: Annotated[bool, typer.Option("--rotate", help="Replace it at once.")] = False,
    as_json: AsJson = False,
    data: DataDir = None,
    database: Database = "",
) -> None:
    """Show the secret with which an account's webhook calls are verified."""
    with open_ledger(data, database) as ledger:
        secret = ledger.webhook_secret(account, rotate)
    typer.echo(json.dumps({"account": account, "secret": secret}) if as_json else secret)


def _fields(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.id,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "next_at": delivery.next_at.isoformat() if delivery.next_at else None,
        "status": delivery.status,
        "problem": delivery.problem,
        "url": delivery.url,
        "job": delivery.job,
        "account": delivery.account,
        "created_at": delivery.created_at.isoformat(),
    }


def _words(delivery: Delivery) -> str:
    tried = "1 attempt" if delivery.attempts == 1 else f"{delivery.attempts} attempts"
    parts = [f"{delivery.created_at:%Y-%m-%d %H:%M:%S}", delivery.job, delivery.state, tried]
    if delivery.next_at is not None:
        parts.append(f"next {delivery.next_at:%Y-%m-%d %H:%M:%S}")
    last = delivery.problem or (f"status {delivery.status}" if delivery.status is not None else "")
    return "  ".join([*parts, *([last] if last else []), delivery.url])
