"""A PipeWire of its own: daemon and session manager in a folder of a test, as a desktop has them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from helpers.processes import until

PROGRAMS = ("pipewire", "wireplumber", "dbus-daemon")


def is_installed() -> bool:
    """Whether this machine has the programs."""
    return all(shutil.which(program) for program in PROGRAMS)


class PipeWireSession:
    """Daemon and session manager, from ``start`` until ``stop``; the environment leads clients to them.

    Args:
        patch: Sets the environment for the test.

    Attributes:
        folder: Sockets, settings and logs; its path is short, as that of a socket has to be.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder = Path(tempfile.mkdtemp(prefix="pw"))
        self._running: list[subprocess.Popen[bytes]] = []
        for name in ("runtime", "config", "state"):
            (folder / name).mkdir(mode=0o700)
        patch.setenv("XDG_RUNTIME_DIR", str(folder / "runtime"))
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        patch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={folder / 'runtime' / 'bus'}")
        for variable in ("PIPEWIRE_REMOTE", "PIPEWIRE_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY"):
            patch.delenv(variable, raising=False)
        self._bus = self._begin(
            "dbus-daemon", "--session", f"--address={os.environ['DBUS_SESSION_BUS_ADDRESS']}", "--nofork"
        )
        until((folder / "runtime" / "bus").exists)

    def start(self) -> None:
        """Starts the daemon, then the session manager."""
        self._running.append(self._begin("pipewire"))
        until((self.folder / "runtime" / "pipewire-0").exists)
        self._running.append(self._begin("wireplumber"))

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ends both."""
        for process in reversed(self._running):
            process.send_signal(number)
        for process in self._running:
            process.wait(10)
        self._running.clear()

    def signal_daemon(self, number: signal.Signals) -> None:
        """Sends the daemon a signal."""
        self._running[0].send_signal(number)

    def close(self) -> None:
        """Ends everything."""
        self.stop()
        self._bus.terminate()
        self._bus.wait(10)
        shutil.rmtree(self.folder)

    def _begin(self, *command: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{command[0]}.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
