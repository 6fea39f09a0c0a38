"""What the user may set, and where Overpaint's files live.

Knows paths and validated values; must not know processes, devices or the network.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from overpaint.errors import UsageError

DATA_DIR_VARIABLE = "OVERPAINT_DATA_DIR"
"""Environment variable that moves everything Overpaint stores to another folder."""


class Settings(BaseModel):
    """What the app remembers between two starts. Frozen: a change is a new object.

    Attributes:
        source: Source as the command line names it (``camera``, ``screen:1``, ``demo``, a path).
        source_identity: What that source is recognised by: its number changes with what is plugged in.
        prompt: Style prompt of the last session.
        model: Realtime model.
        camera_device: Virtual camera device to use; the system's first suitable one when empty.
        server: Address of a remote service; the local core when empty.
        ice_servers: STUN and TURN servers for the way there, as ``IceServer.parse`` reads them.
        fall_back: Whether the local core takes its place while the remote service is away.
        ttl_seconds: Lifetime asked for each session.
        slate_picture: What the camera shows while there is nothing styled; the shipped picture when empty.
        slate_after_seconds: How long the last styled picture stands before that takes its place.
        recording_folder: Where recordings go; ``recordings_dir`` when empty.
        still_folder: Where snapshots go; ``stills_dir`` when empty.
        low_priority: Leave the processor to other programs first.
        page_on: Serve the page that OBS shows.
        page_port: Its port; 0 before there was one.
        page_token: What its address has that nobody guesses; empty before there was one.
        rest_unread: Restyle nothing while nobody looks (``wire.live.Preferences``).
        rest_previewed: Also while a window shows the picture.
        framings: How sources are laid into the frame (``wire.framing``), by their identities.
        source_options: How sources are run (``wire.sources``), by their identities.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    source: str = "camera"
    source_identity: str = ""
    prompt: str = "ink comic"
    model: str = "service-realtime-1080p"
    camera_device: str = ""
    server: str = ""
    ice_servers: tuple[str, ...] = ()
    fall_back: bool = False
    ttl_seconds: Annotated[int, Field(ge=60, le=1800)] = 1800
    slate_picture: str = ""
    slate_after_seconds: Annotated[int, Field(ge=1, le=3600)] = 30
    recording_folder: str = ""
    still_folder: str = ""
    low_priority: bool = False
    page_on: bool = False
    page_port: Annotated[int, Field(ge=0, le=65535)] = 0
    page_token: str = ""
    rest_unread: bool = False
    rest_previewed: bool = False
    framings: dict[str, dict[str, float]] = Field(default_factory=dict)
    source_options: dict[str, dict[str, Any]] = Field(default_factory=dict)


def data_dir(override: Path | None = None) -> Path:
    """The folder for ledger, keys' hashes, settings and running processes' notes; made when absent.

    Args:
        override: A folder named on the command line; wins over the environment and the default.

    Raises:
        UsageError: The folder cannot be made or is not writable.
    """
    named = override or (Path(os.environ[DATA_DIR_VARIABLE]) if DATA_DIR_VARIABLE in os.environ else None)
    folder = named or Path(platformdirs.user_data_dir("overpaint", appauthor=False))
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UsageError(
            f"The data folder {folder} cannot be used: {error.strerror}.",
            mend="Name another with --data-dir.",
        ) from error
    if not os.access(folder, os.W_OK):
        raise UsageError(f"The data folder {folder} is not writable.", mend="Name another with --data-dir.")
    return folder.resolve()


def cache_dir() -> Path:
    """The folder for what can be made again (compiled kernels, thumbnails); made when absent."""
    folder = Path(platformdirs.user_cache_dir("overpaint", appauthor=False))
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


def load_settings(folder: Path) -> Settings:
    """Reads the settings of a data folder; unreadable or invalid ones count as none."""
    try:
        return Settings.model_validate_json((folder / "settings.json").read_text("utf-8"))
    except (OSError, ValidationError):
        return Settings()


def save_settings(folder: Path, settings: Settings) -> None:
    """Writes the settings of a data folder, whole or not at all."""
    target = folder / "settings.json"
    draft = target.with_suffix(".tmp")
    draft.write_text(json.dumps(settings.model_dump(), indent=2) + "\n", "utf-8")
    draft.replace(target)
