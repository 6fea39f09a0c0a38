"""The view of a scene at a canvas's size: its plate, and on it all that moves, by the number of the frame.

A frame depends on nothing but its number, so that clips and calls show the same. Must not know people.
"""

from __future__ import annotations

import numpy as np

from overpaint.engine.catalogue import Entry
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.motions import Planes, motions_of
from overpaint.engine.scenes.plate import fitted, planes_of, read_picture, window_on
from overpaint.engine.scenes.scene_light import SceneLight, light_of


class SceneView:
    """A scene, drawn frame by frame. One stream, one thread at a time.

    Args:
        stage: Canvas and threads.
        entry: The scene's entry of the catalogue.

    Attributes:
        light: What a person in front of it is to be lit like.

    Raises:
        OverpaintError: The installation is incomplete.
    """

    def __init__(self, stage: Stage, entry: Entry) -> None:
        self.light: SceneLight = light_of(entry.parameters["light"])
        width, height = stage.canvas.width, stage.canvas.height
        self._plate: Planes = stage.shelf.get(_plate, entry.name, width, height)

        def read_map(name: str) -> Plane:
            return stage.shelf.get(_map, f"{entry.name}-{name}", width, height)

        window = window_on(width, height)
        tables = entry.parameters.get("motion", ())
        self._motions = motions_of(tables, stage.bands, window, self._plate, read_map)
        self._drawn: Planes = (
            (np.empty_like(self._plate[0]), np.empty_like(self._plate[1]), np.empty_like(self._plate[2]))
            if self._motions
            else self._plate
        )
        self.draw(0)  # so that no frame waits for a kernel

    def draw(self, frame: int) -> Planes:
        """The scene at a frame's number.

        Args:
            frame: Number of the frame, 30 a second, from 0.

        Returns:
            y (H, W) in full range, u and v (H / 2, W / 2), uint8; valid until the next call, only to be read.
        """
        if self._motions:
            for still, drawn in zip(self._plate, self._drawn, strict=True):
                np.copyto(drawn, still)
            for motion in self._motions:
                motion.draw(frame, self._drawn)
        return self._drawn


def _plate(name: str, width: int, height: int) -> Planes:
    """The plate's planes at a size."""
    return planes_of(fitted(read_picture(name, colour=True), width, height))


def _map(name: str, width: int, height: int) -> Plane:
    """A map at a size."""
    return fitted(read_picture(name, colour=False), width, height)
