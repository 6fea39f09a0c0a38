"""Every test module has a category, and a category holds what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import categories
from helpers.categories import CATEGORIES, FOLDERS, TESTS, category_of, held_to, started_anyway

MODULES = sorted(TESTS.rglob("test_*.py"))


def test_every_folder_of_tests_has_one() -> None:
    assert set(FOLDERS.values()) <= CATEGORIES.keys()
    assert {path.relative_to(TESTS).parts[0] for path in MODULES} == FOLDERS.keys()


def test_a_module_in_another_folder_or_with_two_ends_the_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(categories, "TESTS", tmp_path)
    for folder, declared, category in (
        ("unit", "", "hermetic"),
        ("unit", "pytestmark = pytest.mark.process", "process"),
        ("unit", "pytestmark = [pytest.mark.timeout(9), pytest.mark.live]", "live"),
        ("elsewhere", "", None),
        ("unit", "pytestmark = [pytest.mark.process, pytest.mark.window]", None),
    ):
        module = tmp_path / folder / f"test_{len(declared)}.py"
        module.parent.mkdir(exist_ok=True)
        module.write_text(declared)
        if category is not None:
            assert category_of(module) == category
        else:
            with pytest.raises(pytest.UsageError, match=r"no category|two categories"):
                category_of(module)


@pytest.mark.parametrize(
    "start",
    [
        lambda: subprocess.run([sys.executable, "-c", ""]),
        lambda: os.system("true"),
        pytest.param(
            lambda: os.posix_spawn("/bin/true", ["true"], {}),
            marks=pytest.mark.skipif(sys.platform == "win32", reason="Windows has no posix_spawn"),
        ),
    ],
)
def test_a_hermetic_test_that_starts_a_process_fails(start) -> None:
    with held_to("hermetic"):
        with pytest.raises(pytest.fail.Exception, match="starts no process"):
            start()
        assert len(started_anyway()) == 1, "also where that was caught"


def test_a_window_test_may_start_the_decoder_of_pictures_alone() -> None:
    with held_to("window"):
        with pytest.raises(FileNotFoundError):
            subprocess.run(["/nowhere/overpaint", "decode"], check=True)
        assert not started_anyway()
        with pytest.raises(pytest.fail.Exception):
            subprocess.run(["/nowhere/overpaint", "serve"], check=True)
