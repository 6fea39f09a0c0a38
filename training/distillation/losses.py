"""What the student is graded by. Knows pictures and features only, no net of ours and no schedule."""

from pathlib import Path

import numpy as np
import scipy.io
import torch
from torch import Tensor, nn
from torch.nn import functional


def likeness(picture: Tensor, target: Tensor) -> Tensor:
    """Mean distance in value, in steps across and along (strokes, outlines) and in colour masses of 8 px."""
    across = (picture.diff(dim=3) - target.diff(dim=3)).abs().mean()
    along = (picture.diff(dim=2) - target.diff(dim=2)).abs().mean()
    masses = functional.avg_pool2d(picture, 8) - functional.avg_pool2d(target, 8)
    return (picture - target).abs().mean() + 0.5 * (across + along) + masses.abs().mean()


class Texture(nn.Module):
    """Distance of two pictures' textures: Gram matrices of SqueezeNet 1.1's features (Gatys et al. 2016).

    The weights (MatConvNet layout, HWIO) are used while training only.
    """

    def __init__(self, path: Path) -> None:
        """Load ``sqz_notop.mat``.

        Raises:
            FileNotFoundError: it is not there.
        """
        super().__init__()
        stored = scipy.io.loadmat(str(path))
        for name, layer in stored.items():
            if name.startswith("_"):
                continue
            weight, bias = (np.asarray(part, np.float32) for part in layer[0])
            key = name.replace("/", "_")
            self.register_buffer(f"{key}_weight", torch.from_numpy(weight.transpose(3, 2, 0, 1).copy()))
            self.register_buffer(f"{key}_bias", torch.from_numpy(bias.reshape(-1).copy()))
        self.register_buffer("mean", torch.tensor([122.679, 116.669, 104.006]).view(1, 3, 1, 1))

    def _layer(self, x: Tensor, name: str, stride: int = 1, padding: int = 0) -> Tensor:
        weight, bias = self.get_buffer(f"{name}_weight"), self.get_buffer(f"{name}_bias")
        return functional.relu(functional.conv2d(x, weight, bias, stride, padding))

    def _fire(self, x: Tensor, k: int) -> Tensor:
        x = self._layer(x, f"fire{k}_squeeze1x1")
        wide = self._layer(x, f"fire{k}_expand3x3", padding=1)
        return torch.cat([self._layer(x, f"fire{k}_expand1x1"), wide], 1)

    def grams(self, picture: Tensor) -> list[Tensor]:
        """Gram matrices of four depths, B×C×C float32, of B×3×H×W RGB 0..1."""
        x = self._layer(picture * 255 - self.get_buffer("mean"), "conv1", stride=2)
        depths = [x]
        for ks in ((2, 3), (4, 5)):
            x = functional.max_pool2d(x, 3, 2)
            for k in ks:
                x = self._fire(x, k)
                if k != 4:
                    depths.append(x)
        flat = [depth.flatten(2).float() for depth in depths]
        return [f @ f.transpose(1, 2) / f.shape[2] for f in flat]

    def forward(self, picture: Tensor, reference: Tensor) -> Tensor:
        """Mean squared distance of the Gram matrices, each relative to the reference's own size."""
        with torch.no_grad():
            wanted = self.grams(reference)
        terms = [
            (got - want).square().mean((1, 2)) / (want.square().mean((1, 2)) + 1e-6)
            for got, want in zip(self.grams(picture), wanted, strict=True)
        ]
        # Bounded: a reference of one flat colour would else outweigh all others.
        return torch.stack(terms).mean(0).clamp(max=4.0).mean()
