"""Ids and session secrets. Must not know what they name.

Ids carry 128 random bits after their prefix (protocol decisions, "ids").
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

SESSION_PREFIX, ROOM_PREFIX = "rts_", "room_"
JOB_PREFIX, FILE_PREFIX, DELIVERY_PREFIX = "tfm_", "fil_", "msg_"


def new_id(prefix: str) -> str:
    """A new id."""
    return prefix + secrets.token_hex(16)


def session_secret(api_key: str, session_id: str) -> str:
    """The secret of a session, made from the key that paid for it.

    Derived (HMAC-SHA256 of the id under the key's 256 random bits) and not drawn, so that a repeated
    request is given the very same secret without the ledger ever storing one.
    """
    digest = hmac.digest(api_key.encode(), b"realtime session secret " + session_id.encode(), "sha256")
    return "rtk_" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def secret_digest(secret: str) -> bytes:
    """By what a session is looked up: a lookup by digest tells nothing by its timing."""
    return hashlib.sha256(secret.encode()).digest()
