"""The teacher's answers, kept on disk: triples of frame, reference and restyled frame. Knows no student.

A process of its own fills the pool beside the training, so that a second core (or the same GPU) is not idle;
a pool that was begun is continued. Slots are written once and counted after: no reader sees half of one.
"""

import multiprocessing
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from distillation.pictures import REFERENCE_SIDE_PX, Gallery, Random, content, load, reference, resized
from distillation.teacher import CODE_CHANNELS, CODE_ROWS, Teacher

_LONGEST_SIDE_PX = 640
SINGLE, MIXED = 3, 1
REFERENCES = SINGLE + MIXED
"""A batch has so many references: first ones used by themselves, then those mixed with a second one."""
_WEAKENED_OF_EIGHT = 1
_MIXED_OF_EIGHT = (0, 4)
_SINGLE_OF_EIGHT = (1, 2, 3, 5, 6, 7)
"""Which of eight neighbouring slots of the pool hold what."""


@dataclass(frozen=True, slots=True)
class Batch:
    """R references (4) with K frames each, on one device. Pictures are RGB 0..1.

    ``references`` (R + 1)×3×256×256 ends with the second one of the mix; ``frames`` and ``answers`` are
    R·K×3×side×side; ``other_weight`` and ``strength`` R×1; ``codes`` R×512 are the teacher's.
    """

    frames: Tensor
    answers: Tensor
    references: Tensor
    other_weight: Tensor
    strength: Tensor
    codes: Tensor


def to_device(pictures: np.ndarray, device: torch.device) -> Tensor:
    """N×H×W×3 uint8 → N×3×H×W float32 0..1 in channels-last memory."""
    pixels = torch.from_numpy(np.ascontiguousarray(pictures)).to(device)
    return pixels.permute(0, 3, 1, 2).float() / 255


