"""Overpaint's own nets: the style encoder and the conditional student. They know no teacher, data or loss.

A style is a *code*: a gain and a bias for every channel of the student's normalised layers
(``Student.code_size`` numbers). The encoder writes it from a picture once per style, the student reads it on
every frame. Codes may be mixed linearly; mixed with the student's own ``plain`` code they weaken a style.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

REFERENCE_SIDE_PX = 256
FRAME_MULTIPLE_PX = 8
_VARIANCE_FLOOR = 1e-4

Recall = Callable[[int, Tensor], Tensor]
"""Given the number of a normalised layer and its statistics of this frame (B×2C: means, mean squares), say
which statistics to use: the frame's own, or ones remembered from the frames before it."""


def _convolution(inputs: int, outputs: int, side: int = 3, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, side, stride, (side - stride + 1) // 2)


class StyleEncoder(nn.Module):
    """Reference picture → code, from the mean and deviation of features at five scales (AdaIN's style)."""

    def __init__(self, code_size: int, hidden: int = 160) -> None:
        super().__init__()
        self.fine = _convolution(3, 16, 5, 2)
        self.strokes = _convolution(16, 48, 3, 2)
        self.strokes_again = _convolution(48, 48)
        self.shapes = _convolution(48, 64, 3, 2)
        self.shapes_again = _convolution(64, 64)
        self.masses = _convolution(64, 96, 3, 2)
        measured = 2 * (3 + 16 + 48 + 48 + 64 + 64 + 96)
        self.norm = nn.LayerNorm(measured)
        self.hidden = nn.Linear(measured, hidden)
        self.code = nn.Linear(hidden, code_size)
        with torch.no_grad():
            self.code.weight.mul_(0.3)
            self.code.bias.zero_()
            self.code.bias[: code_size // 2] = 1.0

    def features(self, picture: Tensor) -> Tensor:
        """B×3×256×256 RGB 0..1 → B×hidden."""
        x = picture * 2 - 1
        levels = [x]
        for layer in (
            self.fine,
            self.strokes,
            self.strokes_again,
            self.shapes,
            self.shapes_again,
            self.masses,
        ):
            y = functional.relu(layer(levels[-1]))
            levels.append(y + levels[-1] if y.shape == levels[-1].shape else y)
        measured: list[Tensor] = []
        for level in levels:
            wide = level.float()
            mean = wide.mean((2, 3), keepdim=True)
            measured += [mean.flatten(1), ((wide - mean).square().mean((2, 3)) + _VARIANCE_FLOOR).sqrt()]
        return functional.relu(self.hidden(self.norm(torch.cat(measured, 1))))

    def forward(self, picture: Tensor) -> Tensor:
        """B×3×256×256 RGB 0..1 → B×code_size."""
        return self.code(self.features(picture)).float()


class Student(nn.Module):
    """Frame and code → restyled frame, at a quarter and an eighth of the size; sides are multiples of 8 px.

    Every normalised layer forgets the frame's own mean and deviation and takes the style's (adaptive instance
    normalisation, Huang and Belongie 2017). The stem stays plain: normalising at a quarter of the size costs
    most, and the layers after it are normalised. What is finer than the net's cells of 4 px is painted, and
    by a gain for each cell taken from the frame: eyes and letters need not pass the bottleneck.
    """

    def __init__(self, coarse: int = 32, deep: int = 48, blocks: int = 4) -> None:
        super().__init__()
        self.stem = _convolution(3, coarse, 8, 4)
        self.down = _convolution(coarse, deep, 3, 2)
        self.body = nn.ModuleList([_convolution(deep, deep) for _ in range(2 * blocks)])
        self.up = _convolution(deep, coarse, 1)
        self.join = _convolution(coarse, coarse)
        self.paint = _convolution(coarse, 48)
        self.detail = _convolution(coarse, 3, 1)
        self.channels = [deep] * (1 + 2 * blocks) + [coarse]
        self.code_size = 2 * sum(self.channels)
        self.plain = nn.Parameter(
            torch.cat([torch.ones(self.code_size // 2), torch.zeros(self.code_size // 2)])
        )
        with torch.no_grad():
            # The sixteen pixels of a cell start out equal, so that no checkerboard has to be unlearnt.
            self.paint.weight.copy_((torch.randn(3, coarse, 3, 3) * 0.02).repeat_interleave(16, 0))
            nn.init.zeros_(self.paint.get_parameter("bias"))
            self.detail.weight.mul_(0.1)
            nn.init.constant_(self.detail.get_parameter("bias"), 2.0)

    def forward(self, frame: Tensor, code: Tensor, recall: Recall | None = None) -> Tensor:
        """Restyle a batch.

        Args:
            frame: B×3×H×W, RGB 0..1.
            code: B×code_size.
            recall: which statistics each normalised layer uses; by default those of the frame itself.

        Returns:
            B×3×H×W, RGB 0..1.
        """
        gains, biases = (half.split(self.channels, 1) for half in code.chunk(2, 1))
        site = iter(range(len(self.channels)))

        def normalise(x: Tensor) -> Tensor:
            k = next(site)
            wide = x.float()
            mean, square = wide.mean((2, 3)), (wide * wide).mean((2, 3))
            if recall is not None:
                mean, square = recall(k, torch.cat([mean, square], 1)).chunk(2, 1)
            gain = gains[k] * torch.rsqrt(functional.relu(square - mean * mean) + _VARIANCE_FLOOR)
            bias = biases[k] - mean * gain
            return x * gain[..., None, None].to(x.dtype) + bias[..., None, None].to(x.dtype)

        centred = frame - 0.5
        skip = functional.relu(self.stem(centred))
        x = functional.relu(normalise(self.down(skip)))
        for first, second in zip(self.body[::2], self.body[1::2], strict=True):
            x = x + normalise(second(functional.relu(normalise(first(x)))))
        x = functional.relu(functional.interpolate(self.up(x), scale_factor=2.0, mode="nearest") + skip)
        x = functional.relu(normalise(self.join(x)))
        # Sixteen equal channels and a shuffle: enlarging by nearest neighbours, several times faster.
        weight = self.detail.weight.repeat_interleave(16, 0)
        gain = functional.conv2d(x, weight, self.detail.get_parameter("bias").repeat_interleave(16))
        detail = functional.pixel_shuffle(gain, 4) * centred
        return torch.sigmoid(functional.pixel_shuffle(self.paint(x), 4) + detail)

    def weaken(self, code: Tensor, strength: Tensor) -> Tensor:
        """Move codes towards the one that leaves the frame as it is; strength B×1, 0..1."""
        return self.plain + strength * (code - self.plain)
