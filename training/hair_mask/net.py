"""The net that finds hair: a small U-Net (Ronneberger et al. 2015).

It sees the surroundings of one head, and says of each pixel of the person there how likely it is hair. Plain
convolutions, which a processor core does at full speed; separable ones would take as long at a third of the numbers.
Knows no training.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from person_mask.net import Convolution, Residual, Whole

SIDE = 96
"""Pixels across what the net sees."""

ACROSS, ABOVE = 7.5, 2.9
"""Width of what the net sees in radii of the face, and the way from its upper border to the face's middle."""

HALF, QUARTER, EIGHTH = 16, 28, 40
"""Channels at a half, a quarter and an eighth of the size."""

FINER = 2
"""How many pixels across come out of one in the end."""

PLANES = 4
"""Luma, both chromas, the person mask."""


class Rise(nn.Module):
    """Doubles the size and adds what the encoder kept at that size."""

    def __init__(self, low: int, out: int) -> None:
        super().__init__()
        self.low = Convolution(low, out, 1, active=False)
        self.skip = Convolution(out, out, 1, active=False)
        self.mend = Residual(out)

    def forward(self, low: Tensor, skip: Tensor) -> Tensor:
        """Join (B, low, H, W) and (B, out, 2H, 2W) to (B, out, 2H, 2W)."""
        raised = F.interpolate(self.low(low), scale_factor=2, mode="bilinear", align_corners=False)
        return self.mend(F.relu(raised + self.skip(skip)))


class HairNet(nn.Module):
    """The planes around a head to logits: above 0 is hair."""

    def __init__(self) -> None:
        super().__init__()
        self.at_half = Convolution(PLANES, HALF, 5, stride=2)
        self.at_quarter = nn.Sequential(Convolution(HALF, QUARTER, stride=2), Residual(QUARTER))
        looks = (Residual(EIGHTH, apart) for apart in (1, 2, 4))
        self.at_eighth = nn.Sequential(Convolution(QUARTER, EIGHTH, stride=2), *looks, Whole(EIGHTH), Residual(EIGHTH))
        self.to_quarter = Rise(EIGHTH, QUARTER)
        self.to_half = Rise(QUARTER, HALF)
        self.last = nn.Conv2d(HALF, FINER * FINER, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Logits (B, 1, SIDE, SIDE) of planes (B, 4, SIDE, SIDE) around 0."""
        half = self.at_half(x)
        quarter = self.at_quarter(half)
        found = self.to_half(self.to_quarter(self.at_eighth(quarter), quarter), half)
        return F.pixel_shuffle(self.last(found), FINER)


class Wearable(nn.Module):
    """The net as it ships: bytes in, probabilities out."""

    def __init__(self, net: HairNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, planes: Tensor) -> Tensor:
        """Probability (1, 1, SIDE, SIDE), 0..1, of luma, chroma and person mask uint8 (1, 4, SIDE, SIDE)."""
        return torch.sigmoid(self.net((planes.float() - 128) * (1 / 64)))
