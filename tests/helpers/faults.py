"""A fault: what is done to a call, what must hold afterwards, and the table of all that were tried."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from helpers.on_air import PRICE, Link, OnAir, Seen

HELD_MS, BACK_HERE_S, BACK_ELSEWHERE_S = 100, 3.0, 5.0
"""What is aimed at; beyond it a figure is marked."""


FIRST_LOOK = "Black and white"
UNREAD = 30
"""Frames at the camera in which one look may fade into another, or bits be few, repeated ones included."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the service is, and how frames cross."""

    name: str
    link: Link
    remote: bool


HERE = Place("here", "shared_memory", False)
HERE_RTC = Place("here, WebRTC", "webrtc", False)
ELSEWHERE = Place("elsewhere", "webrtc", True)
BY_ADDRESS = Place("by address", "shared_memory", True)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    Attributes:
        name: For the table.
        place: Where the call has its service.
        act: Does it, within ``call.fault``, and whatever a user or an administrator would do then.
        sessions: How many have been paid for afterwards.
        understood: The look that is in force afterwards.
        ttl_seconds: Lifetime of a session.
        credits: Of the account at first, where the service is elsewhere.
        stops_writer: Whether it stops the very process that feeds the camera.
        seconds: How long the call may take to go on by itself.
        holds: Waits for what else is to be so afterwards.
        disk: The folder of the call that has a small disk of its own.
        within_s: How long the camera may go without a new frame.
        unread: Frames in which no stamp may be legible. A link that takes its way for a narrow one at first
            has too few bits for the watermark's chessboard; a window may be captured between its new size
            and its new picture.
    """

    name: str
    place: Place
    act: Callable[[OnAir], None]
    sessions: int = 1
    understood: str = FIRST_LOOK
    ttl_seconds: int = 600
    credits: int = 1000
    stops_writer: bool = False
    seconds: float = 60.0
    holds: Callable[[OnAir], None] = lambda call: None
    disk: str = ""
    unread: int = 0
    within_s: float | None = None

    def __str__(self) -> str:
        return f"{self.name}, {self.place.name}"

    def on(self, call: OnAir) -> Seen:
        """Does it to a call that is on air, and waits until that goes on."""
        self.act(call)
        call.recover(self.understood, self.seconds)
        self.holds(call)
        return call.seen_since()

    def run(self, folder: Path, clip: Path) -> Row:
        """Does it to a call of its own, from the beginning to the last credit."""
        place = self.place
        call = OnAir(
            folder,
            clip,
            place.link,
            remote=place.remote,
            ttl_seconds=self.ttl_seconds,
            credits=self.credits,
        )
        try:
            seen = self.on(call)
            sessions, credits = call.paid()
        finally:
            call.close()
        return Row(self, seen, sessions, credits)


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a fault.

    Attributes:
        fault: The fault.
        seen: At the camera.
        sessions: Paid for in all.
        credits: Charged in all.
    """

    fault: Fault
    seen: Seen
    sessions: int
    credits: int

    def check(self) -> None:
        """What must hold on any machine, however slow; and on an idle one, how long it may take."""
        faded = UNREAD if self.fault.understood != FIRST_LOOK else 0
        check(self.seen, unread=max(faded, self.fault.unread))
        assert self.sessions == self.fault.sessions, (
            f"{self.sessions} sessions, {self.fault.sessions} expected"
        )
        assert self.credits == PRICE * self.fault.sessions
        within_s = self.fault.within_s
        assert within_s is None or self.seen.still_s <= within_s, f"no new frame for {self.seen.still_s} s"

    @property
    def late(self) -> list[str]:
        """Which times are beyond what is aimed at."""
        aim_s = BACK_ELSEWHERE_S if self.fault.place.remote else BACK_HERE_S
        held = self.seen.held_ms > HELD_MS and not self.fault.stops_writer
        return [*(["held"] if held else []), *(["back"] if self.seen.back_s > aim_s else [])]

    def facts(self) -> dict[str, object]:
        """For a file."""
        return {
            "fault": self.fault.name,
            "place": self.fault.place.name,
            "link": self.fault.place.link,
            **asdict(self.seen),
            "sessions": self.sessions,
            "credits": self.credits,
            "late": self.late,
        }


def check(seen: Seen, *, unread: int = 0) -> None:
    """What no fault may bring about; a look that fades into another shows two frames at once for a moment."""
    assert seen.raw == 0, f"{seen.raw} raw frames reached the camera"
    assert seen.black == 0, f"{seen.black} black frames"
    assert seen.torn <= unread, f"{seen.torn} torn frames"


def table(rows: list[Row]) -> str:
    """For a person to read."""
    lines = [
        "| fault | service | no frame, ms | no new frame, s | back, s | slates | raw | sessions | late |"
    ]
    lines.append("| --- " * 9 + "|")
    for row in rows:
        seen = row.seen
        held = f"{seen.held_ms}{' (stopped)' if row.fault.stops_writer else ''}"
        lines.append(
            f"| {row.fault.name} | {row.fault.place.name} | {held} | {seen.still_s:.2f} | {seen.back_s:.2f} |"
            f" {seen.slates} | {seen.raw} | {row.sessions} | {', '.join(row.late)} |"
        )
    return "\n".join(lines)


def keep(rows: list[Row], folder: Path) -> None:
    """Writes the table, for people and for programs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "faults.md").write_text(table(rows) + "\n")
    (folder / "faults.json").write_text(json.dumps([row.facts() for row in rows], indent=2) + "\n")
