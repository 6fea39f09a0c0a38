"""Keys and credits: the books of the service, in a database.

Double entry: every movement is an entry of two or more postings that sum to zero, nothing is ever
changed or removed, a balance is the sum of its postings and never falls below zero. SQLite (WAL)
in the data folder by default, any SQLAlchemy URL for a team's server. Must not know HTTP, sessions,
frames or looks.

Jobs, webhooks and the schema's migrations (alembic) are the next tables of this room: they come
with issue 3 and refer to entries by their reference id, as sessions do now.
"""

from overpaint.ledger.books import Charge, Idempotency, Ledger
from overpaint.ledger.database import ledger_url
from overpaint.ledger.keys import CreatedKey, KeyRecord, Purse

__all__ = ["Charge", "CreatedKey", "Idempotency", "KeyRecord", "Ledger", "Purse", "ledger_url"]
