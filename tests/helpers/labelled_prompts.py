"""Prompts as users type them, with what they mean; and how well the reader finds that.

One prompt a line: prompt, looks that answer it (any of them), what else must be understood, parted by
tabs. A prompt without looks only changes the picture. One whose first look does not ship yet is left out
and counted. In the sets of what cannot be done: prompt, words that nothing can be done with, looks of which
one is made all the same (none: the picture stays; ``*``: any, or none, for the name of a painter or a film).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from overpaint.engine.library import looks
from overpaint.engine.prompt.language.stemming import tokens
from overpaint.engine.prompt.reader import Reading, ranked, read_prompt

FOLDER = Path(__file__).parents[1] / "unit" / "engine" / "prompt" / "sets"

ANY_LOOK = "*"

FACTS: dict[str, Callable[[Reading], bool]] = {
    "warm": lambda it: it.modifiers.warmth > 0,
    "cool": lambda it: it.modifiers.warmth < 0,
    "dark": lambda it: it.modifiers.brightness < 0,
    "bright": lambda it: it.modifiers.brightness > 0,
    "contrast": lambda it: it.modifiers.contrast > 0,
    "flat": lambda it: it.modifiers.contrast < 0,
    "vivid": lambda it: it.modifiers.saturation > 1,
    "muted": lambda it: 0 < it.modifiers.saturation < 1,
    # The look in black and white says the same.
    "bw": lambda it: it.modifiers.saturation == 0 or it.look.name == "black-and-white",
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
        measured: Prompts whose look ships, or that name none.
        left_out: Prompts whose look does not.
        first: Share, of those that name looks, whose look is one of the right ones.
        among_three: Share of them that have a right one among the first three.
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


@dataclass(frozen=True, slots=True)
class BeyondMeasure:
    """How honestly a set of prompts is read that cannot be done, or not wholly.

    Attributes:
        measured: Prompts of the set.
        promises: Share of false promises: the picture changes although it should stay, or a word that nothing
            can be done with is not named.
        refusals: Share, of the prompts that name a look beside, whose look is not made.
        misses: A line for each of both.
    """

    measured: int
    promises: float
    refusals: float
    misses: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.measured} prompts: false promises {self.promises:.1%}, looks refused {self.refusals:.1%}"
        )


def beyond(name: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """A set of what cannot be done: prompt, words, looks; ``cannot_set_aside`` is from before tuning."""
    lines = (FOLDER / f"{name}.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(text, words, tuple(looks.split())) for text, words, looks in rows]


def measure_beyond(name: str) -> BeyondMeasure:
    """Reads every prompt of a set of what cannot be done."""
    promises = refusals = 0
    misses = []
    rows = beyond(name)
    for text, words, allowed in rows:
        reading = read_prompt(text)
        named = set(tokens(" ".join(reading.not_understood)))
        made = "" if reading.nothing else reading.look.name
        hidden = set(tokens(words)) - named
        kept = made in allowed or ANY_LOOK in allowed if allowed else not made
        promised, refused = bool(hidden) or not (allowed or kept), bool(allowed) and not kept
        promises, refusals = promises + promised, refusals + refused
        if promised or refused:
            misses.append(f"{text!r}: {made or 'nothing'} for {allowed or 'nothing'}, not named: {hidden}")
    mixed = sum(looks not in ((), (ANY_LOOK,)) for _, _, looks in rows)
    return BeyondMeasure(len(rows), promises / len(rows), refusals / mixed, tuple(misses))


def refused(name: str) -> list[str]:
    """The prompts of a set of what can be done of which nothing is done: false refusals."""
    return [prompt.text for prompt in prompts(name) if read_prompt(prompt.text).nothing]


def measure(name: str) -> Measure:
    """Reads every prompt of a set."""
    shipped = {look.name for look in looks()}
    every = prompts(name)
    measured = [prompt for prompt in every if not prompt.looks or prompt.looks[0] in shipped]
    first = among_three = facts = 0
    misses = []
    for prompt in measured:
        reading = read_prompt(prompt.text)
        names = [look.name for look, _ in ranked(prompt.text)[:3]]
        if reading.edits.backdrop:
            names.append("backdrop")
        missed = [fact for fact in prompt.facts if not _understood(reading, fact)]
        # A background of one colour is what the look "Backdrop" makes without a photo.
        name = "backdrop" if reading.edits.backdrop else reading.look.name
        right = not reading.nothing and (not prompt.looks or name in prompt.looks)
        first += right and bool(prompt.looks)
        among_three += bool(set(names) & set(prompt.looks))
        facts += len(prompt.facts) - len(missed)
        if missed or not right:
            wanted = " or ".join(prompt.looks) or "changes only"
            misses.append(f"{prompt.text!r}: {wanted} {missed or ''} read as {reading.understood!r} {names}")
    naming = sum(bool(prompt.looks) for prompt in measured)
    stated = sum(len(prompt.facts) for prompt in measured)
    return Measure(
        measured=len(measured),
        left_out=len(every) - len(measured),
        first=first / naming,
        among_three=among_three / naming,
        facts=facts / stated,
        misses=tuple(misses),
    )


def _understood(reading: Reading, fact: str) -> bool:
    if fact.startswith("tint:"):
        tint = reading.modifiers.tint
        return tint is not None and tint.name == fact.removeprefix("tint:")
    return FACTS[fact](reading)


@dataclass(frozen=True, slots=True)
class EditMeasure:
    """How well a set of prompts with scenes, materials, clothes and hair is read.

    Attributes:
        measured: Prompts of the set.
        done: Share of what can be done, over all prompts, that is done.
        promises: Share of false promises: the picture changes where nothing can be done, an edit is made that
            was not asked for, or something is done and a word that nothing can be done with is not named.
        refusals: Share, of the prompts of which something can be done, of which nothing is done.
        named: Share, of the prompts of which everything can be done, of which a word is named all the
            same.
        misses: A line for each prompt read wrongly.
    """

    measured: int
    done: float
    promises: float
    refusals: float
    named: float
    misses: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.measured} prompts: done {self.done:.1%}, false promises {self.promises:.1%}, "
            f"refused {self.refusals:.1%}, words named for nothing {self.named:.1%}"
        )


MADE: dict[str, Callable[[Reading], str]] = {
    "scene": lambda it: it.edits.scene,
    "backdrop": lambda it: it.edits.backdrop.name if it.edits.backdrop else "",
    "material": lambda it: it.edits.material,
    "cloth": lambda it: it.edits.cloth,
    "dye": lambda it: it.edits.dye.name if it.edits.dye else "",
    "hair": lambda it: it.edits.hair.name if it.edits.hair else "",
    "look": lambda it: it.look.name if it.understood.startswith(it.look.title) else "",
    "change": lambda it: ", ".join(it.modifiers.said) or (it.look.name if it.look.quiet else ""),
}
"""What a reading makes, by the labels of such a set; ``any`` stands for any value."""

_EDITS = ("scene", "backdrop", "material", "cloth", "dye", "hair")


def edit_prompts(name: str) -> list[tuple[str, dict[str, str], set[str]]]:
    """A set of prompts with edits: prompt, what must be done, words that nothing can be done with."""
    lines = (FOLDER / f"{name}.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [
        (text, dict(label.split("=") for label in labels.split() if label != "-"), set(tokens(words)))
        for text, labels, words in rows
    ]


def measure_edits(name: str) -> EditMeasure:
    """Reads every prompt of a set with edits."""
    rows = edit_prompts(name)
    done = asked = promises = refusals = named = 0
    misses = []
    for text, wanted, words in rows:
        reading = read_prompt(text)
        made = {kind: "" if reading.nothing else find(reading) for kind, find in MADE.items()}
        missed = [kind for kind, value in wanted.items() if not _is_made(reading, made, kind, value)]
        extra = [kind for kind in _EDITS if made[kind] and kind not in wanted]
        vain = (not wanted and not reading.nothing) or bool(extra)
        hidden = set() if reading.nothing else words - set(tokens(" ".join(reading.not_understood)))
        promises += vain or bool(hidden)
        refusals += bool(wanted) and reading.nothing
        named += bool(wanted) and not words and not reading.nothing and bool(reading.not_understood)
        asked, done = asked + len(wanted), done + len(wanted) - len(missed)
        if missed or vain or hidden:
            misses.append(f"{text!r}: {reading.understood!r}, missed {missed}, made {extra}, hidden {hidden}")
    can = sum(bool(wanted) for _, wanted, _ in rows)
    whole = sum(bool(wanted) and not words for _, wanted, words in rows)
    shares = (done / asked, promises / len(rows), refusals / can, named / whole)
    return EditMeasure(len(rows), *shares, tuple(misses))


def _is_made(reading: Reading, made: dict[str, str], kind: str, value: str) -> bool:
    if kind == "change":  # a look of the background, or one in black and white, is a change, too
        return not reading.nothing and bool(made["change"] or reading.look.group in ("background", "light"))
    return bool(made[kind]) if value == "any" else made[kind] == value
