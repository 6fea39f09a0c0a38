"""API keys: generation, masked form, and the hash by which they are stored.

A key has 256 random bits, so a plain SHA-256 is enough: it cannot be guessed, and neither a salt nor key
stretching would make it safer. Must not know the database.
"""

from __future__ import annotations

import hashlib
import secrets
import string
from dataclasses import dataclass, field
from datetime import datetime

from overpaint.wire.service import Environment

_ALPHABET = string.digits + string.ascii_letters
_CHARACTERS = 43
"""Base-62 characters of a key: 62**43 > 2**256."""
_PREFIXES: dict[Environment, str] = {"live": "ovp_live_", "test": "ovp_test_"}


@dataclass(frozen=True, slots=True)
class Purse:
    """The owner of a balance: one account in one environment."""

    account: str
    environment: Environment

    @property
    def posting_account(self) -> str:
        """The name of the purse's account in the books."""
        return f"credits:{self.account}:{self.environment}"


LOCAL_KEY_NAME = "This computer"
"""Name of the desktop's own key, which is replaced at each start."""
LOCAL_PURSE = Purse("local", "live")


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """The record of a key, without the key itself.

    Attributes:
        id: Row of the key.
        name: Label; unique among the keys that are not revoked.
        account: Its owner.
        environment: ``live`` or ``test``.
        masked: Masked form, ``ovp_live_…`` and the last 4 characters.
        created_at: UTC.
        revoked_at: UTC; None while it is valid.
    """

    id: int
    name: str
    account: str
    environment: Environment
    masked: str
    created_at: datetime
    revoked_at: datetime | None

    @property
    def purse(self) -> Purse:
        """The purse that this key pays from."""
        return Purse(self.account, self.environment)


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """A new API key, with the secret that is shown only once.

    Attributes:
        key: The secret; left out of ``repr``.
        record: The stored record.
    """

    key: str = field(repr=False)
    record: KeyRecord


def new_key(environment: Environment) -> str:
    """A new secret key of 256 random bits."""
    return _PREFIXES[environment] + "".join(secrets.choice(_ALPHABET) for _ in range(_CHARACTERS))


def key_hash(key: str) -> str:
    """SHA-256 of a key, hex: the only form in which it is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def masked(key: str) -> str:
    """The masked form of a key: its prefix, "…", its last 4 characters."""
    prefix = next(prefix for prefix in _PREFIXES.values() if key.startswith(prefix))
    return f"{prefix}…{key[-4:]}"
