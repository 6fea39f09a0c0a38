"""The light stage: corrects exposure, contrast, colour and noise of a frame before a look.

Stands between intake and passes. A picture in good light is not touched at all. Must not know looks or
prompts.
"""

from __future__ import annotations

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.light.auto_exposure import AutoExposure
from overpaint.engine.light.exposure import NEUTRAL
from overpaint.engine.light.relighting import Relighting
from overpaint.engine.planes import Plane


class LightStage:
    """The light stage of one canvas.

    Args:
        canvas: The canvas that frames are taken to.
        bands: Thread pool for kernels.
        control: The automatic exposure of the canvas's stream.

    Attributes:
        control: As given.
    """

    def __init__(self, canvas: Canvas, bands: Bands, control: AutoExposure) -> None:
        self.control = control
        self._relighting = Relighting(canvas, bands)

    def apply(self, canvas: Canvas, frame: Plane) -> bool:
        """Corrects the frame that a canvas was begun with.

        Args:
            canvas: The canvas, as the intake has filled it.
            frame: The luma of the frame itself, uint8 (height, width).

        Returns:
            Whether anything was changed.
        """
        exposure = self.control.follow(canvas, frame)
        if exposure is NEUTRAL:
            return False
        self._relighting.apply(canvas, exposure, self.control.noise)
        return True
