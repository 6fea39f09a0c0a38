"""The net that finds people: a small U-shaped net from luma and chroma to one number a pixel. Knows no training.

A strided encoder to a sixteenth of the size, inverted residual blocks there and at an eighth (Sandler et al. 2018,
with 5×5 depthwise kernels for a wide view at few multiplications), and a decoder of plain 3×3 convolutions, whose
dense sums one processor core does fastest. The last step makes four pixels out of one, so that nothing is computed
at the size of the input.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

MULTIPLE = 16
"""Sides of the input are multiples of it."""

STEM, QUARTER, EIGHTH, SIXTEENTH = 16, 24, 48, 80


class Convolution(nn.Sequential):
    """Convolution, batch normalisation and, unless told otherwise, a ReLU."""

    def __init__(
        self, into: int, out: int, side: int = 3, stride: int = 1, groups: int = 1, active: bool = True
    ) -> None:
        layers: list[nn.Module] = [
            nn.Conv2d(into, out, side, stride, side // 2, groups=groups, bias=False),
            nn.BatchNorm2d(out),
        ]
        super().__init__(*layers, *([nn.ReLU(inplace=True)] if active else []))


class Inverted(nn.Module):
    """Widen, look around within each channel, narrow; added to what came in."""

    def __init__(self, channels: int, wide: int) -> None:
        super().__init__()
        self.widen = Convolution(channels, wide, 1)
        self.look = Convolution(wide, wide, 5, groups=wide)
        self.narrow = Convolution(wide, channels, 1, active=False)

    def forward(self, x: Tensor) -> Tensor:
        """Add the block's answer, (B, channels, H, W) as it came."""
        return x + self.narrow(self.look(self.widen(x)))


class Whole(nn.Module):
    """Weighs channels by what is in the whole picture: someone's face tells what the sleeve below belongs to."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.inner = nn.Conv2d(channels, channels // 2, 1)
        self.outer = nn.Conv2d(channels // 2, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Scale each channel of (B, channels, H, W)."""
        mean = x.mean((2, 3), keepdim=True)
        return x * torch.sigmoid(self.outer(F.relu(self.inner(mean))))


class Join(nn.Module):
    """Doubles the size and adds what the encoder kept at that size."""

    def __init__(self, low: int, skip: int, out: int) -> None:
        super().__init__()
        self.low = Convolution(low, out, 1, active=False)
        self.skip = Convolution(skip, out, 1, active=False)
        self.mend = Convolution(out, out)

    def forward(self, low: Tensor, skip: Tensor) -> Tensor:
        """Join (B, low, H, W) and (B, skip, 2H, 2W) to (B, out, 2H, 2W)."""
        raised = F.interpolate(self.low(low), scale_factor=2, mode="bilinear", align_corners=False)
        return self.mend(F.relu(raised + self.skip(skip)))


class PersonNet(nn.Module):
    """Luma and chroma to logits: above 0 is a person.

    Args:
        answers: Maps that come out: 1 when used; 2 while training, the second imitating the teacher.
    """

    def __init__(self, answers: int = 1) -> None:
        super().__init__()
        self.stem = Convolution(3, STEM, stride=2)
        self.quarter = nn.Sequential(Convolution(STEM, QUARTER, stride=2), Inverted(QUARTER, 2 * QUARTER))
        self.eighth = nn.Sequential(
            Convolution(QUARTER, EIGHTH, stride=2), Inverted(EIGHTH, 3 * EIGHTH), Inverted(EIGHTH, 3 * EIGHTH)
        )
        self.sixteenth = nn.Sequential(
            Convolution(EIGHTH, SIXTEENTH, stride=2), *(Inverted(SIXTEENTH, 2 * SIXTEENTH) for _ in range(3))
        )
        self.whole = Whole(SIXTEENTH)
        self.to_eighth = Join(SIXTEENTH, EIGHTH, 40)
        self.to_quarter = Join(40, QUARTER, 24)
        # At half the size every layer is dear: what comes up is added to the stem as it is, and answered at once.
        self.raise_to_half = nn.Conv2d(24, STEM, 1)
        self.last = nn.Conv2d(STEM, 4 * answers, 3, padding=1)

    def features(self, x: Tensor) -> list[Tensor]:
        """What the net sees on its way, from (B, 3, H, W) around 0: eighth, sixteenth, then the decoder's steps."""
        stem = self.stem(x)
        quarter = self.quarter(stem)
        eighth = self.eighth(quarter)
        low = self.whole(self.sixteenth(eighth))
        to_eighth = self.to_eighth(low, eighth)
        to_quarter = self.to_quarter(to_eighth, quarter)
        raised = F.interpolate(self.raise_to_half(to_quarter), scale_factor=2, mode="bilinear", align_corners=False)
        return [eighth, low, to_eighth, to_quarter, F.relu(raised + stem)]

    def forward(self, x: Tensor) -> Tensor:
        """Logits (B, answers, H, W) of luma and chroma (B, 3, H, W) around 0."""
        return F.pixel_shuffle(self.last(self.features(x)[-1]), 2)


class Wearable(nn.Module):
    """The net as it ships: bytes in, probabilities out."""

    def __init__(self, net: PersonNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, yuv: Tensor) -> Tensor:
        """Probability (1, 1, H, W), 0..1, of luma and chroma uint8 (1, 3, H, W)."""
        return torch.sigmoid(self.net((yuv.float() - 128) * (1 / 64))[:, :1])
