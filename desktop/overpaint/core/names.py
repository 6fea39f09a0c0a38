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
    """Makes a new id."""
    return prefix + secrets.token_hex(16)


def session_secret(api_key: str, session_id: str) -> str:
    """Derives the secret of a session from the key that paid for it.

    By HMAC-SHA256 of the id under the key's 256 random bits, not at random, so that a repeated request gets
    the same secret without the ledger ever storing it.
    """
    digest = hmac.digest(api_key.encode(), b"realtime session secret " + session_id.encode(), "sha256")
    return "rtk_" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def secret_digest(secret: str) -> bytes:
    """Returns the digest by which a session is looked up, whose timing reveals nothing."""
    return hashlib.sha256(secret.encode()).digest()
