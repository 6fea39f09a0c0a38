"""Diagnostics for a bug report: versions and ``overpaint doctor``; no pictures, keys or prompts."""

from __future__ import annotations

import logging
import platform
import threading
from pathlib import Path

import PySide6
from PySide6.QtCore import QObject, Signal, qVersion
from PySide6.QtGui import QGuiApplication

from overpaint import __version__
from overpaint.errors import ProcessError
from overpaint.processes import children

log = logging.getLogger(__name__)


def versions() -> list[tuple[str, str]]:
    """Name and version of the app, its main libraries and the system."""
    return [
        ("Overpaint", __version__),
        ("Python", platform.python_version()),
        ("Qt", f"{qVersion()} (PySide {PySide6.__version__}, {QGuiApplication.platformName()})"),
        ("System", f"{platform.platform()} {platform.machine()}"),
    ]


class Diagnostics(QObject):
    """Collector of diagnostics, in a thread: ``overpaint doctor`` takes some seconds.

    Args:
        data_dir: The data folder.
        parent: The Qt parent.
    """

    collected = Signal(str)

    def __init__(self, data_dir: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._data_dir = data_dir
        self._guard = threading.Lock()
        self._ended = False

    def collect(self) -> None:
        """Starts collecting; the text is emitted as a signal."""
        heads = "\n".join(f"{name}: {version}" for name, version in versions())
        threading.Thread(target=self._work, args=(heads,), name="diagnostics", daemon=True).start()

    def close(self) -> None:
        """Prevents any later signal. Idempotent."""
        with self._guard:
            self._ended = True

    def _work(self, heads: str) -> None:
        try:
            found = children.said("doctor", "--data-dir", str(self._data_dir))
        except (ProcessError, OSError) as error:
            found = str(error)
        except Exception:
            log.exception("the diagnostics ended for an unknown reason")
            return
        with self._guard:
            if not self._ended:
                self.collected.emit(f"{heads}\n\n{found}\n")
