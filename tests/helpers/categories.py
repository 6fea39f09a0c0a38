"""The category of every test module, and what a category forbids.

A module has the category of its folder, or the one that it declares (``pytestmark = pytest.mark.process``).
A module without a category, or with two, ends the collection. In a category that starts no process, starting
one fails the test.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

CATEGORIES = {
    "hermetic": "computes in the test's own process, and starts no other",
    "window": "widgets on a screen, the live process scripted; starts no process but the decoder of pictures",
    "process": "starts real processes",
    "live": "a whole stream at its own pace: one such module after another, never two at once",
}
FOLDERS = {
    "declarations": "hermetic",
    "unit": "hermetic",
    "gui": "window",
    "integration": "process",
    "bench": "process",
    "camera": "process",
    "pipewire": "process",
    "faults": "live",
    "soak": "live",
    "walk": "live",
    "wayland": "live",
    "windows": "process",
}
ALLOWED: dict[str, frozenset[str]] = {"hermetic": frozenset(), "window": frozenset({"decode"})}
"""Categories whose tests start no process but these, by the last word of their command."""
SYSTEM = ["uname", "-p"]
"""Asked by Python's own ``platform``, once a process."""

STARTS = {
    *("subprocess.Popen", "os.posix_spawn", "os.spawn", "os.startfile"),
    *("os.fork", "os.forkpty", "os.exec", "os.system"),
}
"""Audit events of starting a process."""

TESTS = Path(__file__).parents[1]


@cache
def category_of(path: Path) -> str:
    """The category of a module.

    Raises:
        pytest.UsageError: It has none, or two.
    """
    declared = sorted(CATEGORIES.keys() & set(_declared(path.read_text("utf-8"))))
    if len(declared) > 1:
        raise pytest.UsageError(f"{path} declares two categories: {', '.join(declared)}")
    if declared:
        return declared[0]
    folder = path.relative_to(TESTS).parts[0]
    if folder not in FOLDERS:
        raise pytest.UsageError(f"{path} has no category: name its folder in {Path(__file__).name}")
    return FOLDERS[folder]


def _declared(source: str) -> Iterator[str]:
    """Marks of all tests of a module. Read, not imported: who hands tests out to workers imports none."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and any(ast.unparse(each) == "pytestmark" for each in node.targets):
            for part in ast.walk(node.value):
                if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "pytest.mark":
                    yield part.attr


def categorise(items: list[pytest.Item]) -> None:
    """Marks tests with their module's category; who waits most comes first, who computes fills the end.

    Raises:
        pytest.UsageError: A module has no category, or two, or a test one of its own.
    """
    for item in items:
        for node in item.iter_parents():
            own = CATEGORIES.keys() & {mark.name for mark in node.own_markers}
            if own and not isinstance(node, pytest.Module):
                raise pytest.UsageError(f"{node.nodeid} is {own}: a category is a module's")
    for item in items:
        item.add_marker(category_of(item.path))
    order = ["live", "process", "window", "hermetic"]
    items.sort(key=lambda item: order.index(category_of(item.path)))


class _Ban:
    """Whether a test may start a process now, and what it started although it may not."""

    def __init__(self) -> None:
        self.holds = False
        self.allowed: frozenset[str] = frozenset()
        self.broken: list[str] = []

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.holds and event in STARTS:
            command = arguments[1] if len(arguments) > 1 else None
            if isinstance(command, Sequence) and (command[-1] in self.allowed or list(command) == SYSTEM):
                return
            words = f"{event} {arguments[:2]}"
            self.broken.append(words)
            # No exception that the program may take for a failure of its own.
            pytest.fail(f"a module of this category starts no process: {words}")


_BAN = _Ban()
sys.addaudithook(_BAN.hear)


@contextmanager
def held_to(category: str) -> Iterator[None]:
    """Fails whoever starts a process within that the category does not allow."""
    if category not in ALLOWED:
        yield
        return
    _BAN.holds, _BAN.allowed = True, ALLOWED[category]
    try:
        yield
    finally:
        _BAN.holds, _BAN.broken = False, []


def started_anyway() -> list[str]:
    """Processes that somebody tried to start within ``held_to``."""
    return _BAN.broken


@contextmanager
def process_allowed() -> Iterator[None]:
    """Lifts it, for a server that a whole run shares."""
    held, _BAN.holds = _BAN.holds, False
    try:
        yield
    finally:
        _BAN.holds = held
