"""User settings, validated and saved as a file. Must not know processes, devices or the network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationError

from overpaint.private_folder import write_private
from overpaint.wire.preferences import Preferences


class Settings(Preferences):
    """The saved settings: the preferences, and the following fields. Immutable.

    Attributes:
        source: Source as the command line names it (``camera``, ``screen:1``, ``demo``, a path).
        source_identity: Stable identity of that source, since its number changes with the devices present.
        prompt: Style prompt of the last session.
        model: Realtime model.
        camera_device: Virtual camera device, or ``pipewire``; empty for what is there.
        server: Address of a remote service; empty for the local core.
        fall_back: Whether to fail over to the local core while the remote service is unreachable.
        allowed_http: Address of the remote service to which unencrypted connections are allowed; or empty.
        ttl_seconds: Requested lifetime of each session.
        page_token: Token in the page for OBS's address of former versions. It grants nothing any more, and is
            kept until OBS uses the present address.
        framings: Framing of each source (``wire.framing``), by the source's identity.
        source_options: Options of each source (``wire.sources``), by the source's identity.
        network_cameras: Public addresses of used network cameras, and whether the keyring has the whole one.
        network_camera_names: Names that the user gave some of them, by public address.
        releases_address: Address that is asked for the newest release; empty for the usual one.
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
    network_cameras: dict[str, bool] = Field(default_factory=dict)
    network_camera_names: dict[str, str] = Field(default_factory=dict)
    releases_address: str = ""


def load_settings(folder: Path) -> Settings:
    """Reads the settings of a data folder; defaults where the file is missing or invalid."""
    try:
        return Settings.model_validate_json((folder / "settings.json").read_text("utf-8"))
    except (OSError, ValidationError):
        return Settings()


def save_settings(folder: Path, settings: Settings) -> None:
    """Writes the settings of a data folder atomically."""
    content = json.dumps(settings.model_dump(), indent=2) + "\n"
    write_private(folder / "settings.json", content.encode())
