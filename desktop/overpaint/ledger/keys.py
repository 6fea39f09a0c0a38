"""API keys: made, shown in part, recognised by their hash.

A key carries 256 random bits, so a plain SHA-256 is enough to store it by: there is nothing to
guess, and no salt or stretching would make it safer. Must not know the database.
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
    """Whose credits: each account has one balance per environment."""

    account: str
    environment: Environment

    @property
    def posting_account(self) -> str:
        """The purse's name in the books."""
        return f"credits:{self.account}:{self.environment}"


LOCAL_KEY_NAME = "This computer"
"""Name of the desktop's own key, which it makes anew at each start."""
LOCAL_PURSE = Purse("local", "live")


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """The record of a key, without the key itself.

    Attributes:
        id: Row of the key.
        name: Label; unique among the keys that are not revoked.
        account: Whose it is.
        environment: ``live`` or ``test``.
        masked: Partly hidden form, ``ovp_live_…`` and the last 4 characters.
        created_at: UTC.
        revoked_at: UTC; None while it works.
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
        """The balance that this key spends."""
        return Purse(self.account, self.environment)


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """A new key, shown this once.

    Attributes:
        key: The secret itself; kept out of ``repr``.
        record: What is stored.
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
    """The partly hidden form: the prefix, "…", the last 4 characters."""
    prefix = next(prefix for prefix in _PREFIXES.values() if key.startswith(prefix))
    return f"{prefix}…{key[-4:]}"
