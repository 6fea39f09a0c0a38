"""The portal by which browsers ask for a camera, with a desktop behind it that always says yes.

``xdg-desktop-portal`` is the real one; only the dialog is answered here, by a process that this module is the
program of.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

NAME = "org.freedesktop.impl.portal.desktop.consent"
PORTAL = Path("/usr/libexec/xdg-desktop-portal")


class CameraPortal:
    """The portal, from when it is made until ``close``.

    Args:
        folder: The folder of the ``PipeWireSession``, which runs.
        patch: Sets the environment for the test.
    """

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        portals = folder / "portals"
        portals.mkdir()
        description = (
            f"[portal]\nDBusName={NAME}\nInterfaces=org.freedesktop.impl.portal.Access\nUseIn=test\n"
        )
        (portals / "consent.portal").write_text(description)
        (portals / "portals.conf").write_text("[preferred]\ndefault=consent\n")
        patch.setenv("XDG_DESKTOP_PORTAL_DIR", str(portals))
        patch.setenv("XDG_CURRENT_DESKTOP", "test")
        self._open = ExitStack()
        for command in ([sys.executable, __file__], [str(PORTAL), "--verbose"]):
            log = self._open.enter_context((folder / f"{Path(command[-1]).stem}.log").open("wb"))
            process = subprocess.Popen(command, stdout=log, stderr=log)
            self._open.callback(process.wait, 10)
            self._open.callback(process.terminate)

    def close(self) -> None:
        """Ends it."""
        self._open.close()


def main() -> None:
    """Answers every dialog with yes."""
    from jeepney import (
        HeaderFields,
        MessageType,
        message_bus,
        new_error,
        new_method_return,
    )
    from jeepney.io.blocking import open_dbus_connection

    connection = open_dbus_connection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
    connection.send_and_get_reply(message_bus.RequestName(NAME))
    while True:
        message = connection.receive()
        if message.header.message_type is not MessageType.method_call:
            continue
        if message.header.fields.get(HeaderFields.member) == "AccessDialog":
            connection.send(new_method_return(message, "ua{sv}", (0, {})))
        elif message.header.fields.get(HeaderFields.member) == "GetAll":
            connection.send(new_method_return(message, "a{sv}", ({},)))
        else:
            connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))


if __name__ == "__main__":
    main()
