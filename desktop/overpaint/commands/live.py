"""``overpaint live``: controls the running app from a terminal, a script or a key of the desktop.

Says to the live process what the window says, over the same channel; there is no second way in.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from overpaint.commands.options import AsJson, DataDir
from overpaint.errors import LinkError, OverpaintError, ProcessError
from overpaint.folders import data_dir
from overpaint.light_words import FULL
from overpaint.processes import roles
from overpaint.processes.channel import Channel
from overpaint.wire.live import (
    AnyIntent,
    Delays,
    Hello,
    LiveSnapshot,
    NextLook,
    Preferences,
    SaveReplay,
    SetHold,
    SetOnAir,
    SetOriginal,
    SetPreferences,
    SetPrivacy,
    SetRecording,
    SetStyle,
    StartSession,
    StopSession,
    TakeStill,
    parse_news,
)
from overpaint.wire.sources import SetMuted

live_app = typer.Typer(help="Control the running app.", no_args_is_help=True)

ANSWER_S = 5.0
START_S = 45.0
"""How long going live may take: a session is opened for it."""
PAGE_S = 20.0
"""How long the page may take: what serves it is loaded first, and its port may be waited for."""

_SHOWN = (
    *("state", "on_air", "hold", "private", "original"),
    *("source", "source_title", "prompt", "recording", "recording_seconds", "recording_bytes"),
    *("recording_left_seconds", "recorded", "replay_seconds", "replayed"),
)

Off = Annotated[bool, typer.Option("--off", help="End it instead.")]


class Remote:
    """The running app's live process, as a window has it.

    Args:
        folder: The data folder.

    Raises:
        ProcessError: The app does not run.
    """

    def __init__(self, folder: Path) -> None:
        channel = roles.call(folder, "live")
        if channel is None:
            raise ProcessError("app_not_running")
        self._channel: Channel = channel
        self._channel.send(Hello(role="window").model_dump_json().encode())
        self.snapshot = self._next(time.monotonic() + ANSWER_S)

    def say(
        self, *intents: AnyIntent, until: Callable[[LiveSnapshot], object], seconds: float = ANSWER_S
    ) -> LiveSnapshot:
        """Says what is wanted, and waits for the snapshot in which it is so.

        Raises:
            OverpaintError: It is not to be; the sentence is the one that the window would show.
            ProcessError: There is no answer in time.
        """
        before = self.snapshot
        for intent in intents:
            self._channel.send(intent.model_dump_json().encode())
        deadline = time.monotonic() + seconds
        while not until(self.snapshot):
            self.snapshot = self._next(deadline)
            now, trouble = self.snapshot, self.snapshot.trouble
            refused = now.refusals != before.refusals or now.state == "failed"
            if trouble is not None and (refused or trouble != before.trouble):
                raise OverpaintError("app_refused", sentence=trouble.sentence, mend=trouble.mend)
        return self.snapshot

    def close(self) -> None:
        """Hangs up."""
        self._channel.close()

    def _next(self, deadline: float) -> LiveSnapshot:
        try:
            while (
                message := self._channel.receive(timeout=max(0.0, deadline - time.monotonic()))
            ) is not None:
                news = parse_news(message)
                if isinstance(news, LiveSnapshot):
                    return news
        except LinkError as error:
            raise ProcessError("app_ended") from error
        raise ProcessError("app_silent")


def _do(
    data: Path | None,
    intents: Callable[[LiveSnapshot], tuple[AnyIntent, ...]],
    until: Callable[[LiveSnapshot], object],
    seconds: float = ANSWER_S,
) -> LiveSnapshot:
    remote = Remote(data_dir(data))
    try:
        return remote.say(*intents(remote.snapshot), until=until, seconds=seconds)
    finally:
        remote.close()


def _preferring(**changed: object) -> Callable[[LiveSnapshot], tuple[AnyIntent, ...]]:
    """The intent that changes some preferences and keeps the others."""
    return lambda _: (SetPreferences(preferences=Preferences.model_validate(changed)),)


def _save(data: Path | None, intent: AnyIntent, saved: Callable[[LiveSnapshot], str | None]) -> None:
    """Has the app save a file, and says its path, which differs from the one before."""
    remote = Remote(data_dir(data))
    try:
        before = saved(remote.snapshot)
        typer.echo(saved(remote.say(intent, until=lambda now: saved(now) not in (None, before))))
    finally:
        remote.close()


@live_app.command()
def go(data: DataDir = None) -> None:
    """Go live: open a session where there is none, and send it to the camera."""

    def wanted(snapshot: LiveSnapshot) -> tuple[AnyIntent, ...]:
        idle = snapshot.state in ("stopped", "failed")
        return (*((StartSession(),) if idle else ()), SetOnAir(on=True))

    _say(_do(data, wanted, lambda now: now.on_air and now.state in ("live", "held", "paused"), START_S))


@live_app.command()
def stop(data: DataDir = None) -> None:
    """End the session; the camera shows the pause picture."""
    _say(_do(data, lambda _: (SetOnAir(on=False), StopSession()), lambda now: now.state == "stopped"))


@live_app.command()
def hold(off: Off = False, data: DataDir = None) -> None:
    """Freeze what the camera shows."""
    _say(_do(data, lambda _: (SetHold(on=not off),), lambda now: now.hold is not off))


@live_app.command()
def privacy(off: Off = False, data: DataDir = None) -> None:
    """Show others only the pause picture, at once."""
    _say(_do(data, lambda _: (SetPrivacy(on=not off),), lambda now: now.private is not off))


@live_app.command()
def mute(off: Off = False, data: DataDir = None) -> None:
    """Record silence in place of the microphone."""
    shown = _do(data, lambda _: (SetMuted(on=not off),), lambda now: now.sound.muted is not off)
    typer.echo("the microphone is muted" if shown.sound.muted else "the microphone is heard")


@live_app.command("next-look")
def next_look(
    back: Annotated[bool, typer.Option("--back", help="The one before instead.")] = False,
    data: DataDir = None,
) -> None:
    """Change to the next look."""
    folder = data_dir(data)
    remote = Remote(folder)
    try:
        before = remote.snapshot.prompt
        step = -1 if back else 1
        remote.say(NextLook(step=step), until=lambda now: now.prompt != before or len(now.looks) < 2)
    finally:
        remote.close()
    typer.echo(remote.snapshot.prompt)


@live_app.command()
def look(
    prompt: Annotated[str, typer.Argument(help="A look's name, or any prompt.")], data: DataDir = None
) -> None:
    """Change the prompt."""
    _say(_do(data, lambda _: (SetStyle(prompt=prompt),), lambda now: now.prompt == prompt))


@live_app.command()
def light(
    percent: Annotated[
        int, typer.Argument(min=0, max=FULL, help="Share of the correction; 0 is off.")
    ] = FULL,
    off: Off = False,
    data: DataDir = None,
) -> None:
    """Correct the light of a dark or badly lit picture."""
    share = 0 if off else percent
    _do(data, _preferring(light=share), lambda now: now.preferences.light == share)
    typer.echo(f"light correction at {share} %" if share else "no light correction")


@live_app.command()
def record(off: Off = False, data: DataDir = None) -> None:
    """Record the restyled picture."""
    shown = _do(data, lambda _: (SetRecording(on=not off),), lambda now: (now.recording is None) is off)
    typer.echo(shown.recording or "the recording is finished")


@live_app.command()
def replay(
    on: Annotated[
        bool | None, typer.Option("--on/--off", help="Keep the last seconds from now on, or not.")
    ] = None,
    data: DataDir = None,
) -> None:
    """Save the last 30 seconds as a video, and say where."""
    if on is None:
        _save(data, SaveReplay(), lambda now: now.replayed)
        return
    _do(data, _preferring(replay=on), lambda now: now.preferences.replay is on)
    typer.echo("the last 30 seconds are kept" if on else "nothing is kept")


@live_app.command()
def snapshot(data: DataDir = None) -> None:
    """Save the restyled picture as a PNG, and say where."""
    _save(data, TakeStill(), lambda now: now.still)


@live_app.command()
def page(off: Off = False, data: DataDir = None) -> None:
    """Serve the page that OBS shows, and say its address: for a browser source, as URL or as local file."""
    shown = _do(data, _preferring(page_on=not off), lambda now: (not now.page.address) is off, PAGE_S)
    typer.echo(shown.page.address or "the page is closed")
    if shown.page.address:
        typer.echo("In OBS: Sources › + › Browser, paste it as URL, 1920 wide and 1080 high.", err=True)


@live_app.command()
def restyle(data: DataDir = None) -> None:
    """Show the restyled picture again, where the original is shown."""
    _say(_do(data, lambda _: (SetOriginal(on=False),), lambda now: not now.original))


@live_app.command()
def status(as_json: AsJson = False, data: DataDir = None) -> None:
    """Where things stand."""
    shown = _do(data, lambda _: (), lambda _: True)
    if not as_json:
        _say(shown)
        return
    facts = {name: getattr(shown, name) for name in _SHOWN}
    facts |= {
        "camera": shown.camera.title,
        "camera_shows": shown.camera.state,
        "page": shown.page.address or None,
        "page_viewers": shown.page.viewers,
        "fps": shown.figures.fps_out,
        "delay_ms": shown.figures.delay_ms_p50,
        "last_minute": _last_minute(shown.delays),
    }
    facts["trouble"] = shown.trouble.sentence if shown.trouble is not None else None
    typer.echo(json.dumps(facts, ensure_ascii=False))


def _last_minute(delays: Delays | None) -> dict[str, object] | None:
    """The delay from capture to camera, and what to enter in OBS, Advanced Audio Properties, Sync Offset."""
    if delays is None:
        return None
    return {
        "median_ms": delays.median_ms,
        "p95_ms": delays.p95_ms,
        "seconds_ms": delays.seconds_ms,
        "audio_delay_ms": delays.audio_ms,
    }


def _say(shown: LiveSnapshot) -> None:
    typer.echo(summary(shown))
    no_way = shown.camera.trouble if shown.on_air and shown.has_no_way_out else None
    for trouble in (shown.trouble, no_way):
        if trouble is not None:
            typer.echo(f"{trouble.sentence} {trouble.mend}".strip(), err=True)


def summary(shown: LiveSnapshot) -> str:
    """A line of where things stand. "On air" only where there is a way by which others could see it."""
    words: list[str] = [shown.state]
    seen = shown.on_air and not shown.has_no_way_out
    words += [
        word
        for word, true in (
            ("on air", seen),
            ("no camera, not on air", shown.on_air and shown.has_no_way_out),
            ("others see the last picture", seen and shown.camera.state == "held"),
            ("others see the pause picture", seen and shown.camera.state == "slate"),
            ("private", shown.private),
            ("ORIGINAL", shown.original),
            ("recording", shown.recording is not None),
        )
        if true
    ]
    return " · ".join([*words, shown.source_title or shown.source, shown.prompt])
