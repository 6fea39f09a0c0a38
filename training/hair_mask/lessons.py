"""What the hair net learns from: made heads before photos of nobody, and photos whose hair was outlined by eye.

Cut out around the face as the engine does it, only less exactly; hair in any colour, in any light, with noise, blur and
compression. Knows no training.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from hair_mask.net import ABOVE, ACROSS, SIDE
from person_mask.material import Material, Photo
from person_mask.rooms import bare_wall, furnished
from person_mask.scenes import Painter, to_yuv

Floats = np.ndarray

HAIR, CLOTHES = 0, 2
"""Which of the classes of made people are hair and clothes, see ``marched_people.figure.Layers``."""

WHITE, BRIGHTEST, MOST_GAIN = 150.0, 0.98, 5.0
"""As in ``overpaint.engine.people.hair``: a dark crop is raised to that level."""

SEEN = 256 * 144
"""Pixels of the picture that the person net sees."""

BELOW = 60
"""Rows by which a made body is drawn out below its picture."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One crop.

    Attributes:
        planes: uint8 (4, SIDE, SIDE), luma, chroma, person mask.
        label: uint8 (SIDE, SIDE), share of hair of what is there of a person, 0..255.
        weight: uint8 (SIDE, SIDE), how much the label counts, 0..255.
    """

    planes: np.ndarray
    label: np.ndarray
    weight: np.ndarray


@dataclass(frozen=True, slots=True)
class Head:
    """A head in a picture, before it is cut out.

    Attributes:
        rgb: float32 (H, W, 3), 0..1, without what is behind.
        layers: float32 (H, W, 4): cover of people and their chairs, matte, hair, clothes.
        known: float32 (H, W), 0 where nobody can say.
        face: Column, row, radius.
    """

    rgb: Floats
    layers: Floats
    known: Floats
    face: tuple[float, float, float]


def rooms_of(photos: Path) -> Material:
    """Photos of nobody, which need no teacher."""
    lists = tomllib.loads((Path(__file__).parents[1] / "person_mask" / "people.toml").read_text("utf-8"))
    someone = {*lists["clear"], *lists["unclear"]}
    found = []
    for file in sorted(photos.glob("*.jpg")):
        if int(file.stem) not in someone:
            rgb = cv2.cvtColor(cv2.imread(str(file)), cv2.COLOR_BGR2RGB)
            found.append(Photo(int(file.stem), rgb, np.zeros(rgb.shape[:2], np.uint8), "none"))
    return Material(found, [], [], [], frozenset())


class MadeHeads:
    """Heads as ``made_heads`` keeps them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: set[Path] = set()
        self._heads: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []
        self.grow()

    def grow(self) -> None:
        """Reads the files that are new: more heads may be made while the net learns."""
        for file in sorted(set(self._folder.glob("*.npz")) - self._read):
            with np.load(file) as part:
                self._heads += zip(part["rgb"], part["cover"], part["classes"], part["faces"], strict=True)
            self._read.add(file)

    def __len__(self) -> int:
        return len(self._heads)

    def head(self, index: int) -> Head:
        """One of them."""
        rgb, cover, classes, face = self._heads[index]
        shares = classes.astype(np.float32) / 255
        matte = np.minimum(shares.sum(0), 1)
        covered = np.maximum(cover.astype(np.float32) / 255, 1e-2)
        plain = np.clip(rgb.astype(np.float32) / 255 / covered[..., None], 0, 1)
        layers = np.stack([covered * (cover > 0), matte, shares[HAIR], shares[CLOTHES]], -1)
        plain, layers = (cv2.copyMakeBorder(plane, 0, BELOW, 0, 0, cv2.BORDER_REPLICATE) for plane in (plain, layers))
        x, y, radius = (float(value) for value in face)
        return Head(plain, layers, np.ones(plain.shape[:2], np.float32), (x, y, radius))


