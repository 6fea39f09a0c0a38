"""Installation of the v4l2loopback driver (Linux): runs the setup's script as root, by polkit or by sudo.

The user agrees by an administrator's password, which neither Overpaint nor the script sees. Root runs either
the packaged helper, which only root can have changed, or a script that is handed over whole on the command
line: no file that a program without rights could exchange. Between the two goes one word, ``GO``.

Must not know windows or the command line.

Sources: pkexec(1), sudo(8).
"""

from __future__ import annotations

import logging
import os
import re
import stat
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import get_args

from overpaint.errors import SinkError
from overpaint.media.virtual_camera.driver_setup import (
    EXIT_STOPPED,
    GO,
    STEP,
    Setup,
    StepName,
    enrolment,
)
from overpaint.media.virtual_camera.driver_state import DriverFacts

log = logging.getLogger(__name__)

HELPER = Path("/usr/libexec/overpaint/camera-driver")
"""The packaged helper. It gets the one argument ``install``, speaks as ``Setup.script`` does (steps, ``GO``,
exit codes), and takes nothing else from its caller.
"""
PKEXEC, SUDO, SHELL = "/usr/bin/pkexec", "/usr/bin/sudo", "/bin/sh"
_DISMISSED, _NOT_AUTHORISED = 126, 127
"""pkexec's exit codes: the dialog was closed; no password could be asked for, or it was refused."""
_LINES_KEPT = 60
_REFUSED = ("key was rejected", "required key not available", "operation not permitted", "lockdown")
_OFFLINE = ("temporary failure resolving", "could not resolve", "failed retrieving file", "cannot download")
_UNKNOWN = (
    "unable to locate package",
    "target not found",
    "no match for argument",
    "not found in package names",
)
_NOT_BUILT = ("bad return status for module build", "error! build of")
_LOCKED = (
    "could not get lock",
    "unable to lock database",
    "is locked by another",
    "waiting for process with pid",
)


class Stopped(Exception):  # noqa: N818  (not an error: the user's wish)
    """The user has stopped the installation, or closed the dialog for the password."""


def way_to_root(*, terminal: bool) -> tuple[str, ...] | None:
    """Returns the command that becomes root and runs the script appended to it.

    Args:
        terminal: Whether a person can be asked for a password on the terminal.

    Returns:
        None where there is no way but for the user to run the commands.
    """
    if sys.platform != "linux":
        return None
    if os.geteuid() == 0:
        return SHELL, "-c"
    if terminal and Path(SUDO).exists():
        return SUDO, "--", SHELL, "-c"
    # Without its own agent it never asks on a terminal in the background, where nobody would see it.
    return (PKEXEC, "--disable-internal-agent", SHELL, "-c") if Path(PKEXEC).exists() else None


def helper_command() -> tuple[str, ...] | None:
    """Returns the command that runs the packaged helper; None where it is not installed, or not safe."""
    if sys.platform != "linux" or not Path(PKEXEC).exists() or not only_root_can_change(HELPER):
        return None
    return PKEXEC, "--disable-internal-agent", str(HELPER), "install"


def only_root_can_change(file: Path) -> bool:
    """Returns whether a file and every folder above it belong to root, and nobody else may write there."""
    for path in (file, *file.parents):
        try:
            status = path.lstat()
        except OSError:
            return False
        kind = stat.S_ISREG if path == file else stat.S_ISDIR
        if not kind(status.st_mode) or status.st_uid != 0 or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return False
    return True


