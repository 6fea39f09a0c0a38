"""Every state and dialog of the window, for the pictures of ``make screenshots`` and for tests: one table.

A state is a data folder, what a scripted live process says, and what is done in the window before
it is looked at. To add one is to add an entry.
"""

from __future__ import annotations

import base64
import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QApplication

from helpers import camera_states, look_states, small_media
from helpers.camera_states import NO_DEVICE
from helpers.clips import portrait
from helpers.scripted_live import (
    MICROPHONES,
    SESSION,
    SLATE,
    ScriptedLive,
    elsewhere,
    on_air,
    previewing,
    stopped,
)
from helpers.scripted_transforms import NO_ANSWER, batch, business, charges, progress
from overpaint.errors import ProcessError, SourceError
from overpaint.gui.window_settings import Habits
from overpaint.media import pictures
from overpaint.wire.live import Camera, Figures, LiveSnapshot, Preferences, Trouble, WatchPage
from overpaint.wire.messages import trouble_of
from overpaint.wire.preferences import Release, Updates
from overpaint.wire.servers import Server
from overpaint.wire.sources import SoundLevel, SoundState, SourceOffer, SystemSound
from overpaint.wire.transforms import TransformPreview, TransformsProgress

if TYPE_CHECKING:
    from overpaint.gui.window import MainWindow

RECORDING = "/home/me/Videos/Overpaint/2026-11-21.mp4"
HTTP_SERVICE = "http://studio.example:8000"

HEARD = SoundState(
    open=True, title="Blue Yeti", choices=MICROPHONES, system=SystemSound(offered=True, open=True)
)
KNOWING = Habits(knows_places=True, knows_sound=True)
"""Of somebody who was on air before."""


def _settings_of_sound(window: MainWindow, live: ScriptedLive | None) -> None:
    window.everyday.open_settings()
    dialog = window.everyday.settings
    assert dialog is not None
    QApplication.processEvents()
    dialog.area.ensureWidgetVisible(dialog.sound)
    dialog.sound.test.click()
    dialog.sound.show_level(SoundLevel(peak=0.2, system=0.1))


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


def _selects(window: MainWindow) -> None:
    transforms = window.side.transforms
    for row in (0, 2):
        transforms.list.selectionModel().select(
            transforms.items.index(row), QItemSelectionModel.SelectionFlag.Select
        )


def _previews(window: MainWindow) -> None:
    """The first file in a look, as the live process would paint it."""
    card = window.side.transforms.batch
    face = cv2.imread(card.files[0].source)
    done, jpeg = cv2.imencode(".jpg", cv2.stylization(face, sigma_s=30, sigma_r=0.4))
    assert done
    picture = base64.b64encode(jpeg.tobytes()).decode()
    card.preview.show_news(TransformPreview(serial=card.preview._serial, picture=picture))


def _has_own_photo(window: MainWindow) -> None:
    _previews(window)
    photo = window.side.transforms.batch.own_photo
    photo.read_file(window.side.transforms.batch.files[2].source)
    while not photo.data:
        QApplication.processEvents()


def _previews_large(window: MainWindow) -> None:
    _previews(window)
    window.side.transforms.open_preview()
    dialog = window.side.transforms.preview
    assert dialog is not None
    while dialog._original is None:
        QApplication.processEvents()


def _asks_why(window: MainWindow) -> None:
    window.side.transforms._do("why", window.side.transforms.items.having("failed")[:1])


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


NEW_VERSION = Updates(
    host="releases.example",
    newer=Release(
        version="0.2.0",
        page="https://releases.example/0.2.0",
        new={
            "en": ("A camera without a driver on Linux.", "Screens of Wayland are remembered."),
            "de": ("Eine Kamera ohne Treiber auf Linux.", "Bildschirme in Wayland bleiben gemerkt."),
        },
    ),
)


def _hears_of_version(window: MainWindow, live: ScriptedLive | None) -> None:
    assert live is not None
    live.say(NEW_VERSION)
    while window.everyday.update_line.updates.newer is None:
        QApplication.processEvents()


def _reads_of_version(window: MainWindow, live: ScriptedLive | None) -> None:
    _hears_of_version(window, live)
    window.everyday.update_line.open()


def _settings_of_updates(window: MainWindow, live: ScriptedLive | None) -> None:
    _hears_of_version(window, live)
    window.everyday.open_settings()
    settings = window.everyday.settings
    assert settings is not None
    settings.area.ensureWidgetVisible(settings.updates)


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