class OutlinedHeads:
    """Heads in photos, see ``heads.toml``."""

    def __init__(self, photos: Path, person_net: Path) -> None:
        net = onnxruntime.InferenceSession(str(person_net), providers=["CPUExecutionProvider"])
        outlines = tomllib.loads((Path(__file__).parent / "heads.toml").read_text("utf-8"))["photos"]
        self._heads: list[Head] = []
        for entry in outlines:
            rgb = cv2.cvtColor(cv2.imread(str(photos / f"{entry['number']:04}.jpg")), cv2.COLOR_BGR2RGB)
            matte = _matte(net, rgb)
            hair = _filled(rgb.shape[:2], entry["hair"], entry.get("not_hair", []))
            # What is outlined is a person, whatever the person net says.
            matte = np.maximum(matte, hair)
            layers = np.stack([matte, matte, hair, np.zeros_like(hair)], -1)
            known = 1 - _filled(rgb.shape[:2], entry.get("unknown", []), [])
            for x, y, radius in entry["faces"]:
                self._heads.append(_shrunk(rgb.astype(np.float32) / 255, layers, known, (x, y, radius)))

    def __len__(self) -> int:
        return len(self._heads)

    def head(self, index: int) -> Head:
        """One of them."""
        return self._heads[index]


def _matte(net: onnxruntime.InferenceSession, rgb: np.ndarray) -> Floats:
    """The person mask of a photo, float32 (H, W)."""
    rows, columns = rgb.shape[:2]
    size = [
        max(48, round(np.sqrt(SEEN * side / other) / 16) * 16) for side, other in ((columns, rows), (rows, columns))
    ]
    small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA if size[0] < columns else cv2.INTER_LINEAR)
    found = net.run(None, {"yuv": to_yuv(small)[None]})[0][0, 0]
    return np.clip(cv2.resize(found, (columns, rows), interpolation=cv2.INTER_CUBIC), 0, 1)


