"""Trains the net that ships further, on people of our own making, whose matte is exact, beside the photos.

The teacher's masks, from which the net has learnt what people are, are coarse at hair and wrong at headphones, chairs and
bare walls; the made people are right there, but only photos look like photos. So each batch holds both, and on photos
the net must also still answer as it did. Normalisation stays folded in, as in the file. Can be stopped and started again.

Usage: see ``train_mask.sh``. Made people come from ``marched_people/crowd.py``, which may go on making some meanwhile.
"""

import argparse
import copy
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from person_mask import checkpoint
from person_mask.export import write
from person_mask.lessons import edge_weight
from person_mask.losses import imitation, likeness
from person_mask.material import Material, gather
from person_mask.measure import Student, agreement
from person_mask.net import Convolution, PersonNet
from person_mask.rooms import bare_wall, furnished
from person_mask.scenes import Painter, to_yuv
from person_mask.teacher import COLUMNS, ROWS, Teacher

FASTEST, DECAY = 5e-4, 1e-3
MADE, SCENES, AGAIN, KEPT = 3, 4, 11, 4000
"""Made people and other scenes of a batch that are new, scenes that were there before, and how many are kept."""

HAIR, CLOTHES = 0, 2
"""Which of the classes of made people are hair and clothes, see ``marched_people.figure.Layers``."""

ALIKE, EXACT = 1.5, 1.0
"""Weights of answering to photos as before, and of the mean absolute difference from an exact matte."""

SHARE = 0.4
"""Where the net that is written lies between the one begun with and the one trained further, in its numbers: what it
knew of photos is kept that way, and a good part of what it has learnt since (Wortsman et al. 2022)."""

KEEP_EVERY_S = 240


@dataclass(frozen=True, slots=True)
class Lesson:
    """One scene, or a batch of them.

    Attributes:
        yuv: uint8 (3, H, W).
        label: uint8 (H, W), 0..255.
        known: Whether the label is to be learnt.
        made: Whether the label is exact.
    """

    yuv: np.ndarray
    label: np.ndarray
    known: bool
    made: bool


class Crowd:
    """Made people, as ``marched_people/crowd.py`` keeps them, before photos of nobody."""

    def __init__(self, folder: Path, painter: Painter, material: Material) -> None:
        self._folder, self._painter, self._rooms = folder, painter, material.of_kind("none")
        self._chance = np.random.default_rng(11)
        self._read: set[Path] = set()
        self._rgb: list[np.ndarray] = []
        self._cover: list[np.ndarray] = []
        self._classes: list[np.ndarray] = []
        self.grow()

    def grow(self) -> None:
        """Reads the files that are new: more people may be made while the net learns."""
        for file in sorted(set(self._folder.glob("*.npz")) - self._read):
            with np.load(file) as part:
                self._rgb += list(part["rgb"])
                self._cover += list(part["cover"])
                self._classes += list(part["classes"])
            self._read.add(file)

    def __len__(self) -> int:
        return len(self._rgb)

    def lesson(self) -> Lesson:
        """Somebody before a room, in the room's light."""
        chance, painter = self._chance, self._painter
        index = int(chance.integers(len(self)))
        turn = slice(None, None, -1 if chance.random() < 0.5 else 1)
        rgb = self._rgb[index][:, turn].astype(np.float32) / 255
        cover = self._cover[index][:, turn, None].astype(np.float32) / 255
        classes = self._classes[index][..., turn].astype(np.float32) / 255
        alpha = np.minimum(classes.sum(0), 1)
        room = self._room(rgb, cover)
        plain = np.clip(rgb / np.maximum(cover, 1e-2), 0, 1)
        plain = painter._tint(self._dyed(plain, classes, room), 0.22)
        if chance.random() < 0.6:
            own = (plain * cover).sum((0, 1)) / max(float(cover.sum()), 1)
            share = chance.uniform(0.1, 0.7)
            plain = plain * (1 + share * (np.clip(room.mean((0, 1)) / np.maximum(own, 0.05), 0.3, 2.0) - 1))
        seen = painter._record(painter._light(np.clip(plain, 0, 1) * cover + room * (1 - cover)))
        return Lesson(to_yuv(seen), np.round(alpha * 255).astype(np.uint8), True, True)

    def _dyed(self, plain: np.ndarray, classes: np.ndarray, room: np.ndarray) -> np.ndarray:
        """Hair and clothes in other colours: black, any, or the room's, as a dark sleeve before a dark seat."""
        chance = self._chance
        for kind in (HAIR, CLOTHES):
            draw = chance.random()
            share = np.minimum(classes[kind], 1)[..., None]
            if draw > 0.55 or share.sum() < 50:
                continue
            own = (plain * share).sum((0, 1)) / share.sum()
            if draw < 0.2:
                wanted = np.full(3, chance.uniform(0.01, 0.12))
            elif draw < 0.38:
                wanted = room.mean((0, 1)) * chance.uniform(0.6, 1.2, 3)
            else:
                wanted = own * chance.uniform(0.3, 1.8, 3)
            dyed = np.clip(plain * np.clip(wanted / np.maximum(own, 0.02), 0.05, 6), 0, 1)
            plain = plain + (dyed - plain) * share
        return plain.astype(np.float32)

    def _room(self, rgb: np.ndarray, cover: np.ndarray) -> np.ndarray:
        chance, painter = self._chance, self._painter
        kind = chance.random()
        if kind < 0.22:
            return bare_wall(chance, rgb, cover[..., 0], COLUMNS, ROWS)
        if kind < 0.5:
            return furnished(chance, COLUMNS, ROWS)
        room = painter.photographed(self._rooms, COLUMNS, ROWS)
        return room if kind < 0.8 else room * np.float32(chance.uniform(0.1, 0.6))


