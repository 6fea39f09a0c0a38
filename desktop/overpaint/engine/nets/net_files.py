"""The validation of an untrusted ONNX file before ONNX Runtime reads any of it.

ONNX files can name other files (tensors with external data, compiled contexts), custom operators (programs
of their own), and endless loops. Repainting a picture needs none of these, so all are refused.
Sources: ``onnx.proto3`` of ONNX 1.18 for the field numbers; the Protocol Buffers wire format. Reads numbers
and names, no weights. Must not know ONNX Runtime.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from overpaint.errors import EngineError

NODES_MAX = 20_000
"""Most operators in one file; nets that repaint pictures have some hundreds."""
_DEPTH_MAX = 16
_PARTS_MAX = 1_000_000

_DOMAINS = frozenset({"", "ai.onnx", "com.microsoft", "com.microsoft.nchwc"})
"""Domains of operators that are accepted: those of ONNX, and those that ONNX Runtime's optimizer produces."""
_REFUSED = {
    "Loop": "it holds a loop, which may have no end",
    "Scan": "it holds a loop, which may have no end",
    "EPContext": "it refers to another file",
    "PythonOp": "it holds a program",
    "PythonOpGrad": "it holds a program",
    "ATen": "it holds a program",
    "BeamSearch": "it holds a loop, which may have no end",
    "GreedySearch": "it holds a loop, which may have no end",
    "Sampling": "it holds a loop, which may have no end",
}

_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5

_PARTS = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
"""For each kind of message, the fields that hold messages to check, and their kinds."""
_NODE_TYPE, _NODE_DOMAIN, _FUNCTION_DOMAIN = 4, 7, 10
_TENSOR_EXTERNAL, _TENSOR_LOCATION = 13, 14
_MODEL_OPSETS = 8


@dataclass(slots=True)
class _Count:
    nodes: int = 0
    parts: int = 0


def check_net_file(data: bytes) -> None:
    """Checks a whole ONNX file.

    Args:
        data: Content of the file.

    Raises:
        EngineError: The data is no ONNX file, or holds something that is refused (``bad_model``); the
            sentence says what.
    """
    fields = {number for number, _ in _fields(memoryview(data))}
    if not {7, _MODEL_OPSETS} <= fields:
        raise _refused("this is no ONNX file")
    _look_through(memoryview(data), "model", 0, _Count())


def _look_through(message: memoryview, kind: str, depth: int, count: _Count) -> None:
    if depth > _DEPTH_MAX:
        raise _refused("it is nested too deep")
    count.parts += 1
    count.nodes += kind == "node"
    if count.nodes > NODES_MAX or count.parts > _PARTS_MAX:
        raise _refused(f"it has more than {NODES_MAX} operators")
    parts = _PARTS[kind]
    for number, value in _fields(message):
        if kind == "node":
            _check_node(number, value)
        elif kind == "tensor" and (number == _TENSOR_EXTERNAL or (number == _TENSOR_LOCATION and value != 0)):
            raise _refused("its weights are in another file")
        elif kind == "function" and number == _FUNCTION_DOMAIN and _text(value).startswith("ai.onnx"):
            raise _refused("it redefines an operator")
        if number in parts:
            if isinstance(value, int):
                raise _refused("it is damaged")
            _look_through(value, parts[number], depth + 1, count)


def _check_node(number: int, value: memoryview | int) -> None:
    if number == _NODE_TYPE and (reason := _REFUSED.get(_text(value))):
        raise _refused(reason)
    if number == _NODE_DOMAIN and (domain := _text(value)) not in _DOMAINS:
        raise _refused(f"it needs operators of {domain[:60]!r}, which are programs of their own")


def _text(value: memoryview | int) -> str:
    if isinstance(value, int):
        raise _refused("it is damaged")
    return bytes(value[:200]).decode("utf-8", "replace")


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """Number and value of each field of a message; fixed-width values are skipped.

    Raises:
        EngineError: The message is damaged (``bad_model``).
    """
    at, end = 0, len(message)
    while at < end:
        key, at = _varint(message, at)
        number, form = key >> 3, key & 7
        if form == _VARINT:
            value, at = _varint(message, at)
            yield number, value
        elif form == _LENGTH:
            size, at = _varint(message, at)
            if size > end - at:
                raise _refused("it is damaged, or no ONNX file")
            yield number, message[at : at + size]
            at += size
        elif form in (_EIGHT_BYTES, _FOUR_BYTES):
            at += 8 if form == _EIGHT_BYTES else 4
            if at > end:
                raise _refused("it is damaged, or no ONNX file")
        else:
            raise _refused("it is damaged, or no ONNX file")


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            raise _refused("it is damaged, or no ONNX file")
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
    raise _refused("it is damaged, or no ONNX file")


def _refused(reason: str) -> EngineError:
    return EngineError("net_file_refused", reason=reason)