class Pool:
    """Memory-mapped arrays in a folder; ``len`` is the number of slots that are ready.

    A slot is a reference and as many frames as fill its area: one of 256 px, four of 128 px.
    """

    def __init__(self, folder: Path, slots: int, side_px: int) -> None:
        folder = folder / str(side_px)
        folder.mkdir(parents=True, exist_ok=True)
        self.slots = slots = slots // 8 * 8
        self.side_px, self.frames_each = side_px, (REFERENCE_SIDE_PX // side_px) ** 2
        frames = (slots, self.frames_each, side_px, side_px, 3)

        def array(name: str, dtype: type, shape: tuple[int, ...]) -> np.memmap:
            path = folder / f"{name}.bin"
            return np.memmap(path, dtype, "r+" if path.exists() else "w+", shape=shape)

        self.frame = array("frame", np.uint8, frames)
        self.answer = array("answer", np.uint8, frames)
        self.reference = array("reference", np.uint8, (slots, REFERENCE_SIDE_PX, REFERENCE_SIDE_PX, 3))
        self.code = array("code", np.float32, (slots, CODE_ROWS * CODE_CHANNELS))
        self.other = array("other", np.int32, (slots,))
        self.other_weight = array("other_weight", np.float32, (slots,))
        self.strength = array("strength", np.float32, (slots,))
        self.ready = array("ready", np.int64, (1,))

    def __len__(self) -> int:
        return min(int(self.ready[0]), self.slots)

    def draw(self, random: Random, device: torch.device) -> Batch:
        """Take a batch at random, always made up alike, so that compiled code meets one shape only."""
        kinds = [*random.choice(_SINGLE_OF_EIGHT, SINGLE), *random.choice(_MIXED_OF_EIGHT, MIXED)]
        slots = random.integers(0, len(self) // 8, REFERENCES) * 8 + np.array(kinds)

        def column(values: np.ndarray) -> Tensor:
            return torch.from_numpy(np.array(values[slots])).to(device).unsqueeze(1)

        # A mirrored frame has the mirrored answer, a mirrored reference the same style: four times the pool.
        seen, meant = (slice(None, None, random.choice((-1, 1))) for _ in range(2))
        references = self.reference[np.concatenate([slots, self.other[slots[SINGLE:]]])]
        return Batch(
            to_device(np.concatenate(self.frame[slots])[:, :, seen], device),
            to_device(np.concatenate(self.answer[slots])[:, :, seen], device),
            to_device(references[:, :, meant], device),
            column(self.other_weight),
            column(self.strength),
            torch.from_numpy(np.array(self.code[slots])).to(device),
        )


def _shrunk(path: Path) -> np.ndarray:
    picture = load(path)
    scale = min(1.0, _LONGEST_SIDE_PX / max(picture.shape[:2]))
    return resized(picture, round(picture.shape[1] * scale), round(picture.shape[0] * scale))


def _answer(pool: Pool, teacher: Teacher, frames: np.ndarray, reference: np.ndarray, random: Random) -> None:
    """Ask the teacher about one slot (K frames, one reference) and append it to the pool."""
    device = next(teacher.buffers()).device
    slot, kind, count = len(pool), len(pool) % 8, len(frames)
    code = teacher.code(to_device(reference[None], device)).float()
    pool.reference[slot], pool.frame[slot] = reference, frames
    pool.code[slot] = code.flatten().cpu().numpy()
    other = int(random.integers(0, slot + 1))
    weight = random.uniform(0, 1) if kind in _MIXED_OF_EIGHT else 0.0
    strength = max(0.0, random.uniform(-0.3, 1)) if kind == _WEAKENED_OF_EIGHT else 1.0
    pool.other[slot], pool.other_weight[slot], pool.strength[slot] = other, weight, strength
    theirs = torch.from_numpy(np.array(pool.code[other])).to(device).view_as(code)
    frame, power = to_device(frames, device), torch.full((count,), strength, device=device)
    restyled = teacher(frame, torch.lerp(code, theirs, weight).expand(count, -1, -1), power)
    # The teacher restyles a little even at alpha 0; the student shall leave the frame as it is at strength 0.
    answer = torch.lerp(frame, restyled, strength).permute(0, 2, 3, 1)
    pool.answer[slot] = (answer * 255).round().byte().cpu().numpy()
    pool.ready[0] = slot + 1


def _fill(pool: Pool, teacher_folder: Path, gallery: Gallery, device: torch.device, stop: Event) -> None:
    """Fill the pool until it is full, told to stop, or left alone by a training that was killed."""
    if len(pool) == pool.slots:
        return
    teacher = Teacher(teacher_folder).to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    random = np.random.default_rng(len(pool) + 1)
    photos = [_shrunk(p) for p in gallery.photos]
    paintings = [_shrunk(p) for p in gallery.paintings]
    parent = multiprocessing.parent_process()
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16):
        while len(pool) < pool.slots and not stop.is_set() and (parent is None or parent.is_alive()):
            picked = random.integers(0, len(photos), pool.frames_each)
            frames = np.stack([content(photos[k], pool.side_px, random) for k in picked])
            _answer(pool, teacher, frames, reference(paintings, photos, random), random)


def _filling_process(
    folder: Path, slots: int, side_px: int, teacher: Path, gallery: Gallery, device: str, stop: Event
) -> None:
    torch.set_num_threads(1)
    _fill(Pool(folder, slots, side_px), teacher, gallery, torch.device(device), stop)


class Filling:
    """The process that fills a pool. Leaves with the training, whichever way that ends."""

    def __init__(
        self, folder: Path, slots: int, side_px: int, teacher: Path, gallery: Gallery, device: torch.device
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        arguments = (folder, slots, side_px, teacher, gallery, str(device), self._stop)
        self._process = context.Process(target=_filling_process, args=arguments, daemon=True)
        self._process.start()

    def check(self) -> None:
        """Raise RuntimeError when the process has failed."""
        if self._process.exitcode not in (None, 0):
            raise RuntimeError("The process that asks the teacher has failed; its own message is above.")

    def close(self) -> None:
        """End the process, within seconds."""
        self._stop.set()
        self._process.join(20)
        if self._process.is_alive():
            self._process.kill()
