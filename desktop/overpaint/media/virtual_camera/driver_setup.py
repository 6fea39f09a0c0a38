"""Setup of the v4l2loopback driver (Linux): this distribution's steps, as shown commands and as a script.

The commands that a user is shown and those that root is given are made of the same steps. Into them goes
nothing that a user or a program without rights can choose: programs are named, folders are root's, and names
of kernels are checked. Must not run anything.

Sources: modules-load.d(5), modprobe.d(5), apt-get(8), dkms(8), akmods(1), pacman(8).
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from overpaint.errors import SinkError
from overpaint.media.virtual_camera.driver_state import DriverFacts
from overpaint.media.virtual_camera.v4l2 import OWN_TITLE

StepName = Literal["sources", "packages", "build", "configure", "unload", "load"]

OPTIONS = f'exclusive_caps=1 card_label="{OWN_TITLE} Camera"'
"""Options of the driver: browsers list a camera only with the first; the second is its name there."""
MODPROBE = f"sudo modprobe v4l2loopback {OPTIONS}"
RELOAD = f"sudo modprobe -r v4l2loopback && {MODPROBE}"

_ROOT_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
STEP, GO = "overpaint-step", "go"
"""What the script says before each step, with its name, and the line that it then waits for."""
EXIT_STOPPED, EXIT_FAILED = 20, 21
"""Exit codes of the script: told to stop before a step; the last named step failed."""
_FUSION = "https://mirrors.rpmfusion.org/free/fedora/rpmfusion-free-release-$(rpm -E %fedora).noarch.rpm"


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the setup.

    Attributes:
        name: Name of the step.
        command: Program and arguments.
        quietly: Options after the program's name that keep it from asking questions.
        text: Text for its standard input; empty for none.
        needed: Whether the setup has failed when this step fails.
    """

    name: StepName
    command: tuple[str, ...]
    quietly: tuple[str, ...] = ()
    text: str = ""
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of the driver on this computer.

    Attributes:
        steps: The steps; none where no command can help.
        before: A shown command that prepares the system, which only the user decides on.
        by_itself: Whether Overpaint may do it, once the user agrees; else the user does, by the commands.
        restart: Whether the computer has to be restarted afterwards.
    """

    steps: tuple[Step, ...]
    before: str = ""
    by_itself: bool = True
    restart: bool = False

    @property
    def names(self) -> tuple[StepName, ...]:
        """The names of the steps, each once."""
        return tuple(dict.fromkeys(step.name for step in self.steps))

    def commands(self) -> list[str]:
        """The commands for a terminal."""
        shown = [self.before] if self.before else []
        return shown + [_shown(step) for step in self.steps] + (["systemctl reboot"] if self.restart else [])

    def line(self) -> str:
        """The commands as one line, of which each is run after the success of the former."""
        return " && ".join(self.commands())

    def script(self) -> str:
        """The script for root, of the POSIX shell. It names each step, and waits for ``GO`` before it.

        Whoever started it and has ended gives no further word: then it ends before the next step, and never
        within one, since a package manager that is killed leaves broken packages.
        """
        lines = [
            "exec 2>&1",
            "trap '' INT HUP",  # from a terminal
            f"PATH={_ROOT_PATH} LC_ALL=C DEBIAN_FRONTEND=noninteractive",
            "export PATH LC_ALL DEBIAN_FRONTEND",
            "umask 022",
            "cd /",
            "step() {",
            f'  echo "{STEP} $1"',
            f'  IFS= read -r word && [ "$word" = {GO} ] || exit {EXIT_STOPPED}',
            "}",
        ]
        said: StepName | None = None
        for step in self.steps:
            if step.name != said:
                said = step.name
                lines.append(f"step {step.name}")
            program, *arguments = step.command
            words = shlex.join([program, *step.quietly, *arguments])
            run = f"printf '%s\\n' {shlex.quote(step.text)} | {words}" if step.text else f"{words} </dev/null"
            lines.append(f"{run} || exit {EXIT_FAILED}" if step.needed else run)
        return "\n".join([*lines, "exit 0", ""])


def driver_setup(facts: DriverFacts) -> Setup:
    """Returns what sets the driver up from its present state, now and for each start of the computer."""
    always = (
        Step("configure", ("tee", "/etc/modules-load.d/overpaint.conf"), text="v4l2loopback"),
        Step("configure", ("tee", "/etc/modprobe.d/overpaint.conf"), text=f"options v4l2loopback {OPTIONS}"),
    )
    load = Step("load", ("modprobe", "v4l2loopback"))
    match facts.state:
        case "restart_needed" | "no_modules":
            return Setup(())
        case "loaded":  # without a device, or with other options
            return Setup((*always, Step("unload", ("modprobe", "-r", "v4l2loopback")), load))
        case "not_loaded":
            return Setup((*always, load))
        case _:
            packages = _packages(facts)
            fusion = "" if facts.fusion else f"sudo {facts.packages} install {_FUSION}"
            if facts.packages == "rpm-ostree":  # what it installs is there after a restart
                steps = () if fusion else (*packages, *always)
                return Setup(steps, fusion, by_itself=False, restart=True)
            before = fusion if facts.packages == "dnf" else ""
            by_itself = bool(facts.packages and facts.kernel and not before)
            return Setup((*packages, *always, load), before, by_itself)


def _packages(facts: DriverFacts) -> tuple[Step, ...]:
    """The steps that install and build it; none for an unknown distribution.

    The headers of the running kernel are named: without them, building the driver fails without a word.
    """
    kernel, found = facts.kernel, facts.state != "not_installed"
    again = (Step("build", ("dkms", "autoinstall", "-k", kernel), needed=False),) if found else ()
    match facts.packages:
        case "apt":
            quietly = ("-q", "-y", "-o", "DPkg::Lock::Timeout=300", "--no-remove")
            headers = f"linux-headers-{kernel}"
            install = Step("packages", ("apt-get", "install", headers, "v4l2loopback-dkms"), quietly)
            return (Step("sources", ("apt-get", "update"), quietly[:1], needed=False), install, *again)
        case "dnf":
            devel = f"kernel-devel-{kernel}"
            install = Step("packages", ("dnf", "install", "akmod-v4l2loopback", devel), ("-y",))
            return (install, Step("build", ("akmods", "--force", "--kernels", kernel)))
        case "rpm-ostree":
            return (Step("packages", ("rpm-ostree", "install", "akmod-v4l2loopback")),)
        case "pacman":
            headers = f"{facts.flavour or 'linux'}-headers"
            command = ("pacman", "-S", "--needed", headers, "v4l2loopback-dkms")
            return (Step("packages", command, ("--noconfirm",)), *again)
        case "zypper":
            packages = ("zypper", "install", "v4l2loopback-kmp-default")
            return (Step("packages", packages, ("--non-interactive",)),)
        case _:
            return ()


def _shown(step: Step) -> str:
    words = shlex.join(["sudo", *step.command])
    return f"echo {shlex.quote(step.text)} | {words}" if step.text else words


def driver_missing(facts: DriverFacts) -> SinkError:
    """Returns the error that explains why there is no virtual camera, and how to set it up permanently."""
    command, kernel = driver_setup(facts).line(), facts.kernel
    match facts.state:
        case "restart_needed":
            return SinkError("virtual_camera_restart_needed")
        case "no_modules":
            return SinkError("virtual_camera_kernel_takes_no_drivers")
        case "loaded":
            return SinkError("virtual_camera_missing", command=command)
        case "not_loaded" if facts.secure_boot:
            return SinkError("virtual_camera_driver_not_loaded_secure_boot", command=command)
        case "not_loaded":
            return SinkError("virtual_camera_driver_not_loaded", command=command)
        case "not_built":
            return SinkError("virtual_camera_driver_not_built", kernel=kernel, command=command)
        case "headers_missing":
            return SinkError("virtual_camera_driver_headers_missing", kernel=kernel, command=command)
    if not facts.packages:
        return SinkError("virtual_camera_driver_missing_unknown_system", command=command)
    if facts.packages in ("dnf", "rpm-ostree") and not facts.fusion:
        return SinkError("virtual_camera_driver_missing_fusion", command=command)
    if facts.secure_boot:
        return SinkError("virtual_camera_driver_missing_secure_boot", command=command)
    return SinkError("virtual_camera_driver_missing", command=command)


def enrolment(facts: DriverFacts) -> SinkError:
    """Returns the error for a driver that Secure Boot refuses, with the command that enrols its key."""
    return SinkError(
        "virtual_camera_driver_refused", command=shlex.join(["sudo", "mokutil", "--import", facts.key])
    )


SET_UP_BY_ITSELF: Sequence[str] = (
    "virtual_camera_missing",
    "virtual_camera_driver_not_loaded",
    "virtual_camera_driver_not_loaded_secure_boot",
    "virtual_camera_driver_not_built",
    "virtual_camera_driver_headers_missing",
    "virtual_camera_driver_missing",
    "virtual_camera_driver_missing_secure_boot",
)
"""Codes of the errors that the setup mends without a decision of the user's but to begin it."""
