"""Shipped data: looks, icons, models, translations, demo media, found wherever Overpaint is installed.

Knows where packages and repositories keep their files; must not know what is in them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from overpaint.errors import OverpaintError


@cache
def asset_dir(name: str) -> Path:
    """The folder of one kind of asset.

    An installed or frozen package carries ``resources`` inside itself; an editable install does not
    (hatchling's ``force-include`` only acts on wheels), so the repository's own folder comes second.

    Args:
        name: Folder below ``resources``, such as ``looks`` or ``icons``.

    Raises:
        OverpaintError: The installation is incomplete (kind ``missing_assets``).
    """
    package = Path(str(files("overpaint")))
    for root in (package / "resources", package.parents[1] / "resources"):
        if (root / name).is_dir():
            return root / name
    raise OverpaintError("installation_incomplete", part=name)
