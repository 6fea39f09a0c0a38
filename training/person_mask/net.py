"""The net that finds people: a small U-shaped net from luma and chroma to one number a pixel. Knows no training.

A strided encoder to a sixteenth of the size and a decoder, of plain 3×3 convolutions throughout: one processor core
does their dense sums at full speed, and trains them many times as fast as depthwise ones. Nothing is computed above a
quarter of the size: the first step looks at four pixels at a time, the last makes four out of one (Shi et al. 2016).
Finer edges than that are drawn by whoever uses the net.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

MULTIPLE = 16
"""Sides of the input are multiples of it."""

ROWS, COLUMNS = 96, 160
"""Size of a 16:9 picture for the net: enough to tell who is where."""

QUARTER, EIGHTH, SIXTEENTH = 24, 48, 72
"""Channels at these shares of the size."""

FINER = 4
"""How many pixels across come out of one in the end."""


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


class Residual(nn.Module):
    """One more look around, added to what came in."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.look = Convolution(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Add the block's answer, (B, channels, H, W) as it came."""
        return x + self.look(x)


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
        self.quarter = nn.Sequential(Convolution(3, QUARTER, 7, stride=4), Residual(QUARTER))
        self.eighth = nn.Sequential(Convolution(QUARTER, EIGHTH, stride=2), Residual(EIGHTH))
        self.sixteenth = nn.Sequential(
            Convolution(EIGHTH, SIXTEENTH, stride=2), Residual(SIXTEENTH), Residual(SIXTEENTH)
        )
        self.whole = Whole(SIXTEENTH)
        self.to_eighth = Join(SIXTEENTH, EIGHTH, EIGHTH)
        self.to_quarter = Join(EIGHTH, QUARTER, QUARTER)
        self.last = nn.Conv2d(QUARTER, FINER * FINER * answers, 1)

    def features(self, x: Tensor) -> list[Tensor]:
        """What the net sees on its way, from (B, 3, H, W) around 0: eighth, sixteenth, then the decoder's steps."""
        quarter = self.quarter(x)
        eighth = self.eighth(quarter)
        low = self.whole(self.sixteenth(eighth))
        to_eighth = self.to_eighth(low, eighth)
        return [eighth, low, to_eighth, self.to_quarter(to_eighth, quarter)]

    def answer(self, features: list[Tensor]) -> Tensor:
        """Logits (B, answers, H, W) of these features."""
        return F.pixel_shuffle(self.last(features[-1]), FINER)

    def forward(self, x: Tensor) -> Tensor:
        """Logits (B, answers, H, W) of luma and chroma (B, 3, H, W) around 0."""
        return self.answer(self.features(x))


class Wearable(nn.Module):
    """The net as it ships: bytes in, probabilities out."""

    def __init__(self, net: PersonNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, yuv: Tensor) -> Tensor:
        """Probability (1, 1, H, W), 0..1, of luma and chroma uint8 (1, 3, H, W)."""
        return torch.sigmoid(self.net((yuv.float() - 128) * (1 / 64))[:, :1])
