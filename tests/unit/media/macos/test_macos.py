"""macOS with scripted frameworks: permissions granted, refused and not yet asked for; OBS's extension.

No Mac was at hand: what the frameworks answer here is what Apple's headers and OBS's own words say.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6 import QtCore
from PySide6.QtCore import Qt

from overpaint.autostart import autostart
from overpaint.autostart.macos import LaunchAgent
from overpaint.errors import OverpaintError, SinkError, SourceError
from overpaint.media.macos import dock, screen_permission
from overpaint.media.sound_inputs.qt_microphone import QtMicrophone
from overpaint.media.sources import screen_source
from overpaint.media.sources.camera_source import CameraSource
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.sources.screen_source import ScreenSource
from overpaint.media.virtual_camera import obs_extension
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink
from overpaint.processes import load_tuning, peers
from overpaint.processes.sandbox import seatbelt

MAIN = cast(MainThread, SimpleNamespace(free=lambda _: None))


@pytest.fixture(autouse=True)
def macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")


# ---- the screen --------------------------------------------------------------------------------------


class CoreGraphics:
    """The two functions about recording the screen; notes what was called."""

    def __init__(self, granted: bool, granted_when_asked: bool = False) -> None:
        self.called: list[str] = []
        self.CGPreflightScreenCaptureAccess = self._function("preflight", granted)
        self.CGRequestScreenCaptureAccess = self._function("request", granted_when_asked)

    def _function(self, name: str, answer: bool) -> Any:
        called = self.called

        class Function:
            restype: Any = ctypes.c_int
            argtypes: Any = None

            def __call__(self) -> bool:
                assert self.restype is ctypes.c_bool, "an int is read from a register that holds a byte"
                called.append(name)
                return answer

        return Function()


def offer(monkeypatch: pytest.MonkeyPatch, module: Any, library: Any) -> list[str]:
    """Lets a module load a scripted library; returns the paths that it loaded."""
    loaded: list[str] = []

    def load(path: str, **_: object) -> Any:
        loaded.append(path)
        if library is None:
            raise OSError("image not found")
        return library

    kinds = {name: getattr(ctypes, name) for name in dir(ctypes) if not name.startswith("_")}
    monkeypatch.setattr(module, "ctypes", SimpleNamespace(**kinds | {"CDLL": load}))
    return loaded


def test_a_granted_screen_is_recorded_without_a_question(monkeypatch) -> None:
    library = CoreGraphics(granted=True)
    loaded = offer(monkeypatch, screen_permission, library)
    ScreenSource(0, MAIN)._ask_system()
    assert library.called == ["preflight"] and loaded[0].endswith("CoreGraphics.framework/CoreGraphics")


def test_a_screen_not_yet_asked_for_is_asked_for_by_the_system(monkeypatch) -> None:
    library = CoreGraphics(granted=False, granted_when_asked=True)
    offer(monkeypatch, screen_permission, library)
    assert screen_permission.may_record_screen()
    assert library.called == ["preflight", "request"]


def test_a_refused_screen_is_one_sentence_and_no_empty_picture(monkeypatch) -> None:
    offer(monkeypatch, screen_permission, CoreGraphics(granted=False))
    with pytest.raises(SourceError, match=r"Overpaint may not record the screen\.") as refusal:
        ScreenSource(0, MAIN)._ask_system()
    assert refusal.value.kind == "denied"
    assert "Screen & System Audio Recording, then start Overpaint again" in refusal.value.mend


def test_a_system_without_these_functions_is_not_asked(monkeypatch) -> None:
    for library in (None, SimpleNamespace()):
        offer(monkeypatch, screen_permission, library)
        assert screen_permission.may_record_screen()


def test_other_systems_load_nothing(monkeypatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    loaded = offer(monkeypatch, screen_permission, CoreGraphics(granted=False))
    assert screen_permission.may_record_screen() and loaded == []


def test_windows_are_listed_without_a_check_that_only_others_have() -> None:
    assert screen_source._seen_windows(["Mail"]) == {}


# ---- camera and microphone ---------------------------------------------------------------------------

GRANTED, DENIED, OPEN = (
    Qt.PermissionStatus.Granted,
    Qt.PermissionStatus.Denied,
    Qt.PermissionStatus.Undetermined,
)


class App:
    """Qt's application object, which asks the system: a permission, and what the user answers when asked."""

    def __init__(self, status: Qt.PermissionStatus, answer: Qt.PermissionStatus = DENIED) -> None:
        self.status, self.answer = status, answer
        self.questions: list[Callable[[], None]] = []

    def checkPermission(self, _permission: object) -> Qt.PermissionStatus:
        return self.status

    def requestPermission(self, permission: object, _context: object, answered: Callable[..., None]) -> None:
        def decide() -> None:
            self.status = self.answer
            answered(permission)

        self.questions.append(decide)


