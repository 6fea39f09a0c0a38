"""State of OBS Studio's camera extension (macOS 13 and later): absent, waiting for the user, or on.

Read from ``systemextensionsctl list``, which every user may run and which changes nothing. Its columns are
separated by tabs: enabled, active, team, bundle id (version), name, [state]. Must not feed the camera.
"""

from __future__ import annotations

import logging
import subprocess
from pathlib import Path
from typing import Literal

from overpaint.errors import SinkError

log = logging.getLogger(__name__)

ExtensionState = Literal["on", "waiting", "restart_needed", "absent", "unknown"]
"""waiting: the user has not allowed it yet. restart_needed: it goes, or is replaced, at the next start."""

_BUNDLE = "com.obsproject.obs-studio.mac-camera-extension"
_PROGRAM = "/usr/bin/systemextensionsctl"
_PATIENCE_S = 5.0
OBS_PLACES = (Path("/Applications/OBS.app"), Path.home() / "Applications" / "OBS.app")


def extension_state() -> ExtensionState:
    """Asks the system for the state of the extension; of several versions, the best counts."""
    try:
        said = subprocess.run(
            [_PROGRAM, "list"], capture_output=True, text=True, timeout=_PATIENCE_S, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        log.info("the camera extensions are not known: %s", error)
        return "unknown"
    states = [line.rpartition("[")[2].rstrip("] \n") for line in said.splitlines() if _BUNDLE in line]
    if any(state == "activated enabled" for state in states):
        return "on"
    if any("waiting for user" in state for state in states):
        return "waiting"
    return "restart_needed" if any("reboot" in state for state in states) else "absent"


def extension_error() -> SinkError | None:
    """Why OBS's camera is not there and how to get it; None where it is there, or that is not known."""
    match extension_state():
        case "waiting":
            return SinkError("obs_camera_extension_waiting")
        case "restart_needed":
            return SinkError("obs_camera_extension_restart_needed")
        case "absent":
            installed = any(place.exists() for place in OBS_PLACES)
            return SinkError("obs_camera_extension_off" if installed else "obs_camera_extension_missing")
        case _:
            return None
