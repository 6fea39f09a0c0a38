"""What users would otherwise pick, beside our looks: CPU time of one 1920×1080 picture, in one run.

Ratios count: the machine is the same, whatever it does besides. The nets of others are only measured where
``OVERPAINT_RIVALS`` names a folder that has them (``cartoongan_light/light_shinkai.onnx``,
``microast/style.onnx`` and ``stylize.onnx``); they are slow, so once is enough.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import person_clip
from overpaint.engine import LookRequest
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.nets.runtime import open_net

Picture = NDArray[np.uint8]
OURS = ("ink comic", "oil painting", "watercolour", "pencil sketch", "anime cel", "hokusai")


def picture() -> Picture:
    capture = cv2.VideoCapture(str(person_clip()))
    read, frame = capture.read()
    capture.release()
    assert read
    return np.asarray(cv2.resize(frame, (1920, 1080), interpolation=cv2.INTER_CUBIC), np.uint8)


def webcam_script(bgr: Picture) -> Picture:
    """The cartoon of many a tutorial: bilateral filter and adaptive threshold."""
    grey = cv2.medianBlur(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), 5)
    edges = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 9, 9)
    colour = cv2.bilateralFilter(bgr, 9, 250, 250)
    return np.asarray(cv2.bitwise_and(colour, colour, mask=edges), np.uint8)


def planes(bgr: Picture, low: float, high: float) -> NDArray[np.float32]:
    rgb = np.ascontiguousarray(bgr[:, :, ::-1].transpose(2, 0, 1)[None], np.float32)
    return rgb * np.float32((high - low) / 255) + np.float32(low)


def milliseconds(work: Callable[[], object], times: int) -> float:
    spent = []
    for _ in range(times):
        since = time.process_time()
        work()
        spent.append((time.process_time() - since) * 1e3)
    return min(spent)


def test_ratios_to_what_users_would_otherwise_pick(capsys: pytest.CaptureFixture[str]) -> None:
    cv2.setNumThreads(1)
    bgr = picture()
    rivals = {
        "webcam script": milliseconds(lambda: webcam_script(bgr), 3),
        "cv2.stylization": milliseconds(lambda: cv2.stylization(bgr), 2),
        "cv2.pencilSketch": milliseconds(lambda: cv2.pencilSketch(bgr), 2),
        "cv2.edgePreservingFilter": milliseconds(lambda: cv2.edgePreservingFilter(bgr), 2),
    }
    if "OVERPAINT_RIVALS" in os.environ:
        folder = Path(os.environ["OVERPAINT_RIVALS"])
        cartoon = open_net(folder / "cartoongan_light" / "light_shinkai.onnx")
        wide = np.asarray(cv2.resize(bgr, (1920, 1088)), np.uint8)
        rivals["CartoonGAN-light"] = milliseconds(
            lambda: cartoon.run(**{cartoon.inputs[0].name: planes(wide, -1, 1)}), 1
        )
        reads, paints = (open_net(folder / "microast" / f"{name}.onnx") for name in ("style", "stylize"))
        (code,) = reads.run(img=planes(np.asarray(cv2.resize(bgr, (512, 512)), np.uint8), 0, 1))
        alpha = np.array(1, np.float32)
        rivals["MicroAST"] = milliseconds(lambda: paints.run(img=planes(bgr, 0, 1), p=code, alpha=alpha), 1)
    frame = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)
    engine = CpuEngine(threads=1)
    lines = ["", f"{'CPU ms, 1080p, one thread':32}" + "".join(f"{name:>26}" for name in rivals)]
    lines.append(f"{'':32}" + "".join(f"{cost:26.0f}" for cost in rivals.values()))
    for prompt in OURS:
        look = engine.compile(LookRequest(prompt), 1920, 1080, "clip")
        for _ in range(3):
            look.apply(frame)
        ours = milliseconds(lambda look=look: look.apply(frame), 8)  # type: ignore[misc]
        times = "".join(f"{cost / ours:24.1f} ×" for cost in rivals.values())
        lines.append(f"{look.name + f' {ours:.1f}':32}{times}")
    with capsys.disabled():
        print("\n".join(lines))