class DriverInstallation:
    """One installation of the driver.

    Args:
        facts: The facts from which the setup was made.
        setup: The setup.
        command: Runs the script as root, and ends with it.
        stepped: Called with the name of each step, from the thread of ``run``.
        said: Called with each line that a program says, from the same thread.
    """

    def __init__(
        self,
        facts: DriverFacts,
        setup: Setup,
        command: Sequence[str],
        stepped: Callable[[StepName], None],
        said: Callable[[str], None],
    ) -> None:
        self._facts, self._setup, self._command = facts, setup, command
        self._stepped, self._said = stepped, said
        self._guard = threading.Lock()
        self._child: subprocess.Popen[str] | None = None
        self._authorised = self._stopped = False
        self._step: StepName | None = None
        self._lines: deque[str] = deque(maxlen=_LINES_KEPT)

    def run(self) -> None:
        """Installs the driver; returns when it is loaded.

        Raises:
            Stopped: ``stop`` was called, or the user closed the dialog for the password.
            SinkError: It failed; the sentence says why, and what to do.
        """
        with self._guard:
            if self._stopped:
                raise Stopped
            try:
                child = self._child = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    encoding="utf-8",
                    errors="replace",
                    cwd="/",
                )
            except OSError as error:
                raise self._not_allowed() from error
        with child:
            assert child.stdout is not None
            for line in child.stdout:
                self._hear(line.strip())
        self._judge(child.returncode)

    def stop(self) -> None:
        """Stops it before its next step; at once while the password is being asked for. From any thread."""
        with self._guard:
            self._stopped = True
            child = self._child
            if child is None or child.stdin is None:
                return
            if not self._authorised:
                with suppress(PermissionError):  # it runs as root already, and asks before its first step
                    child.terminate()

    def _hear(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        name = next((name for name in get_args(StepName) if name == rest), None)
        if word != STEP or name is None:
            if line:
                log.info("driver: %s", line)
                self._lines.append(line)
                self._said(line)
            return
        self._lines.clear()
        self._step = name
        with self._guard:
            self._authorised = True
            child = self._child
            assert child is not None and child.stdin is not None
            if self._stopped:
                child.stdin.close()
                return
            with suppress(OSError):  # it has ended
                child.stdin.write(f"{GO}\n")
                child.stdin.flush()
        self._stepped(name)

    def _judge(self, status: int) -> None:
        if status == 0:
            return
        if self._stopped or status == EXIT_STOPPED or (self._step is None and status == _DISMISSED):
            raise Stopped
        if self._step is None:
            raise self._not_allowed()
        said = " ".join(self._lines).lower()
        if self._step == "load":
            raise self._not_loaded(said)
        raise self._not_installed(said)

    def _not_allowed(self) -> SinkError:
        return SinkError("driver_setup_not_allowed", command=self._setup.line())

    def _not_loaded(self, said: str) -> SinkError:
        if any(words in said for words in _REFUSED) and (self._facts.secure_boot or "key" in said):
            return enrolment(self._facts)
        if "not found in directory" in said:
            return SinkError("driver_setup_not_built", kernel=self._facts.kernel)
        return self._failed()

    def _not_installed(self, said: str) -> SinkError:
        if self._step == "unload" and "in use" in said:
            return SinkError("driver_setup_in_use")
        if any(words in said for words in _NOT_BUILT):
            return SinkError("driver_setup_not_built", kernel=self._facts.kernel)
        if any(words in said for words in _OFFLINE) and "404" not in said:
            return SinkError("driver_setup_offline", reason=self._reason())
        if any(words in said for words in _LOCKED):
            return SinkError("driver_setup_packages_busy")
        if any(words in said for words in _UNKNOWN):
            if re.search(rf"(headers|devel)\S*{re.escape(self._facts.kernel.lower())}", said):
                return SinkError("driver_setup_headers_gone", kernel=self._facts.kernel)
            return SinkError("driver_setup_package_unknown")
        return self._failed()

    def _failed(self) -> SinkError:
        return SinkError("driver_setup_failed", reason=self._reason(), command=self._setup.line())

    def _reason(self) -> str:
        """The last line that sounds like an error, else the last line."""
        wrong = [line for line in self._lines if re.match(r"(E:|error|fatal|modprobe:)", line, re.I)]
        last = (wrong or list(self._lines) or ["no word"])[-1]
        return last.removeprefix("E:").strip().rstrip(".")


def installation(
    facts: DriverFacts,
    setup: Setup,
    stepped: Callable[[StepName], None],
    said: Callable[[str], None],
    *,
    terminal: bool = False,
) -> DriverInstallation | None:
    """Returns the installation of the driver; None where the user has to run the commands.

    Args:
        facts: The facts.
        setup: The setup made of them.
        stepped: As for ``DriverInstallation``.
        said: As for ``DriverInstallation``.
        terminal: As for ``way_to_root``.
    """
    way = way_to_root(terminal=terminal)
    if not setup.steps or not setup.by_itself or way is None:
        return None
    command = (helper_command() if way[0] == PKEXEC else None) or (*way, setup.script())
    return DriverInstallation(facts, setup, command, stepped, said)
