"""States of the window around a camera that is not there, for ``window_states``: each phase of its dialog."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from helpers.scripted_live import SLATE, ScriptedLive, previewing
from overpaint.errors import SinkError
from overpaint.media.virtual_camera.driver_setup import driver_missing, enrolment
from overpaint.media.virtual_camera.driver_state import DriverFacts, DriverState
from overpaint.wire.camera import CameraListing
from overpaint.wire.live import Camera, LiveSnapshot, Preferences, Trouble, WatchPage

if TYPE_CHECKING:
    from overpaint.gui.dialogs.camera_dialog import CameraDialog
    from overpaint.gui.window import MainWindow

KERNEL = "6.1.0-18-amd64"


def facts(state: DriverState = "not_installed", *, secure_boot: bool = False) -> DriverFacts:
    """A Debian in this state."""
    return DriverFacts(state, KERNEL, "apt", "", False, secure_boot, "/var/lib/dkms/mok.pub")


NO_DEVICE = Trouble.of(driver_missing(facts()))
SIGNED = Trouble.of(driver_missing(facts(secure_boot=True)))
RESTART = Trouble.of(driver_missing(facts("restart_needed")))
CONTAINER = Trouble.of(driver_missing(facts("no_modules")))
REFUSED = Trouble.of(enrolment(facts(secure_boot=True)))
BUSY = Trouble.of(SinkError("virtual_camera_busy", camera="Overpaint Camera", node="/dev/video10"))
NO_OBS = Trouble.of(SinkError("obs_camera_missing"))


def without(trouble: Trouble) -> LiveSnapshot:
    """A preview, and no camera."""
    return previewing(camera=Camera(state="busy" if trouble is BUSY else "missing", trouble=trouble))


PAGE = previewing(
    camera=Camera(state="missing", trouble=NO_DEVICE),
    preferences=Preferences(page_on=True),
    page=WatchPage(address="file:///home/me/.local/share/overpaint/obs.html"),
)
ONLY_PIPEWIRE = previewing(
    camera=Camera(
        state="slate", title="Overpaint Camera", listing=CameraListing(pipewire=True, lacking=NO_DEVICE)
    )
)
WAITING = PAGE.model_copy(update={"on_air": True})

Act = Callable[["MainWindow", "ScriptedLive | None"], None]


def opened(window: MainWindow, possible: bool = True) -> CameraDialog:
    """The dialog, opened by Go live, on a desktop that can ask for a password, or not."""
    going = window.everyday.going_live
    going.setup._way = lambda: ("pkexec",) if possible else None
    going.setup.start = lambda: None  # type: ignore[method-assign]
    window.everyday.open_camera_setup()
    assert going.dialog is not None
    return going.dialog


def opens(window: MainWindow, live: ScriptedLive | None) -> None:
    opened(window)


def opens_without_password(window: MainWindow, live: ScriptedLive | None) -> None:
    opened(window, possible=False)


def unfolds(window: MainWindow, live: ScriptedLive | None) -> None:
    opened(window).show_commands.click()


def works(window: MainWindow, live: ScriptedLive | None) -> None:
    dialog = opened(window)
    dialog.act.click()
    dialog.show_step(window.everyday.going_live._words("packages"), 0.25)
    dialog.show_line("Setting up v4l2loopback-dkms (0.12.7-2) ...")


def fails(window: MainWindow, live: ScriptedLive | None) -> None:
    dialog = opened(window)
    dialog.act.click()
    dialog.show_end(REFUSED)


def appears(window: MainWindow, live: ScriptedLive | None) -> None:
    dialog = opened(window)
    dialog.act.click()
    window.model.show_snapshot(previewing(camera=SLATE))
    dialog.show_end(None)


def uses_page(window: MainWindow, live: ScriptedLive | None) -> None:
    opened(window).page.click()


def explains(window: MainWindow, live: ScriptedLive | None) -> None:
    window.side.camera.fold.setChecked(True)


def tells_programs(window: MainWindow, live: ScriptedLive | None) -> None:
    going = window.everyday.going_live
    going.open_programs()
    assert going.programs is not None
