"""Files of the page for OBS: its address never changes, and nobody else can serve it.

A browser source asks its address as long as OBS runs, whether or not Overpaint does. An address of HTTP
would be answered by any program that takes the port meanwhile, and would be told whatever secret is in it.
So the address is a file in the data folder, readable by its user alone: ``obs.html``, with all that it
needs inside, and beside it ``obs-door.js``, where the server listens now and its key of this start; the page
makes the server prove itself first (``watch_proofs``).

The door also says which pictures may stand on a page that has lost the server: each unbroken run of pictures
that are no originals has an id, and there is none while originals are shown. A page goes on showing a picture
only if it has seen some of a run, and that run is still the one that the door names (``obs.js``). So no word
and no picture that is lost on the way leaves an original standing.

A page from a file is a secure context in Chromium, so it has WebCrypto; its origin is ``null``, which
the server allows, and it may load scripts beside it but no modules, so those are put into it here.
Must not know rooms or HTTP.
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
    """The files of one start of the server. Thread-safe.

    Args:
        folder: Of the user's own.
        port: Where the server listens on loopback.
        key: Of this start (``WatchProofs.key``).
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
        """Says whether originals are shown from now on: before the first of them, or after the last.

        Raises:
            OSError: It cannot be written, or the door is shut.
        """
        with self._guard:
            if not self._server:
                raise OSError("the door is shut")
            self._standing = "" if original else secrets.token_hex(8)
            self._write()

    def shut(self) -> None:
        """Says that there is no server, where pages may still ask for one. Raises ``OSError``."""
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
