"""Overpaint's camera on Linux: a v4l2loopback device and a PipeWire node, fed side by side.

Programs list one kind of cameras or the other: most list V4L2's; sandboxed apps, GNOME's, and browsers with
their switch set (Fedora's Firefox has it) list PipeWire's alone. The node costs nothing while nobody reads it
and needs no driver. So both are fed where both are there; without a loopback device the node is the camera.
What is lost while the other one works is looked for again. Must not know sessions, slates or rates.
"""

from __future__ import annotations

import logging
import time
from typing import TypeVar

from overpaint.errors import SinkError
from overpaint.media.frames import Picture
from overpaint.media.virtual_camera.loopback_output import LoopbackOutput
from overpaint.media.virtual_camera.pipewire.node import PipeWireNode, node_problem
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices
from overpaint.wire.camera import CameraListing
from overpaint.wire.messages import trouble_of

log = logging.getLogger(__name__)

PIPEWIRE = "pipewire"
"""What chooses the node alone, in place of a device's name."""
LISTED_S = 2.0
"""Time limit for the daemon to list the node."""
LOOK_AGAIN_S = 3.0

AnyOutput = TypeVar("AnyOutput", LoopbackOutput, PipeWireNode)


class LinuxCamera:
    """Overpaint's camera, open for I420 pictures of one size.

    Args:
        loopbacks: The loopback devices.
        wanted: Node or title of a loopback device, or ``PIPEWIRE``; whatever is there when empty.
        width: Pixels of every picture.
        height: Pixels of every picture.

    Raises:
        SinkError: What is wanted cannot be opened. Without a wish: the loopback device cannot be, or there is
            none and no PipeWire either.
    """

    def __init__(self, loopbacks: LoopbackDevices, wanted: str, width: int, height: int) -> None:
        self._size = (width, height)
        self._loopbacks, self._wanted = loopbacks, wanted
        self._loopback: LoopbackOutput | None = None
        self._node: PipeWireNode | None = None
        self._lacking: SinkError | None = None
        self._look_s = time.monotonic() + LOOK_AGAIN_S
        if wanted == PIPEWIRE:
            self._node = self._make_node()
            return
        try:
            self._loopback = self._open_loopback()
        except SinkError as error:
            if wanted or error.kind != "missing" or node_problem() is not None:
                raise
            self._lacking = error
            self._node = self._make_node()
        else:
            self._join_pipewire()

    @property
    def title(self) -> str:
        """Its name in other programs."""
        return self._loopback.title if self._loopback is not None else PipeWireNode.title

    @property
    def listing(self) -> CameraListing:
        """Who can list it now."""
        path = self._loopback.path if self._loopback is not None else ""
        return CameraListing(path=path, pipewire=self._node is not None, lacking=trouble_of(self._lacking))

    @property
    def read(self) -> bool:
        """Whether a program reads the node; who reads the device has to be watched elsewhere."""
        return self._node is not None and self._node.read

    def send(self, image: Picture) -> None:
        """Shows a picture. Raises ``SinkError``: the last way to other programs is gone (``lost``)."""
        if not self._wanted and time.monotonic() > self._look_s:
            self._look_again()
        self._loopback = self._sent(self._loopback, image, alone=self._node is None)
        self._node = self._sent(self._node, image, alone=self._loopback is None)

    def close(self) -> None:
        """Closes it: other programs no longer see a camera. Idempotent."""
        for output in (self._loopback, self._node):
            if output is not None:
                output.close()
        self._loopback = self._node = None

    # ---- inside

    def _sent(self, output: AnyOutput | None, image: Picture, *, alone: bool) -> AnyOutput | None:
        """Sends a picture to an output; returns None once that is lost and the other one goes on."""
        if output is None:
            return None
        try:
            output.send(image)
        except SinkError as error:
            output.close()
            if alone:
                raise
            log.info("camera: %s", error)
            if isinstance(output, LoopbackOutput):
                self._lacking = error
            return None
        return output

    def _look_again(self) -> None:
        """Looks for what is not there."""
        self._look_s = time.monotonic() + LOOK_AGAIN_S
        if self._loopback is None:
            try:
                self._loopback, self._lacking = self._open_loopback(), None
                log.info("camera: there is a device now: %s", self._loopback.path)
            except SinkError as error:
                self._lacking = error
        if self._node is None:
            self._join_pipewire()

    def _join_pipewire(self) -> None:
        """Adds the node, where a daemon listens. Waits for nothing: the device is fed meanwhile."""
        if self._wanted or node_problem() is not None:
            return
        try:
            self._node = PipeWireNode(*self._size)
        except SinkError as error:
            log.info("camera: %s", error)

    def _make_node(self) -> PipeWireNode:
        node = PipeWireNode(*self._size)
        try:
            node.wait_until_listed(LISTED_S)
        except SinkError:
            node.close()
            raise
        return node

    def _open_loopback(self) -> LoopbackOutput:
        return LoopbackOutput(self._loopbacks, self._wanted, *self._size)
