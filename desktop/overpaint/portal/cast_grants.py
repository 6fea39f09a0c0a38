"""Grants of screens and windows: the ScreenCast portal's restore tokens, in a private file.

A token is worth nothing to other programs or users: the portal ties it to this one. Must not
know how it is asked.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from pathlib import Path

from overpaint.private_folder import write_private

log = logging.getLogger(__name__)

FILE = "capture-grants.json"


class CastGrants:
    """The tokens of a data folder, read anew each time: two processes may use them.

    Args:
        folder: The data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._guard = threading.Lock()

    def token(self, source: str) -> str:
        """Returns the token of a source, by its identity; empty where nothing was allowed."""
        return self._read().get(source, "")

    def keep(self, source: str, token: str) -> None:
        """Replaces the token of a source; removes it where the new one is empty."""
        with self._guard:
            known = self._read()
            if known.get(source, "") == token:
                return
            known[source] = token
            content = json.dumps({name: each for name, each in known.items() if each})
            try:
                write_private(self._path, content.encode())
            except OSError as error:
                log.warning("what may be captured cannot be remembered: %s", error)

    def _read(self) -> dict[str, str]:
        with contextlib.suppress(OSError, ValueError):
            content = json.loads(self._path.read_text("utf-8"))
            if isinstance(content, dict):
                return {str(name): token for name, token in content.items() if isinstance(token, str)}
        return {}
