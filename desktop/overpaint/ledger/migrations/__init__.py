"""Migrations of the ledger's tables; ``schema`` runs them through Alembic.

A new column: change ``tables``, and add a ``versions/vNNNN_….py`` with the next revision.
"""
