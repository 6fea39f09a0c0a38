"""States of the window around the picture: gallery, presets, comparison, framing, sources, prompt."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import cv2

from helpers.clips import portrait
from helpers.scripted_live import SOURCES, ScriptedLive, previewing
from helpers.scripted_transforms import batch
from overpaint.engine import looks
from overpaint.gui.looks.presets import Preset
from overpaint.wire.framing import Framing
from overpaint.wire.live import LookChoice, SourceChoice
from overpaint.wire.looks import PromptReading, PromptSuggestion
from overpaint.wire.sources import CameraFormat, SourceOffer, SourcePicture

if TYPE_CHECKING:
    from overpaint.gui.window import MainWindow

ALL_LOOKS = [
    LookChoice(name=look.name, title=look.title, description=look.description, group=look.group)
    for look in looks()
]
WINDOWS = [
    SourceChoice(source=f"window:{title}", title=title, kind="window")
    for title in ("Quarterly report – LibreOffice Calc, sheet 3 of 12", "Mail", "Terminal")
]
WORDY = "an old print, slightly warm, no lines, at 60 % strength, only the background"
LOOKING = previewing(looks=ALL_LOOKS)
READ = previewing(
    looks=ALL_LOOKS,
    prompt=WORDY,
    understood="Woodblock print, slightly warm, no lines, 60 %, background only",
)
WITH_PHOTO = previewing(looks=ALL_LOOKS, prompt="Backdrop", understood="Backdrop", has_reference=True)
REFUSED = previewing(
    looks=ALL_LOOKS,
    prompt="ink comic, warm",
    understood="Ink comic, warm",
    reading=PromptReading(
        prompt="put me in Venice at sunset, with a red leather hat",
        not_understood=("Venice", "sunset", "red", "leather", "hat"),
        suggestions=(
            PromptSuggestion(kind="background_photo", words="Venice"),
            PromptSuggestion(kind="graphics_computer", words="red leather hat"),
        ),
        unchanged=True,
    ),
)
CHOOSING = previewing(sources=[*SOURCES, *WINDOWS])
NETWORK_CAMERAS = [
    SourceChoice(source="rtsp://192.168.1.20/stream1", title="Workshop", kind="network", keeps_login=True),
    SourceChoice(source="http://192.168.1.30:8080/video", title="192.168.1.30:8080", kind="network"),
]
NETWORK = previewing(
    source="http://192.168.1.30:8080/video",
    source_title="192.168.1.30:8080",
    sources=[*SOURCES, *NETWORK_CAMERAS],
)
FORMATS = tuple(
    CameraFormat(width=width, height=height, fps=fps, compressed=compressed)
    for width, height, fps, compressed in (
        (1920, 1080, 30, True),
        (1280, 720, 30, True),
        (1280, 720, 10, False),
        (640, 480, 30, False),
        (1920, 1080, 5, False),
    )
)
FRAMED = previewing(
    framing=Framing(mirror=True, fill=True, zoom=1.4, pan_x=0.2), offer=SourceOffer(formats=FORMATS)
)
SCREEN = previewing(
    source="screen:0",
    source_title="Screen 1 · 1920×1080",
    offer=SourceOffer(rates=(30, 60), pointer="switch"),
)


def opens_gallery(window: MainWindow, _: ScriptedLive | None) -> None:
    """All looks at once."""
    window.looks.open_gallery()


def searches(window: MainWindow, _: ScriptedLive | None) -> None:
    """Words that several looks have."""
    window.looks.open_gallery("paper")


def understands(window: MainWindow, _: ScriptedLive | None) -> None:
    """A word that is in no name and no description."""
    window.looks.open_gallery("retro")


def shows_group(window: MainWindow, _: ScriptedLive | None) -> None:
    """One group of looks."""
    window.looks.open_gallery()
    window.looks.gallery.show_group("drawing")


def searches_in_vain(window: MainWindow, _: ScriptedLive | None) -> None:
    """Words that no look has."""
    window.looks.open_gallery("zebra crossing")


def has_presets(window: MainWindow, _: ScriptedLive | None) -> None:
    """Two presets of one's own."""
    for name, prompt in (("Evening print", "old print, very warm"), ("Team call", "ink comic")):
        window.presets.shelf.save(Preset(name=name, prompt=prompt))
    window.looks.show_own()


def has_no_presets(window: MainWindow, _: ScriptedLive | None) -> None:
    """The shelf of presets, empty."""
    window.looks.show_own()


def names_preset(window: MainWindow, _: ScriptedLive | None) -> None:
    """The question for a preset's name."""
    window.presets.ask_name()


def compares(window: MainWindow, _: ScriptedLive | None) -> None:
    """The handle a third of the way."""
    window.stage.compare.setValue(330)


def frames(window: MainWindow, _: ScriptedLive | None) -> None:
    """The panel over the stage."""
    window.stage._open_framing()


def sets_source(window: MainWindow, _: ScriptedLive | None) -> None:
    """The same panel, from the list of sources."""
    window.top_bar.source._want_options()


def lists_formats(window: MainWindow, live: ScriptedLive | None) -> None:
    """A camera's formats."""
    frames(window, live)
    window.stage.framing.format.showPopup()


def chooses_source(window: MainWindow, live: ScriptedLive | None) -> None:
    """Screens and windows, most of them pictured."""
    assert live is not None
    window.top_bar.source.open_gallery()
    done, data = cv2.imencode(".jpg", portrait(320, 180))
    assert done
    for choice in (SOURCES[1], *WINDOWS[:2]):
        live.say(SourcePicture(source=choice.source, picture=base64.b64encode(data.tobytes()).decode()))


def names_network_camera(window: MainWindow, _: ScriptedLive | None) -> None:
    """Known network cameras, one of which is selected."""
    window.top_bar.source.open_network()
    dialog = window.top_bar.source.network_dialog
    assert dialog is not None
    if dialog.list.count():
        dialog.list.setCurrentRow(0)


def is_refused(window: MainWindow, _: ScriptedLive | None) -> None:
    """A prompt of which nothing can be done, still in the field."""
    assert REFUSED.reading is not None
    window.prompt.field.setText(REFUSED.reading.prompt)


def types_prompt(window: MainWindow, _: ScriptedLive | None) -> None:
    """A prompt that is typed, some of which can be done."""
    prompt = "watercolour, very warm, with a red hat, only the person"
    window.prompt.field.setText(prompt)
    window.prompt.reader.done.emit(window._read_prompt(prompt, False))


def orders_in_vain(window: MainWindow, _: ScriptedLive | None) -> None:
    """Files ready, with a prompt of which nothing can be done."""
    window.side.transforms.items.show_news(batch())
    card = window.side.transforms.batch
    prompt = "give me a red leather hat"
    card.look.setText(prompt)
    card.look.setModified(True)
    card.reader.done.emit(window._read_prompt(prompt, False))


def opens_photo_menu(window: MainWindow, _: ScriptedLive | None) -> None:
    """The ways to a reference photo."""
    window.prompt.photos.chip.add.click()
