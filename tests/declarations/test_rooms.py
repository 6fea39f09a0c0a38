"""The package's tree can be held in mind: no import circles, no folder that grows without end.

The directions between rooms are import-linter's (``make check``), which leaves out imports for types only.
"""

from __future__ import annotations

import ast
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import overpaint

PACKAGE = Path(overpaint.__file__).parent

MODULES = 15
"""The most that a folder may have."""


def modules() -> dict[str, Path]:
    """Every module of the package by its full name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The package's modules that one imports, at any place in it and for whatever reason."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inner & known.keys()) or {node.module}
    return found & known.keys()


def test_there_are_no_import_circles() -> None:
    known = modules()
    assert len(known) > 300
    # Raises ``CycleError``, which names the circle.
    TopologicalSorter({name: imported(path, known) - {name} for name, path in known.items()}).prepare()


def test_no_folder_grows_past_what_one_can_hold_in_mind() -> None:
    counts = Counter(
        path.parent.relative_to(PACKAGE).as_posix() for path in modules().values() if path.stem != "__init__"
    )
    assert {folder: count for folder, count in counts.items() if count > MODULES} == {}
