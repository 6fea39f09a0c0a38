"""Trains the net that finds hair, and writes it. Can be stopped and started again.

Usage: see ``train_hair.sh``. Made heads come from ``made_heads.py``, which may go on making some meanwhile.
"""

import argparse
import copy
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from hair_mask.export import write
from hair_mask.lessons import Cutter, Lesson, MadeHeads, OutlinedHeads, rooms_of
from hair_mask.net import HairNet
from person_mask import checkpoint
from person_mask.material import Material

FASTEST, DECAY = 3e-3, 1e-3
MADE, OUTLINED, AGAIN, KEPT = 4, 4, 16, 5000
"""Lessons of a batch that are new, of both kinds, those that were there before, and how many are kept."""

OVERLAP = 0.5
"""Weight of the overlap (soft Dice) beside cross-entropy."""

KEEP_EVERY_S = 120


class Batches:
    """Batches without end."""

    def __init__(self, made: MadeHeads, outlined: OutlinedHeads, cutter: Cutter, seed: int) -> None:
        self._sources = (made, outlined)
        self._cutter = cutter
        self._chance = np.random.default_rng(seed)
        self._kept: list[Lesson] = []

    def next(self) -> tuple[Tensor, Tensor, Tensor]:
        """Planes, labels and weights."""
        new = [
            self._new(source)
            for source, count in zip(self._sources, (MADE, OUTLINED), strict=True)
            for _ in range(count)
        ]
        for lesson in new:
            if len(self._kept) < KEPT:
                self._kept.append(lesson)
            else:
                self._kept[int(self._chance.integers(KEPT))] = lesson
        batch = new + [self._kept[int(index)] for index in self._chance.integers(0, len(self._kept), AGAIN)]
        return (
            torch.from_numpy(np.stack([lesson.planes for lesson in batch])),
            torch.from_numpy(np.stack([lesson.label for lesson in batch])).float() / 255,
            torch.from_numpy(np.stack([lesson.weight for lesson in batch])).float() / 255,
        )

    def _new(self, source: MadeHeads | OutlinedHeads) -> Lesson:
        head = source.head(int(self._chance.integers(len(source))))
        return self._cutter.lesson(head, isinstance(source, OutlinedHeads))


def losses(net: nn.Module, planes: Tensor, label: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Cross-entropy, and one minus the overlap in each crop; both where the label is known."""
    x = ((planes.float() - 128) * (1 / 64)).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        answer = net(x)[:, 0]
    answer = answer.float()
    away = F.binary_cross_entropy_with_logits(answer, label, reduction="none")
    share = torch.sigmoid(answer)
    both, either = (share * label * weight).sum((1, 2)), ((share + label) * weight).sum((1, 2))
    return (away * weight).sum() / weight.sum(), 1 - ((2 * both + 40) / (either + 40)).mean()


def train(minutes: float, made: MadeHeads, outlined: OutlinedHeads, rooms: Material, state: Path, out: Path) -> None:
    """Trains until the time is over, and writes the averaged net at times and at the end."""
    torch.manual_seed(3)
    net = HairNet().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), FASTEST, weight_decay=DECAY, fused=True)
    steadied = copy.deepcopy(net)
    parts = {"net": net, "steadied": steadied, "optimiser": optimiser}
    spent_s, steps = 0.0, 0
    if state.exists():
        spent_s, steps = checkpoint.load(state, parts)
    # Another seed for a run that goes on.
    batches = Batches(made, outlined, Cutter(rooms, seed=50 + steps), seed=50 + steps)
    sums, since, saved_s = np.zeros(2), 0, spent_s
    while spent_s < minutes * 60:
        began = time.perf_counter()
        share = spent_s / (minutes * 60)
        for group in optimiser.param_groups:
            group["lr"] = float(FASTEST * min(1, share / 0.03 + 0.1) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6)
        found = losses(net, *batches.next())
        optimiser.zero_grad()
        (found[0] + OVERLAP * found[1]).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        steps, since = steps + 1, since + 1
        _follow(steadied, net, 1 - min(0.998, 1 - 10 / (10 + steps)))
        sums += [float(value.detach()) for value in found]
        spent_s += time.perf_counter() - began
        if spent_s - saved_s > KEEP_EVERY_S or spent_s >= minutes * 60:
            print(f"{spent_s / 60:5.1f} min, {steps} steps: cross-entropy {sums[0] / since:.4f}, "
                  f"overlap {1 - sums[1] / since:.4f}", flush=True)  # fmt: skip
            sums, since, saved_s = np.zeros(2), 0, spent_s
            made.grow()
            checkpoint.save(state, parts, spent_s, steps)
            write(steadied, out)


def _follow(steadied: nn.Module, net: nn.Module, share: float) -> None:
    """Moves the averaged net towards the net, its normalisation included."""
    with torch.no_grad():
        for mine, new in zip(steadied.state_dict().values(), net.state_dict().values(), strict=True):
            if mine.is_floating_point():
                mine.lerp_(new, share)


def main() -> None:
    """Reads the command line and trains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="folder of training photos, NNNN.jpg")
    parser.add_argument("--heads", type=Path, required=True, help="folder of made heads")
    parser.add_argument("--person-net", type=Path, required=True, help="person_mask.onnx")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--work", type=Path, default=Path(__file__).parent / "work")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    options.work.mkdir(parents=True, exist_ok=True)
    made, outlined = MadeHeads(options.heads), OutlinedHeads(options.photos, options.person_net)
    print(f"{len(made)} made heads, {len(outlined)} outlined ones", flush=True)
    train(options.minutes, made, outlined, rooms_of(options.photos), options.work / "state.pt", options.out)


if __name__ == "__main__":
    main()
