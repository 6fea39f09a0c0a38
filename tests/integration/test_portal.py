"""On Wayland the desktop is asked once for a screen or window, and for keys; each refusal has its sentence.

A real session bus; at its edge a scripted portal, and a scripted reader in the place of PipeWire.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from helpers.bus import needs_bus, session_bus
from helpers.qt_main import Taker
from helpers.scripted_portal import ScriptedPortal
from overpaint.errors import SourceError, UsageError
from overpaint.hotkeys import DesktopTells, grab
from overpaint.media.sources import SourceInfo, SourceSpec, Wishes, parse_source
from overpaint.media.sources.portal_source import (
    CastTarget,
    PortalSource,
    check_portal,
    portal_window,
    remembered_windows,
)
from overpaint.media.sources.source_factory import make_source
from overpaint.portal.cast_grants import FILE, CastGrants
from overpaint.portal.portal_connection import PortalError
from overpaint.portal.screenshot import take_screenshot
from overpaint.session.live.source_selection import SourceStage
from overpaint.session.output.frame_router import FrameHub
from overpaint.wire.sources import SourceOptions

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="Wayland is Linux's"), needs_bus]

SCREEN = CastTarget("screen", "Screen 1 (DP-1, 1920×1080)", "screen:DP-1", (0, 0))


@pytest.fixture(scope="module")
def bus() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="bus") as folder, session_bus(Path(folder)) as address:
        yield address


@pytest.fixture(autouse=True)
def on_wayland(bus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")


@pytest.fixture
def portal(bus: str) -> Iterator[ScriptedPortal]:
    portal = ScriptedPortal(bus)
    yield portal
    portal.close()


class Screen:
    """What PipeWire would carry: one picture, and more when the test paints."""

    def __init__(self, paints: bool = True) -> None:
        self.paints = paints
        self.readers: list[Screen.Reader] = []

    class Reader:
        def __init__(self, received: Callable[..., None], ended: Callable[[], None]) -> None:
            self.received, self.ended, self.closed = received, ended, False
            self.agreed = True

        def close(self) -> None:
            self.closed = True

    def read(
        self,
        descriptor: int,
        node: int,
        most_fps: int,
        received: Callable[..., None],
        ended: Callable[[], None],
    ) -> Reader:
        os.close(descriptor)
        assert (node, most_fps) == (42, 60)
        self.readers.append(Screen.Reader(received, ended))
        if self.paints:
            received(blue_left_of_red(), "BGRx")
        return self.readers[-1]


def blue_left_of_red() -> np.ndarray:
    picture = np.zeros((1080, 1920, 4), np.uint8)
    picture[:, :960], picture[:, 960:] = (255, 0, 0, 0), (0, 0, 255, 0)
    return picture


def source_of(
    folder: Path, target: CastTarget = SCREEN, wishes: Wishes = lambda _: SourceOptions()
) -> PortalSource:
    return PortalSource(lambda: target, CastGrants(folder), wishes, read=Screen().read)


def captured(source: PortalSource) -> Taker:
    taker = Taker()
    source.start(64, 36, taker)
    source.stop()
    return taker


def until(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < ends, "it did not come about"
        time.sleep(0.01)


def test_a_screen_is_asked_for_once_and_restored_from_then_on(
    portal: ScriptedPortal, data_folder: Path
) -> None:
    for _ in range(4):
        assert captured(source_of(data_folder)).frames, "each program start captures it"
    assert portal.asked == ["a screen"]
    tokens = [options.get("restore_token") for options in portal.options]
    assert tokens == [None, "token1", "token2", "token3"], "each token serves once"
    assert all(options["persist_mode"] == 2 for options in portal.options)
    if sys.platform != "win32":
        assert (data_folder / FILE).stat().st_mode & 0o077 == 0, "it is nobody else's"


def test_a_part_of_a_screen_needs_no_other_consent_and_has_its_own_colours(
    portal: ScriptedPortal, data_folder: Path
) -> None:
    captured(source_of(data_folder))
    part = CastTarget("screen", "Part", "screen:DP-1@960,0,640,360", SCREEN.corner, (960, 0, 640, 360))
    frame = captured(source_of(data_folder, part)).frames[0]
    assert portal.asked == ["a screen"]
    red_v = frame.image[-1, -1]
    assert red_v > 200, "only the red half"


def test_a_still_screen_is_delivered_again_with_new_numbers(
    portal: ScriptedPortal, data_folder: Path
) -> None:
    source, taker = source_of(data_folder), Taker()
    source.start(64, 36, taker)
    assert taker.wait_for(lambda taken: len(taken.frames) >= 4)
    source.stop()
    count = len(taker.frames)
    assert [frame.number for frame in taker.frames] == list(range(count))
    times = [frame.captured_ns for frame in taker.frames]
    assert times == sorted(set(times))
    time.sleep(0.15)
    assert len(taker.frames) == count, "nothing comes after the stop"


def test_a_screen_on_which_nothing_changes_is_started_and_its_picture_comes_later(
    portal: ScriptedPortal, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overpaint.media.sources.portal_source._FIRST_S", 0.1)
    source, screen, taker = source_of(data_folder), Screen(paints=False), Taker()
    source._read = screen.read
    source.start(64, 36, taker)
    assert not taker.frames and "until something changes" in str(source.trouble)
    screen.readers[0].received(blue_left_of_red(), "BGRx")
    assert taker.wait_for(lambda taken: bool(taken.frames)) and source.trouble is None
    source.stop()


def test_another_window_can_be_chosen_and_the_new_one_is_remembered(
    portal: ScriptedPortal, data_folder: Path
) -> None:
    grants = CastGrants(data_folder)
    assert remembered_windows(grants) == ()

    def window(ask_again: bool) -> PortalSource:
        made = portal_window("Shared window", grants, lambda _: SourceOptions(), ask_again)
        made._read = Screen().read
        return made

    for ask_again in (True, False, True, False):
        captured(window(ask_again))
    assert portal.asked == ["a window", "a window"]
    assert [info.source for info in remembered_windows(grants)] == ["window:Shared window"]


def test_what_was_allowed_is_kept_in_the_folder_of_the_process(
    portal: ScriptedPortal, data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--data-dir`` names another one than the environment does."""
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    source = make_source(parse_source("window:Notes"), None, lambda _: SourceOptions(), tmp_path)  # type: ignore[arg-type]
    assert isinstance(source, PortalSource)
    source.ask()
    source.stop()
    assert (tmp_path / FILE).exists() and not (data_folder / FILE).exists()


