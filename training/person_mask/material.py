"""What the net learns from: photos, who is in them, and people cut out of them. Knows no training.

The teacher's masks are kept in a file between runs.
"""

import hashlib
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from person_mask.teacher import Teacher

HELD_OUT = 8
"""Every eighth photo of each kind is never trained on."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo and what is known of it.

    Attributes:
        number: Its file is ``NNNN.jpg``.
        rgb: uint8 (H, W, 3).
        mask: uint8 (H, W), the teacher's mask, 0..255.
        people: ``clear``, ``unclear`` or ``none``: see ``people.toml``.
    """

    number: int
    rgb: np.ndarray
    mask: np.ndarray
    people: str

    @property
    def label(self) -> np.ndarray | None:
        """What the net should answer, uint8 (H, W); None where nobody can say."""
        if self.people == "unclear":
            return None
        return self.mask if self.people == "clear" else np.zeros_like(self.mask)


@dataclass(frozen=True, slots=True)
class Cutout:
    """Somebody or something without its background.

    Attributes:
        rgba: uint8 (h, w, 4), colours multiplied by alpha.
        borders: Whether it is cut off by the photo's left, top, right, bottom border.
        upright: Whether it is someone upright who might sit before a webcam.
    """

    rgba: np.ndarray
    borders: tuple[bool, bool, bool, bool]
    upright: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """Photos for training and for measuring, and what is cut out of the former."""

    training: list[Photo]
    held_out: list[Photo]
    people: list[Cutout]
    things: list[Cutout]
    upright: frozenset[int]
    """Numbers of photos of people who might sit before a webcam."""

    def of_kind(self, people: str) -> list[Photo]:
        """Training photos by what ``people.toml`` says of them."""
        return [photo for photo in self.training if photo.people == people]


def gather(photos: Path, teacher: Teacher, kept: Path) -> Material:
    """Reads all photos of a folder and cuts out whoever and whatever the teacher sees.

    Args:
        photos: Folder of JPEG files named by number.
        teacher: Asked once for each photo.
        kept: Folder in which its answers are kept.
    """
    lists = tomllib.loads((Path(__file__).parent / "people.toml").read_text("utf-8"))
    kinds = {number: kind for kind in ("clear", "unclear") for number in lists[kind]}
    files = sorted(photos.glob("*.jpg"))
    masks = _masks(files, teacher, kept)
    found = [
        Photo(int(file.stem), _read(file), mask, kinds.get(int(file.stem), "none"))
        for file, mask in zip(files, masks, strict=True)
    ]
    training, held_out = [], []
    for kind in ("clear", "unclear", "none"):
        for place, photo in enumerate(photo for photo in found if photo.people == kind):
            (held_out if place % HELD_OUT == HELD_OUT - 1 else training).append(photo)
    return _cut_out(training, held_out, frozenset(lists["upright"]))


def unseen(material: Material) -> Material:
    """The photos that are never trained on as if they were to be trained on: unseen people in unseen rooms."""
    return _cut_out(material.held_out, [], material.upright)


def _cut_out(training: list[Photo], held_out: list[Photo], upright: frozenset[int]) -> Material:
    people = [replace(cut(photo), upright=photo.number in upright) for photo in training if photo.people == "clear"]
    things = [cut(photo) for photo in training if photo.people == "none" and _is_cut_clean(photo.mask)]
    return Material(training, held_out, people, things, upright)


def _read(file: Path) -> np.ndarray:
    return cv2.cvtColor(cv2.imread(str(file)), cv2.COLOR_BGR2RGB)


def _masks(files: list[Path], teacher: Teacher, kept: Path) -> list[np.ndarray]:
    """The teacher's masks of all files, from the last run if the files are the same."""
    stamp = hashlib.sha256(" ".join(f"{file.name}:{file.stat().st_size}" for file in files).encode()).hexdigest()
    store = kept / f"teacher-{stamp[:12]}.npz"
    if not store.exists():
        kept.mkdir(parents=True, exist_ok=True)
        judged = {file.stem: np.round(teacher.judge(_read(file)) * 255).astype(np.uint8) for file in files}
        np.savez_compressed(store, **judged)
    with np.load(store) as judged:
        return [judged[file.stem] for file in files]


def _is_cut_clean(mask: np.ndarray) -> bool:
    """Whether a mask is of one thing of some size with sure edges."""
    share = float((mask > 127).mean())
    unsure = float(((mask > 30) & (mask < 225)).mean())
    return 0.04 < share < 0.7 and unsure < 0.35 * share


def cut(photo: Photo) -> Cutout:
    """Takes what the mask covers out of a photo, without the background's colour in its soft edges.

    The colour under the edge is estimated from what is surely inside nearby (after Forte and Pitié 2021, one round).
    """
    alpha = photo.mask.astype(np.float32) / 255
    rgb = photo.rgb.astype(np.float32)
    sure = (np.clip((alpha - 0.6) / 0.4, 0, 1) + 1e-4)[..., None]
    inside = cv2.blur(rgb * sure, (9, 9)) / cv2.blur(sure, (9, 9))[..., None]
    share = alpha[..., None]
    colour = np.clip(inside + share * (rgb - inside), 0, 255)
    rgba = np.concatenate([colour * share, share * 255], -1)
    x, y, w, h = cv2.boundingRect((photo.mask > 16).astype(np.uint8))
    rgba = rgba[y : y + h, x : x + w]
    solid = rgba[..., 3] > 127
    edges = (solid[:, 0], solid[0], solid[:, -1], solid[-1])
    height, width = photo.mask.shape
    at_border = (x <= 2, y <= 2, x + w >= width - 2, y + h >= height - 2)
    borders = [near and float(edge.mean()) > 0.04 for near, edge in zip(at_border, edges, strict=True)]
    return Cutout(np.round(rgba).astype(np.uint8), (borders[0], borders[1], borders[2], borders[3]))
