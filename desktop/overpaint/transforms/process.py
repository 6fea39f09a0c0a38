"""The parent's side of one worker process: started on demand, one order at a time, not trusted.

Must not know how orders are assigned to workers.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import signal
import subprocess
import sys
from collections.abc import Sequence

import psutil

from overpaint.errors import InvalidRequestError, UpstreamError
from overpaint.processes.sandbox import sandbox
from overpaint.transforms.task import Progress
from overpaint.transforms.worker_messages import Advanced, Begun, Done, Order, Refused, line, read_answer
from overpaint.transforms.worker_watchdog import Guard, Limits
from overpaint.transforms.workspace import Workspace

log = logging.getLogger(__name__)

LONGEST_ANSWER_BYTES = 1 << 20
WORKSPACE = "OVERPAINT_WORKER_WORKSPACE"
"""Environment variable of a worker: its input and output folder as a JSON list; empty without a workspace."""

_CRASHES = frozenset(
    {
        -getattr(signal, name)
        for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")
        if hasattr(signal, name)
    }
)
"""Exit codes of a decoder that crashes, as against a worker that was killed from outside."""
_WINDOWS_CRASH = 0xC0000000
"""Exit codes from here on are unhandled exceptions (NTSTATUS, severity error)."""


class WorkerHungError(UpstreamError):
    """A worker hung and was killed. A retry in another process may succeed."""


class WorkerProcess:
    """The handle of one worker; a process that died or was killed is replaced with the next order.

    Args:
        command: Command line of the process.
        idle_s: Seconds without an order after which the process is ended.
        workspace: The files that it can access, besides the program and the user's own looks.
    """

    def __init__(self, command: Sequence[str], idle_s: float, workspace: Workspace | None = None) -> None:
        self._command = list(command)
        self._folders = [] if workspace is None else [str(workspace.inputs), str(workspace.outputs)]
        self._idle_s = idle_s
        self._process: asyncio.subprocess.Process | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[int]] = set()
        self._ended = False
        self._yields = False

    @property
    def pid(self) -> int | None:
        """Process id of the running worker; None where there is none."""
        return self._process.pid if self._process is not None else None

    @property
    def yields(self) -> bool:
        """Whether the process has the lowest priority after a long order, which cannot be raised again."""
        return self._yields

    def renew(self) -> None:
        """Ends the process, so that the next order gets a new one. Only between orders."""
        self._kill()

    async def do(self, order: Order, limits: Limits, progress: Progress) -> Done | Refused:
        """Runs one order. Cancelling this kills the process.

        Raises:
            WorkerHungError: The process was stopped (SIGSTOP, a debugger), and has been killed.
            UpstreamError: No process can be started, or ``end`` was called.
        """
        if self._ended:
            raise UpstreamError("service_ending")
        if self._idle is not None:
            self._idle.cancel()
        process = await self._ready()
        answered = False
        try:
            answer = await self._answer(process, order, limits, progress)
            answered = True
        finally:
            if answered and process.returncode is None and self._process is process:
                self._idle = asyncio.get_running_loop().call_later(self._idle_s, self._kill)
            else:
                self._kill()
        return answer

    async def end(self) -> None:
        """Kills the process, waits for its end, and starts no new one; idempotent."""
        self._ended = True
        self._kill()
        if self._ending:
            await asyncio.wait(self._ending)

    async def _answer(
        self, process: asyncio.subprocess.Process, order: Order, limits: Limits, progress: Progress
    ) -> Done | Refused:
        guard = Guard(process.pid, limits)
        watch = asyncio.create_task(guard.watch(), name=f"watch over worker {process.pid}")
        try:
            answer = await self._converse(process, order, guard, progress)
        finally:
            watch.cancel()
            self._yields = self._yields or guard.yields
            await asyncio.wait([watch])  # awaiting it would not tell its cancellation from that of this task
        if answer is not None:
            return answer
        _kill(process)
        code = await process.wait()
        log.info("worker %d ended with %d at %s %s", process.pid, code, order.task, guard.verdict)
        if guard.hung:
            raise WorkerHungError("worker_hangs")
        if guard.error is not None:
            return Refused.of(guard.error)
        if limits.blames_input and (code in _CRASHES or code >= _WINDOWS_CRASH):
            return Refused.of(InvalidRequestError("transform_file_damaged"))
        return Refused.of(UpstreamError("worker_ended"))

    async def _converse(
        self, process: asyncio.subprocess.Process, order: Order, guard: Guard, progress: Progress
    ) -> Done | Refused | None:
        """The final answer; None when the process exits without one, or sends an invalid one."""
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(line(order))
            await process.stdin.drain()
            while words := await process.stdout.readline():
                answer = read_answer(words)
                if isinstance(answer, Begun):
                    guard.begun(answer.pixels)
                    continue
                if not isinstance(answer, Advanced):
                    return answer
                guard.advanced()
                progress(answer.share)
        except (ConnectionError, ValueError) as error:
            log.info("worker %d: %s", process.pid, error)
        return None

    async def _ready(self) -> asyncio.subprocess.Process:
        """The running process, or a new one."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        self._process = None
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NO_WINDOW | subprocess.IDLE_PRIORITY_CLASS
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=LONGEST_ANSWER_BYTES,
                creationflags=flags,
                # Ctrl+C in the core's terminal must reach only the core, which ends its workers itself.
                start_new_session=sys.platform != "win32",
                env=sandbox.environment(**{WORKSPACE: json.dumps(self._folders)}),
            )
        except OSError as error:
            raise UpstreamError("worker_does_not_start", reason=error.strerror or str(error)) from error
        if self._ended:
            self._kill()
            raise UpstreamError("service_ending")
        return self._process

    def _kill(self) -> None:
        process, self._process = self._process, None
        self._yields = False
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if process is None:
            return
        _kill(process)
        assert process.stdin is not None
        process.stdin.close()
        waiting = asyncio.ensure_future(process.wait())
        self._ending.add(waiting)
        waiting.add_done_callback(self._ending.discard)


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kills a process that may have ended already.

    asyncio's own ``kill`` polls the process first, and so takes the exit status from the thread that waits
    for it ("Unknown child process", code 255).
    """
    if process.returncode is None:
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(process.pid).kill()
