"""Checkpoints of a training run: what a run that was cut off goes on with. Knows neither nets nor pictures."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch


def save(file: Path, parts: Mapping[str, Any], spent_s: float, steps: int) -> None:
    """Writes the state of nets and optimiser, by name, and how far the run is; whole or not at all."""
    partial = file.with_suffix(".part")
    states = {name: part.state_dict() for name, part in parts.items()}
    torch.save(states | {"spent_s": spent_s, "steps": steps}, partial)
    partial.replace(file)


def load(file: Path, parts: Mapping[str, Any]) -> tuple[float, int]:
    """Reads what ``save`` wrote into the same parts; returns seconds spent, and steps."""
    kept = torch.load(file, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(kept[name])
    return kept["spent_s"], kept["steps"]
