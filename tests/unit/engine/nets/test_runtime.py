"""A net is opened on the best device that takes it, and says where it runs and why not elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from overpaint.engine.nets.runtime import available_devices, open_net
from overpaint.errors import EngineError


@pytest.fixture
def doubling(tmp_path: Path) -> Path:
    """A net that doubles a picture of any size."""
    size = [1, 3, "h", "w"]
    graph = helper.make_graph(
        [helper.make_node("Add", ["img", "img"], ["out"])],
        "doubling",
        [helper.make_tensor_value_info("img", TensorProto.FLOAT, size)],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, size)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    onnx.save(model, str(tmp_path / "doubling.onnx"))
    return tmp_path / "doubling.onnx"


def test_a_net_runs_and_tells_its_ports(doubling: Path) -> None:
    net = open_net(doubling)
    assert net.device == available_devices()[0]
    assert (net.inputs[0].name, net.inputs[0].shape) == ("img", (1, 3, None, None))
    (out,) = net.run(img=np.full((1, 3, 4, 6), 1.5, np.float32))
    assert out.shape == (1, 3, 4, 6) and (out == 3).all()


def test_the_processor_is_always_there_and_comes_last() -> None:
    assert available_devices()[-1] == "cpu"


def test_a_device_that_fails_is_passed_over_and_named(
    doubling: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: here)
    opened = onnxruntime.InferenceSession

    def without_driver(*words: object, providers: list[str]) -> object:
        if providers == ["CUDAExecutionProvider"]:
            raise RuntimeError("no CUDA driver\nand a long trace")
        return opened(*words, providers=providers)

    monkeypatch.setattr(onnxruntime, "InferenceSession", without_driver)
    net = open_net(doubling)
    assert net.device == "cpu" and net.passed_over == {"cuda": "no CUDA driver"}


def test_what_is_no_net_is_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "broken.onnx").write_bytes(b"not a net")
    with pytest.raises(EngineError, match="cannot be opened") as refused:
        open_net(tmp_path / "broken.onnx")
    assert refused.value.kind == "bad_model"


def test_a_wrong_shape_is_an_error_of_the_net_and_not_a_crash(doubling: Path) -> None:
    with pytest.raises(EngineError) as failed:
        open_net(doubling).run(img=np.zeros((2, 2), np.float32))
    assert failed.value.kind == "net_failed"
