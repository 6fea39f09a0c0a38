"""Writes the trained net as ONNX: batch normalisation folded in, weights in half precision, sizes open."""

import copy
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from person_mask.net import COLUMNS, FINER, ROWS, Convolution, PersonNet, Wearable

LARGE = 64
"""Weights of at least as many numbers are kept in half precision."""

OPSET = 17


def write(net: PersonNet, file: Path) -> None:
    """Writes a net.

    The file takes ``yuv`` uint8 (1, 3, H, W), sides multiples of 16: full-range luma, limited-range chroma; it gives
    ``person`` float32 (1, 1, H, W), 0..1.
    """
    folded = _folded(net)
    example = torch.zeros(1, 3, ROWS, COLUMNS, dtype=torch.uint8)
    partial = file.with_suffix(".part")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Wearable(folded),
            (example,),
            str(partial),
            input_names=["yuv"],
            output_names=["person"],
            dynamic_axes={"yuv": {2: "rows", 3: "columns"}, "person": {2: "rows", 3: "columns"}},
            opset_version=OPSET,
            dynamo=False,
        )
    model = onnx.load(str(partial))
    halve(model.graph)
    model.doc_string = (
        "Finds people. Trained by the Overpaint developers; distilled from a net of another architecture."
    )
    onnx.checker.check_model(model)
    onnx.save(model, str(partial))
    partial.replace(file)


def _folded(net: PersonNet) -> PersonNet:
    """A copy that answers once and has no normalisation left."""
    folded = copy.deepcopy(net).float().eval()
    last = folded.finish.last
    if last.out_channels != FINER * FINER:
        # The mean of both answers: one knows who is nobody, the other has seen more people than we can show it.
        single = nn.Conv2d(last.in_channels, FINER * FINER, 1)
        single.weight.data = last.weight.data.unflatten(0, (-1, FINER * FINER)).mean(0)
        single.bias.data = last.bias.data.unflatten(0, (-1, FINER * FINER)).mean(0)
        folded.finish.last = single
    for module in folded.modules():
        if isinstance(module, Convolution) and isinstance(module[1], nn.BatchNorm2d):
            module[0] = fuse_conv_bn_eval(module[0], module[1])
            module[1] = nn.Identity()
    return folded


def halve(graph: onnx.GraphProto) -> None:
    """Keeps large weights as float16, with a cast that the runtime does once while it loads."""
    casts = []
    for weight in graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < LARGE:
            continue
        name = weight.name
        weight.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        casts.append(onnx.helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
