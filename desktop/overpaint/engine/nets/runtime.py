"""The runtime of nets (inference): ONNX files, opened on the best device of this machine that can run them.

The only module that knows ONNX Runtime. The installed runtime (onnxruntime, -gpu, -directml, -openvino,
-silicon) decides which devices exist. A device that fails to open is logged and the next is tried, the CPU
last. Must not know what a net computes, or pictures.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import EngineError

log = logging.getLogger(__name__)

Floats = NDArray[np.float32]

DEVICES = {
    "cuda": "CUDAExecutionProvider",
    "rocm": "MIGraphXExecutionProvider",
    "directml": "DmlExecutionProvider",
    "coreml": "CoreMLExecutionProvider",
    "openvino": "OpenVINOExecutionProvider",
    "cpu": "CPUExecutionProvider",
}
"""Device names in the order of preference, with the names of ONNX Runtime's execution providers."""

_ERRORS_ONLY = 3
NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
"""Environment variable that turns ONNX Runtime's telemetry off."""


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output of a net.

    Attributes:
        name: As in the file.
        shape: Sizes; None for a dynamic one.
        kind: ONNX Runtime's name of the type, such as ``tensor(float)``.
    """

    name: str
    shape: tuple[int | None, ...]
    kind: str


MEMORY_MAX_BYTES = 2 * 1024**3
"""CPU memory that all untrusted nets of one process may allocate together."""


class Net:
    """An opened net. One thread at a time.

    Args:
        session: Inference session of ONNX Runtime.
        device: A name in ``DEVICES``.
        passed_over: Devices that were tried and failed, with the reason.
        run_limit_s: Time limit of one run, seconds; None for no limit.

    Attributes:
        device: Device on which it runs.
        passed_over: As given.
        inputs: Input ports.
        outputs: Output ports.
    """

    def __init__(
        self, session: Any, device: str, passed_over: Mapping[str, str], run_limit_s: float | None = None
    ) -> None:
        self._run_limit_s = run_limit_s
        self.device = device
        self.passed_over = dict(passed_over)
        self.inputs = tuple(_port(port) for port in session.get_inputs())
        self.outputs = tuple(_port(port) for port in session.get_outputs())
        self._session = session
        self._names = [port.name for port in self.outputs]
        self._turn = threading.Lock()

    def run(self, **inputs: NDArray[Any]) -> list[Floats]:
        """Computes the outputs, in their order.

        Raises:
            EngineError: The net failed (``net_failed``): out of memory, over its time limit, or given a
                wrong shape, for instance.
        """
        try:
            with self._turn:
                if self._run_limit_s is None:
                    found: list[Floats] = self._session.run(self._names, inputs)
                else:
                    found = self._run_within(self._run_limit_s, inputs)
        except Exception as error:  # the runtime raises types of its own, a different one per device
            raise EngineError("net_failed", reason=_first_line(error)) from error
        return found

    def _run_within(self, limit_s: float, inputs: Mapping[str, NDArray[Any]]) -> list[Floats]:
        """Runs with a time limit: a timer asks the runtime to stop, which it does between two operators."""
        options = _runtime().RunOptions()

        def stop() -> None:
            options.terminate = True

        timer = threading.Timer(limit_s, stop)
        timer.daemon = True
        timer.start()
        try:
            found: list[Floats] = self._session.run(self._names, inputs, options)
        except Exception as error:
            if not options.terminate:
                raise
            raise TimeoutError(f"it took more than {limit_s:g} s") from error
        finally:
            timer.cancel()
        return found


def available_devices() -> tuple[str, ...]:
    """Devices that the installed runtime can use here, best first; the CPU is always among them."""
    here = set(_runtime().get_available_providers())
    return tuple(name for name, provider in DEVICES.items() if provider in here)


def open_net(
    model: Path | bytes,
    threads: int = 1,
    devices: tuple[str, ...] | None = None,
    *,
    bounded: bool = False,
    run_limit_s: float | None = None,
) -> Net:
    """Opens a net on the first device that takes it.

    Args:
        model: An ONNX file, or its bytes.
        threads: CPU threads for one run.
        devices: Names to try, in this order; all available devices by default.
        bounded: Whether the net is untrusted and its memory bounded (``MEMORY_MAX_BYTES``).
        run_limit_s: Time limit of one run, seconds; None for no limit.

    Raises:
        EngineError: No device can open the net (``bad_model``).
    """
    passed_over: dict[str, str] = {}
    for device in devices or available_devices():
        try:
            session = _session(model, threads, DEVICES[device], bounded)
        except Exception as error:  # noqa: BLE001 - the runtime has no common base of its errors
            passed_over[device] = _first_line(error)
            continue
        if session.get_providers()[0] != DEVICES[device]:
            # The runtime silently falls back to the CPU when a driver's library is missing.
            passed_over[device] = "its driver or libraries cannot be loaded"
            continue
        for name, reason in passed_over.items():
            log.info("a net runs on %s, not on %s: %s", device, name, reason)
        return Net(session, device, passed_over, run_limit_s)
    reasons = "; ".join(f"{name}: {reason}" for name, reason in passed_over.items())
    raise EngineError("net_not_opened", reasons=reasons)


def _session(model: Path | bytes, threads: int, provider: str, bounded: bool) -> Any:
    options = _runtime().SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    # Waiting threads sleep: busy-waiting ones would take the cores that other stages need.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.set_denormal_as_zero", "1")
    if bounded:
        _bound_memory()
        options.add_session_config_entry("session.use_env_allocators", "1")
    source = model if isinstance(model, bytes) else str(model)
    return _runtime().InferenceSession(source, options, providers=[provider])


@cache
def _bound_memory() -> None:
    """Registers the allocator that all nets with bounded memory share."""
    runtime = _runtime()
    kinds = runtime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, runtime.OrtMemType.DEFAULT
    limits = runtime.OrtArenaCfg({"max_mem": MEMORY_MAX_BYTES})
    runtime.create_and_register_allocator(runtime.OrtMemoryInfo("Cpu", *kinds), limits)


@cache
def _runtime() -> Any:
    """ONNX Runtime, imported with the first net, since most looks need none."""
    # From 1.31 on it sends telemetry on every system, under a device id that it stores in the user's cache
    # folder. Telemetry starts with the import and can only be switched off before it.
    os.environ[NO_TELEMETRY] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    onnxruntime.set_default_logger_severity(_ERRORS_ONLY)
    return onnxruntime


def _port(port: Any) -> Port:
    shape = tuple(size if isinstance(size, int) else None for size in port.shape)
    return Port(port.name, shape, port.type)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
