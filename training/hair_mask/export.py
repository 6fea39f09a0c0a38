"""Writes the trained net as ONNX: batch normalisation folded in, weights in half precision."""

import copy
import warnings
from pathlib import Path

import onnx
import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from hair_mask.net import PLANES, SIDE, HairNet, Wearable
from person_mask.export import OPSET, halve
from person_mask.net import Convolution


def write(net: HairNet, file: Path) -> None:
    """Writes a net.

    The file takes ``planes`` uint8 (1, 4, SIDE, SIDE): full-range luma, limited-range chroma, person mask; it gives
    ``hair`` float32 (1, 1, SIDE, SIDE), 0..1.
    """
    folded = copy.deepcopy(net).float().eval()
    for module in folded.modules():
        if isinstance(module, Convolution):
            module[0] = fuse_conv_bn_eval(module[0], module[1])
            module[1] = nn.Identity()
    partial = file.with_suffix(".part")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Wearable(folded),
            (torch.zeros(1, PLANES, SIDE, SIDE, dtype=torch.uint8),),
            str(partial),
            input_names=["planes"],
            output_names=["hair"],
            opset_version=OPSET,
            dynamo=False,
        )
    model = onnx.load(str(partial))
    halve(model.graph)
    _shorten(model.graph)
    model.doc_string = "Finds hair around a head. Trained by the Overpaint developers on people of their own making."
    onnx.checker.check_model(model)
    onnx.save(model, str(partial))
    partial.replace(file)


def _shorten(graph: onnx.GraphProto) -> None:
    """Gives what is within the graph short names: the exporter's take more room than many a layer."""
    outside = {port.name for port in (*graph.input, *graph.output)}
    names: dict[str, str] = {"": ""}

    def short(name: str) -> str:
        return name if name in outside else names.setdefault(name, f"v{len(names)}")

    for node in graph.node:
        node.ClearField("name")
        node.input[:] = [short(name) for name in node.input]
        node.output[:] = [short(name) for name in node.output]
    for weight in graph.initializer:
        weight.name = short(weight.name)
    del graph.value_info[:]
