"""The pass of a custom net (image-to-image). Must not know how the net was recognised."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.nets.custom_nets import CustomModel, Layout, ModelForm, open_custom_net
from overpaint.engine.passes.paint.small_copy import RIM, SmallCopy, rimmed
from overpaint.engine.passes.pass_interface import Stage

LIVE_RUN_S = 1.0
"""Time limit of the net for a frame of a stream, seconds; nets above ``custom_nets.SLOWEST_SECONDS`` are not
accepted for streams in the first place."""


class Model:
    """A pass that repaints ``low``, ``u`` and ``v`` with a custom net.

    Args:
        stage: Canvas, threads and inputs.
        file: Path of the ONNX file.
        layout: ``nchw`` or ``nhwc``.
        values: Least and greatest value of the net's pictures.
        multiple: Number that both sides of its pictures must be multiples of, pixels.
        fixed: Width and height of the only size that it takes; empty for any size.
        rows: Height at which it works at a detail of 1, for a picture of 16:9, pixels.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        file: str,
        layout: str,
        values: tuple[float, float],
        rows: int,
        multiple: int = 1,
        fixed: tuple[int, ...] = (),
    ) -> None:
        size = (fixed[0], fixed[1]) if fixed else None
        form = ModelForm(cast("Layout", layout), (float(values[0]), float(values[1])), multiple, size)
        # Pictures and clips have no limit here: the workers that make them have limits of their own.
        limit_s = LIVE_RUN_S if stage.sparing else None
        net = open_custom_net(Path(file), stage.bands.threads, run_limit_s=limit_s)
        self._model = CustomModel(net, form)
        self._copy = SmallCopy(stage, multiple=multiple, fixed=size, rows=rows)
        self._rim = 0 if size else -(-RIM // multiple) * multiple

    def set_detail(self, detail: float) -> None:
        """Changes the size at which the net works; 1 is the default."""
        self._copy.set_detail(detail)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``."""
        frame = self._copy.take(canvas)
        if not self._rim:
            self._copy.give(self._model.paint(frame)[0], canvas)
            return
        painted = self._model.paint(rimmed(frame, self._rim))[0]
        inner = painted[:, self._rim : -self._rim, self._rim : -self._rim]
        self._copy.give(np.ascontiguousarray(inner), canvas)
