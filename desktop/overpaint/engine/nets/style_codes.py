"""Style codes: the vectors by which the net for arbitrary style transfer knows a style, read from pictures.

``resources/models`` holds the two nets (see its README for shapes), ``resources/styles`` the styles that
ship: one file each, written by ``training/``. Must not know frames, looks or prompts.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.assets import asset_dir
from overpaint.engine.nets.runtime import Net, open_net
from overpaint.errors import OverpaintError

Floats = NDArray[np.float32]

REFERENCE_SIDE = 256
"""Side of the reduced picture from which a style is read, pixels."""


@dataclass(slots=True)
class Stylist:
    """The style-transfer net, with its temporal memory of one stream.

    Attributes:
        net: The opened net.
        memory: float32 (1, codes), statistics of the former frames, which keep exposure and palette from
            jumping when something enters the picture; None before the first frame.
    """

    net: Net
    memory: Floats | None = None

    def paint(self, frame: Floats, code: Floats, keep: float) -> Floats:
        """Repaints a picture.

        Args:
            frame: float32 (1, 3, H, W), RGB 0..1, both sides multiples of 8.
            code: float32 (1, codes), the style.
            keep: Weight of the remembered statistics, 0 (none) to less than 1.

        Returns:
            float32 (1, 3, H, W), RGB 0..1.
        """
        memory = self.memory
        picture, self.memory = self.net.run(
            frame=frame,
            code=code,
            strength=np.ones((1, 1), np.float32),
            memory=np.zeros_like(code) if memory is None else memory,
            keep=np.full((1, 1), 0.0 if memory is None else keep, np.float32),
        )
        return picture


def stylist(threads: int) -> Stylist:
    """A newly opened style-transfer net; each stream has its own."""
    return Stylist(open_net(asset_dir("models") / "stylist.onnx", threads))


def shipped_style(name: str) -> Floats:
    """A style that ships.

    Args:
        name: Name of its file in ``resources/styles``, without the ending.

    Returns:
        float32 (1, codes).

    Raises:
        OverpaintError: The installation is incomplete (``missing_assets``).
    """
    try:
        code = np.load(asset_dir("styles") / f"{name}.npy", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise OverpaintError("style_unreadable", style=name) from error
    return np.asarray(code, np.float32)[None]


def style_of(picture: NDArray[np.uint8]) -> Floats:
    """Reads the style of a picture.

    Args:
        picture: BGR uint8 (H, W, 3).

    Returns:
        float32 (1, codes).
    """
    side = (REFERENCE_SIDE, REFERENCE_SIDE)
    small = cv2.resize(picture, side, interpolation=cv2.INTER_AREA)[:, :, ::-1]
    planes = np.ascontiguousarray(small.transpose(2, 0, 1)[None], np.float32) / np.float32(255)
    (code,) = open_net(asset_dir("models") / "style_encoder.onnx").run(picture=planes)
    return code
