"""The user's own nets: an ONNX file is recognised, tried and timed, or refused with a reason.

The file is untrusted: its content is checked before it is opened (``net_files``), and its memory and the
time of a run are bounded. ``examine`` must run in a sandboxed process.

An ONNX file does not state how it wants pictures, so this is found by trying: the position of the channels,
the range of values, the number that its sides must be multiples of, and the time on this machine. Must not
know looks, where files are kept, or streams.
"""

from __future__ import annotations

import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.nets.net_files import check_net_file
from overpaint.engine.nets.runtime import Net, Port, open_net
from overpaint.errors import EngineError

Floats = NDArray[np.float32]
Layout = Literal["nchw", "nhwc"]
Range = tuple[float, float]

FILE_MAX_BYTES = 512 * 1024 * 1024
MULTIPLES = (4, 8, 16, 32, 64)
RANGES: tuple[Range, ...] = ((-1.0, 1.0), (0.0, 255.0), (0.0, 1.0))
TRIED_ROWS = (180, 240, 288, 360, 480)
"""Heights at which a net is timed, for pictures of 16:9, pixels."""

LIVE_SECONDS, SLOWEST_SECONDS = 0.040, 0.125
"""Longest time of a frame for live video at 25 frames a second, and for live video at all; a net that takes
longer is for pictures and clips."""

SIDE_MAX, PIXELS_MAX = 4096, 4096 * 2304
"""Longest side and most pixels of the picture of a net with a fixed input size."""
EXAMINED_RUN_S = 20.0
"""Longest time of one run during an examination, seconds."""

_KINDS = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(uint8)": np.uint8}
_TRIES = 3


@dataclass(frozen=True, slots=True)
class ModelForm:
    """The form of a net's input and output.

    Attributes:
        layout: Channels first (``nchw``) or last (``nhwc``).
        values: Least and greatest value of a picture, for input and output.
        multiple: Number that both sides must be multiples of, pixels.
        fixed: Width and height of the only size that the net takes; None for any size.
    """

    layout: Layout
    values: Range
    multiple: int
    fixed: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Examination:
    """The examination of a net: its form and its measured time.

    Attributes:
        form: Form of its input and output.
        rows: Height at which it should run on this machine, pixels.
        seconds: Time of a frame at that height.
        device: Device on which it ran, see ``runtime.DEVICES``.
    """

    form: ModelForm
    rows: int
    seconds: float
    device: str

    @property
    def live(self) -> bool:
        """Whether it is fast enough for a stream."""
        return self.seconds <= SLOWEST_SECONDS

    @property
    def verdict(self) -> str:
        """A sentence for the user."""
        speed = f"{self.seconds * 1e3:.0f} ms a frame at {self.rows} rows on this machine ({self.device})"
        if self.seconds <= LIVE_SECONDS:
            return f"It takes {speed}: good for live video."
        if self.live:
            return f"It takes {speed}: live video will run at about {1 / self.seconds:.0f} frames a second."
        return f"It takes {speed}: good for pictures and clips, too slow for live video."


class CustomModel:
    """An opened custom net, which takes and returns pictures as RGB 0..1, channels first.

    Args:
        net: The opened net.
        form: Form of its input and output.
    """

    def __init__(self, net: Net, form: ModelForm) -> None:
        self.form = form
        self._net = net
        self._kind = _KINDS[net.inputs[0].kind]

    def paint(self, frame: Floats) -> Floats:
        """Restyles a picture.

        Args:
            frame: float32 (1, 3, H, W), RGB 0..1, of a size that the form allows.

        Returns:
            float32 (1, 3, H, W), RGB 0..1.

        Raises:
            EngineError: The net failed, or its output is no picture (``net_failed``).
        """
        low, high = self.form.values
        picture = frame * np.float32(high - low) + np.float32(low)
        if self.form.layout == "nhwc":
            picture = picture.transpose(0, 2, 3, 1)
        answer = self._net.run(**{self._net.inputs[0].name: np.ascontiguousarray(picture, self._kind)})[0]
        planes = _planes(np.asarray(answer, np.float32), self.form.layout)
        scaled = np.clip((planes - np.float32(low)) * np.float32(1 / (high - low)), 0, 1)
        return _fitted(scaled, frame.shape[2:])[None]


def examine(path: Path, threads: int = 1, devices: tuple[str, ...] | None = None) -> Examination:
    """Examines whether and how a net restyles pictures.

    Args:
        path: An ONNX file.
        threads: CPU threads for one run.
        devices: As for ``open_net``.

    Raises:
        EngineError: The net cannot be used; the sentence says why (``bad_model``).
    """
    try:
        net = open_custom_net(path, threads, devices, EXAMINED_RUN_S)
        layout, fixed = _layout(net)
        multiple = 1 if fixed else _multiple(net, layout)
        form = ModelForm(layout, _values(net, layout, fixed, multiple), multiple, fixed)
        rows, seconds = _timed(net, form)
    except (EngineError, ValueError) as error:
        raise EngineError("net_no_look", file=path.name, reason=_reason(error)) from error
    return Examination(form, rows, seconds, net.device)


