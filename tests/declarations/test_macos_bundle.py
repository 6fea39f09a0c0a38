"""The recipe of the app bundle for macOS, which no Mac has run: what can be read of it is in order."""

from __future__ import annotations

import ast
import plistlib
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MACOS = ROOT / "packaging" / "macos"
INFO: dict[str, Any] = plistlib.loads((MACOS / "Info.plist").read_bytes())
ENTITLEMENTS: dict[str, Any] = plistlib.loads((MACOS / "entitlements.plist").read_bytes())
SPEC = (MACOS / "overpaint.spec").read_text("utf-8")
BUILD = (MACOS / "build.sh").read_text("utf-8")


def test_every_permission_has_a_reason_that_a_user_can_read() -> None:
    """Without one macOS ends a program that asks."""
    reasons = {name: text for name, text in INFO.items() if name.endswith("UsageDescription")}
    assert {name.removeprefix("NS").removesuffix("UsageDescription") for name in reasons} == {
        "AudioCapture",
        "Camera",
        "LocalNetwork",
        "Microphone",
        "ScreenCapture",
    }
    assert all(20 < len(text) < 120 and text.endswith(".") for text in reasons.values())


def test_it_is_for_macos_14_on_arm64() -> None:
    assert INFO["LSMinimumSystemVersion"] == "14.0" and INFO["LSArchitecturePriority"] == ["arm64"]
    assert 'target_arch="arm64"' in SPEC


def test_the_hardened_runtime_lets_it_compile_and_capture_and_no_more() -> None:
    prefix = "com.apple.security."
    assert {name.removeprefix(prefix) for name, on in ENTITLEMENTS.items() if on} == {
        "cs.allow-jit",
        "cs.allow-unsigned-executable-memory",
        "cs.disable-library-validation",
        "device.audio-input",
        "device.camera",
    }


def test_the_languages_are_the_windows() -> None:
    translated = {
        path.stem.removeprefix("overpaint_") for path in (ROOT / "resources/translations").glob("*.ts")
    }
    assert set(INFO["CFBundleLocalizations"]) == {"en"} | translated


def test_the_recipe_names_only_what_is_there() -> None:
    ast.parse(SPEC)
    named = re.findall(r'ROOT((?: / "[\w.-]+")+)', SPEC)
    places = [Path(*re.findall(r'"([\w.-]+)"', each)) for each in named]
    assert len(places) >= 5
    assert [str(place) for place in places if not (ROOT / place).exists()] == []
    scripts = re.findall(r"\b(packaging/[\w./-]+\.(?:spec|plist|svg|sh|py))\b", BUILD)
    assert len(scripts) >= 3 and all((ROOT / script).exists() for script in scripts)


def test_what_its_licence_forbids_is_left_out() -> None:
    excluded = SPEC.partition("EXCLUDED = [")[2].partition("\n]")[0]
    assert all(f'"{name}"' in excluded for name in ("pyvirtualcam", "psycopg", "psycopg_binary"))