@pytest.mark.parametrize(("pointer", "mode"), [(True, 2), (False, 1)])
def test_the_pointer_is_in_the_picture_as_the_user_wants(
    portal: ScriptedPortal, data_folder: Path, pointer: bool, mode: int
) -> None:
    captured(source_of(data_folder, wishes=lambda _: SourceOptions(pointer=pointer)))
    assert portal.options[0]["cursor_mode"] == mode


def test_a_refusal_is_said_and_asked_about_again_next_time(portal: ScriptedPortal, data_folder: Path) -> None:
    portal.answer = "refuse"
    for _ in range(2):
        with pytest.raises(SourceError) as refused:
            source_of(data_folder).start(64, 36, Taker())
        assert refused.value.line == (
            "You have not allowed the capture of Screen 1 (DP-1, 1920×1080). "
            "Choose it again, and allow it in the desktop's dialog."
        )
        assert refused.value.kind == "denied"
    assert portal.asked == ["a screen", "a screen"]
    assert not (data_folder / FILE).exists()


def test_another_screen_than_the_wanted_one_is_neither_used_nor_remembered(
    portal: ScriptedPortal, data_folder: Path
) -> None:
    portal.place = (1920, 0, 2560, 1440)
    with pytest.raises(SourceError, match="another screen than Screen 1"):
        source_of(data_folder).start(64, 36, Taker())
    portal.place = (0, 0, 1920, 1080)
    assert captured(source_of(data_folder)).frames
    assert portal.asked == ["a screen", "a screen"]


