"""Answers to HTTP authentication challenges, Digest and Basic. Sources: RFC 7616 and 7617; RFC 7826, 19.1.

Must not know connections.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable, Sequence
from urllib.request import parse_http_list, parse_keqv_list

_HASHES: dict[str, Callable[[bytes], str]] = {
    "SHA-256": lambda data: hashlib.sha256(data).hexdigest(),
    # Most cameras know nothing better.
    "MD5": lambda data: hashlib.md5(data, usedforsecurity=False).hexdigest(),
}


def authorization(challenges: Sequence[str], method: str, uri: str, user: str, password: str) -> str | None:
    """Returns the value of ``Authorization`` for the best of the challenges; None where none is understood.

    Args:
        challenges: Values of ``WWW-Authenticate``.
        method: Method of the request.
        uri: Its target, as it stands in the request.
        user: User name.
        password: Password.
    """
    digests = [words for each in challenges if (words := _digest(each)) is not None]
    for name in _HASHES:
        for words in digests:
            if words.get("algorithm", "MD5").upper() == name:
                return _answer(words, name, method, uri, user, password)
    if any(each.lower().startswith("basic") for each in challenges):
        return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
    return None


def _digest(challenge: str) -> dict[str, str] | None:
    scheme, _, rest = challenge.partition(" ")
    if scheme.lower() != "digest":
        return None
    try:
        words = parse_keqv_list(parse_http_list(rest))
    except (ValueError, IndexError):
        return None
    return words if "nonce" in words and "realm" in words else None


def _answer(words: dict[str, str], name: str, method: str, uri: str, user: str, password: str) -> str:
    digest = _HASHES[name]
    realm, nonce = words["realm"], words["nonce"]
    secret = digest(f"{user}:{realm}:{password}".encode())
    request = digest(f"{method}:{uri}".encode())
    told = {"username": user, "realm": realm, "nonce": nonce, "uri": uri}
    told |= {key: words[key] for key in ("opaque",) if key in words}
    bare = {"algorithm": name} if "algorithm" in words else {}
    if "auth" in [each.strip() for each in words.get("qop", "").split(",")]:
        own = os.urandom(8).hex()
        bare |= {"qop": "auth", "nc": "00000001"}
        told |= {"cnonce": own}
        told["response"] = digest(f"{secret}:{nonce}:00000001:{own}:auth:{request}".encode())
    else:
        told["response"] = digest(f"{secret}:{nonce}:{request}".encode())
    quoted = [f'{key}="{_escaped(value)}"' for key, value in told.items()]
    return "Digest " + ", ".join([*quoted, *(f"{key}={value}" for key, value in bare.items())])


def _escaped(value: str) -> str:
    """Returns a value for a quoted string; without line breaks, which would begin another header."""
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", "")
