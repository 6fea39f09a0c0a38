"""Browsers of this user, and whether each lists PipeWire's cameras instead of V4L2's (Linux).

Firefox does by a preference, Chromium and its kin by a flag; both are off as shipped, but on in Fedora's
Firefox. One setting is read from each browser's own files; nothing is changed. Must not know which camera
there is.

Sources: Firefox's ``StaticPrefList.yaml`` and "user.js"; Chromium's ``about_flags.cc`` and "Local State".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FIREFOX_SWITCH = "media.webrtc.camera.allow-pipewire"
CHROMIUM_SWITCH = "chrome://flags/#enable-webrtc-pipewire-camera"
"""What a user looks for in ``about:config``, or opens."""

BrowserKind = Literal["firefox", "chromium"]
_PREFERENCE = re.compile(rf'pref\(\s*"{re.escape(FIREFOX_SWITCH)}"\s*,\s*(true|false)')
_FLAG_ON = "enable-webrtc-pipewire-camera@1"
_FIREFOX_PROGRAMS = ("usr/bin/firefox", "usr/bin/firefox-esr")
_FIREFOX_PROFILES = (
    ".mozilla/firefox",
    ".config/mozilla/firefox",
    ".var/app/org.mozilla.firefox/.mozilla/firefox",
    "snap/firefox/common/.mozilla/firefox",
)
_FIREFOX_DEFAULTS = (
    "usr/lib*/firefox*/defaults/pref*/*.js",
    "usr/lib*/firefox*/browser/defaults/preferences/*.js",
    "etc/firefox*/**/*.js",
)
_CHROMIUMS = {
    "Chrome": ("usr/bin/google-chrome", ".config/google-chrome"),
    "Chromium": ("usr/bin/chromium", ".config/chromium"),
    "Edge": ("usr/bin/microsoft-edge", ".config/microsoft-edge"),
    "Brave": ("usr/bin/brave-browser", ".config/BraveSoftware/Brave-Browser"),
    "Vivaldi": ("usr/bin/vivaldi", ".config/vivaldi"),
}
"""Program and folder of settings of each."""


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser of this user.

    Attributes:
        name: As its window is called.
        kind: How its switch is found.
        uses_pipewire: Whether it lists PipeWire's cameras, and then no V4L2 device.
    """

    name: str
    kind: BrowserKind
    uses_pipewire: bool


COMMON = (Browser("Firefox", "firefox", False), Browser("Chrome", "chromium", False))
"""The usual ones as they come, for where none is found."""


def browsers(home: Path | None = None, system: Path = Path("/")) -> tuple[Browser, ...]:
    """Returns the installed browsers.

    Args:
        home: The user's home folder; this user's when None.
        system: Root of the file system.
    """
    home = Path.home() if home is None else home
    found: list[Browser] = []
    profile = _newest_profile(home)
    if profile is not None or any((system / program).exists() for program in _FIREFOX_PROGRAMS):
        found.append(Browser("Firefox", "firefox", _firefox_uses_pipewire(profile, system)))
    for name, (program, folder) in _CHROMIUMS.items():
        state = home / folder / "Local State"
        if state.exists() or (system / program).exists():
            found.append(Browser(name, "chromium", _FLAG_ON in _flags(state)))
    return tuple(found)


def _newest_profile(home: Path) -> Path | None:
    """Returns the folder of the profile that was used last."""
    files = [file for folder in _FIREFOX_PROFILES for file in (home / folder).glob("*/prefs.js")]
    return max(files, key=_changed, default=Path()).parent if files else None


def _firefox_uses_pipewire(profile: Path | None, system: Path) -> bool:
    said = [value for pattern in _FIREFOX_DEFAULTS for value in _said(sorted(system.glob(pattern)))]
    if profile is not None:
        said += _said([profile / "prefs.js", profile / "user.js"])
    return bool(said) and said[-1]


def _said(files: list[Path]) -> Iterator[bool]:
    for file in files:
        for value in _PREFERENCE.findall(_text(file)):
            yield value == "true"


def _flags(state: Path) -> list[str]:
    try:
        flags = json.loads(_text(state))["browser"]["enabled_labs_experiments"]
    except (ValueError, KeyError, TypeError):
        return []
    return flags if isinstance(flags, list) else []


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