def open_custom_net(
    path: Path, threads: int, devices: tuple[str, ...] | None = None, run_limit_s: float | None = None
) -> Net:
    """Checks and opens an untrusted net, with bounded memory and time.

    Args:
        path: An ONNX file.
        threads: CPU threads for one run.
        devices: As for ``open_net``.
        run_limit_s: Time limit of one run, seconds; None for no limit.

    Raises:
        EngineError: The file cannot be read, or the net is refused (``bad_model``).
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise EngineError("net_is_no_file")
        if found.st_size > FILE_MAX_BYTES:
            raise EngineError("net_too_large", megabytes=FILE_MAX_BYTES // 1024**2)
        data = path.read_bytes()
    except OSError as error:
        raise EngineError("net_unreadable", reason=str(error.strerror)) from error
    check_net_file(data)
    return open_net(data, threads, devices, bounded=True, run_limit_s=run_limit_s)


def _reason(error: EngineError | ValueError) -> str:
    """The reason of a refusal, worded to follow the net's name."""
    if isinstance(error, EngineError) and error.code == "net_file_refused":
        return str(error.params["reason"])
    said = str(error).rstrip(".")
    return said[:1].lower() + said[1:]


def _layout(net: Net) -> tuple[Layout, tuple[int, int] | None]:
    """Position of the channels, and the size (width, height) where it is fixed."""
    if len(net.inputs) != 1:
        names = ", ".join(port.name for port in net.inputs)
        raise ValueError(f"it takes {len(net.inputs)} inputs ({names}), not one picture")
    (port,) = net.inputs
    if port.kind not in _KINDS:
        raise ValueError(f"its input is {port.kind}, not numbers of a picture")
    if len(port.shape) != 4 or port.shape[0] not in (1, None):
        raise ValueError(f"its input has the shape {_said(port)}, not that of one picture")
    if port.shape[1] == 3 or (port.shape[1] is None and port.shape[3] is None):
        layout, sides = "nchw", port.shape[2:]
    elif port.shape[3] == 3:
        layout, sides = "nhwc", port.shape[1:3]
    elif 1 in (port.shape[1], port.shape[3]):
        raise ValueError("it takes black-and-white pictures")
    else:
        raise ValueError(f"its input has the shape {_said(port)}, not three colours")
    height, width = sides
    if (height is None) != (width is None):
        raise ValueError(f"one side of its picture is fixed and the other is not ({_said(port)})")
    fixed = None if height is None or width is None else (width, height)
    if fixed and (min(fixed) < 1 or max(fixed) > SIDE_MAX or fixed[0] * fixed[1] > PIXELS_MAX):
        raise ValueError(f"its picture of {fixed[0]} × {fixed[1]} pixels is too large")
    return ("nchw" if layout == "nchw" else "nhwc"), fixed


def _said(port: Port) -> str:
    return " × ".join("any" if size is None else str(size) for size in port.shape)


def _multiple(net: Net, layout: Layout) -> int:
    """The smallest number in ``MULTIPLES`` whose multiples the net accepts as sides of a picture."""
    problem = "it gives no picture of the size that it is given"
    for multiple in MULTIPLES:
        odd = max(3, 96 // multiple | 1)
        size = (multiple * (odd + 2), multiple * odd)
        try:
            _try(net, layout, _scene(*size), (0.0, 1.0))
        except (EngineError, ValueError) as error:
            problem = str(error)
        else:
            return multiple
    raise ValueError(problem)


def _try(net: Net, layout: Layout, scene: Floats, values: Range) -> Floats:
    """The net's raw output for a scene scaled to a range of values: float32 (3, H, W)."""
    kind = _KINDS[net.inputs[0].kind]
    picture = scene[None] * np.float32(values[1] - values[0]) + np.float32(values[0])
    if layout == "nhwc":
        picture = picture.transpose(0, 2, 3, 1)
    answer = net.run(**{net.inputs[0].name: np.ascontiguousarray(picture, kind)})[0]
    planes = _planes(np.asarray(answer, np.float32), layout)
    if not np.isfinite(planes).all():
        raise ValueError("it gives numbers that are none")
    down, across = planes.shape[1] / scene.shape[1], planes.shape[2] / scene.shape[2]
    if down != across or not 0.5 <= down <= 4:
        raise ValueError("it gives no picture of the size that it is given")
    return planes


def _planes(answer: Floats, layout: Layout) -> Floats:
    """The picture in a net's output, channels first: (3, H, W)."""
    if answer.ndim == 4 and answer.shape[0] == 1:
        answer = answer[0]
    if answer.ndim == 3 and answer.shape[-1] == 3 and (layout == "nhwc" or answer.shape[0] != 3):
        answer = answer.transpose(2, 0, 1)
    if answer.ndim != 3 or answer.shape[0] != 3:
        raise EngineError("net_gives_no_picture")
    return answer


def _fitted(planes: Floats, shape: Iterable[int]) -> Floats:
    """The picture scaled to a size, since some nets enlarge (super-resolution)."""
    height, width = shape
    if planes.shape[1:] == (height, width):
        return np.ascontiguousarray(planes)
    return np.stack(
        [cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA) for plane in planes]
    ).astype(np.float32)


