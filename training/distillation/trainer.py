"""The training itself: steps, schedule, checkpoints, averaged weights. Knows no file format of the nets."""

import logging
import math
import time
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from distillation.losses import Texture, likeness
from distillation.nets import Recall, Student, StyleEncoder
from distillation.pool import REFERENCES, SINGLE, Batch, Filling, Pool

log = logging.getLogger(__name__)

_SPARE_PX = 8
_NOISE_LEVELS = 6.0
_TOP_RATE, _LAST_RATE = 3e-3, 2e-5
_AVERAGED_STEPS = 400
_CHECKPOINT_EVERY_S = 120.0
_LOG_EVERY_STEPS = 50
_SMALLEST_POOL = 64
_TEXTURE_EVERY_STEPS = 4


class Nets(nn.Module):
    """Both nets, and the head that guesses the teacher's code from the encoder's features (training only)."""

    def __init__(self) -> None:
        super().__init__()
        self.student = Student()
        self.encoder = StyleEncoder(self.student.code_size)
        self.guess = nn.Linear(self.encoder.hidden.out_features, 512)


@dataclass(slots=True)
class Progress:
    """What a checkpoint holds beside the weights."""

    step: int = 0
    minutes: float = 0.0


def _lagging(paired: int, keep: Tensor) -> Recall:
    """Let the paired views at a batch's end use statistics mixed with their partners', as video does."""

    def recall(_site: int, own: Tensor) -> Tensor:
        first, second = own[:-paired], own[-paired:]
        return torch.cat([first, torch.lerp(second, first[:paired].detach(), keep)])

    return recall


def _cut(pictures: Tensor, lefts: np.ndarray, tops: np.ndarray, side: int) -> Tensor:
    cuts = [p[:, y : y + side, x : x + side] for p, x, y in zip(pictures, lefts, tops, strict=True)]
    return torch.stack(cuts).contiguous(memory_format=torch.channels_last)