@pytest.fixture
def asks(monkeypatch: pytest.MonkeyPatch) -> Callable[[App], App]:
    def install(app: App) -> App:
        monkeypatch.setattr(QtCore, "QCoreApplication", SimpleNamespace(instance=lambda: app))
        return app

    return install


class Camera(CameraSource):
    """A camera source whose camera is opened already, and notes whether it was started."""

    def __init__(self) -> None:
        super().__init__(0, MAIN)
        self.starts = 0
        self._camera = cast(Any, SimpleNamespace(start=self._start_one))
        self._listener = cast(Any, object())

    def _start_one(self) -> None:
        self.starts += 1


def test_a_granted_camera_starts_at_once(asks) -> None:
    asks(App(GRANTED))
    camera = Camera()
    camera._with_permission()
    assert camera.starts == 1


def test_a_refused_camera_says_where_to_allow_it(asks) -> None:
    asks(App(DENIED))
    camera = Camera()
    with pytest.raises(SourceError, match="You may not use the camera") as refusal:
        camera._with_permission()
    assert refusal.value.code == "camera_denied_macos" and camera.starts == 0


@pytest.mark.parametrize("answer", [GRANTED, DENIED])
def test_a_camera_not_yet_asked_for_waits_for_the_answer(asks, answer: Qt.PermissionStatus) -> None:
    app = asks(App(OPEN, answer))
    camera = Camera()
    camera._with_permission()
    assert camera.starts == 0 and camera._failure is None
    assert camera.first_frame_seconds == 60, "the user reads the question first"
    app.questions[0]()
    if answer == GRANTED:
        assert camera.starts == 1 and camera._failure is None
    else:
        assert camera._failure is not None and camera._failure.code == "camera_denied_macos"


class Microphone(QtMicrophone):
    """A microphone of which only the permission matters."""

    def __init__(self) -> None:
        super().__init__("", MAIN)
        self.opened, self.lost = 0, list[OverpaintError]()
        self._devices = cast(
            Any, SimpleNamespace(audioInputsChanged=SimpleNamespace(disconnect=lambda _: None))
        )
        self._lost = self.lost.append

    def _open(self, device: object) -> None:
        self.opened += 1


def test_a_microphone_is_opened_where_it_is_allowed_and_refused_in_a_sentence(asks) -> None:
    device: Any = object()
    asks(App(GRANTED))
    allowed = Microphone()
    allowed._with_permission(device)
    assert allowed.opened == 1
    asks(App(DENIED))
    refused = Microphone()
    with pytest.raises(SourceError) as refusal:
        refused._with_permission(device)
    assert refusal.value.code == "microphone_denied_macos" and refused.opened == 0


@pytest.mark.parametrize("answer", [GRANTED, DENIED])
def test_a_microphone_not_yet_asked_for_waits_for_the_answer(asks, answer: Qt.PermissionStatus) -> None:
    app = asks(App(OPEN, answer))
    microphone = Microphone()
    microphone._with_permission(cast(Any, object()))
    assert microphone.opened == 0 and microphone.lost == []
    app.questions[0]()
    assert microphone.opened == (answer == GRANTED)
    assert [error.code for error in microphone.lost] == (
        [] if answer == GRANTED else ["microphone_denied_macos"]
    )


# ---- OBS's camera extension --------------------------------------------------------------------------

