"""The user's own looks, made of nets and kept in one folder.

A look is a TOML file like those that ship (``library``), with the ONNX file that it names. Must not know how
nets are recognised, or the command line.
"""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from pathlib import Path

from overpaint.engine.library import Look, looks, read_look
from overpaint.engine.nets.custom_nets import Examination
from overpaint.errors import UsageError

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def look_name(title: str) -> str:
    """The stable name (slug) for a title: lower case, hyphens, ASCII."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain))


def add_look(folder: Path, model: Path, found: Examination, title: str) -> Look:
    """Adds a look made of a net.

    Args:
        folder: Folder of the user's looks; created when absent.
        model: The ONNX file; copied.
        found: Result of its examination.
        title: Name shown to the user.

    Raises:
        UsageError: The title gives no name (no ASCII letter or digit), or another look has that name.
    """
    name = look_name(title)
    if not _NAME.fullmatch(name):
        raise UsageError("look_title_malformed", title=title)
    if (folder / f"{name}.toml").exists() or any(look.name == name for look in looks()):
        raise UsageError("look_exists", look=name)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(model, folder / f"{name}.onnx")
    # The TOML file last: a look exists from the moment that this file does.
    (folder / f"{name}.toml").write_text(_text(name, title, found), "utf-8")
    return read_look(folder / f"{name}.toml")


def remove_look(folder: Path, name: str) -> None:
    """Removes one of the user's looks with its net.

    Raises:
        UsageError: The user has no look of that name.
    """
    text = folder / f"{name}.toml"
    if not _NAME.fullmatch(name) or not text.is_file():
        raise UsageError("own_look_unknown", look=name)
    text.unlink()
    (folder / f"{name}.onnx").unlink(missing_ok=True)


def _text(name: str, title: str, found: Examination) -> str:
    form = found.form
    lines = [
        f"name = {json.dumps(name)}",
        f"title = {json.dumps(title)}",
        f"description = {json.dumps('Your own net. ' + found.verdict)}",
        f"captions = [{json.dumps(title.casefold())}]",
        "keywords = []",
        'needs = "model"',
        f"live = {json.dumps(found.live)}",
        "",
        "[[passes]]",
        'pass = "model"',
        f"file = {json.dumps(name + '.onnx')}",
        f"layout = {json.dumps(form.layout)}",
        f"values = [{form.values[0]}, {form.values[1]}]",
        f"multiple = {form.multiple}",
        f"rows = {found.rows}",
    ]
    if form.fixed:
        lines.append(f"fixed = [{form.fixed[0]}, {form.fixed[1]}]")
    return "\n".join([*lines, "", "[[passes]]", 'pass = "rise"', "softness = 40", ""])
