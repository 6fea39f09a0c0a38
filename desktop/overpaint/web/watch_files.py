"""Files of the page for OBS: a file URL that never changes and that no other program can serve.

A browser source requests its address as long as OBS runs, whether or not Overpaint does. Any program that
takes the port meanwhile could answer an HTTP address, and would receive every secret in it. So the address
is a file in the data folder, readable by its user alone: the self-contained ``obs.html``. Beside it,
``obs-door.js`` has the server's present port and the key of this start. The page makes the server prove
itself first (``watch_proofs``).

``obs-door.js`` also says whether a page that has lost the server may keep its last picture. Each unbroken run
of pictures that are not originals has an id; there is none while originals are shown. A page keeps a picture
only if it has seen part of a run, and ``obs-door.js`` still names that run (``obs.js``). So a lost message or
frame never leaves an original on the page.

A page from a file is a secure context in Chromium, so it has WebCrypto. Its origin is ``null``, which the
server allows. It may load scripts beside it but no modules, so modules are inlined here. Must not know rooms
or HTTP.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from pathlib import Path

from overpaint.assets import asset_dir
from overpaint.private_folder import write_private

PAGE_FILE, DOOR_FILE = "obs.html", "obs-door.js"
_MODULES = ("rooms.js", "obs.js")
_IMPORT = re.compile(r"^import .*;$", re.MULTILINE)


class Door:
    """The page's files for one start of the server. Thread-safe.

    Args:
        folder: A folder that only its user can read.
        port: The server's port on loopback.
        key: The key of this start (``WatchProofs.key``).
    """

    def __init__(self, folder: Path, port: int, key: str) -> None:
        self._folder = folder
        self._server: dict[str, str | int] = {"port": port, "key": key}
        self._standing = ""
        self._guard = threading.Lock()

    def open(self) -> str:
        """Writes both files; returns the page's address, a ``file:`` URL. Raises ``OSError``."""
        write_private(self._folder / PAGE_FILE, _page().encode())
        with self._guard:
            self._write()
        return (self._folder / PAGE_FILE).as_uri()

    def note(self, original: bool) -> None:
        """Records whether originals are shown; called before the first of them, and after the last.

        Raises:
            OSError: The file cannot be written, or ``shut`` was called.
        """
        with self._guard:
            if not self._server:
                raise OSError("the door is shut")
            self._standing = "" if original else secrets.token_hex(8)
            self._write()

    def shut(self) -> None:
        """Records that there is no server, for pages that still look for one. Raises ``OSError``."""
        with self._guard:
            self._server = {}
            self._write()

    def _write(self) -> None:
        said = json.dumps({**self._server, "standing": self._standing})
        write_private(self._folder / DOOR_FILE, f"globalThis.overpaintDoor = {said};\n".encode())


def _page() -> str:
    shipped = asset_dir("pages")
    script = "".join(_IMPORT.sub("", (shipped / name).read_text("utf-8")) for name in _MODULES)
    page = (shipped / "obs.html").read_text("utf-8")
    page = page.replace("/* obs.css */", (shipped / "obs.css").read_text("utf-8"))
    return page.replace("/* obs.js */", script)