LIST = """1 extension(s)
--- com.apple.system_extension.cmio (Go to 'System Settings > General > Login Items & Extensions')
enabled\tactive\tteamID\tbundleID (version)\tname\t[state]
{}
"""
LINE = (
    "{}\t{}\t2MMRE5MTB8\tcom.obsproject.obs-studio.mac-camera-extension (30.2.3/1)\tOBS Virtual Camera\t[{}]"
)
ANOTHER = "*\t*\tABC\torg.example.camera (1/1)\tAnother\t[activated enabled]"


def system_says(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    def run(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert words == ["/usr/bin/systemextensionsctl", "list"]
        return subprocess.CompletedProcess(words, 0, LIST.format("\n".join(lines)), "")

    monkeypatch.setattr(obs_extension.subprocess, "run", run)


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        ((LINE.format("*", "*", "activated enabled"),), "on"),
        ((LINE.format("", "*", "activated waiting for user"),), "waiting"),
        ((LINE.format("", "", "terminated waiting to uninstall on reboot"),), "restart_needed"),
        (
            (
                LINE.format("", "", "terminated waiting to uninstall on reboot"),
                LINE.format("*", "*", "activated enabled"),
            ),
            "on",
        ),
        ((ANOTHER,), "absent"),
        ((), "absent"),
    ],
)
def test_the_state_of_the_extension_is_the_systems(monkeypatch, lines: tuple[str, ...], state: str) -> None:
    system_says(monkeypatch, *lines)
    assert obs_extension.extension_state() == state


def test_a_system_that_does_not_tell_accuses_nobody(monkeypatch) -> None:
    for failure in (FileNotFoundError(), subprocess.TimeoutExpired("list", 5)):

        def run(*_: object, failure: Exception = failure, **__: object) -> None:
            raise failure

        monkeypatch.setattr(obs_extension.subprocess, "run", run)
        assert obs_extension.extension_state() == "unknown"
        assert obs_extension.extension_error() is None


@pytest.mark.parametrize(
    ("line", "installed", "code"),
    [
        (LINE.format("", "*", "activated waiting for user"), True, "obs_camera_extension_waiting"),
        (ANOTHER, True, "obs_camera_extension_off"),
        (ANOTHER, False, "obs_camera_extension_missing"),
        (
            LINE.format("", "", "terminated waiting to uninstall on reboot"),
            True,
            "obs_camera_extension_restart_needed",
        ),
    ],
)
def test_without_a_camera_the_first_thing_to_do_is_said(
    monkeypatch, tmp_path: Path, line: str, installed: bool, code: str
) -> None:
    system_says(monkeypatch, line)
    monkeypatch.setattr(obs_extension, "OBS_PLACES", (tmp_path if installed else tmp_path / "none",))
    monkeypatch.setitem(sys.modules, "pyvirtualcam", None)
    with pytest.raises(SinkError) as refusal:
        VirtualCameraSink().open(1920, 1080, 30)
    assert refusal.value.code == code and refusal.value.mend


def test_a_library_that_finds_no_camera_says_the_same(monkeypatch) -> None:
    system_says(monkeypatch, LINE.format("", "*", "activated waiting for user"))

    def camera(*_: object, **__: object) -> None:
        raise RuntimeError("OBS Virtual Camera is not installed in your system")

    library = SimpleNamespace(Camera=camera, PixelFormat=SimpleNamespace(I420="I420"))
    monkeypatch.setitem(sys.modules, "pyvirtualcam", library)
    with pytest.raises(SinkError) as refusal:
        VirtualCameraSink().open(1920, 1080, 30)
    assert refusal.value.code == "obs_camera_extension_waiting"


@pytest.mark.parametrize(
    ("frozen", "code"), [(True, "obs_camera_not_in_bundle"), (False, "obs_camera_library_missing")]
)
def test_with_a_camera_but_without_the_library_the_way_on_depends_on_the_package(
    monkeypatch, frozen: bool, code: str
) -> None:
    system_says(monkeypatch, LINE.format("*", "*", "activated enabled"))
    monkeypatch.setitem(sys.modules, "pyvirtualcam", None)
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    with pytest.raises(SinkError) as refusal:
        VirtualCameraSink().open(1920, 1080, 30)
    assert refusal.value.code == code