def _saved_before(folder: Path) -> None:
    saved = folder / "saved"
    saved.mkdir()
    (saved / "Overpaint 2026-11-21 20-15-00.mp4").write_bytes(small_media.clip(640, 360, 30))
    (saved / "Overpaint 2026-11-22 09-30-00.png").write_bytes(small_media.picture(640, 360))
    (saved / "Overpaint 2026-11-23 11-45-00.mp4").write_bytes(small_media.clip(1280, 720, 90))


def _recordings(window: MainWindow, live: ScriptedLive | None) -> None:
    window.everyday.open_recordings()
    dialog = window.everyday.recordings
    assert dialog is not None
    shown: list[str] = []
    dialog.files._thumbnails.ready.connect(shown.append)
    dialog.read([window.everyday.data_dir / "saved"], "")
    while len(shown) < 3:
        QApplication.processEvents()


def _no_recordings(window: MainWindow, live: ScriptedLive | None) -> None:
    window.everyday.open_recordings()
    dialog = window.everyday.recordings
    assert dialog is not None
    dialog.read([window.everyday.data_dir / "saved"], "")


def _settings_of_hotkeys(window: MainWindow, live: ScriptedLive | None) -> None:
    window.everyday.open_settings()
    settings = window.everyday.settings
    assert settings is not None
    settings.area.ensureWidgetVisible(settings.hotkeys.look)


def _settings_of_recordings(window: MainWindow, live: ScriptedLive | None) -> None:
    window.everyday.open_settings()
    settings = window.everyday.settings
    assert settings is not None
    QApplication.processEvents()
    settings.area.ensureWidgetVisible(settings.recordings.folder)
    settings.area.ensureWidgetVisible(settings.recordings.replay, 0, 70)


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


def _settings_of_results(window: MainWindow, live: ScriptedLive | None) -> None:
    window.side.transforms.settings_wanted.emit()


def _settings_rest(window: MainWindow, live: ScriptedLive | None) -> None:
    window.everyday.open_settings()
    settings = window.everyday.settings
    assert settings is not None
    settings.area.ensureWidgetVisible(settings.rest_previewed_row)


def _ends_tour(window: MainWindow, live: ScriptedLive | None) -> None:
    window.help.tour.begin()
    window.help.tour.next.click()
    window.help.tour.next.click()


