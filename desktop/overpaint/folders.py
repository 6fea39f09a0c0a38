"""The folders of Overpaint's files: data, cache, recordings. Quick to import: every process begins with it.

Must not know what is in the files.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from overpaint.errors import UsageError
from overpaint.private_folder import make_private

DATA_DIR_VARIABLE = "OVERPAINT_DATA_DIR"
"""Environment variable that moves everything Overpaint stores to another folder."""

APP = "overpaint"
"""Name of this program in folders and in entries of the system."""


def data_dir(override: Path | None = None) -> Path:
    """The data folder: ledger, settings, and notes of running processes.

    Created when absent. Other users' rights to an existing one are removed (``private_folder``).

    Args:
        override: The folder of the command line; it has priority over environment and default.

    Raises:
        UsageError: The folder cannot be created or written, or cannot be made private.
    """
    named = override or (Path(os.environ[DATA_DIR_VARIABLE]) if DATA_DIR_VARIABLE in os.environ else None)
    folder = named or usual_data_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UsageError("data_folder_refused", folder=str(folder), reason=str(error.strerror)) from error
    if not os.access(folder, os.W_OK):
        raise UsageError("data_folder_not_writable", folder=str(folder))
    return make_private(folder)


def usual_data_dir() -> Path:
    """The path of the default data folder; does not create or check it."""
    return Path(platformdirs.user_data_dir(APP, appauthor=False))


def cache_dir() -> Path:
    """The cache folder: compiled kernels, thumbnails. Created when absent."""
    folder = Path(platformdirs.user_cache_dir(APP, appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kernel_dir() -> Path:
    """The folder of the engine's compiled kernels, shared by every process of this user."""
    return cache_dir() / "kernels"


def looks_dir() -> Path:
    """The folder of the user's own looks, shared by every process of this user."""
    return data_dir() / "looks"


def recordings_dir() -> Path:
    """The default folder of recordings."""
    return Path(platformdirs.user_videos_dir()) / "Overpaint"


def stills_dir() -> Path:
    """The default folder of stills."""
    return Path(platformdirs.user_pictures_dir()) / "Overpaint"


def results_dir() -> Path:
    """The folder of restyled pictures and clips."""
    return Path(platformdirs.user_pictures_dir()) / "Overpaint"