def _filled(shape: tuple[int, int], outlines: list, without: list) -> Floats:
    """The area of outlines, float32, soft at its edge."""
    fine = 4
    area = np.zeros((shape[0] * fine, shape[1] * fine), np.uint8)
    for polygons, level in ((outlines, 255), (without, 0)):
        for polygon in polygons:
            cv2.fillPoly(area, [np.round((np.array(polygon) + 0.5) * fine).astype(np.int32)], level)
    return cv2.resize(area, shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _shrunk(rgb: Floats, layers: Floats, known: Floats, face: tuple[float, float, float]) -> Head:
    """A head whose radius is about that in a crop."""
    wanted = SIDE / ACROSS * 1.3
    scale = min(1.0, wanted / face[2])
    planes = [
        cv2.resize(plane, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) for plane in (rgb, layers, known)
    ]
    return Head(*planes, (face[0] * scale, face[1] * scale, face[2] * scale))


class Cutter:
    """Cuts heads out and makes lessons of them, without end.

    Args:
        material: Photos of nobody.
        seed: The same seed gives the same lessons.
    """

    def __init__(self, material: Material, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        self._painter = Painter(material, seed)
        self._rooms = material.of_kind("none")

    def lesson(self, head: Head, photo: bool) -> Lesson:
        """One head; ``photo`` says that it keeps its room, mostly."""
        chance, painter = self._chance, self._painter
        rgb, layers, known = self._cut(head)
        if photo and chance.random() < 0.6:
            rgb, layers, known = self._bent(rgb, layers, known)
        cover, matte, hair, clothes = (np.ascontiguousarray(plane) for plane in np.moveaxis(layers, -1, 0))
        room = self._room(rgb, matte, hair)
        rgb = self._dyed(rgb, hair, room)
        rgb = self._dyed(rgb, clothes, room)
        rgb = painter._tint(rgb, 0.22)
        if not photo or chance.random() < 0.3:
            own = (rgb * matte[..., None]).sum((0, 1)) / max(float(matte.sum()), 1)
            share = chance.uniform(0, 0.7)
            lit = rgb * (1 + share * (np.clip(room.mean((0, 1)) / np.maximum(own, 0.05), 0.3, 2.0) - 1))
            rgb = np.clip(lit, 0, 1) * cover[..., None] + room * (1 - cover[..., None])
        if photo and chance.random() < 0.2:
            matte, hair = self._headphones(rgb, matte, hair)
        label = np.where(matte > 0.1, hair / np.maximum(matte, 0.1), 0)
        seen = painter._light(rgb)
        if chance.random() < 0.15:
            seen = seen * np.float32(chance.uniform(0.12, 0.5))
        return self._coded(self._coarse(seen), self._worn(matte), np.clip(label, 0, 1), (0.12 + 0.88 * matte) * known)

    def plain(self, head: Head) -> Lesson:
        """A head as exactly as it can be cut out, before a room: to measure on."""
        rgb, layers, known = self._cut(head, exact=True)
        cover, matte, hair, _ = np.moveaxis(layers, -1, 0)
        rgb = rgb * cover[..., None] + self._room(rgb, matte, hair) * (1 - cover[..., None])
        label = np.where(matte > 0.1, hair / np.maximum(matte, 0.1), 0)
        return self._coded(self._painter._record(np.clip(rgb, 0, 1)), matte, np.clip(label, 0, 1), matte * known)

    def _cut(self, head: Head, exact: bool = False) -> tuple[Floats, Floats, Floats]:
        chance = self._chance
        x, y, radius = head.face
        if exact:
            angle, across, down = 0.0, 1.0, 1.0
        else:
            angle = float(np.deg2rad(chance.normal(0, 8)))
            wide, stretch = np.exp(chance.uniform(np.log(0.8), np.log(1.4))), chance.uniform(0.92, 1.1)
            across, down = 1 / wide * stretch, 1 / wide / stretch
            across = -across if chance.random() < 0.5 else across
            # The engine finds heads by their outlines, more often too high than too low.
            x, y = x + radius * chance.normal(0, 0.18), y + radius * chance.normal(-0.1, 0.28)
        scale = SIDE / (ACROSS * radius)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        matrix = np.zeros((2, 3))
        matrix[:, :2] = scale * np.diag([across, down]) @ turn
        matrix[:, 2] = np.array([SIDE / 2, ABOVE / ACROSS * SIDE]) - matrix[:, :2] @ np.array([x, y])
        rgb, layers, known = (
            cv2.warpAffine(plane, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
            for plane in (head.rgb, head.layers, head.known)
        )
        return rgb, layers, known

    def _bent(self, rgb: Floats, layers: Floats, known: Floats) -> tuple[Floats, Floats, Floats]:
        """Another build: everything is moved a little, smoothly."""
        coarse = self._chance.normal(0, 1, (5, 5, 2)).astype(np.float32) * self._chance.uniform(0.5, 3)
        moved = cv2.resize(coarse, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
        down, across = np.mgrid[:SIDE, :SIDE].astype(np.float32)
        column, row = across + moved[..., 0], down + moved[..., 1]
        rgb, layers, known = (cv2.remap(plane, column, row, cv2.INTER_LINEAR) for plane in (rgb, layers, known))
        return rgb, layers, known

    def _room(self, rgb: Floats, matte: Floats, hair: Floats) -> Floats:
        chance, painter = self._chance, self._painter
        kind = chance.random()
        if kind < 0.25:
            return bare_wall(chance, rgb, hair if chance.random() < 0.6 else matte, SIDE, SIDE)
        if kind < 0.45:
            return furnished(chance, SIDE, SIDE)
        return painter.photographed(self._rooms, SIDE, SIDE)

    def _dyed(self, rgb: Floats, part: Floats, room: Floats) -> Floats:
        """Hair or clothes in another colour: black, grey, blonde, any, or the room's."""
        chance = self._chance
        draw = chance.random()
        if draw > 0.55 or part.sum() < 20:
            return rgb
        own = (rgb * part[..., None]).sum((0, 1)) / part.sum()
        if draw < 0.12:
            wanted = np.full(3, chance.uniform(0.02, 0.14))
        elif draw < 0.22:
            wanted = np.full(3, chance.uniform(0.3, 0.8)) * chance.uniform(0.95, 1.05, 3)
        elif draw < 0.3:
            wanted = np.array([0.8, 0.68, 0.48]) * chance.uniform(0.6, 1.15) * chance.uniform(0.95, 1.05, 3)
        elif draw < 0.42:
            wanted = chance.uniform(0.05, 0.85, 3)
        elif draw < 0.48:
            wanted = room.mean((0, 1)) * chance.uniform(0.7, 1.2, 3)
        else:
            wanted = own * chance.uniform(0.4, 1.7, 3)
        dyed = np.clip(rgb * np.clip(wanted / np.maximum(own, 0.02), 0.05, 6), 0, 1)
        return (rgb + (dyed - rgb) * np.clip(part, 0, 1)[..., None]).astype(np.float32)

    def _headphones(self, rgb: Floats, matte: Floats, hair: Floats) -> tuple[Floats, Floats]:
        """Draws headphones over a photo's head, in place, and takes them out of its hair."""
        chance = self._chance
        radius = SIDE / ACROSS
        middle = (round(SIDE / 2 + chance.normal(0, 1)), round(ABOVE / ACROSS * SIDE + chance.normal(-1, 2)))
        wide, tall = radius * chance.uniform(1.15, 1.45), radius * chance.uniform(1.5, 2.0)
        drawn = np.zeros((SIDE, SIDE), np.uint8)
        thick = max(1, round(radius * chance.uniform(0.12, 0.3)))
        cv2.ellipse(drawn, middle, (round(wide), round(tall)), chance.normal(0, 6), 190, 350, 255, thick, cv2.LINE_AA)
        for side in (-1, 1):
            cup = (round(middle[0] + side * wide), round(middle[1] + 0.1 * radius))
            size = (round(radius * chance.uniform(0.25, 0.4)), round(radius * chance.uniform(0.45, 0.65)))
            cv2.ellipse(drawn, cup, size, 0, 0, 360, 255, -1, cv2.LINE_AA)
        share = drawn.astype(np.float32)[..., None] / 255
        shade = np.linspace(1.2, 0.7, SIDE, dtype=np.float32)[:, None, None]
        colour = chance.uniform(0.02, 0.1) if chance.random() < 0.6 else chance.uniform(0, 0.9, 3)
        rgb += (np.clip(colour * shade, 0, 1) - rgb) * share
        return np.maximum(matte, share[..., 0]), hair * (1 - share[..., 0])

    def _coarse(self, rgb: Floats) -> np.ndarray:
        """As recorded, uint8; now and then as if the head were small in the picture."""
        chance = self._chance
        seen = self._painter._record(np.clip(rgb, 0, 1))
        if chance.random() < 0.35:
            side = int(chance.integers(44, 96))
            small = cv2.resize(seen, (side, side), interpolation=cv2.INTER_AREA)
            seen = cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
        return seen

    def _worn(self, matte: Floats) -> Floats:
        """A matte as the person net gives it: soft, with something missing or too much."""
        chance = self._chance
        if chance.random() < 0.7:
            matte = cv2.GaussianBlur(matte, (0, 0), chance.uniform(0.4, 2.2))
            matte = np.clip((matte - 0.5) * chance.uniform(1, 1.8) + 0.5 + chance.normal(0, 0.08), 0, 1)
        if chance.random() < 0.2:
            blot = np.zeros((SIDE, SIDE), np.float32)
            middle = tuple(int(value) for value in chance.integers(0, SIDE, 2))
            size = tuple(int(value) for value in chance.integers(4, 18, 2))
            cv2.ellipse(blot, middle, size, float(chance.uniform(0, 180)), 0, 360, 1.0, -1)
            blot = cv2.GaussianBlur(blot, (0, 0), chance.uniform(0.8, 3))
            matte = np.maximum(matte, blot) if chance.random() < 0.5 else matte * (1 - blot * chance.uniform(0.4, 1))
        return matte

    def _coded(self, seen: np.ndarray, matte: Floats, label: Floats, weight: Floats) -> Lesson:
        """As the engine cuts it out: nothing beyond the picture's border, and not too dark."""
        chance = self._chance
        planes = np.concatenate([to_yuv(seen), np.round(np.clip(matte, 0, 1) * 255).astype(np.uint8)[None]])
        inside = np.ones((SIDE, SIDE), bool)
        if chance.random() < 0.25:
            inside[: int(chance.integers(0, 30))] = False
        if chance.random() < 0.1:
            inside[:, : int(chance.integers(0, 36))] = False
        if chance.random() < 0.2:
            inside[int(chance.integers(60, SIDE)) :] = False
        for plane, nothing in zip(planes, (0, 128, 128, 0), strict=True):
            plane[~inside] = nothing
        brighten(planes)
        return Lesson(
            planes,
            np.round(label * 255).astype(np.uint8),
            np.round(np.clip(weight, 0, 1) * 255 * inside).astype(np.uint8),
        )


def brighten(planes: np.ndarray) -> None:
    """Raises a dark crop in place (gain control), as the engine does."""
    counts = np.bincount(planes[0].reshape(-1), minlength=256).cumsum()
    brightest = int(np.searchsorted(counts, BRIGHTEST * counts[-1]))
    gain = min(max(WHITE / max(brightest, 1), 1.0), MOST_GAIN)
    if gain > 1:
        for plane, middle in zip(planes, (0, 128, 128), strict=False):
            plane[:] = np.clip((plane.astype(np.float32) - middle) * gain + middle + 0.5, 0, 255)
