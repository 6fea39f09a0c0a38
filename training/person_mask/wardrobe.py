"""Other people out of the same ones: other builds, other clothes, other light on them.

Some sixty cut-outs are soon known by heart, each with its sleeves and collar. Knows cut-outs and photos, no scene.
"""

import cv2
import numpy as np

from person_mask.material import Photo

BENT = 0.07
"""How far a place of a cut-out may move, by its size."""

HEAD = (0.28, 0.6)
"""Where clothes may begin, from the top of a cut-out by its height, or by its width where it is narrow."""


class Wardrobe:
    """Changes cut-outs at random.

    Args:
        photos: Clothes are made of them.
        chance: Where chance comes from.
    """

    def __init__(self, photos: list[Photo], chance: np.random.Generator) -> None:
        self._photos, self._chance = photos, chance

    def bend(self, rgba: np.ndarray) -> np.ndarray:
        """Another build and posture, the borders staying where they are.

        Args:
            rgba: uint8 (H, W, 4), colours multiplied by alpha.

        Returns:
            The same.
        """
        rows, columns = rgba.shape[:2]
        moves = self._chance.uniform(-1, 1, (2, 4, 4)).astype(np.float32) * BENT * min(rows, columns)
        still = np.sin(np.linspace(0, np.pi, rows, dtype=np.float32))[:, None]
        still = still * np.sin(np.linspace(0, np.pi, columns, dtype=np.float32))[None]
        x = np.arange(columns, dtype=np.float32)[None] + still * cv2.resize(moves[0], (columns, rows))
        y = np.arange(rows, dtype=np.float32)[:, None] + still * cv2.resize(moves[1], (columns, rows))
        return cv2.remap(rgba, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

    def dress(self, rgba: np.ndarray) -> np.ndarray:
        """Other clothes below the head: cloth of a plain colour or of what is on a photo, in the old one's folds."""
        rows, columns = rgba.shape[:2]
        line = self._chance.uniform(*HEAD) * min(rows, columns)
        slope = np.abs(np.linspace(-1, 1, columns, dtype=np.float32)) * self._chance.uniform(-0.1, 0.15) * rows
        down = np.arange(rows, dtype=np.float32)[:, None] - line - slope[None]
        share = np.clip(down / max(2, 0.03 * rows) + 0.5, 0, 1)[..., None]
        colour = rgba[..., :3].astype(np.float32)
        alpha = rgba[..., 3:].astype(np.float32) * np.float32(1 / 255)
        grey = colour.mean(-1, keepdims=True)
        lit = float(grey.sum() / max(1.0, alpha.sum()))
        folds = self._chance.uniform(0.2, 1.0)
        shade = alpha * np.float32(1 - folds) + grey * np.float32(folds / max(20.0, lit))
        cloth = np.minimum(self._cloth(rows, columns) * shade, 255 * alpha)
        out = rgba.copy()
        out[..., :3] = colour + share * (cloth - colour)
        return out

    def _cloth(self, rows: int, columns: int) -> np.ndarray:
        plain = self._chance.uniform(8, 250, 3).astype(np.float32)
        if self._chance.random() < 0.35:
            plain = plain.mean() + 0.2 * (plain - plain.mean())
        if self._chance.random() < 0.45:
            return np.broadcast_to(plain, (rows, columns, 3))
        rgb = self._photos[int(self._chance.integers(len(self._photos)))].rgb
        side = int(self._chance.integers(24, min(rgb.shape[:2])))
        top, left = (int(self._chance.integers(0, length - side + 1)) for length in rgb.shape[:2])
        part = cv2.resize(rgb[top : top + side, left : left + side], (columns, rows)).astype(np.float32)
        if self._chance.random() < 0.5:
            # Its pattern in one colour.
            part = part.mean(-1, keepdims=True) * (plain / 128)
        return part

    def light(self, plain: np.ndarray) -> np.ndarray:
        """Light from one side.

        Args:
            plain: float32 (H, W, 3), 0..1, not multiplied by alpha.
        """
        rows, columns = plain.shape[:2]
        angle, depth = self._chance.uniform(0, 2 * np.pi), self._chance.uniform(0.2, 0.7)
        across = np.linspace(-1, 1, columns, dtype=np.float32)[None] * np.float32(np.cos(angle))
        down = np.linspace(-1, 1, rows, dtype=np.float32)[:, None] * np.float32(np.sin(angle))
        return plain * (1 + np.float32(depth) * (across + down))[..., None]
