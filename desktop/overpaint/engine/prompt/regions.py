"""Regions that a prompt names: the face, the person, the background.

Understands "only the background", "leave me alone", "keep my face natural" and "blur the room" by the
distance between words, in every language of the lexicon. Must not know looks or changes of tone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from overpaint.engine.prompt.language.lexicon import lexicon
from overpaint.engine.prompt.modifiers import Subject

TARGETS = frozenset({"face", "background", "person"})


@dataclass(frozen=True, slots=True)
class ClauseRegions:
    """The regions named in one clause.

    Attributes:
        subject: The part of the picture that is restyled.
        face: Whether the face stays natural.
        blur: Whether the background is blurred.
        used: Indices of the words that named these regions.
    """

    subject: Subject = "all"
    face: bool = False
    blur: bool = False
    used: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Mark:
    begin: int
    end: int
    means: frozenset[str]
    pronoun: bool


def read_regions(texts: Sequence[str], stems: Sequence[str]) -> ClauseRegions:
    """Reads one clause.

    Args:
        texts: Its words, stop words included.
        stems: The stem of each word.
    """
    marks = list(_marks(texts, stems))
    clause = _Clause(marks, len(texts))
    for mark in marks:
        if "face" in mark.means:
            clause.read_face(mark)
        elif "background" in mark.means:
            clause.read_background(mark)
        elif "person" in mark.means:
            clause.read_person(mark)
    return ClauseRegions(clause.subject, clause.face, clause.blur, frozenset(clause.used))


def _marks(texts: Sequence[str], stems: Sequence[str]) -> Iterator[_Mark]:
    """The longest phrases with a meaning in ``places`` or ``grammar``, from left to right."""
    known = lexicon()
    at = 0
    while at < len(texts):
        length = 1
        for length in range(min(known.longest, len(texts) - at), 0, -1):
            here = slice(at, at + length)
            means = {*_places(texts[here], stems[here]), *known.of("grammar", tuple(texts[here]))}
            if means:
                pronoun = tuple(texts[here]) in known.empty
                yield _Mark(at, at + length, frozenset(means), pronoun)
                break
        at += max(1, length)


def _places(texts: Sequence[str], stems: Sequence[str]) -> tuple[str, ...]:
    """Meanings of a phrase in ``places``; none of another word with its stem: "garden" is no *garde*."""
    known = lexicon()
    if len(texts) == 1 and texts[0] in known.words and texts[0] not in known.spelt["places"]:
        return ()
    return known.of("places", tuple(stems))


class _Clause:
    """The regions of one clause while its marks are read."""

    def __init__(self, marks: list[_Mark], length: int) -> None:
        self._marks, self._length = marks, length
        self.subject: Subject = "all"
        self.face = self.blur = False
        self.used: set[int] = set()

    def read_face(self, face: _Mark) -> None:
        """Reads ``keep my face natural``, ``except the face``, ``not my face``; ``only my face``."""
        kept = [
            *self._near(face, "keep", 3, 3),
            *self._near(face, "same", 1, 2),
            *self._near(face, "except", 2, 0),
            *self._near(face, "negation", 1, 0),
        ]
        if kept:
            self.face = True
            self._use(face, *kept, *self._near(face, "same", 4, 4))
        elif only := self._near(face, "only", 1, 0):
            self._restyle("person", face, *only)

    def read_background(self, background: _Mark) -> None:
        """Reads ``blur the room``, ``only the room``, ``leave the background``, ``paint the room``."""
        blurs = [mark for mark in self._near(background, "blur", 3, 4) if not self._denied(mark)]
        kept = [
            *self._near(background, "keep", 3, 2),
            *self._near(background, "same", 0, 2),
            *self._near(background, "except", 2, 0),
            *self._near(background, "negation", 1, 0),
        ]
        asked = [*self._near(background, "act", 2, 0), *self._near(background, "onto", 0, 0, begin=False)]
        if blurs:
            self.blur = True
            self._use(background, *blurs)
        elif only := self._near(background, "only", 2, 0):
            self._restyle("background", background, *only)
        elif kept:
            self._restyle("person", background, *kept, *self._near(background, "same", 4, 4))
        elif asked or ("behind" in background.means and not any("negation" in m.means for m in self._marks)):
            self._restyle("background", background)

    def read_person(self, person: _Mark) -> None:
        """Reads ``just me``, ``leave me alone``, ``not me``; most uses of "me" and "I" name no region."""
        kept = [
            *self._near(person, "keep", 1, 0),
            *self._near(person, "except", 1, 0),
            *self._near(person, "negation", 1, 0),
        ]
        unchanged = [*kept, *self._near(person, "same", 0, 3)] if kept else []
        only = self._near(person, "only", 1, 0)
        if only and (only[0].end <= person.begin or only[0].end == self._length or not person.pronoun):
            self._restyle("person", person, *only)
        elif unchanged:
            self._restyle("background", person, *unchanged)

    def _restyle(self, subject: Subject, *marks: _Mark) -> None:
        if self.subject == "all":
            self.subject = subject
        self._use(*marks)

    def _use(self, *marks: _Mark) -> None:
        self.used.update(index for mark in marks for index in range(mark.begin, mark.end))

    def _denied(self, mark: _Mark) -> bool:
        return bool(self._near(mark, "negation", 1, 0))

    def _near(self, mark: _Mark, meaning: str, before: int, after: int, begin: bool = True) -> list[_Mark]:
        """Marks with a meaning at most ``before`` or ``after`` words away, with no target or verb between."""
        found = []
        for other in self._marks:
            if meaning not in other.means or other is mark:
                continue
            first, second = (other, mark) if other.begin < mark.begin else (mark, other)
            room = before if second is mark else after
            if second.begin - first.end > room or (second is mark and not begin):
                continue
            between = [each for each in self._marks if first.end <= each.begin < second.begin]
            # "Paint the room but leave me alone": "but" begins a statement about another target.
            walls = TARGETS | {"act", "blur"} | ({"end"} if first is mark else set())
            if not any(each.means & walls for each in between):
                found.append(other)
        return found
