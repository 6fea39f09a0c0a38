"""A desktop portal at the edge of the machine: it serves programs, and answers for its user."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Any

from jeepney import Message

from helpers.bus import Answer, BusServer, RefusedError, sender

PREFIX = "org.freedesktop.portal."
PATH = "/org/freedesktop/portal/desktop"


class ScriptedPortal:
    """The portal, and the user in front of it.

    Args:
        address: Of the session bus.
        interfaces: What it serves.

    Attributes:
        answer: "allow", "refuse" or "wait": what the user does when asked.
        asked: What the user was asked, in words.
        options: Options of each SelectSources.
        types: What may be chosen: 1 screens, 2 windows, 3 both.
        place: Left, top, width and height of the screen that the user chooses; None to keep it secret.
        keys: Keys that the desktop assigns, by action; "wished" for those that were wished.
        needs_installation: Whether shortcuts are given to installed programs only.
        closed: Number of requests that programs took back.
    """

    def __init__(
        self, address: str, *, interfaces: tuple[str, ...] = ("ScreenCast", "GlobalShortcuts", "Screenshot")
    ) -> None:
        self.answer = "allow"
        self.asked: list[str] = []
        self.options: list[dict[str, Any]] = []
        self.types = 3
        self.place: tuple[int, int, int, int] | None = (0, 0, 1920, 1080)
        self.keys: dict[str, str] = {}
        self.needs_installation = False
        self.picture = Path()
        self.closed = 0
        self._tokens: set[str] = set()
        self._chosen: dict[str, Any] = {}
        self._number = 0
        self.session, self.program = "", ""
        self._far_ends: list[socket.socket] = []
        served = {
            ("ScreenCast", "Get version"): lambda _: ("v", (("u", 5),)),
            ("ScreenCast", "Get AvailableSourceTypes"): lambda _: ("v", (("u", self.types),)),
            ("ScreenCast", "Get AvailableCursorModes"): lambda _: ("v", (("u", 3),)),
            ("ScreenCast", "CreateSession"): self._create,
            ("ScreenCast", "SelectSources"): self._select,
            ("ScreenCast", "Start"): self._start,
            ("ScreenCast", "OpenPipeWireRemote"): self._open,
            ("GlobalShortcuts", "Get version"): lambda _: ("v", (("u", 1),)),
            ("GlobalShortcuts", "CreateSession"): self._create_shortcuts,
            ("GlobalShortcuts", "BindShortcuts"): self._bind,
            ("Screenshot", "Get version"): lambda _: ("v", (("u", 2),)),
            ("Screenshot", "Screenshot"): self._screenshot,
        }
        methods = {(PREFIX + name, each): do for (name, each), do in served.items() if name in interfaces}
        methods[PREFIX + "Request", "Close"] = self._take_back
        self._server = BusServer(address, "org.freedesktop.portal.Desktop", methods)

    def end_cast(self) -> None:
        """The user ends the capture in the desktop's panel."""
        self._server.emit(self.session, PREFIX + "Session", "Closed", "a{sv}", ({},), self.program)

    def press(self, action: str) -> None:
        """The user presses the keys of an action."""
        said = (self.session, action, 1234, {})
        self._server.emit(PATH, PREFIX + "GlobalShortcuts", "Activated", "osta{sv}", said, self.program)

    def reassign(self, keys: dict[str, str]) -> None:
        """The user changes keys in the desktop's settings."""
        self.keys = keys
        said = (self.session, self._shortcuts(dict.fromkeys(keys, "")))
        self._server.emit(
            PATH, PREFIX + "GlobalShortcuts", "ShortcutsChanged", "oa(sa{sv})", said, self.program
        )

    def close(self) -> None:
        """Ends it."""
        self._server.close()
        for end in self._far_ends:
            end.close()

    # ---- what programs call

    def _create(self, message: Message) -> Answer:
        return self._respond(message, 0, {"session_handle": ("s", self._new_session(message))})

    def _create_shortcuts(self, message: Message) -> Answer:
        if self.needs_installation:
            raise RefusedError("An app id is required")
        return self._create(message)

    def _select(self, message: Message) -> Answer:
        options = {name: value for name, (_, value) in message.body[1].items()}
        self.options.append(options)
        self._chosen = options
        return self._respond(message, 0, {})

    def _start(self, message: Message) -> Answer:
        known = self._chosen.get("restore_token", "") in self._tokens
        if not known:
            self.asked.append({1: "a screen", 2: "a window"}[self._chosen["types"]])
            if self.answer == "wait":
                return "o", (_request(message),)
            if self.answer == "refuse":
                return self._respond(message, 1, {})
        self._tokens.discard(self._chosen.get("restore_token", ""))
        self._number += 1
        token = f"token{self._number}"
        self._tokens.add(token)
        facts: dict[str, Any] = {}
        if self.place is not None and self._chosen["types"] == 1:
            facts = {"position": ("(ii)", self.place[:2]), "size": ("(ii)", self.place[2:])}
        results = {"streams": ("a(ua{sv})", [(42, facts)])}
        if self._chosen.get("persist_mode") == 2:
            results["restore_token"] = ("s", token)
        return self._respond(message, 0, results)

    def _open(self, message: Message) -> Answer:
        near, far = socket.socketpair()
        self._far_ends.append(far)
        with near:
            return "h", (near.detach(),)

    def _bind(self, message: Message) -> Answer:
        wished = {action: facts.get("preferred_trigger", ("s", ""))[1] for action, facts in message.body[1]}
        self.asked += [facts["description"][1] for _, facts in message.body[1]]
        if self.answer == "wait":
            return "o", (_request(message),)
        if self.answer == "refuse":
            return self._respond(message, 1, {})
        return self._respond(message, 0, {"shortcuts": ("a(sa{sv})", self._shortcuts(wished))})

    def _screenshot(self, message: Message) -> Answer:
        self.asked.append("a picture of the screen")
        if self.answer == "refuse":
            return self._respond(message, 1, {})
        return self._respond(message, 0, {"uri": ("s", self.picture.as_uri())})

    def _take_back(self, message: Message) -> Answer:
        self.closed += 1
        return "", ()

    # ---- inside

    def _shortcuts(self, wished: dict[str, str]) -> list[tuple[str, dict[str, Any]]]:
        return [
            (
                action,
                {
                    "trigger_description": (
                        "s",
                        keys if self.keys.get(action, "wished") == "wished" else self.keys[action],
                    )
                },
            )
            for action, keys in wished.items()
        ]

    def _new_session(self, message: Message) -> str:
        token = message.body[-1]["session_handle_token"][1]
        self.program = sender(message)
        self.session = f"{PATH}/session/{_owner(message)}/{token}"
        return self.session

    def _respond(self, message: Message, code: int, results: dict[str, Any]) -> Answer:
        """Answers with the request's path, and, as the real one does, with its response afterwards."""
        path = _request(message)
        threading.Timer(
            0.01,
            lambda: self._server.emit(
                path, PREFIX + "Request", "Response", "ua{sv}", (code, results), sender(message)
            ),
        ).start()
        return "o", (path,)


def _owner(message: Message) -> str:
    return sender(message)[1:].replace(".", "_")


def _request(message: Message) -> str:
    return f"{PATH}/request/{_owner(message)}/{message.body[-1]['handle_token'][1]}"
