"""Whether a browser lists PipeWire's cameras is read from its own settings, whatever is in them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from overpaint.media.virtual_camera.browser_cameras import Browser, browsers

PREFERENCE = '{}("media.webrtc.camera.allow-pipewire", {});\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_machine_without_browsers_has_none(home: Path, tmp_path: Path) -> None:
    assert browsers(home, tmp_path) == ()


def test_browsers_as_they_come_list_v4l2s_cameras(home: Path, tmp_path: Path) -> None:
    written(tmp_path / "usr/bin/firefox-esr", "")
    written(tmp_path / "usr/bin/chromium", "")
    assert browsers(home, tmp_path) == (
        Browser("Firefox", "firefox", False),
        Browser("Chromium", "chromium", False),
    )


def test_fedoras_firefox_lists_pipewires(home: Path, tmp_path: Path) -> None:
    written(tmp_path / "usr/bin/firefox", "")
    defaults = tmp_path / "usr/lib64/firefox/browser/defaults/preferences/firefox-redhat-default-prefs.js"
    written(defaults, PREFERENCE.format("pref", "true"))
    assert browsers(home, tmp_path) == (Browser("Firefox", "firefox", True),)
    # The user's own choice wins.
    written(home / ".mozilla/firefox/abc.default/prefs.js", PREFERENCE.format("user_pref", "false"))
    assert browsers(home, tmp_path) == (Browser("Firefox", "firefox", False),)


def test_the_profile_that_was_used_last_counts(home: Path, tmp_path: Path) -> None:
    old = written(home / ".mozilla/firefox/old/prefs.js", PREFERENCE.format("user_pref", "true"))
    os.utime(old, (1, 1))
    flatpak = home / ".var/app/org.mozilla.firefox/.mozilla/firefox/new/prefs.js"
    written(flatpak, '// user_pref("other", true);\n')
    assert browsers(home, tmp_path) == (Browser("Firefox", "firefox", False),)


def test_a_flag_of_chrome_and_its_kin(home: Path, tmp_path: Path) -> None:
    on = {"browser": {"enabled_labs_experiments": ["other@2", "enable-webrtc-pipewire-camera@1"]}}
    off = {"browser": {"enabled_labs_experiments": ["enable-webrtc-pipewire-camera@2"]}}
    written(home / ".config/google-chrome/Local State", json.dumps(on))
    written(home / ".config/BraveSoftware/Brave-Browser/Local State", json.dumps(off))
    assert browsers(home, tmp_path) == (
        Browser("Chrome", "chromium", True),
        Browser("Brave", "chromium", False),
    )


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"browser": 3}', '{"browser": {"enabled_labs_experiments": 3}}']
)
def test_settings_that_are_not_as_expected_count_as_shipped(home: Path, tmp_path: Path, text: str) -> None:
    written(home / ".config/chromium/Local State", text)
    written(home / ".mozilla/firefox/a/prefs.js", text)
    assert not any(browser.uses_pipewire for browser in browsers(home, tmp_path))
