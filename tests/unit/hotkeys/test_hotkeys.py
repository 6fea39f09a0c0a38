"""Keys that work in every program are taken from the display, and given back."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading

import pytest

from overpaint.errors import UsageError
from overpaint.hotkeys import Combination, grab

pytestmark = pytest.mark.process


x11 = pytest.mark.skipif(
    not sys.platform.startswith("linux") or "DISPLAY" not in os.environ or shutil.which("xdotool") is None,
    reason="needs an X11 display and xdotool",
)


@pytest.mark.parametrize("text", ["P", "Shift+P", "", "Ctrl+", "Hyper+P"])
def test_a_plain_key_is_never_taken_from_every_program(text: str) -> None:
    with pytest.raises(UsageError):
        Combination.parse(text)


def test_a_combination_is_modifiers_and_a_key() -> None:
    assert Combination.parse("Ctrl+Alt+p") == Combination(frozenset({"Ctrl", "Alt"}), "P")
    assert Combination.parse("F9").key == "F9"


class Heard:
    def __init__(self) -> None:
        self.actions: list[str] = []
        self.came = threading.Condition()

    def __call__(self, action: str) -> None:
        with self.came:
            self.actions.append(action)
            self.came.notify_all()

    def wait(self, count: int) -> list[str]:
        with self.came:
            assert self.came.wait_for(lambda: len(self.actions) >= count, 10), self.actions
            return self.actions


@x11
def test_a_key_pressed_anywhere_is_heard_with_any_lock_and_no_other_key_is() -> None:
    heard = Heard()
    keys = grab({"privacy": "Ctrl+Alt+P", "hold": "Ctrl+Alt+H"}, heard)
    try:
        subprocess.run(["xdotool", "key", "p", "ctrl+p", "ctrl+alt+p"], check=True)
        assert heard.wait(1) == ["privacy"]
        subprocess.run(["xdotool", "key", "Caps_Lock", "ctrl+alt+h", "Caps_Lock"], check=True)
        assert heard.wait(2) == ["privacy", "hold"]
    finally:
        keys.close()


@x11
def test_a_key_that_is_taken_already_is_refused_and_free_after_the_end() -> None:
    first = grab({"go": "Ctrl+Alt+G"}, lambda _: None)
    with pytest.raises(UsageError, match="taken"):
        grab({"go": "Ctrl+Alt+G"}, lambda _: None)
    first.close()
    grab({"go": "Ctrl+Alt+G"}, lambda _: None).close()


@x11
def test_one_key_that_is_taken_costs_none_of_the_others() -> None:
    first = grab({"go": "Ctrl+Alt+G"}, lambda _: None)
    heard = Heard()
    second = grab({"go": "Ctrl+Alt+G", "hold": "Ctrl+Alt+H"}, heard)
    try:
        assert second.refused is not None and "Ctrl+Alt+G" in str(second.refused)
        subprocess.run(["xdotool", "key", "ctrl+alt+g", "ctrl+alt+h"], check=True)
        assert heard.wait(1) == ["hold"]
    finally:
        second.close()
        first.close()
