"""Mutual challenge-response authentication (HMAC) between the page for OBS and its server.

The key is new with each start of the server, and reaches the page in a file that only its user can read
(``watch_files``). It is not sent over the connection.

1. The page sends a random nonce (``GET /v1/watch/hello?nonce=…``).
2. The server answers with a nonce of its own and an HMAC-SHA-256 (RFC 2104) over both. The page checks that
   before it sends anything else: a program that took the port meanwhile learns one random number.
3. The page's token for the room is both nonces and another HMAC over them. The server accepts it for
   ``FRESH_SECONDS``, if its own nonce is genuine.

Must not know HTTP, rooms or files.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time

from overpaint.errors import AuthenticationError, InvalidRequestError

FRESH_SECONDS = 60.0
_NONCE = re.compile(r"[0-9a-f]{64}")
_TOKEN = re.compile(r"([0-9a-f]{64})\.([0-9a-f]{16})([0-9a-f]{48})\.([0-9a-f]{64})")


class WatchProofs:
    """The server's side of the authentication, for one start of it.

    Attributes:
        key: 256 bits in hexadecimal, for the page's file.
    """

    def __init__(self) -> None:
        self.key = secrets.token_hex(32)

    def hello(self, nonce: str) -> dict[str, str]:
        """The answer to a page's nonce, 256 bits in hexadecimal: ``{nonce, proof}``.

        Raises:
            InvalidRequestError: The nonce is malformed.
        """
        if not _NONCE.fullmatch(nonce):
            raise InvalidRequestError("nonce_malformed")
        issued = f"{int(time.monotonic() * 1000):016x}"
        own = issued + self._mark(nonce, issued)
        return {"nonce": own, "proof": self._proof("server", nonce, own)}

    def check(self, token: str) -> None:
        """Checks that a token was made with the key, for a nonce that this server issued recently.

        Raises:
            AuthenticationError: It was not, or it has expired.
        """
        found = _TOKEN.fullmatch(token)
        if found is not None:
            nonce, issued, mark, proof = found.groups()
            ours = hmac.compare_digest(mark, self._mark(nonce, issued))
            theirs = hmac.compare_digest(proof, self._proof("page", nonce, issued + mark))
            if ours and theirs and 0 <= time.monotonic() - int(issued, 16) / 1000 <= FRESH_SECONDS:
                return
        raise AuthenticationError("room_token_wrong")

    def _mark(self, nonce: str, issued: str) -> str:
        """A MAC of 192 bits by which the server recognises its own nonce without storing it."""
        return self._proof("nonce", nonce, issued)[:48]

    def _proof(self, who: str, nonce: str, own: str) -> str:
        said = f"overpaint {who}\n{nonce}\n{own}".encode()
        return hmac.digest(bytes.fromhex(self.key), said, "sha256").hex()
