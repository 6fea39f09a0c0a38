"""Every look has a thumbnail of its own, made by ``make looks`` from the look as it is."""

from __future__ import annotations

import importlib
import itertools
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from overpaint.assets import asset_dir
from overpaint.engine import looks
from overpaint.engine.cpu import CpuEngine

FOLDER = asset_dir("looks") / "thumbnails"
NAMES = [look.name for look in looks()]
ROOT = Path(__file__).resolve().parents[3]


def picture(name: str) -> NDArray[np.float32]:
    with Image.open(FOLDER / f"{name}.webp") as image:
        return np.asarray(image.convert("RGB"), np.float32)


@pytest.fixture
def contact_sheet(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return importlib.import_module("contact_sheet")


def test_every_look_has_one_and_none_is_left_over() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.webp")) == sorted(NAMES), "run make looks"
    assert {picture(name).shape for name in NAMES} == {(108, 192, 3)}


def test_no_two_are_twins() -> None:
    pictures = {name: picture(name) for name in NAMES}
    alike = [
        (first, second, float(np.abs(pictures[first] - pictures[second]).mean()))
        for first, second in itertools.combinations(NAMES, 2)
        if np.abs(pictures[first] - pictures[second]).mean() < 4
    ]
    assert not alike, alike


def test_they_weigh_little() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.webp")) < 12_000 * len(NAMES)


@pytest.mark.parametrize("name", ["linocut", "mosaic"])
def test_one_that_is_made_again_is_the_same(contact_sheet: ModuleType, name: str) -> None:
    again = contact_sheet.thumbnail(CpuEngine(threads=2), name).astype(np.float32)
    # What is left is the compression of the file.
    assert np.abs(again - picture(name)).mean() < 6
