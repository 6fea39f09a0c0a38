"""The prompt reader: turns free text into a look and its modifiers.

Works by words (a lexicon, no neural net). Every text has a reading: misspelt words are corrected to the
nearest known word, and words that nothing can be done with are returned as such. A prompt of which nothing
can be done selects no look: never one that is merely near. Must not know passes' insides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from overpaint.engine.library import DEFAULT_LOOK, PHOTO_LOOK, TONE_LOOK, Look, PassSpec, look_named, looks
from overpaint.engine.prompt import look_ranking
from overpaint.engine.prompt.edits import NO_EDITS, Edits, Step
from overpaint.engine.prompt.language.lexicon import lexicon
from overpaint.engine.prompt.language.stemming import (
    as_written,
    is_hiragana,
    is_ideographic,
    split_clauses,
    stem,
    tokens,
)
from overpaint.engine.prompt.look_ranking import Word
from overpaint.engine.prompt.modifiers import Modifiers
from overpaint.engine.prompt.offered import QUESTIONS
from overpaint.engine.prompt.parser import BLANK, Wishes, take_apart
from overpaint.engine.prompt.regions import read_regions
from overpaint.engine.prompt.suggestions import suggest
from overpaint.engine.prompt.vocabulary import word_of
from overpaint.engine.suggestion import Suggestion
from overpaint.light_words import light_words, split_light

BLUR_LOOK, ROOM_LOOK, BACKDROP_LOOK = "background-blur", "painted-room", "backdrop"
"""Looks of a prompt that only blurs the background, that only names it, and that replaces it."""

SECOND_LOOK = "watercolour"
"""Look of a prompt that asks for any but the default one."""

NAMED = look_ranking.HINT
"""Score from which a look counts as named; with less it is only suggested."""

FAINT = 0.5
"""Score below which a look is ignored."""

LONGEST_READ = 120
"""Words of a prompt that are read; the rest is ignored."""

STYLE_OF = frozenset(
    {"style", "stil", "estilo", "stile", "like", "wie", "comme", "como", "come", "by", "von"}
)
"""Words after which an unknown one may be a painter, or a film."""

FROM_LOW = frozenset({"rise", "brushwork", "print", "pixels"})
"""Passes that make the full-size luma from the half-size one; passes before them need not set it."""


OF_PERSON = frozenset({"vacate", "keep", "defocus", "scene"})
"""Passes that treat person and background separately (segmentation)."""

BLUR_RADIUS = 28.0
"""Radius of the blur discs (bokeh) of a background out of focus, pixels at 1080 rows."""

BEHIND = "scene"
"""The pass that puts something behind the person, at any strength of a look that has it."""

LIGHT = "light correction"
"""The part of a prompt that stands for the light correction, as in ``resources/words``."""

_OF_CHANGES = ("parts", "palettes", "widths")
"""Tables of the lexicon whose words are a part of a change, and name no thing."""

_SIGNS = " \t\n,.;:!?…-–—()、。，！？"
"""Signs that ask for nothing; a text of other signs alone, such as emoji, is not understood."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The meaning of a prompt: look, modifiers, regions.

    Attributes:
        look: The look found.
        modifiers: The changes to it.
        understood: Both in plain words, such as "Ink comic, warm, subtle" (the effective prompt).
        nothing: Whether nothing in the prompt can be done. The look is then the default, or the photo's, for
            a stream that shows none yet; a stream that shows one keeps it.
        not_understood: The words that nothing can be done with, as the user wrote them, in their order.
        suggestions: What would do some of it; at most two.
        light: Share of the light correction, 0..1.
        edits: The changes to the frame itself, before the look.
    """

    look: Look
    modifiers: Modifiers
    understood: str
    nothing: bool = False
    not_understood: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    light: float = 1.0
    edits: Edits = field(default_factory=Edits)

    @property
    def strength(self) -> float:
        """Strength of the look, 0..1, before the caller's own factor."""
        return min(1.0, self.look.strength * self.modifiers.strength)

    @property
    def line_scale(self) -> float:
        """Factor on the width of lines."""
        return self.modifiers.line_scale

    def steps(self, with_photo: bool) -> Iterator[Step]:
        """The passes of the look to prepare, in order; those of ``edit_steps`` come before.

        Args:
            with_photo: Whether the colours of a photo are matched first, unless the look does so itself.
        """
        steps = list(self._painting(with_photo))
        if not any(name in OF_PERSON for name, _ in steps):
            steps = self._apart(steps)
        if not self.edit_steps() and any(name in OF_PERSON or name == "person" for name, _ in steps):
            # The person must be found in the frame before anything is painted over it.
            yield "person", {}
        yield from (step for step in steps if step[0] not in ("person", BEHIND))

    def edit_steps(self) -> list[Step]:
        """The passes that change the frame itself before the look: the edits, and the place of "Backdrop"."""
        made = list(self.edits.steps())
        behind = [(step.name, step.parameters) for step in self.look.passes if step.name == BEHIND]
        if behind and not made:
            made.append(("person", {}))
        return [*made, *behind]

    def _painting(self, with_photo: bool) -> Iterator[Step]:
        """The passes that paint the whole picture."""
        own = [step for step in self.look.passes if not self._left_out(step.name, step.parameters)]
        if with_photo and self.look.photo == "match" and all(step.name != "match" for step in own):
            yield "match", {"half": any(step.name in FROM_LOW for step in own)}
        for step in own:
            yield step.name, step.parameters
        if self.modifiers.touches_tone:
            tone = dict(self.modifiers.tone())
            if with_photo and any(_is_grey(step) for step in own):
                tone["saturation"] = 1.0  # the look is grey already: its only colours are the photo's tints
            yield "tone", tone

    def _apart(self, steps: list[Step]) -> list[Step]:
        """The steps, with passes for the regions that the prompt names."""
        changes = self.modifiers
        if changes.subject == "background":
            steps = [("vacate", {}), *steps, ("keep", {"part": "person"})]
        elif changes.spare_face > 0:
            steps = [*steps, ("keep", {"part": "face", "amount": changes.spare_face})]
        if changes.subject == "person":
            steps = [*steps, ("keep", {"part": "background"})]
        if changes.background_blur > 0:
            blur = {"radius": BLUR_RADIUS * min(1.5, changes.background_blur), "natural": False}
            steps = [*steps, ("defocus", blur)]
        return steps

    def _left_out(self, name: str, parameters: Mapping[str, object]) -> bool:
        # A drawing of lines alone keeps them: "no lines" cannot mean an empty sheet.
        part = "lines" if name == "inking" else name
        return part in self.modifiers.without and not parameters.get("alone", False)


