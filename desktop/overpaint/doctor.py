"""Health checks of this machine, each with the way to mend what does not work: ``overpaint doctor``.

Each check is a function that returns a ``Finding``. A check changes nothing, and its failure does not stop
the next ones. ``missing`` is reserved for what Overpaint cannot do its job without: a picture restyled here
and handed to other programs as a camera. Anything else is at most a ``warning``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from overpaint import folders
from overpaint.errors import OverpaintError, SourceError
from overpaint.portal import is_wayland

Verdict = Literal["ok", "warning", "missing"]

MAIN_JOB = ("camera output", "video codecs", "engine", "service core")
"""Parts without which Overpaint cannot do its job."""

_V4L2 = "Zoom, Discord, OBS and other programs that use V4L2 list it."
_PIPEWIRE = "GNOME's, sandboxed (Flatpak) and other programs that use PipeWire list it."
_SWITCHES = {
    "firefox": "Switch PipeWire's cameras {1} in {0}: media.webrtc.camera.allow-pipewire in about:config.",
    "chromium": "Switch PipeWire's cameras {1} in {0}: chrome://flags/#enable-webrtc-pipewire-camera.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Attributes:
        part: Part of the machine.
        verdict: ``ok``; ``warning``: works in part, or only something else than the main job does not;
            ``missing``: the main job cannot be done.
        text: The finding in a sentence.
        mend: What to do; empty for nothing.
    """

    part: str
    verdict: Verdict
    text: str
    mend: str = ""

    def as_dict(self) -> dict[str, str]:
        """The finding for ``--json``."""
        return asdict(self)


def examine(folder: Path) -> Iterator[Finding]:
    """Runs every check, one after the other.

    Args:
        folder: The data folder.
    """
    checks: tuple[tuple[str, Callable[[], Finding]], ...] = (
        ("camera output", camera_output),
        *((("camera programs", _camera_programs),) if sys.platform == "linux" else ()),
        ("display", _display),
        ("cameras", _cameras),
        ("video codecs", _codecs),
        ("engine", _engine),
        ("nets", _nets),
        ("sandbox", _sandbox),
        ("keyring", _keyring),
        ("service core", lambda: _core(folder)),
    )
    for part, check in checks:
        worst: Verdict = "missing" if part in MAIN_JOB else "warning"
        try:
            yield check()
        except OverpaintError as error:
            yield Finding(part, worst, str(error), error.mend)
        except ImportError as error:
            yield Finding(part, worst, f"A library is missing: {error}.", "Install Overpaint again.")


def camera_output() -> Finding:
    """Checks that other programs can list Overpaint's camera."""
    from overpaint.media.virtual_camera.camera_sink import camera_report

    report = camera_report()
    if report.problem is not None:
        return Finding("camera output", "missing", str(report.problem), report.problem.mend)
    if report.lacking is not None:
        text = f"{report.chosen} (in PipeWire only: Zoom and other programs that use V4L2 do not list it)"
        return Finding("camera output", "warning", text, report.lacking.mend)
    verdict: Verdict = "warning" if report.advice else "ok"
    ways = ", ".join(filter(None, (report.path, "PipeWire" if report.pipewire else "")))
    return Finding("camera output", verdict, f"{report.chosen} ({ways})", report.advice)


def _camera_programs() -> Finding:
    """Says which programs list the camera, and how those that do not can be made to (Linux)."""
    from overpaint.media.virtual_camera.browser_cameras import COMMON, browsers
    from overpaint.media.virtual_camera.camera_sink import camera_report

    report = camera_report()
    if report.problem is not None:
        return Finding("camera programs", "ok", "No program lists it until there is a camera.")
    said = [_V4L2 if report.path else "", _PIPEWIRE if report.pipewire else ""]
    mends = []
    for browser in browsers() or COMMON:
        ways, other = ("PipeWire's", "off") if browser.uses_pipewire else ("V4L2's", "on")
        said.append(f"{browser.name} lists {ways} cameras.")
        if not report.listing.lists(pipewire=browser.uses_pipewire):
            mends.append(_SWITCHES[browser.kind].format(browser.name, other))
    verdict: Verdict = "warning" if mends else "ok"
    return Finding("camera programs", verdict, " ".join(filter(None, said)), " ".join(mends))


