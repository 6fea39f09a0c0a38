"""What is wrong with the answers to a batch. Knows the net and tensors, nothing of where they come from."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

DOUBTED = 2.0
"""Spreads of the teacher's numbers up to which a distance counts squared: those far off are few, and count as far."""


class Relay:
    """Compares what each stage gives with what the teacher has there, and hands some of the next ones the latter.

    So each stage is taught by itself from the first step on, whatever those before it have learnt: a short way, of
    which every photo of anything shows hundreds of cases, people or not.

    Args:
        seen: What the teacher sees, (B, channels, rows, columns) each.
        helped: Of each place (places, B), whether the next stage goes on from the teacher's numbers, not from ours.
    """

    def __init__(self, seen: list[Tensor], helped: Tensor) -> None:
        self._seen, self._helped = seen, helped
        self.distances: list[Tensor] = []

    def __call__(self, place: int, given: Tensor) -> Tensor:
        """What the next stage goes on from."""
        wanted, given = self._seen[place].float(), given.float()
        self.distances.append(2 * DOUBTED * F.smooth_l1_loss(given, wanted, beta=DOUBTED))
        return torch.where(self._helped[place][:, None, None, None], wanted, given)


def imitation(logits: Tensor, wanted: Tensor) -> Tensor:
    """Cross-entropy with the teacher's answer, both (B, H, W), less the teacher's own doubt: 0 for the same answer."""
    sure = torch.sigmoid(wanted)
    return (F.softplus(logits) - F.softplus(wanted) - sure * (logits - wanted)).mean()


def likeness(logits: Tensor, labels: Tensor, weights: Tensor, known: Tensor) -> Tensor:
    """Cross-entropy, edges counting more, and one minus the overlap of each picture that shows someone.

    Args:
        logits: (B, H, W).
        labels: The same, 0..1.
        weights: The same, how much each place counts.
        known: (B,), 1 where a label is to be learnt, else 0.
    """
    entropy = ((F.softplus(logits) - labels * logits) * weights).mean((1, 2))
    found = torch.sigmoid(logits)
    both = (found * labels).sum((1, 2))
    size = labels.sum((1, 2))
    overlap = 1 - both / (found.sum((1, 2)) + size - both + 1)
    anyone = known * (size > 0.003 * labels[0].numel())
    return (entropy * known).sum() / (known.sum() + 1e-3) + 0.5 * (overlap * anyone).sum() / (anyone.sum() + 1e-3)


def losses(
    net: nn.Module,
    yuv: Tensor,
    label: tuple[Tensor, Tensor, Tensor],
    wanted: Tensor,
    seen: list[Tensor],
    helped: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """Distances at each place of the relay; from the teacher's answer; from the label.

    Args:
        net: Gives two answers.
        yuv: uint8 (B, 3, H, W).
        label: Labels, weights, and which are known: see ``likeness``; the first uint8, 0..255.
        wanted: The teacher's logits.
        seen: See ``Relay``.
        helped: The same.
    """
    x = ((yuv.float() - 128) * (1 / 64)).contiguous(memory_format=torch.channels_last)
    relay = Relay(seen, helped)
    # Half the bytes to move, where the processor has instructions for it; sums and losses stay exact.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        answers = net(x, relay)
    own, imitated = answers.float().unbind(1)
    labels, weights, known = label
    return (
        torch.stack(relay.distances),
        imitation(imitated, wanted.float()),
        likeness(own, labels.float() * (1 / 255), weights.float(), known.float()),
    )
