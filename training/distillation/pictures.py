"""Pictures to learn from: loading, holding out, and the variety made of them. Knows no net.

Pictures are H×W×3 uint8 RGB arrays.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

Picture = np.ndarray
Random = np.random.Generator

REFERENCE_SIDE_PX = 256
HELD_OUT_PAINTINGS = ("wave_crop", "wave_kanagawa", "the_scream", "water-lilies-1919-2")
"""Works the nets never see, by file name; both waves go, since one is a painting over of the other."""
HELD_OUT_PHOTO_EVERY = 20
_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")


def load(path: Path) -> Picture:
    """Read a picture.

    Raises:
        ValueError: the file is not a picture.
    """
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{path} is not a picture that OpenCV reads.")
    return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)


def listing(folder: Path) -> list[Path]:
    """All pictures of a folder by name.

    Raises:
        ValueError: there is none.
    """
    paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in _SUFFIXES)
    if not paths:
        raise ValueError(f"There is no picture in {folder}.")
    return paths


def resized(picture: Picture, width: int, height: int) -> Picture:
    """Scale to an exact size, by areas when it becomes smaller."""
    smaller = width * height < picture.shape[0] * picture.shape[1]
    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)


@dataclass(frozen=True, slots=True)
class Gallery:
    """What training may see (photos, paintings) and what it never does (unseen_*), as paths."""

    photos: list[Path]
    paintings: list[Path]
    unseen_photos: list[Path]
    unseen_paintings: list[Path]

    @classmethod
    def of(cls, photos: Path, paintings: Path) -> "Gallery":
        """Divide two folders into seen and unseen."""
        every = listing(photos)
        works = listing(paintings)
        return cls(
            [p for k, p in enumerate(every) if k % HELD_OUT_PHOTO_EVERY],
            [p for p in works if p.stem not in HELD_OUT_PAINTINGS],
            every[::HELD_OUT_PHOTO_EVERY],
            [p for p in works if p.stem in HELD_OUT_PAINTINGS],
        )


def _square(picture: Picture, share: float, side_px: int, random: Random) -> Picture:
    """Cut a square of a share of the short side at random, mirrored half of the time, scaled to a size."""
    height, width = picture.shape[:2]
    side = max(32, round(min(height, width) * share))
    top, left = random.integers(0, height - side + 1), random.integers(0, width - side + 1)
    cut = picture[top : top + side, left : left + side]
    return resized(cut[:, ::-1] if random.random() < 0.5 else cut, side_px, side_px)


def _byte(values: np.ndarray) -> Picture:
    return np.clip(values, 0, 255).astype(np.uint8)


def content(picture: Picture, side_px: int, random: Random) -> Picture:
    """Cut a frame out of a photo as a webcam might see it: any zoom, exposure and colour of light."""
    share = random.uniform(0.45, 1.0) * side_px / REFERENCE_SIDE_PX
    cut = _square(picture, share, side_px, random).astype(np.float32)
    grey = cut.mean(2, keepdims=True)
    cut = grey + (cut - grey) * random.uniform(0.5, 1.25)
    light = random.uniform(0.7, 1.15) * random.uniform(0.92, 1.08, 3)
    if random.random() < 0.25:
        cut = cv2.GaussianBlur(cut, (0, 0), random.uniform(0.5, 1.5))
    return _byte(cut * light.astype(np.float32))


def _permuted(picture: Picture, random: Random) -> Picture:
    return picture[..., random.permutation(3)]


def _inverted(picture: Picture, _random: Random) -> Picture:
    return 255 - picture


def _turned(picture: Picture, random: Random) -> Picture:
    """Turn all hues by one angle and change the saturation."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV).astype(np.int16)
    hsv[..., 0] = (hsv[..., 0] + random.integers(0, 180)) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * random.uniform(0.2, 1.6), 0, 255)
    return cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB)


def _toned(picture: Picture, random: Random) -> Picture:
    """Change contrast and gamma, and tint darks and lights apart."""
    unit = (picture.astype(np.float32) / 255) ** random.uniform(0.5, 1.9)
    dark, light = random.uniform(-0.1, 0.25, 3), random.uniform(0.75, 1.1, 3)
    return _byte((dark + unit * (light - dark)) * 255)


_RECOLOURINGS: tuple[Callable[[Picture, Random], Picture], ...] = (
    _permuted,
    _inverted,
    _turned,
    _turned,
    _toned,
)


def _borrowed(picture: Picture, other: Picture) -> Picture:
    """Give a picture the mean and deviation of another's channels."""
    a, b = picture.astype(np.float32), other.astype(np.float32)
    scale = b.std((0, 1)) / (a.std((0, 1)) + 1)
    return _byte((a - a.mean((0, 1))) * scale + b.mean((0, 1)))


def _flat(picture: Picture, random: Random) -> Picture:
    """Reduce to few tones, smoothed: posters, woodblocks, cels."""
    smooth = cv2.medianBlur(picture, int(random.choice([3, 5, 7, 9])))
    step = 256 // int(random.integers(3, 7))
    return _byte(smooth // step * step + step // 2)


def _drawn(picture: Picture, random: Random) -> Picture:
    """Draw dark lines on paper or on the picture's own flat colours: pencil, ink, engraving."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    lines = cv2.divide(grey, cv2.GaussianBlur(grey, (0, 0), random.uniform(1, 6)), scale=250)
    ink = (lines.astype(np.float32)[..., None] / 255) ** random.uniform(1, 4)
    paper = (
        cv2.medianBlur(picture, 7)
        if random.random() < 0.5
        else random.uniform(150, 255, 3).astype(np.float32)
    )
    return _byte(ink * paper)


def _screened(picture: Picture, random: Random) -> Picture:
    """Print through a line or dot screen: halftone, hatching, woven canvas."""
    period, angle = random.uniform(3, 9), random.uniform(0, np.pi)
    rows, columns = np.mgrid[:REFERENCE_SIDE_PX, :REFERENCE_SIDE_PX]
    along = np.cos(angle) * columns + np.sin(angle) * rows
    across = np.cos(angle) * rows - np.sin(angle) * columns
    wave = np.sin(along * 2 * np.pi / period)
    if random.random() < 0.5:
        wave = wave * np.sin(across * 2 * np.pi / period)
    return _byte(picture + wave[..., None] * random.uniform(15, 90))


_MEDIA: tuple[Callable[[Picture, Random], Picture], ...] = (_flat, _drawn, _screened)


def reference(paintings: list[Picture], photos: list[Picture], random: Random) -> Picture:
    """Make one reference: a part of a painting or a photo, often recoloured or passed through a medium."""
    photo, side = photos[random.integers(len(photos))], REFERENCE_SIDE_PX
    if random.random() < 0.55:
        cut = _square(paintings[random.integers(len(paintings))], random.uniform(0.4, 1.0), side, random)
        if random.random() < 0.25:
            cut = _borrowed(cut, photo)
    else:
        cut = _square(photo, random.uniform(0.5, 1.0), side, random)
        if random.random() < 0.5:
            cut = _MEDIA[random.integers(len(_MEDIA))](cut, random)
    if random.random() < 0.5:
        cut = _RECOLOURINGS[random.integers(len(_RECOLOURINGS))](cut, random)
    return np.ascontiguousarray(cut)