# ---- Dock, autostart, processes ----------------------------------------------------------------------


def test_a_process_without_windows_stays_out_of_the_dock(monkeypatch) -> None:
    sent: list[tuple[object, ...]] = []

    def prototype(*_kinds: object) -> Callable[[object], Callable[..., object]]:
        return lambda _place: lambda *words: sent.append(words) or "the application"

    class Function:
        def __init__(self, call: Callable[..., object]) -> None:
            self.call = call

        def __call__(self, *words: object) -> object:
            return self.call(*words)

    runtime = SimpleNamespace(
        objc_getClass=Function(lambda name: f"class {name.decode()}"),
        sel_registerName=Function(lambda name: name.decode()),
    )
    offer(monkeypatch, dock, runtime)
    monkeypatch.setattr(dock.ctypes, "CFUNCTYPE", prototype)
    dock.stay_out_of_dock()
    assert sent == [
        ("class NSApplication", "sharedApplication"),
        ("the application", "setActivationPolicy:", 1),
    ]


def test_without_the_runtime_and_elsewhere_nothing_happens(monkeypatch) -> None:
    offer(monkeypatch, dock, None)
    dock.stay_out_of_dock()
    monkeypatch.setattr(sys, "platform", "linux")
    assert offer(monkeypatch, dock, SimpleNamespace()) == []
    dock.stay_out_of_dock()


def test_starting_with_the_system_is_a_launch_agent() -> None:
    assert isinstance(autostart(), LaunchAgent)


def test_a_loading_thread_steps_back_by_its_quality_of_service(monkeypatch) -> None:
    called: list[tuple[int, int]] = []
    library = SimpleNamespace(pthread_set_qos_class_self_np=lambda *words: called.append(words))
    offer(monkeypatch, load_tuning, library)
    load_tuning._step_back()
    assert called == [(0x09, 0)]


def test_the_other_end_of_a_socket_is_known_by_its_credentials(monkeypatch) -> None:
    user = peers.own_user()
    credentials = (0).to_bytes(4, "little") + user.to_bytes(4, "little") + bytes(68)

    class Socket:
        def __init__(self, fileno: int) -> None:
            assert fileno == 77

        def __enter__(self) -> Socket:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def getsockopt(self, level: int, option: int, length: int = 0) -> object:
            assert level == 0
            return credentials[:length] if option == 1 else 4242

    monkeypatch.setattr(peers, "socket", SimpleNamespace(socket=Socket))
    monkeypatch.setattr(peers.os, "dup", lambda _: 77)
    connection = cast(Any, SimpleNamespace(fileno=lambda: 5))
    assert peers.peer_of(connection, dialled=True) == peers.Peer(4242, True)
    credentials = (0).to_bytes(4, "little") + (user + 1).to_bytes(4, "little") + bytes(68)
    assert peers.peer_of(connection, dialled=True) == peers.Peer(4242, False)


def test_a_sandbox_that_the_system_refuses_is_an_error_with_its_words(monkeypatch, tmp_path: Path) -> None:
    seen: list[bytes] = []

    class SandboxInit:
        argtypes: Any = None

        def __init__(self, result: int) -> None:
            self.result = result

        def __call__(self, rules: bytes, flags: int, _said: object) -> int:
            seen.append(rules)
            assert flags == 0
            return self.result

    offer(monkeypatch, seatbelt, SimpleNamespace(sandbox_init=SandboxInit(0)))
    seatbelt.restrict([tmp_path], [])
    assert b"(deny network*)" in seen[0] and str(tmp_path.resolve()).encode() in seen[0]
    offer(monkeypatch, seatbelt, SimpleNamespace(sandbox_init=SandboxInit(-1)))
    with pytest.raises(OSError, match="refused"):
        seatbelt.restrict([], [])
    offer(monkeypatch, seatbelt, SimpleNamespace())
    with pytest.raises(OSError, match="is not there"):
        seatbelt.restrict([], [])
