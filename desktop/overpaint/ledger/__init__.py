"""Keys, credits and what was sold: the books of the service, in a database.

Double entry: every movement is an entry of two or more postings that sum to zero, nothing is ever
changed or removed, a balance is the sum of its postings and never falls below zero. Sessions, jobs,
files and webhooks stand beside their postings, so that what was paid for is not lost with a process.
SQLite (WAL) in the data folder by default, PostgreSQL by URL. Must not know HTTP, sockets, frames or
looks.
"""

from overpaint.ledger.answers import Idempotency
from overpaint.ledger.books import Charge
from overpaint.ledger.database import ledger_url
from overpaint.ledger.keys import LOCAL_KEY_NAME, LOCAL_PURSE, CreatedKey, KeyRecord, Purse
from overpaint.ledger.ledger import Ledger
from overpaint.ledger.records import Delivery, Job, JobOrder, SessionRecord, StoredFile, UploadLimit

__all__ = [
    "LOCAL_KEY_NAME",
    "LOCAL_PURSE",
    "Charge",
    "CreatedKey",
    "Delivery",
    "Idempotency",
    "Job",
    "JobOrder",
    "KeyRecord",
    "Ledger",
    "Purse",
    "SessionRecord",
    "StoredFile",
    "UploadLimit",
    "ledger_url",
]
