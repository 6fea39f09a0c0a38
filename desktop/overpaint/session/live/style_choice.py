"""The style that the user chose: prompt, reference photo, light; and the next look.

Services are told the light correction in words (``light_words``), which nobody else sees. Must not know
outputs, nor how a session is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from overpaint.errors import UsageError
from overpaint.light_words import FULL, split_light, with_light, without_light
from overpaint.photo_words import PHOTO_BEHIND
from overpaint.session.realtime.runner import SessionRunner
from overpaint.wire.live import SCENES, LookChoice
from overpaint.wire.looks import PromptReading
from overpaint.wire.media_limits import REFERENCE_MAX_BYTES
from overpaint.wire.service import PROMPT_MAX_CHARACTERS


class StyleChoice:
    """The chosen style.

    Args:
        runner: Runs the session, and has the style.
        light: Returns the chosen light correction, percent.
        changed: Called when anything shown has changed.

    Attributes:
        looks: The looks in order, and the scenes.
    """

    def __init__(self, runner: SessionRunner, light: Callable[[], int], changed: Callable[[], None]) -> None:
        self._runner = runner
        self._light = light
        self._changed = changed
        self.looks: list[LookChoice] = []

    @property
    def prompt(self) -> str:
        """The prompt as the user wrote it."""
        return without_light(self._runner.style.prompt, self._light())

    @property
    def understood(self) -> str:
        """The effective prompt, as the service reported it; empty before that."""
        understood = self._runner.facts.understood
        return split_light(understood)[0] if self._light() < FULL else understood

    @property
    def reading(self) -> PromptReading | None:
        """What the service said of a prompt's words; None where it said nothing."""
        reading = self._runner.prompts.reading
        if reading is None:
            return None
        return reading.model_copy(update={"prompt": without_light(reading.prompt, self._light())})

    def set_prompt(self, prompt: str, enhance_prompt: bool) -> None:
        """Changes the prompt."""
        worded = self.in_light(prompt)
        self._runner.set_style(replace(self._runner.style, prompt=worded, enhance_prompt=enhance_prompt))
        self._changed()

    def set_reference(self, image: bytes | None) -> None:
        """Sets or removes the reference photo (a picture file). Raises ``UsageError``."""
        if image is not None and len(image) > REFERENCE_MAX_BYTES:
            raise UsageError("reference_photo_too_large")
        self._runner.set_style(replace(self._runner.style, reference=image))
        self._changed()

    def next_look(self, step: int) -> None:
        """Changes to the look that many places after the present one, before the same scene."""
        looks = [each for each in self.looks if each.group != SCENES]
        scenes = [each for each in self.looks if each.group == SCENES]
        present, scene = split_scene(self.prompt, self.understood, scenes)
        name = look_after(present, looks, step)
        if name is not None:
            self.set_prompt(f"{name}, {scene}" if scene else name, True)

    def in_light(self, prompt: str) -> str:
        """The prompt with the words for the chosen light correction, as services are told it."""
        worded = with_light(prompt, self._light())
        return worded if len(worded) <= PROMPT_MAX_CHARACTERS else prompt

    def change_light(self, former: int) -> None:
        """Applies another light correction; ``former`` is the one before, percent."""
        style = self._runner.style
        self.set_prompt(without_light(style.prompt, former), style.enhance_prompt)


def split_scene(prompt: str, understood: str, scenes: Sequence[LookChoice]) -> tuple[str, str]:
    """Splits a prompt into the rest and its scene, which no change of the look may take away from the room.

    Args:
        prompt: The present prompt.
        understood: What the service understood: not every scene is a clause of the prompt.
        scenes: The scenes.

    Returns:
        The prompt without the clause of the scene, and the scene; empty where there is none.
    """
    titles = {_plain(PHOTO_BEHIND), *(_plain(scene.title) for scene in scenes)}
    clauses = [part.strip() for part in prompt.split(",")]
    parts = [*clauses, *(part.strip() for part in understood.split(","))]
    scene = next((part for part in parts if _plain(part) in titles), "")
    return ", ".join(part for part in clauses if part != scene), scene


def look_after(prompt: str, looks: Sequence[LookChoice], step: int) -> str | None:
    """Returns the name of the look that many places after the one that a prompt names.

    Args:
        prompt: The present prompt; one that names no look counts as before the first look.
        looks: The looks in order.
        step: Number of places; backwards when negative.

    Returns:
        A look's name; None when there are no looks.
    """
    if not looks:
        return None
    present = _plain(prompt)
    known = [{_plain(look.name), _plain(look.title)} for look in looks]
    found = next((number for number, words in enumerate(known) if present in words), None)
    if found is None:
        found = -1 if step > 0 else 0
    return looks[(found + step) % len(looks)].name


def _plain(words: str) -> str:
    return words.strip().casefold().replace("-", " ")
