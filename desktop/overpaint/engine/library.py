"""The library of looks: those that ship with Overpaint (``resources/looks``), and the user's own.

A look is data: its words, and its passes with their parameters. This module must stay quick to
import: it imports neither numba nor OpenCV, so that listing looks costs nothing.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from overpaint.assets import asset_dir
from overpaint.errors import OverpaintError

log = logging.getLogger(__name__)

DEFAULT_LOOK = "ink-comic"
"""Look of an empty prompt without a photo."""

PHOTO_LOOK = "photo-style"
"""Look of an empty prompt with a photo."""

TONE_LOOK = "colour-grade"
"""Look of a prompt that only changes tone and colour, without a photo."""

GROUPS = ("drawing", "painting", "print", "craft", "film", "light", "screen", "background")
"""The groups that looks are listed in."""


@dataclass(frozen=True, slots=True)
class PassSpec:
    """The data of one pass of a look.

    Attributes:
        name: Key in ``passes.registry.PASSES``.
        parameters: Keyword arguments of its constructor.
    """

    name: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Look:
    """The data of a look.

    Attributes:
        name: Stable name, lower case with hyphens.
        title: Name shown to the user.
        description: One line.
        group: One of ``GROUPS``; empty for a look of the user's own.
        captions: Short phrases that name this look, in English.
        keywords: Single words or word pairs that point to it (other names, artists, eras), in English;
            those of other languages are in ``resources/words``.
        hints: Words that suggest it weakly, where nothing in the prompt points to a look more strongly.
        needs: Requirement beyond a CPU: ``none``, ``model`` or ``gpu``.
        strength: Strength of the look, 0..1, when the user asks for full strength.
        steadiness: Strength of the temporal noise reduction in still places, 0..1.
        photo: Use of a reference photo: ``match`` (its colours) or ``tint`` (tints of its passes).
        quiet: Whether the picture stays a photograph (light, film, colour). Where a prompt also names a
            medium, the medium wins.
        live: Whether it is fast enough for a stream; nets that users bring may not be.
        passes: Its passes, in order.
    """

    name: str
    title: str
    description: str
    group: str
    captions: tuple[str, ...]
    keywords: tuple[str, ...]
    hints: tuple[str, ...]
    needs: str
    strength: float
    steadiness: float
    photo: str
    quiet: bool
    live: bool
    passes: tuple[PassSpec, ...]

    @property
    def pass_names(self) -> set[str]:
        """Names of its passes, coats of paintings included."""
        return names_of((step.name, step.parameters) for step in self.passes)

    @property
    def phrases(self) -> tuple[str, ...]:
        """Captions, keywords and hints."""
        return (*self.captions, *self.keywords, *self.hints)


def read_look(path: Path) -> Look:
    """Reads one look.

    Args:
        path: A TOML file.

    Raises:
        OverpaintError: The file is not a valid look (kind ``bad_look``).
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        look = Look(
            name=str(data["name"]),
            title=str(data["title"]),
            description=str(data["description"]),
            group=str(data.get("group", "")),
            captions=_words(data["captions"]),
            keywords=_words(data["keywords"]),
            hints=_words(data.get("hints", [])),
            needs=str(data.get("needs", "none")),
            strength=float(data.get("strength", 1.0)),
            steadiness=float(data.get("steadiness", 0.8)),
            photo=str(data.get("photo", "match")),
            quiet=bool(data.get("quiet", False)),
            live=bool(data.get("live", True)),
            passes=tuple(_pass(step, path.parent) for step in data["passes"]),
        )
        _check(look, path)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise OverpaintError("look_file_unreadable", file=path.name, reason=str(error)) from error
    return look


def names_of(steps: Iterable[tuple[str, Mapping[str, object]]]) -> set[str]:
    """Names of all passes in steps, those of coats of paintings included."""
    names = set()
    for name, parameters in steps:
        coats = cast("tuple[Mapping[str, object], ...]", parameters.get("coats", ()))
        names |= {name, *(str(coat["pass"]) for coat in coats)}
    return names


def _words(values: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("captions, keywords and hints are lists of text")
    return tuple(values)


def _pass(step: dict[str, Any], folder: Path) -> PassSpec:
    parameters = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in step.items()
        if key != "pass"
    }
    if "file" in parameters:
        # Only a file beside the look may be named: its folder part is dropped.
        parameters["file"] = str(folder / Path(str(parameters["file"])).name)
    return PassSpec(str(step["pass"]), MappingProxyType(parameters))


def _check(look: Look, path: Path) -> None:
    if look.name != path.stem:
        raise ValueError(f"its name {look.name!r} differs from the file's")
    if look.group not in ("", *GROUPS):
        raise ValueError(f"group is one of {', '.join(GROUPS)}")
    if look.needs not in ("none", "model", "gpu"):
        raise ValueError("needs is none, model or gpu")
    if look.photo not in ("match", "tint"):
        raise ValueError("photo is match or tint")
    if not (0 <= look.strength <= 1 and 0 <= look.steadiness <= 1):
        raise ValueError("strength and steadiness lie between 0 and 1")
    if not look.captions or not look.passes:
        raise ValueError("captions and passes must not be empty")


@cache
def looks() -> tuple[Look, ...]:
    """All looks that ship, the default one first, the others by title.

    Raises:
        OverpaintError: The installation is incomplete (``missing_assets``) or damaged (``bad_look``).
    """
    found = [read_look(path) for path in sorted(asset_dir("looks").glob("*.toml"))]
    return tuple(sorted(found, key=lambda look: (look.name != DEFAULT_LOOK, look.title)))


def own_looks(folder: Path) -> tuple[Look, ...]:
    """The user's own looks, sorted by title; a look that cannot be read is left out and logged.

    Args:
        folder: Their folder, written by ``custom_looks.add_look``.
    """
    try:
        changed_ns = folder.stat().st_mtime_ns
    except OSError:
        return ()
    return _own_looks(folder, changed_ns)


@lru_cache(maxsize=4)
def _own_looks(folder: Path, changed_ns: int) -> tuple[Look, ...]:
    found = []
    for path in sorted(folder.glob("*.toml")):
        try:
            found.append(read_look(path))
        except OverpaintError as error:
            log.warning("%s", error)
    return tuple(sorted(found, key=lambda look: look.title))


def look_named(name: str) -> Look:
    """The shipped look of exactly that name.

    Raises:
        KeyError: No shipped look has that name.
    """
    for look in looks():
        if look.name == name:
            return look
    raise KeyError(name)
