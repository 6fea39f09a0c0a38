"""Small ONNX nets, made on the spot: image to image in the forms that users bring."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Size = list[int | str]


def save_net(
    path: Path,
    nodes: list[onnx.NodeProto],
    *,
    size: Size,
    out_size: Size | None = None,
    kind: int = TensorProto.FLOAT,
    more_inputs: tuple[str, ...] = (),
    **constants: np.ndarray,
) -> Path:
    """Writes a net whose picture goes in as ``img`` and comes out as ``out``."""
    inputs = [helper.make_tensor_value_info("img", kind, size)]
    inputs += [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in more_inputs]
    graph = helper.make_graph(
        nodes,
        "small",
        inputs,
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, out_size or size)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10), str(path))
    return path


def inverting(path: Path) -> Path:
    """A net of -1..1, channels first, any size, that turns light into dark: tanh(-2x) / tanh(2)."""
    nodes = [
        helper.make_node("Mul", ["img", "slope"], ["steep"]),
        helper.make_node("Tanh", ["steep"], ["soft"]),
        helper.make_node("Mul", ["soft", "scale"], ["out"]),
    ]
    return save_net(
        path,
        nodes,
        size=[1, 3, "h", "w"],
        slope=np.float32(-2.0),
        scale=np.float32(1 / np.tanh(2)),
    )


def reddening(path: Path, size: Size | None = None, high: float = 1.0) -> Path:
    """A net of 0..``high``, channels last, that takes away green and blue, and stays within its range."""
    nodes = [
        helper.make_node("Mul", ["img", "tint"], ["tinted"]),
        helper.make_node("Clip", ["tinted", "low", "high"], ["out"]),
    ]
    return save_net(
        path,
        nodes,
        size=size or [1, "h", "w", 3],
        tint=np.array([1, 0.6, 0.4], np.float32),
        low=np.float32(0),
        high=np.float32(high),
    )