def test_a_desktop_that_tells_no_places_is_trusted(portal: ScriptedPortal, data_folder: Path) -> None:
    portal.place = None
    assert captured(source_of(data_folder)).frames


def test_no_portal_no_windows_and_no_bus_have_a_sentence_each(
    bus: str, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SourceError, match="no portal that gives programs its screen"):
        source_of(data_folder).start(64, 36, Taker())
    portal = ScriptedPortal(bus, interfaces=("ScreenCast",))
    try:
        assert check_portal()
        portal.types = 1
        assert not check_portal()
        window = CastTarget("window", "Shared window", "window:Shared window")
        with pytest.raises(SourceError, match="whole screens only, no windows"):
            source_of(data_folder, window).start(64, 36, Taker())
    finally:
        portal.close()
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    with pytest.raises(SourceError, match="this session has no D-Bus"):
        source_of(data_folder).start(64, 36, Taker())


def test_a_stop_ends_the_wait_for_the_user(portal: ScriptedPortal, data_folder: Path) -> None:
    portal.answer = "wait"
    source = source_of(data_folder)
    failures: list[SourceError] = []

    def start() -> None:
        try:
            source.start(64, 36, Taker())
        except SourceError as error:
            failures.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    until(lambda: portal.asked)
    began = time.monotonic()
    source.stop()
    thread.join(5)
    assert failures and time.monotonic() - began < 2


def test_an_end_in_the_desktops_panel_is_told_once(portal: ScriptedPortal, data_folder: Path) -> None:
    source, taker = source_of(data_folder), Taker()
    source.start(64, 36, taker)
    portal.end_cast()
    assert taker.wait_for(lambda taken: bool(taken.errors))
    portal.end_cast()
    time.sleep(0.1)
    assert [str(error) for error in taker.errors] == [
        "The desktop has ended the capture of Screen 1 (DP-1, 1920×1080), or its window was closed."
    ]
    source.stop()


# ---- in the live process


class Nobody:
    def deliver(self, frame: object) -> None: ...


def stage_of(folder: Path) -> SourceStage:
    def make(spec: SourceSpec, wishes: Wishes) -> PortalSource:
        source = source_of(folder, wishes=wishes)
        source._ask_again = spec.ask_again
        return source

    def there() -> list[SourceInfo]:
        return [SourceInfo("screen:0", SCREEN.title, "screen", SCREEN.identity)]

    hub = FrameHub(Nobody(), lambda error: stage.lost(error))
    stage = SourceStage(make, there, hub, (64, 36), lambda: None)
    return stage


