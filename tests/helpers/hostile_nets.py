"""ONNX files that reach for other files, for programs, for time or for memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from helpers.small_nets import Size, save_net

ANY: Size = [1, 3, "h", "w"]
COPY = helper.make_node("Identity", ["img"], ["out"])


def _changed(path: Path, change: Callable[[onnx.ModelProto], None], *nodes: onnx.NodeProto) -> Path:
    model = onnx.load(str(save_net(path, list(nodes) or [COPY], size=ANY)), load_external_data=False)
    change(model)
    path.write_bytes(model.SerializeToString())
    return path


def _outside(tensor: onnx.TensorProto, place: str = "weights.bin") -> onnx.TensorProto:
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=place)
    return tensor


def _weight(name: str = "weight") -> onnx.TensorProto:
    return numpy_helper.from_array(np.ones(1, np.float32), name)


def external_weights(path: Path) -> Path:
    """Adds weights that lie in another file, which is there."""
    (path.parent / "weights.bin").write_bytes(np.ones(1, np.float32).tobytes())
    scaled = helper.make_node("Mul", ["img", "weight"], ["out"])
    return _changed(path, lambda model: model.graph.initializer.append(_outside(_weight())), scaled)


def external_constant(path: Path) -> Path:
    """The same in a constant of a branch."""
    (path.parent / "weights.bin").write_bytes(np.ones(1, np.float32).tobytes())

    def branch(name: str) -> onnx.GraphProto:
        made = helper.make_node("Constant", [], [name], value=_outside(_weight()))
        nodes = [made, helper.make_node("Mul", ["img", name], [f"{name}_out"])]
        return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(f"{name}_out", 1, ANY)])

    def change(model: onnx.ModelProto) -> None:
        model.graph.initializer.append(numpy_helper.from_array(np.array(True), "yes"))

    choice = helper.make_node("If", ["yes"], ["out"], then_branch=branch("a"), else_branch=branch("b"))
    return _changed(path, change, choice)


def external_sparse(path: Path) -> Path:
    """The same in a sparse tensor."""

    def change(model: onnx.ModelProto) -> None:
        sparse = model.graph.sparse_initializer.add()
        sparse.values.CopyFrom(_outside(_weight()))

    return _changed(path, change)


def other_file(path: Path) -> Path:
    """A compiled context in another file."""
    node = helper.make_node(
        "EPContext", ["img"], ["out"], domain="com.microsoft", embed_mode=0, ep_cache_context="../secret"
    )
    return _changed(path, _with_domain("com.microsoft"), node)


def custom_operator(path: Path) -> Path:
    """An operator out of a library."""
    node = helper.make_node("Shell", ["img"], ["out"], domain="org.strange")
    return _changed(path, _with_domain("org.strange"), node)


def _with_domain(name: str) -> Callable[[onnx.ModelProto], None]:
    return lambda model: model.opset_import.append(helper.make_opsetid(name, 1))


def endless_loop(path: Path) -> Path:
    """A loop that goes on for as long as its own condition says, which is for ever."""
    kinds = [("turn", TensorProto.INT64, []), ("go", TensorProto.BOOL, []), ("seen", TensorProto.FLOAT, ANY)]
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Identity", ["seen"], ["next"])],
        "body",
        [helper.make_tensor_value_info(*kind) for kind in kinds],
        [
            helper.make_tensor_value_info("on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("next", TensorProto.FLOAT, ANY),
        ],
    )

    def change(model: onnx.ModelProto) -> None:
        model.graph.initializer.append(numpy_helper.from_array(np.array(True), "yes"))

    return _changed(path, change, helper.make_node("Loop", ["", "yes", "img"], ["out"], body=body))


def loop_in_a_function(path: Path) -> Path:
    """A loop that stands in a function of the file."""

    def change(model: onnx.ModelProto) -> None:
        looped = onnx.load(str(endless_loop(path.with_name("looped.onnx")))).graph.node[0]
        inner = helper.make_function(
            "com.microsoft", "Gentle", ["img", "yes"], ["out"], [looped], [helper.make_opsetid("", 17)]
        )
        model.functions.append(inner)

    return _changed(path, change)


def redefined_operator(path: Path) -> Path:
    """A function of the name of an operator."""

    def change(model: onnx.ModelProto) -> None:
        opset = [helper.make_opsetid("", 17)]
        model.functions.append(helper.make_function("ai.onnx", "Identity", ["a"], ["b"], [], opset))

    return _changed(path, change)


def wide(path: Path) -> Path:
    """A net that needs gigabytes for a small picture."""
    nodes = [
        helper.make_node("Expand", ["img", "shape"], ["wide"]),
        helper.make_node("ReduceMean", ["wide"], ["out"], axes=[0], keepdims=1),
    ]
    return save_net(path, nodes, size=ANY, shape=np.array([60_000, 3, 1, 1], np.int64))


def long(path: Path, steps: int = 4000) -> Path:
    """A net that is at its end after minutes."""
    names = ["img", *(f"t{step}" for step in range(steps)), "out"]
    nodes = [helper.make_node("Sin", [names[at]], [names[at + 1]]) for at in range(steps)]
    nodes.append(helper.make_node("Identity", [names[steps]], ["out"]))
    return save_net(path, nodes, size=ANY)


def huge_picture(path: Path) -> Path:
    """A net of one size, which is that of a wall."""
    return save_net(path, [COPY], size=[1, 3, 100_000, 100_000])
