"""Migrations of the ledger's tables, step by step; run by ``schema`` through alembic."""
