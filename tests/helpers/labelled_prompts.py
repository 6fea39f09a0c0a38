"""Prompts as users type them, with what they mean; and how well the reader finds that.

One prompt a line: prompt, looks that answer it (any of them), what else must be understood, parted by
tabs. A prompt whose first look does not ship yet is left out and counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from overpaint.engine.library import looks
from overpaint.engine.prompt.reader import Reading, ranked, read_prompt

FOLDER = Path(__file__).parents[1] / "unit" / "engine" / "prompt" / "sets"

FACTS: dict[str, Callable[[Reading], bool]] = {
    "warm": lambda it: it.modifiers.warmth > 0,
    "cool": lambda it: it.modifiers.warmth < 0,
    "dark": lambda it: it.modifiers.brightness < 0,
    "bright": lambda it: it.modifiers.brightness > 0,
    "contrast": lambda it: it.modifiers.contrast > 0,
    "flat": lambda it: it.modifiers.contrast < 0,
    "vivid": lambda it: it.modifiers.saturation > 1,
    "muted": lambda it: 0 < it.modifiers.saturation < 1,
    "bw": lambda it: it.modifiers.saturation == 0,
    "weak": lambda it: it.modifiers.strength < 1,
    "strong": lambda it: it.modifiers.strength > 1,
    "thin": lambda it: it.modifiers.line_scale < 1,
    "thick": lambda it: it.modifiers.line_scale > 1,
    "no-lines": lambda it: "lines" in it.modifiers.without,
    "no-grain": lambda it: "grain" in it.modifiers.without,
    "person": lambda it: it.modifiers.subject == "person",
    # The look that paints only the room says the same.
    "background": lambda it: it.modifiers.subject == "background" or it.look.name == "painted-room",
    "face": lambda it: it.modifiers.spare_face > 0,
    "blur": lambda it: it.modifiers.background_blur > 0,
}
"""What may stand in the third column; beside these ``tint:NAME``."""


@dataclass(frozen=True, slots=True)
class LabelledPrompt:
    """One line of a set."""

    text: str
    looks: tuple[str, ...]
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """How well one set is read.

    Attributes:
        measured: Prompts whose look ships.
        left_out: Prompts whose look does not.
        first: Share whose look is one of the right ones.
        among_three: Share that have a right one among the first three.
        facts: Share of the other things said that are understood.
        misses: A line for each prompt read wrongly.
    """

    measured: int
    left_out: int
    first: float
    among_three: float
    facts: float
    misses: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.measured} prompts ({self.left_out} left out): top-1 {self.first:.1%}, "
            f"top-3 {self.among_three:.1%}, modifiers {self.facts:.1%}"
        )


def prompts(name: str) -> list[LabelledPrompt]:
    """The set of that name: ``tuning``, ``set_aside`` (before tuning) or ``fresh`` (written after it)."""
    lines = (FOLDER / f"{name}.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [LabelledPrompt(row[0], tuple(row[1].split()), tuple("".join(row[2:]).split())) for row in rows]


def measure(name: str) -> Measure:
    """Reads every prompt of a set."""
    shipped = {look.name for look in looks()}
    every = prompts(name)
    measured = [prompt for prompt in every if prompt.looks[0] in shipped]
    first = among_three = facts = 0
    misses = []
    for prompt in measured:
        reading = read_prompt(prompt.text)
        names = [look.name for look, _ in ranked(prompt.text)[:3]]
        missed = [fact for fact in prompt.facts if not _understood(reading, fact)]
        right = reading.look.name in prompt.looks
        first += right
        among_three += bool(set(names) & set(prompt.looks))
        facts += len(prompt.facts) - len(missed)
        if missed or not right:
            wanted = " or ".join(prompt.looks)
            misses.append(f"{prompt.text!r}: {wanted} {missed or ''} read as {reading.understood!r} {names}")
    stated = sum(len(prompt.facts) for prompt in measured)
    return Measure(
        measured=len(measured),
        left_out=len(every) - len(measured),
        first=first / len(measured),
        among_three=among_three / len(measured),
        facts=facts / stated,
        misses=tuple(misses),
    )


def _understood(reading: Reading, fact: str) -> bool:
    if fact.startswith("tint:"):
        tint = reading.modifiers.tint
        return tint is not None and tint.name == fact.removeprefix("tint:")
    return FACTS[fact](reading)
