"""Root's programs at the machine's edge: a package manager, dkms and modprobe that do what a test says.

What runs is the real script, in a real shell; the programs write down how they were called.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from overpaint.media.virtual_camera.driver_setup import Setup

PROGRAMS = ("apt-get", "dkms", "modprobe")


class FakeRoot:
    """A folder of programs, and the files that they would change.

    Attributes:
        calls: The calls so far, each with its arguments.
    """

    def __init__(self, folder: Path) -> None:
        self._bin, self.etc, self._log = folder / "bin", folder / "etc", folder / "calls"
        for made in (self._bin, self.etc / "modules-load.d", self.etc / "modprobe.d"):
            made.mkdir(parents=True)
        for name in ("tee", "cat", "sleep", "touch"):
            (self._bin / name).symlink_to(shutil.which(name) or "")
        for name in PROGRAMS:
            self.says(name)

    def says(self, program: str, words: str = "", status: int = 0, does: str = "") -> None:
        """Lets a program say something, do something (in shell), and end with a status."""
        file = self._bin / program
        file.write_text(
            f'#!/bin/sh\necho "{program} $*" >>{self._log}\n{does}\necho "{words}" >&2\nexit {status}\n'
        )
        file.chmod(0o755)

    @property
    def calls(self) -> list[str]:
        return self._log.read_text().splitlines() if self._log.exists() else []

    def command(self, setup: Setup) -> list[str]:
        """What runs a setup's script here."""
        return [*self.way(), setup.script()]

    def helper(self, script: Path) -> list[str]:
        """What runs a packaged helper here, where the driver is not loaded yet."""
        for name in ("uname", "grep"):
            (self._bin / name).unlink(missing_ok=True)
            (self._bin / name).symlink_to(shutil.which(name) or "")
        changed = script.read_text("utf-8").replace("/usr/sbin:/usr/bin:/sbin:/bin", str(self._bin))
        file = self._bin.parent / script.name
        file.write_text(changed.replace("/sys/", f"{self._bin.parent}/sys/"), "utf-8")
        return ["/bin/sh", str(file), "install"]

    def way(self) -> tuple[str, ...]:
        """What becomes root for a script appended to it, as pkexec and sudo do."""
        file = self._bin.parent / "become-root"
        changes = f"s#^PATH=[^ ]*#PATH={self._bin}#; s#/etc/#{self.etc}/#g"
        file.write_text(f"#!/bin/sh\nexec /bin/sh -c \"$(printf '%s\\n' \"$1\" | sed '{changes}')\"\n")
        file.chmod(0o755)
        return (str(file),)
