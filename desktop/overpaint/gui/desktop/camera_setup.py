"""Setup of the camera's driver from the window, in a worker thread. Must not know how it becomes root."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from overpaint.errors import SinkError
from overpaint.media.virtual_camera.driver_installation import Stopped, installation, way_to_root
from overpaint.media.virtual_camera.driver_setup import SET_UP_BY_ITSELF, Setup, StepName, driver_setup
from overpaint.media.virtual_camera.driver_state import DriverFacts, driver_facts
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices
from overpaint.wire.messages import Trouble

log = logging.getLogger(__name__)


class Installation(Protocol):
    """An installation of the driver (``DriverInstallation``)."""

    def run(self) -> None:
        """Installs it. Raises ``SinkError`` and ``Stopped``."""

    def stop(self) -> None:
        """Stops it before its next step."""


Begin = Callable[[DriverFacts, Setup, Callable[[StepName], None], Callable[[str], None]], Installation | None]


class CameraSetup(QObject):
    """The setup of the camera's driver.

    Args:
        parent: The Qt parent.
        begin: Makes an installation; None where the user has to run the commands.
        way: Returns a command that becomes root; None where there is none.
    """

    stepped = Signal(str, float)
    """A step begins: its name, and the part of all steps that is done."""
    said = Signal(str)
    """A program said a line."""
    ended = Signal(object)
    """It is done (None), or has failed (a ``Trouble``)."""
    stopped = Signal()
    """The user has stopped it, or closed the dialog for the password."""

    def __init__(
        self,
        parent: QObject | None = None,
        begin: Begin = installation,
        way: Callable[[], object] = lambda: way_to_root(terminal=False),
    ) -> None:
        super().__init__(parent)
        self._begin, self._way = begin, way
        self._guard = threading.Lock()
        self._work: Installation | None = None
        self._closed = False

    def possible(self, trouble: Trouble) -> bool:
        """Returns whether it can mend this trouble of the camera."""
        return trouble.code in SET_UP_BY_ITSELF and self._way() is not None

    def start(self) -> None:
        """Starts it; its steps and its end are emitted as signals."""
        threading.Thread(target=self._run, name="camera-setup", daemon=True).start()

    def stop(self) -> None:
        """Stops it before its next step."""
        with self._guard:
            work = self._work
        if work is not None:
            work.stop()

    def close(self) -> None:
        """Stops it, and prevents any later signal. Idempotent."""
        with self._guard:
            self._closed = True
        self.stop()

    def _run(self) -> None:
        try:
            self._install()
        except Stopped:
            self._emit(self.stopped.emit)
        except SinkError as error:
            log.info("the camera's driver: %s", error)
            trouble = Trouble.of(error)
            self._emit(lambda: self.ended.emit(trouble))
        except Exception:  # a thread's root
            log.exception("the setup of the camera's driver failed for an unknown reason")
            trouble = Trouble.of(SinkError("virtual_camera_failed"))
            self._emit(lambda: self.ended.emit(trouble))
        else:
            self._emit(lambda: self.ended.emit(None))
        finally:
            with self._guard:
                self._work = None

    def _install(self) -> None:
        facts = driver_facts(loaded=LoopbackDevices().module_loaded)
        setup = driver_setup(facts)
        names = setup.names

        def step(name: StepName) -> None:
            done = names.index(name) / len(names) if name in names else 0.0
            self._emit(lambda: self.stepped.emit(name, done))

        work = self._begin(facts, setup, step, lambda line: self._emit(lambda: self.said.emit(line)))
        if work is None:
            raise SinkError("driver_setup_not_allowed", command=setup.line())
        with self._guard:
            if self._closed:
                raise Stopped
            self._work = work
        work.run()

    def _emit(self, signal: Callable[[], None]) -> None:
        with self._guard:
            if not self._closed:
                signal()
