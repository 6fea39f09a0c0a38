"""Parts of the snapshot for windows: session, balance, figures, camera.

A new field is declared in ``wire/live_state.py`` (``LiveSnapshot``) and filled in by ``Live.snapshot``.
Pure: from the live process's parts to messages. Must not know who receives them.
"""

from __future__ import annotations

from datetime import UTC, datetime

from overpaint.errors import SinkError
from overpaint.media.frames import now_ns
from overpaint.session.output.camera_stage import CameraStage
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.output.meters import SETTLED_NS, DelayMeter
from overpaint.session.realtime.runner import SessionRunner
from overpaint.session.realtime.state import OVER, RENEW_BEFORE_S
from overpaint.wire import live as wire
from overpaint.wire.messages import trouble_of


def whole(seconds: float | None) -> int | None:
    """Returns whole seconds; None where a time is unknown."""
    return None if seconds is None else int(seconds)


def session_facts(runner: SessionRunner) -> wire.SessionFacts | None:
    """Returns the session's facts; None while there is no session."""
    facts = runner.facts
    if not facts.session_id or facts.expires_at is None:
        return None
    left_s = (facts.expires_at - datetime.now(UTC)).total_seconds()
    return wire.SessionFacts(
        id=facts.session_id,
        model=runner.options.model,
        engine=facts.engine,
        link=facts.link,
        seconds=int((now_ns() - facts.live_since_ns) / 1e9) if facts.live_since_ns else 0,
        billed_seconds=facts.billed_before + facts.billed_now,
        expires_in_seconds=max(0, int(left_s)),
        renews_in_seconds=max(0, int(left_s - RENEW_BEFORE_S)),
    )


def on_air_seconds(runner: SessionRunner, since_ns: int) -> int:
    """Returns how long the camera has shown styled frames; 0 while there is no session.

    Args:
        runner: Runs the session.
        since_ns: When the user went on air.
    """
    live_ns = runner.facts.live_since_ns
    if not live_ns or runner.state.phase in OVER:
        return 0
    return int((now_ns() - max(live_ns, since_ns)) / 1e9)


def balance(runner: SessionRunner) -> wire.Balance | None:
    """Returns the account as the service last reported it; None before that."""
    account = runner.purchases.account
    if account is None:
        return None
    return wire.Balance(
        credits_remaining=account.credits_remaining,
        key_name=account.key.name,
        environment=account.key.environment,
        masked=account.key.masked,
        server=runner.purchases.server,
    )


def measured(
    hub: FrameHub, camera: CameraStage | None, delivered: DelayMeter, dropped: int, size: tuple[int, int]
) -> tuple[wire.Figures, wire.Delays | None]:
    """Returns the measured figures of the last seconds, and the delays of the last minute.

    Args:
        hub: Counts frames.
        camera: Its delays are the ones that others see.
        delivered: Delays on delivery to the outputs, where no camera shows frames.
        dropped: Frames lost at any stage.
        size: Width and height of every frame.
    """
    now = now_ns()
    to_camera = camera.delays.recent(now) if camera is not None else None
    meter = camera.delays if camera is not None and to_camera else delivered
    recent = to_camera or delivered.recent(now)
    figures = wire.Figures(
        fps_in=round(hub.captured.per_second(now, SETTLED_NS), 1),
        fps_out=round(hub.styled.per_second(now, SETTLED_NS), 1),
        delay_ms_p50=round(recent[0], 1) if recent else None,
        delay_ms_p95=round(recent[1], 1) if recent else None,
        dropped=dropped,
        width=size[0],
        height=size[1],
    )
    minute = meter.minute.look(now) if recent else None
    if minute is None:
        return figures, None
    return figures, wire.Delays(
        median_ms=round(minute.median, 1),
        p95_ms=round(minute.p95, 1),
        seconds_ms=tuple(None if each is None else round(each, 1) for each in minute.seconds),
    )


def camera(stage: CameraStage | None, checked: bool | None) -> wire.Camera:
    """Returns the virtual camera's state, with the result of the last check that it shows our picture."""
    if stage is None:
        return wire.Camera(state="off")
    problem = stage.trouble
    if problem is None and checked is False:
        problem = SinkError("virtual_camera_shows_another", camera=stage.title)
    return wire.Camera(
        state=stage.state,
        title=stage.title,
        listing=stage.listing,
        trouble=trouble_of(problem),
        checked=checked,
        read=stage.read,
    )
