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

from distillation.pictures import SIDE_PX, Gallery, Random, content, load, reference, resized
from distillation.teacher import CODE_CHANNELS, CODE_ROWS, Teacher

_ASKED_AT_ONCE = 4
_LONGEST_SIDE_PX = 640
_WHOLE, _WEAKENED, _MIXED = 5, 1, 2
BATCH = _WHOLE + _WEAKENED + _MIXED


_WEAKENED_OF_EIGHT = 1
_MIXED_OF_EIGHT = (0, 4)
_WHOLE_OF_EIGHT = (2, 3, 5, 6, 7)
"""Which of eight neighbouring slots of the pool hold which kind of triple.

In a batch, triples in one style at full strength come first, then a weakened one, then mixes of two."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Triples on one device: pictures B×3×256×256 RGB 0..1, codes B×512, weights and strengths B×1.

    ``references`` holds one for each triple and, after those, the second ones of the mixes.
    """

    frame: Tensor
    answer: Tensor
    references: Tensor
    other_weight: Tensor
    strength: Tensor
    code: Tensor


def to_device(pictures: np.ndarray, device: torch.device) -> Tensor:
    """N×H×W×3 uint8 → N×3×H×W float32 0..1 in channels-last memory."""
    return torch.from_numpy(pictures).to(device).permute(0, 3, 1, 2).float() / 255


class Pool:
    """Memory-mapped arrays in a folder; ``len`` is the number of slots that are ready."""

    def __init__(self, folder: Path, slots: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.slots = slots = slots // 8 * 8
        picture = (slots, SIDE_PX, SIDE_PX, 3)

        def array(name: str, dtype: type, shape: tuple[int, ...]) -> np.memmap:
            path = folder / f"{name}.bin"
            return np.memmap(path, dtype, "r+" if path.exists() else "w+", shape=shape)

        self.frame = array("frame", np.uint8, picture)
        self.answer = array("answer", np.uint8, picture)
        self.reference = array("reference", np.uint8, picture)
        self.code = array("code", np.float32, (slots, CODE_ROWS * CODE_CHANNELS))
        self.other = array("other", np.int32, (slots,))
        self.other_weight = array("other_weight", np.float32, (slots,))
        self.strength = array("strength", np.float32, (slots,))
        self.ready = array("ready", np.int64, (1,))

    def __len__(self) -> int:
        return min(int(self.ready[0]), self.slots)

    def draw(self, random: Random, device: torch.device) -> Batch:
        """Take a batch at random, always made up alike, so that compiled code meets one shape only."""
        eighths = random.integers(0, len(self) // 8, BATCH) * 8
        kinds = [
            *random.choice(_WHOLE_OF_EIGHT, _WHOLE),
            _WEAKENED_OF_EIGHT,
            *random.choice(_MIXED_OF_EIGHT, _MIXED),
        ]
        slots = eighths + np.array(kinds)

        def column(values: np.ndarray) -> Tensor:
            return torch.from_numpy(np.array(values[slots])).to(device).unsqueeze(1)

        return Batch(
            to_device(self.frame[slots], device),
            to_device(self.answer[slots], device),
            to_device(self.reference[np.concatenate([slots, self.other[slots[-_MIXED:]]])], device),
            column(self.other_weight),
            column(self.strength),
            torch.from_numpy(np.array(self.code[slots])).to(device),
        )


def _shrunk(path: Path) -> np.ndarray:
    picture = load(path)
    scale = min(1.0, _LONGEST_SIDE_PX / max(picture.shape[:2]))
    return resized(picture, round(picture.shape[1] * scale), round(picture.shape[0] * scale))


def _answer_batch(
    pool: Pool, teacher: Teacher, frames: np.ndarray, references: np.ndarray, random: Random
) -> None:
    """Ask the teacher about one batch and append it to the pool."""
    device = next(teacher.buffers()).device
    first, count = len(pool), len(frames)
    here, kinds = slice(first, first + count), np.arange(first, first + count) % 8
    own = teacher.code(to_device(references, device)).float()
    pool.reference[here], pool.frame[here] = references, frames
    pool.code[here] = own.flatten(1).cpu().numpy()
    other = random.integers(0, first + count, count)
    weight = np.where(np.isin(kinds, _MIXED_OF_EIGHT), random.uniform(0, 1, count), 0).astype(np.float32)
    weak = random.uniform(-0.3, 1, count).clip(0)
    strength = np.where(kinds == _WEAKENED_OF_EIGHT, weak, 1).astype(np.float32)
    theirs = torch.from_numpy(np.array(pool.code[other])).to(device).view_as(own)
    mix, power = torch.from_numpy(weight).to(device), torch.from_numpy(strength).to(device)
    frame = to_device(frames, device)
    restyled = teacher(frame, torch.lerp(own, theirs, mix.view(-1, 1, 1)), power)
    # The teacher restyles a little even at alpha 0; the student shall leave the frame as it is at strength 0.
    answer = torch.lerp(frame, restyled, power.view(-1, 1, 1, 1)).permute(0, 2, 3, 1)
    pool.answer[here] = (answer * 255).round().byte().cpu().numpy()
    pool.other[here], pool.other_weight[here], pool.strength[here] = other, weight, strength
    pool.ready[0] = first + count


def _fill(
    folder: Path, slots: int, teacher_folder: Path, gallery: Gallery, device_name: str, stop: Event
) -> None:
    """Fill the pool until it is full, told to stop, or left alone by a training that was killed."""
    torch.set_num_threads(1)
    device = torch.device(device_name)
    pool = Pool(folder, slots)
    teacher = Teacher(teacher_folder).to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    random = np.random.default_rng(len(pool) + 1)
    photos = [_shrunk(p) for p in gallery.photos]
    paintings = [_shrunk(p) for p in gallery.paintings]
    parent = multiprocessing.parent_process()
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16):
        while len(pool) < pool.slots and not stop.is_set() and (parent is None or parent.is_alive()):
            frames = np.stack(
                [content(photos[random.integers(len(photos))], random) for _ in range(_ASKED_AT_ONCE)]
            )
            references = np.stack([reference(paintings, photos, random) for _ in range(_ASKED_AT_ONCE)])
            _answer_batch(pool, teacher, frames, references, random)


class Filling:
    """The process that fills a pool. Leaves with the training, whichever way that ends."""

    def __init__(
        self, folder: Path, slots: int, teacher: Path, gallery: Gallery, device: torch.device
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        arguments = (folder, slots, teacher, gallery, str(device), self._stop)
        self._process = context.Process(target=_fill, args=arguments, daemon=True)
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
