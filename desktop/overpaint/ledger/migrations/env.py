"""Alembic's environment: runs migrations in the transaction that ``schema`` opened."""

from alembic import context

from overpaint.ledger.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
