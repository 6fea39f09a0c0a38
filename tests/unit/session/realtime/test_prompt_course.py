"""A prompt that changed nothing is not the one that the next session starts with."""

from __future__ import annotations

from overpaint.session.realtime.events import Style
from overpaint.session.realtime.prompt_course import PromptCourse
from overpaint.wire.looks import PromptReading


def refused(prompt: str) -> PromptReading:
    return PromptReading(prompt=prompt, not_understood=tuple(prompt.split()), unchanged=True)


def asked(*prompts: str) -> PromptCourse:
    course = PromptCourse()
    for prompt in prompts:
        course.ask(Style(prompt))
    return course


def test_a_refused_prompt_gives_way_to_the_one_before() -> None:
    course = asked("watercolour", "red jacket")
    style = Style("red jacket", reference=b"photo")
    assert course.answered(style, refused("red jacket")) == Style("watercolour", reference=b"photo")
    assert course.reading == refused("red jacket")


def test_a_first_prompt_that_is_refused_leaves_none() -> None:
    assert asked("qwertz").answered(Style("qwertz"), refused("qwertz")) == Style("")


def test_a_newer_prompt_is_not_taken_back_by_a_late_answer() -> None:
    course = asked("watercolour", "red jacket", "oil painting")
    assert course.answered(Style("oil painting"), refused("red jacket")) == Style("oil painting")
    assert course.reading is None, "it is about another prompt"
    assert course.answered(Style("oil painting"), None) == Style("oil painting")


def test_two_refused_prompts_in_a_row_give_way_to_the_last_that_changed_something() -> None:
    course = asked("watercolour", "red jacket", "qwertz")
    style = course.answered(Style("qwertz"), refused("red jacket"))
    assert course.answered(style, refused("qwertz")) == Style("watercolour")


def test_words_that_were_left_over_stay_until_another_prompt_is_asked_for() -> None:
    course = asked("watercolour with a hat")
    reading = PromptReading(prompt="watercolour with a hat", not_understood=("hat",))
    assert course.answered(Style("watercolour with a hat"), reading) == Style("watercolour with a hat")
    assert course.reading == reading
    course.ask(Style("watercolour with a hat"))
    assert course.reading == reading
    course.ask(Style("watercolour"))
    assert course.reading is None


def test_a_session_that_confirms_the_prompt_before_does_not_hide_what_was_refused() -> None:
    course = asked("watercolour", "red jacket")
    style = course.answered(Style("red jacket"), refused("red jacket"))
    assert course.answered(style, None) == Style("watercolour")
    assert course.reading == refused("red jacket")