def _display() -> Finding:
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return Finding(
            "display",
            "warning",
            "There is no display: no window can be shown, and no screen can be the source.",
            "Use a virtual one (xvfb-run -a overpaint), or stream without a window (overpaint stream).",
        )
    if is_wayland():
        return _wayland()
    return Finding("display", "ok", "A display is there.")


def _wayland() -> Finding:
    """Checks that the desktop's portals give what Wayland itself gives no program."""
    from overpaint.media.pipewire.pipewire_library import pipewire_library
    from overpaint.media.sources.portal_source import check_portal
    from overpaint.portal.portal_shortcuts import has_shortcuts

    windows = check_portal()
    if pipewire_library() is None:
        raise SourceError("pipewire_missing")
    given = "screens and windows" if windows else "screens, but no windows"
    keys = "global shortcuts" if has_shortcuts() else "no global shortcuts (a key can run: overpaint live …)"
    return Finding("display", "ok", f"Wayland, whose portals give {given}, and {keys}.")


def _cameras() -> Finding:
    import threading

    from overpaint.media.sources.camera_source import list_cameras
    from overpaint.media.sources.qt_loop import MainThread

    main_thread = MainThread()
    found: list[str] = []
    failure: list[OverpaintError | ImportError] = []

    def look() -> None:
        try:
            found.extend(info.title for info in list_cameras(main_thread))
        except (OverpaintError, ImportError) as error:
            failure.append(error)
        finally:
            main_thread.stop()

    threading.Thread(target=look, name="doctor").start()
    main_thread.run()
    if failure:
        raise failure[0]
    if not found:
        mend = "Connect one. The screen, a file, a network camera or the demo can be the source, too."
        return Finding("cameras", "warning", "No camera is connected.", mend)
    return Finding("cameras", "ok", ", ".join(found))


def _codecs() -> Finding:
    import av

    wanted = ("libx264", "libvpx", "h264", "vp8", "mjpeg")
    absent = [name for name in wanted if name not in av.codecs_available]
    if absent:
        lacking = f"PyAV lacks {', '.join(absent)}."
        return Finding("video codecs", "missing", lacking, "Install Overpaint again.")
    return Finding("video codecs", "ok", "H.264 and VP8 can be read and written.")


def _engine() -> Finding:
    from overpaint.engine import looks
    from overpaint.engine.library import own_looks

    own = own_looks(folders.looks_dir())
    count = f"{len(looks())} looks" + (f" and {len(own)} of your own" if own else "")
    return Finding("engine", "ok", f"{count} on the processor ({os.cpu_count()} cores); no GPU is needed.")


def _nets() -> Finding:
    from overpaint.engine.nets.runtime import available_devices

    devices = available_devices()
    if len(devices) == 1:
        return Finding(
            "nets",
            "ok",
            "Neural nets run on the processor; on a GPU where an ONNX Runtime for it is installed.",
        )
    return Finding(
        "nets", "ok", f"Neural nets run on {devices[0]}; on {', '.join(devices[1:])} when that fails."
    )


def _sandbox() -> Finding:
    from overpaint.processes.sandbox import sandbox

    here = sandbox.available()
    text = f"Decoders of pictures, clips and nets are confined in: {here.line}."
    if here.whole:
        return Finding("sandbox", "ok", text)
    mend = "Open only files from people you trust."
    return Finding("sandbox", "warning", " ".join([text, *here.lacking]), mend)


def _keyring() -> Finding:
    from overpaint import credentials

    name = credentials.keyring_name()
    if name is None:
        return Finding(
            "keyring",
            "warning",
            "This system has no keyring: keys of services elsewhere cannot be stored.",
            f"Install one (gnome-keyring or KWallet), or set {credentials.KEY_VARIABLE} before each start.",
        )
    return Finding("keyring", "ok", name)


def _core(folder: Path) -> Finding:
    from overpaint.processes import roles

    channel = roles.call(folder, "core")
    if channel is None:
        return Finding("service core", "ok", "Not running; it is started when it is needed.")
    channel.close()
    return Finding("service core", "ok", "Running.")
