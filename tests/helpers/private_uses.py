"""Which names of libraries the package reaches inside for, read from its source text.

Found are: subclasses of a library's classes that are not made for it, and whatever they use or replace of
their base; names with an underscore; names of a library's modules that are replaced.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

MADE_FOR_SUBCLASSES = {
    "aiortc.mediastreams:MediaStreamTrack",
    "httpcore:AsyncNetworkBackend",
    "httpx:AsyncBaseTransport",
    "prometheus_client.registry:Collector",
    "starlette.responses:FileResponse",
}
"""Each library's documentation tells its users to subclass these."""
_FRAMEWORKS = {"PySide6", "pydantic", "sqlalchemy", "numpy", "typing_extensions"}
"""Subclasses are how these are used at all."""


def private_uses(file: Path) -> Iterator[str]:
    """Names, ``module:Class.member``, that a module uses of libraries and that are not their interface."""
    tree = ast.parse(file.read_text("utf-8"))
    names = dict(_imported(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from _of_class(node, names)
        elif isinstance(node, ast.Attribute) and _is_private(node.attr):
            owner = _resolved(node.value, names)
            if owner is not None:
                yield (
                    f"{_name(owner)}.{node.attr}"
                    if isinstance(owner, type)
                    else f"{_name(owner)}:{node.attr}"
                )
        elif isinstance(node, ast.ImportFrom | ast.Import):
            yield from _private_imports(node)
        elif isinstance(node, ast.Call):
            yield from _replaced(node, names)


def belongs(cls: type, name: str) -> bool:
    """Whether a class or its instances have something of this name; instances by what ``__init__`` names."""
    makers = [vars(each).get("__init__") for each in cls.__mro__]
    return hasattr(cls, name) or any(
        name in maker.__code__.co_names for maker in makers if hasattr(maker, "__code__")
    )


def _of_class(node: ast.ClassDef, names: dict[str, str]) -> Iterator[str]:
    for base in node.bases:
        cls = _resolved(base, names)
        if not isinstance(cls, type) or _name(cls) in MADE_FOR_SUBCLASSES:
            continue
        yield _name(cls)
        for inner in ast.walk(node):
            used = ""
            if isinstance(inner, ast.Attribute) and ast.unparse(inner.value) in ("self", "super()"):
                used = inner.attr
            elif isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                used = inner.name
            if used and not used.endswith("__") and belongs(cls, used):
                yield f"{_name(_definer(cls, used))}.{used}"


def _definer(cls: type, name: str) -> type:
    """The class that a name comes from; the class itself where it is an attribute of its instances."""
    return next((each for each in cls.__mro__ if name in vars(each)), cls)


def _private_imports(node: ast.ImportFrom | ast.Import) -> Iterator[str]:
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        full = f"{module}.{alias.name}".strip(".")
        if _is_library(full) and any(_is_private(part) for part in full.split(".")):
            yield f"{module}:{alias.name}" if module else full


def _replaced(node: ast.Call, names: dict[str, str]) -> Iterator[str]:
    if isinstance(node.func, ast.Name) and node.func.id in ("setattr", "_replace") and len(node.args) > 1:
        owner, name = _resolved(node.args[0], names), node.args[1]
        if owner is not None and isinstance(name, ast.Constant):
            yield f"{_name(owner)}:{name.value}"


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (
                    (alias.asname or alias.name.partition(".")[0]),
                    alias.name if alias.asname else (alias.name.partition(".")[0]),
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _resolved(node: ast.expr, names: dict[str, str]) -> Any:
    """The object of a library that an expression stands for; None for anything else."""
    text = ast.unparse(node).partition("[")[0]
    top, _, rest = text.partition(".")
    full = f"{names.get(top, '')}.{rest}".strip(".")
    if top not in names or not _is_library(full):
        return None
    parts = full.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for part in parts[count:]:
            found = getattr(found, part, None)
        return found
    return None


def _is_library(full: str) -> bool:
    top = full.partition(".")[0]
    return top not in sys.stdlib_module_names and top not in _FRAMEWORKS and top != "overpaint"


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _name(found: Any) -> str:
    if isinstance(found, ModuleType):
        return found.__name__
    return f"{found.__module__}:{found.__qualname__}"