def _notices_beside_the_tour(window: MainWindow, live: ScriptedLive | None) -> None:
    window.help.tour.begin()
    window.notice.say("The preset could not be read.")
    window.notice.say("The photo could not be read. Use a JPEG or PNG.")


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
    "live-recording-sound": WindowState(
        on_air(recording=RECORDING, recording_seconds=754, recording_bytes=188_400_000, sound=HEARD),
        act=lambda _, live: live.say(SoundLevel(peak=0.2)),
    ),
    "live-recording-sound-first": WindowState(
        on_air(recording=RECORDING, recording_seconds=2, recording_bytes=600_000, sound=HEARD),
        habits=Habits(knows_places=True),
    ),
    "live-recording-muted": WindowState(
        on_air(recording=RECORDING, recording_seconds=754, sound=HEARD.model_copy(update={"muted": True}))
    ),
    "settings-sound": WindowState(
        previewing(sound=HEARD, preferences=Preferences(system_sound=True)), act=_settings_of_sound
    ),
    "settings-sound-elsewhere": WindowState(
        previewing(
            sound=HEARD.model_copy(
                update={"system": SystemSound(trouble=trouble_of(SourceError("system_sound_windows")))}
            )
        ),
        act=_settings_of_sound,
    ),
    "settings-sound-denied": WindowState(
        previewing(
            sound=SoundState(
                choices=MICROPHONES,
                trouble=trouble_of(SourceError("microphone_denied_macos")),
            )
        ),
        act=_settings_of_sound,
    ),
    "live-private": WindowState(on_air(private=True, camera=SLATE)),
    "live-no-camera": WindowState(previewing(on_air=True, camera=Camera(state="missing", trouble=NO_DEVICE))),
    "camera-missing": WindowState(camera_states.without(NO_DEVICE), act=camera_states.opens),
    "camera-missing-commands": WindowState(camera_states.without(NO_DEVICE), act=camera_states.unfolds),
    "camera-missing-secure-boot": WindowState(
        camera_states.without(camera_states.SIGNED), act=camera_states.opens
    ),
    "camera-missing-no-password": WindowState(
        camera_states.without(NO_DEVICE), act=camera_states.opens_without_password
    ),
    "camera-pipewire": WindowState(camera_states.ONLY_PIPEWIRE, act=camera_states.explains),
    "camera-programs": WindowState(camera_states.ONLY_PIPEWIRE, act=camera_states.tells_programs),
    "camera-setup": WindowState(camera_states.without(NO_DEVICE), act=camera_states.works),
    "camera-setup-refused": WindowState(camera_states.without(NO_DEVICE), act=camera_states.fails),
    "camera-setup-done": WindowState(camera_states.without(NO_DEVICE), act=camera_states.appears),
    "camera-restart": WindowState(camera_states.without(camera_states.RESTART), act=camera_states.opens),
    "camera-container": WindowState(camera_states.without(camera_states.CONTAINER), act=camera_states.opens),
    "camera-busy": WindowState(camera_states.without(camera_states.BUSY), act=camera_states.opens),
    "camera-no-obs": WindowState(camera_states.without(camera_states.NO_OBS), act=camera_states.opens),
    "camera-page-for-obs": WindowState(camera_states.PAGE, act=camera_states.uses_page),
    "live-waiting-for-obs": WindowState(camera_states.WAITING),
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
        "there is no new picture of it.",
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
    "settings-recordings": WindowState(
        previewing(preferences=Preferences(replay=True)), act=_settings_of_recordings
    ),
    "settings-below": WindowState(previewing(), act=_settings_below),
    "recordings": WindowState(previewing(), prepare=_saved_before, act=_recordings),
    "recordings-none": WindowState(previewing(), act=_no_recordings),
    "settings-hotkeys": WindowState(
        previewing(),
        act=_settings_of_hotkeys,
        habits=Habits(knows_places=True, hotkeys_on=True, hotkeys={"look:pencil-sketch": "Ctrl+Alt+1"}),
    ),
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
    "help": WindowState(previewing(), act=lambda window, _: window.help.open()),
    "help-keys": WindowState(previewing(), act=lambda window, _: window.help.open_keys()),
    "tour": WindowState(previewing(), act=lambda window, _: window.help.tour.begin()),
    "tour-notices": WindowState(previewing(), act=_notices_beside_the_tour),
    "tour-end": WindowState(previewing(), act=_ends_tour),
    "about": WindowState(previewing(), act=lambda window, _: window.everyday.open_about()),
    "came-back": WindowState(on_air(), act=_comes_back),
    "came-back-from-recording": WindowState(on_air(), act=_comes_back_from_a_recording),
    "paused": WindowState(
        on_air(state="paused", camera=SLATE.model_copy(update={"state": "held"}), figures=Figures())
    ),
    "paused-off-air": WindowState(previewing(state="paused", figures=Figures())),
    "settings-of-results": WindowState(stopped(), act=_settings_of_results),
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
    "cannot-renew": WindowState(elsewhere(on_air(session=SOON), credits=12)),
    "restarting": WindowState(on_air(), act=_dies),
    "failed": WindowState(
        _failed(
            "busy",
            "Another program is using Logitech C920.",
            "Quit it there (a call, a browser's tab, OBS), then choose the camera again.",
        )
    ),
    "no-credits": WindowState(
        elsewhere(
            _failed(
                "insufficient_credits",
                "A session costs 25 credits, and 12 are left.",
                "Add credits to the account.",
            ),
            credits=12,
        )
    ),
    "low-balance": WindowState(elsewhere(on_air(), credits=30)),
    "elsewhere": WindowState(elsewhere(stopped())),
    "elsewhere-live": WindowState(elsewhere(on_air())),
    "elsewhere-batch": WindowState(elsewhere(on_air()), act=_transforms(batch)),
    "elsewhere-under-way": WindowState(elsewhere(on_air()), act=_transforms(business, _in_business)),
    "transforms-batch": WindowState(on_air(), act=_transforms(batch)),
    "transforms-previewed": WindowState(on_air(), act=_transforms(batch, then=_previews)),
    "transforms-own-photo": WindowState(on_air(), act=_transforms(batch, then=_has_own_photo)),
    "transforms-preview": WindowState(on_air(), act=_transforms(batch, then=_previews_large)),
    "elsewhere-preview": WindowState(elsewhere(on_air()), act=_transforms(batch, then=_previews_large)),
    "transforms-too-dear": WindowState(elsewhere(on_air(), credits=12), act=_transforms(batch)),
    "transforms-halted": WindowState(
        on_air(), act=_transforms(lambda: business().model_copy(update={"halted": NO_ANSWER}))
    ),
    "transforms-under-way": WindowState(on_air(), act=_transforms(business, _in_business)),
    "transforms-cancel-question": WindowState(
        elsewhere(on_air()), act=_transforms(business, _in_business, then=_cancels)
    ),
    "transforms-went-on": WindowState(
        elsewhere(on_air()),
        act=_transforms(lambda: business().model_copy(update={"went_on": "intro.mp4"})),
    ),
    "transforms-batch-selected": WindowState(look_states.WITH_PHOTO, act=_transforms(batch, then=_selects)),
    "transforms-told-why": WindowState(on_air(), act=_transforms(business, then=_asks_why)),
    "transforms-batch-enter": WindowState(on_air(), act=_transforms(batch, then=_presses_enter)),
    "transforms-viewer": WindowState(on_air(), act=_transforms(business, then=_views)),
    "transforms-drag": WindowState(on_air(), act=_transforms(business, then=_drags)),
    "service": WindowState(previewing(), act=_chooses_service),
    "service-http-question": WindowState(previewing(), act=_is_asked_about_http),
    "service-http": WindowState(elsewhere(previewing(), server=HTTP_SERVICE), act=_has_http),
    "balance-http": WindowState(elsewhere(previewing(), server=HTTP_SERVICE)),
    "balance-charges": WindowState(elsewhere(on_air()), act=_charged),
    "new-version": WindowState(previewing(), act=_hears_of_version),
    "new-version-read": WindowState(previewing(), act=_reads_of_version),
    "settings-updates": WindowState(previewing(), act=_settings_of_updates),
    "cost-here": WindowState(on_air(), act=lambda window, _: window.side.balance.fold.click()),
    "gallery": WindowState(look_states.LOOKING, act=look_states.opens_gallery),
    "gallery-search": WindowState(look_states.LOOKING, act=look_states.searches),
    "gallery-understood": WindowState(look_states.LOOKING, act=look_states.understands),
    "gallery-group": WindowState(look_states.LOOKING, act=look_states.shows_group),
    "gallery-nothing-found": WindowState(look_states.LOOKING, act=look_states.searches_in_vain),
    "gallery-presets": WindowState(look_states.LOOKING, act=look_states.has_presets),
    "gallery-no-presets": WindowState(look_states.LOOKING, act=look_states.has_no_presets),
    "preset-name": WindowState(look_states.READ, act=look_states.names_preset),
    "prompt-understood": WindowState(look_states.READ),
    "photo-use": WindowState(look_states.WITH_PHOTO),
    "prompt-not-understood": WindowState(look_states.REFUSED, act=look_states.is_refused),
    "transforms-not-understood": WindowState(look_states.LOOKING, act=look_states.orders_in_vain),
    "prompt-typed": WindowState(look_states.LOOKING, act=look_states.types_prompt),
    "photo-menu": WindowState(look_states.LOOKING, act=look_states.opens_photo_menu),
    "compare": WindowState(look_states.LOOKING, act=look_states.compares),
    "framing": WindowState(look_states.FRAMED, act=look_states.frames),
    "delay": WindowState(on_air(), act=lambda window, _: window.stage.open_delay()),
    "delay-not-yet": WindowState(previewing(delays=None), act=lambda window, _: window.stage.open_delay()),
    "stream-open": WindowState(on_air(), act=lambda window, _: window.side.figures.fold.click()),
    "camera-formats": WindowState(look_states.FRAMED, act=look_states.lists_formats),
    "screen-options": WindowState(look_states.SCREEN, act=look_states.sets_source),
    "screen-options-without-switch": WindowState(
        look_states.SCREEN.model_copy(update={"offer": SourceOffer(rates=(30, 60), pointer="system")}),
        act=look_states.sets_source,
    ),
    "source-gallery": WindowState(look_states.CHOOSING, act=look_states.chooses_source),
    "given-up": WindowState(None, start=does_not_start),
    "network-camera": WindowState(previewing(), act=look_states.names_network_camera),
    "network-cameras": WindowState(look_states.NETWORK, act=look_states.names_network_camera),
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
