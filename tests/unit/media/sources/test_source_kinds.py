"""A kind of source is named wherever the user chooses one."""

from __future__ import annotations

from typing import Any, get_args

import pytest
import typer

from overpaint.assets import asset_dir
from overpaint.cli import app
from overpaint.sentences import SENTENCES
from overpaint.wire.sources import SourceKind


@pytest.mark.parametrize("kind", get_args(SourceKind))
def test_a_kind_of_source_is_named_wherever_one_is_chosen(kind: str) -> None:
    program: Any = typer.main.get_command(app)
    options = {param.name: param.help for param in program.commands["stream"].params}
    assert kind in options["source"], "the help of --source in cli.py"
    assert kind in SENTENCES["source_unknown"].mend, "sentences/sources.py"
    assert (asset_dir("icons") / f"{kind}.svg").is_file(), "the icon in the window's list of sources"
