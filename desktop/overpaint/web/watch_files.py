"""The page for OBS as files of the user's own: its address never changes, and nobody else can serve it.

A browser source asks its address as long as OBS runs, whether or not Overpaint does. An address of HTTP
would be answered by any program that takes the port meanwhile, and would be told whatever secret is in it.
So the address is a file in the data folder, readable by its user alone: ``obs.html``, with all that it
needs inside, and beside it ``obs-door.js``, where the server listens now and its key of this start. The page
reads the door again whenever it has lost the server, and makes it prove itself first (``watch_proofs``).

A page from a file is a secure context in Chromium, so it has WebCrypto; its origin is ``null``, which
the server allows, and it may load scripts beside it but no modules, so those are put into it here.
Must not know rooms or HTTP.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from overpaint.assets import asset_dir
from overpaint.private_folder import write_private

PAGE_FILE, DOOR_FILE = "obs.html", "obs-door.js"
_MODULES = ("rooms.js", "obs.js")
_IMPORT = re.compile(r"^import .*;$", re.MULTILINE)


def write_page(folder: Path, port: int, key: str) -> str:
    """Writes both files; returns the page's address, a ``file:`` URL.

    Args:
        folder: Of the user's own.
        port: Where the server listens on loopback.
        key: Of this start (``WatchProofs.key``).

    Raises:
        OSError: They cannot be written.
    """
    write_private(folder / PAGE_FILE, _page().encode())
    write_door(folder, port, key)
    return (folder / PAGE_FILE).as_uri()


def write_door(folder: Path, port: int, key: str, *, original: bool = False) -> None:
    """Says where the server is.

    Args:
        folder: As for ``write_page``.
        port: As for ``write_page``.
        key: As for ``write_page``.
        original: Whether what is shown is not restyled: a page that loses the server then shows nothing.

    Raises:
        OSError: It cannot be written.
    """
    door: dict[str, str | int] = {"port": port, "key": key}
    if original:
        door["original"] = True
    write_private(folder / DOOR_FILE, _door(door))


def shut_door(folder: Path) -> None:
    """Says that there is no server, where pages may still ask for one. Raises ``OSError``."""
    write_private(folder / DOOR_FILE, _door(None))


def _page() -> str:
    shipped = asset_dir("pages")
    script = "".join(_IMPORT.sub("", (shipped / name).read_text("utf-8")) for name in _MODULES)
    page = (shipped / "obs.html").read_text("utf-8")
    page = page.replace("/* obs.css */", (shipped / "obs.css").read_text("utf-8"))
    return page.replace("/* obs.js */", script)


def _door(door: dict[str, str | int] | None) -> bytes:
    return f"globalThis.overpaintDoor = {json.dumps(door)};\n".encode()
