"""The Windows installer as its user gets it: installed, used, upgraded, removed with nothing left behind.

The user's name has a space and letters beyond ASCII (tests/windows/run.sh). Wine has no cameras and captures
no screen; rates are not looked at there.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform != "win32":
    pytest.skip("the installer is Windows'", allow_module_level=True)

import cv2
import numpy as np
from PIL import ImageGrab

from windows import installation
from windows.installation import (
    CLASSES,
    DATA,
    MENU,
    RUN,
    UNINSTALL,
    USUAL,
    install,
    run,
    uninstall,
    until,
    value,
)

OUT = Path(os.environ.get("OVERPAINT_TEST_OUT", "."))
DEEP = (
    Path(os.environ["LOCALAPPDATA"]) / "Programme für mich" / ("tief verschachtelt " * 2).strip() / "日本語"
)


@pytest.fixture(scope="module", autouse=True)  # tests in this order: each goes on where the one before ended
def installed() -> Iterator[None]:
    began = time.monotonic()
    assert install() == 0
    print(f"\ninstalled in {time.monotonic() - began:.0f} s")
    yield
    if value(UNINSTALL, "InstallLocation"):
        uninstall("/PURGE")


@pytest.fixture(scope="module")
def kernels(installed: None) -> None:
    """Compiled kernels of the engine, since a stream would wait for the compiler."""
    began = time.monotonic()
    assert run("warm", timeout=2400).returncode == 0
    print(f"\nkernels compiled in {time.monotonic() - began:.0f} s")


def test_it_is_installed_for_this_user_with_all_that_a_user_looks_for() -> None:
    assert value(UNINSTALL, "InstallLocation") == str(USUAL)
    assert value(UNINSTALL, "DisplayName") == "Overpaint"
    assert (USUAL / "overpaint-window.exe").is_file() and MENU.is_file()
    assert value(RUN, "overpaint") is None, "it starts with Windows only where the user wants it"
    assert value(rf"{CLASSES}\.overpaint") == "Overpaint.Preset"
    size = sum(path.stat().st_size for path in USUAL.rglob("*") if path.is_file())
    print(f"\n{size / 1e6:.0f} MB installed")
    assert not list(USUAL.rglob("*ucrtbase*")), "Windows' own libraries are Windows'"


def test_the_command_line_works() -> None:
    began = time.monotonic()
    said = run("--version")
    print(f"\n--version in {time.monotonic() - began:.1f} s")
    assert (said.returncode, said.stdout.split()[0]) == (0, "overpaint"), said.stderr
    assert len(json.loads(run("looks", "--json").stdout)) > 50


def test_the_doctor_says_where_the_camera_is_to_be_had() -> None:
    said = run("doctor", "--json")
    findings = {each["part"]: each for each in json.loads(said.stdout)}
    assert findings["camera output"]["verdict"] == "missing"
    assert "obsproject.com" in findings["camera output"]["mend"]
    for part in ("video codecs", "engine", "keyring", "service core"):
        assert findings[part]["verdict"] == "ok", findings[part]


@pytest.mark.usefixtures("kernels")
def test_a_picture_is_restyled(tmp_path: Path) -> None:
    source, made = tmp_path / "mein Bild ä 日.png", tmp_path / "neu ö.png"
    picture = np.random.default_rng(1).integers(0, 256, (270, 480, 3), np.uint8)
    source.write_bytes(cv2.imencode(".png", cv2.GaussianBlur(picture, (0, 0), 9))[1].tobytes())
    said = run("transform", str(source), "--prompt", "pencil sketch", "-o", str(made))
    assert said.returncode == 0, said.stderr
    shown = cv2.imdecode(np.fromfile(made, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None and shown.shape == (270, 480, 3)


@pytest.mark.parametrize("link", ["shared_memory", "webrtc"])
@pytest.mark.usefixtures("kernels")
def test_the_demo_is_restyled_over_each_link_and_no_raw_frame_leaves(tmp_path: Path, link: str) -> None:
    film = tmp_path / "film.mp4"
    words = [
        "--source",
        "demo",
        "--prompt",
        "pixel art",
        "--output",
        str(film),
        "--link",
        link,
        "--seconds",
        "6",
    ]
    said = run("stream", *words, "--json", timeout=500)
    assert said.returncode == 0, said.stderr
    told = json.loads(said.stdout)
    print(f"\n{link}: {told['fps']} frames/s, {told['latency_ms']}")
    assert told["link"] == link and told["raw_frames_out"] == 0 and told["frames_out"] > 5
    assert (told["width"], told["height"]) == (1920, 1080)
    assert film.stat().st_size > 10_000


class TestWindow:
    """The window, open from the first test of these to the last."""

    @pytest.fixture(scope="class", autouse=True)
    def window(self) -> Iterator[None]:
        began = time.monotonic()
        subprocess.Popen([str(USUAL / "overpaint-window.exe")], env=installation.environment())
        until(lambda: installation.main_window() is not None, "a window")
        print(f"\nwindow after {time.monotonic() - began:.1f} s")
        yield
        installation.close_window()

    def test_it_opens_without_a_console_and_starts_its_processes(self) -> None:
        until(lambda: "core" in run("processes").stdout, "the core")
        roles = {each["role"] for each in json.loads(run("processes", "--json").stdout)}
        assert {"window", "live", "core"} <= roles
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            consoles = [each for each in installation.windows() if "console" in each[1].lower()]
            assert not consoles, "a console window"
            time.sleep(0.5)
        ImageGrab.grab().save(OUT / "window.png")

    def test_the_installer_changes_nothing_while_it_is_open(self) -> None:
        before = (USUAL / "overpaint.exe").stat().st_mtime_ns
        assert install("/AUTOSTART") == 2
        assert (USUAL / "overpaint.exe").stat().st_mtime_ns == before and value(RUN, "overpaint") is None

    def test_a_preset_that_is_opened_is_taken_in_by_it(self, tmp_path: Path) -> None:
        """By the command that the Explorer reads for a double click."""
        preset = tmp_path / "Abend in Köln.overpaint"
        preset.write_text('{"overpaint_preset": 1, "name": "Abend", "prompt": "oil painting"}', "utf-8")
        line = value(rf"{CLASSES}\Overpaint.Preset\shell\open\command")
        assert line is not None
        subprocess.run(
            line.replace("%1", str(preset)), env=installation.environment(), timeout=120, check=True
        )
        until(lambda: list((DATA / "presets").glob("*.overpaint")), "the preset is taken in")


def test_what_is_secret_is_closed_to_others() -> None:
    """The ledger, and the notes with the secrets of running processes.

    Wine adds the entries of the folder above, whatever it is told: there others may read, and not write.
    """
    from overpaint.private_folder.windows_acl import acl_of

    wine = hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")
    for path in (DATA, DATA / "ledger.sqlite"):
        rights = re.findall(r"\(A;\w*;(\w+);;;(?:WD|BU|AU)\)", acl_of(path))
        assert set(rights) <= ({"0x1200a9"} if wine else set()), acl_of(path)


def test_an_upgrade_keeps_data_and_drops_what_the_new_version_has_not(tmp_path: Path) -> None:
    stale = USUAL / "_internal" / "overpaint" / "engine" / "kernels" / "bands.py"
    stale.write_text("# of an older version\n")
    assert install("/AUTOSTART") == 0
    assert "older version" not in stale.read_text("utf-8")
    assert list((DATA / "presets").glob("*.overpaint"))
    assert value(RUN, "overpaint") == f'"{USUAL / "overpaint-window.exe"}"'


def test_it_is_removed_with_nothing_left_but_the_users_own() -> None:
    uninstall()
    assert not USUAL.exists() and not MENU.exists()
    assert value(RUN, "overpaint") is None and value(rf"{CLASSES}\.overpaint") is None
    assert value(rf"{CLASSES}\Overpaint.Preset") is None
    assert list((DATA / "presets").glob("*.overpaint"))


def test_in_a_deep_folder_of_strange_letters_it_works_too_and_purges_its_data() -> None:
    assert install(folder=DEEP) == 0
    assert len(json.loads(run("looks", "--json").stdout)) > 50
    words = ["--source", "demo", "--prompt", "pencil sketch", "--output", "null", "--seconds", "3", "--json"]
    said = run("stream", *words, "--link", "shared_memory")
    assert said.returncode == 0, said.stderr
    uninstall("/PURGE")
    assert not DEEP.exists() and not DATA.exists()