def _is_grey(step: PassSpec) -> bool:
    return step.name == "tone" and step.parameters.get("saturation") == 0


def read_prompt(
    prompt: str, has_photo: bool = False, enhance: bool = True, own: Sequence[Look] = ()
) -> Reading:
    """Reads a prompt.

    Args:
        prompt: Free text, in any language of the lexicon.
        has_photo: Whether a reference photo comes with it. The photo then gives the look of a prompt that
            names no medium.
        enhance: False takes the prompt literally: only a look's name, title, captions and keywords as
            they are written, no hints, no misspellings, no modifiers.
        own: The user's own looks; a prompt that contains the whole title of one selects it.

    Returns:
        The reading; every text has one.
    """
    rest, percent = split_light(prompt)
    reading = _read(rest, has_photo, enhance, own)
    if percent is not None:
        said = light_words(percent) if percent > 0 else f"no {LIGHT}"
        understood = f"{reading.understood}, {said}" if said else reading.understood
        return replace(reading, understood=understood, light=percent / 100)
    # The same in other words, and other languages.
    return replace(reading, light=0.0) if LIGHT in reading.modifiers.without else reading


def _read(prompt: str, has_photo: bool, enhance: bool, own: Sequence[Look]) -> Reading:
    words = tokens(prompt)
    default = look_named(PHOTO_LOOK if has_photo else DEFAULT_LOOK)
    if not words and (signs := prompt.strip(_SIGNS)):
        return Reading(default, Modifiers(), default.title, True, tuple(signs.split()))
    exact = _exactly(words) if words else default
    if exact is not None and _titled(words, own) is None:
        return Reading(exact, Modifiers(), exact.title)  # without loading the lexicon
    named = _titled(words, (*own, *_places_in_title()))
    if named is not None:  # the words of a title are no modifiers
        prompt = f" {' '.join(words)} ".replace(f" {' '.join(tokens(named.title))} ", " , ")
    wishes = _wishes(prompt, enhance)
    modifiers = wishes.modifiers if enhance else Modifiers()
    order = _order(wishes, has_photo, enhance)
    best, score = (named, NAMED) if named is not None else order[0]
    edits = wishes.edits
    painted = _painted_over(order) if has_photo and enhance and named is None else None
    if painted is not None:  # "watercolour, my photo as background"
        best, score, edits = *painted, replace(edits, scene="", backdrop=None, photo=True)
    vain = frozenset(_in_vain(wishes, best.name))
    asked = any(word.text in QUESTIONS for word in wishes.source[:1])
    if 0 < score < look_ranking.GENERAL and (asked or _only_hints(wishes, best.name, vain)):
        best, score = _fallback(modifiers, has_photo, enhance, {}), 0.0
    # "Warm and moody" names no look but is understood.
    changed = bool(edits) or (score == 0 and not asked and _changes(wishes, modifiers, vain))
    nothing = score < NAMED and not changed and not _denies(wishes)
    replaced = edits.scene or edits.backdrop
    if edits and (score < NAMED or (replaced and best.name in (BACKDROP_LOOK, ROOM_LOOK))):
        best, score = default if has_photo else look_named(TONE_LOOK), 0.0  # a jacket paints nothing over it
    nearest = best.title if nothing and score > 0 else ""
    behind = edits.photo or (best.name == BACKDROP_LOOK and has_photo)
    if nothing:
        best, modifiers = default, Modifiers()
    return Reading(
        best,
        modifiers,
        _say(best, modifiers, edits, unnamed=score < NAMED and bool(edits) and not has_photo),
        nothing,
        _not_understood(wishes, nothing, vain),
        suggest(wishes.beyond, behind, _artist(wishes), nearest),
        edits=edits,
    )


