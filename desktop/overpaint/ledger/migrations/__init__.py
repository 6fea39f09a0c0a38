"""Migrations of the ledger's tables; ``schema`` runs them through Alembic."""
