"""The program's entry point: ``python -m overpaint`` and the ``overpaint`` command."""

from __future__ import annotations

import sys

from overpaint.processes.memory import dump_none, share_heap


def main() -> None:
    """Runs the command line. Exit codes: 0 done, 1 it failed, 2 usage."""
    dump_none()
    share_heap()
    if len(sys.argv) == 1:
        sys.exit(_app())
    if sys.argv[1:] == ["decode"]:
        _decoder()
        return
    if sys.argv[1:] == ["play-file"]:
        sys.exit(_file_player())
    if sys.argv[1:] == ["examine-net"]:
        sys.exit(_net_examiner())
    from overpaint.cli import run

    sys.exit(run(sys.argv[1:]))


def _app() -> int:
    """Opens the app, as ``cli.window`` does: there are no words to read, so what reads them is not loaded."""
    from overpaint.folders import data_dir
    from overpaint.processes.program import exit_code, log_to_stderr
    from overpaint.startup import run_app

    log_to_stderr()
    return exit_code(lambda: run_app(data_dir()))


def _decoder() -> None:
    """The decoder process: somebody waits for a picture, so the command line is not loaded for it."""
    from overpaint.media.opener.decoder_process import run_decoder

    run_decoder()


def _file_player() -> int:
    """The process that plays a file: its first picture is waited for, too."""
    from overpaint.media.file_player import run_player

    return run_player()


def _net_examiner() -> int:
    """The process that tries a stranger's net, confined before the command line is loaded."""
    from overpaint.commands.net_examination import run_examiner

    return run_examiner()


if __name__ == "__main__":
    main()
