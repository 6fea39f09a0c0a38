"""The command line: each command parses its options, makes one call, and prints the result.

Exit codes: 0 done, 1 failure (one line says why and how to mend it), 2 usage. Slow imports are inside their
commands, so that ``overpaint keys`` does not load Qt. Docstrings of commands are their help texts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overpaint import __version__
from overpaint.commands.accounts import credits_app, keys_app
from overpaint.commands.health_check import doctor
from overpaint.commands.ledger import ledger_app
from overpaint.commands.live import live_app
from overpaint.commands.looks import looks_app
from overpaint.commands.options import AllowHttp, AsJson, DataDir, LightShare
from overpaint.commands.photo_option import chosen_photo, photo_bytes
from overpaint.commands.processes import processes
from overpaint.commands.secret_options import secret_option
from overpaint.commands.service import serve
from overpaint.commands.transform import transform
from overpaint.commands.understand import understand
from overpaint.commands.version import version
from overpaint.commands.webhooks import webhooks_app
from overpaint.errors import UsageError
from overpaint.folders import data_dir
from overpaint.light_words import FULL, with_light
from overpaint.processes.program import exit_code, log_to_stderr

if TYPE_CHECKING:
    from overpaint.media.sinks import Sink
    from overpaint.session.live.headless_stream import Progress

app = typer.Typer(
    name="overpaint",
    help="Restyles your webcam or desktop live and hands it to other programs as a camera.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(transform)
app.add_typer(keys_app, name="keys")
app.add_typer(credits_app, name="credits")
app.command()(serve)
app.add_typer(ledger_app, name="ledger")
app.add_typer(webhooks_app, name="webhooks")
app.command()(understand)
app.add_typer(looks_app, name="looks")
app.add_typer(live_app, name="live")
app.command()(processes)
app.command("version")(version)
app.command()(doctor)


class Model(StrEnum):
    """Realtime models."""

    HD = "service-realtime-720p"
    FULL_HD = "service-realtime-1080p"


class Quality(StrEnum):
    """Qualities of a recording."""

    STANDARD = "standard"
    HIGH = "high"
    SMALL = "small"


class Height(StrEnum):
    """Sizes of a recording, by the rows of its picture."""

    FULL_HD = "1080"
    HD = "720"


class Fps(StrEnum):
    """Frame rates, frames a second."""

    USUAL = "30"
    SMOOTH = "60"


class Link(StrEnum):
    """The kinds of links to the core."""

    AUTO = "auto"
    SHARED_MEMORY = "shared_memory"
    WEBRTC = "webrtc"


def run(arguments: Sequence[str]) -> int:
    """Runs one command line, and returns the exit code."""
    return exit_code(lambda: _run(arguments))


def _run(arguments: Sequence[str]) -> int:
    try:
        app(args=list(arguments), prog_name="overpaint")
    except SystemExit as end:  # typer ends every command so, also with a usage error
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


@app.callback(invoke_without_command=True)
def window(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say the version.")] = False,
    data: DataDir = None,
) -> None:
    """Without a command: the app."""
    log_to_stderr()
    if version:
        typer.echo(f"overpaint {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from overpaint.startup import run_app

        raise typer.Exit(run_app(data_dir(data)))


@app.command()
def stream(
    source: Annotated[
        str,
        typer.Option(
            help="camera[:N], screen[:N[@X,Y,W,H]], window:TITLE, demo, a media file, or the address of a "
            "network camera (rtsp://…, http://…)."
        ),
    ],
    prompt: Annotated[str, typer.Option(help="What it should look like.")] = "",
    reference: Annotated[Path | None, typer.Option(help="Photo or painting to match.")] = None,
    backdrop: Annotated[Path | None, typer.Option(help="Photo to put behind people.")] = None,
    light: LightShare = FULL,
    model: Annotated[Model, typer.Option(help="Realtime model.")] = Model.FULL_HD,
    output: Annotated[str, typer.Option(help="camera, a file ending in .mp4 or .mkv, or null.")] = "camera",
    quality: Annotated[
        Quality | None, typer.Option(help="Of a file: at most 90, 180 or 30 MB a minute.")
    ] = None,
    height: Annotated[Height | None, typer.Option(help="Of a file: most rows of its picture.")] = None,
    fps: Annotated[
        Fps | None,
        typer.Option(
            help="Most frames a second: of a camera, screen or window (30 when left out), and of a file."
        ),
    ] = None,
    microphone: Annotated[
        str, typer.Option(help="Sound of a recording: default, or a microphone's name or a part of it.")
    ] = "",
    system_sound: Annotated[
        bool, typer.Option("--system-sound", help="A recording carries what the computer plays, too.")
    ] = False,
    link: Annotated[Link, typer.Option(help="How frames cross to the core.")] = Link.AUTO,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="How long; until Ctrl+C when left out.")
    ] = None,
    server: Annotated[str, typer.Option(help="Address of a remote service.")] = "",
    fall_back: Annotated[
        bool, typer.Option("--fall-back", help="Go on with this computer's own service while that is away.")
    ] = False,
    allow_http: AllowHttp = False,
    camera_device: Annotated[
        str, typer.Option(help="Virtual camera to use, by node or name; pipewire: PipeWire's alone.")
    ] = "",
    ice_server: Annotated[
        list[str] | None,
        typer.Option(
            envvar="OVERPAINT_ICE_SERVERS",
            callback=secret_option,
            help="STUN or TURN server, stun:HOST:PORT or turn:USER:PASSWORD@HOST:PORT; @FILE: from a file.",
        ),
    ] = None,
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds to wait for the first picture.")] = 30.0,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Restyle a source without a window."""
    from overpaint.app import StreamRequest, run_stream
    from overpaint.media.sources import parse_source
    from overpaint.session.live.headless_stream import StreamOrder
    from overpaint.session.realtime.events import Style
    from overpaint.wire.sources import SourceOptions

    if fall_back and not server:
        raise UsageError("fall_back_without_server")
    parse_source(source)
    if (microphone or system_sound) and output in ("camera", "null"):
        raise UsageError("sound_without_recording")
    if (quality is not None or height is not None) and output in ("camera", "null"):
        raise UsageError("format_without_recording")
    prompt, picture = chosen_photo(prompt, reference, backdrop)
    photo = photo_bytes(picture) if picture is not None else None
    style = Style(prompt=with_light(prompt, light), reference=photo)
    sink = _sink(output, quality, height, fps, with_sound=bool(microphone) or system_sound)
    options = SourceOptions(fps=60 if fps is Fps.SMOOTH else 30)
    order = StreamOrder(source, style, sink, seconds, patience, microphone, system_sound, options)
    servers = tuple(ice_server or ())
    request = StreamRequest(
        order, model.value, link.value, server, camera_device, servers, fall_back, allow_http
    )
    report = run_stream(data_dir(data), request, _show_progress())
    typer.echo(json.dumps(report) if as_json else _stream_words(report))


