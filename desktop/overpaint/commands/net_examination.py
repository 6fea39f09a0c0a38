"""A net of a stranger, examined by a sandboxed process.

The process gets the file's path on its standard input, can read that file and nothing else, and answers on
its standard output. Must not know what becomes of the net.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from overpaint.engine.custom_models import SIDE_MAX, Examination, ModelForm, examine
from overpaint.errors import EngineError
from overpaint.processes import children, sandbox

COMMAND = "examine-net"
MEMORY_BYTES = 6 * 1024**3
"""The file, its weights as the runtime keeps them, and what a run takes (``nets.MEMORY_MAX_BYTES``)."""
CPU_S, WALL_S = 240.0, 300.0
_MEND = "Bring an ONNX file that takes one colour picture and gives one."


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
    from overpaint.engine.nets import available_devices

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
        answer = {"refused": _sentence(path, "it takes more memory than is allowed")}
    with answers:
        answers.write(json.dumps(answer))
    return 0


def _examined_apart(path: Path, threads: int) -> Examination:
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    order = json.dumps({"path": str(path.resolve()), "threads": threads}) + "\n"
    try:
        done = subprocess.run(
            children.command(COMMAND),
            input=order.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=flags,
            env=sandbox.environment(),
            timeout=WALL_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _refusal(_sentence(path, "it takes more time than is allowed")) from error
    if done.returncode != 0:
        reason = "it takes more memory or time than is allowed, or makes the runtime crash"
        raise _refusal(_sentence(path, reason))
    try:
        return _understood(json.loads(done.stdout))
    except (ValueError, KeyError, TypeError) as error:
        raise _refusal(_sentence(path, "its examination came to nothing")) from error


def _understood(answer: dict[str, Any]) -> Examination:
    """Raises ``EngineError`` for a refusal; ``ValueError``, ``KeyError``, ``TypeError`` for no answer."""
    if "refused" in answer:
        raise _refusal(" ".join(str(answer["refused"]).split())[:500])
    form = answer["form"]
    low, high = map(float, form["values"])
    fixed = None if form["fixed"] is None else (int(form["fixed"][0]), int(form["fixed"][1]))
    multiple, rows, seconds = int(form["multiple"]), int(answer["rows"]), float(answer["seconds"])
    layout = form["layout"]
    sizes = (multiple, rows, *(fixed or ()))
    if layout not in ("nchw", "nhwc") or not 0 < min(sizes) <= max(sizes) <= SIDE_MAX or not seconds > 0:
        raise ValueError(answer)
    return Examination(ModelForm(layout, (low, high), multiple, fixed), rows, seconds, "cpu")


def _sentence(path: Path, reason: str) -> str:
    return f"{path.name} will not do as a look: {reason}."


def _refusal(sentence: str) -> EngineError:
    return EngineError(sentence, kind="bad_model", mend=_MEND)