def _painted_over(order: Sequence[tuple[Look, float]]) -> tuple[Look, float] | None:
    """The look that a prompt names beside the photo as background, and its score; None without both."""
    named = [(look, score) for look, score in order if score >= look_ranking.KEYWORD * look_ranking.LATER]
    if all(look.name != BACKDROP_LOOK for look, _ in named):
        return None
    photo = (PHOTO_LOOK, TONE_LOOK)  # "my photo" names them, too
    return next((each for each in named if each[0].group != "background" and each[0].name not in photo), None)


def _changes(wishes: Wishes, modifiers: Modifiers, vain: frozenset[int]) -> bool:
    """Returns whether a prompt that names no look asks for a change that can be done.

    Beside what nothing can be done with only a change of tone or a blur is one: "a bit more hair", "get my
    colleague behind me out" ask for no weaker look, and for none of the room. A tone beside such words in
    one clause describes them: "orange juice", "sun salutation".
    """
    if vain or wishes.leftovers or _nouns(wishes):
        tones = any(
            taken and vain.isdisjoint(origins)
            for taken, origins in zip(wishes.taken, wishes.origins, strict=True)
        )
        return (
            modifiers.touches_tone and (tones or modifiers.saturation == 0)
        ) or modifiers.background_blur > 0
    return bool(modifiers.said)


def ranked(prompt: str, has_photo: bool = False) -> list[tuple[Look, float]]:
    """The looks that a prompt may mean, best first.

    Args:
        prompt: Free text.
        has_photo: As for ``read_prompt``.

    Returns:
        Looks with their scores. The first is the one that ``read_prompt`` chooses; it alone may have a
        score of 0, when nothing in the prompt names it.
    """
    words = tokens(prompt)
    if not words:
        return [(look_named(PHOTO_LOOK if has_photo else DEFAULT_LOOK), 0.0)]
    order = _order(_wishes(prompt, True), has_photo, True)
    exact = _exactly(words) or _titled(words, _places_in_title())
    if exact is None:
        return order
    first = 1.0 + max(score for _, score in order)
    return [(exact, first), *(entry for entry in order if entry[0] != exact and entry[1] > 0)]


def _order(wishes: Wishes, has_photo: bool, enhance: bool) -> list[tuple[Look, float]]:
    scores = look_ranking.scores(wishes.clauses, wishes.taken, literal=not enhance)
    found = [(look, scores[look.name]) for look in looks() if scores.get(look.name, 0.0) > 0]
    found.sort(key=lambda entry: -entry[1])
    if found and found[0][1] >= (NAMED if enhance and wishes.modifiers.said else FAINT):
        return found
    fallback = _fallback(wishes.modifiers, has_photo, enhance, scores)
    return [(fallback, 0.0), *(entry for entry in found if entry[0] != fallback)]


def _fallback(modifiers: Modifiers, has_photo: bool, enhance: bool, scores: Mapping[str, float]) -> Look:
    """The default look of a prompt that names none: a prompt about tone alone must not get ink lines."""
    likely = [PHOTO_LOOK] if has_photo else []
    if enhance and modifiers.background_blur:
        likely.append(BLUR_LOOK)
    if enhance and modifiers.touches_tone:
        likely.append(TONE_LOOK)
    if enhance and modifiers.subject == "background":
        likely.append(ROOM_LOOK)
    shipped = {look.name: look for look in looks()}
    names = [*likely, DEFAULT_LOOK, SECOND_LOOK, *shipped]
    return next(shipped[name] for name in names if name in shipped and scores.get(name, 0.0) >= 0)


def _exactly(words: Sequence[str]) -> Look | None:
    return _by_title().get(tuple(words))


@cache
def _by_title() -> Mapping[tuple[str, ...], Look]:
    texts = ((text, look) for look in looks() for text in (look.name, look.title))
    return {tuple(tokens(text)): look for text, look in texts}


