"""The person in front of the desktop: answers the dialogs of the portals, and notes what was asked.

Screens and windows are chosen by a command of xdg-desktop-portal-wlr's; consent to screenshots and the keys
of shortcuts by a backend of the test's own (org.freedesktop.impl.portal.Access and GlobalShortcuts).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from jeepney import Message

from helpers.bus import Answer, BusServer

NAME = "org.freedesktop.impl.portal.desktop.person"
PATH = "/org/freedesktop/portal/desktop"
IMPL = "org.freedesktop.impl.portal."

_PORTAL = f"[portal]\nDBusName={NAME}\nInterfaces={IMPL}Access;{IMPL}GlobalShortcuts;\nUseIn=sway\n"
_PREFERRED = f"[preferred]\ndefault=wlr\n{IMPL}Access=person\n{IMPL}GlobalShortcuts=person\n"
_CHOOSER = """#!/bin/sh
cat >{home}/listed
echo asked >>{home}/choices
[ ! -s {home}/answer ] || grep "^$(cat {home}/answer)" {home}/listed | head -n 1
"""


class Person:
    """The person.

    Attributes:
        consents: Whether screenshots are allowed.
        asked: What was asked about screenshots and keys.
        keys: The keys that the desktop gives, by action; the wished ones for the others.
    """

    def __init__(self) -> None:
        home = Path(os.environ["HOME"])
        self._choices, self._answer = home / "choices", home / "answer"
        self._choices.write_text("")
        self.chooses("Monitor:")
        _write(home / ".local/share/xdg-desktop-portal/portals/person.portal", _PORTAL)
        _write(home / ".config/xdg-desktop-portal/sway-portals.conf", _PREFERRED)
        chooser = home / "chooser"
        _write(chooser, _CHOOSER.format(home=home))
        chooser.chmod(0o755)
        _write(
            home / ".config/xdg-desktop-portal-wlr/config",
            f"[screencast]\nchooser_type=dmenu\nchooser_cmd={chooser}\nmax_fps=60\n",
        )
        self.consents = True
        self.asked: list[str] = []
        self.keys: dict[str, str] = {}
        self._session = ""
        self._server = BusServer(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            NAME,
            {
                (IMPL + "Access", "AccessDialog"): self._consent,
                (IMPL + "GlobalShortcuts", "Get version"): lambda _: ("v", (("u", 1),)),
                (IMPL + "GlobalShortcuts", "CreateSession"): self._create,
                (IMPL + "GlobalShortcuts", "BindShortcuts"): self._bind,
            },
        )

    @property
    def choices(self) -> int:
        """How often a screen or window was to be chosen."""
        return self._choices.read_text().splitlines().count("asked")

    def chooses(self, answer: str) -> None:
        """Decides to choose the first "Monitor:" or "Window:" that is offered; an empty answer refuses."""
        self._answer.write_text(answer)

    def press(self, action: str) -> None:
        """Presses the keys of an action, as the compositor would tell."""
        said = (self._session, action, 1234, {})
        self._server.emit(PATH, IMPL + "GlobalShortcuts", "Activated", "osta{sv}", said)

    def close(self) -> None:
        """Leaves."""
        self._server.close()

    def _consent(self, message: Message) -> Answer:
        self.asked.append(str(message.body[3]))
        return "ua{sv}", (0 if self.consents else 1, {})

    def _create(self, message: Message) -> Answer:
        return "ua{sv}", (0, {})

    def _bind(self, message: Message) -> Answer:
        _, self._session, shortcuts, *_ = message.body
        given: list[tuple[str, dict[str, Any]]] = []
        for action, facts in shortcuts:
            self.asked.append(facts["description"][1])
            keys = self.keys.get(action, facts.get("preferred_trigger", ("s", ""))[1])
            given.append((action, {"description": facts["description"], "trigger_description": ("s", keys)}))
        return "ua{sv}", (0, {"shortcuts": ("a(sa{sv})", given)})


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
