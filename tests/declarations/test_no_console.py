"""On Windows no process of ours opens a console window: each is started with CREATE_NO_WINDOW."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import overpaint

PACKAGE = Path(overpaint.__file__).parent
STARTS = ("subprocess.Popen", "subprocess.run", "subprocess.call", "subprocess.check_output")
ASYNC_STARTS = ("asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell")
OF_OTHER_SYSTEMS = {
    "media/virtual_camera/driver_installation.py",
    "media/virtual_camera/obs_extension.py",
    "media/opener/decoder_wire.py: 2",
}
"""A module, or the starts of one, that Windows never comes to."""


def starts(path: Path) -> Iterator[ast.Call]:
    """The calls of a module that start a process."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (*STARTS, *ASYNC_STARTS):
            yield node


def test_every_start_of_a_process_says_what_becomes_of_the_console() -> None:
    found = 0
    loud = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        for number, call in enumerate(starts(path), 1):
            found += 1
            quiet = any(keyword.arg == "creationflags" for keyword in call.keywords)
            if not quiet and not {name, f"{name}: {number}"} & OF_OTHER_SYSTEMS:
                loud.append(f"{name}:{call.lineno}")
    assert found > 7
    assert loud == []


def test_every_such_flag_hides_the_console() -> None:
    flags = [
        ast.unparse(node.value)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assign)
        and [ast.unparse(each) for each in node.targets] == ["flags"]
        and "subprocess." in ast.unparse(node.value)
    ]
    assert flags and all("subprocess.CREATE_NO_WINDOW" in each for each in flags)
