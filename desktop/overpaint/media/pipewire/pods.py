"""SPA pods: PipeWire's binary form of typed values, written and read. Pure.

A pod is the size of its body (uint32), its type (uint32) and the body, padded to eight bytes; numbers are in
the machine's byte order. Must not know what the values are used for.

Source: PipeWire's documentation, "SPA POD"; values of spa/utils/type.h and spa/pod/pod.h.
"""

from __future__ import annotations

import struct

_HEADER = struct.Struct("=II")
_ID, _INT, _RECTANGLE, _FRACTION, _OBJECT, _CHOICE = 3, 4, 10, 11, 15, 19
_RANGE, _ENUM, _FLAGS = 1, 3, 4
_FORMS = {_ID: "=I", _INT: "=i", _RECTANGLE: "=II", _FRACTION: "=II"}


def identifier(value: int) -> bytes:
    """Writes an ``Id``: a value of an enumeration."""
    return _pod(_ID, struct.pack("=I", value))


def integer(value: int) -> bytes:
    """Writes an ``Int``."""
    return _pod(_INT, struct.pack("=i", value))


def rectangle(width: int, height: int) -> bytes:
    """Writes a ``Rectangle``."""
    return _pod(_RECTANGLE, struct.pack("=II", width, height))


def fraction(numerator: int, denominator: int) -> bytes:
    """Writes a ``Fraction``."""
    return _pod(_FRACTION, struct.pack("=II", numerator, denominator))


def chosen_within(default: bytes, lowest: bytes, highest: bytes) -> bytes:
    """Writes a ``Choice`` of the kind Range from three pods of one type."""
    size, kind = _HEADER.unpack_from(default)
    bodies = b"".join(pod[_HEADER.size : _HEADER.size + size] for pod in (default, lowest, highest))
    return _pod(_CHOICE, struct.pack("=IIII", _RANGE, 0, size, kind) + bodies)


def chosen_among(default: bytes, *others: bytes) -> bytes:
    """Writes a ``Choice`` of the kind Enum from pods of one type."""
    size, kind = _HEADER.unpack_from(default)
    bodies = b"".join(pod[_HEADER.size : _HEADER.size + size] for pod in (default, default, *others))
    return _pod(_CHOICE, struct.pack("=IIII", _ENUM, 0, size, kind) + bodies)


def flags(value: int) -> bytes:
    """Writes a ``Choice`` of the kind Flags: any of these bits."""
    return _pod(_CHOICE, struct.pack("=IIIIi", _FLAGS, 0, 4, _INT, value))


def item(kind: int, parameter: int, properties: dict[int, bytes]) -> bytes:
    """Writes an ``Object``.

    Args:
        kind: Its type (``SPA_TYPE_OBJECT_*``).
        parameter: The parameter that it is a value of (``SPA_PARAM_*``).
        properties: The pods of its properties by their keys.
    """
    body = struct.pack("=II", kind, parameter)
    return _pod(_OBJECT, body + b"".join(struct.pack("=II", key, 0) + pod for key, pod in properties.items()))


def size_of(header: bytes) -> int:
    """Returns the size of a whole pod, from its first eight bytes."""
    return _HEADER.size + int(_HEADER.unpack_from(header)[0])


def read_item(pod: bytes) -> dict[int, tuple[int, ...]]:
    """Reads the properties of an ``Object`` that are numbers or pairs of them; of a choice, its default.

    Raises:
        ValueError: It is no whole object.
    """
    try:
        size, kind = _HEADER.unpack_from(pod)
        if kind != _OBJECT or _HEADER.size + size > len(pod):
            raise ValueError("no whole object")
        found, at, end = {}, _HEADER.size + 8, _HEADER.size + size
        while at < end:
            (key, _), at = _HEADER.unpack_from(pod, at), at + 8
            length, form = _HEADER.unpack_from(pod, at)
            if (values := _numbers(pod, at + 8, form)) is not None:
                found[key] = values
            at += 8 + length + -length % 8
    except struct.error as error:
        raise ValueError("an object that ends too early") from error
    return found


def _numbers(pod: bytes, at: int, form: int) -> tuple[int, ...] | None:
    """Reads the body of one value."""
    if form == _CHOICE:
        form, at = struct.unpack_from("=I", pod, at + 12)[0], at + 16
    return struct.unpack_from(_FORMS[form], pod, at) if form in _FORMS else None


def _pod(kind: int, body: bytes) -> bytes:
    return _HEADER.pack(len(body), kind) + body + b"\0" * (-len(body) % 8)
