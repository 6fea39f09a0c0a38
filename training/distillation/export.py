"""Writes the nets as ONNX and checks them in onnxruntime against torch. Knows the format, no training."""

import logging
import tempfile
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from distillation.nets import FRAME_MULTIPLE_PX, REFERENCE_SIDE_PX, Student, StyleEncoder

log = logging.getLogger(__name__)

VERSION = "1"
_OPSET = 17
_SMALLEST_HALVED = 256
_TOLERANCE = 0.004
"""Largest difference allowed against torch in float32, in the picture's 0..1: one grey level."""


class Stylist(nn.Module):
    """The student as it ships: strength and a memory of statistics are inputs; the file keeps no state."""

    def __init__(self, student: Student) -> None:
        super().__init__()
        self.student = student

    def forward(
        self, frame: Tensor, code: Tensor, strength: Tensor, memory: Tensor, keep: Tensor
    ) -> tuple[Tensor, Tensor]:
        """See the README of the models for shapes and ranges."""
        remembered = memory.split([2 * c for c in self.student.channels], 1)
        used = []

        def recall(site: int, own: Tensor) -> Tensor:
            used.append(own + keep * (remembered[site] - own))
            return used[-1]

        picture = self.student(frame, self.student.weaken(code, strength), recall)
        return picture, torch.cat(used, 1)


def _halve(model: onnx.ModelProto) -> None:
    """Store large weights as float16; onnxruntime widens them once, when it loads the file."""
    graph = model.graph
    casts = []
    for weight in graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < _SMALLEST_HALVED:
            continue
        stored = numpy_helper.from_array(values.astype(np.float16), f"{weight.name}.half")
        casts.append(helper.make_node("Cast", [stored.name], [weight.name], to=TensorProto.FLOAT))
        weight.CopyFrom(stored)
    for cast in reversed(casts):
        graph.node.insert(0, cast)


def _write(
    net: nn.Module,
    examples: tuple[Tensor, ...],
    names: tuple[list[str], list[str]],
    path: Path,
    facts: dict[str, str],
) -> None:
    inputs, outputs = names
    axes = {name: {2: "height", 3: "width"} for name in ("frame", "picture") if "frame" in inputs}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        raw = Path(folder) / "net.onnx"
        torch.onnx.export(
            net,
            examples,
            str(raw),
            input_names=inputs,
            output_names=outputs,
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )
        model = onnx.load(str(raw))
    _halve(model)
    model.producer_name, model.producer_version = "overpaint", VERSION
    for key, value in facts.items():
        model.metadata_props.add(key=key, value=value)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def session(path: Path) -> onnxruntime.InferenceSession:
    """Open a net on one thread of the CPU."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _check(net: nn.Module, examples: tuple[Tensor, ...], inputs: list[str], path: Path) -> float:
    """Give the largest difference of the first output between torch (float32 weights) and the file."""
    with torch.inference_mode():
        result = net(*examples)
        wanted = (result[0] if isinstance(result, tuple) else result).numpy()
    feed = {name: example.numpy() for name, example in zip(inputs, examples, strict=True)}
    return float(np.abs(session(path).run(None, feed)[0] - wanted).max())


def export(student: Student, encoder: StyleEncoder, folder: Path, steps: int) -> None:
    """Write ``style_encoder.onnx`` and ``stylist.onnx``.

    Raises:
        RuntimeError: a file does not compute what the net does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    facts = {
        "overpaint.nets": VERSION,
        "overpaint.license": "GPL-2.0-or-later",
        "overpaint.provenance": "distilled by training/ of Overpaint's repository",
        "overpaint.training_steps": str(steps),
        "overpaint.code_size": str(student.code_size),
        "overpaint.reference_side_px": str(REFERENCE_SIDE_PX),
        "overpaint.frame_multiple_px": str(FRAME_MULTIPLE_PX),
    }
    reference = torch.rand(1, 3, 8, 8).repeat_interleave(32, 2).repeat_interleave(32, 3)
    path = folder / "style_encoder.onnx"
    _write(encoder, (reference,), (["picture"], ["code"]), path, facts)
    off = _check(encoder, (reference,), ["picture"], path)
    log.info("%s: %d bytes, off by %.5f", path.name, path.stat().st_size, off)
    with torch.inference_mode():
        code = encoder(reference)
    for height, width in ((184, 320), (360, 640)):
        frame = torch.rand(1, 3, height // 8, width // 8).repeat_interleave(8, 2).repeat_interleave(8, 3)
        memory = torch.zeros(1, student.code_size)
        examples = (frame, code.clone(), torch.ones(1, 1), memory, torch.zeros(1, 1))
        names = ["frame", "code", "strength", "memory", "keep"]
        path = folder / "stylist.onnx"
        if height == 184:
            _write(Stylist(student).eval(), examples, (names, ["picture", "new_memory"]), path, facts)
        off = _check(Stylist(student).eval(), examples, names, path)
        log.info("%s at %dx%d: %d bytes, off by %.5f", path.name, width, height, path.stat().st_size, off)
        if off > _TOLERANCE:
            raise RuntimeError(f"{path} gives other pictures than the net it was made from ({off:.4f}).")
