"""The teacher, MicroAST, as torch modules that take a batch of frames with a code each. Knows no training.

Weights and strides are read from the two ONNX files (style.onnx, stylize.onnx), so that the teacher runs on
whole batches wherever torch does. It is used while training only and never ships.

Source: Wang et al., "MicroAST: Towards Super-Fast Ultra-Resolution Arbitrary Style Transfer", AAAI 2023; MIT.
"""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

CODE_ROWS, CODE_CHANNELS = 8, 64


class _Convolution(nn.Module):
    """One convolution with reflected borders, as a node of the ONNX graph describes it."""

    def __init__(self, node: onnx.NodeProto, weights: dict[str, np.ndarray]) -> None:
        super().__init__()
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        self.stride: int = attributes["strides"][0]
        self.groups: int = attributes["group"]
        self.border: int = attributes["kernel_shape"][0] // 2
        self.register_buffer("weight", torch.from_numpy(weights[node.input[1]].copy()))
        self.register_buffer("bias", torch.from_numpy(weights[node.input[2]].copy()))

    def forward(self, x: Tensor) -> Tensor:
        if self.border:
            x = functional.pad(x, (self.border,) * 4, mode="reflect")
        return functional.conv2d(
            x, self.get_buffer("weight"), self.get_buffer("bias"), self.stride, 0, 1, self.groups
        )


def _convolutions(path: Path) -> dict[str, _Convolution]:
    """Every convolution of an ONNX file by the dotted name of its layer, e.g. ``e.enc1.0``."""
    graph = onnx.load(str(path)).graph
    weights = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    return {
        node.input[1].removesuffix(".conv_layer.weight"): _Convolution(node, weights)
        for node in graph.node
        if node.op_type == "Conv"
    }


def _mean_deviation(x: Tensor) -> tuple[Tensor, Tensor]:
    x = x.float()
    mean = x.mean((2, 3), keepdim=True)
    return mean, ((x - mean).square().mean((2, 3), keepdim=True) + 1e-5).sqrt()


class Teacher(nn.Module):
    """MicroAST: picture → code (B×8×64), frame and code → frame. RGB 0..1 NCHW, sides multiples of 4."""

    def __init__(self, folder: Path) -> None:
        """Load the weights from ``style.onnx`` and ``stylize.onnx`` in a folder.

        Raises:
            FileNotFoundError: one of the files is not there.
        """
        super().__init__()
        self.style = nn.ModuleDict(
            {k.replace(".", "/"): v for k, v in _convolutions(folder / "style.onnx").items()}
        )
        self.frame = nn.ModuleDict(
            {k.replace(".", "/"): v for k, v in _convolutions(folder / "stylize.onnx").items()}
        )
        self.requires_grad_(False).eval()

    @staticmethod
    def _encode(net: nn.ModuleDict, x: Tensor) -> tuple[Tensor, Tensor]:
        """Features after the first and the second half of an encoder, at a quarter of the size."""
        for k in (0, 2, 4, 6, 8):
            x = functional.relu(net[f"e/enc1/{k}"](x))
        first = x + net["e/enc1/10/conv2"](functional.relu(net["e/enc1/10/conv1"](x)))
        return first, first + net["e/enc2/0/conv2"](functional.relu(net["e/enc2/0/conv1"](first)))

    def code(self, picture: Tensor) -> Tensor:
        """Give the style of each picture as B×8×64 numbers."""
        rows = []
        for k, features in enumerate(self._encode(self.style, picture), 1):
            rows += [*_mean_deviation(features)]
            rows += [
                self.style[f"m/{name}{k}/0"](features).mean((2, 3), keepdim=True)
                for name in ("weight", "bias")
            ]
        return torch.stack([row.flatten(1).float() for row in rows], 1)

    def _decode(self, name: str, x: Tensor, gain: Tensor, bias: Tensor) -> Tensor:
        y = functional.relu(gain * self.frame[f"d/{name}/conv1"](x) + bias * x)
        return x + gain * self.frame[f"d/{name}/conv2"](y) + bias * y

    def forward(self, frame: Tensor, code: Tensor, alpha: Tensor) -> Tensor:
        """Restyle a batch.

        Args:
            frame: B×3×H×W, RGB 0..1.
            code: B×8×64, a code for each frame.
            alpha: B, how far the features' statistics move towards the style.

        Returns:
            B×3×H×W float32, RGB 0..1.
        """
        rows = [row[..., None, None] for row in code.unbind(1)]
        alpha = alpha.view(-1, 1, 1, 1)

        def renormalise(x: Tensor, mean: Tensor, deviation: Tensor) -> Tensor:
            own_mean, own_deviation = _mean_deviation(x)
            return alpha * ((x - own_mean) / own_deviation * deviation + mean) + (1 - alpha) * x

        x = renormalise(self._encode(self.frame, frame)[1], rows[4], rows[5])
        x = renormalise(self._decode("dec1", x, rows[6], rows[7]), rows[0], rows[1])
        x = self._decode("dec2", x, rows[2], rows[3])
        for first, second in ((1, 3), (6, 8)):
            x = functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
            x = functional.relu(self.frame[f"d/dec3/{first}"](x))
            x = functional.relu(self.frame[f"d/dec3/{second}"](x))
        return self.frame["d/dec3/10"](x).float().clamp(0, 1)
