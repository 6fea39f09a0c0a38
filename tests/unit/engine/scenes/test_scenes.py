"""Scenes: every one draws at every size, the moving ones calmly, and each has words of its own."""

from __future__ import annotations

import pytest

from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import Entry, entries
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.scenes.scene_view import SceneView

SCENES = entries("scenes")
BY_NAME = pytest.mark.parametrize("entry", SCENES, ids=lambda entry: entry.name)


def view_of(entry: Entry, width: int, height: int) -> SceneView:
    return SceneView(Stage(Canvas(width, height), Bands(1)), entry)


@BY_NAME
def test_a_scene_fills_every_shape_of_picture(entry: Entry) -> None:
    for width, height in ((1280, 720), (640, 480), (360, 640)):
        y, u, v = view_of(entry, width, height).draw(3)
        assert y.shape == (height, width)
        assert u.shape == v.shape == (height // 2, width // 2)
        assert y.std() > 2
