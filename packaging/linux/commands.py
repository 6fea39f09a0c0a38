"""The tree of the program's commands and options, read from its typer application."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import typer.main


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command.

    Attributes:
        names: As they are typed, such as ``--json``.
        help: One or two sentences.
        value: The word that stands for its value in texts; empty for a switch.
        choices: The only values that it takes; empty for any.
        is_path: Whether its value is a path.
    """

    names: tuple[str, ...]
    help: str
    value: str
    choices: tuple[str, ...]
    is_path: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command, or the program itself.

    Attributes:
        name: As it is typed, with those above it.
        help: Its help text; the first line is a summary.
        options: Its options.
        arguments: Its arguments as texts show them; empty for none.
        takes_paths: Whether these are paths.
        commands: The commands below it that are not hidden.
    """

    name: tuple[str, ...]
    help: str
    options: tuple[Option, ...]
    arguments: str
    takes_paths: bool
    commands: tuple[Command, ...]

    @property
    def summary(self) -> str:
        """The first line of the help."""
        return self.help.strip().partition("\n")[0]

    def all(self) -> Iterator[Command]:
        """This command and every one below it."""
        yield self
        for command in self.commands:
            yield from command.all()


def whole_command() -> Command:
    """Returns the program's command with everything below it."""
    from overpaint.cli import app

    return _command(("overpaint",), typer.main.get_command(app))


def _command(name: tuple[str, ...], made: Any) -> Command:
    shown = [parameter for parameter in made.params if not getattr(parameter, "hidden", False)]
    options = [each for each in shown if each.param_type_name == "option"]
    arguments = [each for each in shown if each.param_type_name == "argument"]
    below = getattr(made, "commands", {})
    return Command(
        name,
        made.help or "",
        (*map(_option, options), Option(("--help",), "Show the help.", "", (), is_path=False)),
        " ".join(_argument(each) for each in arguments),
        any(Path in _types(each) for each in arguments),
        tuple(_command((*name, word), each) for word, each in sorted(below.items()) if not each.hidden),
    )


def _option(made: Any) -> Option:
    kinds = _types(made)
    choices = [str(each.value) for kind in kinds if issubclass(kind, Enum) for each in kind]
    value = "" if made.is_flag else (made.metavar or made.name).upper().replace("_", "-")
    return Option((*made.opts, *made.secondary_opts), made.help or "", value, tuple(choices), Path in kinds)


def _argument(made: Any) -> str:
    word = (made.metavar or made.name).upper()
    word += "…" if made.nargs == -1 else ""
    return word if made.required else f"[{word}]"


def _types(made: Any) -> set[type]:
    """The classes in a parameter's annotation, such as ``Path`` of ``list[Path] | None``."""
    found: set[type] = set()
    left = [made.type_descriptor.annotation]
    while left:
        kind = left.pop()
        left += get_args(kind)
        if isinstance(kind, type) and not get_args(kind):
            found.add(kind)
    return found
