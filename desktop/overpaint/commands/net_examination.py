"""A net of a stranger, examined by a sandboxed process.

The process gets the file's path on its standard input, can read that file and nothing else, and answers on
its standard output. Must not know what becomes of the net.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from overpaint.engine.nets.custom_nets import SIDE_MAX, Examination, ModelForm, examine
from overpaint.errors import EngineError
from overpaint.processes import children
from overpaint.processes.sandbox import sandbox

COMMAND = "examine-net"
MEMORY_BYTES = 6 * 1024**3
"""The file, its weights as the runtime keeps them, and what a run takes (``runtime.MEMORY_MAX_BYTES``)."""
CPU_S, WALL_S = 240.0, 300.0
ANSWER_MAX_BYTES = 16_384


def examined(path: Path, threads: int) -> Examination:
    """Finds out whether and how a net restyles pictures, without trusting it.

    Where there is a GPU, the time there is taken in this process, once the net has been accepted: the sandbox
    has no way to a GPU.

    Args:
        path: An ONNX file.
        threads: For the timing.

    Raises:
        EngineError: It will not do; the sentence says why (``bad_model``).
    """
    found = _examined_apart(path, threads)
    from overpaint.engine.nets.runtime import available_devices

    return examine(path, threads) if len(available_devices()) > 1 else found


def run_examiner() -> int:
    """The process: examines what standard input names. Returns the exit status."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer
    order = json.loads(sys.stdin.buffer.readline())
    path = Path(order["path"])
    sandbox.enter([path], memory_bytes=MEMORY_BYTES, cpu_seconds=CPU_S)
    try:
        answer: dict[str, Any] = asdict(examine(path, order["threads"], ("cpu",)))
    except EngineError as error:
        answer = {"refused": str(error)}
    except MemoryError:
        answer = {"refused": str(EngineError("net_takes_memory", file=path.name))}
    with answers:
        answers.write(json.dumps(answer))
    return 0


def _examined_apart(path: Path, threads: int) -> Examination:
    order = json.dumps({"path": str(path.resolve()), "threads": threads}) + "\n"
    said, status = _answered(order.encode(), path)
    if len(said) > ANSWER_MAX_BYTES:
        raise EngineError("net_examination_failed", file=path.name)
    if status != 0:
        raise EngineError("net_takes_too_much_or_crashes", file=path.name)
    try:
        return _understood(json.loads(said))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise EngineError("net_examination_failed", file=path.name) from error


def _answered(order: bytes, path: Path) -> tuple[bytes, int]:
    """What the examiner says, and its exit status. Raises ``EngineError`` where it takes too long."""
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    late = threading.Event()
    with subprocess.Popen(
        children.command(COMMAND),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=flags,
        env=sandbox.environment(),
    ) as examiner:
        assert examiner.stdin is not None and examiner.stdout is not None

        def end() -> None:
            late.set()
            examiner.kill()

        clock = threading.Timer(WALL_S, end)
        clock.start()
        try:
            with suppress(OSError), examiner.stdin as words:  # it may be dead already
                words.write(order)
            said = examiner.stdout.read(ANSWER_MAX_BYTES + 1)
            if len(said) > ANSWER_MAX_BYTES:
                examiner.kill()
            status = examiner.wait()
        except BaseException:
            examiner.kill()
            raise
        finally:
            clock.cancel()
    if late.is_set():
        raise EngineError("net_takes_time", file=path.name)
    return said, status


def _understood(answer: dict[str, Any]) -> Examination:
    """Raises ``EngineError`` for a refusal; what Python raises for an answer that is none."""
    if "refused" in answer:
        reason = " ".join(str(answer["refused"]).split())[:500]
        if not reason.isprintable():
            raise ValueError("words that a terminal would act on")
        raise EngineError("net_refused", sentence=reason)
    form = answer["form"]
    low, high = map(float, form["values"])
    fixed = None if form["fixed"] is None else (int(form["fixed"][0]), int(form["fixed"][1]))
    multiple, rows, seconds = int(form["multiple"]), int(answer["rows"]), float(answer["seconds"])
    layout = form["layout"]
    sizes = (multiple, rows, *(fixed or ()))
    if layout not in ("nchw", "nhwc") or not 0 < min(sizes) <= max(sizes) <= SIDE_MAX or not seconds > 0:
        raise ValueError(answer)
    return Examination(ModelForm(layout, (low, high), multiple, fixed), rows, seconds, "cpu")
