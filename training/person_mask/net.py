"""The net that finds people: a small U-shaped net from luma and chroma to one number a pixel. Knows no training.

It is a chain of short stages. What goes from one to the next is narrow and means something: what the teacher has at
that place, so that each stage can be taught by itself. Within a stage there are plain 3×3 convolutions, of which a
processor core does the dense sums at full speed, and on the lowest step a look at the whole picture. Nothing is
computed above a quarter of the size: the first step looks at four pixels at a time, the last makes four out of one (Shi
et al. 2016). Finer edges than that are drawn by whoever uses the net.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

MULTIPLE = 16
"""Sides of the input are multiples of it."""

ROWS, COLUMNS = 144, 256
"""Size of a 16:9 picture for the net, which is its teacher's: enough to tell who is where."""

BETWEEN = (16, 24, 32, 32, 128, 24, 16)
"""Channels between the stages: at a quarter, an eighth, three times at a sixteenth, then back at an eighth and a
quarter."""

QUARTER, EIGHTH, SIXTEENTH, BACK_EIGHTH, BACK_QUARTER = 24, 48, 72, 32, 24
"""Channels within the stages."""

FINER = 4
"""How many pixels across come out of one in the end."""

Between = Callable[[int, Tensor], Tensor]
"""Told what a stage gives to the next, with its place in ``BETWEEN``; says what the next one gets."""


class Convolution(nn.Sequential):
    """Convolution, batch normalisation and, unless told otherwise, a ReLU."""

    def __init__(
        self, into: int, out: int, side: int = 3, stride: int = 1, apart: int = 1, active: bool = True
    ) -> None:
        layers: list[nn.Module] = [
            nn.Conv2d(into, out, side, stride, side // 2 * apart, dilation=apart, bias=False),
            nn.BatchNorm2d(out),
        ]
        super().__init__(*layers, *([nn.ReLU(inplace=True)] if active else []))


class Residual(nn.Module):
    """One more look around, added to what came in.

    Args:
        apart: Pixels from one of its taps to the next.
    """

    def __init__(self, channels: int, apart: int = 1) -> None:
        super().__init__()
        self.look = Convolution(channels, channels, apart=apart)

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

    def __init__(self, low: int, skip: int, inner: int, out: int) -> None:
        super().__init__()
        self.low = Convolution(low, inner, 1, active=False)
        self.skip = Convolution(skip, inner, 1, active=False)
        self.mend = nn.Sequential(Convolution(inner, inner), nn.Conv2d(inner, out, 1))

    def forward(self, low: Tensor, skip: Tensor) -> Tensor:
        """Join (B, low, H, W) and (B, skip, 2H, 2W) to (B, out, 2H, 2W)."""
        raised = F.interpolate(self.low(low), scale_factor=2, mode="bilinear", align_corners=False)
        return self.mend(F.relu(raised + self.skip(skip)))


class Finish(nn.Module):
    """Logits from the last stage and the finest that the net has seen of the picture."""

    def __init__(self, low: int, skip: int, answers: int) -> None:
        super().__init__()
        self.low = Convolution(low, skip, 1, active=False)
        self.skip = Convolution(skip, skip, 1, active=False)
        self.mend = Convolution(skip, skip)
        self.last = nn.Conv2d(skip, FINER * FINER * answers, 1)

    def forward(self, low: Tensor, skip: Tensor) -> Tensor:
        """Logits (B, answers, 4H, 4W) of (B, low, H, W) and (B, skip, H, W)."""
        return F.pixel_shuffle(self.last(self.mend(F.relu(self.low(low) + self.skip(skip)))), FINER)


class PersonNet(nn.Module):
    """Luma and chroma to logits: above 0 is a person.

    Args:
        answers: Maps that come out: 1 when used; 2 while training, the second imitating the teacher.
    """

    def __init__(self, answers: int = 1) -> None:
        super().__init__()
        quarter, eighth, first, second, third, back_eighth, back_quarter = BETWEEN
        self.start = nn.Sequential(Convolution(3, QUARTER, 7, stride=4), Residual(QUARTER))
        self.quarter = nn.Conv2d(QUARTER, quarter, 1)
        self.eighth = nn.Sequential(
            Convolution(quarter, EIGHTH, stride=2), Residual(EIGHTH), nn.Conv2d(EIGHTH, eighth, 1)
        )
        self.first = _around(eighth, first, stride=2)
        self.second = _around(first, second)
        self.third = _around(second, third)
        self.back_to_eighth = Join(third, eighth, BACK_EIGHTH, back_eighth)
        self.back_to_quarter = Join(back_eighth, quarter, BACK_QUARTER, back_quarter)
        self.finish = Finish(back_quarter, QUARTER, answers)

    def forward(self, x: Tensor, between: Between = lambda _, given: given) -> Tensor:
        """Logits (B, answers, H, W) of luma and chroma (B, 3, H, W) around 0."""
        start = self.start(x)
        quarter = between(0, self.quarter(start))
        eighth = between(1, self.eighth(quarter))
        first = between(2, self.first(eighth))
        second = between(3, self.second(first))
        third = between(4, self.third(second))
        back = between(5, self.back_to_eighth(third, eighth))
        return self.finish(between(6, self.back_to_quarter(back, quarter)), start)


def _around(into: int, out: int, stride: int = 1) -> nn.Sequential:
    """A stage at a sixteenth of the size: looks near and far, and weighs by the whole picture."""
    looks = (Convolution(into, SIXTEENTH, stride=stride), Residual(SIXTEENTH, 2), Residual(SIXTEENTH))
    return nn.Sequential(*looks, Whole(SIXTEENTH), nn.Conv2d(SIXTEENTH, out, 1))


class Wearable(nn.Module):
    """The net as it ships: bytes in, probabilities out."""

    def __init__(self, net: PersonNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, yuv: Tensor) -> Tensor:
        """Probability (1, 1, H, W), 0..1, of luma and chroma uint8 (1, 3, H, W)."""
        return torch.sigmoid(self.net((yuv.float() - 128) * (1 / 64))[:, :1])