@app.command(hidden=True)
def attend(
    core: Annotated[int | None, typer.Option(help="Process id of a core that has been begun.")] = None,
    standby: Annotated[bool, typer.Option("--standby", help="Load, then wait for a line.")] = False,
    data: DataDir = None,
) -> None:
    """The live process of the window."""
    from overpaint import startup

    def cued() -> bool:
        typer.echo("loaded")
        return bool(sys.stdin.readline())

    startup.attend(data_dir(data), core, lambda: typer.echo("ready"), cued if standby else None)


@app.command(hidden=True)
def hold_camera(data: DataDir = None) -> None:
    """The process that holds the virtual camera for the live process."""
    from overpaint import startup

    startup.hold_camera(data_dir(data), lambda: typer.echo("ready"))


@app.command(hidden=True)
def warm(
    beside: Annotated[bool, typer.Option("--beside", help="Only if nobody else is at it.")] = False,
    for_package: Annotated[
        Path | None, typer.Option(help="Instead, compile a package's kernels into this folder.")
    ] = None,
) -> None:
    """Compile the engine's kernels into the user's cache, so that the first start does not wait for it."""
    from overpaint.core.kernel_warming import package_kernels, warm_kernels

    if for_package is not None:
        package_kernels(for_package)
    else:
        warm_kernels(wait=not beside)


@app.command(hidden=True)
def work() -> None:
    """A transform worker of the service: orders on standard input, answers on standard output."""
    from overpaint.transforms.worker import run_worker

    run_worker()


# ---- inside ------------------------------------------------------------------------------------------


def _sink(
    output: str, quality: Quality | None, height: Height | None, fps: Fps | None, *, with_sound: bool
) -> Sink | None:
    """The sink for ``--output``; None for the virtual camera, which the live process opens itself."""
    if output == "camera":
        return None
    if output == "null":
        from overpaint.media.sinks.null import NullSink

        return NullSink()
    from overpaint.media.sinks.recording import RecordingSink
    from overpaint.media.sinks.recording_format import RecordingFormat

    format = RecordingFormat(
        (quality or Quality.STANDARD).value, int(height or Height.FULL_HD), int(fps or 0), with_sound
    )
    return RecordingSink(Path(output).expanduser(), format)


def _show_progress() -> Callable[[Progress], None]:
    """A progress line that is rewritten in place on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _: None

    def show(progress: Progress) -> None:
        delay = f" · {progress.delay_ms:.0f} ms" if progress.delay_ms is not None else ""
        words = f"{progress.phase.value} · {progress.fps:.1f} fps{delay} · {progress.seconds:.0f} s"
        sys.stderr.write(f"\r\x1b[K{words}")
        sys.stderr.flush()

    return show


def _stream_words(report: dict[str, Any]) -> str:
    delay = report["latency_ms"]
    middle = f", delay {delay['p50']} ms (95 %: {delay['p95']} ms)" if delay["p50"] is not None else ""
    return (
        f"{report['frames_out']} frames of {report['width']}×{report['height']}, "
        f"{report['fps']} a second{middle}, {report['dropped']} dropped, over {report['link']}"
    )
