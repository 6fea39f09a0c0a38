"""``overpaint doctor``: what works on this machine; with ``--fix`` it mends what a program can mend."""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated

import typer

from overpaint.commands.options import AsJson, DataDir
from overpaint.errors import SinkError
from overpaint.folders import data_dir

if TYPE_CHECKING:
    from overpaint.doctor import Finding
    from overpaint.media.virtual_camera.driver_installation import DriverInstallation
    from overpaint.media.virtual_camera.driver_setup import Setup, StepName

_SIGNS = {"ok": "✓", "warning": "!", "missing": "✗"}
_STEPS: dict[StepName, str] = {
    "sources": "Fetching the lists of packages",
    "packages": "Installing the camera's driver",
    "build": "Building the driver for this kernel",
    "configure": "Setting it up for each start of the computer",
    "unload": "Unloading the driver",
    "load": "Loading the driver",
}
_APPEARS_S, _LOOK_AGAIN_S = 3.0, 0.1
"""Time for which the system may take to give the device to its user, and the interval of checks."""


def doctor(
    as_json: AsJson = False,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended, after asking.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before --fix changes anything.")] = False,
    data: DataDir = None,
) -> None:
    """What works on this machine, and how to mend the rest; exit code 1 while the main job cannot be done."""
    from overpaint.doctor import camera_output, examine

    findings: list[Finding] = []
    for finding in examine(data_dir(data)):
        findings.append(finding)
        if not as_json:
            _show(finding)
    failed = False
    try:
        changed = fix and _mended(as_json, yes)
    except SinkError as error:
        typer.echo(error.line, err=True)
        changed, failed = False, True
    if changed:
        mended = camera_output()
        findings = [mended if finding.part == mended.part else finding for finding in findings]
        if not as_json:
            _show(mended)
    if as_json:
        typer.echo(json.dumps([finding.as_dict() for finding in findings], ensure_ascii=False))
    if failed or any(finding.verdict == "missing" for finding in findings):
        raise typer.Exit(1)


def _show(finding: Finding) -> None:
    typer.echo(f"{_SIGNS[finding.verdict]} {finding.part}: {finding.text}")
    if finding.mend:
        typer.echo(f"    {finding.mend}")


def _mended(as_json: bool, yes: bool) -> bool:
    """Installs the camera's driver, if that is missing; returns whether it did. Raises ``SinkError``."""
    from overpaint.media.virtual_camera.camera_sink import camera_report
    from overpaint.media.virtual_camera.driver_installation import Stopped, installation
    from overpaint.media.virtual_camera.driver_setup import SET_UP_BY_ITSELF, driver_setup
    from overpaint.media.virtual_camera.driver_state import driver_facts
    from overpaint.media.virtual_camera.v4l2 import LoopbackDevices

    report = camera_report()
    problem = report.problem or report.lacking
    if problem is None or problem.code not in SET_UP_BY_ITSELF:
        typer.echo("There is nothing that --fix can mend.", err=as_json)
        return False
    facts = driver_facts(loaded=LoopbackDevices().module_loaded)
    setup = driver_setup(facts)
    work = installation(facts, setup, _say_step, _say_line, terminal=_at_terminal())
    if work is None:
        raise SinkError("driver_setup_not_allowed", command=setup.line())
    if not _agreed(setup, yes):
        return False
    try:
        _work(work)
    except Stopped:
        typer.echo("Stopped: the driver is not set up.", err=True)
        return False
    return _appears()


def _agreed(setup: Setup, yes: bool) -> bool:
    """Says what is to be done, and asks, unless agreed to beforehand."""
    typer.echo("To set up the camera's driver, this is done as root:", err=True)
    for command in setup.commands():
        typer.echo(f"    {command}", err=True)
    if yes:
        return True
    if not _at_terminal():
        raise SinkError("driver_setup_not_agreed")
    return typer.confirm("Do it now?", err=True)


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _work(work: DriverInstallation) -> None:
    """Runs an installation; Ctrl+C stops it before its next step."""
    with ThreadPoolExecutor(1, thread_name_prefix="driver") as thread:
        done = thread.submit(work.run)
        while True:
            try:
                return done.result()
            except KeyboardInterrupt:
                typer.echo("Stopping after this step…", err=True)
                work.stop()


def _say_step(name: StepName) -> None:
    typer.echo(f"{_STEPS[name]}…", err=True)


def _say_line(line: str) -> None:
    typer.echo(f"    {line}", err=True)


def _appears() -> bool:
    from overpaint.media.virtual_camera.camera_sink import camera_report

    ends = time.monotonic() + _APPEARS_S
    while time.monotonic() < ends:
        report = camera_report()
        if report.problem is None and report.lacking is None:
            break
        time.sleep(_LOOK_AGAIN_S)
    return True
