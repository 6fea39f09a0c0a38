"""Trains the net that finds people, for a number of minutes, and writes it as ONNX.

Labels come from the teacher where a person is, and are nothing where nobody is. Beside them the net learns what
the teacher itself answers to each scene and, above all, stage by stage what it sees on the way there (after the hints
of Romero et al. 2015): with some sixty people to learn from, that is most of what there is to know. Can be stopped and
started again.
"""

import argparse
import copy
import os
import shutil
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn

from person_mask import checkpoint
from person_mask.export import write
from person_mask.lessons import Lessons, measure
from person_mask.losses import losses
from person_mask.material import Material, gather
from person_mask.measure import Student, agreement
from person_mask.net import BETWEEN, PersonNet
from person_mask.scenes import Painter
from person_mask.teacher import Teacher

FASTEST, DECAY = 3e-3, 1e-2
"""Largest step of AdamW, and how fast weights fade."""

HELP = ((0.0, 0.15, 0.7), (0.9, 0.6, 0.0))
"""Shares of the time, and of the pictures of which a stage goes on from what the teacher saw before it."""

LABELS = ((0.0, 0.2, 0.5, 1.0), (0.1, 0.2, 0.5, 1.0))
"""Shares of the time, and how much the labels count."""

KEEP_EVERY_S = 240


class Training:
    """The state of a training run, and its steps.

    Args:
        lessons: What is learnt.
        compiled: Whether the step is compiled: a minute or two, then half as much work.
    """

    def __init__(self, lessons: Lessons, compiled: bool) -> None:
        torch.manual_seed(1)
        self.lessons = lessons
        self.net = PersonNet(answers=2).to(memory_format=torch.channels_last)
        self.steadied = copy.deepcopy(self.net).eval()
        self.optimiser = torch.optim.AdamW(self.net.parameters(), FASTEST, weight_decay=DECAY, fused=True)
        self._losses = torch.compile(losses) if compiled else losses
        self.spent_s, self.steps = 0.0, 0

    def step(self, share: float) -> dict[str, float]:
        """One batch.

        Args:
            share: How much of the time is over, 0..1.
        """
        rate = FASTEST * min(1, share / 0.02 + 0.05) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        for group in self.optimiser.param_groups:
            group["lr"] = float(rate)
        batch = self.lessons.next()
        help_share = float(np.interp(share, *HELP))
        relay, teacher, label = self._losses(
            self.net,
            torch.from_numpy(batch.yuv),
            (torch.from_numpy(batch.label), torch.from_numpy(batch.weight), torch.from_numpy(batch.known)),
            torch.from_numpy(batch.logits),
            [torch.from_numpy(one) for one in batch.seen],
            torch.rand(len(BETWEEN), len(batch.yuv)) < help_share,
        )
        loss = relay.mean() + teacher + label * float(np.interp(share, *LABELS))
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimiser.step()
        self.steps += 1
        self._steady(min(0.995, 1 - 10 / (10 + self.steps)))
        found = {"relay": relay.mean(), "teacher": teacher, "label": label}
        return {name: float(value.detach()) for name, value in found.items()}

    def _steady(self, keep: float) -> None:
        """Moves the averaged net, the one that is used, towards the trained one."""
        with torch.no_grad():
            for mine, new in zip(self.steadied.state_dict().values(), self.net.state_dict().values(), strict=True):
                if mine.dtype.is_floating_point:
                    mine.lerp_(new, 1 - keep)
                else:
                    mine.copy_(new)

    def save(self, file: Path) -> None:
        """Writes everything that a later run needs to go on."""
        checkpoint.save(file, self._parts(), self.spent_s, self.steps)

    def load(self, file: Path) -> None:
        """Goes on where ``save`` was called."""
        self.spent_s, self.steps = checkpoint.load(file, self._parts())

    def _parts(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("net", "steadied", "optimiser")}


def train(minutes: float, material: Material, teacher: Teacher, state: Path, out: Path) -> None:
    """Trains until the time is over, and writes the net at the end and each time the state is saved."""
    measured = measure(Painter(material, seed=0), teacher)
    training = Training(Lessons(Painter(material, seed=1), teacher, measured), compiled=shutil.which("c++") is not None)
    if state.exists():
        training.load(state)
        training.lessons = Lessons(Painter(material, seed=2 + training.steps), teacher, measured)
        print(f"going on after {training.steps} steps, {training.spent_s / 60:.0f} minutes", flush=True)
    sums: dict[str, float] = {}
    saved_s, since = training.spent_s, 0
    while training.spent_s < minutes * 60:
        began = time.perf_counter()
        training.net.train()
        for name, value in training.step(training.spent_s / (minutes * 60)).items():
            sums[name] = sums.get(name, 0) + value
        since += 1
        training.spent_s += time.perf_counter() - began
        if training.spent_s - saved_s > KEEP_EVERY_S:
            said = " ".join(f"{name} {value / since:.4f}" for name, value in sums.items())
            print(f"{training.spent_s / 60:5.1f} min, {training.steps} steps: {said}", flush=True)
            sums, since, saved_s = {}, 0, training.spent_s
            training.save(state)
            write(training.steadied, out)
            print("            held out:", agreement(Student(out), material), flush=True)
    training.save(state)
    write(training.steadied, out)
    print(f"{out}: {out.stat().st_size / 1024:.0f} KiB; held out: {agreement(Student(out), material)}")


def main() -> None:
    """Reads the command line and trains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="folder of training photos, NNNN.jpg")
    parser.add_argument("--teacher", type=Path, required=True, help="folder of selfie_landscape.onnx and selfie.onnx")
    parser.add_argument("--minutes", type=float, default=60, help="how long to train")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path(__file__).parent / "work", help="checkpoints and cut-outs")
    parser.add_argument("--out", type=Path, required=True, help="the ONNX file to write")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(options.work / "compiled"))
    cv2.setNumThreads(options.threads)
    teacher = Teacher(options.teacher)
    material = gather(options.photos, teacher, options.work)
    kinds = {kind: len(material.of_kind(kind)) for kind in ("clear", "unclear", "none")}
    print(f"photos: {kinds}, held out {len(material.held_out)}, things {len(material.things)}", flush=True)
    train(options.minutes, material, teacher, options.work / "state.pt", options.out)


if __name__ == "__main__":
    main()
