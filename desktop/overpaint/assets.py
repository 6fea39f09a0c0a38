"""The folders of shipped data: looks, icons, models, translations, demo media.

Must not know what is in them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from overpaint.errors import OverpaintError


@cache
def asset_dir(name: str) -> Path:
    """The folder of one kind of asset.

    An installed or frozen package contains ``resources``. An editable install does not (hatchling's
    ``force-include`` only applies to wheels), so the repository's folder is the second choice.

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
