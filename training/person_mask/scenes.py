"""Pictures to learn from: people put into other rooms, photos as they are, and pictures of nobody.

Everything that a webcam does to a picture is done to them: light from a side, wrong white, noise, motion, compression.
Knows photos and cut-outs, no net.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from person_mask.material import Cutout, Material, Photo
from person_mask.rooms import furnished
from person_mask.wardrobe import Wardrobe

KINDS = ("call", "placed", "person", "unclear", "nobody", "thing")
SHARES = (0.36, 0.16, 0.14, 0.08, 0.18, 0.08)
"""How often each kind of scene comes: someone before a webcam, people anywhere in rooms, photos of people, unclear
photos, photos of nobody, things put into rooms."""

FURNISHED = 0.35
"""How often a room is made up instead of cut from a photo."""

NOISE = 1024
"""Side of the square of noise that all pictures take theirs from, at random places."""

FROM_RGB = np.array([[0.299, 0.587, 0.114], [-0.14822, -0.29099, 0.43922], [0.43922, -0.36779, -0.07143]], np.float32)
"""BT.601: luma in full range, chroma in the limited range of I420, as the engine's canvas has them."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture to learn from.

    Attributes:
        rgb: uint8 (H, W, 3).
        label: float32 (H, W), 1 where a person is; None where nobody can say.
    """

    rgb: np.ndarray
    label: np.ndarray | None


def to_yuv(rgb: np.ndarray) -> np.ndarray:
    """What the net takes: uint8 (3, H, W), full-range luma and limited-range chroma, of RGB uint8 (H, W, 3)."""
    yuv = rgb.reshape(-1, 3).astype(np.float32) @ FROM_RGB.T + np.array([0, 128, 128], np.float32)
    planes = np.clip(np.round(yuv), 0, 255).astype(np.uint8).T
    return np.ascontiguousarray(planes).reshape(3, *rgb.shape[:2])


class Painter:
    """Makes scenes without end.

    Args:
        material: What they are made of.
        seed: The same seed gives the same scenes.
    """

    def __init__(self, material: Material, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        self._material = material
        fine = self._chance.standard_normal((NOISE, NOISE, 3), np.float32)
        self._noises = (fine, cv2.blur(fine, (2, 2)) * np.float32(1.6))
        self._photos = {kind: material.of_kind(kind) for kind in ("clear", "unclear", "none")}
        self._upright = [cutout for cutout in material.people if cutout.upright]
        self._wardrobe = Wardrobe(self._photos["none"], self._chance)

    def scene(self, width: int, height: int) -> Scene:
        """One scene of a size in pixels."""
        return self.scene_of(str(self._chance.choice(KINDS, p=SHARES)), width, height)

    def scene_of(self, kind: str, width: int, height: int) -> Scene:
        """One scene of one of ``KINDS``."""
        if kind in ("call", "placed", "thing"):
            rgb, label = self._compose(kind, width, height)
        else:
            photos = self._photos[{"person": "clear", "unclear": "unclear", "nobody": "none"}[kind]]
            rgb, label = self._crop(self._pick(photos), width, height)
            rgb = self._tint(rgb, 0.12) if self._happens(0.6) else rgb
        rgb = self._light(rgb)
        return Scene(self._record(rgb), None if label is None else np.clip(label, 0, 1))

    def _compose(self, kind: str, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
        if self._happens(FURNISHED):
            rgb = furnished(self._chance, width, height)
        else:
            rgb, _ = self._crop(self._pick(self._photos["none"]), width, height)
        rgb = self._tint(rgb, 0.2)
        if self._happens(0.4):
            rgb = cv2.GaussianBlur(rgb, (0, 0), self._between(0.4, 4))
        elif self._happens(0.12):
            # A bare wall: hardly more than the light on it.
            bare = cv2.resize(rgb, (4, 3), interpolation=cv2.INTER_AREA)
            rgb = cv2.resize(bare, (width, height), interpolation=cv2.INTER_CUBIC)
        label = np.zeros((height, width), np.float32)
        if kind == "thing" or self._happens(0.25):
            for _ in range(1 + self._happens(0.3)):
                rgb, _ = self._put(rgb, self._pick(self._material.things), "thing")
        if kind != "thing":
            people = self._upright if kind == "call" else self._material.people
            for _ in range(1 + self._happens(0.06 if kind == "call" else 0.15)):
                rgb, alpha = self._put(rgb, self._pick(people), kind)
                label = label + alpha * (1 - label)
        return rgb, label

    def _put(self, rgb: np.ndarray, cutout: Cutout, kind: str) -> tuple[np.ndarray, np.ndarray]:
        """Lays a cut-out over a picture, as near and as far as people sit before webcams."""
        rows, columns = rgb.shape[:2]
        turn = np.deg2rad(self._between(-7, 7))
        before = self._before_camera if kind == "call" else self._anywhere
        matrix = before(cutout, rows, columns, turn, kind != "thing")
        piece = cutout.rgba
        scale = float(np.hypot(matrix[0, 0], matrix[0, 1]))
        while scale < 0.55:
            piece = cv2.resize(piece, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            matrix[:, :2] *= 2
            scale *= 2
        if kind != "thing":
            piece = self._wardrobe.bend(piece) if self._happens(0.6) else piece
            piece = self._wardrobe.dress(piece) if self._happens(0.45) else piece
        border = cv2.BORDER_CONSTANT
        if kind == "call":
            piece = cv2.copyMakeBorder(piece, 0, piece.shape[0] // 2, 0, 0, cv2.BORDER_REPLICATE)
        elif any(cutout.borders):
            piece, border = self._open(piece, cutout.borders), cv2.BORDER_REPLICATE
        laid = cv2.warpAffine(piece, matrix, (columns, rows), flags=cv2.INTER_LINEAR, borderMode=border)
        alpha = laid[..., 3].astype(np.float32) / 255
        if alpha.max() < 0.5:
            return rgb, np.zeros((rows, columns), np.float32)
        plain = laid[..., :3].astype(np.float32) / 255 / np.maximum(alpha, 1e-3)[..., None]
        plain = self._tint(np.clip(plain, 0, 1), 0.22)
        plain = self._wardrobe.light(plain) if self._happens(0.3) else plain
        if self._happens(0.5):
            # Someone in a room takes on its light.
            room, own = rgb.mean((0, 1)), (plain * alpha[..., None]).sum((0, 1)) / alpha.sum()
            plain = plain * (1 + self._between(0.1, 0.6) * (np.clip(room / np.maximum(own, 0.05), 0.4, 2.0) - 1))
        share = alpha[..., None]
        return rgb * (1 - share) + np.clip(plain, 0, 1) * share, alpha

    def _before_camera(self, cutout: Cutout, rows: int, columns: int, turn: float, _: bool) -> np.ndarray:
        """Head and shoulders about the middle, the body running out at the bottom."""
        height, width = cutout.rgba.shape[:2]
        y = self._between(-0.04, 0.38) * rows
        low, high = (1.6, 3.6) if height > 1.9 * width else (0.7, 1.6)
        scale = max(rows * self._between(low, high), 1.03 * (rows - y)) / height
        stretch = self._between(0.88, 1.14)
        x = columns * (self._between(0.36, 0.64) if self._happens(0.8) else self._between(0.15, 0.85))
        left, _, right, _ = cutout.borders
        if left != right and self._happens(0.6):
            # Whoever is cut off at one side sits at that side of the picture.
            stretch = -stretch if self._happens(0.5) else stretch
            half = 0.47 * width * scale * abs(stretch)
            x = half if left == (stretch > 0) else columns - half
        return self._matrix(cutout, scale, stretch, turn, (x, y + height * scale / 2))

    def _anywhere(self, cutout: Cutout, rows: int, columns: int, turn: float, upright: bool) -> np.ndarray:
        height, width = cutout.rgba.shape[:2]
        left, top, right, bottom = cutout.borders
        tall = height > 1.9 * width
        low, high = (1.2, 3.0) if tall and upright else (0.6, 1.35) if upright else (0.2, 0.8)
        scale = rows * self._between(low, high) / height
        if left and right:
            scale = max(scale, 1.05 * columns / width)
        if top and bottom:
            scale = max(scale, 1.05 * rows / height)
        w, h = width * scale, height * scale
        x = self._between(-0.25 * w, columns - 0.75 * w)
        if upright and self._happens(0.65):
            # Most people sit in the middle.
            x = columns * self._between(0.35, 0.65) - w / 2
        y = self._between(-0.06, 0.42) * rows if upright else self._between(-0.2 * h, rows - 0.8 * h)
        if bottom:
            y = max(y, rows - h * self._between(0.75, 0.99))
        elif upright and self._happens(0.7):
            y = max(y, rows - h + self._between(0, 0.3) * h)
        if top:
            y = min(y, 0)
        if left:
            x = self._between(-0.2, -0.02) * w
        if right:
            x = columns - w * (1 if left else self._between(0.8, 0.98))
        if left != right and self._happens(0.5):
            return self._matrix(cutout, scale, -1, turn, (columns - x - w / 2, y + h / 2))
        return self._matrix(cutout, scale, 1, turn, (x + w / 2, y + h / 2))

    def _matrix(
        self, cutout: Cutout, scale: float, stretch: float, turn: float, middle: tuple[float, float]
    ) -> np.ndarray:
        """Affine map (2, 3) that lays a cut-out's middle there; one cut off at neither side is mirrored at will."""
        height, width = cutout.rgba.shape[:2]
        if cutout.borders[0] == cutout.borders[2] and self._happens(0.5):
            stretch = -stretch
        across, down = np.cos(turn) * scale, np.sin(turn) * scale
        matrix = np.array([[across * stretch, -down, 0], [down * stretch, across, 0]], np.float32)
        matrix[:, 2] = np.array(middle, np.float32) - matrix[:, :2] @ np.array([width / 2, height / 2], np.float32)
        return matrix

    @staticmethod
    def _open(piece: np.ndarray, borders: tuple[bool, bool, bool, bool]) -> np.ndarray:
        """Ends a piece in nothing on the sides where it is whole, so that only cut-off sides are continued."""
        left, top, right, bottom = (0 if cut_off else 1 for cut_off in borders)
        return cv2.copyMakeBorder(piece, top, bottom, left, right, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))

    def photographed(self, rooms: list[Photo], width: int, height: int) -> np.ndarray:
        """A part of one of these photos, tinted, sometimes out of focus; float32 (height, width, 3), RGB, 0..1."""
        room, _ = self._crop(self._pick(rooms), width, height)
        room = self._tint(room, 0.2)
        if self._happens(0.4):
            room = cv2.GaussianBlur(room, (0, 0), self._between(0.4, 4))
        return room

    def _crop(self, photo: Photo, width: int, height: int) -> tuple[np.ndarray, np.ndarray | None]:
        """A part of a photo with its label; somewhere that shows someone, if there is anyone."""
        rows, columns = photo.rgb.shape[:2]
        largest = min(columns / width, rows / height)
        scale = largest * self._between(0.55, 1) if self._happens(0.7) else largest
        w, h = max(8, int(width * scale)), max(8, int(height * scale))
        x, y = int(self._chance.integers(0, columns - w + 1)), int(self._chance.integers(0, rows - h + 1))
        if photo.people == "clear":
            for _ in range(4):
                if (photo.mask[y : y + h, x : x + w] > 127).mean() > 0.04:
                    break
                x, y = (
                    int(self._chance.integers(0, columns - w + 1)),
                    int(self._chance.integers(0, rows - h + 1)),
                )
        part = (slice(y, y + h), slice(x, x + w))
        how = cv2.INTER_AREA if scale > 1 else cv2.INTER_LINEAR
        rgb = cv2.resize(photo.rgb[part], (width, height), interpolation=how).astype(np.float32) * (1 / 255)
        label = photo.label
        if label is not None:
            label = cv2.resize(label[part], (width, height), interpolation=how).astype(np.float32) * (1 / 255)
        if self._happens(0.5):
            rgb = np.ascontiguousarray(rgb[:, ::-1])
            label = None if label is None else np.ascontiguousarray(label[:, ::-1])
        return rgb, label

    def _tint(self, rgb: np.ndarray, amount: float) -> np.ndarray:
        """Another exposure, white balance and colourfulness."""
        spread = self._chance.uniform(-1, 1, 6).astype(np.float32) * amount
        colourful = 1 + 2 * spread[4]
        gain = (1 + spread[:3] * 0.6) * (1 + 1.4 * spread[3])
        # Colours around grey, then each channel's gain, as one matrix.
        grey = np.full((3, 3), 1 / 3, np.float32)
        matrix = (grey + colourful * (np.eye(3, dtype=np.float32) - grey)) * gain[:, None]
        tinted = np.clip(cv2.transform(np.ascontiguousarray(rgb), matrix), 0, 1)
        # A bend that lifts or lowers the middle tones, as another exposure does.
        return tinted + tinted * (1 - tinted) * np.float32(1.2 * spread[5])

    def _light(self, rgb: np.ndarray) -> np.ndarray:
        """Light from a side, a dim or an overexposed room."""
        rows, columns = rgb.shape[:2]
        if self._happens(0.4):
            angle, depth = self._between(0, 2 * np.pi), self._between(0, 0.5)
            across = np.linspace(-1, 1, columns, dtype=np.float32)[None] * np.cos(angle)
            down = np.linspace(-1, 1, rows, dtype=np.float32)[:, None] * np.sin(angle)
            rgb = rgb * (1 + np.float32(depth) * (across + down).astype(np.float32))[..., None]
        if self._happens(0.3):
            rgb = rgb * self._between(0.35, 1.5)
        return np.clip(rgb, 0, 1)

    def _record(self, rgb: np.ndarray) -> np.ndarray:
        """What a cheap camera and a compressed stream leave of it."""
        if self._happens(0.12):
            length = int(self._chance.integers(3, 10))
            kernel = np.zeros((length, length), np.float32)
            cv2.line(kernel, (0, int(self._chance.integers(0, length))), (length - 1, length // 2), 1)
            rgb = cv2.filter2D(rgb, -1, kernel / kernel.sum())
        elif self._happens(0.3):
            rgb = cv2.GaussianBlur(rgb, (0, 0), self._between(0.3, 1.3))
        if self._happens(0.45):
            noises = self._noises[int(self._happens(0.4))]
            top, left = (int(place) for place in self._chance.integers(0, NOISE - 256, 2))
            part = noises[top : top + rgb.shape[0], left : left + rgb.shape[1]]
            rgb = rgb + part * np.float32(self._between(0.004, 0.045))
        out = np.clip(rgb * 255 + 0.5, 0, 255).astype(np.uint8)
        if self._happens(0.25):
            _, coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(self._between(25, 90))])
            out = cv2.imdecode(coded, cv2.IMREAD_COLOR_BGR)
        return np.ascontiguousarray(out)

    def _pick(self, things: list[Any]) -> Any:
        return things[int(self._chance.integers(len(things)))]

    def _happens(self, share: float) -> bool:
        return bool(self._chance.random() < share)

    def _between(self, low: float, high: float) -> float:
        return low + (high - low) * float(self._chance.random())