async def come(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - it waits for the stage's own tries
            await asyncio.sleep(0.01)


async def test_a_capture_that_its_user_ended_does_not_come_back_by_itself(
    portal: ScriptedPortal, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overpaint.session.live.source_selection.RETRY_S", 0.02)
    stage = stage_of(data_folder)
    await stage.choose("screen:0")
    portal.end_cast()
    await come(lambda: stage.error is not None)
    stage.plugged()  # another screen was connected
    await asyncio.sleep(0.3)
    assert len(portal.options) == 1 and stage.error is not None
    await stage.choose("screen:0")
    assert stage.error is None and portal.asked == ["a screen"]
    await stage.close()


async def test_the_former_source_goes_on_while_the_desktop_asks_and_after_a_refusal(
    portal: ScriptedPortal, data_folder: Path
) -> None:
    stage = stage_of(data_folder)
    await stage.choose("screen:0")
    running = stage._source
    assert isinstance(running, PortalSource)
    portal.answer = "wait"
    asking = asyncio.create_task(stage.choose("screen:0", ask_again=True))
    await come(lambda: len(portal.asked) == 2)
    assert stage._source is running and running._running and stage.error is None
    portal.answer = "refuse"
    with pytest.raises(SourceError, match="not allowed"):  # it takes the place of the first question
        await stage.choose("screen:0", ask_again=True)
    with pytest.raises(SourceError, match="not allowed"):
        await asking
    assert stage._source is running and running._running
    await stage.close()


async def test_the_end_of_the_program_does_not_wait_for_the_user(
    portal: ScriptedPortal, data_folder: Path
) -> None:
    portal.answer = "wait"
    stage = stage_of(data_folder)
    asking = asyncio.create_task(stage.choose("screen:0"))
    await come(lambda: portal.asked)
    await stage.close()
    with suppress(SourceError):
        await asyncio.wait_for(asking, 3)


async def test_another_wish_for_the_pointer_begins_the_cast_anew_without_a_question(
    portal: ScriptedPortal, data_folder: Path
) -> None:
    stage = stage_of(data_folder)
    await stage.choose("screen:0")
    await stage.run_so(SourceOptions(pointer=False))
    assert [options["cursor_mode"] for options in portal.options] == [2, 1]
    assert portal.asked == ["a screen"] and stage.error is None
    await stage.close()


# ---- keys, and pictures of the screen

KEYS = {"privacy": "Ctrl+Alt+P", "hold": "Shift+Meta+F9", "still": ""}
TITLES = {"privacy": "Privacy, or show me", "hold": "Hold, or resume"}


class Told:
    """What the desktop told about keys."""

    def __init__(self) -> None:
        self.pressed: list[str] = []
        self.keys: list[dict[str, str]] = []
        self.errors: list[UsageError] = []
        self.tells = DesktopTells(lambda keys: self.keys.append(dict(keys)), self.errors.append)


def test_the_desktop_assigns_keys_and_says_which_they_are_pressed(portal: ScriptedPortal) -> None:
    portal.keys = {"hold": ""}
    told = Told()
    held = grab(KEYS, told.pressed.append, TITLES, told.tells)
    until(lambda: told.keys)
    assert portal.asked == ["Privacy, or show me", "Hold, or resume"], (
        "in the user's language, with wishes only"
    )
    assert told.keys == [{"privacy": "CTRL+ALT+p"}], "none for hold, which another program has"
    portal.press("privacy")
    until(lambda: told.pressed == ["privacy"])
    portal.reassign({"privacy": "Super+1", "hold": "Super+2"})
    until(lambda: told.keys[-1] == {"privacy": "Super+1", "hold": "Super+2"})
    held.close()
    portal.press("privacy")
    time.sleep(0.1)
    assert told.pressed == ["privacy"] and not told.errors


@pytest.mark.parametrize(
    ("answer", "needs_installation", "sentence"),
    [
        ("refuse", False, "The desktop's dialog was closed without keys."),
        ("allow", True, "This desktop gives such keys to installed programs only."),
    ],
)
def test_refused_keys_have_a_sentence(
    portal: ScriptedPortal, answer: str, needs_installation: bool, sentence: str
) -> None:
    portal.answer, portal.needs_installation = answer, needs_installation
    told = Told()
    held = grab(KEYS, told.pressed.append, TITLES, told.tells)
    until(lambda: told.errors)
    assert str(told.errors[0]) == sentence and not told.keys
    held.close()


def test_a_desktop_without_such_a_portal_is_said_and_closing_does_not_wait_for_the_user(bus: str) -> None:
    told = Told()
    held = grab(KEYS, told.pressed.append, TITLES, told.tells)
    until(lambda: told.errors)
    assert str(told.errors[0]) == "This desktop has no portal that gives programs such keys."
    held.close()
    portal = ScriptedPortal(bus)
    portal.answer = "wait"
    told = Told()
    held = grab(KEYS, told.pressed.append, TITLES, told.tells)
    until(lambda: portal.asked)
    began = time.monotonic()
    held.close()
    assert time.monotonic() - began < 2 and not told.errors
    portal.close()


def test_a_picture_of_the_screen_is_taken_away_from_among_the_users_own(
    portal: ScriptedPortal, tmp_path: Path
) -> None:
    portal.picture = tmp_path / "Screenshot from 1.png"
    portal.picture.write_bytes(b"picture")
    assert take_screenshot() == b"picture"
    assert not portal.picture.exists()
    portal.answer = "refuse"
    with pytest.raises(PortalError, match="refused"):
        take_screenshot()
