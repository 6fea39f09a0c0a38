"""User settings.

Knows validated values; must not know processes, devices or the network.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationError

from overpaint.private_folder import write_private
from overpaint.wire.preferences import Preferences


class Settings(Preferences):
    """The saved settings: the preferences, and the following fields. Immutable: a change is a new object.

    Attributes:
        source: Source as the command line names it (``camera``, ``screen:1``, ``demo``, a path).
        source_identity: What that source is recognised by: its number changes with what is plugged in.
        prompt: Style prompt of the last session.
        model: Realtime model.
        camera_device: Virtual camera device to use; the system's first suitable one when empty.
        server: Address of a remote service; the local core when empty.
        fall_back: Whether the local core takes its place while the remote service is away.
        allowed_http: Address of the remote service whose way may be unencrypted; empty: none.
        ttl_seconds: Lifetime asked for each session.
        page_token: Part of the address of the page for OBS in former versions, which opens nothing any more:
            kept until OBS has been seen to use the present address.
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
    fall_back: bool = False
    allowed_http: str = ""
    ttl_seconds: Annotated[int, Field(ge=60, le=1800)] = 1800
    page_token: str = ""
    framings: dict[str, dict[str, float]] = Field(default_factory=dict)
    source_options: dict[str, dict[str, Any]] = Field(default_factory=dict)


def load_settings(folder: Path) -> Settings:
    """Reads the settings of a data folder; unreadable or invalid ones count as none."""
    try:
        return Settings.model_validate_json((folder / "settings.json").read_text("utf-8"))
    except (OSError, ValidationError):
        return Settings()


def save_settings(folder: Path, settings: Settings) -> None:
    """Writes the settings of a data folder, whole or not at all."""
    content = json.dumps(settings.model_dump(), indent=2) + "\n"
    write_private(folder / "settings.json", content.encode())
