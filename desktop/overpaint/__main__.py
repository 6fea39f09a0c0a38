"""The program's entry point: ``python -m overpaint`` and the ``overpaint`` command."""

from __future__ import annotations

import io
import sys

from overpaint.processes.memory import dump_none, share_heap


def main() -> None:
    """Runs the command line. Exit codes: 0 done, 1 it failed, 2 usage."""
    _speak_unicode()
    dump_none()
    share_heap()
    if len(sys.argv) == 1:
        sys.exit(_app(None))
    if len(sys.argv) == 2 and sys.argv[1].lower().endswith(".overpaint"):
        sys.exit(_app(sys.argv[1]))  # as desktops start the program of a file's kind
    if sys.argv[1:] == ["decode"]:
        _decoder()
        return
    if sys.argv[1:] == ["play-file"]:
        sys.exit(_file_player())
    if sys.argv[1:] == ["play-camera"]:
        sys.exit(_camera_player())
    if sys.argv[1:] == ["examine-net"]:
        sys.exit(_net_examiner())
    from overpaint.cli import run

    sys.exit(run(sys.argv[1:]))


def _speak_unicode() -> None:
    """Makes the output UTF-8 also where Windows redirects it, as Python 3.15 will everywhere (PEP 686)."""
    if sys.platform == "win32":
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a window has none
                stream.reconfigure(encoding="utf-8")


def _app(preset: str | None) -> int:
    """Opens the app like ``cli.window``, without loading the command line, since there are no options."""
    from overpaint.folders import data_dir
    from overpaint.processes.program import exit_code, log_to_stderr
    from overpaint.startup import run_app

    log_to_stderr()
    return exit_code(lambda: run_app(data_dir(), preset))


def _decoder() -> None:
    """Runs the decoder process, without loading the command line, because a picture is waited for."""
    from overpaint.media.opener.decoder_process import run_decoder

    run_decoder()


def _file_player() -> int:
    """Runs the process that plays a file, without loading the command line, for the same reason."""
    from overpaint.media.file_player import run_player

    return run_player()


def _camera_player() -> int:
    """Runs the process that plays a network camera, likewise."""
    from overpaint.media.network_camera.player import run_camera_player

    return run_camera_player()


def _net_examiner() -> int:
    """Runs the process that examines an untrusted net, sandboxed before more code is loaded."""
    from overpaint.commands.net_examination import run_examiner

    return run_examiner()


if __name__ == "__main__":
    main()
