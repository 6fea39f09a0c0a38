"""Every module loads where what only Linux has is missing: it is asked for once the system is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import overpaint

POSIX = {"dbus", "fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "Xlib"}
WINDOWS = {"msvcrt", "winreg"}
OF_ONE_SYSTEM = {"autostart/windows.py", "hotkeys/x11.py"}


def asked_for_at_once(source: str) -> Iterator[str]:
    """The modules that loading this one loads, whatever the system."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import):
            yield from (each.name.partition(".")[0] for each in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            yield statement.module.partition(".")[0]


def test_no_module_asks_at_once_for_what_one_system_has() -> None:
    room = Path(overpaint.__file__).parent
    modules = {path.relative_to(room).as_posix(): path.read_text("utf-8") for path in room.rglob("*.py")}
    assert modules.keys() > OF_ONE_SYSTEM
    found = {
        name: wanted
        for name, source in modules.items()
        if (wanted := set(asked_for_at_once(source)) & (POSIX | WINDOWS)) and name not in OF_ONE_SYSTEM
    }
    assert found == {}
