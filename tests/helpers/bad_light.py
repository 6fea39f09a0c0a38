"""Photographs of people in bad light, made from well-lit ones, and short clips whose light changes.

Rooms are darkened as a webcam shows them: gamma 1.5, a factor, sensor noise, JPEG at quality 60. The well-lit
picture stays the reference of every figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from helpers.clips import SHARED, clip_frames, person_clip, portrait
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.people.person_mask import Person

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Box = tuple[int, int, int, int]
SIZE = (960, 540)
GAMMA = 1.5


@dataclass(frozen=True)
class Scene:
    """A well-lit photograph of a person.

    Attributes:
        name: Its short name.
        bgr: uint8 (540, 960, 3).
        face: Left, top, right and lower edge of the face, from brow to chin.
    """

    name: str
    bgr: Pixels
    face: Box


def scenes() -> list[Scene]:
    """The photographs that this machine has: two everywhere, six where shared/media is there."""
    from skimage import data

    found = [
        Scene("portrait", portrait(*SIZE), (370, 120, 480, 275)),
        Scene("close", _cropped(np.asarray(data.astronaut()[..., ::-1]), 16), (390, 120, 610, 470)),
    ]
    if person_clip().is_relative_to(SHARED):
        frames = clip_frames(person_clip(), 271, SIZE)
        found += [
            Scene("window", frames[0], (490, 90, 660, 280)),
            Scene("turned", frames[140], (474, 92, 644, 282)),
            Scene("later", np.ascontiguousarray(frames[270][:, ::-1]), (320, 92, 490, 282)),
        ]
        painted = cv2.imread(str(SHARED / "reference-pearl-earring.jpg"))
        assert painted is not None
        found.append(Scene("painting", _fitted(np.asarray(painted, np.uint8)), (400, 240, 500, 390)))
    return found


def _cropped(bgr: Pixels, top: int) -> Pixels:
    return np.asarray(cv2.resize(bgr[top : top + 180, 66:386], SIZE, interpolation=cv2.INTER_CUBIC), np.uint8)


def _fitted(bgr: Pixels) -> Pixels:
    """The whole of a tall picture between its own blurred sides."""
    width, height = SIZE
    small = cv2.resize(
        bgr, (round(bgr.shape[1] * height / bgr.shape[0]), height), interpolation=cv2.INTER_AREA
    )
    room = cv2.GaussianBlur(cv2.resize(bgr, SIZE), (0, 0), 30)
    left = (width - small.shape[1]) // 2
    room[:, left : left + small.shape[1]] = small
    return np.asarray(room, np.uint8)


def dimmed(
    bgr: Pixels, factor: Floats | float, seed: int = 0, noise: float = 0.02, quality: int = 60
) -> Pixels:
    """A picture as a webcam shows it in the dark.

    Args:
        bgr: uint8 (H, W, 3).
        factor: Share of the light, of any shape that fits the picture.
        seed: Of the noise.
        noise: Standard deviation, as a share of white.
        quality: Of the JPEG.
    """
    light = (bgr.astype(np.float32) / 255) ** GAMMA * factor
    light += np.random.default_rng(seed).normal(0, noise, light.shape).astype(np.float32)
    kept, coded = cv2.imencode(
        ".jpg", np.clip(light * 255 + 0.5, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )
    assert kept
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _ramp(dark: float) -> Floats:
    """Light from the left: 1 there, ``dark`` at the right."""
    across = np.linspace(0, 1, SIZE[0], dtype=np.float32)
    share = 1 / (1 + np.exp((across - 0.5) * 14))
    return np.asarray((dark + (1 - dark) * share)[None, :, None], np.float32)


def _shadow(scene: Scene) -> Floats:
    """Share of the person at each pixel."""
    person = Person((SIZE[1] // 2, SIZE[0] // 2), Bands(1))
    planes = np.asarray(cv2.cvtColor(scene.bgr, cv2.COLOR_BGR2YUV), np.uint8)
    # OpenCV's order is Y, U, V.
    small = cv2.resize(planes, (SIZE[0] // 2, SIZE[1] // 2), interpolation=cv2.INTER_AREA)
    person.find(*(np.ascontiguousarray(small[..., plane]) for plane in range(3)))
    return np.asarray(cv2.resize(person.alpha, SIZE).astype(np.float32)[..., None] / 255, np.float32)


def _back_lit(scene: Scene) -> Pixels:
    share = _shadow(scene)
    return dimmed(scene.bgr, 0.22 * share + 1.5 * (1 - share), noise=0.012)


_TUNGSTEN, _SKY = (np.array(light, np.float32) for light in ((0.5, 0.86, 1.3), (1.3, 1.0, 0.72)))


def _mixed(scene: Scene) -> Pixels:
    side = (_ramp(0.0)) * _TUNGSTEN + (1 - _ramp(0.0)) * _SKY
    return dimmed(scene.bgr, np.asarray(side * 0.45, np.float32))


CONDITIONS: Mapping[str, Callable[[Scene], Pixels]] = MappingProxyType(
    {
        "dim": lambda scene: dimmed(scene.bgr, 0.45),
        "night": lambda scene: dimmed(scene.bgr, 0.25),
        "back-lit": _back_lit,
        "lamp left": lambda scene: dimmed(scene.bgr, _ramp(0.12), noise=0.012),
        "lamp right": lambda scene: dimmed(
            scene.bgr, np.ascontiguousarray(_ramp(0.12)[:, ::-1]), noise=0.012
        ),
        "mixed": _mixed,
        "tungsten": lambda scene: dimmed(scene.bgr, _TUNGSTEN * 0.4),
        "screen": lambda scene: dimmed(scene.bgr, _SKY * 0.3),
        "noisy": lambda scene: dimmed(scene.bgr, 0.45, noise=0.04, quality=80),
        "over-exposed": lambda scene: np.clip(scene.bgr * np.float32(1.5) + 20, 0, 255).astype(np.uint8),
    }
)
"""Kinds of bad light, by name."""


def clip(name: str, frames: int = 90) -> Iterator[Pixels]:
    """One of ``CLIPS``: successive frames at 30 a second."""
    people = clip_frames(person_clip(), frames, SIZE)
    scene = Scene("clip", people[0], scenes()[-1].face)
    still = portrait(*SIZE)
    for index, bgr in enumerate(people):
        late = index >= frames // 3
        if name == "dim":
            yield dimmed(bgr, 0.25, index)
        elif name == "noisy":
            yield dimmed(still, 0.25, index, noise=0.03, quality=80)
        elif name == "back-lit":
            share = _shadow(Scene("clip", bgr, (490, 90, 660, 280)))
            yield dimmed(bgr, 0.22 * share + 1.5 * (1 - share), index, noise=0.012)
        elif name == "mixed":
            yield _mixed(Scene("clip", bgr, scene.face))
        elif name == "lamp on":
            yield dimmed(still, 1.0 if late else 0.25, index, noise=0.008)
        elif name == "lamp off":
            yield dimmed(still, 0.25 if late else 1.0, index, noise=0.008)
        else:
            raise KeyError(name)


CLIPS = ("dim", "noisy", "back-lit", "mixed", "lamp on", "lamp off")
