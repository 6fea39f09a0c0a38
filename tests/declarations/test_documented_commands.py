"""Commands in the documents: each exists in the command line, with the options that the document gives it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer

from overpaint.cli import app

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
PROGRAM: Any = typer.main.get_command(app)
WORDS = re.compile(r"(?:overpaint |`(?!overpaint ))([a-z][a-z-]*\b[^`|\n]*)")


def commands_of(command: Any) -> dict[str, Any]:
    found: dict[str, Any] = getattr(command, "commands", {})
    return found


def options_of(command: Any) -> set[str]:
    return {option for param in command.params for option in (*param.opts, *param.secondary_opts)} | {
        "--help"
    }


def unknown_options(text: str) -> tuple[int, list[str]]:
    """The number of commands in a text, and those of their options that do not exist."""
    seen, unknown = 0, []
    for line in WORDS.findall(text):
        command, words = PROGRAM, line.replace("\\", "").split()
        while words and words[0] in commands_of(command):
            command = commands_of(command)[words.pop(0)]
        if command is PROGRAM:
            continue
        seen += 1
        named = {word.rstrip(",.)…]") for word in words if word.lstrip("[").startswith("--")}
        known = options_of(command) | options_of(PROGRAM)
        unknown += [f"{option} in {line}" for option in {each.lstrip("[") for each in named} - known]
    return seen, unknown


def test_documents_give_commands_only_options_that_exist() -> None:
    found = {document.name: unknown_options(document.read_text("utf-8")) for document in DOCUMENTS}
    assert {name: unknown for name, (_, unknown) in found.items() if unknown} == {}
    assert sum(seen for seen, _ in found.values()) > 50


def visible(command: Any, name: str = "") -> set[str]:
    """The names of a command and of those in it, less the hidden ones."""
    inner = {
        each
        for word, part in commands_of(command).items()
        if not part.hidden
        for each in visible(part, f"{name} {word}".strip())
    }
    return inner | {name} if name else inner


def named_in(cell: str) -> set[str]:
    """The commands that a cell of the README's table names; ``keys create\\|list`` is two and their group."""
    named = set()
    for text in re.findall(r"`overpaint ?([^`]*)`", cell):
        *group, last = text.split(" ", 2)[:2] or [""]
        named |= {" ".join((*group, word)) for word in last.split("\\|")} | {" ".join(group)}
    return named


def test_the_readme_has_every_command() -> None:
    rows = re.findall(
        r"^\| (`overpaint(?:[^|]|\\\|)*) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    named = {name for row in rows for name in named_in(row)}
    assert visible(PROGRAM) - named == set(), "give it a row in the README's table of commands"


def test_an_option_that_does_not_exist_is_found() -> None:
    assert unknown_options("`overpaint serve --no-such-option 1`") == (
        1,
        ["--no-such-option in serve --no-such-option 1"],
    )
