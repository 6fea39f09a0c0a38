"""The real program on a machine whose edges are scripted: arguments as of ``overpaint``.

Scripted are the virtual camera's device (``FakeCamera``), a webcam that can be unplugged and can hang, which
links are offered and, where one asks for it, how long the engine takes; everything between them is real, and
so is every process that these processes start.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from overpaint.errors import SourceError
from overpaint.media.frames import RawFrame
from overpaint.media.sources import Source, SourceInfo, SourceListener, SourceSpec
from overpaint.media.sources.file_source import FileSource
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices

SYSFS, DEV = "SCRIPTED_SYSFS", "SCRIPTED_DEV"
"""Folders that stand for those of the video devices."""
WEBCAM, CLIP = "SCRIPTED_WEBCAM", "SCRIPTED_CLIP"
"""A file that is there while the webcam is plugged in ("hangs" in it: no frames), and what it sees."""
TRANSPORTS = "SCRIPTED_TRANSPORTS"
"""Links that are offered, commas between; the program's own choice when left out."""
RENEW_BEFORE_S = "SCRIPTED_RENEW_BEFORE_S"
"""How long before a session's end the next one is opened; the program's own choice when left out."""
ENGINE = "SCRIPTED_ENGINE"
"""How the stub behind the core behaves (``scripted_pace.PACES``); the real engine when left out."""

IDENTITY = "camera:scripted at 1-1"


class Webcam(FileSource):
    """A webcam that is lost when it is unplugged, and missing until it is plugged in again."""

    def __init__(self) -> None:
        super().__init__(Path(os.environ[CLIP]), "Scripted webcam")
        self.identity = IDENTITY
        self._plug = Path(os.environ[WEBCAM])

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        if not self._plug.exists():
            raise SourceError("camera_missing")
        super().start(width, height, _Wire(self._plug, listener))


class _Wire:
    """From the webcam to its listener, for as long as it is plugged in."""

    def __init__(self, plug: Path, listener: SourceListener) -> None:
        self._plug = plug
        self._listener = listener
        self._told = False

    def frame(self, frame: RawFrame) -> None:
        try:
            hangs = self._plug.read_text() == "hangs"
        except OSError:
            self.lost(SourceError("camera_unplugged", camera="Scripted webcam"))
            return
        if not hangs and not self._told:
            self._listener.frame(frame)

    def lost(self, error: SourceError) -> None:
        if not self._told:
            self._told = True
            self._listener.lost(error)


def _devices() -> LoopbackDevices:
    return LoopbackDevices(Path(os.environ[SYSFS]), Path(os.environ[DEV]))


def script() -> None:
    """Puts the scripted edges in the place of the real ones."""
    from overpaint.processes import children

    children.command = lambda *words: [sys.executable, __file__, *words]
    if "serve" in sys.argv and ENGINE in os.environ:
        from helpers.scripted_pace import PacedEngine
        from overpaint.core import core_process

        core_process.cpu_engine = lambda: PacedEngine(os.environ[ENGINE])
    if "hold-camera" in sys.argv:
        from overpaint.media.virtual_camera import camera_sink

        camera_sink.VirtualCameraSink = partial(  # type: ignore[assignment,misc]
            camera_sink.VirtualCameraSink, loopbacks=_devices()
        )
    if "attend" not in sys.argv:
        return  # the window has no edges
    import overpaint.app as app
    from overpaint.media.virtual_camera.camera_client import HeldCamera

    app.HeldCamera = partial(HeldCamera, loopbacks=_devices())  # type: ignore[assignment,misc]
    if RENEW_BEFORE_S in os.environ:
        import overpaint.session.realtime.state as machine

        machine.RENEW_BEFORE_S = float(os.environ[RENEW_BEFORE_S])
    if TRANSPORTS in os.environ:
        transports = tuple(os.environ[TRANSPORTS].split(","))
        app.SessionOptions = partial(app.SessionOptions, transports=transports)  # type: ignore[misc]
    if CLIP in os.environ:
        make, look = app.make_source, app.available_sources

        def make_source(spec: SourceSpec, *rest: Any) -> Source:
            return Webcam() if spec.kind == "camera" else make(spec, *rest)

        def available_sources(*rest: Any) -> list[SourceInfo]:
            webcam = SourceInfo("camera", "Scripted webcam", "camera", IDENTITY)
            return [*([webcam] if Path(os.environ[WEBCAM]).exists() else []), *look(*rest)]

        app.make_source, app.available_sources = make_source, available_sources


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    script()
    from overpaint.__main__ import main

    main()