def _values(net: Net, layout: Layout, fixed: tuple[int, int] | None, multiple: int) -> Range:
    """The range of values whose output has the same range as its input and is most like the scene."""
    if net.inputs[0].kind == "tensor(uint8)":
        return (0.0, 255.0)
    scene = _scene(*(fixed or (multiple * max(1, 160 // multiple), multiple * max(1, 96 // multiple))))
    answers = {values: _try(net, layout, scene, values) for values in RANGES}
    ranges = {values: _range_of(answer) for values, answer in answers.items()}
    if ranges[0.0, 255.0] == (0.0, 255.0) and _likeness(answers[0.0, 255.0], (0.0, 255.0), scene) > 0:
        return (0.0, 255.0)
    if ranges[-1.0, 1.0] == (-1.0, 1.0) and answers[-1.0, 1.0].min() > -1.3:
        return (-1.0, 1.0)  # a bounded output that uses values below zero
    fits = [values for values in RANGES if ranges[values] == values] or list(RANGES)
    best = max(fits, key=lambda values: _likeness(answers[values], values, scene))
    if _likeness(answers[best], best, scene) <= 0:
        raise ValueError("what it gives has nothing to do with the picture it is given")
    return best


def _range_of(answer: Floats) -> Range:
    if answer.max() > 4:
        return (0.0, 255.0)
    return (-1.0, 1.0) if answer.min() < -0.25 else (0.0, 1.0)


def _likeness(answer: Floats, values: Range, scene: Floats) -> float:
    """Similarity of an output and the scene: correlation of the blurred lumas less their mean difference."""
    planes = _fitted((answer - values[0]) / (values[1] - values[0]), scene.shape[1:])
    masses = [cv2.blur(np.clip(picture, 0, 1).mean(0), (9, 9)).ravel() for picture in (planes, scene)]
    if min(mass.std() for mass in masses) < 1e-4:
        return -1.0
    difference = float(np.abs(masses[0] - masses[1]).mean())
    return float(np.corrcoef(masses[0], masses[1])[0, 1]) - difference


def _scene(width: int, height: int) -> Floats:
    """A random picture with the 1/f² power spectrum of real ones, RGB 0..1, float32 (3, H, W)."""
    random = np.random.default_rng(7)
    down = np.fft.fftfreq(height)[:, None] * height
    across = np.fft.rfftfreq(width)[None] * width
    spectrum = 1 / np.maximum(1.0, np.hypot(down, across))
    light = np.fft.irfft2(spectrum * np.fft.rfft2(random.standard_normal((height, width))), (height, width))
    tints = np.fft.irfft2(
        spectrum * np.fft.rfft2(random.standard_normal((3, height, width))) * 0.5, (height, width)
    )
    planes = (light + tints) / (light + tints).std() * 0.22 + 0.5
    return np.asarray(np.clip(planes, 0, 1), np.float32)


def _timed(net: Net, form: ModelForm) -> tuple[int, float]:
    """The largest height that is fast enough, or the smallest tried, and the seconds of a frame there."""
    model = CustomModel(net, form)
    found: tuple[int, float] | None = None
    for rows in (form.fixed[1],) if form.fixed else TRIED_ROWS:
        width = form.fixed[0] if form.fixed else round(rows * 16 / 9 / form.multiple) * form.multiple
        height = rows if form.fixed else max(form.multiple, round(rows / form.multiple) * form.multiple)
        seconds = _quickest(model, _scene(width, height)[None])
        if found is None or seconds <= LIVE_SECONDS:
            found = (height, seconds)
        if seconds > LIVE_SECONDS:
            break
    assert found is not None
    return found


def _quickest(model: CustomModel, frame: Floats) -> float:
    times = []
    for _ in range(_TRIES):
        since = time.perf_counter()
        model.paint(frame)
        times.append(time.perf_counter() - since)
        if times[-1] > 1:
            break
    return min(times)
