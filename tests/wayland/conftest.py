"""The portals of a real desktop, and the person who answers them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from overpaint.portal.portal_connection import Portal, PortalError
from wayland.person import Person

# The whole desktop is a test's own, its PipeWire too.
os.environ.pop("PIPEWIRE_RUNTIME_DIR", None)

LOGS = Path("dist/wayland/log")
PROGRAMS = {
    "xdg-desktop-portal-wlr": ["-l", "INFO"],
    "xdg-desktop-portal": ["-v"],
}


def start(name: str) -> subprocess.Popen[bytes]:
    with (LOGS / name).open("ab") as log:
        return subprocess.Popen([f"/usr/libexec/{name}", *PROGRAMS[name]], stdout=log, stderr=log)


@pytest.fixture(scope="session")
def person() -> Iterator[Person]:
    """The desktop's portals, with somebody who answers."""
    assert "DISPLAY" not in os.environ, "XWayland is not needed"
    person = Person()
    portals = []
    for name in PROGRAMS:
        portals.append(start(name))
        time.sleep(1)
    ends = time.monotonic() + 30
    while not _answers():
        assert time.monotonic() < ends, "the portals do not answer"
        time.sleep(0.3)
    yield person
    for portal in reversed(portals):
        portal.terminate()
        portal.wait(10)
    person.close()


def _answers() -> bool:
    portal = Portal()
    try:
        return all(portal.version(name) for name in ("ScreenCast", "GlobalShortcuts", "Screenshot"))
    except PortalError:
        return False
    finally:
        portal.close()