@cache
def _places_in_title() -> tuple[Look, ...]:
    """Looks whose title holds a word for a region: "painted room" is a title, not a request for a region."""
    titles = ((look, tokens(look.title)) for look in looks())
    return tuple(look for look, words in titles if read_regions(words, [stem(word) for word in words]).used)


def _titled(words: list[str], known: Sequence[Look]) -> Look | None:
    """The look whose whole title the words contain; of several, the one with the longest title."""
    text = f" {' '.join(words)} "
    said = [look for look in known if f" {' '.join(tokens(look.title))} " in text]
    return max(said, key=lambda look: len(look.title), default=None)


def _not_understood(wishes: Wishes, nothing: bool, vain: frozenset[int]) -> tuple[str, ...]:
    """The leftovers as the user wrote them; of a prompt without any of which nothing is done, every word."""
    left, source = sorted(vain.union(wishes.leftovers)), wishes.source
    if nothing:
        left = sorted({*left, *_nouns(wishes)})
        left = left or [at for at in range(len(source)) if (source[at].text,) not in lexicon().empty]
        left = left or list(range(len(source)))
    words: list[str] = []
    for before, at in zip((None, *left), left, strict=False):
        word = wishes.source[at].written
        if before == at - 1 and is_ideographic(words[-1][-1]) and is_ideographic(word):
            words[-1] += word  # such a script does not mark where words end
        else:
            words.append(word)
    return tuple(words)


def _in_vain(wishes: Wishes, look: str) -> Iterator[int]:
    """Indices of the words that did nothing: they name no look and no change, and only hint at other looks.

    Such is the ice of "pop art with an ice cream".
    """
    known = lexicon()
    tables = (*_OF_CHANGES, "wearing") if wishes.edits else _OF_CHANGES
    for words, origins, taken in zip(wishes.clauses, wishes.origins, wishes.taken, strict=True):
        found = look_ranking.spans([word.stem for word in words])
        named = [
            span for span, worth in found if look in worth or max(worth.values()) >= look_ranking.GENERAL
        ]
        used = {at for span in (*named, *taken) for at in range(span.begin, span.end)}
        for at, word in enumerate(words):
            grammar = set(known.of("grammar", (word.text,))) - {"nouns"}
            changes = any(known.of(table, (word.stem,)) for table in tables)
            letter = len(word.text) < 2 and (not is_ideographic(word.text) or is_hiragana(word.text))
            single = letter or word.text[0].isdigit()
            small = grammar or changes or single or origins[at] in wishes.plain
            if word.stem and at not in used and not small and not word.denied:
                yield origins[at]


def _only_hints(wishes: Wishes, look: str, vain: frozenset[int]) -> bool:
    """Returns whether what hints at a look stands beside a word in vain: "ice block" is no pixel art."""
    sure = {at for at in vain if wishes.source[at].sure == 1}
    for words, origins in zip(wishes.clauses, wishes.origins, strict=True):
        found = look_ranking.spans([word.stem for word in words])
        if any(look in worth for _, worth in found) and not sure.isdisjoint(origins):
            return True
    return False


def _nouns(wishes: Wishes) -> list[int]:
    """Indices of the common nouns and verbs, which are in vain where nothing else is done."""
    known = lexicon()
    return [at for at, word in enumerate(wishes.source) if "nouns" in known.of("grammar", (word.text,))]


def _denies(wishes: Wishes) -> bool:
    """Returns whether a prompt asks for any look but one: "not a comic"."""
    sure = [[word if word.sure == 1 else BLANK for word in words] for words in wishes.clauses]
    return any(score < 0 for score in look_ranking.scores(sure, wishes.taken, True).values())


def _artist(wishes: Wishes) -> str:
    """The unknown words of a prompt that asks for somebody's style."""
    if not any(word.text in STYLE_OF for word in wishes.source):
        return ""
    return " ".join(wishes.source[at].written for at in wishes.leftovers if not wishes.source[at].known)


def _say(look: Look, modifiers: Modifiers, edits: Edits = NO_EDITS, unnamed: bool = False) -> str:
    own = look.title.casefold()
    # The look "Black and white" need not say so twice.
    said = [*edits.said, *(said for said in modifiers.said if said != own)]
    if unnamed and said:
        return f"{said[0][0].upper()}{', '.join(said)[1:]}"
    return ", ".join((look.title, *said))


def _wishes(prompt: str, enhance: bool) -> Wishes:
    read: list[Sequence[Word]] = []
    left = LONGEST_READ
    for clause in split_clauses(prompt):
        words = as_written(clause)[:left]
        if words:
            read.append([word_of(text, own, enhance) for text, own in words])
        left -= len(words)
    return take_apart(read, enhance)
