"""A machine's cameras at the edge of a source stage: plugged in and pulled out, each one itself."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import RawFrame, now_ns
from overpaint.media.sources import Source, SourceInfo, SourceListener, SourceSpec, Wishes
from overpaint.wire.sources import CameraFormat, SourceOffer

FORMATS = (
    CameraFormat(width=1920, height=1080, fps=30, compressed=True),
    CameraFormat(width=1280, height=720, fps=60, compressed=True),
    CameraFormat(width=1280, height=720, fps=10),
)


@dataclass
class Plugs:
    """Cameras in the order in which the system numbers them, by title; the identity says the port.

    Attributes:
        cameras: Identity of each that is plugged in now.
        running: Identity of the one that is open.
        format: In which it runs.
        refused: In which none runs.
    """

    cameras: list[str] = field(default_factory=list)
    running: str = ""
    format: CameraFormat | None = None
    refused: CameraFormat | None = None
    opened: _Camera | None = None

    def make(self, spec: SourceSpec, wishes: Wishes) -> Source:
        """An unstarted source."""
        return _Camera(self, spec.index, wishes)

    def list(self) -> list[SourceInfo]:
        """What is plugged in now."""
        return [
            SourceInfo(f"camera:{number}", identity.split()[0], "camera", identity)
            for number, identity in enumerate(self.cameras)
        ]

    def pull(self, identity: str) -> None:
        """Pulls a camera out."""
        self.cameras.remove(identity)
        if self.opened is not None and self.opened.identity == identity:
            self.opened.lose()

    def show(self, image: np.ndarray | None = None) -> None:
        """A new picture of the open camera."""
        assert self.opened is not None
        self.opened.show(image)


class _Camera:
    fps = 30.0
    aspect = 16 / 9
    offer = SourceOffer(formats=FORMATS)
    trouble = None

    def __init__(self, plugs: Plugs, index: int, wishes: Wishes) -> None:
        self._plugs = plugs
        self._wishes = wishes
        self._index = index
        self._listener: SourceListener | None = None
        self.title = ""
        self.identity = ""

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        cameras = self._plugs.cameras
        wanted = self.identity or (cameras[self._index] if self._index < len(cameras) else "")
        if wanted not in cameras:
            raise SourceError("camera_missing")
        self.identity, self.title = wanted, wanted.split()[0]
        taken = self._wishes(self.identity).format or FORMATS[0]
        if taken == self._plugs.refused:
            raise SourceError("camera_refused", camera=self.title, reason="no such format")
        self._plugs.format = taken
        self._listener = listener
        self._plugs.opened, self._plugs.running = self, wanted
        self._image = pictures.black(width, height)
        self.show()

    def stop(self) -> None:
        self._listener = None
        if self._plugs.opened is self:
            self._plugs.opened, self._plugs.running = None, ""

    def show(self, image: np.ndarray | None = None) -> None:
        assert self._listener is not None
        self._listener.frame(RawFrame(self._image if image is None else image, 0, now_ns()))

    def lose(self) -> None:
        listener = self._listener
        self.stop()
        assert listener is not None
        listener.lost(SourceError("camera_unplugged", camera=self.title))
