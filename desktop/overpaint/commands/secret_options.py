"""Options whose values are secrets, kept off the command line: every user of a machine can read those.

A value that begins with ``@`` names a file that has the secret (``@-``: standard input). One from the
environment is as good. One that is written out on the command line is taken, so that nothing stops working,
with a warning that names the other ways. Must not know what the secrets open.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import typer

from overpaint.errors import UsageError

_PASSWORD = re.compile(r"(://|^turns?:)[^/@\s]*:[^@\s]+@|^[^:@]+$")
"""In a url, or of a TURN server; or the value is nothing but the secret."""


def secret_option(
    context: typer.Context, option: typer.CallbackParam, value: str | list[str] | None
) -> str | list[str] | None:
    """A callback of options: what they stand for, one text or several.

    Raises:
        UsageError: The file cannot be read, or is empty.
    """
    if not value:
        return value
    written = [value] if isinstance(value, str) else value
    source = context.get_parameter_source(option.name or "")
    if source is not None and source.name == "COMMANDLINE":
        for each in written:
            if not each.startswith("@") and _PASSWORD.search(each):
                _warn(option)
                break
    if isinstance(value, str):
        return " ".join(_read(value[1:])) if value.startswith("@") else value
    return [word for each in value for word in (_read(each[1:]) if each.startswith("@") else [each])]


def _read(name: str) -> list[str]:
    """The words of a file."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).expanduser().read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("secret_file_unreadable", file=name) from error
    if not text.split():
        raise UsageError("secret_file_empty", file=name)
    return text.split()


def _warn(option: typer.CallbackParam) -> None:
    name, variable = option.opts[0], option.envvar
    variable = variable if isinstance(variable, str) or variable is None else variable[0]
    other = f", or set {variable}" if variable else ""
    typer.echo(
        f"{name}: every user of this computer can read a secret on a command line. "
        f"Put it into a file and say {name} @FILE{other}.",
        err=True,
    )
