"""Files for recordings and snapshots, named by the time. Must not know what is written to them."""

from __future__ import annotations

import itertools
from datetime import datetime
from pathlib import Path

from overpaint.errors import SinkError


def new_file(chosen: str, usual: Path, ending: str) -> Path:
    """Returns a path that no file has yet.

    Args:
        chosen: The folder that the user chose; empty for the usual one.
        usual: The usual folder.
        ending: The file's suffix, without its dot.

    Raises:
        SinkError: The folder cannot be made.
    """
    folder = Path(chosen) if chosen else usual
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SinkError("outputs_folder_refused", folder=str(folder), reason=str(error.strerror)) from error
    name = f"Overpaint {datetime.now().astimezone():%Y-%m-%d %H-%M-%S}"
    numbered = (f"{name}{f' ({number})' if number else ''}.{ending}" for number in itertools.count())
    return next(path for file in numbered if not (path := folder / file).exists())