class Lessons:
    """Batches without end."""

    def __init__(self, crowd: Crowd, painter: Painter) -> None:
        self._crowd, self._painter = crowd, painter
        self._chance = np.random.default_rng(5)
        self._kept: list[Lesson] = []

    def next(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Pictures, labels, weights, which labels are known, which are exact."""
        new = [self._crowd.lesson() for _ in range(MADE)] + [self._scene() for _ in range(SCENES)]
        again = [self._kept[int(i)] for i in self._chance.integers(0, len(self._kept), AGAIN)] if self._kept else new
        for lesson in new:
            if len(self._kept) < KEPT:
                self._kept.append(lesson)
            else:
                self._kept[int(self._chance.integers(KEPT))] = lesson
        batch = [*new, *again][: MADE + SCENES + AGAIN]
        while len(batch) < MADE + SCENES + AGAIN:
            batch.append(batch[len(batch) % len(new)])
        labels = np.stack([lesson.label for lesson in batch])
        weights = np.stack([edge_weight(label.astype(np.float32) / 255) for label in labels])
        return (
            torch.from_numpy(np.stack([lesson.yuv for lesson in batch])),
            torch.from_numpy(labels).float() / 255,
            torch.from_numpy(weights).float(),
            torch.tensor([float(lesson.known) for lesson in batch]),
            torch.tensor([float(lesson.made) for lesson in batch]),
        )

    def _scene(self) -> Lesson:
        scene = self._painter.scene(COLUMNS, ROWS)
        label = np.zeros((ROWS, COLUMNS), np.float32) if scene.label is None else scene.label
        return Lesson(to_yuv(scene.rgb), np.round(label * 255).astype(np.uint8), scene.label is not None, False)


def load(file: Path) -> PersonNet:
    """The net of a file that ``export.write`` wrote, normalisation folded in."""
    net = PersonNet(answers=1)
    for module in net.modules():
        if isinstance(module, Convolution):
            old = module[0]
            module[0] = nn.Conv2d(
                old.in_channels, old.out_channels, old.kernel_size, old.stride, old.padding, old.dilation
            )
            module[1] = nn.Identity()
    stored = {
        weight.name.removeprefix("net.").removesuffix(".half"): numpy_helper.to_array(weight).astype(np.float32)
        for weight in onnx.load(str(file)).graph.initializer
        if weight.name.startswith("net.")
    }
    net.load_state_dict({name: torch.from_numpy(values.copy()) for name, values in stored.items()})
    return net


def between(first: PersonNet, second: PersonNet) -> PersonNet:
    """The net at ``SHARE`` of the way from one to another."""
    found = copy.deepcopy(first)
    with torch.no_grad():
        for mine, new in zip(found.parameters(), second.parameters(), strict=True):
            mine.lerp_(new, SHARE)
    return found


def losses(
    net: nn.Module, before: nn.Module, yuv: Tensor, label: Tensor, weight: Tensor, known: Tensor, made: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Distance from labels, from exact mattes, and from the answers of before to what is not made."""
    x = ((yuv.float() - 128) * (1 / 64)).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        answer = net(x)[:, 0]
        with torch.no_grad():
            wanted = before(x)[:, 0]
    answer, wanted = answer.float(), wanted.float()
    away = (torch.sigmoid(answer) - label).abs()
    exact = ((away * weight).mean((1, 2)) * made).sum() / (made.sum() + 1e-3)
    # Where a picture is of made people, the answer is compared with itself: that counts nothing.
    alike = imitation(answer, torch.where(made[:, None, None] > 0.5, answer.detach(), wanted))
    return likeness(answer, label, weight, known), exact, alike


def train(minutes: float, crowd: Crowd, material: Material, start: Path, state: Path, out: Path) -> None:
    """Trains until the time is over, and writes the averaged net at times and at the end."""
    torch.manual_seed(3)
    net = load(start).to(memory_format=torch.channels_last)
    before = copy.deepcopy(net).eval()
    steadied = copy.deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), FASTEST, weight_decay=DECAY, fused=True)
    parts = {"net": net, "steadied": steadied, "optimiser": optimiser}
    spent_s, steps = 0.0, 0
    if state.exists():
        spent_s, steps = checkpoint.load(state, parts)
    lessons = Lessons(crowd, Painter(material, seed=100 + steps))
    judged = torch.compile(losses) if shutil.which("c++") else losses
    sums, since, saved_s = np.zeros(3), 0, spent_s
    while spent_s < minutes * 60:
        began = time.perf_counter()
        share = spent_s / (minutes * 60)
        rate = FASTEST * min(1, share / 0.03 + 0.1) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        for group in optimiser.param_groups:
            group["lr"] = float(rate)
        found = judged(net, before, *lessons.next())
        loss = found[0] + EXACT * found[1] + ALIKE * found[2]
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        steps, since = steps + 1, since + 1
        keep = min(0.998, 1 - 10 / (10 + steps))
        with torch.no_grad():
            for mine, new in zip(steadied.parameters(), net.parameters(), strict=True):
                mine.lerp_(new, 1 - keep)
        sums += [float(value.detach()) for value in found]
        spent_s += time.perf_counter() - began
        if spent_s - saved_s > KEEP_EVERY_S or spent_s >= minutes * 60:
            said = " ".join(f"{name} {value / since:.4f}" for name, value in zip(("label", "exact", "alike"), sums))
            print(f"{spent_s / 60:5.1f} min, {steps} steps: {said}", flush=True)
            sums, since, saved_s = np.zeros(3), 0, spent_s
            crowd.grow()
            checkpoint.save(state, parts, spent_s, steps)
            write(between(before, steadied), out)
            print("            held out:", agreement(Student(out), material), flush=True)


def main() -> None:
    """Reads the command line and trains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="folder of training photos, NNNN.jpg")
    parser.add_argument("--teacher", type=Path, required=True, help="folder of selfie_landscape.onnx and selfie.onnx")
    parser.add_argument("--crowd", type=Path, required=True, help="folder of made people")
    parser.add_argument("--start", type=Path, required=True, help="the net to begin with")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--work", type=Path, default=Path(__file__).parent / "work")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    material = gather(options.photos, Teacher(options.teacher), options.work)
    painter = Painter(material, seed=50)
    crowd = Crowd(options.crowd, painter, material)
    print(f"{len(crowd)} made people; before: {agreement(Student(options.start), material)}", flush=True)
    train(options.minutes, crowd, material, options.start, options.work / "refined.pt", options.out)


if __name__ == "__main__":
    main()
