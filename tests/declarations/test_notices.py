"""The notices of third parties name every part of the lock, and no part that a bundle could not carry."""

from __future__ import annotations

import importlib.util
import re
import sys
from email.message import Message
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "resources" / "notices" / "THIRD_PARTY_NOTICES.txt").read_text("utf-8")
INDEX = re.findall(r"^\| ([a-z0-9][a-z0-9._-]*) \| ([^ |]+) \| ([^|]+) \|$", TEXT, re.MULTILINE)
PARTS = INDEX[1:]  # the first is the table's head


@pytest.fixture(scope="module")
def notices() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notices", ROOT / "packaging" / "notices.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["notices"] = module
    spec.loader.exec_module(module)
    return module


def test_they_name_every_part_of_the_lock(notices: ModuleType) -> None:
    parts = [(part.name, part.version) for part in notices.locked()]
    assert len(parts) > 70
    assert [(name, version) for name, version, _ in PARTS] == parts, "renew them: make notices"


def test_every_licence_is_known_and_goes_into_a_bundle(notices: ModuleType) -> None:
    assert [(name, said) for name, _, said in PARTS if not notices.compatible(said)] == []


def test_every_licence_is_the_one_that_the_part_says(notices: ModuleType) -> None:
    for name, version, said in PARTS:
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # another system's
        if found.version == version:
            assert notices.expression(name, found.metadata) == said, name


def test_every_part_has_a_text() -> None:
    numbers = set(re.findall(r"^## Text (\d+)$", TEXT, re.MULTILINE))
    for name, version, _ in PARTS:
        (line,) = re.findall(rf"^- {re.escape(name)} {re.escape(version)}: (.+)$", TEXT, re.MULTILINE)
        texts = re.findall(r": text (\d+)", line)
        assert texts and set(texts) <= numbers, name


@pytest.mark.parametrize(
    ("said", "goes"),
    [
        ("MIT", True),
        ("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", True),
        ("LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", True),
        ("Apache-2.0 OR BSD-3-Clause", True),
        ("GPL-2.0-only", False),
        ("MIT AND GPL-2.0-only", False),
        ("", False),
        ("Proprietary", False),
    ],
)
def test_a_choice_goes_when_one_of_it_does(notices: ModuleType, said: str, goes: bool) -> None:
    assert notices.compatible(said) is goes


def test_a_part_that_is_gpl_2_only_is_not_taken_for_another(notices: ModuleType) -> None:
    """As pyvirtualcam is, by its metadata: that is why it is no part of the lock."""
    said = Message()
    said["Classifier"] = "License :: OSI Approved :: GNU General Public License v2 (GPLv2)"
    assert notices.expression("pyvirtualcam", said) == ""
    assert "pyvirtualcam" not in TEXT
