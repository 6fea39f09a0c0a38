"""Folders of Overpaint's files. Quick to import: every process begins with it.

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
"""As folders and entries of the system name this program."""


def data_dir(override: Path | None = None) -> Path:
    """The folder for ledger, keys' hashes, settings and running processes' notes.

    Made when absent; one that is there already is closed to other users (``private_folder``), since every
    process begins with this.

    Args:
        override: A folder named on the command line; wins over the environment and the default.

    Raises:
        UsageError: The folder cannot be made, is not writable, or cannot be closed to other users.
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
    """The data folder of who names none; neither made nor looked at."""
    return Path(platformdirs.user_data_dir(APP, appauthor=False))


def cache_dir() -> Path:
    """The folder for what can be made again (compiled kernels, thumbnails); made when absent."""
    folder = Path(platformdirs.user_cache_dir(APP, appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kernel_dir() -> Path:
    """The folder where every process of this user finds the engine's compiled kernels."""
    return cache_dir() / "kernels"


def looks_dir() -> Path:
    """The folder of the looks that this user made; every process of the user finds them there."""
    return data_dir() / "looks"


def recordings_dir() -> Path:
    """The folder where recordings go unless the user names another."""
    return Path(platformdirs.user_videos_dir()) / "Overpaint"


def stills_dir() -> Path:
    """The folder where snapshots go unless the user names another."""
    return Path(platformdirs.user_pictures_dir()) / "Overpaint"


def results_dir() -> Path:
    """The folder where restyled pictures and clips go."""
    return Path(platformdirs.user_pictures_dir()) / "Overpaint"
