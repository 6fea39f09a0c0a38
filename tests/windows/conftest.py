"""The installer under test: only where ``make test-windows`` (or a Windows machine) names one."""

from __future__ import annotations

import os

import pytest

SETUP = "OVERPAINT_SETUP"
"""Environment variable with the path of OverpaintSetup.exe."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if SETUP not in os.environ:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="run make test-windows"))
