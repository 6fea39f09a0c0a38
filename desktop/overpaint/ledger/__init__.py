"""The ledger of the service: API keys, credits in double-entry books, and records of what was sold.

Every movement of credits is an entry of two or more postings that sum to zero. Entries are append-only;
a balance is the sum of its postings and never falls below zero. Sessions, jobs, files and webhook calls
are stored in the same database as their postings, so that a sale survives a crash of the process. The
database is SQLite (WAL) in the data folder by default, or PostgreSQL by URL. Must not know HTTP, sockets,
frames or looks.
"""

from overpaint.ledger.answers import Idempotency
from overpaint.ledger.books import Charge
from overpaint.ledger.database import ledger_url
from overpaint.ledger.free_account import TOPPED_UP
from overpaint.ledger.keys import LOCAL_KEY_NAME, LOCAL_PURSE, CreatedKey, KeyRecord, Purse
from overpaint.ledger.ledger import Ledger
from overpaint.ledger.records import Delivery, Job, JobOrder, SessionRecord, StoredFile, UploadLimit

__all__ = [
    "LOCAL_KEY_NAME",
    "LOCAL_PURSE",
    "TOPPED_UP",
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
