"""Every state and dialog of the window, for the pictures of ``make screenshots`` and for tests: one table.

A state is a data folder, what a scripted live process says, and what is done in the window before
it is looked at. To add one is to add an entry.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QApplication

from helpers import look_states
from helpers.clips import portrait
from helpers.scripted_live import BALANCE, SESSION, SLATE, ScriptedLive, on_air, previewing, stopped
from helpers.scripted_transforms import NO_ANSWER, batch, business, charges, progress
from overpaint.errors import ProcessError
from overpaint.gui.window_settings import Habits
from overpaint.media import pictures
from overpaint.wire.live import Camera, Figures, LiveSnapshot, Preferences, Trouble, WatchPage
from overpaint.wire.servers import Server
from overpaint.wire.sources import SourceOffer
from overpaint.wire.transforms import TransformsProgress

if TYPE_CHECKING:
    from overpaint.gui.window import MainWindow

NO_DEVICE = Trouble(
    kind="missing",
    sentence="There is no virtual camera on this computer.",
    mend="Set it up once: sudo apt install v4l2loopback-dkms && sudo modprobe v4l2loopback "
    'video_nr=10 card_label="Overpaint" exclusive_caps=1',
)


RECORDING = "/home/me/Videos/Overpaint/2026-11-21.mp4"
HTTP_SERVICE = "http://studio.example:8000"

KNOWING = Habits(knows_places=True)
"""Of somebody who was on air before."""


def takes_its_time() -> None:
    """A live process that takes its time."""
    threading.Event().wait(5)


def does_not_start() -> None:
    """A live process that does not start."""
    raise ProcessError(
        "process_does_not_start", process="The live process", sentence="no word", log="/home/me/live.log"
    )


def nothing(*_: Any) -> None:
    """Nothing more is done."""


@dataclass(frozen=True, slots=True)
class WindowState:
    """What the window is shown in.

    Attributes:
        says: What the live process says; None when there is none.
        start: Stands for starting a live process when there is none.
        prepare: Fills the data folder before the window opens.
        habits: What the user set for the window.
        act: Done in the window once it shows the snapshot; a dialog that it opens is in the picture.
    """

    says: LiveSnapshot | None
    start: Callable[[], None] = takes_its_time
    prepare: Callable[[Path], object] = nothing
    act: Callable[[MainWindow, ScriptedLive | None], object] = nothing
    habits: Habits = KNOWING


def _failed(kind: str, sentence: str, mend: str, **more: Any) -> LiveSnapshot:
    trouble = Trouble(kind=kind, sentence=sentence, mend=mend)
    return stopped(state="failed", trouble=trouble, **more)


def _said(kind: str, sentence: str, mend: str) -> WindowState:
    """On air, with something that went wrong beside."""
    return WindowState(on_air(trouble=Trouble(kind=kind, sentence=sentence, mend=mend)))


def _transforms(*news: Any, then: Callable[[MainWindow], object] = nothing) -> Callable[..., None]:
    def act(window: MainWindow, live: ScriptedLive | None) -> None:
        assert live is not None
        for each in news:
            live.say(each())
        while window.side.transforms.items.news is None or len(news) > 1 + bool(
            window.side.transforms.items.running
        ):
            QApplication.processEvents()
        then(window)

    return act


def _in_business() -> TransformsProgress:
    return progress(business().items)


def _drags(window: MainWindow) -> None:
    window.drops.cover.show_target("transforms", True)


def _cancels(window: MainWindow) -> None:
    transforms = window.side.transforms
    transforms._do("cancel", transforms.items.having("working", "waiting"))


def _presses_enter(window: MainWindow) -> None:
    window.side.transforms.batch.look.returnPressed.emit()


def _views(window: MainWindow) -> None:
    window.side.transforms.open_viewer(window.side.transforms.items.having("done")[0])


def _chooses_service(window: MainWindow, live: ScriptedLive | None) -> None:
    assert live is not None
    live.say(Server(address=""))
    while window.service.dialog is None:
        QApplication.processEvents()
        window.service.open()
    window.service.dialog.there.setChecked(True)
    window.service.dialog.address.setText("studio.example")
    window.service.dialog.key.setText("ovp_live_0")
    window.service.dialog.use.click()
    refused = Trouble(kind="authentication_error", sentence="The API key is unknown.", mend="Check it.")
    window.service.dialog.show_server(Server(address="", wish=1, trouble=refused))


def _is_asked_about_http(window: MainWindow, live: ScriptedLive | None) -> None:
    _chooses_service(window, live)
    assert window.service.dialog is not None
    window.service.dialog.address.setText("http://studio.example:8000")
    window.service.dialog.use.click()
    trouble = Trouble(kind="not_encrypted", sentence="It is not encrypted.", mend="Use https://.")
    window.service.dialog.show_server(Server(address="", wish=2, trouble=trouble))


def _has_http(window: MainWindow, live: ScriptedLive | None) -> None:
    assert live is not None
    live.say(Server(address=HTTP_SERVICE))
    while window.service.dialog is None or not window.service.dialog.address.text():
        QApplication.processEvents()
        window.service.open()


def _charged(window: MainWindow, live: ScriptedLive | None) -> None:
    assert live is not None
    live.say(charges())
    while not window.side.balance.charges.rowCount():
        QApplication.processEvents()
    window.side.balance.open_charges()


def _dies(window: MainWindow, live: ScriptedLive | None) -> None:
    assert live is not None
    live.end()


def _comes_back(window: MainWindow, live: ScriptedLive | None) -> None:
    """As if it had died and was started again."""
    window.model.show_connection(False)
    window.model.show_snapshot(stopped())
    window.model.show_snapshot(on_air())


def _comes_back_from_a_recording(window: MainWindow, live: ScriptedLive | None) -> None:
    window.model.show_snapshot(on_air(recording=RECORDING))
    window.model.show_connection(False)
    window.model.show_snapshot(stopped())
    window.model.show_snapshot(on_air())


def _settings_below(window: MainWindow, live: ScriptedLive | None) -> None:
    window.everyday.open_settings()
    settings = window.everyday.settings
    assert settings is not None
    settings.area.ensureWidgetVisible(settings.low)


def _settings_of_the_page(window: MainWindow, live: ScriptedLive | None) -> None:
    window.everyday.open_settings()
    settings = window.everyday.settings
    assert settings is not None
    settings.area.ensureWidgetVisible(settings.stills)


def _settings_rest(window: MainWindow, live: ScriptedLive | None) -> None:
    window.everyday.open_settings()
    settings = window.everyday.settings
    assert settings is not None
    settings.area.ensureWidgetVisible(settings.rest_previewed_row)


SOON = SESSION.model_copy(update={"expires_in_seconds": 44, "renews_in_seconds": 24})

STATES: dict[str, WindowState] = {
    "starting": WindowState(None),
    "stopped": WindowState(stopped()),
    "first-start-no-camera": WindowState(
        stopped(
            source="camera",
            source_title="Camera",
            sources=[choice for choice in stopped().sources if choice.kind != "camera"],
            camera=Camera(state="missing", trouble=NO_DEVICE),
        )
    ),
    "connecting": WindowState(stopped(state="connecting")),
    "preview": WindowState(previewing()),
    "preview-no-driver": WindowState(previewing(camera=Camera(state="missing", trouble=NO_DEVICE))),
    "live-for-the-first-time": WindowState(on_air(), habits=Habits()),
    "live": WindowState(on_air()),
    "live-recording-notice": WindowState(
        on_air(
            recording="/home/me/Videos/Overpaint/2026-11-21.mp4",
            has_reference=True,
            trouble=Trouble(
                kind="bad_reference", sentence="The photo could not be read.", mend="Use a JPEG or PNG."
            ),
        )
    ),
    "live-private": WindowState(on_air(private=True, camera=SLATE)),
    "live-no-camera": WindowState(previewing(on_air=True, camera=Camera(state="missing", trouble=NO_DEVICE))),
    "live-private-recording": WindowState(on_air(private=True, camera=SLATE, recording=RECORDING)),
    "recording-failed": _said(
        "disk_full",
        "The disk is full: the recording 2026-11-21.mp4 ends here; what was recorded can be played.",
        "Free some room, or record to another folder.",
    ),
    "recording-empty": _said("empty", "Nothing was recorded: no picture came.", ""),
    "source-covered": _said(
        "unreadable",
        "The window “Budget 2027 – LibreOffice Calc” is covered, or partly outside the screen: "
        "its last picture stands.",
        "Bring it to the front, or turn on your desktop's compositor.",
    ),
    "source-slow": _said(
        "slow",
        "The disk is too slow for holiday-in-the-mountains.mp4: its last picture stands.",
        "Wait, or copy the file to another disk.",
    ),
    "look-stands-in": _said(
        "internal_error",
        "My net does not work any more (The net failed: it took more than 1 s). "
        "Another look stands in for it.",
        "",
    ),
    "live-original": WindowState(on_air(original=True)),
    "original-question": WindowState(on_air(), act=lambda window, _: window.everyday.ask_for_original()),
    "app-menu": WindowState(previewing(), act=lambda window, _: window.everyday.open_menu()),
    "snapshot-saved": WindowState(
        previewing(),
        act=lambda _, live: live.say(
            previewing(still="/home/me/Pictures/Overpaint/Overpaint 2026-11-21 20-15-03.png")
        ),
    ),
    "settings": WindowState(previewing(), act=lambda window, _: window.everyday.open_settings()),
    "settings-below": WindowState(previewing(), act=_settings_below),
    "settings-page-for-obs": WindowState(
        previewing(
            preferences=Preferences(page_on=True),
            page=WatchPage(address="file:///home/me/.local/share/overpaint/obs.html", viewers=1),
        ),
        act=_settings_of_the_page,
    ),
    "settings-page-for-obs-moved": WindowState(
        previewing(
            preferences=Preferences(page_on=True),
            page=WatchPage(
                address="file:///home/me/.local/share/overpaint/obs.html",
                trouble=Trouble(
                    kind="page_moved",
                    sentence="OBS may still have the former address of its page, which is not used any more.",
                    mend="Copy the address and paste it as URL into the browser source.",
                ),
            ),
        ),
        act=_settings_of_the_page,
    ),
    "about": WindowState(previewing(), act=lambda window, _: window.everyday.open_about()),
    "came-back": WindowState(on_air(), act=_comes_back),
    "came-back-from-recording": WindowState(on_air(), act=_comes_back_from_a_recording),
    "paused": WindowState(
        on_air(state="paused", camera=SLATE.model_copy(update={"state": "held"}), figures=Figures())
    ),
    "paused-off-air": WindowState(previewing(state="paused", figures=Figures())),
    "settings-rest": WindowState(previewing(preferences=Preferences(rest_unread=True)), act=_settings_rest),
    "settings-rest-cannot-tell": WindowState(
        previewing(camera=SLATE.model_copy(update={"read": None})), act=_settings_rest
    ),
    "held": WindowState(on_air(state="held", hold=True)),
    "reconnecting": WindowState(on_air(state="reconnecting")),
    "failing-over": WindowState(on_air(state="failing_over")),
    "failed-over": WindowState(on_air(failed_over_from="https://studio.example")),
    "waits-for-a-place": WindowState(stopped(state="connecting", queue=(2, 3))),
    "renews-soon": WindowState(on_air(session=SOON)),
    "cannot-renew": WindowState(
        on_air(session=SOON, balance=BALANCE.model_copy(update={"credits_remaining": 12}))
    ),
    "restarting": WindowState(on_air(), act=_dies),
    "failed": WindowState(
        _failed(
            "busy",
            "Another program is using Logitech C920.",
            "Quit it there (a call, a browser's tab, OBS), then choose the camera again.",
        )
    ),
    "no-credits": WindowState(
        _failed(
            "insufficient_credits",
            "A session costs 25 credits, and 12 are left.",
            "Add some: overpaint credits add 500 --key-name desktop",
            balance=BALANCE.model_copy(update={"credits_remaining": 12}),
        )
    ),
    "low-balance": WindowState(on_air(balance=BALANCE.model_copy(update={"credits_remaining": 30}))),
    "transforms-batch": WindowState(on_air(), act=_transforms(batch)),
    "transforms-too-dear": WindowState(
        on_air(balance=BALANCE.model_copy(update={"credits_remaining": 12})),
        act=_transforms(batch),
    ),
    "transforms-halted": WindowState(
        on_air(), act=_transforms(lambda: business().model_copy(update={"halted": NO_ANSWER}))
    ),
    "transforms-under-way": WindowState(on_air(), act=_transforms(business, _in_business)),
    "transforms-cancel-question": WindowState(
        on_air(), act=_transforms(business, _in_business, then=_cancels)
    ),
    "transforms-went-on": WindowState(
        on_air(), act=_transforms(lambda: business().model_copy(update={"went_on": "intro.mp4"}))
    ),
    "transforms-batch-enter": WindowState(on_air(), act=_transforms(batch, then=_presses_enter)),
    "transforms-viewer": WindowState(on_air(), act=_transforms(business, then=_views)),
    "transforms-drag": WindowState(on_air(), act=_transforms(business, then=_drags)),
    "service": WindowState(previewing(), act=_chooses_service),
    "service-http-question": WindowState(previewing(), act=_is_asked_about_http),
    "service-http": WindowState(
        previewing(balance=BALANCE.model_copy(update={"server": HTTP_SERVICE})), act=_has_http
    ),
    "balance-http": WindowState(previewing(balance=BALANCE.model_copy(update={"server": HTTP_SERVICE}))),
    "balance-charges": WindowState(on_air(), act=_charged),
    "gallery": WindowState(look_states.LOOKING, act=look_states.opens_gallery),
    "gallery-search": WindowState(look_states.LOOKING, act=look_states.searches),
    "gallery-understood": WindowState(look_states.LOOKING, act=look_states.understands),
    "gallery-group": WindowState(look_states.LOOKING, act=look_states.shows_group),
    "gallery-nothing-found": WindowState(look_states.LOOKING, act=look_states.searches_in_vain),
    "gallery-presets": WindowState(look_states.LOOKING, act=look_states.has_presets),
    "gallery-no-presets": WindowState(look_states.LOOKING, act=look_states.has_no_presets),
    "preset-name": WindowState(look_states.READ, act=look_states.names_preset),
    "prompt-understood": WindowState(look_states.READ),
    "photo-menu": WindowState(look_states.LOOKING, act=look_states.opens_photo_menu),
    "compare": WindowState(look_states.LOOKING, act=look_states.compares),
    "framing": WindowState(look_states.FRAMED, act=look_states.frames),
    "delay": WindowState(on_air(), act=lambda window, _: window.stage.open_delay()),
    "delay-not-yet": WindowState(previewing(delays=None), act=lambda window, _: window.stage.open_delay()),
    "stream-open": WindowState(on_air(), act=lambda window, _: window.side.figures.fold.click()),
    "camera-formats": WindowState(look_states.FRAMED, act=look_states.lists_formats),
    "screen-options": WindowState(look_states.SCREEN, act=look_states.sets_source),
    "screen-options-without-switch": WindowState(
        look_states.SCREEN.model_copy(update={"offer": SourceOffer(pointer="system")}),
        act=look_states.sets_source,
    ),
    "source-gallery": WindowState(look_states.CHOOSING, act=look_states.chooses_source),
    "given-up": WindowState(None, start=does_not_start),
    "source-menu": WindowState(previewing(), act=lambda window, _: window.top_bar.source.open_menu()),
    "closing-question": WindowState(on_air(), act=lambda window, _: window.close()),
    "closing-question-recording": WindowState(
        previewing(recording="/home/me/Videos/Overpaint/2026-11-21.mp4"), act=lambda window, _: window.close()
    ),
}


@functools.cache
def _drawing() -> NDArray[np.uint8]:
    """What the states' prompt makes of the portrait, by the engine itself."""
    from overpaint.engine import LookRequest
    from overpaint.engine.cpu import CpuEngine

    width, height = 1920, 1080
    raw = pictures.from_bgr(portrait(width, height))
    look = CpuEngine(threads=2).compile(LookRequest(stopped().prompt), width, height)
    for _ in range(3):  # a look of a stream finds its feet
        painted = look.apply(raw)
    return pictures.to_bgr(painted)


def styled(width: int, height: int) -> NDArray[np.uint8]:
    """Something that looks restyled, as the preview carries it: BGRX uint8 (height, width, 4)."""
    picture = cv2.cvtColor(cv2.resize(_drawing(), (width, height)), cv2.COLOR_BGR2BGRA)
    return np.ascontiguousarray(picture, np.uint8)


def styled_and_raw(width: int, height: int) -> NDArray[np.uint8]:
    """The same with what it was made of, as the preview carries it for who compares."""
    raw = cv2.cvtColor(portrait(width, height), cv2.COLOR_BGR2BGRA)
    return np.concatenate([styled(width, height), raw]).reshape(2, height, width * 4)
