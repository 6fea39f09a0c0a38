"""Secrets of options: from a file, standard input or the environment; warned of on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from overpaint.commands.secret_options import secret_option
from overpaint.errors import UsageError

TURN = "turn:someone:s3cret@turn.example:3478"
DATABASE = "postgresql://someone:s3cret@db.example/overpaint"
app = typer.Typer()


@app.command()
def say(
    token: Annotated[str, typer.Option(envvar="OVERPAINT_TOKEN", callback=secret_option)] = "",
    ice_server: Annotated[list[str] | None, typer.Option(callback=secret_option)] = None,
) -> None:
    typer.echo(f"{token}|{','.join(ice_server or [])}")


def told(*words: str, **more: str) -> tuple[str, str]:
    done = CliRunner().invoke(app, words, env=more or None, catch_exceptions=False)
    return done.stdout.strip(), done.stderr.strip()


def test_a_secret_comes_from_a_file_or_the_environment_without_a_word(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("s3cret\n")
    assert told("--token", f"@{file}") == ("s3cret|", "")
    assert told(OVERPAINT_TOKEN="s3cret") == ("s3cret|", "")
    assert told(OVERPAINT_TOKEN=f"@{file}") == ("s3cret|", "")
    file.write_text(f"{TURN}\nstun:stun.example\n")
    assert told("--ice-server", f"@{file}") == (f"|{TURN},stun:stun.example", "")
    assert told("--ice-server", "stun:stun.example") == ("|stun:stun.example", ""), "that is none"


def test_standard_input_is_a_file_too() -> None:
    done = CliRunner().invoke(app, ["--token", "@-"], input="s3cret\n", catch_exceptions=False)
    assert done.stdout.strip() == "s3cret|" and done.stderr == ""


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("--token", "s3cret"), "s3cret|"),
        (("--token", DATABASE), f"{DATABASE}|"),
        (("--ice-server", TURN), f"|{TURN}"),
    ],
)
def test_one_on_the_command_line_is_warned_of_and_not_repeated(words: tuple[str, ...], shown: str) -> None:
    out, said = told(*words)
    assert out == shown
    assert "every user of this computer" in said and f"{words[0]} @FILE" in said and "s3cret" not in said
    assert ("OVERPAINT_TOKEN" in said) is (words[0] == "--token")


def test_a_file_that_has_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        told("--token", f"@{tmp_path / 'missing'}")
    (tmp_path / "empty").write_text(" \n")
    with pytest.raises(UsageError, match="no secret"):
        told("--token", f"@{tmp_path / 'empty'}")