class Trainer:
    """Distils the teacher's answers in a pool into our two nets.

    One step sees a batch of frames, some of them twice, moved and noisy as the next frame of a video. Cutting
    frame and answer at a random place breaks the teacher's four-pixel grid, so that the student cannot learn
    it; noise is added to the frame but not to the answer, and the second view is graded against the first:
    what moves or rustles must not boil.
    """

    def __init__(
        self, folder: Path, texture: Texture, device: torch.device, texture_weight: float, compiled: bool
    ) -> None:
        self.device = device
        self.checkpoint = folder / "checkpoint.pt"
        torch.manual_seed(1)
        self.random = np.random.default_rng(int(time.time()))
        self.texture = texture.to(device)
        self.texture_weight = texture_weight
        self.nets = Nets().to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.averaged = deepcopy(self.nets).requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.nets.parameters(), _TOP_RATE, betas=(0.9, 0.99))
        self.progress = Progress()
        self.noise = torch.randn(1 << 23, device=device)
        self.compiled = cache(torch.compile if compiled else lambda function: function)

    def resume(self) -> None:
        """Go on from the last checkpoint; from the start where there is none."""
        if not self.checkpoint.exists():
            return
        stored = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        self.nets.load_state_dict(stored["nets"])
        self.averaged.load_state_dict(stored["averaged"])
        self.optimizer.load_state_dict(stored["optimizer"])
        self.progress = Progress(stored["step"], stored["minutes"])
        log.info("resumed at step %d, %.1f minutes", self.progress.step, self.progress.minutes)

    def save(self) -> None:
        """Write the checkpoint; a crash while writing leaves the old one."""
        stored = {
            "nets": self.nets.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.progress.step,
            "minutes": self.progress.minutes,
        }
        fresh = self.checkpoint.with_suffix(".new")
        torch.save(stored, fresh)
        fresh.replace(self.checkpoint)

    def run(self, pool: Pool, filling: Filling, minutes: float, share: float = 1.0) -> None:
        """Train until a share of the budget is spent, the minutes before a resume counted in."""
        while len(pool) < min(_SMALLEST_POOL, pool.slots):
            filling.check()
            time.sleep(1)
        begun = time.monotonic() - self.progress.minutes * 60
        saved = time.monotonic()
        shown: dict[str, float] = {}
        while self.progress.minutes < minutes * share:
            rate = _LAST_RATE + _TOP_RATE * 0.5 * (1 + math.cos(math.pi * self.progress.minutes / minutes))
            for group in self.optimizer.param_groups:
                group["lr"] = rate
            for name, value in self._step(pool.draw(self.random, self.device)).items():
                shown[name] = 0.98 * shown.get(name, value) + 0.02 * value
            self.progress.step += 1
            self.progress.minutes = (time.monotonic() - begun) / 60
            if self.progress.step % _LOG_EVERY_STEPS == 0:
                filling.check()
                losses = " ".join(f"{name} {value:.4f}" for name, value in shown.items())
                log.info(
                    "step %d %.1f min rate %.1e pool %d %s",
                    self.progress.step,
                    self.progress.minutes,
                    rate,
                    len(pool),
                    losses,
                )
            if time.monotonic() - saved > _CHECKPOINT_EVERY_S:
                self.save()
                saved = time.monotonic()
        self.save()

    def _restyled(self, batch: Batch, frames: Tensor, keep: Tensor) -> tuple[Tensor, Tensor]:
        """Restyle the frames (a batch's and second views); also give the guessed codes of the teacher."""
        features = self.nets.encoder.features(batch.references)
        codes = self.nets.encoder.code(features).float()
        own, other = codes[:REFERENCES], torch.cat([codes[:SINGLE], codes[REFERENCES:]])
        code = self.nets.student.weaken(torch.lerp(own, other, batch.other_weight), batch.strength)
        code = code.repeat_interleave(batch.frames.shape[0] // REFERENCES, 0)
        paired = frames.shape[0] - code.shape[0]
        recall = _lagging(paired, keep)
        pictures = self.nets.student(frames, torch.cat([code, code[:paired]]), recall)
        return pictures.float(), self.nets.guess(features[:REFERENCES]).float()

    def _views(self, batch: Batch) -> tuple[Tensor, Tensor, tuple[np.ndarray, np.ndarray]]:
        """Noisy frames (a batch's and second views), the batch's answers, how far the views moved."""
        count, side = batch.frames.shape[0], batch.frames.shape[3] - _SPARE_PX
        paired = max(2, count // 4)
        lefts, tops = self.random.integers(0, _SPARE_PX + 1, (2, count))
        later_lefts, later_tops = self.random.integers(0, _SPARE_PX + 1, (2, paired))
        second = _cut(batch.frames[:paired], later_lefts, later_tops, side)
        frames = torch.cat([_cut(batch.frames, lefts, tops, side), second])
        level = torch.rand(len(frames), 1, 1, 1, device=self.device) * (_NOISE_LEVELS / 255)
        starts = self.random.integers(0, len(self.noise) - frames[0].numel(), len(frames))
        noise = torch.stack([self.noise[k : k + frames[0].numel()].view_as(frames[0]) for k in starts])
        noisy = (frames + noise * level).clamp(0, 1).contiguous(memory_format=torch.channels_last)
        moves = (later_lefts - lefts[:paired], later_tops - tops[:paired])
        return noisy, _cut(batch.answers, lefts, tops, side), moves

    def _step(self, batch: Batch) -> dict[str, float]:
        frames, answer, moves = self._views(batch)
        count = len(answer)
        keep = torch.rand(len(frames) - count, 1, device=self.device) * 0.95
        with torch.autocast(self.device.type, torch.bfloat16):
            pictures, guessed = self.compiled(self._restyled)(batch, frames, keep)
        losses = {"like": self.compiled(likeness)(pictures[:count], answer)}
        losses["still"] = _boiling(pictures, pictures[count:], moves)
        losses["code"] = 0.1 * functional.smooth_l1_loss(guessed, batch.codes)
        if self.texture_weight and self.progress.step % _TEXTURE_EVERY_STEPS == 0:
            with torch.autocast(self.device.type, torch.bfloat16):
                distance = self.compiled(self.texture)(
                    pictures[: count : count // REFERENCES][:SINGLE], batch.references[:SINGLE]
                )
            losses["texture"] = self.texture_weight * _TEXTURE_EVERY_STEPS * distance
        self.optimizer.zero_grad(set_to_none=True)
        torch.stack(list(losses.values())).sum().backward()
        nn.utils.clip_grad_norm_(self.nets.parameters(), 1.0)
        self.optimizer.step()
        share = min(1 - 1 / _AVERAGED_STEPS, (1 + self.progress.step) / (10 + self.progress.step))
        with torch.no_grad():
            for mean, now in zip(self.averaged.parameters(), self.nets.parameters(), strict=True):
                mean.lerp_(now, 1 - share)
            levels = (pictures[:count] - answer).abs().mean() * 255
        return {"levels": float(levels)} | {name: float(loss.detach()) for name, loss in losses.items()}


def _boiling(first: Tensor, second: Tensor, moves: tuple[np.ndarray, np.ndarray]) -> Tensor:
    """Mean difference of two views of one picture where they overlap, 16 px of border left out."""
    margin, side, terms = 16, first.shape[3], []
    for a, b, x, y in zip(first[: len(second)], second, *moves, strict=True):
        low_x, high_x = margin + max(0, x), side - margin + min(0, x)
        low_y, high_y = margin + max(0, y), side - margin + min(0, y)
        there = b[:, low_y - y : high_y - y, low_x - x : high_x - x]
        terms.append((a[:, low_y:high_y, low_x:high_x] - there).abs().mean())
    return torch.stack(terms).mean()
