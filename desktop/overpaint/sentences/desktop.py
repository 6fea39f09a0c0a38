"""Sentences about the app itself: its settings, folders, hotkeys and windows."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES = {
    "autostart_unknown_here": Sentence("On this system Overpaint does not know how to start by itself."),
    "hotkeys_without_x11": Sentence("There is no X11 display to take keys from."),
    "hotkeys_without_portal": Sentence(
        "This desktop has no portal that gives programs such keys.",
        "In its keyboard settings, let a key run: overpaint live privacy (or go, stop, hold, record).",
    ),
    "hotkeys_need_installation": Sentence(
        "This desktop gives such keys to installed programs only.",
        "Install Overpaint's package, or let a key of the desktop's settings run: overpaint live privacy.",
    ),
    "hotkeys_refused": Sentence(
        "The desktop's dialog was closed without keys.", "Turn them off and on to be asked again."
    ),
    "hotkey_unreadable": Sentence("{keys} is not a combination of keys.", "Take one like Ctrl+Alt+P."),
    "hotkey_too_plain": Sentence("{keys} would be taken from every other program.", "Add Ctrl, Alt or Meta."),
    "hotkey_not_on_keyboard": Sentence("This keyboard has no key {key}.", "Take another."),
    "hotkey_taken": Sentence("Another program has taken {keys} already.", "Take another combination."),
}
