"""What the first picture waits for is begun before anything large loads; nothing loads that nobody uses."""

from __future__ import annotations

import importlib
import subprocess
import sys
from importlib.util import find_spec

import pytest

from overpaint.import_tuning import omitting

pytestmark = pytest.mark.process


def loaded_with(*modules: str) -> set[str]:
    """The modules that a fresh interpreter has after importing some."""
    program = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_core_is_begun_before_anything_large_loads() -> None:
    first = loaded_with("overpaint.folders", "overpaint.startup", "overpaint.processes.program")
    assert not first & {"PySide6", "pydantic", "typer", "numpy", "filelock", "multiprocessing", "asyncio"}


def test_a_successor_has_loaded_a_live_process_before_it_is_cued() -> None:
    program = "from overpaint import startup; startup._load_live(); import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    needed = {
        "app",
        "media.webrtc.desktop_link",
        "media.sources.camera_source",
        "media.sources.screen_source",
    }
    assert {f"overpaint.{name}" for name in needed} <= set(done.stdout.split())


def test_the_client_comes_without_the_command_line_of_its_library() -> None:
    assert not loaded_with("overpaint.client") & {"rich", "click", "pygments"}


def test_kernels_come_without_what_they_do_not_need() -> None:
    """It is installed here: the tests' own libraries need it."""
    assert find_spec("scipy") is not None
    loaded = loaded_with("overpaint.engine.kernels.compilation")
    assert "numba" in loaded and not loaded & {"scipy", "cffi", "yaml"}


def test_listing_looks_and_reading_a_prompt_load_nothing_large() -> None:
    program = "from overpaint.engine import looks; from overpaint.engine.prompt.reader import read_prompt; "
    program += "assert len(looks()) >= 10; read_prompt('warm comic'); import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"numba", "cv2", "onnxruntime"} & set(done.stdout.split())


def test_what_was_omitted_can_be_loaded_afterwards() -> None:
    with omitting("sched", "json"):
        assert importlib.import_module("json") is sys.modules["json"], "it was loaded before"
        with pytest.raises(ImportError):
            importlib.import_module("sched")
    assert importlib.import_module("sched").scheduler


def test_a_keyring_is_loaded_only_for_who_has_a_key() -> None:
    assert "keyring" not in loaded_with("overpaint.credentials")
