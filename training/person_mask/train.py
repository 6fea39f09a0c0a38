"""Trains the net that finds people, for a number of minutes, and writes it as ONNX.

Labels come from the teacher where a person is, and are nothing where nobody is. Beside them the net learns what
the teacher itself answers to each scene, and what it sees on the way there (hints, Romero et al. 2015): with some
seventy people to learn from, that is most of what there is to know. Can be stopped and started again.
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

from person_mask.export import write
from person_mask.lessons import Lessons
from person_mask.material import Material, gather
from person_mask.measure import agreement
from person_mask.net import EIGHTH, QUARTER, SIXTEENTH, PersonNet
from person_mask.scenes import Painter
from person_mask.teacher import HINT_CHANNELS, Teacher

FASTEST = 4e-3
"""Largest step of AdamW."""

KEEP_EVERY_S = 240


class Hints(nn.Module):
    """Turns what the net sees into what the teacher sees, each channel of the latter scaled to a spread of one."""

    def __init__(self) -> None:
        super().__init__()
        widths = (EIGHTH, SIXTEENTH, EIGHTH, QUARTER)
        pairs = zip(widths, HINT_CHANNELS, strict=True)
        self.readers = nn.ModuleList(nn.Conv2d(own, other, 1) for own, other in pairs)

    def forward(self, features: list[Tensor], seen: list[Tensor]) -> Tensor:
        """Mean squared distance between the two."""
        losses = []
        for reader, own, other in zip(self.readers, features, seen, strict=True):
            fitting = F.interpolate(other, own.shape[2:], mode="bilinear", align_corners=False)
            mean, spread = fitting.mean((0, 2, 3), keepdim=True), fitting.std((0, 2, 3), keepdim=True)
            losses.append(F.mse_loss(reader(own), (fitting - mean) / (spread + 1e-2)))
        return torch.stack(losses).mean()


class Training:
    """The state of a training run, and its steps."""

    def __init__(self, lessons: Lessons) -> None:
        torch.manual_seed(1)
        self.lessons = lessons
        self.net = PersonNet(answers=2).to(memory_format=torch.channels_last)
        self.hints = Hints().to(memory_format=torch.channels_last)
        self.steadied = copy.deepcopy(self.net).eval()
        parameters = [*self.net.parameters(), *self.hints.parameters()]
        self.optimiser = torch.optim.AdamW(parameters, FASTEST, weight_decay=1e-3)
        self.spent_s, self.steps = 0.0, 0

    def step(self, share: float) -> dict[str, float]:
        """One batch.

        Args:
            share: How much of the time is over, 0..1.
        """
        rate = FASTEST * min(1, share / 0.02 + 0.02) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        for group in self.optimiser.param_groups:
            group["lr"] = float(rate)
        batch = self.lessons.next()
        x = ((torch.from_numpy(batch.yuv).float() - 128) * (1 / 64)).contiguous(memory_format=torch.channels_last)
        # Half the bytes to move, where the processor has instructions for it; sums and losses stay exact.
        with torch.autocast("cpu", dtype=torch.bfloat16):
            features = self.net.features(x)
            answers = self.net.answer(features)
        features, answers = [feature.float() for feature in features], answers.float()
        losses = {
            "label": likeness(answers[:, 0], torch.from_numpy(batch.label), torch.from_numpy(batch.known)),
            "teacher": F.binary_cross_entropy_with_logits(answers[:, 1], torch.from_numpy(batch.mask)),
            "hints": self.hints(features, [torch.from_numpy(hint) for hint in batch.hints]) * (1 - 0.8 * share),
        }
        loss = torch.stack(list(losses.values())).sum()
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimiser.step()
        self.steps += 1
        self._steady(min(0.995, 1 - 10 / (10 + self.steps)))
        return {name: float(value.detach()) for name, value in losses.items()}

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
        state = {name: getattr(self, name).state_dict() for name in ("net", "hints", "steadied", "optimiser")}
        partial = file.with_suffix(".part")
        torch.save(state | {"spent_s": self.spent_s, "steps": self.steps}, partial)
        partial.replace(file)

    def load(self, file: Path) -> None:
        """Goes on where ``save`` was called."""
        state = torch.load(file, weights_only=True)
        for name in ("net", "hints", "steadied", "optimiser"):
            getattr(self, name).load_state_dict(state[name])
        self.spent_s, self.steps = state["spent_s"], state["steps"]


def likeness(logits: Tensor, labels: Tensor, known: Tensor) -> Tensor:
    """Cross-entropy, edges counting more, and one minus the overlap of each picture that shows someone.

    Args:
        logits: (B, H, W).
        labels: The same, 0..1.
        known: (B,), whether a label is to be learned.
    """
    logits, labels = logits[known], labels[known]
    soft = F.avg_pool2d(labels[:, None], 9, 1, 4)[:, 0]
    weight = 1 + 4 * (labels - soft).abs() + 2 * ((soft > 0.02) & (soft < 0.98)).float()
    entropy = (F.binary_cross_entropy_with_logits(logits, labels, reduction="none") * weight).mean()
    found = torch.sigmoid(logits)
    both = (found * labels).sum((1, 2))
    either = (found + labels).sum((1, 2)) - both
    anyone = labels.sum((1, 2)) > 50
    overlap = (1 - both / (either + 1))[anyone].mean() if anyone.any() else entropy.new_zeros(())
    return entropy + 0.5 * overlap


def train(minutes: float, material: Material, teacher: Teacher, state: Path, out: Path) -> None:
    """Trains until the time is over, and writes the net at the end and each time the state is saved."""
    training = Training(Lessons(Painter(material, seed=1), teacher))
    if state.exists():
        training.load(state)
        training.lessons = Lessons(Painter(material, seed=2 + training.steps), teacher)
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
            print("            held out:", agreement(out, material.held_out), flush=True)
    training.save(state)
    write(training.steadied, out)
    print(f"{out}: {out.stat().st_size / 1024:.0f} KiB; held out: {agreement(out, material.held_out)}")


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
    cv2.setNumThreads(options.threads)
    teacher = Teacher(options.teacher)
    material = gather(options.photos, teacher, options.work)
    kinds = {kind: len(material.of_kind(kind)) for kind in ("clear", "unclear", "none")}
    print(f"photos: {kinds}, held out {len(material.held_out)}, things {len(material.things)}", flush=True)
    train(options.minutes, material, teacher, options.work / "state.pt", options.out)


if __name__ == "__main__":
    main()
