"""From free text to a look and its modifiers.

Lexical: stems of the prompt against each look's name, title, captions, keywords and hints. Every
text has a reading: misspelt words count as what they are written most like, and a prompt that names
nothing known gets the default look, and says so. Must not know passes' insides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from overpaint.engine.library import DEFAULT_LOOK, PHOTO_LOOK, Look, look_named, looks
from overpaint.engine.modifiers import MODIFYING, NEGATIONS, Modifiers, effect_of, gather, part_of
from overpaint.engine.words import likeness, stem, stems, tokens

WHOLE, NAME, CAPTION, KEYWORD, HINT, SHARED = 100.0, 9.0, 7.0, 4.0, 1.5, 0.6
"""Scores: the prompt is the name; it contains the name, a caption, a keyword, a hint; a caption's word."""

LONGER = 1.0
"""More for each further word of a phrase found."""

CLOSE = 0.62
"""Likeness of writing from which an unknown word counts as a misspelt one."""

FROM_LOW = frozenset({"rise", "print", "pixels"})
"""Passes that make the full-size luma from the half-size one: what is before them need not touch it."""

SHORTEST = 4
"""Letters of the shortest stem that is mended: shorter words are alike by chance."""

_ENDS_OF_NEGATION = frozenset(tokens("but and aber sondern only just with mit in like"))
_EMPTY_WORDS = frozenset(
    tokens(
        "a an the of in on with and or to into my me i is it as for at by like style styled look looking "
        "picture image photo make please turn this video webcam want be real ein eine im in mit und der "
        "die das stil als wie von mich bild bitte mach"
    )
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a prompt was taken to mean.

    Attributes:
        look: The look found.
        modifiers: What is changed in it.
        understood: Both in plain words, such as "Ink comic, warm, subtle".
        certain: Whether anything in the prompt named the look.
    """

    look: Look
    modifiers: Modifiers
    understood: str
    certain: bool

    @property
    def strength(self) -> float:
        """Strength of the look, 0..1, before the caller's own factor."""
        return min(1.0, self.look.strength * self.modifiers.strength)

    @property
    def line_scale(self) -> float:
        """Factor on the width of lines."""
        return self.modifiers.line_scale

    def steps(self, with_photo: bool) -> Iterator[tuple[str, Mapping[str, object]]]:
        """The passes to prepare, in order.

        Args:
            with_photo: Whether a photo's colours go in first (where the look does not do so itself).
        """
        own = [step for step in self.look.passes if not self._left_out(step.name, step.parameters)]
        if with_photo and self.look.photo == "match" and all(step.name != "match" for step in own):
            yield "match", {"half": any(step.name in FROM_LOW for step in own)}
        for step in own:
            yield step.name, step.parameters
        changes = self.modifiers
        if changes.touches_tone:
            yield (
                "tone",
                {
                    "warmth": changes.warmth,
                    "brightness": changes.brightness,
                    "contrast": changes.contrast,
                    "saturation": changes.saturation,
                },
            )

    def _left_out(self, name: str, parameters: Mapping[str, object]) -> bool:
        # A drawing that consists of its lines keeps them: "no lines" cannot mean an empty sheet.
        return name in self.modifiers.without and not parameters.get("alone", False)


def read_prompt(prompt: str, has_photo: bool = False, enhance: bool = True) -> Reading:
    """Reads a prompt.

    Args:
        prompt: Free text.
        has_photo: Whether a reference photo comes with it: it then gives the look of a prompt that
            names no medium.
        enhance: False takes the prompt literally: only a look's name, title, captions and keywords as
            they are written, no hints, no misspellings, no modifiers.

    Returns:
        The reading; every text has one.
    """
    fallback = look_named(PHOTO_LOOK if has_photo else DEFAULT_LOOK)
    words = tokens(prompt)
    if not words:
        return Reading(fallback, Modifiers(), fallback.title, True)
    exact = _exactly(words)
    if exact is not None:
        return Reading(exact, Modifiers(), exact.title, True)
    wanted, denied = _split(prompt)
    if enhance:
        wanted = _mended(wanted)
    modifiers = _modifiers(wanted, denied) if enhance else Modifiers()
    scores = {look.name: _score(look, wanted, enhance) - 2 * _score(look, denied, False) for look in looks()}
    best = max(looks(), key=lambda look: scores[look.name])
    certain = scores[best.name] > 0
    if not certain:
        best = _not_denied(fallback, scores)
        # "Warm and moody" names no medium but is wholly understood.
        certain = bool(modifiers.said)
    return Reading(best, modifiers, _say(best, modifiers, certain), certain)


def _exactly(words: list[str]) -> Look | None:
    for look in looks():
        if words in (tokens(look.name), tokens(look.title)):
            return look
    return None


def _not_denied(fallback: Look, scores: Mapping[str, float]) -> Look:
    if scores[fallback.name] >= 0:
        return fallback
    return next(look for look in looks() if scores[look.name] >= 0)


def _say(look: Look, modifiers: Modifiers, certain: bool) -> str:
    title = look.title if certain else f"{look.title} (the nearest look)"
    # A black-and-white look need not say so twice.
    return ", ".join((title, *modifiers.said))


def _split(prompt: str) -> tuple[list[str], list[str]]:
    """Stems that are asked for, and stems that are asked against. A mark of punctuation ends a negation."""
    wanted: list[str] = []
    denied: list[str] = []
    for clause in prompt.replace(";", ",").replace(".", ",").split(","):
        negative = False
        words = tokens(clause)
        for index, word in enumerate(words):
            if word in NEGATIONS:
                negative = True
            elif negative and word in _ENDS_OF_NEGATION and not _joins_colours(words, index):
                negative = False
            else:
                (denied if negative else wanted).append(stem(word))
        wanted.append("|")  # phrases do not reach over a comma
        denied.append("|")
    return wanted, denied


def _joins_colours(words: list[str], index: int) -> bool:
    return words[index] == "and" and words[index - 1 : index + 2] == ["black", "and", "white"]


def _modifiers(wanted: list[str], denied: list[str]) -> Modifiers:
    without = [part for part in map(part_of, denied) if part]
    return gather(_effects(wanted), _effects(denied), without)


def _effects(words: list[str]) -> list[str]:
    found = []
    at = 0
    while at < len(words):
        said, length = effect_of(words, at)
        if said:
            found.append(said)
        at += max(1, length)
    return found


@cache
def _phrases(name: str) -> tuple[tuple[tuple[str, ...], float], ...]:
    """A look's phrases with their scores."""
    look = look_named(name)
    rated = [(look.name, NAME), (look.title, NAME)]
    rated += [(caption, CAPTION) for caption in look.captions]
    rated += [(keyword, KEYWORD) for keyword in look.keywords]
    rated += [(hint, HINT) for hint in look.hints]
    best: dict[tuple[str, ...], float] = {}
    for text, score in rated:
        phrase = stems(text)
        best[phrase] = max(best.get(phrase, 0), score + LONGER * (len(phrase) - 1))
    return tuple(best.items())


@cache
def _caption_words(name: str) -> frozenset[str]:
    look = look_named(name)
    words = {stem(word) for text in (look.title, *look.captions) for word in tokens(text)}
    return frozenset(words - {stem(word) for word in _EMPTY_WORDS})


def _score(look: Look, words: list[str], enhance: bool) -> float:
    """Sum over the phrases found, the best whole and the others in part, and words shared with captions."""
    text = f" {' '.join(words)} "
    found = [
        (score, phrase)
        for phrase, score in _phrases(look.name)
        if (enhance or score >= KEYWORD) and f" {' '.join(phrase)} " in text
    ]
    if not found:
        shared = _caption_words(look.name) & set(words)
        return SHARED * len(shared) if enhance else 0.0
    found.sort(reverse=True)
    best, phrase = found[0]
    others = {word for _, other in found[1:] for word in other} - set(phrase)
    return best + SHARED * len(others)


@cache
def _vocabulary() -> frozenset[str]:
    """Stems that name a look: of names, titles, captions and keywords."""
    return frozenset(
        word
        for look in looks()
        for phrase, score in _phrases(look.name)
        if score >= KEYWORD
        for word in phrase
    )


@cache
def _known() -> frozenset[str]:
    """Stems that are no misspellings: the vocabulary, hints, words of modifiers and empty ones."""
    hints = {word for look in looks() for hint in look.hints for word in stems(hint)}
    return _vocabulary() | hints | MODIFYING | {stem(word) for word in _EMPTY_WORDS}


def _mended(words: list[str]) -> list[str]:
    """The same words with misspelt ones replaced by what they are written most like."""
    return [_nearest(word) if len(word) >= SHORTEST and word not in _known() else word for word in words]


def _nearest(word: str) -> str:
    best = max(sorted(_vocabulary()), key=lambda known: likeness(word, known), default=word)
    return best if likeness(word, best) >= CLOSE else word
